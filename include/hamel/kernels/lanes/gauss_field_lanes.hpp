// SPDX-License-Identifier: BSD-3-Clause
// Gauss collocation on a field that programs give, with the stages as lanes.            [MATH 2.7]
//
//   Z = z + M L (M L = Σ_j μ_ij L_j, lane i = stage i),  L' = h b f(Z, t).
// Products and sums are rounded apart, so that the bits do not depend on the instruction set.
#pragma once

#include "hamel/kernels/lanes/field_lanes.hpp"
#include "hamel/kernels/lanes/gauss_lanes.hpp"

namespace hamel_lanes {

/// Numbers the kernel works with, for each lane.
inline int gauss_field_work(const FieldPrograms& f) { return 3 * f.numbers + f.room(); }

}  // namespace hamel_lanes

namespace hamel::lanes {

template <int W>
hamel_lanes::GaussOutcome field_gauss(const hamel_lanes::GaussTask& task) noexcept {
  const int n = task.programs->numbers;
  const auto list = [](double* at) { return reinterpret_cast<Lanes<W>*>(at); };
  Lanes<W>* const L = list(task.work);
  Lanes<W>* const Z = L + n;
  Lanes<W>* const rate = Z + n;
  FieldLanes<W> field(*task.programs, rate + n, list(task.slots));
  const Lanes<W> times = Lanes<W>::load(task.times);
  const Lanes<W> hb = Lanes<W>::load(task.tables->hb);
  const LaneMask<W> counts = hb != Lanes<W>(0.0);  // the lanes that are stages
  const double* const mu = task.tables->mu;
  for (int c = 0; c < n; ++c) L[c] = guess<W>(task, task.L + c * W);

  hamel_lanes::GaussOutcome outcome;
  GaussStopping<double> stopping(task.tolerance, 1.0, false);
  while (outcome.iterations < task.max_iterations) {
    for (int c = 0; c < n; ++c) {
      double increment[W];
      L[c].store(increment);
      Lanes<W> sum = Lanes<W>::load(mu) * increment[0];
      for (int j = 1; j < task.tables->stages; ++j)
        sum = sum + Lanes<W>::load(mu + W * j) * increment[j];
      Z[c] = task.z[c] + sum;  // [MATH 2.7]
    }
    if (any(counts && !field(Z, times, rate))) {
      outcome.singular = true;
      return outcome;
    }
    Lanes<W> change(0.0);  // relative to max(1, |z|) of each component
    Lanes<W> sum(0.0);     // no number where one of them is none
    for (int c = 0; c < n; ++c) {
      const double size = task.z[c] < 0.0 ? -task.z[c] : task.z[c];
      const Lanes<W> next = hb * rate[c];  // [MATH 2.7]
      const Lanes<W> moved = select(counts, next - L[c], Lanes<W>(0.0));
      change = larger(change, size > 1.0 ? moved / size : moved);
      sum = sum + moved;
      L[c] = next;
    }
    const double all = sum.sum();
    if (!(all - all == 0.0)) return outcome;
    if (ends(stopping, change.largest(), outcome)) break;
  }
  if (!outcome.converged) return outcome;
  for (int c = 0; c < n; ++c) {
    const Lanes<W> used = select(counts, L[c], Lanes<W>(0.0));
    outcome.converged &= finish(used, task.L + c * W, task.dz[c]);
  }
  return outcome;
}

}  // namespace hamel::lanes
