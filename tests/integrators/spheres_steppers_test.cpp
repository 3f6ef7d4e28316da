// SPDX-License-Identifier: BSD-3-Clause
// The dense variational step and the Hamel step of many spheres: against the steps of chains and of
// the pendulum, against Gauss, and what they keep.
#include <gtest/gtest.h>

#include <cmath>

#include "hamel/methods/hamel.hpp"
#include "hamel/models/spheres_model.hpp"
#include "hamel/stepping/chain/chain_variational_stepper.hpp"
#include "hamel/systems/spherical_pendulum.hpp"
#include "integrators/spheres_motions.hpp"

namespace hamel {
namespace {

using namespace many_spheres;

// --- the variational step -----------------------------------------------------------------------

// [MATH 7.1]: the dense equations in (q, π) are the O(n) step of a chain in its links.
template <class S>
void expect_the_step_of_a_chain(double tolerance) {
  for (const int n : {1, 2, 5}) {
    Chain chain;
    for (int i = 0; i < n; ++i) {
      chain.masses.push_back(1.0 + 0.3 * (i % 3));
      chain.lengths.push_back(0.8 + 0.1 * (i % 4));
    }
    chain.bending.assign(static_cast<std::size_t>(n - 1), 2.0);
    chain.clamp = 1.5;
    chain.axis = {{0.6, 0.0, -0.8}};
    Variational<S> dense = variational<S>(chain_formulas(chain), 0.01);
    ChainVariationalStepper<S> links(std::make_shared<const Chain>(chain), {});
    StepperState<S> state;
    Numbers<S> q = dense.q, v = dense.v;
    ASSERT_TRUE(links.start(q, v, dense.h, state));
    for (int k = 0; k < 20; ++k) ASSERT_FALSE(links.step(state, S(0.0), dense.h).failed());
    ASSERT_TRUE(links.observe(state, S(0.0), dense.h, q.data(), v.data()));
    dense.go(20);
    EXPECT_LE(distance(q, dense.q), tolerance) << n;
    EXPECT_LE(distance(v, dense.v), 10 * tolerance) << n;
  }
}
TEST(SpheresVariational, IsTheStepOfAChain) {
  expect_the_step_of_a_chain<double>(1e-13);
  expect_the_step_of_a_chain<Quad>(1e-31);
}

// [MATH 6.3]: π_i = q_i×Σ_j m_ij q̇_j, and back.
template <class Run>
void expect_momenta_and_velocities(Run run) {
  const auto q = run.q, v = run.v;
  for (int i = 0; i < run.n(); ++i) {
    Vec<Quad, 3> p{{Quad(0), Quad(0), Quad(0)}};
    for (int j = 0; j < run.n(); ++j) p += run.inertia(i, j) * at(v, j);
    EXPECT_LE(size(norm(at(run.state.z, run.n() + i) - cross(at(q, i), p))), 1e-32);
  }
  run.go(0);
  EXPECT_EQ(distance(q, run.q), 0.0);
  EXPECT_LE(distance(v, run.v), 1e-31);
}
TEST(SpheresVariational, StartsFromTheMomentaAndShowsTheVelocities) {
  expect_momenta_and_velocities(variational<Quad>(pendula(3, true), 0.1));
}

TEST(SpheresVariational, IsOfSecondOrder) {
  for (const bool full : {false, true}) {
    const OrderFit fit = measured_order(pendula(3, full), variational<double>);
    EXPECT_NEAR(fit.order, 2.0, 0.05) << full;
    EXPECT_GE(fit.points, 5);
  }
}

TEST(SpheresVariational, IsTimeSymmetric) {
  expect_reversible(variational<Quad>(pendula(3, true), 0.05), 1e-30);
}

// | |q'| − 1 | ≤ 2 eps in every step, and one rounding of the norm here; no drift.
TEST(SpheresVariational, KeepsLengthsWithoutDrift) {
  for (const bool compensated : {false, true}) {
    auto run = variational<double>(pendula(3, true), 0.02, compensated);
    const double E = run.energy();
    for (int k = 0; k < 10; ++k) {
      run.go(1000);
      EXPECT_LE(run.off_length(), 9e-16);
      EXPECT_LE(run.off_tangency(), 1e-14);
      EXPECT_LE(std::fabs(run.energy() - E), 2e-2);
    }
  }
}

// [MATH 7.1]: every component of the angular momentum that U conserves.
TEST(SpheresVariational, KeepsTheMomentum) {
  for (const bool full : {false, true}) {
    auto exact = variational<Quad>(particles(4, full), 0.01);
    const Vec<Quad, 3> J = exact.momentum();
    exact.go(50);
    EXPECT_LE(size(norm(exact.momentum() - J)), 1e-30) << full;
    auto run = variational<double>(particles(4, full), 0.01);
    const Vec<double, 3> before = run.momentum();
    run.go(10000);
    EXPECT_LE(norm(run.momentum() - before), 5e-13) << full;  // a walk of 1e4 roundings
  }
}

// Half kicks of f at both ends, the end one at its own velocity; work by the trapezoidal rule.
TEST(SpheresVariational, ForcesEnterAtSecondOrder) {
  SpheresFormulas s = pendula(3, true);
  add_forces(s);
  EXPECT_NEAR(measured_order(s, variational<double>).order, 2.0, 0.05);
  Gauss exact = gauss(s, 0.01);
  exact.go(100);
  double off[2];
  for (int level = 0; level < 2; ++level) {
    auto run = variational<double>(s, 0.01 / (1 << level));
    run.go(100 << level);
    off[level] = std::fabs(run.state.z.back() - exact.state.z.back());
  }
  EXPECT_NEAR(off[0] / off[1], 4.0, 0.1);
  EXPECT_LE(off[1], 2e-4);
  expect_reversible(variational<Quad>(
                        [] {
                          SpheresFormulas given = pendula(2);  // autonomous, but not conservative
                          for (std::size_t a = 0; a < 6; ++a)
                            given.force.push_back(0.2 * given.v[a] * given.v[a] - 0.1 * given.q[a]);
                          return given;
                        }(),
                        0.05),
                    1e-29);
}

TEST(SpheresVariational, CompensationRemovesTheRoundOffOfTheState) {
  expect_compensation(pendula(3, true), 0.002, 0.3, variational<long double>, variational<double>);
}

TEST(SpheresVariational, ATooLargeStepLeavesTheStateAsItWas) {
  auto run = variational<double>(pendula(4, true), 0.01);
  run.go(4);
  const Numbers<double> before = run.state.z;
  const StepReport<double> report = run.stepper->step(run.state, 0.0, 4.0);
  EXPECT_EQ(report.status(), Status::no_solution);
  EXPECT_EQ(run.state.z, before);
  EXPECT_GE(run.stepper->worst_part(), 0);
  EXPECT_LT(run.stepper->worst_part(), 4);
  run.state.forget();
  run.go(4);  // goes on with a moderate one
}

// Two particles in one place: U has no value, the step fails and says so.
TEST(SpheresVariational, ASingularPotentialIsReported) {
  auto run = variational<double>(particles(2), 0.01);
  for (std::size_t c = 0; c < 3; ++c) run.state.z[3 + c] = run.state.z[c];
  const Numbers<double> before = run.state.z;
  EXPECT_TRUE(run.stepper->step(run.state, 0.0, 0.01).failed());
  EXPECT_EQ(run.state.z, before);
}

TEST(SpheresVariational, SaysWhyItDoesNotFit) {
  EXPECT_EQ(variational_misfit(pendula(3, true)), "");
  SpheresFormulas s = pendula(2);
  auto m = s.inertia;
  m[0][0] = 2.0 + s.q[0];
  s.set_quadratic(m, s.potential);
  EXPECT_EQ(variational_misfit(s), "its inertia is not constant");
  m[0][0] = m[1][1] = m[0][1] = 1.0;
  s.set_quadratic(m, s.potential);
  EXPECT_EQ(variational_misfit(s), "its inertia matrix is not positive definite");
  EXPECT_THROW(SpheresVariationalStepper<double>(s, {}), InputError);
}

// --- the Hamel step -----------------------------------------------------------------------------

/// How many components of the momentum, from the last one up, the system keeps.
struct Named {
  const char* name;
  SpheresFormulas formulas;
  int momenta;
};
std::vector<Named> examples() {
  return {{"pendula", pendula(3), 0}, {"dipoles", dipoles(4), 1}, {"particles", particles(4), 3}};
}

// [MATH 7.3]: energy, lengths, tangency and momenta of every step, in Quad.
TEST(SpheresHamel, KeepsEveryInvariantInQuad) {
  for (const Named& example : examples()) {
    auto run = conserving<Quad>(example.formulas, 0.03);
    Quad E = run.energy();
    Vec<Quad, 3> J = run.momentum();
    for (int k = 0; k < 20; ++k) {
      run.go(1);
      EXPECT_LE(size(run.energy() - E), 1e-31) << example.name;
      for (int c = 3 - example.momenta; c < 3; ++c)
        EXPECT_LE(size(run.momentum()[c] - J[c]), 1e-31) << example.name;
      EXPECT_LE(run.off_length(), 1e-32) << example.name;
      EXPECT_LE(run.off_tangency(), 1e-31) << example.name;
      E = run.energy();
      J = run.momentum();
    }
  }
}

TEST(SpheresHamel, KeepsEveryInvariantInLongRuns) {
  for (const Named& example : examples()) {
    auto run = conserving<double>(example.formulas, 0.02);
    const double E = run.energy();
    const Vec<double, 3> J = run.momentum();
    run.go(10000);
    EXPECT_LE(std::fabs(run.energy() - E), 2e-13 * (1.0 + std::fabs(E))) << example.name;
    for (int c = 3 - example.momenta; c < 3; ++c)
      EXPECT_LE(std::fabs(run.momentum()[c] - J[c]), 2e-13) << example.name;
    EXPECT_LE(run.off_length(), 5e-14) << example.name;
    EXPECT_LE(run.off_tangency(), 5e-14) << example.name;
  }
}

TEST(SpheresHamel, StartsFromTheMomentaAndShowsTheVelocities) {
  expect_momenta_and_velocities(conserving<Quad>(pendula(3), 0.1));
}

TEST(SpheresHamel, IsOfSecondOrder) {
  for (const Named& example : examples()) {
    const OrderFit fit = measured_order(example.formulas, conserving<double>);
    EXPECT_NEAR(fit.order, 2.0, 0.05) << example.name;
    EXPECT_GE(fit.points, 5);
  }
}

TEST(SpheresHamel, IsTimeSymmetric) {
  for (const Named& example : examples())
    expect_reversible(conserving<Quad>(example.formulas, 0.05), 1e-30);
}

// [MATH 5.2] [MATH 7.3]: one sphere in a uniform field is D0's pendulum.
TEST(SpheresHamel, IsTheStepOfThePendulum) {
  SphericalPendulum pendulum;
  pendulum.mass = 1.3;
  pendulum.length = 2.0;
  pendulum.gravity = 9.0;
  SpheresFormulas s = spheres(1);
  s.set_quadratic({{pendulum.inertia()}}, (1.3 * 9.0 * 2.0) * s.q[2]);
  auto run = conserving<double>(s, 0.05);
  const HamelStep<SphericalPendulum, double, Summation::plain> step(Hamel{}, pendulum, 0.05, {});
  auto state = step.start({at(run.q, 0), cross(at(run.q, 0), at(run.v, 0))});
  for (int k = 0; k < 100; ++k) ASSERT_FALSE(step.step(state).failed());
  run.go(100);
  EXPECT_LE(norm(at(run.q, 0) - state.q.value), 2e-14);  // 100 roundings each
  EXPECT_LE(norm(cross(at(run.q, 0), at(run.v, 0)) - state.omega.value), 5e-14);
}

// Steps so long for the springs, hω = 14, that sweeps do not contract: Newton, the same invariants.
TEST(SpheresHamel, StiffSpringsAreSolvedByNewton) {
  for (const double damping : {0.0, 50.0}) {
    SpheresFormulas s = pendula(3, false, 4e4);
    for (std::size_t a = 0; a < 9 && damping > 0.0; ++a) s.force.push_back(-damping * s.v[a]);
    auto run = conserving<double>(s, 0.05);
    for (std::size_t a = 3; a < 9; ++a) {  // nearly parallel
      run.q[a] = run.q[a % 3];
      run.v[a] = 1.01 * run.v[a % 3];
    }
    ASSERT_TRUE(run.stepper->start(run.q, run.v, run.h, run.state));
    const double E = run.energy();
    run.go(500);
    EXPECT_GE(run.iterations, 5);
    EXPECT_LE(run.iterations, 15);
    const double work = damping > 0.0 ? run.state.z.back() : 0.0;
    EXPECT_LE(std::fabs(run.energy() - E - work), 1e-12 * std::fabs(E));
    EXPECT_LE(run.off_length(), 1e-14);
  }
}

// Forces at the midpoint: second order, and the energy changes by their work exactly.
TEST(SpheresHamel, ForcesEnterAtSecondOrderWithTheirWork) {
  SpheresFormulas s = pendula(3);
  add_forces(s);
  EXPECT_NEAR(measured_order(s, conserving<double>).order, 2.0, 0.05);
  auto run = conserving<Quad>(s, 0.05);
  const Quad E = run.energy();
  run.go(20);
  EXPECT_GE(size(run.state.z.back()), 1e-3);
  EXPECT_LE(size(run.energy() - E - run.state.z.back()), 1e-30);
}

TEST(SpheresHamel, CompensationRemovesTheRoundOffOfTheState) {
  expect_compensation(pendula(3), 0.01, 0.5, conserving<long double>, conserving<double>);
}

TEST(SpheresHamel, AFailedStepLeavesTheStateAsItWas) {
  auto run = conserving<double>(particles(3), 0.01);
  run.go(4);
  for (std::size_t c = 0; c < 3; ++c) run.state.z[3 + c] = run.state.z[c];  // U = ∞
  const Numbers<double> before = run.state.z;
  EXPECT_EQ(run.stepper->step(run.state, 0.0, 0.01).status(), Status::no_convergence);
  EXPECT_EQ(run.state.z, before);
  EXPECT_GE(run.stepper->worst_part(), 0);
  EXPECT_LT(run.stepper->worst_part(), 3);
}

TEST(SpheresHamel, SaysWhyItDoesNotFit) {
  EXPECT_EQ(hamel_misfit(pendula(3)), "");
  EXPECT_EQ(hamel_misfit(pendula(3, true)), "its inertia couples the spheres");
  SpheresFormulas s = pendula(2);
  auto m = s.inertia;
  m[0][0] = 2.0 + s.q[0];
  s.set_quadratic(m, s.potential);
  EXPECT_EQ(hamel_misfit(s), "its inertia is not constant");
  m[0][0] = 0.0;
  s.set_quadratic(m, s.potential);
  EXPECT_EQ(hamel_misfit(s), "the inertia of s is not positive");
  m[0][0] = 1.0;
  s.set_quadratic(m, atan2(s.q[0], s.q[1]));
  EXPECT_EQ(hamel_misfit(s), "its potential contains 'atan2', which has no discrete gradient");
  EXPECT_THROW(SpheresHamelStepper<double>(s, {}), InputError);
}

}  // namespace
}  // namespace hamel
