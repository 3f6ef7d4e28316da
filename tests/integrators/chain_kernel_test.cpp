// SPDX-License-Identifier: BSD-3-Clause
// The variational step of chains in wide registers: the motion of the general stepper, what it
// keeps, faults.
#include <gtest/gtest.h>

#include <cmath>

#include "hamel/geometry/sphere.hpp"
#include "hamel/stepping/chain/chain_kernel_stepper.hpp"
#include "hamel/stepping/chain/chain_variational_stepper.hpp"

namespace hamel {
namespace {

/// Links of unequal mass and length, moving in all directions.
struct Swing {
  SharedChain chain;
  std::vector<double> q, v;

  explicit Swing(int n) {
    Chain made;
    for (int i = 0; i < n; ++i) {
      made.masses.push_back(1.0 + 0.3 * (i % 3));
      made.lengths.push_back(0.8 + 0.1 * (i % 4));
      const Vec<double, 3> at = normalised(Vec<double, 3>{{0.5, 0.2 * std::sin(i), -1.0}});
      const Vec<double, 3> rate =
          tangent_part(at, cross(Vec<double, 3>{{0.3, -0.4, 0.5 * std::cos(i)}}, at));
      for (int c = 0; c < 3; ++c) {
        q.push_back(at[c]);
        v.push_back(rate[c]);
      }
    }
    chain = std::make_shared<const Chain>(std::move(made));
  }
  double step() const { return 0.2 / (chain->links() + 10.0); }
};

struct Seen {
  std::vector<double> q, v;
};

template <class S>
Seen after(Stepper<S>& stepper, const Swing& swing, double h, int steps) {
  const std::vector<S> q(swing.q.begin(), swing.q.end());
  const std::vector<S> v(swing.v.begin(), swing.v.end());
  StepperState<S> state;
  EXPECT_TRUE(stepper.start(q, v, S(h), state));
  for (int k = 0; k < steps; ++k)
    EXPECT_FALSE(stepper.step(state, S(k) * S(h), S(h)).failed()) << k;
  std::vector<S> x(q.size());
  std::vector<S> y(q.size());
  EXPECT_TRUE(stepper.observe(state, S(0.0), S(h), x.data(), y.data()));
  return {{x.begin(), x.end()}, {y.begin(), y.end()}};
}

double distance(const Seen& a, const Seen& b) {
  double worst = 0.0;
  for (std::size_t i = 0; i < a.q.size(); ++i) {
    const double e = std::fmax(std::fabs(a.q[i] - b.q[i]), std::fabs(a.v[i] - b.v[i]));
    if (!(e <= worst)) worst = e;
  }
  return worst;
}

// As far from long double as the general stepper in double is.                          [MATH 7.2]
TEST(ChainKernel, FollowsTheGeneralStepperInLongDouble) {
  for (const int n : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 22, 23, 50})
    for (const bool compensated : {false, true}) {
      const Swing swing(n);
      ChainKernelStepper kernel(swing.chain, {{}, compensated});
      ChainVariationalStepper<double> general(swing.chain, {{}, compensated});
      ChainVariationalStepper<long double> reference(swing.chain, {});
      const Seen seen = after<double>(kernel, swing, swing.step(), 500);
      const Seen same = after<double>(general, swing, swing.step(), 500);
      const Seen expected = after<long double>(reference, swing, swing.step(), 500);
      EXPECT_LE(distance(seen, expected), 4.0 * distance(same, expected) + 2e-15) << n;
      EXPECT_LE(distance(seen, expected), 5e-13) << n;
    }
}

// [MATH 7.2] [MATH 8.2]
TEST(ChainKernel, KeepsLengthsTangencyAndMomentum) {
  for (const int n : {1, 2, 7, 50}) {
    const Swing swing(n);
    ChainKernelStepper kernel(swing.chain, {});
    const ChainLinks<double> links(swing.chain);
    const auto momentum = [&](const Seen& at) {
      std::vector<double> d = at.q;
      std::vector<double> u = at.v;
      for (std::size_t i = 0; i < d.size(); ++i) {
        d[i] *= swing.chain->lengths[i / 3];
        u[i] *= swing.chain->lengths[i / 3];
      }
      return links.measure(d.data(), u.data()).momentum[2];
    };
    const Seen end = after<double>(kernel, swing, swing.step(), 5000);
    const double J = momentum({swing.q, swing.v});
    EXPECT_LE(std::fabs(momentum(end) - J), 1e-12 * (1.0 + std::fabs(J))) << n;
    for (int i = 0; i < n; ++i) {
      EXPECT_LE(std::fabs(length_defect(vec_at(end.q.data(), i))), 9e-16) << n;
      EXPECT_LE(std::fabs(dot(vec_at(end.q.data(), i), vec_at(end.v.data(), i))), 1e-13) << n;
    }
  }
}

// What is seen of a chain in wide registers is what its formulas say of it, and nothing is written
// beside the lists.                                                                     [MATH 7.2]
TEST(ChainKernel, SeesWhatTheFormulasSay) {
  for (const int n : {1, 2, 3, 4, 5, 8, 9, 50, 51}) {
    const Swing swing(n);
    ChainKernelStepper kernel(swing.chain, {});
    StepperState<double> state;
    ASSERT_TRUE(kernel.start(swing.q, swing.v, swing.step(), state));
    for (int k = 0; k < 20; ++k) ASSERT_FALSE(kernel.step(state, 0.0, swing.step()).failed());
    state.z[hamel_lanes::chain_pad] *= 1.0 + 1e-9;  // not quite of its length, nor tangent
    const auto size = static_cast<std::size_t>(3 * n);
    std::vector<double> q(size);
    std::vector<double> v(size);
    ASSERT_TRUE(kernel.observe(state, 0.0, swing.step(), q.data(), v.data()));
    std::vector<double> d = q;
    std::vector<double> u = v;
    double shortest = 1.0;
    double longest = 1.0;
    double tangency = 0.0;
    double fastest = 0.0;
    for (int i = 0; i < n; ++i) {
      const Vec<double, 3> at = vec_at(q.data(), i);
      const Vec<double, 3> rate = vec_at(v.data(), i);
      const double l = swing.chain->lengths[static_cast<std::size_t>(i)];
      put(d.data(), i, l * at);
      put(u.data(), i, l * rate);
      shortest = std::fmin(shortest, norm2(at));
      longest = std::fmax(longest, norm2(at));
      tangency = std::fmax(tangency, std::fabs(dot(at, rate)));
      fastest = std::fmax(fastest, norm2(rate));
    }
    ChainLinks<double> links(swing.chain);
    std::vector<double> lambda(static_cast<std::size_t>(n));
    ASSERT_TRUE(links.tensions(d.data(), u.data(), nullptr, lambda.data()));
    const auto measured = links.measure(d.data(), u.data());

    constexpr double untouched = 1e300;
    std::vector<double> lists(2 * (size + 1), untouched);
    std::vector<double> tension(static_cast<std::size_t>(n + 1), untouched);
    hamel_lanes::ChainObservation observation{
        .q = lists.data(), .omega = lists.data() + size + 1, .tension = tension.data()};
    ASSERT_TRUE(kernel.observe_chain(state, observation));
    EXPECT_TRUE(observation.tensions_exist);
    for (int i = 0; i < n; ++i) {
      const double l = swing.chain->lengths[static_cast<std::size_t>(i)];
      const double pull = l * lambda[static_cast<std::size_t>(i)];
      EXPECT_NEAR(tension[static_cast<std::size_t>(i)], pull, 1e-11 * std::fabs(pull)) << n;
      const Vec<double, 3> at = vec_at(q.data(), i);
      const Vec<double, 3> omega = (1.0 / norm2(at)) * cross(at, vec_at(v.data(), i));
      for (int c = 0; c < 3; ++c) {
        EXPECT_EQ(vec_at(observation.q, i)[c], at[c]) << n;
        EXPECT_NEAR(vec_at(observation.omega, i)[c], omega[c], 1e-15) << n;
      }
    }
    EXPECT_EQ(lists[size], untouched);
    EXPECT_EQ(lists.back(), untouched);
    EXPECT_EQ(tension.back(), untouched);
    EXPECT_NEAR(observation.energy, measured.energy, 1e-13 * std::fabs(measured.energy)) << n;
    for (int c = 0; c < 3; ++c)
      EXPECT_NEAR(observation.momentum[c], measured.momentum[c], 1e-13 * std::fabs(measured.energy))
          << n;
    EXPECT_NEAR(observation.shortest, shortest, 4e-16) << n;
    EXPECT_NEAR(observation.longest, longest, 4e-16) << n;
    EXPECT_GT(observation.longest, 1.0 + 1e-10);
    EXPECT_NEAR(observation.tangency, tangency, 1e-15) << n;
    EXPECT_NEAR(observation.fastest, fastest, 1e-15 * (1.0 + fastest)) << n;
  }
}

// A step that fails, for numbers that run away too, leaves no trace in those after it; nor does the
// number of iterations that were expected.
TEST(ChainKernel, GoesOnAfterAFailedStep) {
  for (const int n : {2, 5, 9, 12, 13, 14, 15, 19}) {
    const Swing swing(n);
    ChainKernelStepper kernel(swing.chain, {});
    ChainKernelStepper other(swing.chain, {});
    StepperState<double> state;
    const double h = swing.step();
    ASSERT_TRUE(kernel.start(swing.q, swing.v, h, state));
    for (int k = 0; k < 10; ++k) ASSERT_FALSE(kernel.step(state, k * h, h).failed());
    StepperState<double> same = state;
    EXPECT_TRUE(kernel.step(state, 10 * h, 30.0).failed()) << n;
    EXPECT_TRUE(kernel.step(state, 10 * h, 1e200).failed()) << n;
    for (int k = 10; k < 30; ++k) {
      const auto report = kernel.step(state, k * h, h);
      ASSERT_FALSE(report.failed()) << n;
      EXPECT_EQ(report.iterations, other.step(same, k * h, h).iterations);
    }
    EXPECT_EQ(state.z, same.z) << n;
  }
}

TEST(ChainKernel, TellsWhichLinkCannotBeKept) {
  for (const int n : {1, 5}) {
    Swing swing(n);
    const auto fast = static_cast<std::size_t>(3 * (n - 1));
    const Vec<double, 3> q = vec_at(swing.q.data(), n - 1);
    const Vec<double, 3> rate = cross(Vec<double, 3>{{0.0, 40.0, 0.0}}, q);
    for (int c = 0; c < 3; ++c) swing.v[fast + static_cast<std::size_t>(c)] = rate[c];
    ChainKernelStepper kernel(swing.chain, {});
    StepperState<double> state;
    ASSERT_TRUE(kernel.start(swing.q, swing.v, 0.05, state));
    const std::vector<double> before = state.z;
    const StepReport<double> report = kernel.step(state, 0.0, 0.05);
    EXPECT_EQ(report.status(), Status::no_solution);
    EXPECT_EQ(state.z, before);
    std::vector<double> seen(static_cast<std::size_t>(7 * n));
    hamel_lanes::ChainObservation observation{
        .q = seen.data(), .omega = seen.data() + 3 * n, .tension = seen.data() + 6 * n};
    EXPECT_TRUE(kernel.observe_chain(state, observation));  // looking does not disturb the answer
    EXPECT_EQ(kernel.worst_part(), n - 1);
  }
}

}  // namespace
}  // namespace hamel
