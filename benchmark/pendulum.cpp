// SPDX-License-Identifier: BSD-3-Clause
// Time per step of every method on the spherical pendulum, and of Boost.Odeint on the same problem
// in the same run. Before anything is timed, every method must agree with the closed solution to
// the accuracy its order allows; a benchmark of wrong numbers is worth nothing.
//
// "per step" of Odeint's adaptive methods is time divided by accepted steps; the table of
// time-to-accuracy beside it is the fairer comparison: the same end time, the error reached.
#include <benchmark/benchmark.h>

#include <array>
#include <boost/numeric/odeint.hpp>
#include <cmath>
#include <cstdio>
#include <map>

#include "hamel/catalogue/registry.hpp"
#include "hamel/runs/run.hpp"

namespace {

using namespace hamel;
namespace odeint = boost::numeric::odeint;
using State = std::array<double, 6>;  // q, ω

std::unique_ptr<Problem> d0_problem() {
  static const Registry registry = builtin_registry();
  const SystemEntry& entry = registry.system("spherical_pendulum");
  return default_problem(entry);
}

const Problem& problem() {
  static const auto d0 = d0_problem();
  return *d0;
}

void rate(const State& y, State& dy, double) {  // q̇ = ω×q, ω̇ = −G q×e3, G = 1
  dy = {y[4] * y[2] - y[5] * y[1],
        y[5] * y[0] - y[3] * y[2],
        y[3] * y[1] - y[4] * y[0],
        -y[1],
        y[0],
        0.0};
}

const State& start() {  // computed once: the closed solution is not what is timed
  static const State at_zero = [] {
    const EndPoint at = *problem().exact(0);
    return State{double(at.q[0]),        double(at.q[1]),        double(at.q[2]),
                 double(at.velocity[0]), double(at.velocity[1]), double(at.velocity[2])};
  }();
  return at_zero;
}

template <class Q>
double distance_from_exact(const Q& q, double t) {
  const EndPoint at = problem().exact(Quad(t)).value_or(EndPoint{});
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto d = static_cast<double>(Quad(q[i]) - at.q[i]);
    sum += d * d;
  }
  return std::sqrt(sum);
}

