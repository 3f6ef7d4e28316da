// SPDX-License-Identifier: BSD-3-Clause
// The snakeboard, against Newton's equations with the reactions of both wheel pairs, passive and
// driven by torques, and its first integrals.
#include "hamel/systems/snakeboard.hpp"

#include <array>
#include <cmath>
#include <utility>

#include "reference.hpp"

namespace hamel {
namespace {

using Real = long double;
using State = std::array<Real, 10>;  // q = (x, y, θ, ψ, φ), q̇

struct Board {
  Real m, l, J, Jr, Jw;
  Real a = 0;  ///< gait: torques that swing φ as a sin ωt and θ + ψ as b sin ωt
  Real b = 0;
  Real w = 0;

  /// q̈ from M q̈ = f + Aᵀλ, A q̈ = −Ȧq̇: seven linear equations. A: the velocity of the front axle,
  /// l ahead and turned by −φ, and of the back axle, l behind and turned by φ, across the wheels.
  State rate(Real t, const State& z) const {
    Real E[7][8] = {};
    E[0][0] = E[1][1] = m;
    E[2][2] = J + Jr + 2 * Jw;
    E[2][3] = E[3][2] = E[3][3] = Jr;
    E[4][4] = 2 * Jw;
    E[3][7] = -Jr * b * w * w * std::sin(w * t);
    E[4][7] = -2 * Jw * a * w * w * std::sin(w * t);
    for (const int side : {1, -1}) {
      const Real steer = -side * z[4];
      const Real steer_dot = -side * z[9];
      const Real at = z[2] + steer;
      const Real turn = z[7] + steer_dot;
      const Real A[3] = {-std::sin(at), std::cos(at), side * l * std::cos(steer)};
      const int row = side == 1 ? 5 : 6;
      for (int i = 0; i < 3; ++i) E[row][i] = E[i][row] = A[i];
      E[row][7] = turn * (std::cos(at) * z[5] + std::sin(at) * z[6]) +
                  side * l * std::sin(steer) * steer_dot * z[7];
    }
    for (int c = 0; c < 7; ++c) {  // Gauss elimination with pivots
      int best = c;
      for (int r = c + 1; r < 7; ++r)
        if (std::fabs(E[r][c]) > std::fabs(E[best][c])) best = r;
      std::swap(E[c], E[best]);
      for (int r = 0; r < 7; ++r) {
        if (r == c) continue;
        const Real factor = E[r][c] / E[c][c];
        for (int k = c; k < 8; ++k) E[r][k] -= factor * E[c][k];
      }
    }
    State out{};
    for (std::size_t i = 0; i < 5; ++i) {
      out[i] = z[i + 5];
      out[i + 5] = E[i][7] / E[i][i];
    }
    return out;
  }

