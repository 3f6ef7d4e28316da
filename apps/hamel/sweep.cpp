// SPDX-License-Identifier: BSD-3-Clause

#include "sweep.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <thread>

#include "console.hpp"
#include "execute.hpp"
#include "hamel/core/error.hpp"
#include "hamel/recording/sweep_sink.hpp"
#include "hamel/runs/version.hpp"
#include "hamel/scenario/result.hpp"

namespace hamel::app {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const io::Scenario& scenario, const SweepOutcome& outcome, const io::SweepSink& sink,
             int threads, const std::string& recording) {
  const io::SweepStatistics& statistics = sink.statistics();
  Json failures = Json::array();
  for (const MemberFailure& f : outcome.failures)
    failures.push_back({{"member", f.member},
                        {"status", to_string(f.status)},
                        {"step", f.step},
                        {"reason", f.reason}});
  Json drifts = Json::object();
  for (const auto& d : statistics.drifts)
    drifts[d.name] = {
        {"largest", io::finite_or_null(d.largest)}, {"member", d.member}, {"unit", d.unit}};
  Json failed_by = Json::object();
  for (const auto& [status, count] : statistics.failed_by) failed_by[to_string(status)] = count;
  const auto steps = static_cast<double>(outcome.steps);
  return {{"format_version", 1},
          {"kind", "sweep"},
          {"system", scenario.system->name},
          {"method", scenario.method.text},
          {"step", scenario.integration.step},
          {"steps", scenario.steps},
          {"compensated", scenario.integration.compensated},
          {"status", to_string(outcome.status)},
          {"members", io::sweep_of(scenario).members()},
          {"members_done", outcome.done},
          {"failed", statistics.failed},
          {"failed_by_status", failed_by},
          {"failures", failures},
          {"failures_file", sink.failures_file()},
          {"divided_steps", outcome.divided},
          {"drift", drifts},
          {"threads", threads},
          {"isa", isa_path()},
          {"lanes", outcome.in_lanes ? isa_lanes() : 1},
          {"seconds", outcome.seconds},
          {"member_steps_per_second", io::finite_or_null(steps / outcome.seconds)},
          {"file", recording}};
}

/// "12 members failed: 10 no_convergence, 2 invalid; why, in FILE".
std::string failed_text(const io::SweepStatistics& statistics, const std::string& file) {
  std::string by_status;
  for (const auto& [status, count] : statistics.failed_by)
    by_status += fmt::format("{}{} {}", by_status.empty() ? "" : ", ", count, to_string(status));
  return fmt::format("{} member{} failed: {}{}", statistics.failed,
                     statistics.failed == 1 ? "" : "s", by_status,
                     file.empty() ? "" : "; why, in " + file);
}

std::string summary(const io::Scenario& scenario, const SweepOutcome& outcome,
                    const io::SweepSink& sink, int threads, const std::string& recording) {
  const io::SweepStatistics& statistics = sink.statistics();
  const std::int64_t members = io::sweep_of(scenario).members();
  const bool all = outcome.status == Status::ok;
  std::string text =
      wrapped(fmt::format("{}, method {}: {} members{}, {} steps of {} s{}{}",
                          scenario.system->name, scenario.method.text, members,
                          all ? "" : fmt::format(", {} of them made", outcome.done), scenario.steps,
                          scenario.integration.step,
                          scenario.integration.compensated ? " (compensated)" : "",
                          all ? statistics.failed > 0 ? "" : ", ok" : ", interrupted"),
              0, 2);
  if (!statistics.drifts.empty()) {
    Table table({"invariant", "largest drift", "member", "unit"});
    for (const auto& d : statistics.drifts)
      table.add(
          {d.name, short_number(d.largest), d.member < 0 ? "-" : std::to_string(d.member), d.unit});
    text += table.text();
  }
  if (statistics.failed > 0) text += wrapped(failed_text(statistics, sink.failures_file()), 0, 2);
  if (outcome.divided > 0) text += wrapped(division_remark(outcome.divided), 0, 2);
  text += fmt::format("{} on {} thread{}, {:.3g} steps/s{}\n", duration(outcome.seconds), threads,
                      threads == 1 ? "" : "s",
                      static_cast<double>(outcome.steps) / std::fmax(outcome.seconds, 1e-9),
                      outcome.in_lanes ? fmt::format(", in lanes ({})", isa_path()) : "");
  if (!recording.empty()) text += "recording: " + recording + "\n";
  return text;
}

