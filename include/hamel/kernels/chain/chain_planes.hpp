// SPDX-License-Identifier: BSD-3-Clause
// Numbers and vectors of all links, plane by plane, and the tridiagonal systems of a chain in them.
#pragma once

#include "hamel/core/vec.hpp"

namespace hamel {

/// Vectors of all links. A plane has one number per link, with a zero before the first and after
/// the last.
template <class S>
struct ChainVectors {
  S *x, *y, *z;
  Vec<S, 3> operator()(int i) const { return {{x[i], y[i], z[i]}}; }
  void set(int i, const Vec<S, 3>& a) const {
    x[i] = a[0];
    y[i] = a[1];
    z[i] = a[2];
  }
};

/// diag_i s_i − e_i s_{i+1} − e_{i−1} s_{i−1} = −(f_{i−1} + g_i), positive definite.
template <class S>
struct ChainTridiagonal {
  S *diagonal, *e, *f, *g, *pivot, *right, *s;
  void down(int i) const {
    const S factor = e[i - 1] * pivot[i - 1];
    pivot[i] = S(1.0) / (diagonal[i] - e[i - 1] * factor);
    right[i] = factor * right[i - 1] - (f[i - 1] + g[i]);
  }
  void up(int i) const { s[i] = (right[i] + e[i] * s[i + 1]) * pivot[i]; }
};

/// What the discrete gradient takes from one end, of the pair of links i, j = i + 1.
template <class S>
struct ChainEnd : ChainTridiagonal<S> {
  S *qq, *pp, *pq, *qp;  // q_i·q_j, π_i·π_j, π_i·q_j, q_i·π_j
};

}  // namespace hamel
