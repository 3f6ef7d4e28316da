// SPDX-License-Identifier: BSD-3-Clause
// The Lagrange top: golden references, the closed solution at and between the poles, sleeping tops.
#include "hamel/systems/lagrange_top.hpp"

#include <cmath>

#include "reference.hpp"

namespace hamel {
namespace {

using Json = nlohmann::json;

std::string text(const Json& list) {
  std::string out;
  for (const auto& x : list) out += (out.empty() ? "[" : ", ") + x.get<std::string>();
  return out + "]";
}

// golden/frames: extrapolation, 28 digits. The data are taken in Quad, not rounded to double.
TEST(LagrangeTop, ClosedSolutionReachesTheGoldenOne) {
  const Json reference = golden_frame("lagrange_top");
  const std::vector<Quad> xi = {quad_from_string("0.5"), quad_from_string("0.3"), Quad(4) / 3};
  const auto solution = LagrangeTop{}.exact(numbers(reference["init"]["q"]), xi);
  for (const auto& point : reference["continuous"]) {
    const FrameMotion there = solution.at(quad_from_string(point["t"].get<std::string>()));
    EXPECT_LE(difference(there.q, numbers(point["q"])), 1e-26);
    EXPECT_LE(difference(there.xi, numbers(point["xi"])), 1e-26);
  }
}

TEST(LagrangeTop, HamelGivesTheGoldenNodes) {  // [MATH 2.2]
  const Json reference = golden_frame("lagrange_top");
  const io::Scenario s =
      scenario_of("lagrange_top", "[initial]\nq = " + text(reference["init"]["q"]) +
                                      "\nxi = " + text(reference["init"]["xi"]) + "\n");
  for (const auto& [count, node] : reference["discrete_hamel_node"]["steps"].items()) {
    const int n = std::stoi(count);
    const EndPoint end = run_to(s, "hamel", 0.1 * n, n);
    ASSERT_EQ(end.status, Status::ok);
    EXPECT_LE(difference(end.q, numbers(node["q"])), 1e-12) << n;
    EXPECT_LE(difference(end.velocity, numbers(node["xi_node"])), 1e-12) << n;
  }
}

// Against order 16 in quadruple precision: between the poles, through them, at rest, without spin.
TEST(LagrangeTop, EveryMotionAgreesWithGauss) {
  const std::string level = "q = [0, 0, 1, 1, 0, 0, 0, 1, 0]\n";
  const std::string up = "q = [1, 0, 0, 0, 1, 0, 0, 0, 1]\n";
  const std::string down = "q = [1, 0, 0, 0, -1, 0, 0, 0, -1]\n";
  for (const std::string& data :
       {level + "xi = [0.25, 0.125, 1.5]\n",  // loops
        level + "xi = [0, 0, 3]\n",           // cusps
        level + "xi = [-1, 0.5, -2]\n",       // spin the other way
        level + "xi = [0, 0, 0]\n",           // a planar pendulum, through the lower pole
        level + "xi = [1, 0, 0]\n",           // round and round
        up + "xi = [0.25, 0.125, 1.5]\n",     // through the upper pole
        down + "xi = [0.75, -1, -2]\n"}) {    // through the lower pole
    const io::Scenario s = scenario_of("lagrange_top", "[initial]\n" + data);
    for (const double t : {6.0, -4.0}) {
      const EndPoint end = run_to(s, "gauss", t, 120, Precision::quad);
      ASSERT_EQ(end.status, Status::ok);
      EXPECT_LE(error_at(s, end, t), 1e-22) << data << t;
    }
  }
}

TEST(LagrangeTop, HamelKeepsEveryInvariant) {
  const io::Scenario s = committed_scenario("lagrange_top");
  const auto [status, found] = drifts(s, "hamel", 2000);
  ASSERT_EQ(status, Status::ok);
  for (const char* name : {"energy", "momentum_z", "momentum_axis", "orthogonality"})
    EXPECT_LE(found.at(name).max_drift, 2e-13) << name;
}

// An upright top sleeps where p3² > 4 J1 w. Hamel's multipliers are Cayley images, so that its
// threshold is the same at any step (MATH 2.3).
TEST(LagrangeTop, HamelKeepsTheStabilityOfTheSleepingTop) {
  const auto lowest = [](double spin) {
    const io::Scenario s =
        scenario_of("lagrange_top", "[initial]\nq = [1, 0, 0, 0, 1, 0, 0, 0, 1]\nxi = [1e-4, 0, " +
                                        std::to_string(spin) + "]\n[integrate]\nstep = 0.4\n");
    double low = 1.0;
    const auto simulation = s.problem->simulate(MethodSpec::parse("hamel"), s.integration);
    for (int n = 0; n < 100; ++n) {
      Block block;
      block.steps = 5;
      EXPECT_EQ(simulation->advance(block), Status::ok);
      for (const auto& part : simulation->state())
        if (part.field.name == "q") low = std::min(low, part.values[8]);
    }
    return low;
  };
  const double threshold = 2.0 / 1.5;
  EXPECT_GE(lowest(1.01 * threshold), 1 - 1e-6);
  EXPECT_LE(lowest(0.99 * threshold), 1 - 1e-3);
}

}  // namespace
}  // namespace hamel
