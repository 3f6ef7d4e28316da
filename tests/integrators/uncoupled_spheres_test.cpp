// SPDX-License-Identifier: BSD-3-Clause
// Spheres whose inertia does not couple them: the variational step without iteration against the
// dense one, and the pendulum's closed steps behind the interface of many spheres.
#include <gtest/gtest.h>

#include <cmath>

#include "hamel/methods/spheres/hamel.hpp"
#include "hamel/methods/spheres/variational.hpp"
#include "hamel/systems/spherical_pendulum.hpp"
#include "integrators/spheres_motions.hpp"

namespace hamel {
namespace {

using namespace many_spheres;

template <class S>
auto uncoupled(const SpheresFormulas& s, double h, bool compensated = false) {
  using Made = UncoupledVariationalStepper<S>;
  return Motion<S, Made>(s, std::make_unique<Made>(s, StepperOptions{{}, compensated}), S(h));
}

SpheresFormulas with_forces(SpheresFormulas s) {
  add_forces(s);
  return s;
}

// [MATH 7.1] [MATH 6.3]: the same map as the dense equations solved by Newton's method.
TEST(UncoupledVariational, IsTheDenseStep) {
  for (const SpheresFormulas& s :
       {pendula(1), pendula(3), dipoles(4), particles(4), with_forces(pendula(3))}) {
    auto dense = variational<Quad>(s, 0.02);
    auto own = uncoupled<Quad>(s, 0.02);
    dense.go(20);
    own.go(20);
    EXPECT_LE(distance(own.q, dense.q), 1e-30) << s.spheres();
    EXPECT_LE(distance(own.v, dense.v), 1e-29) << s.spheres();
    if (s.forced()) {
      EXPECT_LE(size(own.state.z.back() - dense.state.z.back()), 1e-30);
    } else {
      EXPECT_EQ(own.iterations, 0);
    }
  }
}

TEST(UncoupledVariational, IsOfSecondOrder) {
  for (const SpheresFormulas& s : {pendula(3), with_forces(pendula(3))}) {
    const OrderFit fit = measured_order(s, uncoupled<double>);
    EXPECT_NEAR(fit.order, 2.0, 0.05);
    EXPECT_GE(fit.points, 5);
  }
}

TEST(UncoupledVariational, IsTimeSymmetric) {
  expect_reversible(uncoupled<Quad>(pendula(3), 0.05), 1e-30);
  SpheresFormulas s = pendula(2);  // autonomous, but not conservative
  for (std::size_t a = 0; a < 6; ++a) s.force.push_back(0.2 * s.v[a] * s.v[a] - 0.1 * s.q[a]);
  expect_reversible(uncoupled<Quad>(s, 0.05), 1e-29);
}

// As the dense step: | |q'| − 1 | ≤ 2 eps in every step, and one rounding of the norm here.
TEST(UncoupledVariational, KeepsLengthsWithoutDrift) {
  for (const bool compensated : {false, true}) {
    auto run = uncoupled<double>(pendula(3), 0.02, compensated);
    const double E = run.energy();
    for (int k = 0; k < 10; ++k) {
      run.go(1000);
      EXPECT_LE(run.off_length(), 9e-16);
      EXPECT_LE(run.off_tangency(), 1e-14);
      EXPECT_LE(std::fabs(run.energy() - E), 2e-2);
    }
  }
}

TEST(UncoupledVariational, KeepsTheMomentum) {
  auto run = uncoupled<double>(particles(4), 0.01);
  const Vec<double, 3> J = run.momentum();
  run.go(10000);
  EXPECT_LE(norm(run.momentum() - J), 5e-13);  // a walk of 1e4 roundings
}

TEST(UncoupledVariational, CompensationRemovesTheRoundOffOfTheState) {
  expect_compensation(pendula(3), 0.002, 0.3, uncoupled<long double>, uncoupled<double>);
}

TEST(UncoupledVariational, ATooLargeStepLeavesTheStateAsItWas) {
  auto run = uncoupled<double>(pendula(4), 0.01);
  run.go(4);
  put(run.state.z.data(), 4 + 2, 100.0 * vec_at(run.state.z.data(), 4 + 2));  // π of one
  const Numbers<double> before = run.state.z;
  EXPECT_EQ(run.stepper->step(run.state, 0.0, 0.1).status(), Status::no_solution);
  EXPECT_EQ(run.state.z, before);
  EXPECT_EQ(run.stepper->worst_part(), 2);
  run.go(4);  // goes on with a moderate one
}

// A pull towards the centre so strong that q + b lies beyond it: q' is the point on this side.
TEST(UncoupledVariational, AStrongPullInwardsHasASolution) {
  SpheresFormulas s = spheres(1);
  s.set_quadratic(inertia(1, false), 50.0 * s.q[2]);
  auto run = uncoupled<Quad>(s, 0.3);
  const Quad tilt(0.1);
  run.q = {tilt, Quad(0), sqrt(Quad(1) - tilt * tilt)};
  run.v = {Quad(0), Quad(0.3), Quad(0)};
  ASSERT_TRUE(run.stepper->start(run.q, run.v, run.h, run.state));
  const Numbers<Quad> q = run.q, v = run.v;
  run.go(1);
  EXPECT_LE(size(norm(at(run.q, 0)) - Quad(1)), 1e-32);
  EXPECT_GT(static_cast<double>(dot(at(run.q, 0), at(q, 0))), 0.0);
  run.h = -run.h;
  run.go(1);
  EXPECT_LE(distance(run.q, q), 1e-30);
  EXPECT_LE(distance(run.v, v), 1e-29);
}

// Two particles in one place: U has no value, the step fails and says so.
TEST(UncoupledVariational, ASingularPotentialIsReported) {
  auto run = uncoupled<double>(particles(2), 0.01);
  run.q = {1.0, 0.0, 0.0, 1.0, 0.0, 0.0};
  run.v.assign(6, 0.0);
  ASSERT_TRUE(run.stepper->start(run.q, run.v, run.h, run.state));
  const Numbers<double> before = run.state.z;
  EXPECT_EQ(run.stepper->step(run.state, 0.0, 0.01).status(), Status::singular);
  EXPECT_EQ(run.state.z, before);
}

// --- the pendulum -------------------------------------------------------------------------------

SpheresModel one_sphere(double m, const std::function<Expression(const SpheresFormulas&)>& U) {
  SpheresFormulas s = spheres(1);
  s.set_quadratic({{m}}, U(s));
  return formulas_model(std::move(s));
}

TEST(PendulumStepper, KnowsAUniformField) {
  const auto field = [](double m, const auto& U) { return one_sphere(m, U).pendulum; };
  EXPECT_EQ(field(2.0, [](const auto& s) { return 5.0 + 3.0 * s.q[2]; }), Quad(1.5));
  EXPECT_EQ(field(2.0, [](const auto&) { return Expression(1.0); }), Quad(0));
  EXPECT_FALSE(field(2.0, [](const auto& s) { return 3.0 * s.q[1]; }));
  EXPECT_FALSE(field(2.0, [](const auto& s) { return s.q[2] * s.q[2]; }));
  EXPECT_FALSE(field(2.0, [](const auto& s) { return s.t * s.q[2]; }));
  EXPECT_FALSE(formulas_model(with_forces(pendula(1))).pendulum);
  EXPECT_FALSE(formulas_model(pendula(2)).pendulum);
  Chain chain;
  chain.masses = {3.0};
  chain.lengths = {2.0};
  chain.gravity = 5.0;
  EXPECT_EQ(chain_model(chain).pendulum, Quad(2.5));
  chain.clamp = 1.0;
  EXPECT_FALSE(chain_model(chain).pendulum);
}

template <template <class, class, Summation> class Step, Summation Mode, class Method>
void expect_the_steps_of_the_catalogue(const Method& method) {
  constexpr double h = 0.02;
  const SphericalPendulum pendulum{};
  const double G = pendulum.field_strength();
  const SpheresModel model = one_sphere(1.0, [G](const auto& s) { return G * s.q[2]; });
  const auto stepper = method.template stepper<double>(model, {{}, Mode == Summation::compensated});
  Numbers<double> q = {0.6, 0.0, -0.8}, v = {0.0, 0.5, 0.0};
  StepperState<double> state;
  ASSERT_TRUE(stepper->start(q, v, h, state));
  const Step<SphericalPendulum, double, Mode> step(0, pendulum, h, {});
  SphereInitial<double> initial;
  initial.q = vec_at(q.data(), 0);
  initial.omega = cross(initial.q, vec_at(v.data(), 0));
  auto at = step.start(initial);
  for (int k = 0; k < 1000; ++k) {
    ASSERT_FALSE(stepper->step(state, k * h, h).failed());
    ASSERT_FALSE(step.step(at).failed());
  }
  ASSERT_TRUE(stepper->observe(state, 0.0, h, q.data(), v.data()));
  for (int c = 0; c < 3; ++c) {
    EXPECT_EQ(state.z[static_cast<std::size_t>(c)], at.q.value[c]);
    EXPECT_EQ(state.z[static_cast<std::size_t>(3 + c)], at.omega.value[c]);
    EXPECT_EQ(q[static_cast<std::size_t>(c)], at.q.value[c]);
  }
  const auto speed = cross(at.omega.value, at.q.value);
  for (int c = 0; c < 3; ++c) EXPECT_EQ(v[static_cast<std::size_t>(c)], speed[c]);
}
TEST(PendulumStepper, HasTheBitsOfTheCatalogue) {
  expect_the_steps_of_the_catalogue<HamelStep, Summation::plain>(SpheresHamel{});
  expect_the_steps_of_the_catalogue<HamelStep, Summation::compensated>(SpheresHamel{});
  expect_the_steps_of_the_catalogue<VariationalStep, Summation::plain>(SpheresVariational{});
  expect_the_steps_of_the_catalogue<VariationalStep, Summation::compensated>(SpheresVariational{});
}

// [MATH 7.3]: what the sweeps of the Hamel step solve for one sphere.
TEST(PendulumStepper, IsTheHamelStepOnSpheres) {
  const SpheresModel model = one_sphere(2.0, [](const auto& s) { return 7.0 * s.q[2]; });
  const auto closed = SpheresHamel{}.stepper<Quad>(model, {});
  SpheresHamelStepper<Quad> swept(*model.formulas(), {});
  Numbers<Quad> q, v;
  initial(1, q, v);
  StepperState<Quad> a, b;
  const Quad h(0.05);
  ASSERT_TRUE(closed->start(q, v, h, a));
  ASSERT_TRUE(swept.start(q, v, h, b));
  for (int k = 0; k < 20; ++k) {
    ASSERT_FALSE(closed->step(a, Quad(0), h).failed());
    ASSERT_FALSE(swept.step(b, Quad(0), h).failed());
  }
  Numbers<Quad> other_q = q, other_v = v;
  ASSERT_TRUE(closed->observe(a, Quad(0), h, q.data(), v.data()));
  ASSERT_TRUE(swept.observe(b, Quad(0), h, other_q.data(), other_v.data()));
  EXPECT_LE(distance(q, other_q), 1e-30);
  EXPECT_LE(distance(v, other_v), 1e-29);
}

}  // namespace
}  // namespace hamel
