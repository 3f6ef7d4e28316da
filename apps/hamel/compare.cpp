// SPDX-License-Identifier: BSD-3-Clause
// hamel compare: several methods on one scenario.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "console.hpp"
#include "execute.hpp"
#include "hamel/core/error.hpp"
#include "run_figures.hpp"
#include "summary.hpp"

namespace hamel::app {

namespace {

struct Compared {
  io::RunResult result;
  Claims claims;
  std::optional<double> error;
};

std::string drift_cell(const io::RunResult& result, std::string_view name) {
  const InvariantDrift* drift = result.invariant(name);
  if (drift == nullptr || result.steps_done == 0) return "-";
  return short_number(relative_drift(*drift));
}

void print_table(const io::Scenario& scenario, const std::vector<Compared>& all) {
  const bool own_steps = scenario.accuracy > 0.0;  // each method has its own
  fmt::print("{}: {}, t = 0 to {:.6g} s{}\n\n", scenario.system->name,
             own_steps ? fmt::format("accuracy {}", scenario.accuracy)
                       : fmt::format("{} steps of {} s", scenario.steps, scenario.integration.step),
             own_steps ? scenario.horizon : scenario.until(),
             scenario.integration.compensated ? ", compensated" : "");
  // The invariants that fit on a line: on the sphere the known three, else the first ones.
  std::vector<std::string> shown = {"length", "energy", "momentum_z"};
  // Where forces do work the energy changes, and the balance should not.
  const bool balance = !all.empty() && all.front().result.invariant("energy_balance") != nullptr;
  if (balance) std::ranges::replace(shown, "energy", "energy_balance");
  if (!scenario.system->coordinates.empty()) {
    shown.clear();
    for (const auto& info : scenario.system->invariants)
      if (shown.size() < 3 && !(balance && info.name == "energy")) shown.emplace_back(info.name);
  }
  if (scenario.system->coordinates.empty())
    std::erase_if(shown, [&](const std::string& name) {
      return all.empty() || all.front().result.invariant(name) == nullptr;
    });
  std::string not_kept;
  if (!all.empty())
    for (const auto& drift : all.front().result.invariants)
      if (!drift.info.not_kept.empty())
        not_kept += fmt::format("{} (not kept: {})\n", drift.info.name, drift.info.not_kept);
  std::vector<std::string> head = {"method", "order"};
  if (own_steps) head.emplace_back("steps");
  for (const auto& name : shown)
    head.push_back(name == "momentum_z"       ? "momentum"
                   : name == "energy_balance" ? "balance"
                                              : name.substr(0, 12));
  const bool exact =
      std::ranges::any_of(all, [](const Compared& c) { return c.error.has_value(); });
  head.insert(head.end(), {exact ? "error" : "status", "iter", "time"});
  Table table(head);
  std::string failures;
  for (const auto& [result, claims, error] : all) {
    const bool failed = result.status != Status::ok && result.status != Status::interrupted;
    std::vector<std::string> row = {result.method,
                                    claims.order > 0 ? std::to_string(claims.order) : "-"};
    if (own_steps) row.push_back(std::to_string(result.steps));
    for (const auto& name : shown) row.push_back(drift_cell(result, name));
    row.push_back(result.status != Status::ok ? (failed ? "FAILED" : "stopped")
                  : error                     ? short_number(*error)
                                              : "ok");
    row.push_back(result.iterations_max > 0 ? fmt::format("{:.1f}", result.iterations_mean) : "-");
    row.push_back(result.steps_done > 0 ? duration(result.seconds_per_step()) : "-");
    table.add(row);
    if (result.status != Status::ok) failures += wrapped(failure_text(result), 0, 2);
  }
  table.fit(80);
  const std::size_t known = all.empty() ? 0 : all.front().result.invariants.size();
  const std::string rest =
      known > shown.size()
          ? fmt::format("{} of {} invariants; --json has all.\n", shown.size(), known)
          : "";
  fmt::print(
      "{}\n{}: largest drift, relative to\nthe start where that is not zero.\n{}{}{}{}iter: solver "
      "iterations. time: per step, with recording and invariants.\n{}",
      table.text(),
      scenario.system->coordinates.empty() ? "length: largest change of ||q| - 1|. Others"
                                           : "invariants",
      not_kept, balance ? "balance: energy less the work done.\n" : "", rest,
      exact ? "error: distance of q from the exact solution at the end.\n" : "",
      failures.empty() ? "" : "\n" + failures);
}

/// The scenario of one method: where an accuracy is given, with the step that it needs for it. A
/// method that has none, or does not reach it, goes with the step there is.
io::Scenario for_method(const io::Scenario& scenario, const MethodSpec& method, bool quiet) {
  io::Scenario own = scenario;
  own.method = method;
  own.row_width = 0;
  if (!(scenario.accuracy > 0.0) || method.text == scenario.method.text) return own;
  own.notes.clear();
  try {
    io::choose_step(own);
    for (const auto& text : own.notes) note(text, quiet);
  } catch (const InputError& error) {
    note(fmt::format("{}: {} steps of {:.6g} s", error.what(), own.steps, own.integration.step),
         quiet);
  } catch (const NumericalError& error) {
    note(fmt::format("{}: {} steps of {:.6g} s", error.what(), own.steps, own.integration.step),
         quiet);
  }
  return own;
}

}  // namespace

int compare_command(const Options& options, const Registry& registry) {
  if (options.out && *options.out != "none")
    throw InputError("compare writes to results/SCENARIO; --out can only be none");
  const io::Scenario scenario =
      io::load_scenario(options.files.front(), options.overrides, registry);
  for (const auto& text : scenario.notes) note(text, options.quiet);
  const bool keep = !options.out;
  const std::filesystem::path folder = keep ? results_folder(scenario.name) : "";
  install_interrupt_handler();

  struct Task {
    io::Scenario scenario;
    Destination destination;
  };
  std::vector<Task> tasks;  // all places are looked at before the first run
  for (const MethodSpec& method : scenario.methods) {
    if (std::ranges::any_of(
            tasks, [&](const Task& task) { return task.scenario.method.text == method.text; }))
      continue;
    io::Scenario own = for_method(scenario, method, options.quiet);
    Destination destination =
        keep ? default_destination(options, own, method, folder) : Destination{};
    tasks.push_back({std::move(own), std::move(destination)});
  }
  std::vector<Compared> all;
  std::vector<std::filesystem::path> recordings;
  for (const auto& [own, destination] : tasks) {
    if (interrupted()) break;
    io::RunResult result = execute(options, own, own.method, destination);
    if (keep) recordings.push_back(destination.file);
    const auto error = end_error(own, result, options.quiet);
    all.push_back({std::move(result), scenario.problem->claims(own.method), error});
  }

  std::vector<std::filesystem::path> figures;
  std::string no_figures;
  if (keep && !interrupted()) {
    note("drawing the figures", options.quiet || options.json);
    try {
      figures = draw_recordings(folder, recordings);
    } catch (const InputError& error) {
      no_figures = error.what();
    } catch (const IoError& error) {
      no_figures = error.what();
    }
  }
  if (options.json) {
    nlohmann::ordered_json json = {{"format_version", 1},
                                   {"runs", nlohmann::ordered_json::array()}};
    for (const auto& [result, claims, error] : all) {
      nlohmann::ordered_json run = io::to_json(result);
      run["claimed_order"] = claims.order;
      run["end_error"] = error ? io::finite_or_null(*error) : nullptr;
      json["runs"].push_back(std::move(run));
    }
    json["figures"] = nlohmann::ordered_json::array();
    for (const auto& figure : figures) json["figures"].push_back(figure.string());
    fmt::print("{}\n", io::json_text(json));
  } else {
    print_table(scenario, all);
    if (!figures.empty()) {
      std::string names;
      for (const auto& figure : figures)
        if (figure.extension() == ".png") names += figure.filename().string() + " ";
      fmt::print("\nrecordings and figures in {}:\n{}", folder.string(),
                 wrapped(names + "(also .svg)", 2));
    }
  }
  if (!no_figures.empty()) note("no figures: " + no_figures);
  if (interrupted()) {
    std::string left;
    for (std::size_t k = all.size(); k < tasks.size(); ++k)
      left += (left.empty() ? "; not run: " : ", ") + tasks[k].scenario.method.text;
    note("interrupted" + left);
    return exit_interrupted;
  }
  const bool every_one_failed = std::all_of(
      all.begin(), all.end(), [](const Compared& c) { return c.result.status != Status::ok; });
  if (every_one_failed) return exit_numerical;
  return no_figures.empty() ? exit_ok : exit_io;
}

}  // namespace hamel::app