  State after(const State& z, Real until, int steps) const {
    return by_rk4(z, until, steps, [&](Real t, const State& at) { return rate(t, at); });
  }
};

void expect_same(const std::vector<Quad>& q, const State& z, const char* what) {
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_NEAR(static_cast<double>(q[i]), static_cast<double>(z[i]), 1e-11) << what << " " << i;
}

// J + J_r + 2J_w larger and smaller than m l²; and J + 2J_w = m l², where ξ1 is constant.
TEST(Snakeboard, ObeysNewtonWithTheReactionsOfTheWheels) {
  for (const char* mass : {"1.5", "9", "6.25"}) {
    const Board board{std::stold(mass), 0.2L, 0.21L, 0.07L, 0.02L};
    const io::Scenario s = scenario_of(
        "snakeboard", "mass = " + std::string(mass) +
                          "\nhalf_length = 0.2\nboard_inertia = 0.21\nrotor_inertia = 0.07\n"
                          "wheel_inertia = 0.02\n[initial]\nq = [0.1, 0.2, 0.3, 0.4, -0.7]\n"
                          "xi = [1.5, -0.8, 0.4]\n");
    const Real v = 1.5L * 0.2L * std::cos(-0.7L);
    const State start = {0.1L,
                         0.2L,
                         0.3L,
                         0.4L,
                         -0.7L,
                         v * std::cos(0.3L),
                         v * std::sin(0.3L),
                         -1.5L * std::sin(-0.7L),
                         -0.8L,
                         0.4L};
    const State end = board.after(start, 5, 5000);  // φ from −0.7 to 1.3
    const EndPoint exact = exact_at(s, 5);
    ASSERT_EQ(exact.q.size(), 5U);
    expect_same(exact.q, end, "exact");
    EXPECT_NEAR(static_cast<double>(exact.velocity[1]), static_cast<double>(end[8]), 1e-11);
    expect_same(run_to(s, "gauss", 5.0, 100).q, end, "gauss");
  }
}

// Beyond cosφ = 0, where the constraints of the two wheel pairs are dependent, the frame goes on;
// backwards in time too.
TEST(Snakeboard, ClosedSolutionHoldsForAllSteeringAngles) {
  const io::Scenario s = committed_scenario("snakeboard");
  for (const double t : {40.0, 5.0, -12.0})
    EXPECT_LE(error_at(s, run_to(s, "gauss", t, 800), t), 1e-12) << t;
}

// Each period 2π/Ω carries it as far as the first; 10⁵ of them cost no more.
TEST(Snakeboard, MovesAsFarInEachPeriod) {
  const Snakeboard board;
  const std::vector<Quad> q = {0, 0, 0, 0, Quad(0.3)};
  const std::vector<Quad> xi = {2, Quad(0.5), Quad(0.1)};
  const Quad period = 2 * acos(Quad(-1)) / xi[2];
  const auto once = board.exact(q, xi).at(period);
  const auto part = board.exact(q, xi).at(7);
  const auto late = board.exact(q, xi).at(100000 * period + 7);
  for (const std::size_t i : {0U, 1U, 2U})
    EXPECT_LE(static_cast<double>(abs(late.q[i] - (part.q[i] + 100000 * once.q[i]))), 1e-20) << i;
}

// Locked steering: a circle of radius l/tanφ.
TEST(Snakeboard, LockedSteeringRunsOnACircle) {
  const io::Scenario s =
      scenario_of("snakeboard", "[initial]\nq = [0, 0, 0, 0, 0.4]\nxi = [2, 0.3, 0]\n");
  const double radius = 0.25 / std::tan(0.4);
  for (const double t : {1.0, 7.0}) {
    const EndPoint exact = exact_at(s, t);
    ASSERT_EQ(exact.q.size(), 5U);
    EXPECT_NEAR(static_cast<double>(exact.q[2]), -2 * std::sin(0.4) * t, 1e-14);
    EXPECT_NEAR(
        std::hypot(static_cast<double>(exact.q[0]), static_cast<double>(exact.q[1]) + radius),
        radius, 1e-14);
    EXPECT_LE(error_at(s, run_to(s, "gauss", t, 140), t), 1e-13);
  }
}

// What docs/systems/snakeboard.md says of the scenario: no frame keeps all three.
TEST(Snakeboard, PlainFrameKeepsMomentaKineticFrameTheEnergy) {
  const io::Scenario s = committed_scenario("snakeboard");
  const auto plain = drifts(s, "hamel", s.steps).second;
  EXPECT_LE(plain.at("rotor").max_drift, 1e-15);
  EXPECT_LE(plain.at("steering").max_drift, 1e-15);
  EXPECT_NEAR(plain.at("energy").max_drift / plain.at("energy").initial, 7.6e-5, 1e-6);
  const auto kinetic = drifts(s, "hamel(frame=kinetic)", s.steps).second;
  EXPECT_NEAR(kinetic.at("rotor").max_drift / kinetic.at("rotor").initial, 3.7e-5, 1e-6);
  EXPECT_LE(kinetic.at("steering").max_drift, 1e-15);
  EXPECT_LE(kinetic.at("energy").max_drift, 1e-14);
  // DLA's average rests on the one-forms of the complement
  const auto average = drifts(s, "dla(constraint=average)", s.steps).second.at("energy");
  EXPECT_NEAR(average.max_drift / average.initial, 5.7e-5, 1e-6);
}

// The gait of docs/systems/snakeboard.md, as text with torques.
TEST(Snakeboard, SwingingRotorAndWheelsDriveIt) {
  const io::Scenario s = io::parse_scenario(R"toml([system]
coordinates = ["x", "y", "theta", "psi", "phi"]
parameters = { m = 4.0, l = 0.25, J = 0.15, Jr = 0.08, Jw = 0.01, a = 0.5, b = 1.0, w = 3.0 }
lagrangian = "m/2*(x_dot^2 + y_dot^2) + (J/2 + Jw)*theta_dot^2 + Jr/2*(theta_dot + psi_dot)^2 + Jw*phi_dot^2"
frame = [["l*cos(phi)*cos(theta)", "l*cos(phi)*sin(theta)", "-sin(phi)", "0", "0"], ["0", "0", "0", "1", "0"], ["0", "0", "0", "0", "1"]]
forces = { psi = "-Jr*b*w^2*sin(w*t)", phi = "-2*Jw*a*w^2*sin(w*t)" }
[initial]
q = [0, 0, 0, 0, 0]
xi = [0, 3, 1.5]   # b w, a w
[integrate]
step = 0.05
)toml",
                                            "gait.toml", {}, catalogue());
  const Board board{4, 0.25L, 0.15L, 0.08L, 0.01L, 0.5L, 1, 3};
  const State end = board.after({0, 0, 0, 0, 0, 0, 0, 0, 3, 1.5L}, 10, 20000);
  const EndPoint found = run_to(s, "gauss", 10.0, 200);
  ASSERT_EQ(found.status, Status::ok);
  expect_same(found.q, end, "gait");
  EXPECT_NEAR(static_cast<double>(found.q[4]), 0.5 * std::sin(30.0), 1e-12);
  EXPECT_NEAR(static_cast<double>(found.q[0]), -7.13268385, 1e-8);
}

}  // namespace
}  // namespace hamel
