// SPDX-License-Identifier: BSD-3-Clause
// The unit sphere S²: projections, tangent bases.
#pragma once

#include "hamel/core/vec.hpp"

namespace hamel {

/// q/|q|.
template <class S>
HAMEL_FN Vec<S, 3> normalised(const Vec<S, 3>& q) {
  return (S(1.0) / norm(q)) * q;
}

/// P v = v − q (q·v)/|q|², the part of v tangent to the sphere at q.
template <class S>
HAMEL_FN constexpr Vec<S, 3> tangent_part(const Vec<S, 3>& q, const Vec<S, 3>& v) {
  return v - (dot(q, v) / norm2(q)) * q;
}

/// √x − 1 without cancellation.
template <class S>
HAMEL_FN S root_defect(const S& x) {
  return (x - S(1.0)) / (sqrt(x) + S(1.0));
}

/// |q| − 1 without cancellation.
template <class S>
HAMEL_FN S length_defect(const Vec<S, 3>& q) {
  return root_defect(norm2(q));
}

/// Two unit vectors e1, e2 with (e1, e2, q) orthonormal and right-handed; e1 along the tangent part
/// of `along` unless that vanishes.
template <class S>
HAMEL_FN Mat<S, 2, 3> tangent_basis(const Vec<S, 3>& q, const Vec<S, 3>& along) {
  Vec<S, 3> e1 = tangent_part(q, along);
  if (!(norm2(e1) > S(1e-20) * norm2(along))) {
    // The coordinate axis farthest from q is never parallel to it.
    const int axis =
        abs(q[0]) < abs(q[1]) ? (abs(q[0]) < abs(q[2]) ? 0 : 2) : (abs(q[1]) < abs(q[2]) ? 1 : 2);
    Vec<S, 3> e{{S(0.0), S(0.0), S(0.0)}};
    e[axis] = S(1.0);
    e1 = tangent_part(q, e);
  }
  e1 = normalised(e1);
  const Vec<S, 3> e2 = normalised(cross(q, e1));
  return {{{e1[0], e1[1], e1[2]}, {e2[0], e2[1], e2[2]}}};
}

}  // namespace hamel
