// SPDX-License-Identifier: BSD-3-Clause
// Dense linear systems whose size is known at run time: LU with partial pivoting, in place, and the
// same operations lane by lane.
#pragma once

#include "hamel/core/scalar.hpp"

namespace hamel {

/// a (n×n, row by row) becomes its factors L\U with the rows exchanged by `pivot`. False where a
/// pivot is zero or not finite. O(n³), no allocation.
template <class S>
bool lu_factor(S* a, int n, int* pivot) noexcept {
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; i < n; ++i)
      if (abs(a[i * n + k]) > abs(a[best * n + k])) best = i;
    pivot[k] = best;
    const S p = a[best * n + k];
    if (!(abs(p) > S(0.0)) || !(p - p == S(0.0))) return false;
    if (best != k)
      for (int j = 0; j < n; ++j) {
        const S upper = a[k * n + j];
        a[k * n + j] = a[best * n + j];
        a[best * n + j] = upper;
      }
    const S inverse = S(1.0) / p;
    const S* top = a + k * n;
    for (int i = k + 1; i < n; ++i) {
      S* row = a + i * n;
      if (row[k] == S(0.0)) continue;
      const S factor = row[k] * inverse;
      row[k] = factor;
      for (int j = k + 1; j < n; ++j) row[j] = row[j] - factor * top[j];
    }
  }
  return true;
}

/// The sign of the determinant, from the factors of lu_factor.
template <class S>
int lu_sign(const S* a, int n, const int* pivot) noexcept {
  int sign = 1;
  for (int k = 0; k < n; ++k)
    if ((a[k * n + k] < S(0.0)) != (pivot[k] != k)) sign = -sign;
  return sign;
}

/// x = (LU)⁻¹ x, no rows exchanged.
template <class S>
void lu_substitute(const S* a, int n, S* x) noexcept {
  for (int i = 1; i < n; ++i) {
    S sum = x[i];
    for (int j = 0; j < i; ++j) sum = sum - a[i * n + j] * x[j];
    x[i] = sum;
  }
  for (int i = n - 1; i >= 0; --i) {
    S sum = x[i];
    for (int j = i + 1; j < n; ++j) sum = sum - a[i * n + j] * x[j];
    x[i] = sum / a[i * n + i];
  }
}

/// x = A⁻¹ x with the factors of lu_factor.
template <class S>
void lu_solve(const S* a, int n, const int* pivot, S* x) noexcept {
  for (int k = 0; k < n; ++k) {
    if (pivot[k] != k) {
      const S upper = x[k];
      x[k] = x[pivot[k]];
      x[pivot[k]] = upper;
    }
  }
  lu_substitute(a, n, x);
}

/// lu_factor lane by lane; pivot: the row of each lane, as a number. The lanes where a pivot is
/// zero or not finite get false.
template <class S>
MaskOf<S> lu_factor_lanes(S* a, int n, S* pivot) noexcept {
  MaskOf<S> regular(true);
  for (int k = 0; k < n; ++k) {
    S best = S(static_cast<double>(k));
    S p = a[k * n + k];
    for (int i = k + 1; i < n; ++i) {
      const MaskOf<S> larger = abs(a[i * n + k]) > abs(p);
      p = select(larger, a[i * n + k], p);
      best = select(larger, S(static_cast<double>(i)), best);
    }
    pivot[k] = best;
    regular = regular && abs(p) > S(0.0) && p - p == S(0.0);
    if (any(best != S(static_cast<double>(k))))
      for (int i = k + 1; i < n; ++i) {
        const MaskOf<S> here = best == S(static_cast<double>(i));
        if (any(here))
          for (int j = 0; j < n; ++j) {
            const S upper = a[k * n + j];
            a[k * n + j] = select(here, a[i * n + j], upper);
            a[i * n + j] = select(here, upper, a[i * n + j]);
          }
      }
    const S inverse = S(1.0) / p;
    const S* top = a + k * n;
    for (int i = k + 1; i < n; ++i) {
      S* row = a + i * n;
      const MaskOf<S> there = row[k] != S(0.0);  // elsewhere nothing changes, not even a sign of 0
      if (!any(there)) continue;
      const S factor = row[k] * inverse;
      row[k] = select(there, factor, row[k]);
      if (all(there))
        for (int j = k + 1; j < n; ++j) row[j] = row[j] - factor * top[j];
      else
        for (int j = k + 1; j < n; ++j) row[j] = select(there, row[j] - factor * top[j], row[j]);
    }
  }
  return regular;
}

/// x = A⁻¹ x with the factors of lu_factor_lanes.
template <class S>
void lu_solve_lanes(const S* a, int n, const S* pivot, S* x) noexcept {
  for (int k = 0; k < n; ++k) {
    if (!any(pivot[k] != S(static_cast<double>(k)))) continue;
    for (int i = k + 1; i < n; ++i) {
      const MaskOf<S> here = pivot[k] == S(static_cast<double>(i));
      const S upper = x[k];
      x[k] = select(here, x[i], upper);
      x[i] = select(here, upper, x[i]);
    }
  }
  lu_substitute(a, n, x);
}

}  // namespace hamel
