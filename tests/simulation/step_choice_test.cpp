// SPDX-License-Identifier: BSD-3-Clause
// The step for an accuracy, and steps that are divided because they do not converge.
#include "hamel/simulation/step_choice.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "hamel/core/error.hpp"
#include "hamel/simulation/registry.hpp"
#include "hamel/simulation/run.hpp"

namespace hamel {
namespace {

std::unique_ptr<Problem> pendulum(double length, std::vector<double> q, std::vector<double> omega) {
  static const Registry registry = builtin_registry();
  const auto& system = registry.system("spherical_pendulum");
  SystemValues values;
  for (const auto& p : system.parameters) values.numbers[p.name] = p.preset;
  values.numbers["length"] = length;
  std::vector<std::string> notes;
  return system.make(values, 0, {{{"q", std::move(q)}, {"omega", std::move(omega)}}, true}, notes);
}

double end_error(const Problem& problem, const MethodSpec& method, double until,
                 std::int64_t steps) {
  const EndPoint end = problem.end_point(method, {}, until, steps, Precision::double_precision);
  const EndPoint exact = problem.exact(Quad(until)).value_or(EndPoint{});
  double worst = end.status == Status::ok ? 0.0 : INFINITY;
  for (std::size_t i = 0; i < exact.q.size(); ++i)
    worst = std::fmax(worst, std::fabs(static_cast<double>(end.q[i] - exact.q[i])));
  return worst;
}

TEST(StepChoice, MeetsTheAccuracyWithoutWaste) {
  const auto problem = pendulum(1.0, {0.6, 0.0, -0.8}, {0.0, 1.0, 0.0});
  const double until = 5.0;
  struct Asked {
    const char* method;
    double accuracy;
  };
  for (const auto& [name, accuracy] : {Asked{"hamel", 1e-3},
                                       {"rk4", 1e-6},
                                       {"variational+su4", 1e-8},
                                       {"gauss(stages=3)", 1e-9},
                                       {"gauss", 1e-6},
                                       {"gauss", 1e-11}})
    for (const std::int64_t first : {2, 20000}) {
      const MethodSpec method = MethodSpec::parse(name);
      const StepChoice choice = choose_step(*problem, method, {}, until, accuracy, first);
      EXPECT_LE(choice.error, accuracy) << name;
      EXPECT_LE(end_error(*problem, method, until, choice.steps), 1.2 * accuracy) << name;
      // Three quarters of the steps do not suffice, or nearly not.
      EXPECT_GE(end_error(*problem, method, until, choice.steps * 3 / 4), 0.5 * accuracy) << name;
    }
}

TEST(StepChoice, SaysWhatCannotBeReached) {
  const auto problem = pendulum(1.0, {0.6, 0.0, -0.8}, {0.0, 1.0, 0.0});
  EXPECT_THROW(choose_step(*problem, MethodSpec::parse("hamel"), {}, 1.0, 1e-17, 100),
               NumericalError);
  EXPECT_THROW(choose_step(*problem, MethodSpec::parse("exact"), {}, 1.0, 1e-6, 100), InputError);
}

// A step of a second is too long for the iteration where the pendulum is fast: it is divided there,
// and what gauss keeps stays kept.
TEST(DividedSteps, KeepWhatGaussKeeps) {
  static const Registry registry = builtin_registry();
  const auto check = [](const Problem& problem, double step, const char* kept) {
    const auto simulation = problem.simulate(MethodSpec::parse("gauss"), {step, false, {}});
    RunPlan plan;
    plan.steps = 200;
    EXPECT_EQ(run(*simulation, plan).status, Status::ok);
    EXPECT_GT(simulation->divided_steps(), 0);
    EXPECT_EQ(simulation->remarks().size(), 1U);
    int measured = 0;
    for (const auto& drift : simulation->invariants()) {
      if (drift.info.name != kept) continue;
      EXPECT_LE(drift.max_drift, 1e-12) << kept;
      ++measured;
    }
    EXPECT_EQ(measured, 1) << kept;
    // A snapshot remembers how many there were.
    const auto other = problem.simulate(MethodSpec::parse("gauss"), {step, false, {}});
    other->restore(simulation->snapshot());
    EXPECT_EQ(other->divided_steps(), simulation->divided_steps());
  };
  check(*pendulum(1.0, {0.7071067811865476, 0.0, -0.7071067811865476}, {0.4, 0.0, 0.4}), 1.25,
        "energy");
  const auto& system = registry.system("chain_pendulum");
  SystemValues values;
  for (const auto& p : system.parameters)
    if (p.kind == ParameterInfo::Kind::number || p.kind == ParameterInfo::Kind::count)
      values.numbers[p.name] = p.preset;
  std::vector<std::string> notes;
  values.numbers["n"] = 1.0;  // in (q, ω)
  check(*system.make(values, 0, {}, notes), 1.25, "energy");
  values.numbers["n"] = 2.0;
  check(*system.make(values, 0, {}, notes), 0.5, "momentum_z");
}

}  // namespace
}  // namespace hamel
