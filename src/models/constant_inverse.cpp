// SPDX-License-Identifier: BSD-3-Clause

#include "constant_inverse.hpp"

namespace hamel {

ExpressionMatrix constant_inverse(const ExpressionMatrix& m) {
  const std::size_t n = m.size();
  bool diagonal = true;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) diagonal = diagonal && (i == j || m[i][j].is_constant(0));
  if (diagonal) {  // many spheres: not by O(n³)
    ExpressionMatrix W(n, Expressions(n));
    for (std::size_t i = 0; i < n; ++i) {
      if (!(m[i][i].value() > Quad(0))) return {};
      W[i][i] = Expression::constant(Quad(1) / m[i][i].value());
    }
    return W;
  }
  std::vector<std::vector<Quad>> a(n, std::vector<Quad>(2 * n, Quad(0)));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) a[i][j] = m[i][j].value();
    a[i][n + i] = 1;
  }
  for (std::size_t k = 0; k < n; ++k) {  // Gauss–Jordan; no exchange of rows is needed
    if (!(a[k][k] > Quad(1e-16) * m[k][k].value())) return {};
    const Quad inverse = Quad(1) / a[k][k];
    for (Quad& entry : a[k]) entry = entry * inverse;
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const Quad factor = a[i][k];
      for (std::size_t j = 0; j < 2 * n; ++j) a[i][j] = a[i][j] - factor * a[k][j];
    }
  }
  ExpressionMatrix W(n, Expressions(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      // Entries at Quad's round-off are zeros: those of a chain beyond its neighbours.
      const Quad symmetric = (a[i][n + j] + a[j][n + i]) / Quad(2);
      if (abs(symmetric) > Quad(1e-29) * sqrt(a[i][n + i] * a[j][n + j]))
        W[i][j] = Expression::constant(symmetric);
    }
  }
  return W;
}

}  // namespace hamel
