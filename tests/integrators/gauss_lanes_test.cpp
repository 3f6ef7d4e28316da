// [MATH 7.6] with the stages as lanes, against the same equations one stage after the other.
#include "hamel/integrators/support/gauss_lanes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hamel/integrators/gauss.hpp"
#include "hamel/integrators/support/chain_gauss_stepper.hpp"
#include "hamel/integrators/support/gauss_stepper.hpp"
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

/// Both from one start: the largest difference after the steps.
double difference_after(int n, int stages, double h, int steps, bool compensated) {
  const SharedChain chain = uneven_chain(n);
  StepperOptions options;
  options.compensated = compensated;
  ChainGaussStepper lanes(chain, stages, options);
  GaussStepper<double, ChainField<double>> one(ChainField<double>(chain), stages, options);
  std::vector<double> q;
  std::vector<double> v;
  for (int i = 0; i < n; ++i) {
    const double a = 0.4 + 0.5 * i;
    q.insert(q.end(), {std::sin(a), 0.0, -std::cos(a)});
    v.insert(v.end(), {0.2 * std::cos(a), 0.7, 0.2 * std::sin(a)});
  }
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
        EXPECT_LT(difference_after(n, stages, 0.03, 40, compensated), 1e-12)
            << stages << " stages, " << n << " links";
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
      ChainGaussStepper stepper(chain, 8, options);
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
  using lanes::Stopping;
  hamel_lanes::GaussTask task{};
  task.tolerance = 1e-6;
  const double speeds[] = {0.0, 0.5, -1.0};
  Stopping stopping(task, speeds, 3, false);
  for (const double change : {1.0, 1e-2, 1e-4, 0.2, 0.1})
    EXPECT_EQ(stopping(change), Stopping::Verdict::go_on) << change;
  Stopping shrinking(task, speeds, 3, false);
  for (const double change : {1.0, 1e-2, 1e-4})
    EXPECT_EQ(shrinking(change), Stopping::Verdict::go_on) << change;
  EXPECT_EQ(shrinking(2e-6), Stopping::Verdict::converged);  // some 4e-8 are left
}

// A step that is too long, or numbers that are none, end in a report.
TEST(GaussLanes, NoSolutionIsReported) {
  const SharedChain chain = uneven_chain(3);
  for (const double tolerance : {0.0, 1e-6, 0.1}) {
    StepperOptions options;
    options.solver.tolerance = tolerance;
    ChainGaussStepper stepper(chain, 8, options);
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

}  // namespace
}  // namespace hamel
