// SPDX-License-Identifier: BSD-3-Clause
// hamel equilibria: relative equilibria, their families, and their stability for each method.
#include "equilibria.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "commands.hpp"
#include "console.hpp"
#include "execute.hpp"
#include "hamel/core/error.hpp"
#include "hamel/core/stopwatch.hpp"
#include "hamel/scenario/result.hpp"

namespace hamel::app {

namespace {

constexpr int drawn_points = 41;  // where nobody said how many
constexpr std::string_view of_system = "system.";

bool varies_system(const std::string& name) { return name.starts_with(of_system); }

/// The finder at the scenario's own parameters, or at others.
class Finders {
 public:
  Finders(const Options& options, const Registry& registry, const io::ScenarioFile& file,
          const io::Scenario& scenario)
      : options_(options),
        file_(file),
        registry_(registry),
        step_(scenario.integration.step),
        own_(*scenario.problem, step_) {
    own_.stop_when(&interrupted());
  }

  EquilibriumFinder& own() { return own_; }

  /// With KEY=value set.
  EquilibriumFinder& at(const std::string& key, double value) {
    if (!other_ || value != value_) {
      io::Overrides overrides = options_.overrides;
      overrides.set.push_back(fmt::format("{}={:.17e}", key, value));
      other_.reset();
      scenario_ = io::load_scenario(file_, overrides, registry_);
      other_ = std::make_unique<EquilibriumFinder>(*scenario_.problem, step_);
      other_->stop_when(&interrupted());
      value_ = value;
    }
    return *other_;
  }

