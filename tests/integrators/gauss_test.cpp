// SPDX-License-Identifier: BSD-3-Clause
// Gauss collocation: tableau identities, order, invariants.
#include "hamel/methods/gauss.hpp"

#include <gtest/gtest.h>

#include "support/pendulum.hpp"

namespace hamel {
namespace {

using test::largest;
using test::Pendulum;
constexpr auto plain = Summation::plain;

// [MATH 7.6]: μ_ij + μ_ji = 1 bit by bit, in double and in Quad.
TEST(GaussTableau, CoefficientsAreExactlySymplectic) {
  for (int s = 1; s <= max_gauss_stages; ++s) {
    const GaussTableau<double> d(s);
    const GaussTableau<Quad> q(s);
    for (int i = 0; i < s; ++i) {
      for (int j = 0; j < s; ++j) {
        EXPECT_EQ(d.mu[i][j] + d.mu[j][i], 1.0);
        EXPECT_TRUE(q.mu[i][j] + q.mu[j][i] == Quad(1));
      }
    }
  }
}

// [MATH 7.6] [MATH 5.6]: collocation, Σ_j a_ij c_j^{k−1} = c_i^k/k, and quadrature to order 2s.
TEST(GaussTableau, SatisfiesTheCollocationConditions) {
  for (int s = 1; s <= max_gauss_stages; ++s) {
    const GaussTableau<Quad> t(s);
    Quad c[max_gauss_stages];
    for (int i = 0; i < s; ++i) {  // c_i = Σ_j a_ij, a_ij = μ_ij b_j
      c[i] = 0;
      for (int j = 0; j < s; ++j) c[i] += t.mu[i][j] * t.b[j];
    }
    for (int k = 1; k <= 2 * s; ++k) {
      Quad sum = 0;
      for (int j = 0; j < s; ++j) sum += t.b[j] * pow(c[j], Quad(k - 1));
      EXPECT_LE(static_cast<double>(abs(sum - Quad(1) / k)), 1e-31) << s << " " << k;
    }
    for (int i = 0; i < s; ++i) {
      for (int k = 2; k <= s; ++k) {
        Quad sum = 0;
        for (int j = 0; j < s; ++j) sum += t.mu[i][j] * t.b[j] * pow(c[j], Quad(k - 1));
        EXPECT_LE(static_cast<double>(abs(sum - pow(c[i], Quad(k)) / k)), 1e-31);
      }
    }
  }
}

// [MATH 5.6]: all quadratic invariants exact at any step, order or size.
TEST(Gauss, KeepsQuadraticInvariants) {
  const test::Neumann neumann;
  for (const int s : {1, 2, 5}) {
    const GaussStep<test::Neumann, Quad, plain> step(Gauss{s}, neumann, Quad(0.3), {});
    auto state = step.start(test::skew_initial<Quad>());
    const auto a = step.observe(state);
    for (int n = 0; n < 20; ++n) ASSERT_FALSE(step.step(state).failed());
    const auto b = step.observe(state);
    EXPECT_LE(static_cast<double>(abs(norm2(b.q) - norm2(a.q))), 1e-30);
    EXPECT_LE(static_cast<double>(abs(b.tangency - a.tangency)), 1e-30);
    EXPECT_LE(static_cast<double>(abs(energy(neumann, b) - energy(neumann, a))), 1e-30);
  }
}

// Two coarse steps against four fine ones: the difference falls with 2^{-2s}.
TEST(Gauss, ThreeStagesHaveOrderSix) {
  const auto end = [](int steps) {
    const GaussStep<Pendulum, Quad, plain> step(Gauss{3}, Pendulum{}, Quad(2.0) / steps, {});
    auto state = step.start(test::d0_initial<Quad>());
    for (int n = 0; n < steps; ++n) step.step(state);
    return state.q.value;
  };
  const auto reference = end(256);
  const double coarse = largest(end(8) - reference);
  const double fine = largest(end(16) - reference);
  EXPECT_NEAR(std::log2(coarse / fine), 6.0, 0.1);
}

TEST(Gauss, ReportsWhereTheIterationDiverges) {
  const GaussStep<Pendulum, double, plain> step(Gauss{4}, Pendulum{}, 40.0, {});
  auto state = step.start(test::d0_initial<double>());
  const auto before = state.q.value;
  EXPECT_EQ(step.step(state).status(), Status::no_convergence);
  EXPECT_EQ(largest(state.q.value - before), 0.0);
}

}  // namespace
}  // namespace hamel
