// Systems on (S²)ⁿ written in C++: a page with inertia and potential, traced once into formulas.
//
//   int spheres() const;
//   double inertia(int i) const;                                 m_ii; others are zero
//   template <class S> S potential(const std::vector<Vec<S, 3>>& q) const;
#pragma once

#include <string>
#include <vector>

#include "hamel/core/vec.hpp"
#include "hamel/mechanics/spheres_model.hpp"

namespace hamel {

template <class System>
SpheresModel traced_model(const System& system) {
  const int n = system.spheres();
  std::vector<std::string> names;
  for (int i = 0; i < n; ++i) names.push_back(std::to_string(i + 1));
  SpheresFormulas formulas = SpheresFormulas::with_variables(std::move(names));
  std::vector<Vec<Expression, 3>> q;
  std::vector<Expressions> m(static_cast<std::size_t>(n), Expressions(static_cast<std::size_t>(n)));
  for (int i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    q.push_back({{formulas.q[3 * at], formulas.q[3 * at + 1], formulas.q[3 * at + 2]}});
    m[at][at] = system.inertia(i);
  }
  formulas.set_quadratic(std::move(m), system.potential(q));
  return formulas_model(std::move(formulas));
}

}  // namespace hamel
