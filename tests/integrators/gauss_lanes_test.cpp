// SPDX-License-Identifier: BSD-3-Clause
// [MATH 7.6] with the stages as lanes, against the same equations one stage after the other.
#include "hamel/kernels/lanes/gauss_lanes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>

#include "hamel/methods/gauss.hpp"
#include "hamel/stepping/gauss_lanes_stepper.hpp"
#include "hamel/stepping/gauss_stepper.hpp"
#include "hamel/systems/spherical_pendulum.hpp"

namespace hamel {
namespace {

SharedChain uneven_chain(int n) {
  auto chain = std::make_shared<Chain>();
  for (int i = 0; i < n; ++i) {
    chain->masses.push_back(0.7 + 0.3 * i);
    chain->lengths.push_back(1.3 - 0.1 * i);
  }
  return chain;
}

/// Directions and their velocities of n links that swing.
std::pair<std::vector<double>, std::vector<double>> swinging(int n) {
  std::vector<double> q;
  std::vector<double> v;
  for (int i = 0; i < n; ++i) {
    const double a = 0.4 + 0.5 * i;
    q.insert(q.end(), {std::sin(a), 0.0, -std::cos(a)});
    v.insert(v.end(), {0.2 * std::cos(a), 0.7, 0.2 * std::sin(a)});
  }
  return {q, v};
}

/// What the field is of.
template <class Field>
auto source(const SharedChain& chain) {
  if constexpr (std::is_same_v<Field, PendulumField<double>>)
    return chain->gravity / chain->lengths.front();
  else
    return chain;
}

/// Both from one start: the largest difference after the steps.
template <class Field>
double difference_after(int n, int stages, double h, int steps, bool compensated) {
  const SharedChain chain = uneven_chain(n);
  StepperOptions options;
  options.compensated = compensated;
  GaussLanesStepper<Field> lanes(source<Field>(chain), stages, options);
  GaussStepper<double, Field> one(Field(source<Field>(chain)), stages, options);
  auto [q, v] = swinging(n);
  StepperState<double> a;
  StepperState<double> b;
  EXPECT_TRUE(lanes.start(q, v, h, a));
  EXPECT_TRUE(one.start(q, v, h, b));
  for (int k = 0; k < steps; ++k) {
    EXPECT_FALSE(lanes.step(a, k * h, h).failed());
    EXPECT_FALSE(one.step(b, k * h, h).failed());
  }
  double worst = 0.0;
  for (std::size_t i = 0; i < a.z.size(); ++i) {
    const double d = std::fabs(a.z[i] - b.z[i]);
    if (!(d <= worst)) worst = d;
  }
  return worst;
}

TEST(GaussLanes, ChainsMoveAsOneStageAfterTheOther) {
  for (int stages = 1; stages <= max_gauss_stages; ++stages)
    for (const int n : {1, 2, 5})
      for (const bool compensated : {false, true})
        EXPECT_LT(difference_after<ChainField<double>>(n, stages, 0.03, 40, compensated), 1e-12)
            << stages << " stages, " << n << " links";
}

TEST(GaussLanes, ChainsInMomentaMoveAsOneStageAfterTheOther) {
  for (int stages = 1; stages <= max_gauss_stages; ++stages)
    for (const int n : {1, 2, 5})
      for (const bool compensated : {false, true})
        EXPECT_LT(difference_after<ChainMomentumField<double>>(n, stages, 0.03, 40, compensated),
                  1e-12)
            << stages << " stages, " << n << " links";
}

/// A chain that swings, after steps of two stages that are far too long to be accurate.
template <class Field>
struct Swung {
  double length = 0.0, momentum = 0.0;

  explicit Swung(int n) {
    const SharedChain chain = uneven_chain(n);
    GaussLanesStepper<Field> stepper(chain, 2, {});
    StepperState<double> state;
    auto [q, v] = swinging(n);
    constexpr double h = 0.05;
    EXPECT_TRUE(stepper.start(q, v, h, state));
    const double before = spin(*chain, q, v);
    for (int k = 0; k < 200; ++k) EXPECT_FALSE(stepper.step(state, k * h, h).failed());
    EXPECT_TRUE(stepper.observe(state, 0.0, h, q.data(), v.data()));
    momentum = std::fabs(spin(*chain, q, v) - before);
    for (int i = 0; i < n; ++i)
      length = std::fmax(length, std::fabs(std::sqrt(norm2(vec_at(q.data(), i))) - 1.0));
  }

