// Dense linear systems whose size is known at run time: LU with partial pivoting, in place.
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

}  // namespace hamel
