// SPDX-License-Identifier: BSD-3-Clause
// Chaplygin's ball: against Newton's equations in space with the force of contact as an unknown.
#include "hamel/systems/chaplygin_ball.hpp"

#include <array>
#include <cmath>

#include "reference.hpp"

namespace hamel {
namespace {

/// Solves n equations; pivots by columns.
template <std::size_t n>
std::array<double, n> solved(std::array<std::array<double, n + 1>, n> A) {
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t best = c;
    for (std::size_t r = c + 1; r < n; ++r)
      if (std::fabs(A[r][c]) > std::fabs(A[best][c])) best = r;
    std::swap(A[c], A[best]);
    for (std::size_t r = 0; r < n; ++r) {
      if (r == c) continue;
      const double f = A[r][c] / A[c][c];
      for (std::size_t k = c; k <= n; ++k) A[r][k] -= f * A[c][k];
    }
  }
  std::array<double, n> x;
  for (std::size_t r = 0; r < n; ++r) x[r] = A[r][n] / A[r][r];
  return x;
}

using Newton = std::array<double, 16>;  // R by rows, ω in space, x, y, x', y'

/// Ṙ = ω̂R;  Iω̇ + ω×Iω = −ρe3×F,  m v̇ = F,  v̇ = ρ ω̇×e3, for ω̇, v̇ and the force F.
Newton newton_rate(const ChaplyginBall& ball, const Newton& s) {
  const double J[] = {double(ball.J1), double(ball.J2), double(ball.J3)};
  const double mass(ball.mass);
  const double radius(ball.radius);
  const double* w = &s[9];
  double I[3][3] = {};
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      for (int k = 0; k < 3; ++k) I[a][b] += s[3 * a + k] * J[k] * s[3 * b + k];
  double L[3] = {};
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) L[a] += I[a][b] * w[b];
  std::array<std::array<double, 8>, 7> A{};  // unknowns ω̇, v̇, F
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b) A[a][b] = I[a][b];
    const std::size_t j = (a + 1) % 3;
    const std::size_t k = (a + 2) % 3;
    A[a][7] = -(w[j] * L[k] - w[k] * L[j]);
  }
  A[0][6] = -radius;
  A[1][5] = radius;
  A[3][3] = A[4][4] = mass;
  A[3][5] = A[4][6] = -1.0;
  A[5][3] = A[6][4] = 1.0;
  A[5][1] = -radius;
  A[6][0] = radius;
  const auto x = solved(A);
  Newton d{};
  for (std::size_t b = 0; b < 3; ++b) {
    d[b] = w[1] * s[6 + b] - w[2] * s[3 + b];
    d[3 + b] = w[2] * s[b] - w[0] * s[6 + b];
    d[6 + b] = w[0] * s[3 + b] - w[1] * s[b];
    d[9 + b] = x[b];
  }
  d[12] = s[14];
  d[13] = s[15];
  d[14] = x[3];
  d[15] = x[4];
  return d;
}

// [MATH 4]: the frame and its brackets give Newton's motion, constraint forces and all.
TEST(ChaplyginBall, RollsAsNewtonSays) {
  const ChaplyginBall ball{1.5, 0.8, 0.3, 0.4, 0.6};
  const io::Scenario scenario =
      scenario_of("chaplygin_ball",
                  "mass = 1.5\nradius = 0.8\n[initial]\nq = [0, 0, 1, 1, 0, 0, 0, "
                  "1, 0, 0.1, 0.2]\nxi = [0.5, 1.0, -0.7]\n");
  // R e1 = e2, R e2 = e3, R e3 = e1: ω = (−0.7, 0.5, 1)
  const Newton s =
      by_rk4(Newton{0, 0, 1, 1, 0, 0, 0, 1, 0, -0.7, 0.5, 1.0, 0.1, 0.2, 0.8 * 0.5, 0.8 * 0.7}, 4.0,
             4000, [&](double, const Newton& at) { return newton_rate(ball, at); });
  const EndPoint end = run_to(scenario, "gauss", 4.0, 100);
  ASSERT_EQ(end.status, Status::ok);
  EXPECT_LE(difference(end.q, {s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8], s[12], s[13]}),
            1e-10);
  for (int i = 0; i < 3; ++i)  // ξ = Rᵀω
    EXPECT_NEAR(static_cast<double>(end.velocity[static_cast<std::size_t>(i)]),
                s[static_cast<std::size_t>(i)] * s[9] + s[static_cast<std::size_t>(3 + i)] * s[10] +
                    s[static_cast<std::size_t>(6 + i)] * s[11],
                1e-10);
}

// Rolling straight about a principal axis: the path exact, the attitude by Cayley's turn.
TEST(ChaplyginBall, HamelKeepsStraightRolling) {
  const io::Scenario s = scenario_of(
      "chaplygin_ball", "[initial]\nq = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0]\nxi = [1.3, 0, 0]\n");
  const EndPoint end = run_to(s, "hamel", 100.0, 1000);
  ASSERT_EQ(end.status, Status::ok);
  const double angle = 2000 * std::atan(0.05 * 1.3);
  const double c = std::cos(angle);
  const double d = std::sin(angle);
  EXPECT_LE(difference(end.q, {1, 0, 0, 0, c, -d, 0, d, c, 0, -130}), 1e-12);
  EXPECT_LE(difference(end.velocity, {1.3, 0, 0}), 1e-13);
}

// Rp is quadratic and kept, the energy is not; in the kinetic frame it is the other way round.
TEST(ChaplyginBall, MomentumOrEnergy) {
  const io::Scenario s = scenario_of("chaplygin_ball");
  const auto of = [&](const char* method) {
    auto [status, found] = drifts(s, method, 1000);
    EXPECT_EQ(status, Status::ok) << method;
    return found;
  };
  auto hamel = of("hamel");
  auto kinetic = of("hamel(frame=kinetic)");
  for (const char* momentum : {"momentum_x", "momentum_y", "momentum_z", "momentum_squared"}) {
    EXPECT_LE(hamel[momentum].max_drift, 1e-13) << momentum;
    if (std::string(momentum) != "momentum_squared") {
      EXPECT_GE(kinetic[momentum].max_drift, 1e-5) << momentum;
    }
  }
  EXPECT_GE(hamel["energy"].max_drift, 1e-6);
  EXPECT_LE(hamel["energy"].max_drift, 1e-3);
  EXPECT_LE(kinetic["energy"].max_drift, 1e-13);
}

// Where the momentum is vertical, p = KΓ and the energy is a function of the quadratic form
// Γ·(J + mρ²)⁻¹Γ: then Hamel keeps it, too.
TEST(ChaplyginBall, AVerticalMomentumKeepsTheEnergy) {
  const io::Scenario s = scenario_of("chaplygin_ball",
                                     "[initial]\nq = [1, 0, 0, 0, 0.8, -0.6, 0, 0.6, 0.8, 0, 0]\n"
                                     "p = [0, 0.6, 0.8]\n");
  const auto [status, found] = drifts(s, "hamel", 1000);
  ASSERT_EQ(status, Status::ok);
  EXPECT_LE(found.at("energy").max_drift, 1e-13);
}

}  // namespace
}  // namespace hamel
