// SPDX-License-Identifier: BSD-3-Clause
// Small linear algebra with expressions, shared by the equations in frames.
#pragma once

#include "hamel/models/frame_model.hpp"

namespace hamel {

inline Expression dot(std::span<const Expression> a, std::span<const Expression> b) {
  Expression sum;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// Σ_i weights_i rows_i.
inline Expressions combination(std::span<const Expression> weights,
                               const std::vector<Expressions>& rows, std::size_t width) {
  Expressions sum(width);
  for (std::size_t i = 0; i < weights.size(); ++i)
    for (std::size_t b = 0; b < width; ++b) sum[b] += weights[i] * rows[i][b];
  return sum;
}

/// Frame and complement.
inline std::vector<Expressions> all_rows(const FrameModel& model) {
  std::vector<Expressions> rows = model.frame;
  rows.insert(rows.end(), model.complement.begin(), model.complement.end());
  return rows;
}

/// x with ψx = w in the least-squares sense, exact where w lies in the span of the rows:
/// (ψᵀψ)x = ψᵀw by LDLᵀ, whose pivots vanish only where the rows are dependent.
inline Expressions in_span(const std::vector<Expressions>& rows, const Expressions& w) {
  const std::size_t n = rows.size();
  std::vector<Expressions> a(n, Expressions(n));
  Expressions x(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = dot(rows[i], w);
    for (std::size_t j = 0; j < n; ++j) a[i][j] = dot(rows[i], rows[j]);
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = k + 1; i < n; ++i) {
      if (a[i][k].is_constant(0)) continue;
      const Expression factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      x[i] -= factor * x[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) x[k] -= a[k][j] * x[j];
    x[k] = x[k] / a[k][k];
  }
  return x;
}

/// Cofactors have (N − 1)! terms: for a few coordinates only.
inline constexpr std::size_t most_for_cofactors = 6;

inline Expression determinant(const std::vector<Expressions>& a) {
  if (a.empty()) return 1.0;
  Expression sum;
  for (std::size_t j = 0; j < a.size(); ++j) {
    if (a[0][j].is_constant(0)) continue;
    std::vector<Expressions> minor;
    for (std::size_t i = 1; i < a.size(); ++i) {
      Expressions row;
      for (std::size_t k = 0; k < a.size(); ++k)
        if (k != j) row.push_back(a[i][k]);
      minor.push_back(std::move(row));
    }
    const Expression term = a[0][j] * determinant(minor);
    sum = j % 2 == 0 ? sum + term : sum - term;
  }
  return sum;
}

/// The generalised cross product of N − 1 rows.
inline Expressions cofactor_form(const std::vector<Expressions>& rows, std::size_t N) {
  Expressions form(N);
  for (std::size_t b = 0; b < N; ++b) {
    std::vector<Expressions> minor;
    for (const auto& row : rows) {
      Expressions kept;
      for (std::size_t k = 0; k < N; ++k)
        if (k != b) kept.push_back(row[k]);
      minor.push_back(std::move(kept));
    }
    const Expression d = determinant(minor);
    form[b] = (N - 1 + b) % 2 == 0 ? d : -d;
  }
  return form;
}

}  // namespace hamel
