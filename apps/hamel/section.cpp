// SPDX-License-Identifier: BSD-3-Clause
// hamel section: Poincaré sections.
#include "hamel/studies/section.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "commands.hpp"
#include "console.hpp"
#include "execute.hpp"
#include "hamel/core/error.hpp"
#include "hamel/core/stopwatch.hpp"
#include "hamel/figures/figures.hpp"
#include "hamel/files/files.hpp"
#include "hamel/scenario/result.hpp"

namespace hamel::app {

namespace {

using Json = nlohmann::ordered_json;

/// Two formulas, split at the comma outside of parentheses.
std::vector<std::string> split_axes(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else if (c != ' ' || !parts.back().empty())
      parts.back() += c;
  }
  if (parts.size() != 2)
    throw InputError("--axes '" + clipped(text) + "': two formulas are needed, e.g. 'y, xi2'");
  return parts;
}

/// The words of a formula.
std::set<std::string> words_of(const std::string& text) {
  std::set<std::string> words;
  std::string word;
  for (const char c : text + " ") {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
      word += c;
    } else {
      words.insert(word);
      word.clear();
    }
  }
  return words;
}

/// The first part of q that the plane does not name, and a velocity that moves it.
std::vector<std::string> default_axes(const PhaseSpace& space, const std::string& plane) {
  const auto names = phase_names(space);
  const std::size_t half = space.spheres > 0 ? names.size() / 2 : space.coordinates.size();
  const auto used = words_of(plane);
  std::size_t i = 0;
  while (i + 1 < half && used.contains(names[i])) ++i;
  // q1' = omega2 q3 - omega3 q2, and so on
  const std::size_t turned = i - i % 3 + (i % 3 == 0 ? 1 : 0);
  const std::size_t velocity = space.spheres > 0 ? turned : std::min(i, names.size() - half - 1);
  return {names[i], names[half + velocity]};
}

struct Section {
  std::vector<std::string> names;         // of a row
  std::vector<std::vector<double>> rows;  // t, direction, z, invariants
  std::vector<std::string> axes;
  std::vector<double> x, y;
};

Section table_of(const io::Scenario& scenario, const SectionOutcome& outcome,
                 const std::vector<std::string>& axes) {
  const PhaseSpace space = scenario.problem->phase_space();
  Section section{{"t", "direction"}, {}, axes, {}, {}};
  for (const auto& name : phase_names(space)) section.names.push_back(name);
  const InvariantMap invariants = scenario.problem->invariant_map();
  const auto simulation = scenario.problem->simulate(scenario.method, scenario.integration);
  for (const auto& drift : simulation->invariants()) section.names.push_back(drift.info.name);
  PhaseFunction x(axes[0], space);
  PhaseFunction y(axes[1], space);
  for (const Crossing& crossing : outcome.crossings) {
    std::vector<double> row = {crossing.t, static_cast<double>(crossing.direction)};
    row.insert(row.end(), crossing.z.begin(), crossing.z.end());
    std::vector<double> values;
    invariants(crossing.z, values);
    row.insert(row.end(), values.begin(), values.end());
    row.resize(section.names.size(), std::nan(""));
    section.rows.push_back(std::move(row));
    section.x.push_back(x(crossing.z.data()));
    section.y.push_back(y(crossing.z.data()));
  }
  return section;
}

void write_csv(const std::filesystem::path& path, const Section& section) {
  std::string text = fmt::format("{}\n", fmt::join(section.names, ","));
  for (const auto& row : section.rows) text += fmt::format("{:.17g}\n", fmt::join(row, ","));
  io::write_file(path, text);
}

io::LinePlot figure_of(const io::Scenario& scenario, const Section& section,
                       const std::string& plane) {
  io::LinePlot plot;
  plot.stem = "section";
  plot.title = fmt::format("{}: section {} = 0", scenario.system->name, plane);
  plot.x_label = section.axes[0];
  plot.y_label = section.axes[1];
  plot.scatter = true;
  plot.curves.push_back({scenario.method.text, section.x, section.y});
  plot.note = fmt::format("{} passages until t = {:.6g} s, step {:.4g} s.", section.rows.size(),
                          scenario.until(), scenario.integration.step);
  return plot;
}

int direction_of(const std::string& text) { return text == "down" ? -1 : text == "both" ? 0 : 1; }

}  // namespace

int section_command(const Options& options, const Registry& registry) {
  if (options.out && *options.out != "none")
    throw InputError("section writes into results/SCENARIO; --out can only be none");
  const io::Scenario scenario =
      io::load_scenario(options.files.front(), options.overrides, registry);
  for (const auto& text : scenario.notes) note(text, options.quiet);
  const PhaseSpace space = scenario.problem->phase_space();
  PhaseFunction plane(options.plane, space);
  const auto axes = options.axes ? split_axes(*options.axes) : default_axes(space, options.plane);
  for (const auto& axis : axes) PhaseFunction check(axis, space);
  install_interrupt_handler();

  SectionPlan plan{scenario.steps, direction_of(options.direction), &interrupted(), {}};
  SectionOutcome outcome;
  {
    Progress progress(scenario.method.text, scenario.steps, options.quiet);
    Stopwatch watch;
    plan.progress = [&](std::int64_t step) { progress.update(step, watch.seconds()); };
    outcome = find_crossings(*scenario.problem, scenario.method, scenario.integration, plane, plan);
  }
  const Section section = table_of(scenario, outcome, axes);
  std::vector<std::filesystem::path> files;
  if (!options.out && !section.rows.empty()) {
    const auto folder = results_folder(scenario.name);
    files.push_back(folder / "section.csv");
    write_csv(files.back(), section);
    for (const auto& path : io::draw(folder, figure_of(scenario, section, options.plane)))
      files.push_back(path);
  }
  if (options.json) {
    Json json = {{"format_version", 1},
                 {"system", scenario.system->name},
                 {"method", scenario.method.text},
                 {"step", scenario.integration.step},
                 {"steps", scenario.steps},
                 {"steps_done", outcome.steps},
                 {"status", to_string(outcome.status)},
                 {"plane", options.plane},
                 {"direction", options.direction},
                 {"axes", axes},
                 {"names", section.names},
                 {"crossings", Json::array()},
                 {"files", Json::array()}};
    for (const auto& row : section.rows) {
      Json numbers = Json::array();
      for (const double x : row) numbers.push_back(io::finite_or_null(x));
      json["crossings"].push_back(std::move(numbers));
    }
    for (const auto& file : files) json["files"].push_back(file.string());
    fmt::print("{}\n", io::json_text(json));
  } else {
    fmt::print("{}, method {}: {} = 0 passed {} times ({}) in {} steps of {} s\n",
               scenario.system->name, scenario.method.text, options.plane, section.rows.size(),
               options.direction, outcome.steps, scenario.integration.step);
    for (const auto& file : files) fmt::print("{}\n", file.string());
  }
  if (outcome.status != Status::ok)
    note(fmt::format("stopped after {} of {} steps: {}", outcome.steps, scenario.steps,
                     to_string(outcome.status)));
  return exit_code(outcome.status);
}

}  // namespace hamel::app
