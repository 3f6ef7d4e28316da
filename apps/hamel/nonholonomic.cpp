// SPDX-License-Identifier: BSD-3-Clause
// Measurements of the nonholonomic comparison; nonholonomic_report.cpp shows them.
#include "nonholonomic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "console.hpp"
#include "hamel/core/error.hpp"
#include "hamel/core/stopwatch.hpp"
#include "parallel.hpp"
#include "summary.hpp"

namespace hamel::app {

namespace {

constexpr std::int64_t samples = 10000;
constexpr std::int64_t chord_steps = 1000;
constexpr double watched = 200.0;  // s, near a relative equilibrium
constexpr double disturbance = 1e-6;

/// Gauss methods of s stages cost s steps of the others.
double step_factor(const MethodSpec& spec, const Problem& problem) {
  return spec.name == "gauss" ? problem.claims(spec).order / 2.0 : 1.0;
}

std::size_t offset_of(const Simulation& simulation, std::string_view path) {
  std::size_t offset = 0;
  for (const auto& column : simulation.columns()) {
    if (column.path == path) return offset;
    offset += static_cast<std::size_t>(column.width);
  }
  throw NumericalError("no column " + std::string(path));
}

std::vector<double> quasi_velocities(const Simulation& simulation) {
  for (const auto& part : simulation.state())
    if (part.field.name == "xi") return part.values;
  return {};
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::fmax(largest, std::fabs(a[i] - b[i]));
  return largest;
}

std::unique_ptr<Simulation> simulation_of(const io::Scenario& s, const MethodSpec& spec,
                                          double step) {
  IntegrationOptions options = s.integration;
  options.step = step;
  return s.problem->simulate(spec, options);
}

/// ξ(t) − ξ(0), largest, from the scenario's start.
double departure(const io::Scenario& s, const MethodSpec& spec, double step) {
  const auto simulation = simulation_of(s, spec, step);
  const std::vector<double> begin = quasi_velocities(*simulation);
  double largest = 0.0;
  while (simulation->time() < watched) {
    Block block;
    block.steps = 16;
    block.measure_every = 1 << 20;
    if (simulation->advance(block) != Status::ok) return HUGE_VAL;
    largest = std::fmax(largest, distance(quasi_velocities(*simulation), begin));
  }
  return largest;
}

/// The rate at which the changes of ξ from step to step grow, between the first and the last
/// quarter of the time. Changes, because where equilibria come in families a disturbance also leads
/// from one to the next.
double growth_rate(const io::Scenario& disturbed, const MethodSpec& spec, double step) {
  const auto simulation = simulation_of(disturbed, spec, step);
  std::vector<double> last = quasi_velocities(*simulation);
  double early = 0.0;
  double late = 0.0;
  while (simulation->time() < watched) {
    Block block;
    block.steps = 1;
    block.measure_every = 1 << 20;
    if (simulation->advance(block) != Status::ok) return HUGE_VAL;
    const std::vector<double> now = quasi_velocities(*simulation);
    const double change = distance(now, last);
    const double t = simulation->time() / watched;
    if (t < 0.25) early = std::fmax(early, change);
    if (t >= 0.75) late = std::fmax(late, change);
    last = now;
  }
  constexpr double round_off = 1e-14;  // nothing moves: neither grows nor fades
  if (early <= round_off && late <= round_off) return 0.0;
  return std::log(std::fmax(late, round_off) / std::fmax(early, round_off)) / (0.75 * watched);
}

struct Job {
  const io::Scenario* scenario = nullptr;
  const io::Scenario* equilibrium = nullptr;
  const io::Scenario* disturbed = nullptr;
  MethodSpec spec;
  MethodStudy* result = nullptr;
};

void study(const Job& job, std::int64_t steps, std::atomic<std::int64_t>& done) {
  MethodStudy& out = *job.result;
  const Problem& problem = *job.scenario->problem;
  out.method = job.spec.text;
  out.step = job.scenario->integration.step * step_factor(job.spec, problem);
  const auto simulation = simulation_of(*job.scenario, job.spec, out.step);
  const std::size_t energy = offset_of(*simulation, "/invariants/energy");
  const auto width = static_cast<std::size_t>(simulation->row_width());
  const double initial = simulation->invariants().front().initial;
  const double scale = initial != 0.0 ? std::fabs(initial) : 1.0;
  std::vector<double> row(width);
  const std::int64_t every = std::max<std::int64_t>(1, steps / samples);
  Stopwatch watch;
  while (simulation->step_count() < steps && !interrupted()) {
    Block block;
    block.steps = every;
    block.measure_every = simulation->suggested_measure_every();
    out.status = simulation->advance(block);
    done += every;
    if (out.status != Status::ok) break;
    simulation->write_row(row.data());
    out.t.push_back(simulation->time());
    out.error.push_back((row[energy] - initial) / scale);
  }
  const double seconds = watch.seconds();
  out.steps = simulation->step_count();
  if (interrupted()) return;
  out.cost = seconds / simulation->time();
  if (out.status != Status::ok)
    out.trouble = fmt::format("failed at step {}: {}", out.steps + 1, simulation->failure());
  out.energy = trend_of(out.error);
  if (out.t.size() > 1) {
    const double apart = out.t[1] - out.t[0];
    out.energy.slope /= apart;
    out.energy.error /= apart;
  }
  for (const auto& drift : simulation->invariants())
    if (drift.info.name != "energy")
      out.others.emplace_back(drift.info.name, relative_drift(drift));
    else  // also between the samples
      out.energy.largest = drift.max_drift / scale;
  IntegrationOptions options = job.scenario->integration;
  options.step = out.step;
  try {
    out.chord = problem.chord_defect(job.spec, options, chord_steps);
  } catch (const InputError&) {  // its constraints cannot be written as one-forms: nothing to show
    out.chord = std::nullopt;
  }
  if (job.equilibrium != nullptr) {
    const double h = job.equilibrium->integration.step * out.step / job.scenario->integration.step;
    out.equilibrium = departure(*job.equilibrium, job.spec, h);
    out.growth = growth_rate(*job.disturbed, job.spec, h);
  }
}

io::Scenario parsed(const EmbeddedScenario& given, const Registry& registry,
                    std::vector<std::string> changes = {}) {
  io::Overrides overrides;
  overrides.set = std::move(changes);
  return io::parse_scenario(given.text, given.name, overrides, registry);
}

/// What the scenario's first line, a comment, says of it, without the full stop.
std::string about_of(const EmbeddedScenario& given) {
  const std::string text = given.text;
  std::string about = text.substr(2, text.find('\n') - 2);
  if (about.ends_with('.')) about.pop_back();
  return about;
}

/// The scenario with ξ a little off.
io::Scenario disturbed_scenario(const EmbeddedScenario& given, const Registry& registry) {
  const io::Scenario s = parsed(given, registry);
  const auto simulation = s.problem->simulate(s.methods.front(), s.integration);
  std::vector<double> xi = quasi_velocities(*simulation);
  for (std::size_t i = 0; i < xi.size(); ++i)
    xi[i] += disturbance * (i % 2 == 0 ? 1.0 : -0.7) / static_cast<double>(i + 1);
  return parsed(given, registry, {fmt::format("initial.xi=[{:.17g}]", fmt::join(xi, ", "))});
}

}  // namespace

const char* stability_of(double growth) {
  const double total = growth * 0.75 * watched;
  constexpr double doubling = std::numbers::ln2;
  return total > doubling ? "unstable" : total < -doubling ? "attracting" : "neutral";
}

std::optional<std::vector<SystemStudy>> study_nonholonomic(const Registry& registry,
                                                           std::int64_t steps, bool quiet) {
  constexpr std::string_view suffix = "_equilibrium";
  std::vector<SystemStudy> studies;
  std::vector<std::unique_ptr<io::Scenario>> scenarios;
  std::vector<Job> jobs;
  const auto& all = nonholonomic_scenarios();
  const auto keep = [&](io::Scenario s) {
    return scenarios.emplace_back(std::make_unique<io::Scenario>(std::move(s))).get();
  };
  for (const auto& given : all) {
    const std::string name = given.name;
    if (name.ends_with(suffix)) continue;
    const io::Scenario* scenario = keep(parsed(given, registry));
    const io::Scenario* equilibrium = nullptr;
    const io::Scenario* disturbed = nullptr;
    for (const auto& other : all)
      if (other.name == name + std::string(suffix)) {
        equilibrium = keep(parsed(other, registry));
        disturbed = keep(disturbed_scenario(other, registry));
      }
    SystemStudy study{
        name, about_of(given), scenario->integration.step, equilibrium != nullptr, {}};
    study.methods.resize(scenario->methods.size());
    studies.push_back(std::move(study));
    for (const auto& spec : scenario->methods)
      jobs.push_back({scenario, equilibrium, disturbed, spec, nullptr});
  }
  std::size_t at = 0;
  for (auto& study : studies)
    for (auto& method : study.methods) jobs[at++].result = &method;

  std::atomic<std::int64_t> done = 0;
  {
    Progress progress("nonholonomic", steps * static_cast<std::int64_t>(jobs.size()), quiet);
    Stopwatch watch;
    in_parallel(
        jobs.size(),
        [&](std::size_t k) {
          try {
            study(jobs[k], steps, done);
          } catch (const std::exception& error) {
            jobs[k].result->trouble = error.what();
          }
        },
        [&] { progress.update(done, watch.seconds()); });
  }
  if (interrupted()) return std::nullopt;
  return studies;
}

}  // namespace hamel::app
