// SPDX-License-Identifier: BSD-3-Clause
// The result of a run, and its JSON form (docs/files.md): 17 significant digits, never NaN.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hamel/runs/run.hpp"
#include "hamel/scenario/scenario.hpp"

namespace hamel::io {

struct RunResult {
  std::string system;
  std::string method;
  double step = 0.0;
  std::int64_t steps = 0;       ///< asked for
  std::int64_t steps_done = 0;  ///< good ones
  bool compensated = false;
  Status status = Status::ok;
  std::int64_t failed_step = -1;
  std::string advice;   ///< what to try, where a run failed
  std::string failure;  ///< what failed, where a run did
  double t = 0.0;
  std::vector<NamedValues> state;
  std::vector<InvariantDrift> invariants;
  double iterations_mean = 0.0;
  std::int64_t iterations_max = 0;
  std::int64_t divided_steps = 0;
  double tolerance = 0.0;
  std::int64_t invariants_every = 1;
  double seconds = 0.0;
  std::string recording;             ///< path, or empty
  std::vector<std::string> notes;    ///< what was mended before the run
  std::vector<std::string> remarks;  ///< what was noticed in it

  const InvariantDrift* invariant(std::string_view name) const;
  double seconds_per_step() const {
    return steps_done > 0 ? seconds / static_cast<double>(steps_done) : 0.0;
  }
};

/// Collects what a simulation has come to after `outcome`.
RunResult make_result(const Scenario&, const MethodSpec&, Simulation&, const RunOutcome&);

/// The document of a run; the final state without its values where they are more than most_values.
nlohmann::ordered_json to_json(const RunResult&, std::size_t most_values = ~std::size_t{0});

/// The document as text; bytes of a path that are not UTF-8 are replaced.
std::string json_text(const nlohmann::ordered_json&, int indent = 1);

/// The document that a recording holds as text; the text itself where it is none, or nested more
/// than 64 deep.
nlohmann::ordered_json json_of(const std::string& text);

/// A finite number, or null: NaN and infinities never reach an output.
nlohmann::ordered_json finite_or_null(double x);

}  // namespace hamel::io
