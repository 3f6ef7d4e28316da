// SPDX-License-Identifier: BSD-3-Clause
// Störmer–Verlet in D0's own variables x, p for any m, r, and its equality with RATTLE.
#include "hamel/methods/verlet.hpp"

#include <gtest/gtest.h>

#include "hamel/methods/variational.hpp"
#include "support/pendulum.hpp"

namespace hamel {
namespace {

using test::largest;
using test::Pendulum;
using V = Vec<Quad, 3>;
constexpr auto plain = Summation::plain;

// [D0 (25)] [D0 (26)] [MATH 5.4] with x = r q, p = m r v and r ≠ 1.
TEST(Verlet, SatisfiesTheEquationsOfD0ForAnyLength) {
  const Pendulum pendulum{2.0, 2.5, 10.0};  // g/r exact in binary
  const Quad m = pendulum.m, r = pendulum.r, g = pendulum.g, h = Quad(0.11);
  const auto f = [&](const V& x, const V& p) {  // (26)
    V out = ((m * g * x[2] - norm2(p) / m) / (r * r)) * x;
    out[2] -= m * g;
    return out;
  };
  const VerletStep<Pendulum, Quad, plain> step(Verlet{}, pendulum, h, {});
  auto state = step.start(test::d0_initial<Quad>());
  for (int n = 0; n < 20; ++n) {
    const V x = r * state.q.value;
    const V p = (m * r) * state.v.value;
    ASSERT_FALSE(step.step(state).failed());
    const V x1 = r * state.q.value;
    const V p1 = (m * r) * state.v.value;
    const V p_half = (m / h) * (x1 - x);  // (25)
    EXPECT_LE(largest(p_half - p - (h / 2) * f(x, p_half)), 1e-29);
    EXPECT_LE(largest(p1 - p_half - (h / 2) * f(x1, p_half)), 1e-29);
  }
}

// [MATH 5.4]: on consistent data the same map as the variational integrator.
TEST(Verlet, IsTheVariationalMapOnConsistentData) {
  EXPECT_LE((test::distance_of_maps<VerletStep, VariationalStep>(Verlet{}, Variational{})), 1e-29);
}

// MATH 5.4: unstable where the rod is in compression; the run must end with a report, not NaN.
TEST(Verlet, BreaksDownAboveTheEquatorWithAReport) {
  const VerletStep<Pendulum, double, plain> step(Verlet{}, Pendulum{}, 0.2, {});
  auto state = step.start(test::d0_initial<double>(+1));
  int n = 0;
  double worst = 0.0;
  for (; n < 2000; ++n) {
    if (step.step(state).failed()) break;
    worst = std::fmax(worst, std::fabs(length_defect(state.q.value)));
    if (n == 100) {
      EXPECT_LE(worst, 1e-3);
    }
  }
  EXPECT_GT(worst, 0.1);
  EXPECT_GT(n, 200);  // growth from round-off: the very step depends on the last bits of the start
  EXPECT_LT(n, 1500);
}

}  // namespace
}  // namespace hamel
