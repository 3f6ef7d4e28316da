// SPDX-License-Identifier: BSD-3-Clause
// The nonholonomic particle against its closed forms and against Newton's equations.
#include "hamel/systems/nonholonomic_particle.hpp"

#include <array>
#include <cmath>

#include "hamel/expressions/program.hpp"
#include "hamel/models/frame_equations.hpp"
#include "reference.hpp"

namespace hamel {
namespace {

// Without the spring y grows evenly, and x, z follow from asinh and a root.
TEST(NonholonomicParticle, FreeItFollowsAsinhAndARoot) {
  const io::Scenario s = scenario_of("nonholonomic_particle",
                                     "mass = 2\nstiffness = 0\n[initial]\nq = [0.3, -1.5, 0.2]\n"
                                     "xi = [0.8, 0.75]\n");
  const Quad t = 4;
  const Quad y0 = -1.5;
  const Quad w = 0.75;
  const Quad y = y0 + w * t;
  const auto asinh_of = [](Quad a) { return log(a + sqrt(1 + a * a)); };
  const Quad c = Quad(0.8) * sqrt(1 + y0 * y0);
  const Quad x = Quad(0.3) + c / w * (asinh_of(y) - asinh_of(y0));
  const Quad z = Quad(0.2) + c / w * (sqrt(1 + y * y) - sqrt(1 + y0 * y0));
  const EndPoint end{Status::ok, 0, {x, y, z}, {c / sqrt(1 + y * y), w}};
  EXPECT_LE(error_at(s, end, 4.0), 1e-28);
  const EndPoint gauss = run_to(s, "gauss", 4.0, 80, Precision::quad);
  EXPECT_LE(error_at(s, gauss, 4.0), 1e-20);
}

// m ẍ = −λy, m ÿ = −ky, m z̈ = λ with λ = mẋẏ/(1 + y²), from z̈ = ẏẋ + yẍ.
TEST(NonholonomicParticle, MovesByNewtonsEquationsWithAMultiplier) {
  using State = std::array<long double, 6>;  // x, y, z and their velocities
  const long double m = 0.5L;
  const long double k = 2.0L;
  const auto rate = [&](long double, const State& s) -> State {
    const long double multiplier = m * s[3] * s[4] / (1 + s[1] * s[1]);
    return {s[3], s[4], s[5], -multiplier * s[1] / m, -k * s[1] / m, multiplier / m};
  };
  const State s = by_rk4(State{0.0L, 1.0L, 0.0L, 1.0L, 1.0L, 1.0L}, 5.0L, 20000, rate);
  const io::Scenario system =
      scenario_of("nonholonomic_particle",
                  "mass = 0.5\nstiffness = 2\n[initial]\nq = [0, 1, 0]\nxi = [1, 1]\n");
  // h⁴ = 4e-15 times a rate of a few to the fifth power, or less
  const EndPoint end{Status::ok, 20000, {s[0], s[1], s[2]}, {s[3], s[4]}};
  EXPECT_LE(error_at(system, end, 5.0), 1e-13);
  // and through eight half turns, in Quad
  EXPECT_LE(error_at(system, run_to(system, "gauss", 13.0, 650, Precision::quad), 13.0), 1e-22);
}

// [MATH 4]: ż = yẋ has c_12^3 = −1.
TEST(NonholonomicParticle, ItsOnlyStructureFunctionIsMinusOne) {
  const FrameModel model = frame_model(NonholonomicParticle{});
  const Expressions u12 = bracket(model, 0, 1);  // [u1, u2] = c_12^3 ∂z
  const double at[] = {0.2, 0.7, -0.4};
  std::vector<double> found(3);
  Evaluator<double>(Program(model.q, u12))(at, found.data());
  EXPECT_EQ(found, (std::vector<double>{0.0, 0.0, -1.0}));
}

// The frame is affine in q, so ⟨u_j(q), L_v⟩ = μ_j − (h/2)F_j: two methods, one map.
TEST(NonholonomicParticle, PlainHamelIsDla) {
  const io::Scenario s = scenario_of("nonholonomic_particle");
  const EndPoint hamel = run_to(s, "hamel", 300.0, 1000);
  const EndPoint dla = run_to(s, "dla", 300.0, 1000);
  const EndPoint kinetic = run_to(s, "hamel(frame=kinetic)", 300.0, 1000);
  EXPECT_LE(difference(hamel.q, dla.q), 1e-12);
  EXPECT_LE(difference(hamel.velocity, dla.velocity), 1e-12);
  EXPECT_GE(difference(hamel.q, kinetic.q), 1e-3);
}

TEST(NonholonomicParticle, TheKineticFrameKeepsTheSpeedAlongTheSlope) {
  const io::Scenario s = scenario_of(
      "nonholonomic_particle", "[initial]\nq = [0, 1, 0]\nxi = [1, 1]\n[integrate]\nstep = 0.3\n");
  const auto drift = [&](const char* method, const char* invariant) {
    const auto [status, found] = drifts(s, method, 20000);
    EXPECT_EQ(status, Status::ok);
    return found.at(invariant).max_drift;
  };
  EXPECT_LE(drift("hamel(frame=kinetic)", "slope_speed"), 1e-13);
  EXPECT_LE(drift("hamel(frame=kinetic)", "energy"), 1e-13);
  EXPECT_NEAR(drift("hamel", "slope_speed"), 1.01e-2, 1e-4);  // bounded: 20000 steps
  EXPECT_NEAR(drift("dla(alpha=0)", "energy"), 1.0, 1e-3);    // all of ẋ is lost
}

}  // namespace
}  // namespace hamel
