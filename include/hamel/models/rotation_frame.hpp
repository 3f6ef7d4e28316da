// SPDX-License-Identifier: BSD-3-Clause
// The body frame on rotations: q = R ∈ R⁹ row by row, Ṙ = R ξ̂.
//
//   u_i = R ê_i,  [u_i, u_j] = ε_ijk u_k:  c_ij^k = +ε_ijk, Euler's μ̇ = μ×ξ. [MATH 1.6]
#pragma once

#include <array>

#include "hamel/core/vec.hpp"
#include "hamel/models/frame_system.hpp"

namespace hamel {

inline constexpr CoordinateInfo rotation_coordinates[] = {{"r11", "1"}, {"r12", "1"}, {"r13", "1"},
                                                          {"r21", "1"}, {"r22", "1"}, {"r23", "1"},
                                                          {"r31", "1"}, {"r32", "1"}, {"r33", "1"}};

/// The first M body fields at R.
template <int M, class S>
Mat<S, M, 9> body_fields(const Vec<S, 9>& R) {
  Mat<S, M, 9> rows;
  for (int i = 0; i < M; ++i)
    for (int a = 0; a < 3; ++a) {
      // (R ê_i)_ab = Σ_c R_ac (ê_i)_cb, with (ê_i)_{jk} = −1, (ê_i)_{kj} = +1 for (i, j, k) cyclic
      const int j = (i + 1) % 3;
      const int k = (i + 2) % 3;
      rows(i, 3 * a + i) = S(0.0);
      rows(i, 3 * a + j) = R[3 * a + k];
      rows(i, 3 * a + k) = -R[3 * a + j];
    }
  return rows;
}

/// c_12^3 = c_23^1 = c_31^2 = 1.
template <class S>
std::array<BracketOf<S>, 3> rotation_brackets() {
  return {{{1, 2, 3, S(1.0)}, {2, 3, 1, S(1.0)}, {3, 1, 2, S(1.0)}}};  // [MATH 1.6]
}

/// R m.
template <class S>
Vec<S, 3> rotated(const Vec<S, 9>& R, const Vec<S, 3>& m) {
  Vec<S, 3> out;
  for (int a = 0; a < 3; ++a) out[a] = R[3 * a] * m[0] + R[3 * a + 1] * m[1] + R[3 * a + 2] * m[2];
  return out;
}

/// trace(R Rᵀ)/3 − 1: zero on rotations; R Rᵀ is constant wherever Ṙ = R ξ̂.
template <class S>
S rotation_defect(const Vec<S, 9>& R) {
  return dot(R, R) * S(1.0 / 3.0) - S(1.0);
}

}  // namespace hamel
