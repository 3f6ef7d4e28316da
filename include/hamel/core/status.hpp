// SPDX-License-Identifier: BSD-3-Clause
// How a step or a run ended.
#pragma once

#include <cstdint>

#include "hamel/core/scalar.hpp"

namespace hamel {

/// One word for every outcome; the same words appear in JSON and recordings.
enum class Status : std::uint8_t {
  ok,
  no_convergence,  ///< the iteration hit its cap: step too large, or state far from a solution
  no_solution,     ///< the step's equations have no real solution (e.g. |b| ≥ 1): step too large
  singular,        ///< a matrix or denominator of the step vanished (e.g. a chart's pole)
  not_finite,      ///< the state overflowed or became NaN: the method is unstable here
  interrupted,     ///< stopped from outside; everything up to there is kept
  invalid,         ///< a member of a sweep whose values make no sense
};

constexpr const char* to_string(Status status) {
  switch (status) {
    case Status::ok: return "ok";
    case Status::no_convergence: return "no_convergence";
    case Status::no_solution: return "no_solution";
    case Status::singular: return "singular";
    case Status::not_finite: return "not_finite";
    case Status::interrupted: return "interrupted";
    case Status::invalid: return "invalid";
  }
  return "unknown";
}

/// What a failed step's status says, as a sentence.
constexpr const char* meaning(Status status) {
  switch (status) {
    case Status::no_convergence: return "the solver of the step did not converge";
    case Status::no_solution: return "the step's equations have no real solution";
    case Status::singular: return "a matrix or denominator of the step vanished";
    case Status::not_finite: return "the state is not finite after the step";
    case Status::ok:
    case Status::interrupted:
    case Status::invalid: return "";
  }
  return "";
}

/// What one step reports, lane by lane where S has lanes. A step never throws.
template <class S>
struct StepReport {
  CountOf<S> iterations = CountOf<S>(0);
  MaskOf<S> no_convergence = MaskOf<S>(false);
  MaskOf<S> no_solution = MaskOf<S>(false);
  MaskOf<S> singular = MaskOf<S>(false);

  HAMEL_FN MaskOf<S> failed() const { return no_convergence || no_solution || singular; }

  /// The report as one word; scalars with a bool mask only.
  HAMEL_FN Status status() const {
    if (no_solution) return Status::no_solution;
    if (singular) return Status::singular;
    return no_convergence ? Status::no_convergence : Status::ok;
  }
};

}  // namespace hamel
