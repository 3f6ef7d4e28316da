// SPDX-License-Identifier: BSD-3-Clause

#include "execute.hpp"

#include <fmt/format.h>

#include <chrono>
#include <future>
#include <limits>
#include <thread>

#include "console.hpp"
#include "hamel/core/error.hpp"
#include "hamel/core/stopwatch.hpp"
#include "hamel/files/files.hpp"
#include "hamel/recording/recording_sink.hpp"

namespace hamel::app {

namespace fs = std::filesystem;

std::string file_name(const MethodSpec& method) {
  std::string name;
  for (const char c : method.text) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '=' ||
                       c == '+' || c == '-' || c == '.';
    if (plain)
      name += c;
    else if (c == '(' || c == ',')
      name += '_';
  }
  return name;
}

fs::path results_path(const std::string& name) { return fs::path("results") / name; }

fs::path results_folder(const std::string& scenario_name) {
  const fs::path folder = results_path(scenario_name);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw IoError(folder.string() + ": cannot be created: " + error.message());
  return folder;
}

std::string results_name(const io::RecordingReader& reader, const fs::path& recording) {
  const auto name = reader.attributes().find("scenario_name");
  const bool named = name != reader.attributes().end();
  // Some other program's file may say anything.
  const std::string own = named ? fs::path(name->second).filename().string() : "";
  return own.empty() || own == "." || own == ".." ? io::plain_stem(recording) : own;
}

namespace {

/// A file the user named: never overwritten without --force, and never the scenario itself.
Destination named_destination(const Options& options, const std::string& file) {
  if (file == "none") return {};
  std::error_code ignored;
  if (fs::equivalent(file, options.files.front(), ignored))
    throw InputError(file + " is the scenario itself; the recording needs another name");
  io::output_place(file);  // what is no file is refused, with --force too
  if (!options.force && fs::exists(file, ignored))
    throw IoError(file + ": exists already; --force overwrites it");
  return {file, options.force};
}

}  // namespace

io::Checkpoint checkpoint_to_resume(const fs::path& recording) {
  const fs::path file = io::checkpoint_path(recording);
  const auto refuse = [&](const std::string& why) {
    throw IoError(recording.string() + ": cannot be resumed: " + why);
  };
  std::error_code ignored;
  if (!fs::exists(file, ignored)) refuse("there is no " + file.filename().string() + " beside it");
  io::Checkpoint checkpoint = io::load_checkpoint(file);
  if (checkpoint.identity != io::build_identity())
    throw InputError(
        fmt::format("{}: was written by {}; this is {}. A continuation would not be bit-identical",
                    recording.string(), checkpoint.identity, io::build_identity()));
  const io::RecordingReader reader(recording);
  const auto id = reader.attributes().find("recording_id");
  if (id == reader.attributes().end() || id->second != checkpoint.recording)
    refuse("the checkpoint beside it belongs to another recording");
  if (reader.rows() < checkpoint.rows)
    refuse(fmt::format("it has {} rows, fewer than the {} of its checkpoint", reader.rows(),
                       checkpoint.rows));
  return checkpoint;
}

Destination default_destination(const Options& options, const io::Scenario& scenario,
                                const MethodSpec& method, const fs::path& folder) {
  const Destination place{folder / (file_name(method) + ".h5"), true};
  std::error_code ignored;
  if (options.force || !fs::exists(place.file, ignored)) return place;
  std::optional<io::RecordingReader> there;
  try {
    there.emplace(place.file);
  } catch (const IoError&) {  // no recording that could be lost
    return place;
  }
  const auto scenario_there = there->attributes().find("scenario");
  if (there->finished() || (scenario_there != there->attributes().end() &&
                            scenario_there->second == scenario.to_toml(method)))
    return place;
  std::string ways = "--force overwrites it";
  try {
    checkpoint_to_resume(place.file);
    ways = "hamel resume " + place.file.string() + " goes on with it, " + ways;
  } catch (const std::runtime_error&) {  // NOLINT(bugprone-empty-catch): the one way that is left
  }
  throw IoError(
      fmt::format("{}: holds {} rows of an unfinished run of another scenario, or with other "
                  "options; {}",
                  place.file.string(), there->rows(), ways));
}

