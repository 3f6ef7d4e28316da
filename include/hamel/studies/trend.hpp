// SPDX-License-Identifier: BSD-3-Clause
// Trend of a quantity along a run: does it stay, swing, wander or run away?
//
// From samples d_k = I_k − I_0 at equal distances:
//   growth H    half the exponent of the structure function: ⟨|d(t+τ) − d(t)|²⟩ ∝ τ^{2H}, between
//               1/128 and 1/16 of the run. 0: an oscillation has filled its range; ½: a random
//               walk, as round-off makes it; 1: a straight line.
//   slope       where the quantity wanders, the mean of its increments over 32 parts of the run,
//               whose scatter gives an honest error: a straight line through a random walk looks
//               significant when it is not. Else least squares through the means of the parts,
//               which averages oscillations out.
// The interval has 95 % confidence by Student's distribution.
#pragma once

#include <vector>

namespace hamel {

enum class TrendKind { exact, bounded, wandering, drifting };

/// "exact", "bounded", "random walk", "drift".
const char* to_string(TrendKind kind);

struct Trend {
  TrendKind kind = TrendKind::exact;
  double largest = 0.0;  ///< |d|; NaN where a sample is
  double slope = 0.0;    ///< per unit of the samples' distance
  double error = 0.0;    ///< of the slope: half its confidence interval
  double growth = 0.0;   ///< H
};

/// At least 512 samples tell the kinds apart; with fewer everything that moves is `bounded`.
Trend trend_of(const std::vector<double>& d);

}  // namespace hamel
