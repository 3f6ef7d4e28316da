// SPDX-License-Identifier: BSD-3-Clause
// Results as text.
#pragma once

#include <optional>
#include <string>

#include "hamel/scenario/result.hpp"

namespace hamel::app {

/// What a run kept and how long it took, in a few lines; `error` as end_error tells it.
std::string run_summary(const io::Scenario&, const io::RunResult&, std::optional<double> error);

/// "stopped at step 17 (t = 3.4): no_solution; try a smaller step".
std::string failure_text(const io::RunResult&);

/// Drift of an invariant relative to its initial value, absolute where that is (nearly) zero.
double relative_drift(const InvariantDrift&);

}  // namespace hamel::app
