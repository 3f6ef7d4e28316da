// SPDX-License-Identifier: BSD-3-Clause
// ∫ f over [a, b] by 8-point Gauss–Legendre panels in Quad: order 16.
#pragma once

#include "hamel/core/scalar.hpp"

namespace hamel {

/// f(t) → Quad, or a type with Quad multiples and sums; panels no longer than `longest`.
template <class F>
auto gauss_panels(const F& f, Quad a, Quad b, Quad longest) {
  // nodes and weights on [−1, 1], half of them
  static const Quad nodes[] = {quad_from_string("0.18343464249564980493947614236018398"),
                               quad_from_string("0.52553240991632898581773904918924635"),
                               quad_from_string("0.79666647741362673959155393647583044"),
                               quad_from_string("0.96028985649753623168356086856947299")};
  static const Quad weights[] = {quad_from_string("0.36268378337836198296515044927719561"),
                                 quad_from_string("0.31370664587788728733796220198660131"),
                                 quad_from_string("0.22238103445337447054435599442624088"),
                                 quad_from_string("0.10122853629037625915253135430996219")};
  const Quad span = b - a;
  const int panels = 1 + static_cast<int>(abs(span) / longest);
  const Quad half = span / (2 * panels);
  decltype(half * f(a)) sum{};
  for (int i = 0; i < panels; ++i) {
    const Quad middle = a + half * (2 * i + 1);
    for (int k = 0; k < 4; ++k)
      sum += (half * weights[k]) * (f(middle - half * nodes[k]) + f(middle + half * nodes[k]));
  }
  return sum;
}

}  // namespace hamel
