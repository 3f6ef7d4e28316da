// SPDX-License-Identifier: BSD-3-Clause
// The roller racer, against Newton's equations with the reactions of both wheel pairs, the spectrum
// of straight running, and energy errors measured elsewhere.
#include "hamel/systems/roller_racer.hpp"

#include <array>
#include <cmath>

#include "hamel/core/error.hpp"
#include "reference.hpp"

namespace hamel {
namespace {

/// The energy at the end of so many steps less that at the start.
double gained(const io::Scenario& s, const char* method, std::int64_t steps) {
  const auto [status, invariants] = drifts(s, method, steps);
  EXPECT_EQ(status, Status::ok);
  const InvariantDrift& energy = invariants.at("energy");
  return energy.final - energy.initial;
}

// [MATH 10] [MATH 2.5]: Hamel in the plain frame is worse than DLA; the kinetic frame loses
// nothing.
TEST(RollerRacer, EnergyDependsOnTheFrame) {
  const io::Scenario s = scenario_of("roller_racer");  // the presets are the data of MATH 4
  EXPECT_NEAR(gained(s, "hamel", 5000), -1.9e-3, 5e-5);
  EXPECT_NEAR(std::fabs(gained(s, "dla", 5000)), 9e-5, 5e-6);
  EXPECT_NEAR(gained(s, "hamel(frame=kinetic)", 5000), 0.0, 1e-13);
  // DLA's average rests on the one-forms of the complement
  const auto average = drifts(s, "dla(constraint=average)", 5000).second.at("energy");
  EXPECT_NEAR(average.max_drift / average.initial, 7.2e-4, 1e-5);
}

using Real = long double;
using State = std::array<Real, 8>;  // q, q̇

struct Racer {
  Real m, I1, I2, d1, d2;

  /// q̈ from M q̈ = Aᵀλ and A q̈ = −Ȧq̇, with the velocity of each axle across its wheels:
  /// cart: ẏ cosθ − ẋ sinθ; handlebar, at (x, y) + d1 e(θ) + d2 e(θ + φ): its part along n(θ + φ).
  State rate(const State& z) const {
    const Real th = z[2];
    const Real both = z[2] + z[3];
    const Real turn = z[6] + z[7];
    const Real A[2][4] = {{-std::sin(th), std::cos(th), 0, 0},
                          {-std::sin(both), std::cos(both), d1 * std::cos(z[3]) + d2, d2}};
    const Real bias[2] = {-z[6] * (std::cos(th) * z[4] + std::sin(th) * z[5]),
                          -turn * (std::cos(both) * z[4] + std::sin(both) * z[5]) -
                              d1 * std::sin(z[3]) * z[7] * z[6]};
    // rows of M⁻¹Aᵀ; the angles' block [[I1 + I2, I2], [I2, I2]] has the inverse
    // [[1, −1], [−1, 1 + I1/I2]]/I1
    Real R[2][4];
    Real G[2][2] = {};
    for (int a = 0; a < 2; ++a) {
      R[a][0] = A[a][0] / m;
      R[a][1] = A[a][1] / m;
      R[a][2] = (A[a][2] - A[a][3]) / I1;
      R[a][3] = (A[a][3] - A[a][2]) / I1 + A[a][3] / I2;
    }
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 2; ++b)
        for (int i = 0; i < 4; ++i) G[a][b] += A[a][i] * R[b][i];
    const Real det = G[0][0] * G[1][1] - G[0][1] * G[1][0];
    const Real force[2] = {-(bias[0] * G[1][1] - bias[1] * G[0][1]) / det,
                           -(bias[1] * G[0][0] - bias[0] * G[1][0]) / det};
    State out{};
    for (std::size_t i = 0; i < 4; ++i) {
      out[i] = z[i + 4];
      out[i + 4] = R[0][i] * force[0] + R[1][i] * force[1];
    }
    return out;
  }

