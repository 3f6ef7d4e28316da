// SPDX-License-Identifier: BSD-3-Clause
// The time-rescaled Hamel step: its equation for H, and order 4.
#include "hamel/methods/hamel4.hpp"

#include <gtest/gtest.h>

#include "hamel/methods/gauss.hpp"
#include "hamel/methods/hamel.hpp"
#include "hamel/studies/order.hpp"
#include "support/pendulum.hpp"

namespace hamel {
namespace {

using test::d0_initial;
using test::largest;
using test::Pendulum;
constexpr auto plain = Summation::plain;

// [MATH 5.5]: the step is a Hamel step of size H with H(1 − H²τ̄/12) = h.
TEST(Hamel4, IsAHamelStepOfRescaledSize) {
  const Pendulum pendulum{1.0, 2.0, 9.0};
  const Quad h = Quad(0.1);
  const Quad G = Quad(pendulum.field_strength());
  const Hamel4Step<Pendulum, Quad, plain> step(Hamel4{}, pendulum, h, {});
  auto state = step.start(d0_initial<Quad>());
  const auto a = step.observe(state);
  ASSERT_FALSE(step.step(state).failed());
  const auto b = step.observe(state);
  // H from q' − q = H ω_m×q_m, component by component
  const Vec<Quad, 3> direction = cross(Quad(0.5) * (a.omega + b.omega), Quad(0.5) * (a.q + b.q));
  const Quad H = dot(b.q - a.q, direction) / norm2(direction);
  EXPECT_LE(largest(b.q - a.q - H * direction), 1e-32);
  const Quad tau = norm2(a.omega) - G * a.q[2];
  const Quad tau1 = norm2(b.omega) - G * b.q[2];
  EXPECT_LE(static_cast<double>(abs(H * (1 - H * H * (tau + tau1) / 24) - h)), 1e-31);
}

// [MATH 5.5]: order 4 in space (measured over five halvings against 16th order).
TEST(Hamel4, HasOrderFourInSpace) {
  const Quad T = 4;
  const GaussStep<Pendulum, Quad, plain> reference(Gauss{8}, Pendulum{}, Quad(0.04), {});
  auto exact = reference.start(d0_initial<Quad>());
  for (int n = 0; n < 100; ++n) reference.step(exact);
  std::vector<double> h;
  std::vector<double> error;
  for (int steps = 20; steps <= 320; steps *= 2) {
    const Hamel4Step<Pendulum, Quad, plain> step(Hamel4{}, Pendulum{}, T / steps, {});
    auto state = step.start(d0_initial<Quad>());
    for (int n = 0; n < steps; ++n) ASSERT_FALSE(step.step(state).failed());
    h.push_back(static_cast<double>(T) / steps);
    error.push_back(largest(state.q.value - exact.q.value));
  }
  EXPECT_NEAR(fit_order(h, error, 0.0).order, 4.0, 0.1);
}

TEST(Hamel4, IsTimeSymmetric) {
  const Hamel4Step<Pendulum, Quad, plain> forth(Hamel4{}, Pendulum{}, Quad(0.2), {});
  const Hamel4Step<Pendulum, Quad, plain> back(Hamel4{}, Pendulum{}, Quad(-0.2), {});
  auto state = forth.start(d0_initial<Quad>());
  const auto begin = state;
  for (int n = 0; n < 20; ++n) forth.step(state);
  for (int n = 0; n < 20; ++n) back.step(state);
  EXPECT_LE(largest(state.q.value - begin.q.value), 1e-30);
}

}  // namespace
}  // namespace hamel