int execute_sweep(const Options& options, const io::Scenario& scenario,
                  const Destination& destination, const io::Checkpoint* resume_from) {
  const int threads = options.threads > 0
                          ? options.threads
                          : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const SweepTask task = io::sweep_task(scenario);
  const auto like = scenario.problem->simulate(scenario.method, scenario.integration);
  io::SweepSink sink(scenario, task, *like, destination.file, destination.overwrite, resume_from,
                     options.force);
  SweepPlan plan;
  plan.first = sink.first();
  plan.members = io::sweep_of(scenario).members();
  plan.threads = threads;
  plan.source = [&] { return io::member_source(scenario); };
  plan.rows = [&](const std::vector<double>& rows, std::int64_t count,
                  const std::vector<MemberFailure>& failures) { sink.rows(rows, count, failures); };
  plan.stop = &interrupted();
  SweepOutcome outcome;
  {
    Progress progress("sweep", plan.members, options.quiet, "members");
    plan.progress = [&](std::int64_t done, double seconds) { progress.update(done, seconds); };
    outcome = sweep(task, *like, plan);
  }
  sink.finish(outcome.status);
  const std::string recording = destination.file.string();
  if (options.json)
    fmt::print("{}\n", io::json_text(to_json(scenario, outcome, sink, threads, recording)));
  else
    fmt::print("{}", summary(scenario, outcome, sink, threads, recording));
  for (const MemberFailure& f : outcome.failures)
    note(f.step > 0 ? fmt::format("member {} failed at step {}: {}{}", f.member, f.step,
                                  to_string(f.status), f.reason.empty() ? "" : ", " + f.reason)
                    : fmt::format("member {} cannot start: {}", f.member, f.reason),
         options.quiet);
  const auto told = static_cast<std::int64_t>(outcome.failures.size());
  if (outcome.failed > told) note(fmt::format("and {} more", outcome.failed - told), options.quiet);
  if (sink.unlisted() > 0)
    note(fmt::format("{} failures of before are not in the list: it was not beside {}",
                     sink.unlisted(), recording));
  if (outcome.status == Status::interrupted)
    note(fmt::format("interrupted after {} of {} members{}", outcome.done, plan.members,
                     recording.empty() ? "" : "; go on with: hamel resume " + recording));
  return exit_code(outcome.status);
}

}  // namespace

int sweep_command(const Options& options, const Registry& registry) {
  const io::Scenario scenario =
      io::load_scenario(options.files.front(), options.overrides, registry);
  for (const auto& text : scenario.notes) note(text, options.quiet);
  if (scenario.accuracy > 0.0) note(one_step_for_all, options.quiet);
  if (!scenario.sweep)
    throw InputError(options.files.front() +
                     ": has no [sweep]; say what varies, e.g. [sweep.vary] with \"system.NAME\" = "
                     "{ from = 0.5, to = 1.5, count = 11 }");
  const Destination destination = destination_of(options, scenario, scenario.method);
  install_interrupt_handler();
  return execute_sweep(options, scenario, destination, nullptr);
}

int resume_sweep(const Options& options, const io::Scenario& scenario, const std::string& file,
                 const io::Checkpoint& checkpoint) {
  if (!scenario.sweep) throw InputError(file + ": its scenario has no [sweep]");
  note(fmt::format("going on after member {} of {}", checkpoint.rows,
                   io::sweep_of(scenario).members()),
       options.quiet);
  install_interrupt_handler();
  return execute_sweep(options, scenario, {file, true}, &checkpoint);
}

}  // namespace hamel::app
