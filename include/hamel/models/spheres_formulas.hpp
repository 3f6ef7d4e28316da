// SPDX-License-Identifier: BSD-3-Clause
// Mechanics on (S²)ⁿ as expressions: a Lagrangian written once, for D3's four forms (MATH 6).
//
//   q_i ∈ S², q̇_i = ω_i×q_i, ω_i·q_i = 0.   L(q, q̇), or ½ Σ m_ij(q) q̇_i·q̇_j − U(q); forces f_i
// are paired with δq_i.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hamel/expressions/derivatives.hpp"

namespace hamel {

struct SpheresFormulas {
  std::shared_ptr<ExpressionGraph> graph;
  std::vector<std::string> names;  ///< one for each sphere
  Expressions q;                   ///< 3n variables
  Expressions v;                   ///< 3n variables, q̇
  Expression t;

  Expression lagrangian;  ///< L(q, q̇, t); with `inertia` it is ½ Σ m_ij q̇_i·q̇_j − U
  std::vector<Expressions> inertia;  ///< n×n, symmetric, m_ij(q); empty: a general Lagrangian
  Expression potential;              ///< U(q); with `inertia` only
  Expressions force;                 ///< 3n, f_i(q, q̇, t); empty where there are none

  int spheres() const { return static_cast<int>(q.size()) / 3; }
  bool forced() const { return !force.empty(); }
  bool quadratic() const { return !inertia.empty(); }
  /// Quadratic, and no m_ij depends on q.
  bool constant_inertia() const;
  /// Constant inertia without coupling: m_ij = 0 for i ≠ j.
  bool diagonal_inertia() const;

  /// The same on a graph of its own, to which formulas can be added.
  SpheresFormulas copy() const;

  /// With variables, and nothing else yet.
  static SpheresFormulas with_variables(std::vector<std::string> names);
  /// Sets lagrangian, inertia and potential.
  void set_quadratic(std::vector<Expressions> m, const Expression& U);
  /// Sets inertia and potential where the Lagrangian turns out to be ½ Σ m_ij(q) q̇_i·q̇_j − U(q).
  void find_inertia();
};

}  // namespace hamel