void step_of(benchmark::State& timer, const std::string& method, bool compensated) {
  const auto simulation = problem().simulate(MethodSpec::parse(method), {0.2, compensated, {}});
  Block block;
  block.steps = method == "exact" ? 100 : 10000;
  block.measure_every = 1 << 30;  // stepping alone
  for ([[maybe_unused]] auto _ : timer) {
    if (simulation->advance(block) != Status::ok) timer.SkipWithError("failed");
  }
  timer.SetItemsProcessed(timer.iterations() * block.steps);
  timer.counters["ns_per_step"] =
      benchmark::Counter(static_cast<double>(timer.iterations() * block.steps) * 1e-9,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

/// A run to t = 10 at fixed step: time and error reached.
void to_ten(benchmark::State& timer, const std::string& method, int steps) {
  const MethodSpec spec = MethodSpec::parse(method);
  const IntegrationOptions options{10.0 / steps, false, {}};
  const auto simulation = problem().simulate(spec, options);
  const auto begin = simulation->snapshot();
  Block block;
  block.steps = steps;
  block.measure_every = 1 << 30;
  for ([[maybe_unused]] auto _ : timer) {
    simulation->restore(begin);
    if (simulation->advance(block) != Status::ok) timer.SkipWithError("failed");
  }
  const double error = distance_from_exact(simulation->state()[0].values, 10.0);
  timer.counters["error"] = error;
  timer.counters["steps"] = steps;
}

template <class Stepper>
void odeint_to_ten(benchmark::State& timer, double tolerance) {
  State y = start();
  std::size_t steps = 0;
  for ([[maybe_unused]] auto _ : timer) {
    y = start();
    steps = odeint::integrate_adaptive(odeint::make_controlled<Stepper>(tolerance, tolerance), rate,
                                       y, 0.0, 10.0, 0.1);
    benchmark::DoNotOptimize(y);
  }
  const double error = distance_from_exact(y, 10.0);
  timer.counters["error"] = error;
  timer.counters["steps"] = static_cast<double>(steps);
}

template <class Stepper>
void odeint_step(benchmark::State& timer) {
  State y = start();
  Stepper stepper;
  double t = 0.0;
  for ([[maybe_unused]] auto _ : timer) {
    for (int i = 0; i < 10000; ++i) {
      stepper.do_step(rate, y, t, 0.2);
      t += 0.2;
    }
    benchmark::DoNotOptimize(y);
  }
  timer.counters["ns_per_step"] =
      benchmark::Counter(static_cast<double>(timer.iterations()) * 1e-5,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

/// Every contender at t = 10 with a small step against the closed solution.
bool all_agree() {
  bool good = true;
  const auto check = [&](const std::string& name, double error, double allowed) {
    if (error <= allowed) return;
    std::fprintf(stderr, "%s disagrees with the closed solution: %.2e > %.0e\n", name.c_str(),
                 error, allowed);
    good = false;
  };
  const std::map<std::string, double> allowed = {{"hamel", 1e-5},
                                                 {"hamel4", 1e-9},
                                                 {"variational", 1e-5},
                                                 {"verlet", 1e-5},
                                                 {"rattle", 1e-5},
                                                 {"gauss", 1e-13},
                                                 {"rk4", 1e-9},
                                                 {"exact", 1e-15},
                                                 {"spherical_coordinates", 1e-7},
                                                 {"variational+su4", 1e-9},
                                                 {"variational+kl6", 1e-11},
                                                 {"variational+kl8", 1e-12}};
  for (const auto& [method, bound] : allowed) {
    const EndPoint end =
        problem().end_point(MethodSpec::parse(method), {}, 10.0, 4000, Precision::double_precision);
    check(method, distance_from_exact(end.q, 10.0), bound);
  }
  State y = start();
  odeint::integrate_adaptive(
      odeint::make_controlled<odeint::runge_kutta_fehlberg78<State>>(1e-12, 1e-12), rate, y, 0.0,
      10.0, 0.1);
  check("odeint fehlberg78", distance_from_exact(y, 10.0), 1e-10);
  y = start();
  odeint::integrate_adaptive(
      odeint::make_controlled<odeint::runge_kutta_dopri5<State>>(1e-12, 1e-12), rate, y, 0.0, 10.0,
      0.1);
  check("odeint dopri5", distance_from_exact(y, 10.0), 1e-9);
  return good;
}

void register_all() {
  for (const char* method :
       {"variational", "verlet", "rattle", "hamel(form=space)", "hamel", "hamel4", "rk4",
        "spherical_coordinates", "gauss(stages=2)", "gauss(stages=4)", "gauss", "variational+su4",
        "variational+kl6", "variational+kl8", "exact"}) {
    benchmark::RegisterBenchmark((std::string("step/") + method).c_str(),
                                 [method](benchmark::State& s) { step_of(s, method, false); });
    if (std::string_view(method).starts_with("hamel") || std::string(method) == "variational")
      benchmark::RegisterBenchmark((std::string("step/") + method + "/compensated").c_str(),
                                   [method](benchmark::State& s) { step_of(s, method, true); });
  }
  benchmark::RegisterBenchmark("step/odeint_rk_fehlberg78",
                               odeint_step<odeint::runge_kutta_fehlberg78<State>>);
  benchmark::RegisterBenchmark("step/odeint_dopri5",
                               odeint_step<odeint::runge_kutta_dopri5<State>>);
  for (const auto& [method, steps] :
       std::vector<std::pair<const char*, int>>{{"hamel", 1000},
                                                {"hamel4", 400},
                                                {"variational", 1000},
                                                {"gauss", 15},
                                                {"gauss", 25},
                                                {"variational+kl8", 50},
                                                {"variational+kl8", 100},
                                                {"rk4", 1000}})
    benchmark::RegisterBenchmark(
        (std::string("to_t10/") + method + "/" + std::to_string(steps)).c_str(),
        [method, steps](benchmark::State& s) { to_ten(s, method, steps); });
  for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
    char name[80];
    std::snprintf(name, sizeof name, "to_t10/odeint_fehlberg78/%.0e", tolerance);
    benchmark::RegisterBenchmark(name, [tolerance](benchmark::State& s) {
      odeint_to_ten<odeint::runge_kutta_fehlberg78<State>>(s, tolerance);
    });
    std::snprintf(name, sizeof name, "to_t10/odeint_dopri5/%.0e", tolerance);
    benchmark::RegisterBenchmark(name, [tolerance](benchmark::State& s) {
      odeint_to_ten<odeint::runge_kutta_dopri5<State>>(s, tolerance);
    });
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (!all_agree()) return 1;
  register_all();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
