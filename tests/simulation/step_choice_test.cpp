// SPDX-License-Identifier: BSD-3-Clause
// The step for an accuracy, and steps that are divided because they do not converge.
#include "hamel/studies/step_choice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

#include "hamel/catalogue/registry.hpp"
#include "hamel/core/error.hpp"
#include "hamel/runs/run.hpp"

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

/// A problem that is nothing but the ends of its runs, by their steps and the solver's tolerance.
class Ending final : public Problem {
 public:
  using End = std::function<double(std::int64_t steps, double tolerance)>;
  Ending(const Problem& like, End end) : like_(like), end_(std::move(end)) {}

  std::unique_ptr<Simulation> simulate(const MethodSpec& m,
                                       const IntegrationOptions& o) const override {
    return like_.simulate(m, o);
  }
  Claims claims(const MethodSpec& m) const override { return like_.claims(m); }
  EndPoint end_point(const MethodSpec&, const IntegrationOptions& o, double, std::int64_t steps,
                     Precision) const override {
    EndPoint end;
    end.steps = end.iterations = steps;
    const double x = end_(steps, o.solver.tolerance);
    end.q = {Quad(0.6 * x), Quad(0.8 * x), Quad(0)};  // distances are those in space
    return end;
  }
  double reversal_defect(const MethodSpec&, const IntegrationOptions&,
                         std::int64_t) const override {
    return 0.0;
  }
  std::optional<double> symplectic_defect(const MethodSpec&,
                                          const IntegrationOptions&) const override {
    return std::nullopt;
  }
  PhaseSpace phase_space() const override { return like_.phase_space(); }
  InvariantMap invariant_map() const override { return like_.invariant_map(); }
  std::unique_ptr<StepMap<double>> step_map(const MethodSpec& m,
                                            const IntegrationOptions& o) const override {
    return like_.step_map(m, o);
  }
  std::unique_ptr<StepMap<Quad>> step_map_quad(const MethodSpec& m,
                                               const IntegrationOptions& o) const override {
    return like_.step_map_quad(m, o);
  }
  std::optional<EndPoint> exact(Quad) const override { return std::nullopt; }

 private:
  const Problem& like_;
  End end_;
};

// Errors c/n², but runs of 8 and 16 steps end at the same wrong place: they agree, and 32 steps say
// otherwise.
TEST(StepChoice, AgreementByChanceIsNoAccuracy) {
  const auto like = pendulum(1.0, {0.6, 0.0, -0.8}, {0.0, 1.0, 0.0});
  const Ending problem(*like, [](std::int64_t n, double) {
    return n <= 16 ? 3.0 : 100.0 / static_cast<double>(n * n);
  });
  for (const double accuracy : {1e-2, 1e-4, 1e-6}) {
    const StepChoice choice =
        choose_step(problem, MethodSpec::parse("hamel"), {}, 1.0, accuracy, 8);
    const double n = std::sqrt(100.0 / accuracy);
    EXPECT_GE(static_cast<double>(choice.steps), n) << accuracy;
    EXPECT_LE(static_cast<double>(choice.steps), 1.4 * n) << accuracy;
    EXPECT_NEAR(choice.error, 100.0 / std::pow(static_cast<double>(choice.steps), 2.0),
                1e-9 * accuracy);
  }
}

// Errors fall, then stay where they are: round-off, told from an accuracy that is not reached yet.
TEST(StepChoice, RoundOffIsTheEnd) {
  const auto like = pendulum(1.0, {0.6, 0.0, -0.8}, {0.0, 1.0, 0.0});
  std::int64_t most = 0;
  const Ending problem(*like, [&](std::int64_t n, double) {
    most = std::max(most, n);
    return std::fmax(1.0 / static_cast<double>(n * n),
                     std::countr_zero(static_cast<std::uint64_t>(n)) % 2 == 0 ? 1e-13 : 3e-13);
  });
  EXPECT_THROW(choose_step(problem, MethodSpec::parse("hamel"), {}, 1.0, 1e-16, 100),
               NumericalError);
  EXPECT_LE(most, 20'000'000);  // 1e-13 is met at 3e6
}

// Twice as much may be left by the solver as was seen: what remains of the accuracy has room for
// it.
TEST(StepChoice, TheSolversShareCountsTwice) {
  const auto like = pendulum(1.0, {0.6, 0.0, -0.8}, {0.0, 1.0, 0.0});
  const MethodSpec hamel = MethodSpec::parse("hamel");
  constexpr double accuracy = 1e-4;
  const Ending problem(*like, [](std::int64_t, double tolerance) { return 0.4 * tolerance; });
  struct Expected {
    double error, part;
  };
  for (const auto& [error, part] :
       {Expected{0.1, 1.0},                                            // 0.1 + 2·0.4 ≤ 1
        Expected{0.19, 1.0}, Expected{0.21, 0.1}, Expected{0.5, 0.1},  // 0.5 + 0.4 alone would do
        Expected{0.93, 1e-2}, Expected{1.5, 0.0}}) {
    StepChoice choice{1000, error * accuracy};
    const double tolerance = loosest_solver(problem, hamel, {}, 1.0, choice, accuracy);
    EXPECT_DOUBLE_EQ(tolerance, part * accuracy) << error;
    EXPECT_NEAR(choice.error, (error + 0.4 * part) * accuracy, 1e-12 * accuracy) << error;
  }
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
