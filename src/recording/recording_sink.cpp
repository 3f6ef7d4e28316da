// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/recording/recording_sink.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "hamel/runs/version.hpp"

namespace hamel::io {

namespace {

std::vector<Column> columns_of(const Simulation& simulation) {
  std::vector<Column> columns;
  for (const auto& c : simulation.columns())
    columns.push_back({c.path, c.width, c.unit, c.description});
  return columns;
}

Attributes attributes_of(const Scenario& scenario, const MethodSpec& method) {
  std::string coordinates;
  for (const auto& name : scenario.system->coordinates)
    coordinates += (coordinates.empty() ? "" : ",") + name;
  Attributes attributes = {{"scenario", scenario.to_toml(method)},
                           {"scenario_name", scenario.name},
                           {"system", scenario.system->name},
                           {"method", method.text},
                           {"method_claims", to_text(scenario.problem->claims(method))},
                           {"program_version", version()},
                           {"commit", commit()},
                           {"compiler", compiler()},
                           {"isa_path", isa_path()},
                           {"mathematics", mathematics()},
                           {"units", "SI"}};
  if (!coordinates.empty()) {
    attributes["coordinates"] = coordinates;
    if (!scenario.system->coordinate_units.empty())
      attributes["coordinate_units"] =
          fmt::format("{}", fmt::join(scenario.system->coordinate_units, ","));
    attributes["figure"] = scenario.system->figure_x + "," + scenario.system->figure_y;
  }
  const std::vector<double> lengths = scenario.problem->link_lengths();
  if (!lengths.empty()) {  // one number stands for all where they are equal
    const bool uniform = std::ranges::all_of(lengths, [&](double l) { return l == lengths[0]; });
    std::string list;
    for (std::size_t i = 0; i < (uniform ? 1 : lengths.size()); ++i)
      list += (i > 0 ? "," : "") + shortest(lengths[i]);
    attributes["link_lengths"] = list;
  }
  return attributes;
}

/// The start, every so many steps, and the last one.
std::int64_t expected_rows(const Scenario& scenario) { return scenario.steps / scenario.every + 2; }

Checkpoint base_of(const Scenario& scenario, const MethodSpec& method) {
  Checkpoint base;
  base.identity = build_identity();
  base.scenario = scenario.to_toml(method);
  base.method = method.text;
  return base;
}

}  // namespace

std::string build_identity() {
  return fmt::format("hamel {} {}, {}, mathematics {}", version(), commit(), compiler(),
                     mathematics());
}

RecordingSink::RecordingSink(const std::filesystem::path& path, bool overwrite,
                             const Scenario& scenario, const MethodSpec& method,
                             const Simulation& simulation)
    : base_(base_of(scenario, method)),
      writer_(path, columns_of(simulation), attributes_of(scenario, method),
              {.overwrite = overwrite, .expected_rows = expected_rows(scenario)}) {}

RecordingSink::RecordingSink(const std::filesystem::path& path, const Checkpoint& checkpoint,
                             const Scenario& scenario, bool damaged_too)
    : base_(checkpoint),
      writer_(RecordingWriter::reopen(
          path, checkpoint,
          {.expected_rows = expected_rows(scenario), .damaged_too = damaged_too})) {
  base_.patches.clear();
}

std::vector<double> RecordingSink::take_buffer() { return writer_.take_buffer().data; }

void RecordingSink::rows(std::vector<double>&& data, std::int64_t count) {
  writer_.append({count, std::move(data)});
}

void RecordingSink::checkpoint(const Simulation& simulation, double seconds) {
  Checkpoint now = base_;
  now.step = simulation.step_count();
  now.rows = writer_.rows();
  now.seconds = seconds;
  now.state = simulation.snapshot();
  writer_.commit(std::move(now));
}

void RecordingSink::finish(const RunResult& result) {
  // A long final state is the last row; as text it would take several times the memory of the run.
  constexpr std::size_t most_values = 4096;
  writer_.close({{"status", to_string(result.status)},
                 {"summary", json_text(to_json(result, most_values), -1)}},
                result.status != Status::interrupted);
}

}  // namespace hamel::io
