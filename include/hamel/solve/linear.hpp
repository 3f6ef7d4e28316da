// SPDX-License-Identifier: BSD-3-Clause
// Small dense linear systems, fixed size, lane by lane.
#pragma once

#include "hamel/core/vec.hpp"

namespace hamel {

template <class S>
HAMEL_FN constexpr Vec<S, 1> solve(const Mat<S, 1, 1>& a, const Vec<S, 1>& b) {
  return {{b[0] / a(0, 0)}};
}

/// x = A⁻¹ b by Gaussian elimination with partial pivoting; rows are exchanged by select, so lanes
/// with different pivots go together. A singular A gives non-finite x. O(N³).
template <class S, int N>
HAMEL_FN constexpr Vec<S, N> solve(Mat<S, N, N> a, Vec<S, N> b) {
  for (int k = 0; k < N; ++k) {
    for (int i = k + 1; i < N; ++i) {  // bubble the larger |a_ik| into row k
      const MaskOf<S> swap = abs(a(i, k)) > abs(a(k, k));
      for (int j = k; j < N; ++j) {
        const S upper = a(k, j);
        a(k, j) = select(swap, a(i, j), upper);
        a(i, j) = select(swap, upper, a(i, j));
      }
      const S upper = b[k];
      b[k] = select(swap, b[i], upper);
      b[i] = select(swap, upper, b[i]);
    }
    const S inverse = S(1.0) / a(k, k);
    for (int i = k + 1; i < N; ++i) {
      const S factor = a(i, k) * inverse;
      for (int j = k + 1; j < N; ++j) a(i, j) = a(i, j) - factor * a(k, j);
      b[i] = b[i] - factor * b[k];
    }
  }
  for (int k = N - 1; k >= 0; --k) {
    for (int j = k + 1; j < N; ++j) b[k] = b[k] - a(k, j) * b[j];
    b[k] = b[k] / a(k, k);
  }
  return b;
}

/// A matrix ready to be solved with several times.
template <class S, int N>
struct Factored {
  Mat<S, N, N> matrix;
  HAMEL_FN explicit constexpr Factored(const Mat<S, N, N>& a) : matrix(a) {}
  HAMEL_FN constexpr Vec<S, N> solve(const Vec<S, N>& b) const { return hamel::solve(matrix, b); }
};

/// 2×2: the inverse itself.
template <class S>
struct Factored<S, 2> {
  Mat<S, 2, 2> inverse;
  HAMEL_FN explicit constexpr Factored(const Mat<S, 2, 2>& a) {
    const S inverse_det = S(1.0) / (a(0, 0) * a(1, 1) - a(0, 1) * a(1, 0));
    inverse = {{{a(1, 1) * inverse_det, -(a(0, 1) * inverse_det)},
                {-(a(1, 0) * inverse_det), a(0, 0) * inverse_det}}};
  }
  HAMEL_FN constexpr Vec<S, 2> solve(const Vec<S, 2>& b) const { return inverse * b; }
};

}  // namespace hamel
