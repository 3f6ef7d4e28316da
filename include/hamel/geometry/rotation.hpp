// SPDX-License-Identifier: BSD-3-Clause
// Rotations: hat map, Cayley and exponential maps of SO(3), acting on vectors.
//
//   S(a) y = a × y
//   Cay(a) = (I − S(a))⁻¹ (I + S(a)) = I + 2/(1+|a|²) (S(a) + S(a)²)
//
// Cay(a) turns by the angle 2 atan|a| about a. D0's printed formula for Γ uses this map where its
// inverse is needed: with Γ̇ = Γ×Ω it must read (I + A)⁻¹(I − A).  [MATH 9]
#pragma once

#include "hamel/core/vec.hpp"

namespace hamel {

/// S(a), the matrix of y ↦ a × y.
template <class S>
HAMEL_FN constexpr Mat<S, 3, 3> hat(const Vec<S, 3>& a) {
  const S zero(0.0);
  return {{{zero, -a[2], a[1]}, {a[2], zero, -a[0]}, {-a[1], a[0], zero}}};
}

/// (Cay(a) − I) y, the increment of y, so that y' = y + increment loses no digits for small a.
template <class S>
HAMEL_FN constexpr Vec<S, 3> cayley_increment(const Vec<S, 3>& a, const Vec<S, 3>& y) {
  const S scale = S(2.0) / (S(1.0) + norm2(a));
  return scale * cross(a, y + cross(a, y));
}

/// exp(S(a)) y by Rodrigues' formula.
template <class S>
HAMEL_FN Vec<S, 3> rotate(const Vec<S, 3>& a, const Vec<S, 3>& y) {
  const S angle2 = norm2(a);
  const MaskOf<S> tiny = angle2 < S(1e-8);
  const S safe = select(tiny, S(1.0), angle2);
  const S angle = sqrt(safe);
  // sin x/x and (1 − cos x)/x², by their series below x = 1e-4 (next term < 1e-18 relative).
  const S s =
      select(tiny, S(1.0) - angle2 / S(6.0) + angle2 * angle2 / S(120.0), sin(angle) / angle);
  const S half = sin(S(0.5) * angle);
  const S c = select(tiny, S(0.5) - angle2 / S(24.0) + angle2 * angle2 / S(720.0),
                     S(2.0) * half * half / safe);
  const Vec<S, 3> ay = cross(a, y);
  return y + s * ay + c * cross(a, ay);
}

}  // namespace hamel
