// SPDX-License-Identifier: BSD-3-Clause
// RATTLE against D0's equations with explicit multipliers, and against the variational map.
#include "hamel/methods/rattle.hpp"

#include <gtest/gtest.h>

#include "hamel/methods/variational.hpp"
#include "support/pendulum.hpp"

namespace hamel {
namespace {

using test::largest;
using test::Pendulum;
using V = Vec<Quad, 3>;
constexpr auto plain = Summation::plain;

// [D0 RATTLE] [MATH 5.4]: p½ − p + (h/2)mg e3 ∥ x, φ(x') = 0, p' − p½ + (h/2)mg e3 ∥ x', x'·p' = 0.
TEST(Rattle, SatisfiesTheEquationsOfD0) {
  const Pendulum pendulum{2.0, 2.5, 10.0};  // g/r exact in binary
  const Quad m = pendulum.m, r = pendulum.r, g = pendulum.g, h = Quad(0.11);
  const V weight{{0, 0, m * g}};
  const RattleStep<Pendulum, Quad, plain> step(Rattle{}, pendulum, h, {});
  auto state = step.start(test::d0_initial<Quad>());
  for (int n = 0; n < 20; ++n) {
    const V x = r * state.q.value;
    const V p = (m * r) * state.v.value;
    const auto report = step.step(state);
    ASSERT_FALSE(report.failed());
    const V x1 = r * state.q.value;
    const V p1 = (m * r) * state.v.value;
    const V p_half = (m / h) * (x1 - x);
    EXPECT_LE(largest(cross(p_half - p + (h / 2) * weight, x)), 1e-28);
    EXPECT_LE(largest(cross(p1 - p_half + (h / 2) * weight, x1)), 1e-28);
    EXPECT_LE(static_cast<double>(abs(norm2(x1) - r * r)), 1e-31);
    EXPECT_LE(static_cast<double>(abs(dot(x1, p1))), 1e-30);
  }
}

TEST(Rattle, IsTheVariationalMap) {
  EXPECT_LE((test::distance_of_maps<RattleStep, VariationalStep>(Rattle{}, Variational{})), 1e-29);
}

TEST(Rattle, HasNoSolutionForTooLargeAStep) {
  const RattleStep<Pendulum, double, plain> step(Rattle{}, Pendulum{}, 3.0, {});
  auto state = step.start(test::d0_initial<double>());
  EXPECT_EQ(step.step(state).status(), Status::no_solution);
}

}  // namespace
}  // namespace hamel
