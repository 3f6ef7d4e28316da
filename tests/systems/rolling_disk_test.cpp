// SPDX-License-Identifier: BSD-3-Clause
// The rolling disk, against 40-digit references, closed forms of the discrete paths, and the sleigh
// that it is when its rolling is left out.
#include "hamel/systems/rolling_disk.hpp"

#include <cmath>

#include "reference.hpp"

namespace hamel {
namespace {

using Json = nlohmann::json;

/// The data of the reference are the presets.
io::Scenario preset() { return scenario_of("rolling_disk"); }

// [MATH 4]
TEST(RollingDisk, ReachesTheReferenceMotion) {
  const io::Scenario s = preset();
  const Json reference =
      golden_frame("rolling_disk");  // a temporary would not outlive the loop's head
  for (const auto& point : reference["continuous"]) {
    const double t = std::stod(point["t"].get<std::string>());
    const EndPoint exact = exact_at(s, t);
    ASSERT_EQ(exact.q.size(), 4U);
    EXPECT_LE(difference(exact.q, numbers(point["q"])), 1e-15) << t;  // φ = .3 is rounded
    EXPECT_LE(difference(exact.velocity, numbers(point["xi"])), 1e-15) << t;
    const EndPoint end = run_to(s, "gauss", t, static_cast<std::int64_t>(std::ceil(t / 0.05)));
    EXPECT_LE(difference(end.q, numbers(point["q"])), 1e-12) << t;
  }
}

TEST(RollingDisk, GivesTheReferenceNodes) {
  const io::Scenario s = preset();
  const Json reference = golden_frame("rolling_disk");
  for (const auto& [count, node] : reference["discrete_hamel_node"]["steps"].items()) {
    const int n = std::stoi(count);
    const EndPoint end = run_to(s, "hamel", 0.1 * n, n);
    EXPECT_LE(difference(end.q, numbers(node["q"])), 1e-12) << n;
    EXPECT_LE(difference(end.velocity, numbers(node["xi_node"])), 1e-12) << n;
  }
}

constexpr double mass_part = 1.0 * 0.5 * 0.5;  // m R²
constexpr double inertia = 0.2;

/// Largest distance of the nodes from the circle of this radius that touches the heading at the
/// start, over so many steps of 0.1.
double off_circle(const char* method, double radius, int steps) {
  const io::Scenario s = preset();
  double worst = 0.0;
  for (int n = 1; n <= steps; n += 1 + n / 10) {
    const EndPoint end = run_to(s, method, 0.1 * n, n);
    EXPECT_EQ(end.status, Status::ok);
    const double x = static_cast<double>(end.q[0]) + radius * std::sin(0.3);
    const double y = static_cast<double>(end.q[1]) - radius * std::cos(0.3);
    const double e = std::fabs(std::hypot(x, y) - radius);
    if (!(e <= worst)) worst = e;
  }
  return worst;
}

// Chords hRω turning by ε = hΩ: a circle of radius (Rω/Ω)(ε/2)/sin(ε/2); DLA at the midpoint rolls
// faster by (I + mR²)/(I + mR² cos(ε/2)), for what its momentum is seen to be at the nodes.
TEST(RollingDisk, DiscretePathsAreCircles) {
  const double half = 0.05;
  const double hamel = half / std::sin(half);
  const double dla = hamel * (inertia + mass_part) / (inertia + mass_part * std::cos(half));
  EXPECT_LE(off_circle("hamel", hamel, 6000), 1e-12);
  EXPECT_LE(off_circle("dla", dla, 6000), 1e-11);
  EXPECT_GE(off_circle("dla", hamel, 30), 1e-4);
}

// With the constraint at q + α(q' − q) the rolling rate changes by
// (I + mR² cos((1 − α)ε))/(I + mR² cos(αε)) at every step; I = 0 is the sleigh of [MATH 10].
TEST(RollingDisk, DlaOffTheMidpointSpirals) {
  const io::Scenario s = preset();
  for (const double alpha : {0.0, 0.25, 1.0}) {
    const double ratio = (inertia + mass_part * std::cos((1 - alpha) * 0.1)) /
                         (inertia + mass_part * std::cos(alpha * 0.1));
    const EndPoint end = run_to(s, "dla(alpha=" + std::to_string(alpha) + ")", 10.0, 100);
    ASSERT_EQ(end.status, Status::ok);
    EXPECT_NEAR(static_cast<double>(end.velocity[0]), 2.0 * std::pow(ratio, 100), 1e-12) << alpha;
  }
}

// Rolling left out, it is a balanced sleigh of mass m + I/R² and speed Rω; also to the step.
TEST(RollingDisk, IsABalancedSleigh) {
  const io::Scenario disk = scenario_of("rolling_disk",
                                        "mass = 2\nradius = 0.4\ninertia = 0.1\n[initial]\n"
                                        "q = [1, 2, 0, 0.7]\nxi = [-3, 0.6]\n");
  const io::Scenario sleigh =
      scenario_of("chaplygin_sleigh",
                  "mass = 2.625\noffset = 0\n[initial]\nq = [1, 2, 0.7]\nxi = [-1.2, 0.6]\n");
  for (const char* method : {"hamel", "gauss", "exact"}) {
    const EndPoint a = run_to(disk, method, 9.0, 45);
    const EndPoint b = run_to(sleigh, method, 9.0, 45);
    EXPECT_LE(difference({a.q[0], a.q[1], a.q[3]}, b.q), 2e-14) << method;
  }
}

// What docs/systems/rolling_disk.md says of the scenario.
TEST(RollingDisk, ScenarioShowsCirclesAndSpirals) {
  const io::Scenario s = committed_scenario("rolling_disk");
  for (const char* invariant : {"energy", "rolling", "turning"})
    EXPECT_LE(drifts(s, "hamel", s.steps).second.at(invariant).max_drift, 1e-14) << invariant;
  const auto left = drifts(s, "dla(alpha=0)", s.steps).second.at("energy");
  const double ratio = (inertia + mass_part * std::cos(s.integration.step)) / (inertia + mass_part);
  EXPECT_NEAR(left.initial, 0.95, 1e-15);
  EXPECT_NEAR(left.final, 0.9 * std::pow(ratio, 2.0 * static_cast<double>(s.steps)) + 0.05, 1e-13);
}

}  // namespace
}  // namespace hamel
