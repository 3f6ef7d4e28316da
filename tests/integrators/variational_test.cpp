// SPDX-License-Identifier: BSD-3-Clause
// The variational step against D2's two-point equation and its closed form.
#include "hamel/methods/variational.hpp"

#include <gtest/gtest.h>

#include "support/pendulum.hpp"

namespace hamel {
namespace {

using test::largest;
using test::Pendulum;
constexpr auto plain = Summation::plain;

// [D2 flow]: (1/h) q_k × M(−q_{k+1} + 2q_k − q_{k−1}) − h q_k × ∂V/∂q_k = 0, for M = I.
TEST(Variational, SatisfiesTheDiscreteEquationOfD2) {
  const test::Neumann neumann;
  const Quad h = Quad(0.15);
  const VariationalStep<test::Neumann, Quad, plain> step(Variational{}, neumann, h, {});
  auto state = step.start(test::skew_initial<Quad>());
  Vec<Quad, 3> before = state.q.value;
  step.step(state);
  for (int n = 0; n < 30; ++n) {
    const Vec<Quad, 3> here = state.q.value;
    ASSERT_FALSE(step.step(state).failed());
    const Vec<Quad, 3> after = state.q.value;
    const Vec<Quad, 3> V{
        {Quad(neumann.k1) * here[0], Quad(neumann.k2) * here[1], Quad(neumann.k3) * here[2]}};
    const Vec<Quad, 3> residual =
        (Quad(neumann.inertia()) / h) * cross(here, Quad(2) * here - after - before) -
        h * cross(here, V);
    EXPECT_LE(largest(residual), 1e-30);
    before = here;
  }
}

// [MATH 5.4]: b = hω − (h²/2)G q×e3, q×q' = b, ω' = b/h − (h/2)G q'×e3.
TEST(Variational, IsTheClosedFormOfOneSphere) {
  const Pendulum pendulum;
  const Quad h = Quad(0.2);
  const Quad G = Quad(pendulum.field_strength());
  const Vec<Quad, 3> e3{{0, 0, 1}};
  const VariationalStep<Pendulum, Quad, plain> step(Variational{}, pendulum, h, {});
  auto state = step.start(test::d0_initial<Quad>());
  for (int n = 0; n < 20; ++n) {
    const auto a = step.observe(state);
    ASSERT_FALSE(step.step(state).failed());
    const auto c = step.observe(state);
    const Vec<Quad, 3> b = h * a.omega - (h * h * G / 2) * cross(a.q, e3);
    const Quad b2 = norm2(b);
    const Vec<Quad, 3> q = a.q + cross(b, a.q) - (b2 / (1 + sqrt(1 - b2))) * a.q;
    EXPECT_LE(largest(c.q - q), 1e-32);
    EXPECT_LE(largest(c.omega - ((1 / h) * b - (h * G / 2) * cross(c.q, e3))), 1e-31);
  }
}

TEST(Variational, LengthStaysAtRoundOffForAHundredThousandSteps) {
  const VariationalStep<Pendulum, double, plain> step(Variational{}, Pendulum{}, 0.2, {});
  auto state = step.start(test::d0_initial<double>());
  double worst = 0.0;
  for (int n = 0; n < 100000; ++n) {
    step.step(state);
    worst = std::fmax(worst, std::fabs(length_defect(state.q.value)));
  }
  EXPECT_LE(worst, 4e-16);
}

// |b| ≥ 1 has no solution: reported, and the state is left alone.
TEST(Variational, TooLargeAStepHasNoSolution) {
  const VariationalStep<Pendulum, double, plain> step(Variational{}, Pendulum{}, 3.0, {});
  auto state = step.start(test::d0_initial<double>());
  const auto before = state.q.value;
  const auto report = step.step(state);
  EXPECT_EQ(report.status(), Status::no_solution);
  EXPECT_EQ(largest(state.q.value - before), 0.0);
}

}  // namespace
}  // namespace hamel
