// SPDX-License-Identifier: BSD-3-Clause
// A run with all its invariants watched: what certificates judge.
#pragma once

#include <vector>

#include "hamel/runs/problem.hpp"

namespace hamel {

struct WatchedRun {
  Status status = Status::ok;
  std::int64_t steps = 0;
  std::vector<InvariantDrift> drifts;
  std::vector<std::vector<double>> changes;  ///< of each, at the samples
  std::int64_t every = 1;                    ///< steps from one sample to the next
  std::vector<double> scale;                 ///< of each: its sensitivity
  double largest_q = 0.0;
  bool iterates = false;
};

/// Ends early where options.stop is set. with_scale: the sensitivities and largest_q too.
WatchedRun watch(const Problem& problem, const MethodSpec& method,
                 const IntegrationOptions& options, std::int64_t steps, bool with_scale);

}  // namespace hamel