Destination destination_of(const Options& options, const io::Scenario& scenario,
                           const MethodSpec& method) {
  if (options.out) {
    if (options.out->empty()) throw InputError("--out is empty; give a FILE or none");
    if (*options.out == "-")
      throw InputError("--out -: a recording is no stream; give a FILE or none");
    return named_destination(options, *options.out);
  }
  if (scenario.file) return named_destination(options, *scenario.file);
  return default_destination(options, scenario, method, results_folder(scenario.name));
}

namespace {

/// Making a long system ready takes seconds in which nothing else is told.
std::unique_ptr<Simulation> ready(const Options& options, const io::Scenario& scenario,
                                  const MethodSpec& method) {
  constexpr int long_row = 1 << 20;
  if (scenario.row_width > long_row)
    note(fmt::format("{}: making the first of {} steps ready, {} numbers a row", method.text,
                     scenario.steps, scenario.row_width),
         options.quiet);
  return scenario.problem->simulate(method, scenario.integration);
}

}  // namespace

io::RunResult execute(const Options& options, const io::Scenario& scenario,
                      const MethodSpec& method, const Destination& destination,
                      const io::Checkpoint* resume_from) {
  auto simulation = ready(options, scenario, method);
  std::optional<io::RecordingSink> sink;
  RunPlan plan;
  if (resume_from != nullptr) {
    simulation->restore(resume_from->state);
    plan.resumed = true;
    plan.seconds_before = resume_from->seconds;
    sink.emplace(destination.file, *resume_from, scenario, options.force);
  } else if (!destination.file.empty()) {
    sink.emplace(destination.file, destination.overwrite, scenario, method, *simulation);
  }
  plan.steps = scenario.steps;
  plan.measure_every = scenario.invariants_every;
  if (sink) {
    plan.record_every = scenario.every;
    plan.sink = &*sink;
  }
  plan.stop = &interrupted();
  RunOutcome outcome;
  {
    Progress progress(method.text, scenario.steps, options.quiet);
    plan.progress = [&](std::int64_t step, double seconds) { progress.update(step, seconds); };
    outcome = run(*simulation, plan);
  }
  io::RunResult result = io::make_result(scenario, method, *simulation, outcome);
  if (sink) {
    result.recording = destination.file.string();
    simulation.reset();  // the end of a recording takes memory too
    sink->finish(result);
  }
  return result;
}

namespace {

/// The closed solution at time t, which for some motions costs more than the run: then it is told.
/// Interrupted, it has that status, and the computation is left to the end of the program.
std::optional<EndPoint> closed_solution(const io::Scenario& scenario, Quad t, bool quiet) {
  std::promise<std::optional<EndPoint>> promise;
  auto found = promise.get_future();
  std::thread([problem = scenario.problem, t, promise = std::move(promise)]() mutable {
    try {
      promise.set_value(problem->exact(t));
    } catch (...) {
      promise.set_exception(std::current_exception());
    }
  }).detach();
  Stopwatch watch;
  bool told = false;
  while (found.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
    if (interrupted()) return EndPoint{Status::interrupted, 0, {}, {}};
    if (told || watch.seconds() < 1.0) continue;
    told = true;
    note(fmt::format(
             "the closed solution at t = {:.6g} s takes its time; an interrupt leaves it out",
             static_cast<double>(t)),
         quiet);
  }
  return found.get();
}

}  // namespace

std::optional<double> end_error(const io::Scenario& scenario, const io::RunResult& result,
                                bool quiet) {
  const auto exact = closed_solution(scenario, Quad(result.step) * Quad(result.steps_done), quiet);
  if (!exact) return std::nullopt;
  if (exact->status != Status::ok) return std::numeric_limits<double>::quiet_NaN();
  for (const auto& part : result.state) {
    if (part.field.name != "q") continue;
    Quad sum = 0;
    for (std::size_t i = 0; i < part.values.size(); ++i) {
      const Quad d = Quad(part.values[i]) - exact->q[i];
      sum += d * d;
    }
    return static_cast<double>(sqrt(sum));
  }
  return std::nullopt;
}

int exit_code(Status status) {
  if (status == Status::ok) return exit_ok;
  return status == Status::interrupted ? exit_interrupted : exit_numerical;
}

}  // namespace hamel::app
