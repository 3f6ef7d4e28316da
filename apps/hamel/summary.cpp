// SPDX-License-Identifier: BSD-3-Clause

#include "summary.hpp"

#include <fmt/format.h>

#include <cmath>

#include "console.hpp"
#include "execute.hpp"

namespace hamel::app {

namespace {

bool is_relative(const InvariantDrift& drift) {
  return drift.info.unit != "1" && std::fabs(drift.initial) > 1e-9;
}

}  // namespace

double relative_drift(const InvariantDrift& drift) {
  return is_relative(drift) ? drift.max_drift / std::fabs(drift.initial) : drift.max_drift;
}

std::string failure_text(const io::RunResult& result) {
  if (result.status == Status::interrupted)
    return fmt::format("method {}: interrupted after {} of {} steps", result.method,
                       result.steps_done, result.steps);
  return fmt::format("method {} failed at step {} (t = {:.6g}): {}{}{}", result.method,
                     result.failed_step, static_cast<double>(result.failed_step) * result.step,
                     to_string(result.status), result.failure.empty() ? "" : ", " + result.failure,
                     result.advice.empty() ? "" : "; " + result.advice);
}

std::string run_summary(const io::Scenario& scenario, const io::RunResult& result,
                        std::optional<double> error) {
  std::string text =
      fmt::format("{}, method {}: {} of {} steps of {} s{}, {}\n", result.system, result.method,
                  result.steps_done, result.steps, result.step,
                  result.compensated ? " (compensated)" : "", to_string(result.status));
  Table table({"invariant", "initial", "final", "max drift", "relative", "per step", "unit"});
  std::string not_kept;
  for (const auto& drift : result.invariants) {
    const bool changes = !drift.info.not_kept.empty();
    if (changes)
      not_kept += fmt::format("* {} (not kept: {})\n", drift.info.name, drift.info.not_kept);
    table.add({std::string(drift.info.name) + (changes ? " *" : ""),
               fmt::format("{:.7g}", drift.initial), fmt::format("{:.7g}", drift.final),
               short_number(drift.max_drift),
               is_relative(drift) ? short_number(relative_drift(drift)) : "",
               short_number(drift.drift_per_step), std::string(drift.info.unit)});
  }
  text += table.text() + not_kept;
  text += fmt::format("t = {:.10g} s\n", result.t);
  for (const auto& part : result.state) {
    constexpr std::size_t most = 12;  // the rest is in the recording and in --json
    std::string values;
    for (std::size_t i = 0; i < part.values.size() && (i < most || part.values.size() <= most); ++i)
      values += (values.empty() ? "" : ", ") + io::shortest(part.values[i]);
    if (part.values.size() > most) values += fmt::format(", … {} numbers", part.values.size());
    const auto group = part.field.name.find('/');  // inputs/u, a number
    text += group == std::string::npos
                ? wrapped(fmt::format("{} = ({})", part.field.name, values), 0, 4)
                : fmt::format("{} = {}\n", part.field.name.substr(group + 1), values);
  }
  if (error)
    text += "distance from the exact solution: " +
            (std::isnan(*error) ? "left out" : fmt::format("{:.2e}", *error)) + "\n";
  text += fmt::format("{} in all, {} per step", duration(result.seconds),
                      duration(result.seconds_per_step()));
  if (result.iterations_max > 0)
    text += fmt::format("\nsolver iterations {:.2f} on average, {} at most, tolerance {:.1e}",
                        result.iterations_mean, result.iterations_max, result.tolerance);
  text += "\n";
  for (const auto& remark : result.remarks) text += wrapped(remark, 0);
  if (!result.recording.empty()) text += "recording: " + result.recording + "\n";
  return text;
}

}  // namespace hamel::app
