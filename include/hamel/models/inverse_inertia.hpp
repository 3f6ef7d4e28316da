// SPDX-License-Identifier: BSD-3-Clause
// W = (m_ij)⁻¹ of a constant inertia matrix, and the linear systems W_ij a_i·b_j of constraints.
//
// Lists of n vectors are planes: x of all, y of all, z of all. O(n²), and O(n³) for factors.
#pragma once

#include <vector>

#include "hamel/core/vec.hpp"
#include "hamel/models/spheres_formulas.hpp"
#include "hamel/solve/dense.hpp"

namespace hamel {

template <class S>
class InverseInertia {
 public:
  /// Precondition: the inertia is constant and positive definite.
  explicit InverseInertia(const SpheresFormulas& formulas)
      : n_(formulas.spheres()), matrix_(index(n_ * n_)), pivot_(index(n_)) {
    std::vector<Quad> a, inverse;
    for (const Expressions& row : formulas.inertia)
      for (const Expression& m : row) a.push_back(m.value());
    m_.assign(a.begin(), a.end());
    lu_factor(a.data(), n_, pivot_.data());
    for (int j = 0; j < n_; ++j) {  // row j, as the inverse is symmetric
      inverse.resize(index((j + 1) * n_), Quad(0));
      inverse[index(j * n_ + j)] = 1;
      lu_solve(a.data(), n_, pivot_.data(), inverse.data() + j * n_);
    }
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j) {
        const Quad W = (inverse[index(i * n_ + j)] + inverse[index(j * n_ + i)]) / Quad(2);
        const Quad scale = sqrt(inverse[index(i * n_ + i)] * inverse[index(j * n_ + j)]);
        // Entries at Quad's round-off are zeros: those of a chain beyond its neighbours.
        W_.push_back(abs(W) > Quad(1e-29) * scale ? static_cast<S>(W) : S(0.0));
      }
  }

  const S& inertia(int i, int j) const { return m_[index(i * n_ + j)]; }

  /// out_i = factor Σ_j W_ij in_j.
  void multiply(const S& factor, const std::vector<S>& in, std::vector<S>& out) const noexcept {
    const int n = n_;
    S* x = out.data();
    S* y = x + n;
    S* z = y + n;
    for (int i = 0; i < 3 * n; ++i) x[i] = S(0.0);
    for (int j = 0; j < n; ++j) {
      const S* W = W_.data() + j * n;
      const Vec<S, 3> a = factor * at(in, j);
      for (int i = 0; i < n; ++i) x[i] = x[i] + W[i] * a[0];
      for (int i = 0; i < n; ++i) y[i] = y[i] + W[i] * a[1];
      for (int i = 0; i < n; ++i) z[i] = z[i] + W[i] * a[2];
    }
  }

  /// Factors of the matrix W_ij a_i·b_j, for solve(); false where it is singular.
  bool factor(const std::vector<S>& a, const std::vector<S>& b) noexcept {
    const int n = n_;
    const S* x = b.data();
    const S* y = x + n;
    const S* z = y + n;
    for (int i = 0; i < n; ++i) {
      const S* W = W_.data() + i * n;
      S* row = matrix_.data() + i * n;
      const Vec<S, 3> left = at(a, i);
      for (int j = 0; j < n; ++j)
        row[j] = W[j] * (left[0] * x[j] + left[1] * y[j] + left[2] * z[j]);
    }
    return lu_factor(matrix_.data(), n, pivot_.data());
  }

  /// x = matrix⁻¹ x.
  void solve(std::vector<S>& x) const noexcept {
    lu_solve(matrix_.data(), n_, pivot_.data(), x.data());
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  Vec<S, 3> at(const std::vector<S>& list, int i) const {
    return {{list[index(i)], list[index(n_ + i)], list[index(2 * n_ + i)]}};
  }

  int n_;
  std::vector<S> m_, W_, matrix_;
  std::vector<int> pivot_;
};

}  // namespace hamel
