// SPDX-License-Identifier: BSD-3-Clause
// Systems on (S²)ⁿ written in C++: a page of code, traced once into formulas.
//
//   int spheres() const;
//   double inertia(int i) const;                              m_ii where the others are zero, or
//   template <class S> S inertia(const Vectors<S>& q, int i, int j) const;   any m_ij(q), i ≤ j
//   template <class S> S potential(const Vectors<S>& q) const;
// or, instead of inertia and potential,
//   template <class S> S lagrangian(const Vectors<S>& q, const Vectors<S>& v) const;
// and optionally
//   template <class S> Vectors<S> forces(const Vectors<S>& q, const Vectors<S>& v, const S& t)
//   const;
#pragma once

#include <string>
#include <vector>

#include "hamel/core/error.hpp"
#include "hamel/core/vec.hpp"
#include "hamel/models/spheres_model.hpp"

namespace hamel {

template <class S>
using Vectors = std::vector<Vec<S, 3>>;

template <class System>
SpheresModel traced_model(const System& system) {
  const auto n = static_cast<std::size_t>(system.spheres());
  constexpr std::size_t most = 1024;  // matrices of 3n by 3n, as formulas, take memory
  if (n > most)
    throw InputError(std::to_string(n) + " spheres are too many: at most " + std::to_string(most) +
                     " that are no chain");
  std::vector<std::string> names;
  for (std::size_t i = 0; i < n; ++i) names.push_back(std::to_string(i + 1));
  SpheresFormulas formulas = SpheresFormulas::with_variables(std::move(names));
  Vectors<Expression> q;
  Vectors<Expression> v;
  for (std::size_t i = 0; i < n; ++i) {
    q.push_back({{formulas.q[3 * i], formulas.q[3 * i + 1], formulas.q[3 * i + 2]}});
    v.push_back({{formulas.v[3 * i], formulas.v[3 * i + 1], formulas.v[3 * i + 2]}});
  }
  if constexpr (requires { system.lagrangian(q, v); }) {
    formulas.lagrangian = system.lagrangian(q, v);
  } else {
    std::vector<Expressions> m(n, Expressions(n));
    for (std::size_t i = 0; i < n; ++i) {
      if constexpr (requires { system.inertia(0); }) {
        m[i][i] = system.inertia(static_cast<int>(i));
      } else {
        for (std::size_t j = i; j < n; ++j)
          m[i][j] = m[j][i] = system.inertia(q, static_cast<int>(i), static_cast<int>(j));
      }
    }
    formulas.set_quadratic(std::move(m), system.potential(q));
  }
  if constexpr (requires { system.forces(q, v, formulas.t); })
    for (const auto& f : system.forces(q, v, formulas.t))
      for (int c = 0; c < 3; ++c) formulas.force.push_back(f[c]);
  return formulas_model(std::move(formulas));
}

}  // namespace hamel
