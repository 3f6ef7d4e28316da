// SPDX-License-Identifier: BSD-3-Clause
// Facts about scenarios of the repository and about symplecticity in frames, measured elsewhere.
#include <gtest/gtest.h>

#include <cmath>

#include "hamel/scenario/scenario.hpp"

namespace hamel::io {
namespace {

/// The invariants of a scenario of the repository after its run, and how it ended.
std::pair<Status, std::vector<InvariantDrift>> ended(const char* name, const char* method) {
  static const Registry registry = builtin_registry();
  const Scenario s = load_scenario(
      std::string(HAMEL_GOLDEN_DIR "/../../scenarios/") + name + ".toml", {}, registry);
  const auto simulation = s.problem->simulate(MethodSpec::parse(method), s.integration);
  Block block;
  block.steps = s.steps;
  const Status status = simulation->advance(block);
  return {status, simulation->invariants()};
}

// What docs/systems says of the scenarios.
TEST(Scenarios, TheChartOfTheTopIsSingularTheFrameIsNot) {
  EXPECT_EQ(ended("euler_top_angles", "rk4").first, Status::not_finite);
  const auto angles = ended("euler_top_angles", "hamel").second.front();
  EXPECT_NEAR(angles.max_drift / angles.initial, 0.13, 0.01);
  for (const auto& drift : ended("euler_top", "hamel").second)
    EXPECT_LE(drift.max_drift, 1e-13) << drift.info.name;
}

TEST(Scenarios, TheReconstructionOfD0LosesTheEnergyOfTheHeavyTop) {
  for (const auto& drift : ended("heavy_top", "hamel").second)
    EXPECT_LE(drift.max_drift, 1e-13) << drift.info.name;
  for (const auto& drift : ended("heavy_top", "hamel(reconstruction=mid)").second) {
    if (drift.info.name == "length")
      EXPECT_LE(drift.max_drift, 1e-13);
    else
      EXPECT_GE(drift.max_drift, 1e-3) << drift.info.name;
  }
}

// [MATH 2.4]: Hénon–Heiles in a frame rotated by α = 2x − y + xy, and in coordinates.
TEST(Symplecticity, DependsOnTheFrame) {
  static const Registry registry = builtin_registry();
  const auto defect = [&](bool rotated, double h, const char* method) {
    const std::string text =
        std::string(R"toml([system]
coordinates = ["x", "y"]
lagrangian = "(x_dot^2 + y_dot^2)/2 - ((x^2 + y^2)/2 + x^2*y - y^3/3)"
)toml") +
        (rotated ? R"toml(frame = [["cos(a)", "sin(a)"], ["-sin(a)", "cos(a)"]]
[system.let]
a = "2*x - y + x*y"
)toml"
                 : "") +
        "[initial]\nq = [0.1, -0.2]\nxi = [0.3, 0.25]\n[integrate]\nstep = " + std::to_string(h) +
        "\n";
    const Scenario s = parse_scenario(text, "hh.toml", {}, registry);
    return s.problem->symplectic_defect(MethodSpec::parse(method), s.integration).value_or(NAN);
  };
  EXPECT_NEAR(defect(true, 0.2, "hamel"), 2.5e-4, 1e-5);
  EXPECT_NEAR(defect(true, 0.1, "hamel"), 3.2e-5, 1e-6);
  EXPECT_NEAR(defect(true, 0.05, "hamel"), 4.1e-6, 1e-7);
  EXPECT_LE(defect(false, 0.05, "hamel"), 1e-12);
  EXPECT_LE(defect(true, 0.05, "hamel(principle=pontryagin)"), 1e-12);
  EXPECT_LE(defect(true, 0.05, "midpoint_del"), 1e-12);
}

}  // namespace
}  // namespace hamel::io