 private:
  const Options& options_;
  const io::ScenarioFile& file_;
  const Registry& registry_;
  double step_;
  EquilibriumFinder own_;
  io::Scenario scenario_;
  std::unique_ptr<EquilibriumFinder> other_;
  double value_ = 0.0;
};

/// Of a key such as system.length, where it can be told.
double present_value(const io::Scenario& scenario, const std::string& key, double otherwise) {
  const std::string name = key.substr(key.rfind('.') + 1);
  const auto found = scenario.parameters.numbers.find(name);
  if (found != scenario.parameters.numbers.end()) return found->second;
  if (scenario.text_system)
    for (const auto& [parameter, value] : scenario.text_system->parameters)
      if (parameter == name) return value;
  return otherwise;
}

EquilibriumFamily followed(const Along& along, const ReducedState& guess, double begin,
                           Finders& finders, const std::vector<MethodSpec>& methods,
                           const char* label, bool quiet) {
  FamilyPlan plan;
  for (int i = 0; i < along.count; ++i)
    plan.values.push_back(along.count == 1
                              ? along.from
                              : along.from + (along.to - along.from) * i / (along.count - 1));
  plan.begin = begin;
  plan.methods = methods;
  if (varies_system(along.name)) {
    plan.finder = [&](double value) -> EquilibriumFinder& { return finders.at(along.name, value); };
  } else {
    plan.component = along.name;
    plan.finder = [&](double) -> EquilibriumFinder& { return finders.own(); };
  }
  Progress progress(label, along.count, quiet, "equilibria");
  Stopwatch watch;
  plan.go_on = [&](std::size_t done) {
    progress.update(static_cast<std::int64_t>(done), watch.seconds());
    return !interrupted();
  };
  return follow(plan, guess);
}

/// The range that is drawn where none is given: through rest to the opposite motion; of a turning
/// rate, which has no such passage, half and double.
Along default_range(const std::string& name, double value) {
  if (std::fabs(value) < 1e-6) return {name, -1.0, 1.0, drawn_points};
  if (name == "Omega" || varies_system(name)) return {name, 0.5 * value, 2.0 * value, drawn_points};
  return {name, -std::fabs(value), std::fabs(value), drawn_points};
}

/// What a family is followed along by itself: the turning rate, else its fastest velocity, else
/// what changes most. Components on spheres would be of one turn of the picture among many.
std::optional<std::string> natural_parameter(const Equilibrium& at, bool spheres) {
  std::optional<std::string> best;
  double most = 0.0;
  for (const bool velocities : {true, false}) {
    for (const auto& [name, change] : at.tangent) {
      const bool velocity = name == "Omega" || name.starts_with("xi");
      if (velocity == velocities && (!spheres || name == "Omega") && change > 0.1 &&
          change > most * (1 + 1e-9)) {
        best = name;
        most = change;
      }
    }
    if (best) break;
  }
  return best;
}

Along range_asked_for(const Options& options, const std::string& name, double value) {
  if (options.from.has_value() != options.to.has_value())
    throw InputError("--from and --to go together");
  Along along = default_range(name, value);
  if (options.from) {
    along.from = *options.from;
    along.to = *options.to;
    if (!(along.from < along.to))
      throw InputError(fmt::format("--from {:g} is not below --to {:g}", along.from, along.to));
    along.count = 61;
  }
  if (options.count) along.count = *options.count;
  return along;
}

/// Points that take no longer than a reader waits, given the time of one; none for very few.
int affordable_points(double seconds) {
  constexpr double patience = 20.0;
  constexpr int least = 9;
  const double count = patience / std::fmax(seconds, 1e-3);
  return count < least ? 0 : static_cast<int>(std::fmin(count, drawn_points));
}

void find_one(EquilibriaFindings& out, Finders& finders, const std::vector<MethodSpec>& methods,
              bool draw, bool quiet) {
  EquilibriumFinder& finder = finders.own();
  Equilibrium found = finder.find(finder.start());
  Stopwatch watch;
  finder.study(found, methods);
  const double seconds = watch.seconds();
  if (const auto name = natural_parameter(found, out.spheres); draw && name && !interrupted()) {
    const double value = finder.value(*name, found.state);
    Along along = default_range(*name, value);
    if (along.from > along.to) std::swap(along.from, along.to);
    along.count = affordable_points(2 * seconds);  // one for the search
    try {
      if (along.count > 0) {
        out.drawn = followed(along, found.state, value, finders, methods, "family", quiet);
        out.drawn_along = along;
      } else {
        note(fmt::format("no figure: the family takes long to follow; --along {} does it", *name),
             quiet);
      }
    } catch (const NumericalError&) {  // no family to draw after all
      out.drawn = {};
    }
  }
  out.equilibria.push_back(std::move(found));
}

void find_family(EquilibriaFindings& out, const Options& options, const io::Scenario& scenario,
                 Finders& finders, const std::vector<MethodSpec>& methods) {
  EquilibriumFinder& finder = finders.own();
  const std::string name = options.along.value_or("");
  const bool system = varies_system(name);
  if (!system) finder.check_component(name);
  const ReducedState start = finder.start();
  const double value = system ? present_value(scenario, name, options.from.value_or(1.0))
                              : finder.value(name, start);
  out.along = range_asked_for(options, name, value);
  if (out.along.from > out.along.to) std::swap(out.along.from, out.along.to);
  // A guess that already is an equilibrium leads along the family from its first step on.
  ReducedState guess = start;
  double begin = value;
  try {
    guess = finder.find(start).state;
    if (!system) begin = finder.value(name, guess);
  } catch (const NumericalError&) {  // there may be one at other values
    guess = start;
  }
  const bool quiet = options.quiet || options.json;
  EquilibriumFamily family =
      followed(out.along, guess, begin, finders, methods, "equilibria", quiet);
  out.values = family.values;
  out.equilibria = family.points;
  out.ends = family.ends;
  out.drawn_along = out.along;
  out.drawn = std::move(family);
}

void find_all(EquilibriaFindings& out, Finders& finders, const std::vector<MethodSpec>& methods,
              bool quiet) {
  EquilibriumFinder& finder = finders.own();
  std::vector<ReducedState> starts = finder.starts();
  if (!out.spheres) starts.insert(starts.begin(), finder.start());
  const auto apart = [&](const Equilibrium& a, const Equilibrium& b) {
    double largest = 0.0;
    for (const auto& name : finder.components())
      largest =
          std::fmax(largest, std::fabs(finder.value(name, a.state) - finder.value(name, b.state)));
    return largest;
  };
  Progress progress("equilibria", static_cast<std::int64_t>(starts.size()), quiet, "starts");
  Stopwatch watch;
  std::size_t done = 0;
  int failed = 0;
  for (const ReducedState& start : starts) {
    if (interrupted()) return;
    progress.update(static_cast<std::int64_t>(done++), watch.seconds());
    try {
      Equilibrium found = finder.find(start);
      if (std::ranges::any_of(out.equilibria,
                              [&](const Equilibrium& e) { return apart(e, found) < 1e-8; }))
        continue;
      finder.study(found, methods);
      if (found.family > 0)
        throw InputError(fmt::format(
            "equilibria come in families here ({}-dimensional at the first one found), which "
            "cannot all be listed; --along NAME follows one",
            found.family));
      out.equilibria.push_back(std::move(found));
    } catch (const NumericalError&) {
      ++failed;
    }
  }
  if (failed > 0) note(fmt::format("{} of {} starts led nowhere", failed, starts.size()), quiet);
  if (out.equilibria.empty()) throw NumericalError("no relative equilibrium found from any start");
}

}  // namespace

int equilibria_command(const Options& options, const Registry& registry) {
  if (options.out && *options.out != "none")
    throw InputError("equilibria draws into results/SCENARIO; --out can only be none");
  if (!options.along && (options.from || options.to || options.count))
    throw InputError("--from, --to and --count need --along NAME");
  if (options.along && options.all) throw InputError("--all and --along exclude each other");
  const io::ScenarioFile file = io::read_scenario_file(options.files.front());
  const io::Scenario scenario = io::load_scenario(file, options.overrides, registry);
  for (const auto& text : scenario.notes) note(text, options.quiet);
  install_interrupt_handler();

  Finders finders(options, registry, file, scenario);
  std::vector<MethodSpec> methods;
  for (const MethodSpec& method : scenario.methods) {
    if (scenario.problem->claims(method).adaptive)
      note(method.text + " adapts its steps and has no multipliers: left out", options.quiet);
    else
      methods.push_back(method);
  }
  EquilibriaFindings found;
  found.system = scenario.system->name;
  found.step = scenario.integration.step;
  const PhaseSpace phase = scenario.problem->phase_space();
  found.spheres = phase.spheres > 0;
  found.coordinates = phase.coordinates;
  found.cyclic = finders.own().space().cyclic();
  for (const auto& axis : finders.own().space().axes()) {
    auto& into = found.axes.emplace_back();
    for (const Quad& x : axis) into.push_back(static_cast<double>(x));
  }
  const bool quiet = options.quiet || options.json;
  try {
    if (options.all) {
      found.kind = EquilibriaFindings::Kind::all;
      find_all(found, finders, methods, quiet);
    } else if (options.along) {
      found.kind = EquilibriaFindings::Kind::family;
      find_family(found, options, scenario, finders, methods);
    } else {
      find_one(found, finders, methods, !options.out, quiet);
    }
  } catch (const NumericalError&) {
    if (!interrupted()) throw;
  }
  if (interrupted()) {
    note("interrupted");
    return exit_interrupted;
  }

  std::vector<std::filesystem::path> figures;
  std::string no_figures;
  if (!options.out && found.drawn.points.size() > 1) {
    try {
      figures = draw_equilibria(found, results_folder(scenario.name));
    } catch (const IoError& error) {
      no_figures = error.what();
    }
  }
  if (options.json) {
    nlohmann::ordered_json json = equilibria_json(found);
    json["figures"] = nlohmann::ordered_json::array();
    for (const auto& path : figures) json["figures"].push_back(path.string());
    fmt::print("{}\n", io::json_text(json));
  } else {
    print_equilibria(found);
    std::string names;
    for (const auto& path : figures)
      if (path.extension() == ".png") names += (names.empty() ? "" : ", ") + path.string();
    if (!names.empty())
      fmt::print("\n{}",
                 wrapped(fmt::format("figures: {} (also .svg), along {} from {:.4g} to {:.4g}",
                                     names, found.drawn_along.name, found.drawn.values.front(),
                                     found.drawn.values.back()),
                         0, 2));
  }
  for (const auto& end : found.ends) note(end, options.quiet);
  if (!no_figures.empty()) note("no figure: " + no_figures);
  return no_figures.empty() ? exit_ok : exit_io;
}

}  // namespace hamel::app
