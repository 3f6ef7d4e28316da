// SPDX-License-Identifier: BSD-3-Clause
// The contact oscillator against Newton's equations, and what reversibility is worth to a method.
#include "hamel/systems/contact_oscillator.hpp"

#include <array>
#include <cmath>

#include "reference.hpp"

namespace hamel {
namespace {

io::Scenario contact(const std::string& epsilon, const std::string& gauge) {
  return scenario_of("contact_oscillator",
                     "epsilon = " + epsilon + "\ngauge = " + gauge +
                         "\n[integrate]\nstep = 0.1569181914556904\n");  // 40 steps per turn of y
}

using State = std::array<long double, 6>;  // x, y, z and their velocities

/// q̈ = −∇U + λ(1, 0, y), λ from ẍ + ẏż + yz̈ = 0; by classical Runge–Kutta steps.
State newton(long double epsilon, const State& from, long double until, int steps) {
  const auto rate = [&](long double, const State& u) -> State {
    const auto [x, y, z, vx, vy, vz] = u;
    const long double fx = -x * (1 + epsilon * z * z);
    const long double fz = -z * (1 + epsilon * x * x);
    const long double multiplier = -(fx + y * fz + vy * vz) / (1 + y * y);
    return {vx, vy, vz, fx + multiplier, -y, fz + y * multiplier};
  };
  return by_rk4(from, until, steps, rate);
}

// The total derivative γ sin z ż is in the momenta, not in the motion.
TEST(ContactOscillator, MovesByNewtonsEquationsWhateverTheGauge) {
  const State s = newton(0.3L, {1.224744871391589L, 1, -0.7071067811865476L, 0, 0, 0}, 8, 40000);
  EXPECT_LE(std::fabs(static_cast<double>(s[3] + s[1] * s[5])), 1e-14);  // the constraint
  for (const char* gauge : {"0.0", "1.0"}) {
    const EndPoint end = run_to(contact("0.3", gauge), "gauss", 8.0, 80);
    ASSERT_EQ(end.status, Status::ok);
    EXPECT_LE(difference(end.q, {s[0], s[1], s[2]}), 1e-12) << gauge;
    EXPECT_LE(difference(end.velocity, {s[4], s[5]}), 1e-12) << gauge;
  }
}

double energy_gained(const io::Scenario& s, const char* method, std::int64_t steps) {
  const auto [status, found] = drifts(s, method, steps);
  EXPECT_EQ(status, Status::ok) << method;
  EXPECT_LE(found.at("driver_energy").max_drift, 1e-12) << method;  // ÿ = −y: midpoint or Gauss
  return found.at("energy").final - found.at("energy").initial;
}

TEST(ContactOscillator, ReversibleItHasNoDrift) {
  for (const char* epsilon : {"0.0", "0.3"})
    for (const char* method : {"hamel", "dla", "hamel(frame=kinetic)"}) {
      const auto [status, found] = drifts(contact(epsilon, "0.0"), method, 40000);
      ASSERT_EQ(status, Status::ok);
      // an oscillation of up to 5e-3; a drift of that size would be 1e-7 per step
      EXPECT_LE(found.at("energy").max_drift, 6e-3) << method;
      EXPECT_LE(std::fabs(found.at("energy").drift_per_step), 2e-9) << method;
    }
}

// The same motion, other momenta: every second-order method drifts, the kinetic frame most.
TEST(ContactOscillator, WithTheGaugeItDrifts) {
  const io::Scenario s = contact("0.0", "1.0");
  EXPECT_NEAR(energy_gained(s, "hamel", 100000), 0.066, 0.004);
  EXPECT_NEAR(energy_gained(s, "dla", 100000), 0.035, 0.004);
  EXPECT_GE(energy_gained(s, "hamel(frame=kinetic)", 40000), 1.0);
}

// [MATH 2.5]: without the gauge the energy is exact in the kinetic frame, quartic or not.
TEST(ContactOscillator, TheKineticFrameKeepsTheEnergy) {
  const auto drift = [](const char* epsilon, const char* method) {
    const auto [status, found] = drifts(contact(epsilon, "0.0"), method, 20000);
    EXPECT_EQ(status, Status::ok);
    return found.at("energy").max_drift;
  };
  EXPECT_LE(drift("0.0", "hamel(frame=kinetic)"), 1e-12);
  EXPECT_LE(drift("0.3", "hamel(frame=kinetic,potential=discrete-gradient)"), 1e-12);
  EXPECT_GE(drift("0.3", "hamel(frame=kinetic)"), 1e-4);
}

}  // namespace
}  // namespace hamel
