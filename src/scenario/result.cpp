// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/scenario/result.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "hamel/runs/version.hpp"

namespace hamel::io {

using Json = nlohmann::ordered_json;

namespace {

std::string advice_for(Status status, const Simulation& simulation, const std::string& failure) {
  switch (status) {
    case Status::no_convergence:
    case Status::no_solution:
    case Status::not_finite:
      if (failure.ends_with("runs off"))
        return "it outgrows double precision: shorten the run, or use coordinates that stay "
               "bounded";
      if (failure.ends_with("should work")) return "";
      if (const auto step = simulation.working_step(); !step)
        return "try a smaller step or another method";
      else if (*step > 0.0)
        return fmt::format("a step of {:.4g} s goes on from there", *step);
      return "no smaller step was found that goes on from there; the motion may end here";
    case Status::singular: return "the method is singular here; try another one, or a smaller step";
    case Status::ok:
    case Status::interrupted:
    case Status::invalid: return "";
  }
  return "";
}

}  // namespace

const InvariantDrift* RunResult::invariant(std::string_view name) const {
  for (const auto& drift : invariants)
    if (drift.info.name == name) return &drift;
  return nullptr;
}

RunResult make_result(const Scenario& scenario, const MethodSpec& method, Simulation& simulation,
                      const RunOutcome& outcome) {
  RunResult result;
  result.system = scenario.system->name;
  result.method = method.text;
  result.step = scenario.integration.step;
  result.steps = scenario.steps;
  result.steps_done = simulation.step_count();
  result.compensated = scenario.integration.compensated;
  result.status = outcome.status;
  result.failed_step = outcome.failed_step;
  result.failure = simulation.failure();
  if (result.failure.empty()) result.failure = meaning(outcome.status);
  result.advice = advice_for(outcome.status, simulation, result.failure);
  result.t = simulation.time();
  result.state = simulation.state();
  result.invariants = simulation.invariants();
  result.iterations_mean = simulation.iterations_mean();
  result.iterations_max = simulation.iterations_max();
  result.divided_steps = simulation.divided_steps();
  result.tolerance = scenario.integration.solver.effective<double>();
  result.invariants_every = outcome.measured_every;
  result.seconds = outcome.seconds;
  result.notes = scenario.notes;
  result.remarks = simulation.remarks();
  return result;
}

std::string json_text(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

Json json_of(const std::string& text) {
  constexpr int deepest = 64;  // writing it out takes some stack for each level
  int depth = 0;
  for (const char c : text) {
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > deepest) return text;
  }
  Json document = Json::parse(text, nullptr, false);
  return document.is_discarded() ? Json(text) : document;
}

Json finite_or_null(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

Json to_json(const RunResult& result, std::size_t most_values) {
  Json invariants = Json::object();
  for (const auto& drift : result.invariants) {
    Json& one = invariants[std::string(drift.info.name)];
    one = {{"initial", finite_or_null(drift.initial)},
           {"final", finite_or_null(drift.final)},
           {"max_drift", finite_or_null(drift.max_drift)},
           {"drift_per_step", finite_or_null(drift.drift_per_step)}};
    if (!drift.info.not_kept.empty()) one["not_kept"] = drift.info.not_kept;
  }
  std::size_t size = 0;
  for (const auto& part : result.state) size += part.values.size();
  Json final = {{"t", result.t}};
  for (const auto& part : result.state) {
    if (size > most_values) break;
    Json values = Json::array();
    for (std::size_t i = 0; i < part.values.size(); ++i) {
      if (part.field.per_sphere && i % 3 == 0) values.push_back(Json::array());
      (part.field.per_sphere ? values.back() : values).push_back(finite_or_null(part.values[i]));
    }
    constexpr std::string_view of_inputs = "inputs/";
    if (part.field.name.starts_with(of_inputs))
      final["inputs"][part.field.name.substr(of_inputs.size())] = std::move(values[0]);
    else
      final[part.field.name] = std::move(values);
  }
  Json json = {{"format_version", 1},
               {"system", result.system},
               {"method", result.method},
               {"step", result.step},
               {"steps", result.steps},
               {"status", to_string(result.status)},
               {"invariants", invariants},
               {"final", std::move(final)},
               {"solver",
                {{"iterations_mean", result.iterations_mean},
                 {"iterations_max", result.iterations_max},
                 {"divided_steps", result.divided_steps},
                 {"tolerance", result.tolerance},
                 {"invariants_every", result.invariants_every}}},
               {"seconds", result.seconds},
               {"seconds_per_step", result.seconds_per_step()},
               {"version", version()},
               {"steps_done", result.steps_done},
               {"compensated", result.compensated}};
  if (result.failed_step >= 0) {
    json["failed_step"] = result.failed_step;
    json["advice"] = result.advice;
    if (!result.failure.empty()) json["failure"] = result.failure;
  }
  if (!result.recording.empty()) json["recording"] = result.recording;
  if (!result.notes.empty()) json["notes"] = result.notes;
  if (!result.remarks.empty()) json["remarks"] = result.remarks;
  return json;
}

}  // namespace hamel::io
