// Small linear algebra with expressions, shared by the equations in frames.
#pragma once

#include "hamel/mechanics/frame_model.hpp"

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

}  // namespace hamel
