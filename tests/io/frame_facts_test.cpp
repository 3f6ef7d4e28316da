// Facts about Lynch and Zenkov's example and about symplecticity in frames, measured elsewhere.
#include <gtest/gtest.h>

#include <cmath>

#include "hamel/integrators/frames/dla.hpp"
#include "hamel/integrators/frames/hamel.hpp"
#include "hamel/io/scenario.hpp"
#include "hamel/mechanics/frame_system.hpp"
#include "hamel/systems/lynch_zenkov.hpp"

namespace hamel::io {
namespace {

// [MATH 10]: example A at T = 600.
TEST(LynchZenkov, HamelReachesTheRelativeEquilibrium) {
  static const Registry registry = builtin_registry();
  const Scenario s = parse_scenario("[system]\nname = \"lynch_zenkov\"\n[integrate]\nstep = 0.2\n",
                                    "a.toml", {}, registry);
  const auto at_600 = [&](const char* method) {
    return s.problem->end_point(MethodSpec::parse(method), s.integration, 600.0, 3000,
                                Precision::double_precision);
  };
  const EndPoint end = at_600("hamel");
  ASSERT_EQ(end.status, Status::ok);
  const auto r = static_cast<double>(end.q[0]);
  const auto w = static_cast<double>(end.velocity[1]);
  EXPECT_NEAR(r, 0.0943078643050, 1e-12);
  EXPECT_NEAR(4 * r + 0.5, (0.5 + 2 * r) * w * w, 1e-13);  // U' = a b w²
  const EndPoint kinetic = at_600("hamel(frame=kinetic)");
  ASSERT_EQ(kinetic.status, Status::ok);
  EXPECT_NEAR(static_cast<double>(kinetic.q[0]), 0.094335959964, 1e-11);
  // DLA has no relative equilibria: its energy has grown by 4.3. By symmetry g may start at −300,
  // so that s does not overflow.
  Overrides lower;
  lower.set = {"initial.q=[0.2, -300.0, 0.0]", "initial.xi=[0.1, 0.9]"};
  const Scenario low = parse_scenario(
      "[system]\nname = \"lynch_zenkov\"\n[integrate]\nstep = 0.2\n", "a.toml", lower, registry);
  const auto simulation = low.problem->simulate(MethodSpec::parse("dla"), low.integration);
  Block block;
  block.steps = 3000;
  ASSERT_EQ(simulation->advance(block), Status::ok);
  const auto energy = simulation->invariants().front();
  EXPECT_NEAR(energy.final - energy.initial, 4.3, 0.1);
}

/// Largest |multiplier| of the step in (r, p1, p2) at the relative equilibrium r = 0, ξ = (0, w) of
/// example B, by central differences in Quad; one multiplier is 1.
template <class Method>
double multiplier(const Method& method, double w) {
  const FrameModel model = frame_model(LynchZenkov{"1", "0.99*r", "6*r^2"});
  const auto stepper = method.template stepper<Quad>(model, {});
  StepperState<Quad> at;
  EXPECT_TRUE(stepper->start({0, 0, 0}, {0, Quad(w)}, Quad(0.2), at));
  const std::size_t part[] = {0, 3, 4};
  Quad J[3][3];
  const Quad d = 1e-10;
  for (int k = 0; k < 3; ++k) {
    StepperState<Quad> up = at;
    StepperState<Quad> down = at;
    up.z[part[k]] += d;
    down.z[part[k]] -= d;
    EXPECT_FALSE(stepper->step(up, 0, Quad(0.2)).failed());
    EXPECT_FALSE(stepper->step(down, 0, Quad(0.2)).failed());
    for (int i = 0; i < 3; ++i) J[i][k] = (up.z[part[i]] - down.z[part[i]]) / (2 * d);
  }
  // at r = 0 the map of p2 decouples: J = [[A, *], [0, 1]] to first order
  const Quad determinant = J[0][0] * J[1][1] - J[0][1] * J[1][0];
  const Quad trace = J[0][0] + J[1][1];
  EXPECT_LT(trace * trace, 4 * determinant);  // a complex pair
  return static_cast<double>(sqrt(determinant));
}

// [MATH 10]: example B. Hamel keeps the stability type (exact Cayley images), DLA turns it round.
TEST(LynchZenkov, StabilityOfTheRelativeEquilibria) {
  EXPECT_NEAR(multiplier(FrameHamel{}, -3.0), 0.9985239118, 1e-10);
  EXPECT_NEAR(multiplier(FrameHamel{}, 3.0), 1.00147827, 1e-8);
  EXPECT_NEAR(multiplier(FrameDla{}, -3.0), 1.00286944, 1e-8);
  EXPECT_NEAR(multiplier(FrameDla{}, 3.0), 0.99713877, 1e-8);
}

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
