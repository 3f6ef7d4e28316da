// SPDX-License-Identifier: BSD-3-Clause
// The knife edge on an incline, against 40-digit references, Newton's equations with an explicit
// multiplier, and facts measured elsewhere.
#include "hamel/systems/knife_edge.hpp"

#include <cmath>

#include "reference.hpp"

namespace hamel {
namespace {

using Json = nlohmann::json;

/// g sin(incline) = 2, at rest, φ = 0, Ω = 1.3.
io::Scenario reference_case() {
  return scenario_of("knife_edge",
                     "gravity = 2\nincline = 1.5707963267948966\n[initial]\nq = [0, 0, 0]\n"
                     "xi = [0, 1.3]\n");
}

// [MATH 4]
TEST(KnifeEdge, ReachesTheReferenceMotion) {
  const io::Scenario s = reference_case();
  const Json reference = golden_frame("knife_edge_incline");
  for (const auto& point : reference["continuous"]) {
    const double t = std::stod(point["t"].get<std::string>());
    const EndPoint exact = exact_at(s, t);
    ASSERT_EQ(exact.q.size(), 3U);
    // Ω = 1.3 is rounded to double: 4e-17 each second
    EXPECT_LE(difference(exact.q, numbers(point["q"])), 1e-14) << t;
    EXPECT_LE(difference(exact.velocity, numbers(point["xi"])), 1e-14) << t;
    const EndPoint end = run_to(s, "gauss", t, static_cast<std::int64_t>(std::ceil(t / 0.05)));
    EXPECT_LE(difference(end.q, numbers(point["q"])), 1e-12) << t;
  }
}

TEST(KnifeEdge, GivesTheReferenceSequences) {
  const io::Scenario s = reference_case();
  const Json reference = golden_frame("knife_edge_incline");
  for (const auto& [count, node] : reference["discrete_hamel_node"]["steps"].items()) {
    const int n = std::stoi(count);
    const EndPoint end = run_to(s, "hamel", 0.1 * n, n);
    EXPECT_LE(difference(end.q, numbers(node["q"])), 1e-12) << n;
    EXPECT_LE(difference(end.velocity, numbers(node["xi_node"])), 1e-12) << n;
  }
  const Json dla = golden_frame("discrete_dla_del_half")["knife h=0.1"];
  const std::pair<const char*, const char*> rules[] = {{"mid", "dla"}, {"0", "dla(alpha=0)"}};
  for (const auto& [rule, method] : rules)
    for (const auto& [count, state] : dla[rule].items()) {
      const int n = std::stoi(count);
      std::vector<Quad> q = numbers(state);
      q.resize(3);
      EXPECT_LE(difference(run_to(s, method, 0.1 * n, n).q, q), 1e-12) << method << " " << n;
    }
}

// [MATH 10]: x_k = c² exact, c = (hΩ/2)/sin(hΩ/2): the step is as periodic as the motion. DLA with
// its constraint at the left end slides 200 units in 2e4 steps.
TEST(KnifeEdge, HamelStaysUpDlaSlides) {
  const io::Scenario s = reference_case();
  for (const int n : {7, 100, 2000}) {
    const double t = 0.1 * n;
    const EndPoint end = run_to(s, "hamel", t, n, Precision::quad);
    ASSERT_EQ(end.status, Status::ok);
    const EndPoint exact = exact_at(s, t);
    ASSERT_EQ(exact.q.size(), 3U);
    const Quad z = Quad(t) / n * Quad(1.3) / 2;
    const Quad c = z / sin(z);
    EXPECT_LE(static_cast<double>(abs(end.q[0] - c * c * exact.q[0])), 1e-28) << n;
    EXPECT_LE(static_cast<double>(abs(end.velocity[0] - c * exact.velocity[0])), 1e-28) << n;
  }
  const EndPoint left = run_to(s, "dla(alpha=0)", 2000.0, 20000);
  ASSERT_EQ(left.status, Status::ok);
  EXPECT_NEAR(static_cast<double>(left.q[0]), 200.0, 2.0);
}

/// (x, y, φ, ẋ, ẏ, φ̇) by Newton's equations with the blade's reaction λ across it:
/// ẍ = a − λ sinφ, ÿ = λ cosφ, and λ from the derivative of ẋ sinφ = ẏ cosφ; RK4.
std::array<long double, 6> newton(std::array<long double, 6> z, long double a, long double t,
                                  int steps) {
  using State = std::array<long double, 6>;
  const auto rate = [&](long double, const State& w) {
    const long double s = std::sin(w[2]);
    const long double c = std::cos(w[2]);
    const long double reaction = a * s + w[5] * (c * w[3] + s * w[4]);
    return State{w[3], w[4], w[5], a - reaction * s, reaction * c, 0};
  };
  return by_rk4(z, t, steps, rate);
}

TEST(KnifeEdge, ObeysNewtonWithTheReactionOfTheBlade) {
  for (const double spin : {-0.7, 0.0, 0.02}) {
    const io::Scenario s =
        scenario_of("knife_edge",
                    "mass = 2.5\ninertia = 0.3\nincline = 0.4\n[initial]\nq = [1, -2, 0.8]\nxi = "
                    "[-0.6, " +
                        std::to_string(spin) + "]\n");
    const long double a = 9.81L * std::sin(0.4L);
    const auto z =
        newton({1, -2, 0.8L, -0.6L * std::cos(0.8L), -0.6L * std::sin(0.8L), spin}, a, 3, 3000);
    const EndPoint exact = exact_at(s, 3);
    ASSERT_EQ(exact.q.size(), 3U);
    for (std::size_t b = 0; b < 3; ++b)
      EXPECT_NEAR(static_cast<double>(exact.q[b]), static_cast<double>(z[b]), 1e-11) << spin;
    const auto v = static_cast<double>(exact.velocity[0]);
    EXPECT_NEAR(v * std::cos(static_cast<double>(z[2])), static_cast<double>(z[3]), 1e-11);
    EXPECT_NEAR(v * std::sin(static_cast<double>(z[2])), static_cast<double>(z[4]), 1e-11);
    EXPECT_LE(error_at(s, run_to(s, "gauss", 3.0, 60), 3.0), 1e-12) << spin;
  }
}

// What docs/systems/knife_edge.md says of the scenario.
TEST(KnifeEdge, ScenarioShowsTheSlide) {
  const io::Scenario s = committed_scenario("knife_edge");
  for (const char* invariant : {"energy", "spin"})
    EXPECT_LE(drifts(s, "hamel", s.steps).second.at(invariant).max_drift, 1e-13) << invariant;
  const auto x = [&](const char* method) {
    return static_cast<double>(
        run_to(s, method, static_cast<double>(s.steps) * s.integration.step, s.steps).q[0]);
  };
  EXPECT_LE(x("hamel"), 0.6);
  EXPECT_GE(x("dla(alpha=0)"), 2.5);
}

}  // namespace
}  // namespace hamel
