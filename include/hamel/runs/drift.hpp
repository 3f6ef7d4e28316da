// SPDX-License-Identifier: BSD-3-Clause
// Drift of invariants along a run: how far, and how fast.
//
//   max_drift      = max_n |I_n − I_0| over the measured steps,
//   drift_per_step = slope of the least-squares line through (n, I_n − I_0):
//                    (M Σnd − Σn Σd)/(M Σn² − (Σn)²), d = I_n − I_0, M measured steps with n > 0.
// A bounded oscillation has a slope that vanishes with length; a true drift does not.
#pragma once

#include <cmath>
#include <cstdint>

namespace hamel {

/// What is kept of one invariant.
struct DriftSums {
  double initial, last, max_drift, sum_d, sum_nd;

  void add(double n, double value) {
    const double d = value - initial;
    const double size = std::fabs(d);
    last = value;
    max_drift = size > max_drift || size != size ? size : max_drift;  // no number stays none
    sum_d += d;
    sum_nd += n * d;
  }
};

/// What is kept of the steps at which invariants were measured.
struct DriftCount {
  double count = 0.0, sum_n = 0.0, sum_n2 = 0.0;

  void add(double n) {
    count += 1.0;
    sum_n += n;
    sum_n2 += n * n;
  }
  double slope(const DriftSums& sums) const {
    const double denominator = count * sum_n2 - sum_n * sum_n;
    return denominator > 0.0 ? (count * sums.sum_nd - sum_n * sums.sum_d) / denominator : 0.0;
  }
};

/// Accumulates K invariants; trivially copyable, part of a checkpoint.
template <int K>
struct DriftTracker {
  DriftSums sums[K];
  DriftCount measured;

  void start(const double* values) {
    *this = {};
    for (int i = 0; i < K; ++i) sums[i].initial = sums[i].last = values[i];
  }
  void add(double n, const double* values) {
    for (int i = 0; i < K; ++i) sums[i].add(n, values[i]);
    measured.add(n);
  }
  double drift_per_step(int i) const { return measured.slope(sums[i]); }
};

}  // namespace hamel
