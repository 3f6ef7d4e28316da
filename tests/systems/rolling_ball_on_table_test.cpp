// SPDX-License-Identifier: BSD-3-Clause
// A ball on a turning table: Newton's equations in space, the circle, Cayley's turns.
#include "hamel/systems/rolling_ball_on_table.hpp"

#include <array>
#include <cmath>
#include <complex>
#include <numbers>

#include "reference.hpp"

namespace hamel {
namespace {

using Point = std::complex<double>;

/// In space: position r and velocity v of the centre, and w, the horizontal part of the angular
/// velocity.
using Newton = std::array<Point, 3>;

/// m v̇ = F,  Iω̇ = −ρe3×F,  v = ρω×e3 + Ωe3×r. Horizontally, as complex numbers, e3×a = ia and
/// a×e3 = −ia:  v̇ = F/m,  ẇ = −iρF/I,  v̇ = −iρẇ + iΩv, of which F follows.
struct Ball {
  double mass, radius, inertia, Omega;
};
Newton newton_rate(const Ball& b, const Newton& s) {
  const Point i(0, 1);
  const auto& [r, v, w] = s;
  const Point F = i * b.Omega * v / (1 / b.mass + b.radius * b.radius / b.inertia);
  return {v, F / b.mass, -i * b.radius * F / b.inertia};
}

TEST(RollingBallOnTable, MovesAsNewtonSays) {
  const Ball ball{2.0, 0.3, 0.05, 1.7};
  const std::vector<Quad> q = {0.5, -0.2};
  const std::vector<Quad> xi = {0.4, 1.5, 2.0};
  const Point i(0, 1);
  // At t = 0 the axes coincide; e3 is common to both.
  const Point r0(0.5, -0.2);
  const Point w0(0.4, 1.5);
  const double T = 6.0;
  const Newton s = by_rk4(Newton{r0, -i * ball.radius * w0 + i * ball.Omega * r0, w0}, T, 4000,
                          [&](double, const Newton& at) { return newton_rate(ball, at); });
  const Point turn = std::exp(-i * ball.Omega * T);
  const Point r = turn * s[0];
  const Point w = turn * s[2];
  const FrameMotion found =
      RollingBallOnTable{ball.mass, ball.radius, ball.inertia, ball.Omega}.exact(q, xi).at(T);
  EXPECT_LE(difference(found.q, {r.real(), r.imag()}), 1e-11);
  EXPECT_LE(difference(found.xi, {w.real(), w.imag(), 2.0}), 1e-11);
}

// The frequency of a solid ball is 2/7 of the table's: after 7π/Ω it is where it was in space,
// while the table has made three turns and a half.
TEST(RollingBallOnTable, ASolidBallTurnsAtTwoSevenths) {
  const io::Scenario s = scenario_of("rolling_ball_on_table");
  const double T = 7 * std::numbers::pi;
  const EndPoint end = run_to(s, "gauss", T, 200);
  ASSERT_EQ(end.status, Status::ok);
  EXPECT_LE(difference(end.q, {-0.5, 0.0}), 1e-12);
  EXPECT_LE(difference(end.velocity, {0.0, -3.0, 2.0}), 1e-12);
  EXPECT_LE(error_at(s, end, T), 1e-12);
}

// On the table the motion is c e^{−iΩt} + a e^{−i(1−k)Ωt}; Hamel turns each part by its Cayley
// image, 2 atan(½hΩ) and so on: radii exact, and both too slow.
TEST(RollingBallOnTable, HamelTurnsByCayleysAngles) {
  const io::Scenario s = scenario_of("rolling_ball_on_table");
  const Point i(0, 1);
  const double k = 2.0 / 7.0;
  const Point r0(0.5, 0.0);
  const Point v0 = Point(0.3, 0.0) + i * r0;  // x' = ρξ2, and the table's
  const Point c = r0 + i * v0 / k;
  const double h = 0.1;
  const int n = 1000;
  const auto turned = [&](double rate) {
    return std::exp(-i * (2.0 * n) * std::atan(h * rate / 2));
  };
  const Point r = c * turned(1.0) + (r0 - c) * turned(1.0 - k);
  const EndPoint end = run_to(s, "hamel", n * h, n);
  ASSERT_EQ(end.status, Status::ok);
  EXPECT_LE(difference(end.q, {r.real(), r.imag()}), 1e-11);
}

// The moving energy is kept; the energy in space is not, the table does work.
TEST(RollingBallOnTable, TheMovingEnergyIsTheOneKept) {
  const io::Scenario s = committed_scenario("rolling_ball_on_table");
  const auto [status, found] = drifts(s, "hamel", 2000);
  ASSERT_EQ(status, Status::ok);
  for (const char* name : {"energy", "spin", "speed_squared", "centre_squared"})
    EXPECT_LE(found.at(name).max_drift, 1e-13) << name;
  const Ball ball{1.0, 0.1, 0.004, 1.0};
  const auto solution = RollingBallOnTable{}.exact({0.5, 0}, {0, 3, 2});
  const auto in_space = [&](double t) {
    const FrameMotion m = solution.at(t);
    const Quad vx = ball.radius * m.xi[1] - ball.Omega * m.q[1];
    const Quad vy = ball.Omega * m.q[0] - ball.radius * m.xi[0];
    const Quad spin = m.xi[2] + ball.Omega;
    return static_cast<double>(ball.mass * (vx * vx + vy * vy) / 2 +
                               ball.inertia *
                                   (m.xi[0] * m.xi[0] + m.xi[1] * m.xi[1] + spin * spin) / 2);
  };
  EXPECT_GE(std::fabs(in_space(5.0) - in_space(0.0)), 0.1);
}

}  // namespace
}  // namespace hamel
