// hamel run, hamel resume: one method.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "console.hpp"
#include "execute.hpp"
#include "hamel/core/error.hpp"
#include "hamel/io/recording.hpp"
#include "hamel/io/recording_sink.hpp"
#include "summary.hpp"

namespace hamel::app {

namespace {

int report(const Options& options, const io::Scenario& scenario, const io::RunResult& result) {
  if (options.json)
    fmt::print("{}\n", io::json_text(io::to_json(result)));
  else
    fmt::print("{}", run_summary(scenario, result));
  if (result.status != Status::ok)
    note(failure_text(result) + (result.status == Status::interrupted && !result.recording.empty()
                                     ? "; go on with: hamel resume " + result.recording
                                     : ""));
  return exit_code(result.status);
}

}  // namespace

int run_command(const Options& options, const Registry& registry) {
  const io::Scenario scenario =
      io::load_scenario(options.files.front(), options.overrides, registry);
  for (const auto& text : scenario.notes) note(text, options.quiet);
  const Destination destination = destination_of(options, scenario, scenario.method);
  install_interrupt_handler();
  return report(options, scenario, execute(options, scenario, scenario.method, destination));
}

int resume_command(const Options& options, const Registry& registry) {
  const std::filesystem::path file = options.files.front();
  std::string scenario_name;
  {
    const io::RecordingReader reader(file);
    if (reader.finished()) {
      const auto& attributes = reader.attributes();
      const auto summary = attributes.find("summary");
      if (options.json && summary != attributes.end())
        fmt::print("{}\n", io::json_text(nlohmann::ordered_json::parse(summary->second)));
      else
        fmt::print("{}: finished with status {}, {} rows; nothing to resume\n", file.string(),
                   attributes.contains("status") ? attributes.at("status") : "unknown",
                   reader.rows());
      return exit_ok;
    }
    const auto name = reader.attributes().find("scenario_name");
    scenario_name = name == reader.attributes().end() ? "resumed" : name->second;
  }
  const io::Checkpoint checkpoint = io::load_checkpoint(io::checkpoint_path(file));
  if (checkpoint.identity != io::build_identity())
    throw InputError(
        fmt::format("{}: was written by {}; this is {}. A continuation would not be bit-identical",
                    file.string(), checkpoint.identity, io::build_identity()));
  io::Scenario scenario = io::parse_scenario(checkpoint.scenario, scenario_name, {}, registry);
  scenario.name = scenario_name;
  note(fmt::format("going on after step {} of {}", checkpoint.step, scenario.steps), options.quiet);
  install_interrupt_handler();
  return report(options, scenario,
                execute(options, scenario, scenario.method, {file, true}, &checkpoint));
}

}  // namespace hamel::app