  static double spin(const Chain& chain, const std::vector<double>& q,
                     const std::vector<double>& v) {
    Vec<double, 3> x{};
    Vec<double, 3> velocity{};
    double sum = 0.0;
    for (int i = 0; i < chain.links(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      x = x + chain.lengths[at] * vec_at(q.data(), i);
      velocity = velocity + chain.lengths[at] * vec_at(v.data(), i);
      sum += chain.masses[at] * cross(x, velocity)[2];
    }
    return sum;
  }
};

// [MATH 7.6] In (q, π) lengths do not depend on the step; in the links they do.
TEST(GaussLanes, ChainsInMomentaKeepLengthsAtAnyStep) {
  for (const int n : {1, 2, 5}) {
    const Swung<ChainMomentumField<double>> momenta(n);
    EXPECT_LT(momenta.length, 1e-14) << n;
    EXPECT_LT(momenta.momentum, 1e-12) << n;
    const Swung<ChainField<double>> links(n);
    EXPECT_GT(links.length, 1e-8) << n;
    EXPECT_LT(links.momentum, 1e-12) << n;
  }
}

// [MATH 7.6] On the spheres the equations are those of the links: the same motion.
TEST(ChainMomentumField, MovesAsTheLinks) {
  for (const int n : {1, 2, 5}) {
    const SharedChain chain = uneven_chain(n);
    ChainMomentumField<double> momenta(chain);
    ChainField<double> links(chain);
    auto [q, v] = swinging(n);
    const auto moved = [&](auto& field) {
      GaussStepper<double, std::remove_reference_t<decltype(field)>> stepper(field, 8, {});
      StepperState<double> state;
      EXPECT_TRUE(stepper.start(q, v, 0.02, state));
      for (int k = 0; k < 50; ++k) EXPECT_FALSE(stepper.step(state, 0.02 * k, 0.02).failed());
      std::vector<double> end(q.size() + v.size());
      EXPECT_TRUE(stepper.observe(state, 1.0, 0.02, end.data(), end.data() + q.size()));
      return end;
    };
    const std::vector<double> a = moved(momenta);
    const std::vector<double> b = moved(links);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-11) << n;
  }
}

TEST(GaussLanes, OneLinkMovesAsOneStageAfterTheOther) {
  for (int stages = 1; stages <= max_gauss_stages; ++stages)
    for (const bool compensated : {false, true})
      EXPECT_LT(difference_after<PendulumField<double>>(1, stages, 0.03, 40, compensated), 1e-12)
          << stages << " stages";
}

/// The place of one link after the steps; energy: by how much it has changed.
template <class Field>
std::vector<double> place_after(int stages, double h, int steps, double& length, double& energy) {
  const SharedChain chain = uneven_chain(1);
  const double l = chain->lengths[0];
  GaussLanesStepper<Field> stepper(source<Field>(chain), stages, {});
  StepperState<double> state;
  EXPECT_TRUE(stepper.start({0.6, 0.0, -0.8}, {0.4, 1.1, 0.3}, h, state));
  std::vector<double> q(3);
  std::vector<double> v(3);
  const auto measured = [&] {
    EXPECT_TRUE(stepper.observe(state, 0.0, h, q.data(), v.data()));
    return 0.5 * l * l * norm2(vec_at(v.data(), 0)) + chain->gravity * l * q[2];
  };
  const double before = measured();
  for (int k = 0; k < steps; ++k) EXPECT_FALSE(stepper.step(state, k * h, h).failed());
  energy = measured() - before;
  length = std::sqrt(norm2(vec_at(q.data(), 0))) - 1.0;
  return q;
}

// One link in (q, ω) is the pendulum that it is in (d, u); but length and energy are quadratic
// there, and do not depend on the step.
TEST(GaussLanes, OneLinkKeepsLengthAndEnergyAtAnyStep) {
  double length = 0.0;
  double energy = 0.0;
  const auto in_q = place_after<PendulumField<double>>(8, 0.05, 100, length, energy);
  const auto in_d = place_after<ChainField<double>>(8, 0.05, 100, length, energy);
  for (int c = 0; c < 3; ++c) EXPECT_NEAR(in_q[c], in_d[c], 1e-12);

  place_after<PendulumField<double>>(2, 0.2, 100, length, energy);
  EXPECT_LT(std::fabs(length), 1e-14);
  EXPECT_LT(std::fabs(energy), 1e-13);
  place_after<ChainField<double>>(2, 0.2, 100, length, energy);
  EXPECT_GT(std::fabs(length), 1e-6);
  EXPECT_GT(std::fabs(energy), 1e-6);
}

TEST(GaussLanes, PendulaMoveAsOneStageAfterTheOther) {
  const SphericalPendulum pendulum;
  const SphereInitial<double> start{.q = {{0.6, 0.0, -0.8}}, .omega = {{0.3, 0.5, 0.225}}};
  for (int stages = 1; stages <= max_gauss_stages; ++stages) {
    const Gauss method{stages};
    const GaussStep<SphericalPendulum, double, Summation::plain> lanes(method, pendulum, 0.1, {});
    const GaussStep<SphericalPendulum, long double, Summation::plain> one(method, pendulum, 0.1L,
                                                                          {});
    auto a = lanes.start(start);
    auto b = one.start(start.as<long double>());
    for (int k = 0; k < 200; ++k) {
      ASSERT_FALSE(lanes.step(a).failed());
      ASSERT_FALSE(one.step(b).failed());
    }
    for (int c = 0; c < 3; ++c) {
      EXPECT_NEAR(a.q.value[c], static_cast<double>(b.q.value[c]), 1e-12) << stages;
      EXPECT_NEAR(a.omega.value[c], static_cast<double>(b.omega.value[c]), 1e-12) << stages;
    }
  }
}

// With a tolerance the iteration stops where what is left of it is estimated to be below.
TEST(GaussLanes, StopsAtTheTolerance) {
  for (const int n : {1, 2, 5}) {
    const SharedChain chain = uneven_chain(n);
    std::vector<double> q;
    for (int i = 0; i < n; ++i) {
      const double a = 0.4 + 0.5 * i;
      q.insert(q.end(), {std::sin(a), 0.0, -std::cos(a)});
    }
    const std::vector<double> at_rest(q.size(), 0.0);
    constexpr double h = 0.1;
    const auto stepped = [&](double tolerance, int& iterations) {
      StepperOptions options;
      options.solver.tolerance = tolerance;
      GaussLanesStepper<ChainField<double>> stepper(chain, 8, options);
      StepperState<double> state;
      EXPECT_TRUE(stepper.start(q, at_rest, h, state));
      const auto report = stepper.step(state, 0.0, h);
      EXPECT_FALSE(report.failed());
      iterations = report.iterations;
      return state.z;
    };
    int all = 0;
    const std::vector<double> exact = stepped(0.0, all);
    for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
      int iterations = 0;
      const std::vector<double> z = stepped(tolerance, iterations);
      double worst = 0.0;
      for (std::size_t i = 0; i < z.size(); ++i)
        worst = std::fmax(worst, std::fabs(z[i] - exact[i]));
      EXPECT_LE(worst, 2.0 * tolerance) << n << " links";
      EXPECT_GT(worst, 0.0);
      EXPECT_LT(iterations, all) << n << " links";
    }
  }
}

// Changes that shrank a hundredfold and then grow have not converged, whatever was to be expected.
TEST(GaussLanes, AGrowingChangeIsNoSmallOne) {
  GaussStopping<double> stopping(1e-6, 1.0, false);
  for (const double change : {1.0, 1e-2, 1e-4, 0.2, 0.1})
    EXPECT_EQ(stopping(change), GaussVerdict::go_on) << change;
  GaussStopping<double> shrinking(1e-6, 1.0, false);
  for (const double change : {1.0, 1e-2, 1e-4})
    EXPECT_EQ(shrinking(change), GaussVerdict::go_on) << change;
  EXPECT_EQ(shrinking(2e-6), GaussVerdict::converged);  // some 4e-8 are left
}

// To round-off: changes that are above it are no round-off, however fast they shrink; below it, a
// thousandth of it is no more than what round-off adds up to.
TEST(GaussLanes, WhatIsLeftHidesBelowRoundOff) {
  GaussStopping<double> fast(0.0, 1.0, false);
  for (const double change : {1e-2, 1e-6, 5e-10, 2.4e-13})
    EXPECT_EQ(fast(change), GaussVerdict::go_on) << change;
  EXPECT_EQ(fast(2e-14), GaussVerdict::converged);  // 2.4e-13 · 5e-4² would be left
  GaussStopping<double> noisy(0.0, 1.0, false);
  for (const double change : {1e-9, 1e-10, 1e-11, 1e-12, 2e-13, 1e-13, 1.2e-13})
    EXPECT_EQ(noisy(change), GaussVerdict::go_on) << change;
  EXPECT_EQ(noisy(1.1e-13), GaussVerdict::converged);  // stagnant
}

// A step that is too long, or numbers that are none, end in a report.
TEST(GaussLanes, NoSolutionIsReported) {
  const SharedChain chain = uneven_chain(3);
  for (const double tolerance : {0.0, 1e-6, 0.1}) {
    StepperOptions options;
    options.solver.tolerance = tolerance;
    GaussLanesStepper<ChainField<double>> stepper(chain, 8, options);
    StepperState<double> state;
    ASSERT_TRUE(stepper.start({1, 0, 0, 1, 0, 0, 1, 0, 0}, std::vector<double>(9), 30.0, state));
    const auto before = state.z;
    for (const double h : {2.0, 5.0, 30.0}) {
      EXPECT_TRUE(stepper.step(state, 0.0, h).failed()) << h << ", tolerance " << tolerance;
      EXPECT_EQ(state.z, before);
    }
    EXPECT_FALSE(stepper.step(state, 0.0, 0.01).failed());  // and the next may be shorter
    state.z[0] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(stepper.step(state, 0.0, 0.01).failed());
  }
}

// One link from 45° over 10 s in 20 steps: 12.9; W first and then all of Q takes 17.3.
TEST(GaussLanes, APendulumTakesTheNewestOfEverything) {
  GaussLanesStepper<PendulumField<double>> stepper(9.81, 8, {});
  const double side = std::sqrt(0.5);
  StepperState<double> state;
  ASSERT_TRUE(stepper.start({side, 0.0, -side}, {0.0, 0.8 * side, 0.0}, 0.5, state));
  int iterations = 0;
  for (int k = 0; k < 20; ++k) {
    const StepReport<double> report = stepper.step(state, 0.5 * k, 0.5);
    ASSERT_FALSE(report.failed());
    iterations += report.iterations;
  }
  EXPECT_LT(iterations, 20 * 13.5);
}

}  // namespace
}  // namespace hamel
