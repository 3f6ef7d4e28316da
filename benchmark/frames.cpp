// SPDX-License-Identifier: BSD-3-Clause
// Time per step in frames: systems of the catalogue, the sleigh given as text, the same Hamel step
// of the sleigh written by hand (equations, Newton matrix and LU of fixed size), and Boost.Odeint
// on the sleigh's equations in the same run. All of them must agree before anything is timed.
#include <benchmark/benchmark.h>

#include <array>
#include <boost/numeric/odeint.hpp>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>

#include "hamel/core/vec.hpp"
#include "hamel/runs/run.hpp"
#include "hamel/scenario/scenario.hpp"
#include "hamel/solve/linear.hpp"

namespace {

using namespace hamel;
namespace odeint = boost::numeric::odeint;

constexpr double h = 0.1;
constexpr int block_steps = 200;  // t = 20; later the sleigh's turning underflows

const char* const text_sleigh = R"toml([system]
coordinates = ["x", "y", "theta"]
parameters = { m = 1.0, I = 1.0, a = 0.5 }
lagrangian = "m/2*((x_dot - a*sin(theta)*theta_dot)^2 + (y_dot + a*cos(theta)*theta_dot)^2) + I/2*theta_dot^2"
frame = [["cos(theta)", "sin(theta)", "0"], ["0", "0", "1"]]
[initial]
q = [0, 0, 0]
xi = [-0.8, 0.3]
)toml";

const Problem& problem(const std::string& system) {
  static const Registry registry = builtin_registry();
  static std::map<std::string, io::Scenario> known;
  const auto found = known.find(system);
  if (found != known.end()) return *found->second.problem;
  const std::string text =
      system == "text_sleigh" ? text_sleigh : "[system]\nname = \"" + system + "\"\n";
  return *known.emplace(system, io::parse_scenario(text, system, {}, registry))
              .first->second.problem;
}

/// Hamel's step of the sleigh, m = I = 1, a = ½: μ = (ξ1, 5/4 ξ2), F = (½ ξ2², −½ ξ1 ξ2).
struct HandWritten {
  double q[3] = {0, 0, 0};
  double p[2] = {-0.8, 0.375};
  double xi[2] = {-0.8, 0.3};

  bool step() {
    double y[5] = {q[0], q[1], q[2], xi[0], xi[1]};
    for (int k = 0; k < 20; ++k) {
      const double s = std::sin(y[2]);
      const double c = std::cos(y[2]);
      Vec<double, 5> r{{y[0] - q[0] - h / 2 * c * y[3], y[1] - q[1] - h / 2 * s * y[3],
                        y[2] - q[2] - h / 2 * y[4], y[3] - h / 4 * y[4] * y[4] - p[0],
                        1.25 * y[4] + h / 4 * y[3] * y[4] - p[1]}};
      const Mat<double, 5, 5> J{{{1, 0, h / 2 * s * y[3], -h / 2 * c, 0},
                                 {0, 1, -h / 2 * c * y[3], -h / 2 * s, 0},
                                 {0, 0, 1, 0, -h / 2},
                                 {0, 0, 0, 1, -h / 2 * y[4]},
                                 {0, 0, 0, h / 4 * y[4], 1.25 + h / 4 * y[3]}}};
      const Vec<double, 5> d = solve(J, r);
      double size = 0;
      for (int i = 0; i < 5; ++i) {
        y[i] -= d[i];
        size = std::fmax(size, std::fabs(d[i]));
      }
      if (size < 1e-9) {  // the next correction would be below round-off
        q[0] += h * std::cos(y[2]) * y[3];
        q[1] += h * std::sin(y[2]) * y[3];
        q[2] += h * y[4];
        p[0] += h / 2 * y[4] * y[4];
        p[1] -= h / 2 * y[3] * y[4];
        xi[0] = y[3];
        xi[1] = y[4];
        return true;
      }
    }
    return false;
  }
};

using State = std::array<double, 5>;  // x, y, θ, v, ω
void rate(const State& z, State& dz, double) {
  dz = {z[3] * std::cos(z[2]), z[3] * std::sin(z[2]), z[4], 0.5 * z[4] * z[4],
        -0.5 * z[3] * z[4] / 1.25};
}

