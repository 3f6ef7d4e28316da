// SPDX-License-Identifier: BSD-3-Clause
// What the checks of D3's claims share: random states on (S²)ⁿ, in Quad.
#pragma once

#include "hamel/stepping/fields/spheres_field.hpp"
#include "reproduce_d1.hpp"

namespace hamel::app {

using Vector = Vec<Quad, 3>;

inline std::size_t ix(int i) { return static_cast<std::size_t>(i); }

/// Vector i of a list.
template <class List>
auto at(const List& list, int i) {
  const std::size_t a = ix(3 * i);
  return Vec<typename List::value_type, 3>{{list[a], list[a + 1], list[a + 2]}};
}
template <class List, class S>
void append(List& list, const Vec<S, 3>& vector) {
  list.insert(list.end(), vector.data, vector.data + 3);
}
template <class S>
Vec<S, 3> tangent(const Vec<S, 3>& q, const Vec<S, 3>& a) {
  return a - dot(q, a) * q;
}
inline double size(const Vector& a) { return static_cast<double>(norm(a)); }

Numbers part(const Numbers& list, std::size_t from, std::size_t count);

/// A random point of T(S²)ⁿ.
struct State {
  State(int n, unsigned seed);
  Numbers both() const;
  Vector omega(int i) const { return cross(at(q, i), at(v, i)); }
  Numbers q, v;
};

/// (q̇, ẏ) of a form at a state.
Numbers rate_at(SpheresField<Quad>& field, const State& state);

// reproduce_d3_chain.cpp
Finding d3_eq37(const Registry&);
Finding d3_eq39(const Registry&);
Finding d3_eq41(const Registry&);
Finding d3_chain_any_n(const Registry&);

}  // namespace hamel::app
