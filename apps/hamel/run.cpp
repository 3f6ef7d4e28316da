// SPDX-License-Identifier: BSD-3-Clause
// hamel run, hamel resume: one method.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.hpp"
#include "console.hpp"
#include "execute.hpp"
#include "hamel/core/error.hpp"
#include "hamel/core/stopwatch.hpp"
#include "hamel/recording/recording.hpp"
#include "hamel/recording/recording_sink.hpp"
#include "hamel/studies/lyapunov.hpp"
#include "summary.hpp"
#include "sweep.hpp"

namespace hamel::app {

namespace {

nlohmann::ordered_json to_json(const LyapunovResult& found, double step) {
  auto curve =
      nlohmann::ordered_json::array();  // the mean up to the end of each block, no start-up
  double sum = 0.0;
  for (std::size_t b = 0; b < found.blocks.size(); ++b) {
    sum += found.blocks[b];
    const auto count = static_cast<double>(b + 1);
    const std::int64_t steps_of_block = found.steps / lyapunov_blocks;
    curve.push_back(
        {count * static_cast<double>(steps_of_block) * step, io::finite_or_null(sum / count)});
  }
  return {{"exponent", io::finite_or_null(found.exponent)},
          {"standard_error", io::finite_or_null(found.standard_error)},
          {"steps", found.steps},
          {"status", to_string(found.status)},
          {"curve", found.status == Status::ok ? curve : nlohmann::ordered_json::array()}};
}

/// --lyapunov: the exponent of as many steps, from the start.
LyapunovResult lyapunov(const Options& options, const io::Scenario& scenario) {
  Progress progress("lyapunov", scenario.steps, options.quiet);
  Stopwatch watch;
  return largest_lyapunov_exponent(*scenario.problem, scenario.method, scenario.integration,
                                   {scenario.steps, &interrupted(), [&](std::int64_t step) {
                                      progress.update(step, watch.seconds());
                                    }});
}

int report(const Options& options, const io::Scenario& scenario, const io::RunResult& result) {
  std::optional<double> error;
  if (!options.json) error = end_error(scenario, result, options.quiet);
  std::optional<LyapunovResult> exponent;
  if (options.lyapunov && result.status == Status::ok) exponent = lyapunov(options, scenario);
  if (options.json) {
    auto document = io::to_json(result);
    if (exponent) document["lyapunov"] = to_json(*exponent, scenario.integration.step);
    fmt::print("{}\n", io::json_text(document));
  } else {
    fmt::print("{}", run_summary(scenario, result, error));
    if (exponent && exponent->status == Status::ok)
      fmt::print("largest Lyapunov exponent {:.4g} +- {:.2g} 1/s\n", exponent->exponent,
                 exponent->standard_error);
  }
  if (exponent && exponent->status != Status::ok) {
    note(fmt::format("no Lyapunov exponent: {} after {} steps", to_string(exponent->status),
                     exponent->steps));
    return exit_code(exponent->status);
  }
  if (result.status != Status::ok)
    note(failure_text(result) + (result.status == Status::interrupted && !result.recording.empty()
                                     ? "; go on with: hamel resume " + result.recording
                                     : ""));
  if (!error || !std::isnan(*error)) return exit_code(result.status);
  if (result.status == Status::ok) note("interrupted in the closed solution; the run is whole");
  return exit_interrupted;
}

/// --member: one of the scenario's sweep.
io::Scenario one_member(const io::Scenario& scenario, const std::string& file,
                        std::int64_t member) {
  if (!scenario.sweep) throw InputError(file + ": has no [sweep], so no members");
  const std::int64_t members = io::sweep_of(scenario).members();
  if (member < 0 || member >= members)
    throw InputError(
        fmt::format("--member {}: its sweep has the members 0 to {}", member, members - 1));
  return io::member_scenario(scenario, member);
}

}  // namespace

int run_command(const Options& options, const Registry& registry) {
  io::Scenario scenario = io::load_scenario(options.files.front(), options.overrides, registry);
  if (options.member) scenario = one_member(scenario, options.files.front(), *options.member);
  for (const auto& text : scenario.notes) note(text, options.quiet);
  if (options.member && scenario.accuracy > 0.0) note(one_step_for_all, options.quiet);
  if (options.lyapunov)
    check_lyapunov(*scenario.problem, scenario.method, scenario.integration, scenario.steps);
  const Destination destination = destination_of(options, scenario, scenario.method);
  install_interrupt_handler();
  return report(options, scenario, execute(options, scenario, scenario.method, destination));
}

int resume_command(const Options& options, const Registry& registry) {
  const std::filesystem::path file = options.files.front();
  std::string scenario_name;
  bool sweep = false;
  {
    const io::RecordingReader reader(file);
    const auto kind = reader.attributes().find("kind");
    sweep = kind != reader.attributes().end() && kind->second == "sweep";
    if (reader.finished()) {
      io::tidy_finished(file);
      const auto& attributes = reader.attributes();
      const auto summary = attributes.find("summary");
      if (options.json && summary != attributes.end())
        fmt::print("{}\n", io::json_text(io::json_of(summary->second)));
      else
        fmt::print("{}: finished with status {}, {} rows; nothing to resume\n", file.string(),
                   attributes.contains("status") ? attributes.at("status") : "unknown",
                   reader.rows());
      return exit_ok;
    }
    const auto name = reader.attributes().find("scenario_name");
    scenario_name = name == reader.attributes().end() ? "resumed" : name->second;
  }
  const io::Checkpoint checkpoint = checkpoint_to_resume(file);
  io::Scenario scenario = io::parse_scenario(checkpoint.scenario, scenario_name, {}, registry);
  scenario.name = scenario_name;
  if (sweep) return resume_sweep(options, scenario, file.string(), checkpoint);
  note(fmt::format("going on after step {} of {}", checkpoint.step, scenario.steps), options.quiet);
  install_interrupt_handler();
  return report(options, scenario,
                execute(options, scenario, scenario.method, {file, true}, &checkpoint));
}

}  // namespace hamel::app
