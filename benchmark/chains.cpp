// SPDX-License-Identifier: BSD-3-Clause
// Time per link and step of chains, from one link to a hundred thousand, beside Boost.Odeint with
// an O(n) right-hand side in the same run; the dense step beside an LU factorisation of its size.
// All must agree on the motion of ten links before anything is timed.
#include <benchmark/benchmark.h>

#include <boost/numeric/odeint.hpp>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "hamel/models/spheres_initial.hpp"
#include "hamel/runs/run.hpp"
#include "hamel/scenario/scenario.hpp"
#include "hamel/solve/dense.hpp"
#include "hamel/stepping/fields/chain_field.hpp"

namespace {

using namespace hamel;
namespace odeint = boost::numeric::odeint;

const Registry& registry() {
  static const Registry all = builtin_registry();
  return all;
}

/// n links of total length 1, moving, h n = 0.02.
double step_for(int n) { return 0.02 / n; }

io::Scenario chain(int n, double length) {
  return io::parse_scenario("[system]\nname = \"chain_pendulum\"\nn = " + std::to_string(n) +
                                "\nlength = " + std::to_string(length) + "\n",
                            "chain", {}, registry());
}

void count(benchmark::State& timer, int n, std::int64_t steps) {
  timer.counters["ns_per_step"] = benchmark::Counter(
      static_cast<double>(timer.iterations() * steps) * static_cast<double>(n) * 1e-9,
      benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void step_of(benchmark::State& timer, int n, const std::string& method) {
  const auto scenario = chain(n, 1.0 / n);
  const auto simulation =
      scenario.problem->simulate(MethodSpec::parse(method), {step_for(n), false, {}});
  const auto begin = simulation->snapshot();
  Block block;
  block.steps = std::max(1, 2000 / n);
  block.measure_every = 1 << 30;  // stepping alone
  for ([[maybe_unused]] auto _ : timer) {
    if (simulation->advance(block) != Status::ok) timer.SkipWithError("failed");
    timer.PauseTiming();
    simulation->restore(begin);
    timer.ResumeTiming();
  }
  count(timer, n, block.steps);
}

using State = std::vector<double>;

struct Peer {
  ChainField<double> field;
  State z;

  Peer(int n, double length) : field(links(n, length)) {
    const SpheresStart start = uniform_start(n, {1.0, 0.0, -1.0}, {0.4, 0.0, 0.4});
    field.start(start.q, start.v, z);
  }
  static SharedChain links(int n, double length) {
    Chain chain;
    chain.masses.assign(static_cast<std::size_t>(n), 1.0);
    chain.lengths.assign(static_cast<std::size_t>(n), length);
    return std::make_shared<const Chain>(std::move(chain));
  }
};

template <class Stepper>
void by_odeint(benchmark::State& timer, int n) {
  Peer peer(n, 1.0 / n);
  const auto rate = [&](const State& z, State& dz, double t) {
    peer.field(z.data(), t, nullptr, dz.data());
  };
  const std::int64_t steps = std::max(1, 2000 / n);
  for ([[maybe_unused]] auto _ : timer) {
    State z = peer.z;
    Stepper stepper;
    for (std::int64_t i = 0; i < steps; ++i) stepper.do_step(rate, z, 0.0, step_for(n));
    benchmark::DoNotOptimize(z);
  }
  count(timer, n, steps);
}

/// What one factorisation and solution of 2n equations costs.
void factorisation(benchmark::State& timer, int n) {
  const int size = 2 * n;
  std::minstd_rand random(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> matrix(static_cast<std::size_t>(size * size));
  for (double& x : matrix) x = uniform(random);
  std::vector<double> a = matrix;
  std::vector<double> x(static_cast<std::size_t>(size), 1.0);
  std::vector<int> pivot(static_cast<std::size_t>(size));
  for ([[maybe_unused]] auto _ : timer) {
    a = matrix;
    lu_factor(a.data(), size, pivot.data());
    lu_solve(a.data(), size, pivot.data(), x.data());
    benchmark::DoNotOptimize(x);
  }
  count(timer, n, 1);
}

bool all_agree() {
  // The tip of ten links of length 1 at t = 2, golden/chain_refs/n10_T2.txt.
  const auto scenario = chain(10, 1.0);
  const auto tip = [&](const std::vector<Quad>& q) {
    double x = 0.0;
    for (std::size_t i = 0; i < q.size(); i += 3) x += static_cast<double>(q[i]);
    return x;
  };
  const auto of = [&](const char* method, std::int64_t steps) {
    return tip(
        scenario.problem
            ->end_point(MethodSpec::parse(method), {}, 2.0, steps, Precision::double_precision)
            .q);
  };
  Peer peer(10, 1.0);
  State z = peer.z;
  odeint::runge_kutta_fehlberg78<State> stepper;
  for (int i = 0; i < 400; ++i)
    stepper.do_step(
        [&](const State& x, State& dx, double t) { peer.field(x.data(), t, nullptr, dx.data()); },
        z, 0.0, 0.005);
  double by_peer = 0.0;
  for (std::size_t i = 0; i < 30; i += 3) by_peer += z[i];
  bool good = true;
  const auto check = [&](const char* what, double value, double allowed) {
    const double error = std::fabs(value - by_peer);
    if (error <= allowed) return;
    std::fprintf(stderr, "%s disagrees: %.2e > %.0e\n", what, error, allowed);
    good = false;
  };
  check("variational+kl8", of("variational+kl8", 400), 1e-11);
  check("gauss", of("gauss", 200), 1e-11);
  check("hamel+kl6", of("hamel+kl6", 400), 1e-7);
  return good;
}

void register_all() {
  const auto add = [](const std::string& name, auto run) {
    benchmark::RegisterBenchmark(("step/" + name).c_str(), run);
  };
  for (const int n : {1, 10, 100, 1000, 10000, 100000}) {
    const std::string links = "n = " + std::to_string(n) + " ";
    add(links + "variational", [n](benchmark::State& s) { step_of(s, n, "variational"); });
    if (n > 1000) continue;
    for (const char* method : {"hamel", "gauss", "rk4", "fehlberg78"})
      add(links + method, [n, method](benchmark::State& s) { step_of(s, n, method); });
    add(links + "odeint rk4",
        [n](benchmark::State& s) { by_odeint<odeint::runge_kutta4<State>>(s, n); });
    add(links + "odeint fehlberg78",
        [n](benchmark::State& s) { by_odeint<odeint::runge_kutta_fehlberg78<State>>(s, n); });
  }
  for (const int n : {2, 20}) {
    const std::string links = "n = " + std::to_string(n) + " ";
    add(links + "variational(solver=dense)",
        [n](benchmark::State& s) { step_of(s, n, "variational(solver=dense)"); });
    add(links + "LU of its size", [n](benchmark::State& s) { factorisation(s, n); });
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
