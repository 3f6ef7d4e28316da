// SPDX-License-Identifier: BSD-3-Clause
// Compositions: order conditions of the coefficients, and the orders they give.
#include "hamel/stepping/composition.hpp"

#include <gtest/gtest.h>

#include "hamel/core/quad.hpp"
#include "hamel/methods/variational.hpp"
#include "support/pendulum.hpp"

namespace hamel {
namespace {

using test::largest;
using test::Pendulum;

// [MATH 7.5]: Σγ = 1 and Σγ³ = 0 (order 4), Σγ⁵ = 0 (order 6), Σγ⁷ = 0 (order 8), to the 26 digits
// of the published coefficients.
TEST(Composition, CoefficientsSatisfyThePowerSums) {
  for (const auto c : {Composition::su4, Composition::kl6, Composition::kl8}) {
    std::array<Quad, max_composition_stages> gamma;
    const int s = composition_coefficients<Quad>(c, gamma);
    for (int power = 1; power < composed_order(c, 2); power += 2) {
      Quad sum = 0;
      for (int i = 0; i < s; ++i)
        sum += pow(abs(gamma[i]), Quad(power)) * (gamma[i] < 0 ? Quad(-1) : Quad(1));
      EXPECT_LE(static_cast<double>(abs(sum - (power == 1 ? Quad(1) : Quad(0)))), 1e-24)
          << to_string(c) << " power " << power;
    }
    for (int i = 0; i < s; ++i) EXPECT_TRUE(gamma[i] == gamma[s - 1 - i]);
  }
}

// [MATH 7.5]: measured on the nonlinear pendulum in Quad.
TEST(Composition, RaisesTheOrderOfTheVariationalStep) {
  using Step = Composed<VariationalStep>::Step<Pendulum, Quad, Summation::plain>;
  const auto end = [](Composition c, int steps) {
    const Step step(Variational{}, Pendulum{}, Quad(2.0) / steps, {}, c);
    auto state = step.start(test::d0_initial<Quad>());
    for (int n = 0; n < steps; ++n) EXPECT_FALSE(step.step(state).failed());
    return state.q.value;
  };
  for (const auto c : {Composition::su4, Composition::kl6, Composition::kl8}) {
    const auto reference = end(Composition::kl8, 160);
    const double order =
        std::log2(largest(end(c, 10) - reference) / largest(end(c, 20) - reference));
    EXPECT_NEAR(order, composed_order(c, 2), 0.15) << to_string(c);
  }
}

TEST(Composition, AFailedStageLeavesTheStateOfTheLastGoodStep) {
  using Step = Composed<VariationalStep>::Step<Pendulum, double, Summation::plain>;
  const Step step(Variational{}, Pendulum{}, 4.0, {}, Composition::kl8);
  auto state = step.start(test::d0_initial<double>());
  const auto before = state.q.value;
  const auto report = step.step(state);
  EXPECT_TRUE(report.no_solution);
  EXPECT_EQ(largest(state.q.value - before), 0.0);
}

}  // namespace
}  // namespace hamel