  State after(const State& z, Real t, int steps) const {
    return by_rk4(z, t, steps, [&](Real, const State& at) { return rate(at); });
  }
};

// [MATH 4]
TEST(RollerRacer, ObeysNewtonWithTheReactionsOfTheWheels) {
  const Racer racer{1.7L, 0.6L, 0.35L, 0.8L, 0.45L};
  const io::Scenario s = scenario_of("roller_racer",
                                     "mass = 1.7\nI1 = 0.6\nI2 = 0.35\nd1 = 0.8\nd2 = 0.45\n"
                                     "[initial]\nq = [0.3, -0.1, 0.4, -0.5]\nxi = [0.7, -0.4]\n");
  const Real k = 0.8L * std::cos(-0.5L) + 0.45L;
  const State start = {0.3L,
                       -0.1L,
                       0.4L,
                       -0.5L,
                       0.7L * k * std::cos(0.4L),
                       0.7L * k * std::sin(0.4L),
                       0.7L * std::sin(-0.5L) - 0.4L * 0.45L,
                       0.4L * k};
  const State end = racer.after(start, 4, 8000);
  const EndPoint found = run_to(s, "gauss", 4.0, 80);
  ASSERT_EQ(found.status, Status::ok);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(static_cast<double>(found.q[i]), static_cast<double>(end[i]), 1e-11) << i;
  const Real k_end = 0.8L * std::cos(end[3]) + 0.45L;
  EXPECT_NEAR(static_cast<double>(found.velocity[1]), static_cast<double>(-end[7] / k_end), 1e-11);
}

// Straight running, ξ = (w, 0): its one rate that is not zero is
// φ = 0:  λ = w (d1 + d2)(I1 d2 − I2 d1)/(I1 d2² + I2 d1²), here w: unstable forwards;
// φ = π:  λ = −w (d2 − d1)(I1 d2 + I2 d1)/(I1 d2² + I2 d1²), here −5w/9: stable forwards.
TEST(RollerRacer, HandlebarMustTrail) {
  const double pi = std::acos(-1.0);
  const double cases[][3] = {{0.0, 1.0, 1.0}, {0.0, -1.0, -1.0}, {pi, 1.0, -5.0 / 9.0}};
  for (const auto& [phi, w, rate] : cases) {
    const io::Scenario s =
        scenario_of("roller_racer", "[initial]\nq = [0, 0, 0, " + std::to_string(phi) +
                                        "]\nxi = [" + std::to_string(w) + ", 1e-7]\n");
    const EndPoint end = run_to(s, "gauss", 4.0, 80);
    EXPECT_NEAR(std::log(static_cast<double>(end.velocity[1]) / 1e-7), 4.0 * rate, 1e-5);
  }
}

// φ = const is a relative equilibrium: the cart runs on a circle of radius k/sinφ. Hamel keeps it
// in the plain frame, which the symmetry leaves alone.
TEST(RollerRacer, FixedHandlebarRunsOnACircle) {
  const io::Scenario s =
      scenario_of("roller_racer", "[initial]\nq = [0, 0, 0, 0.5]\nxi = [-1, 0]\n");
  const EndPoint end = run_to(s, "hamel", 50.0, 500);
  ASSERT_EQ(end.status, Status::ok);
  EXPECT_NEAR(static_cast<double>(end.q[3]), 0.5, 1e-13);
  EXPECT_NEAR(static_cast<double>(end.q[2]), -50.0 * std::sin(0.5), 1e-11);
  const double z = 0.05 * std::sin(0.5);
  const double radius = (0.5 * std::cos(0.5) + 1.0) / std::sin(0.5) * z / std::sin(z);
  EXPECT_NEAR(std::hypot(static_cast<double>(end.q[0]), static_cast<double>(end.q[1]) - radius),
              radius, 1e-11);
}

// k = 0: both fields along θ.
TEST(RollerRacer, RefusesToStartWhereTheFrameDegenerates) {
  EXPECT_THROW(scenario_of("roller_racer",
                           "d1 = 2\n[initial]\nq = [0, 0, 0, 2.0943951023931953]\nxi = [1, 0]\n"),
               InputError);
}

}  // namespace
}  // namespace hamel
