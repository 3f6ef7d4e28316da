// SPDX-License-Identifier: BSD-3-Clause
// Singular values of dense matrices, in any scalar: ranks, null spaces, least squares.
//
// One-sided Jacobi rotations: the columns of A are turned against each other until all are
// orthogonal, A V = U diag(s). Small singular values come out with small relative errors. Source:
// G. H. Golub, C. F. Van Loan, Matrix Computations, 4th ed., 8.6.3.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "hamel/core/scalar.hpp"

namespace hamel {

template <class S>
struct SingularValues {
  int rows = 0;
  int columns = 0;
  std::vector<S> s;               ///< one per column, largest first
  std::vector<std::vector<S>> u;  ///< left vectors; zero where s is
  std::vector<std::vector<S>> v;  ///< right vectors, orthonormal, also where s is zero

  /// How many exceed `part` of the largest; zeros never do.
  int rank(double part) const {
    return static_cast<int>(std::ranges::count_if(
        s, [&](const S& x) { return x > S(part) * s.front() && x > S(0.0); }));
  }
};

/// a: rows×columns, row by row. O(rows · columns²) a sweep, some ten of them.
template <class S>
SingularValues<S> singular_values(const std::vector<S>& a, int rows, int columns) {
  using Column = std::vector<S>;
  const auto m = static_cast<std::size_t>(rows);
  const auto n = static_cast<std::size_t>(columns);
  std::vector<Column> w(n, Column(m));
  std::vector<Column> v(n, Column(n, S(0.0)));
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < m; ++i) w[j][i] = a[i * n + j];
    v[j][j] = S(1.0);
  }
  const auto product = [](const Column& x, const Column& y) {
    S sum(0.0);
    for (std::size_t i = 0; i < x.size(); ++i) sum = sum + x[i] * y[i];
    return sum;
  };
  constexpr int most_sweeps = 60;
  bool turned = true;
  for (int sweep = 0; turned && sweep < most_sweeps; ++sweep) {
    turned = false;
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) {
        const S pp = product(w[p], w[p]);
        const S qq = product(w[q], w[q]);
        const S pq = product(w[p], w[q]);
        if (!(abs(pq) > S(2.0) * Epsilon<S>::value * sqrt(pp) * sqrt(qq))) continue;
        turned = true;
        const S zeta = (qq - pp) / (S(2.0) * pq);
        const S root = sqrt(S(1.0) + zeta * zeta);
        const S t = S(1.0) / (zeta < S(0.0) ? zeta - root : zeta + root);
        const S c = S(1.0) / sqrt(S(1.0) + t * t);
        for (auto* of : {&w, &v})
          for (std::size_t i = 0; i < (*of)[p].size(); ++i) {
            const S x = (*of)[p][i];
            const S y = (*of)[q][i];
            (*of)[p][i] = c * (x - t * y);
            (*of)[q][i] = c * (y + t * x);
          }
      }
  }
  SingularValues<S> found;
  found.rows = rows;
  found.columns = columns;
  std::vector<S> sizes(n);
  for (std::size_t j = 0; j < n; ++j) sizes[j] = sqrt(product(w[j], w[j]));
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t i, std::size_t j) { return sizes[i] > sizes[j]; });
  for (const std::size_t j : order) {
    found.s.push_back(sizes[j]);
    Column u = w[j];
    for (S& x : u) x = sizes[j] > S(0.0) ? x / sizes[j] : S(0.0);
    found.u.push_back(std::move(u));
    found.v.push_back(v[j]);
  }
  return found;
}

}  // namespace hamel
