// SPDX-License-Identifier: BSD-3-Clause
// hamel info, hamel plot: what is in recordings.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "commands.hpp"
#include "console.hpp"
#include "execute.hpp"
#include "hamel/core/error.hpp"
#include "hamel/files/files.hpp"
#include "hamel/recording/recording.hpp"
#include "run_figures.hpp"
#include "sweep_figures.hpp"

namespace hamel::app {

using Json = nlohmann::ordered_json;

int info_command(const Options& options, const Registry&) {
  const std::string& file = options.files.front();
  io::RecordingReader reader(file);
  const std::int64_t rows = reader.rows();
  const bool sweep = is_sweep(reader);
  const double last = rows > 0 && !sweep ? reader.read("/t", rows - 1, 1).front() : 0.0;
  std::optional<std::vector<io::RecordingDamage>> damage;
  if (options.verify) {
    damage = reader.damage();
    if (!damage) note(file + ": has no checksums, an earlier version wrote it", options.quiet);
  }
  std::string obstacle;  // why `resume` would refuse
  if (!reader.finished()) {
    try {
      checkpoint_to_resume(file);
    } catch (const std::runtime_error& error) {
      obstacle = error.what();
    }
  }
  const int code = damage && !damage->empty() ? exit_io : exit_ok;
  if (options.json) {
    Json columns = Json::array();
    for (const auto& c : reader.columns())
      columns.push_back(
          {{"path", c.path}, {"width", c.width}, {"unit", c.unit}, {"description", c.description}});
    Json attributes = Json::object();
    for (const auto& [key, value] : reader.attributes()) {
      if (key == "summary")
        attributes[key] = io::json_of(value);
      else
        attributes[key] = value;
    }
    Json document = Json({{"format_version", 1},
                          {"file", file},
                          {"rows", rows},
                          {"t_last", last},
                          {"finished", reader.finished()},
                          {"resumable", !reader.finished() && obstacle.empty()},
                          {"columns", columns},
                          {"attributes", attributes}});
    if (!obstacle.empty()) document["obstacle"] = obstacle;
    if (damage) {
      document["damage"] = Json::array();
      for (const auto& [path, first, last] : *damage)
        document["damage"].push_back({{"path", path}, {"first_row", first}, {"last_row", last}});
    }
    fmt::print("{}\n", io::json_text(document));
    return code;
  }
  fmt::print("{}: {}, {}\n\n", file,
             sweep ? fmt::format("{} members of a sweep", rows)
                   : fmt::format("{} rows, to t = {} s", rows, last),
             reader.finished()  ? "finished"
             : obstacle.empty() ? "not finished (hamel resume goes on)"
                                : "not finished, and cannot be resumed");
  if (!obstacle.empty()) fmt::print("{}\n", wrapped(obstacle, 0, 2));
  for (const auto& c : reader.columns())
    fmt::print("{}",
               wrapped(fmt::format("  {:<24} {} {:<10} {}", c.path, c.width, c.unit, c.description),
                       0, 42));
  fmt::print("\n");
  for (const auto& [key, value] : reader.attributes())
    if (key != "scenario" && key != "summary" && key != "columns")
      fmt::print("  {:<16} {}\n", key, value);
  if (const auto scenario = reader.attributes().find("scenario");
      scenario != reader.attributes().end())
    fmt::print("\n{}", scenario->second);
  if (damage && damage->empty()) fmt::print("\nall rows are what was written\n");
  for (std::size_t i = 0; damage && i < damage->size(); ++i)
    note(fmt::format("{}: {} is damaged within the rows {} to {}", file, (*damage)[i].path,
                     (*damage)[i].first, (*damage)[i].last));
  return code;
}

int plot_command(const Options& options, const Registry&) {
  std::vector<std::filesystem::path> recordings(options.files.begin(), options.files.end());
  std::size_t sweeps = 0;
  for (const auto& file : recordings) sweeps += is_sweep(io::RecordingReader(file)) ? 1 : 0;
  if (sweeps > 0 && recordings.size() > 1)
    throw InputError("a sweep is drawn alone: one file at a time");
  if (sweeps == 0 && (options.quantity || options.axes || !options.at.empty()))
    throw InputError("--quantity, --axes and --at are for sweeps; " + options.files.front() +
                     " is a run");
  if (sweeps > 0 && (options.show || options.until))
    throw InputError("--show and --until are for runs; " + options.files.front() + " is a sweep");
  if (options.show && options.show->find_first_not_of(" ,:") == std::string::npos)
    throw InputError("--show needs names, e.g. q1,q2 or q1:xi1");
  // In a folder of their own: `compare` draws the same figures of all its methods.
  const std::filesystem::path& first = recordings.front();
  std::error_code error;
  std::filesystem::path folder =
      options.out
          ? std::filesystem::path(*options.out)
          : results_path(results_name(io::RecordingReader(first), first)) / io::plain_stem(first);
  if (!options.out && std::filesystem::is_regular_file(folder, error))  // the recording, it may be
    folder += "_figures";
  const auto figures =
      sweeps > 0 ? draw_sweep(folder, recordings.front(), options)
                 : draw_recordings(folder, recordings,
                                   {options.show.value_or(""), options.until.value_or(0.0)});
  if (options.json) {
    Json list = Json::array();
    for (const auto& figure : figures) list.push_back(figure.string());
    fmt::print("{}\n", io::json_text(Json({{"format_version", 1}, {"figures", list}})));
  } else {
    for (const auto& figure : figures) fmt::print("{}\n", figure.string());
  }
  return exit_ok;
}

}  // namespace hamel::app
