// SPDX-License-Identifier: BSD-3-Clause
// Blocks of steps: every stepper makes them with the bits of its steps, one by one, and ends where
// one of them fails or runs away.
#include <gtest/gtest.h>

#include <cmath>

#include "hamel/kernels/pendulum/pendulum_field.hpp"
#include "hamel/methods/frames/gauss.hpp"
#include "hamel/methods/frames/hamel.hpp"
#include "hamel/methods/frames/rk4.hpp"
#include "hamel/methods/spheres/gauss.hpp"
#include "hamel/methods/spheres/hamel.hpp"
#include "hamel/methods/spheres/rattle.hpp"
#include "hamel/methods/spheres/rk4.hpp"
#include "hamel/methods/spheres/variational.hpp"
#include "hamel/models/frame_system.hpp"
#include "hamel/stepping/composed_stepper.hpp"
#include "hamel/systems/chaplygin_sleigh.hpp"
#include "integrators/spheres_motions.hpp"

namespace hamel {
namespace {

using Numbers = std::vector<double>;

/// Two of a stepper, from the same start.
struct Pair {
  std::string name;
  std::unique_ptr<Stepper<double>> stepper, same;
  Numbers q, v;
  double h;
};

template <class Method, class Model>
Pair pair_of(const std::string& name, const Method& method, const Model& model, bool compensated,
             Numbers q, Numbers v, double h) {
  const StepperOptions options{{}, compensated};
  return {name + (compensated ? ", compensated" : ""),
          method.template stepper<double>(model, options),
          method.template stepper<double>(model, options),
          std::move(q),
          std::move(v),
          h};
}

SpheresModel chain(int n) {
  Chain made;
  made.masses.assign(static_cast<std::size_t>(n), 1.3);
  made.lengths.assign(static_cast<std::size_t>(n), 0.7);
  return chain_model(std::move(made));
}

SpheresModel pendulum() {  // not known as a chain
  SpheresFormulas s = many_spheres::spheres(1);
  s.set_quadratic(many_spheres::inertia(1, false), 2.0 * many_spheres::at(s.q, 0)[2]);
  return formulas_model(std::move(s));
}

std::vector<Pair> pairs() {
  std::vector<Pair> list;
  for (const bool compensated : {false, true}) {
    const auto add = [&](const std::string& name, const auto& method, const SpheresModel& model,
                         double h) {
      Numbers q, v;
      many_spheres::initial(model.n, q, v);
      list.push_back(pair_of(name, method, model, compensated, q, v, h));
    };
    add("hamel, pendulum", SpheresHamel{}, pendulum(), 0.1);
    add("variational, pendulum", SpheresVariational{}, pendulum(), 0.1);
    for (const int n : {1, 5}) {
      const std::string links = ", links: " + std::to_string(n);
      add("variational" + links, SpheresVariational{}, chain(n), 0.01);
      add("hamel" + links, SpheresHamel{}, chain(n), 0.01);
      add("rattle" + links, SpheresRattle{}, chain(n), 0.01);
      add("gauss" + links, SpheresGauss{}, chain(n), 0.01);
      add("rk4" + links, SpheresRk4{}, chain(n), 0.01);
    }
    const SpheresModel springs = formulas_model(many_spheres::pendula(3));
    add("hamel, springs", SpheresHamel{}, springs, 0.02);
    add("variational, springs", SpheresVariational{}, springs, 0.02);
    add("gauss, springs", SpheresGauss{}, springs, 0.02);
    const auto frame = [&](const std::string& name, const auto& method) {
      list.push_back(pair_of(name, method, frame_model(ChaplyginSleigh{1.0, 1.0, 0.3}), compensated,
                             {0.1, -0.2, 0.3}, {0.7, 0.5}, 0.05));
    };
    frame("hamel, sleigh", FrameHamel{});
    frame("gauss, sleigh", FrameGauss{});
    frame("rk4, sleigh", FrameRk4{});
  }
  return list;
}

void expect_same(const StepperState<double>& a, const StepperState<double>& b) {
  EXPECT_EQ(a.z, b.z);
  EXPECT_EQ(a.carry, b.carry);
  EXPECT_EQ(a.memory, b.memory);
  EXPECT_EQ(a.history, b.history);
}

TEST(Stepper, BlocksHaveTheBitsOfSingleSteps) {
  for (const Pair& p : pairs()) {
    SCOPED_TRACE(p.name);
    StepperState<double> state;
    StepperState<double> one_by_one;
    ASSERT_TRUE(p.stepper->start(p.q, p.v, p.h, state));
    ASSERT_TRUE(p.same->start(p.q, p.v, p.h, one_by_one));
    StepperState<double> before = state;
    StepperState<double> last = state;
    std::int64_t n = 0;
    for (const int count : {1, 7, 12}) {
      std::int64_t sum = 0;
      int largest = 0;
      int iterations = 0;
      for (int k = 0; k < count; ++k) {
        last = one_by_one;
        const auto report = p.same->step(one_by_one, static_cast<double>(n + k) * p.h, p.h);
        ASSERT_FALSE(report.failed());
        iterations = report.iterations;
        sum += iterations;
        largest = std::max(largest, iterations);
      }
      const StepsReport<double> made = p.stepper->advance(state, {n, count, p.h, &before});
      n += count;
      EXPECT_EQ(made.done, count);
      EXPECT_EQ(made.iterations, sum);
      EXPECT_EQ(made.iterations_max, largest);
      EXPECT_EQ(made.iterations_last, iterations);
      expect_same(state, one_by_one);
      EXPECT_EQ(before.z, last.z);
      EXPECT_EQ(before.carry, last.carry);
    }
  }
}

// Where the step is far too large, some fail at once, others run away first.
TEST(Stepper, BlocksEndWhereAStepDoes) {
  int failed = 0;
  int ran_away = 0;
  for (const Pair& p : pairs()) {
    SCOPED_TRACE(p.name);
    StepperState<double> state;
    StepperState<double> one_by_one;
    ASSERT_TRUE(p.stepper->start(p.q, p.v, p.h, state));
    ASSERT_TRUE(p.same->start(p.q, p.v, p.h, one_by_one));
    StepperState<double> before = state;
    StepperState<double> last = state;
    const double h = 1e3 * p.h;
    constexpr int most = 60;
    const StepsReport<double> made = p.stepper->advance(state, {0, most, h, &before});
    for (int k = 0; k < made.done; ++k) {
      ASSERT_FALSE(p.same->step(one_by_one, k * h, h).failed());
      ASSERT_TRUE(p.same->keeps_finite() || one_by_one.size() <= hamel_lanes::runaway);
    }
    if (made.done == most) {
      expect_same(state, one_by_one);
      continue;
    }
    last = one_by_one;
    const auto report = p.same->step(one_by_one, static_cast<double>(made.done) * h, h);
    EXPECT_EQ(made.last.status(), report.status());
    EXPECT_EQ(made.last.iterations, report.iterations);
    EXPECT_EQ(state.z, one_by_one.z);
    EXPECT_EQ(state.history, one_by_one.history);
    EXPECT_EQ(before.z, last.z);
    EXPECT_EQ(before.carry, last.carry);
    failed += report.failed() ? 1 : 0;
    ran_away += report.failed() ? 0 : 1;
    EXPECT_TRUE(report.failed() || !(made.size <= hamel_lanes::runaway));
  }
  EXPECT_GE(failed, 4);
  EXPECT_GE(ran_away, 2);
}

}  // namespace
}  // namespace hamel
