// SPDX-License-Identifier: BSD-3-Clause
// The Kepler problem: against golden references, Cartesian coordinates and Kepler's laws.
#include "hamel/systems/kepler_polar.hpp"

#include <cmath>

#include "reference.hpp"

namespace hamel {
namespace {

using Json = nlohmann::json;

// golden/frames: extrapolation, 27 digits. The data are taken in Quad, not rounded to double.
TEST(KeplerPolar, ClosedSolutionReachesTheGoldenOne) {
  const Json reference = golden_frame("kepler_polar");
  const auto solution =
      KeplerPolar{}.exact(numbers(reference["init"]["q"]), numbers(reference["init"]["xi"]));
  for (const auto& point : reference["continuous"]) {
    const FrameMotion there = solution.at(quad_from_string(point["t"].get<std::string>()));
    EXPECT_LE(difference(there.q, numbers(point["q"])), 1e-26);
    EXPECT_LE(difference(there.xi, numbers(point["xi"])), 1e-26);
  }
}

TEST(KeplerPolar, HamelGivesTheGoldenNodes) {  // [MATH 2.2]
  const Json reference = golden_frame("kepler_polar");
  const io::Scenario s = scenario_of("kepler_polar");
  for (const auto& [count, node] : reference["discrete_hamel_node"]["steps"].items()) {
    const int n = std::stoi(count);
    const EndPoint end = run_to(s, "hamel", 0.1 * n, n);
    ASSERT_EQ(end.status, Status::ok);
    EXPECT_LE(difference(end.q, numbers(node["q"])), 1e-12) << n;
    EXPECT_LE(difference(end.velocity, numbers(node["xi_node"])), 1e-12) << n;
  }
}

/// (x, y, x', y') of the same start in Cartesian coordinates after time t, by gauss on text.
std::vector<Quad> cartesian(double mu, double r, double xi1, double xi2, double t) {
  const io::Scenario s = io::parse_scenario(
      "[system]\ncoordinates = [\"x\", \"y\"]\nparameters = { mu = " + std::to_string(mu) +
          " }\nlagrangian = \"(x_dot^2 + y_dot^2)/2 + mu/sqrt(x^2 + y^2)\"\n[initial]\nq = [" +
          std::to_string(r) + ", 0]\nv = [" + std::to_string(xi1) + ", " + std::to_string(xi2) +
          "]\n[integrate]\nstep = 0.1\n",
      "cartesian", {}, catalogue());
  EndPoint end = run_to(s, "gauss", t, 400, Precision::quad);
  EXPECT_EQ(end.status, Status::ok);
  end.q.insert(end.q.end(), end.velocity.begin(), end.velocity.end());
  return end.q;
}

// Ellipse, either sense; hyperbola; the parabola, whose energy is zero exactly; each both ways.
TEST(KeplerPolar, EveryConicAgreesWithCartesianCoordinates) {
  struct Case {
    double mu, r, xi1, xi2;
  };
  for (const auto& c : {Case{1.0, 1.0, 0.25, -1.125}, Case{2.0, 1.5, -0.5, 2.0},
                        Case{2.0, 1.0, 0.0, 2.0}, Case{2.0, 1.0, 0.5, 1.5}})
    for (const double t : {7.0, -3.0}) {
      KeplerPolar system;
      system.mu = c.mu;
      const FrameMotion m = system.exact({c.r, 0}, {c.xi1, c.xi2}).at(t);
      const Quad e1 = cos(m.q[1]);
      const Quad e2 = sin(m.q[1]);
      const std::vector<Quad> found = {m.q[0] * e1, m.q[0] * e2, m.xi[0] * e1 - m.xi[1] * e2,
                                       m.xi[0] * e2 + m.xi[1] * e1};
      EXPECT_LE(difference(found, cartesian(c.mu, c.r, c.xi1, c.xi2, t)), 1e-20)
          << c.xi2 << " at " << t;
    }
}

// Kepler's third law and the count of turns: T² = 4π²a³/μ, a the half of the two distances.
TEST(KeplerPolar, TurnsArePeriodic) {
  const auto solution = KeplerPolar{}.exact({1, 0}, {0, 1.25});
  const Quad pi = acos(Quad(-1));
  const Quad far = Quad(1.5625) / (2 - Quad(1.5625));  // J²/(μ(1 − e)), e = J² − 1
  const Quad a = (1 + far) / 2;
  const Quad T = 2 * pi * a * sqrt(a);
  EXPECT_LE(difference(solution.at(T / 2).q, {far, pi}), 1e-30);
  EXPECT_LE(difference(solution.at(1000 * T).q, {1, 2000 * pi}), 1e-28);
  EXPECT_LE(difference(solution.at(-3 * T).q, {1, -6 * pi}), 1e-30);
}

// What is kept and what is not: plain Hamel bounds the energy only, and is not symplectic.
TEST(KeplerPolar, HamelKeepsTheMomentumAndBoundsTheEnergy) {
  const io::Scenario s = committed_scenario("kepler_polar");
  const auto of = [&](const char* method) {
    auto [status, found] = drifts(s, method, 10000);
    EXPECT_EQ(status, Status::ok) << method;
    return found;
  };
  auto hamel = of("hamel");
  EXPECT_LE(hamel["angular_momentum"].max_drift, 1e-13);
  EXPECT_LE(hamel["energy"].max_drift, 3e-4);
  EXPECT_GE(hamel["energy"].max_drift, 1e-5);
  auto gradient = of("hamel(frame=kinetic,potential=discrete-gradient)");
  EXPECT_LE(gradient["energy"].max_drift, 1e-13);
  EXPECT_LE(gradient["angular_momentum"].max_drift, 1e-13);
  const auto defect = [&](const char* method) {
    return s.problem->symplectic_defect(MethodSpec::parse(method), s.integration).value_or(NAN);
  };
  EXPECT_GE(defect("hamel"), 1e-6);
  EXPECT_LE(defect("midpoint_del"), 1e-13);
}

}  // namespace
}  // namespace hamel