void count(benchmark::State& timer) {
  timer.counters["ns_per_step"] =
      benchmark::Counter(static_cast<double>(timer.iterations() * block_steps) * 1e-9,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void step_of(benchmark::State& timer, const std::string& system, const std::string& method) {
  const auto simulation = problem(system).simulate(MethodSpec::parse(method), {h, false, {}});
  const auto begin = simulation->snapshot();
  Block block;
  block.steps = block_steps;
  block.measure_every = 1 << 30;  // stepping alone
  for ([[maybe_unused]] auto _ : timer) {
    simulation->restore(begin);
    if (simulation->advance(block) != Status::ok) timer.SkipWithError("failed");
  }
  count(timer);
}

void by_hand(benchmark::State& timer) {
  for ([[maybe_unused]] auto _ : timer) {
    HandWritten sleigh;
    for (int i = 0; i < block_steps; ++i) sleigh.step();
    benchmark::DoNotOptimize(sleigh);
  }
  count(timer);
}

template <class Stepper>
void by_odeint(benchmark::State& timer) {
  for ([[maybe_unused]] auto _ : timer) {
    State z = {0, 0, 0, -0.8, 0.3};
    Stepper stepper;
    for (int i = 0; i < block_steps; ++i) stepper.do_step(rate, z, i * h, h);
    benchmark::DoNotOptimize(z);
  }
  count(timer);
}

bool all_agree() {
  bool good = true;
  const auto check = [&](const char* what, double error, double allowed) {
    if (error <= allowed) return;
    std::fprintf(stderr, "%s disagrees: %.2e > %.0e\n", what, error, allowed);
    good = false;
  };
  const auto end = [](const char* system, const char* method) {
    return problem(system)
        .end_point(MethodSpec::parse(method), {}, h * block_steps, block_steps,
                   Precision::double_precision)
        .q;
  };
  const auto distance = [](const auto& a, const auto& b) {
    double worst = 0;
    for (std::size_t i = 0; i < 3; ++i)
      worst = std::fmax(worst, std::fabs(static_cast<double>(Quad(a[i]) - Quad(b[i]))));
    return worst;
  };
  const auto compiled = end("chaplygin_sleigh", "hamel");
  HandWritten hand;
  for (int i = 0; i < block_steps; ++i) good = hand.step() && good;
  check("the sleigh by hand", distance(compiled, hand.q), 1e-12);
  check("the sleigh as text", distance(compiled, end("text_sleigh", "hamel")), 1e-12);
  State z = {0, 0, 0, -0.8, 0.3};
  odeint::runge_kutta_fehlberg78<State> stepper;
  for (int i = 0; i < block_steps; ++i) stepper.do_step(rate, z, i * h, h);
  check("odeint", distance(end("chaplygin_sleigh", "gauss"), z), 1e-9);
  return good;
}

void register_all() {
  const std::pair<const char*, std::vector<const char*>> cases[] = {
      {"chaplygin_sleigh",
       {"hamel", "hamel(frame=kinetic)", "hamel+kl6", "dla", "gauss", "rk4", "fehlberg78"}},
      {"text_sleigh", {"hamel", "dla", "rk4"}},
      {"lynch_zenkov", {"hamel", "dla"}},
      {"euler_top", {"hamel", "gauss", "rk4"}},
      {"suslov", {"hamel"}},
      {"heavy_top", {"hamel"}}};
  for (const auto& [system, methods] : cases)
    for (const char* method : methods)
      benchmark::RegisterBenchmark((std::string("step/") + system + " " + method).c_str(),
                                   [system = std::string(system), method = std::string(method)](
                                       benchmark::State& s) { step_of(s, system, method); });
  benchmark::RegisterBenchmark("step/chaplygin_sleigh hamel by hand", by_hand);
  benchmark::RegisterBenchmark("step/chaplygin_sleigh odeint rk4",
                               by_odeint<odeint::runge_kutta4<State>>);
  benchmark::RegisterBenchmark("step/chaplygin_sleigh odeint fehlberg78",
                               by_odeint<odeint::runge_kutta_fehlberg78<State>>);
}

}  // namespace

int main(int argc, char** argv) {
  if (!all_agree()) return 1;
  register_all();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
