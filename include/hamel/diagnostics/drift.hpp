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

/// Accumulates K invariants; trivially copyable, part of a checkpoint.
template <int K>
struct DriftTracker {
  double initial[K];
  double last[K];
  double max_drift[K];
  double sum_d[K];
  double sum_nd[K];
  double count, sum_n, sum_n2;

  void start(const double* values) {
    *this = {};
    for (int i = 0; i < K; ++i) initial[i] = last[i] = values[i];
  }

  void add(double n, const double* values) {
    for (int i = 0; i < K; ++i) {
      const double d = values[i] - initial[i];
      const double size = std::fabs(d);
      last[i] = values[i];
      max_drift[i] = size > max_drift[i] ? size : max_drift[i];
      sum_d[i] += d;
      sum_nd[i] += n * d;
    }
    count += 1.0;
    sum_n += n;
    sum_n2 += n * n;
  }

  double drift_per_step(int i) const {
    const double denominator = count * sum_n2 - sum_n * sum_n;
    return denominator > 0.0 ? (count * sum_nd[i] - sum_n * sum_d[i]) / denominator : 0.0;
  }
};

}  // namespace hamel
