// SPDX-License-Identifier: BSD-3-Clause
// Chaplygin's ball: a round ball, its mass centred but unevenly spread, rolls on a plane.
//
//   q = (R, x, y): attitude and the point of contact,  Ṙ = Rξ̂,  ẋ = ρω2,  ẏ = −ρω1,  ω = Rξ:
//   u_i = (R ê_i, ρR_2i, −ρR_1i),  u4 = ∂x,  u5 = ∂y  (not admissible),                [MATH 4]
//   c_ij^k = ε_ijk,  c_ij^4 = ρ ε_ijk R_2k,  c_ij^5 = −ρ ε_ijk R_1k,
//   l = ½Σ J_i ξ_i² + (m/2)((ρR_2iξ_i + ξ4)² + (−ρR_1iξ_i + ξ5)²),  ξ4 = ξ5 = 0 afterwards;
//   p = Jξ + mρ²(ξ − (Γ·ξ)Γ),  Γ = Rᵀe3:   ṗ = p×ξ.
// p is the angular momentum about the point of contact, seen from the body: Rp is constant. Rp and
// |p|² are quadratic and exact in a discrete Hamel step; the energy ½p·ξ(R, p) is not quadratic.
// Source: S. A. Chaplygin, On a ball's rolling on a horizontal plane, Regul. Chaotic Dyn. 7 (2002)
// 131 (of 1903).
#pragma once

#include <string_view>

#include "hamel/models/initial_values.hpp"
#include "hamel/models/rotation_frame.hpp"

namespace hamel {

struct ChaplyginBall {
  Expression mass = 1.0;
  Expression radius = 1.0;
  Expression J1 = 0.3;
  Expression J2 = 0.4;
  Expression J3 = 0.6;

  static constexpr std::string_view summary = "a ball with unequal moments of inertia, rolling";
  static constexpr std::string_view equations =
      "R' = R hat(xi),  x' = radius omega2,  y' = -radius omega1,  omega = R xi;  p' = p x xi, "
      "p = J xi + mass radius^2 (xi - (Gamma.xi) Gamma), Gamma = R^T e3";
  static constexpr std::string_view reference = "D1; MATH 4; S. A. Chaplygin 1903";
  static constexpr std::string_view recommended_method = "gauss";
  static constexpr Parameter<ChaplyginBall, Expression> parameters[] = {
      {"mass", "kg", "mass", Range::positive, &ChaplyginBall::mass},
      {"radius", "m", "radius of the ball", Range::positive, &ChaplyginBall::radius},
      {"J1", "kg m^2", "first principal moment of inertia", Range::positive, &ChaplyginBall::J1},
      {"J2", "kg m^2", "second principal moment of inertia", Range::positive, &ChaplyginBall::J2},
      {"J3", "kg m^2", "third principal moment of inertia", Range::positive, &ChaplyginBall::J3}};
  static constexpr CoordinateInfo coordinates[] = {
      {"r11", "1"}, {"r12", "1"}, {"r13", "1"}, {"r21", "1"}, {"r22", "1"}, {"r23", "1"},
      {"r31", "1"}, {"r32", "1"}, {"r33", "1"}, {"x", "m"},   {"y", "m"}};
  static constexpr int quasi_velocities = 5;

  template <class S>
  S quasi_lagrangian(const Vec<S, 11>& q, const Vec<S, 5>& xi) const {
    const Vec<S, 3> omega = rotated(attitude(q), Vec<S, 3>{{xi[0], xi[1], xi[2]}});
    const S vx = S(radius) * omega[1] + xi[3];
    const S vy = xi[4] - S(radius) * omega[0];
    return S(0.5) * (S(J1) * xi[0] * xi[0] + S(J2) * xi[1] * xi[1] + S(J3) * xi[2] * xi[2]) +
           S(0.5 * mass) * (vx * vx + vy * vy);
  }
  template <class S>
  Mat<S, 3, 11> frame(const Vec<S, 11>& q) const {
    const Mat<S, 3, 9> body = body_fields<3>(attitude(q));
    Mat<S, 3, 11> rows;
    for (int i = 0; i < 3; ++i) {
      for (int b = 0; b < 9; ++b) rows(i, b) = body(i, b);
      rows(i, 9) = S(radius) * q[3 + i];  // [MATH 4]
      rows(i, 10) = -(S(radius) * q[i]);
    }
    return rows;
  }
  template <class S>
  Mat<S, 2, 11> complement(const Vec<S, 11>&) const {
    Mat<S, 2, 11> rows;
    for (int a = 0; a < 2; ++a)
      for (int b = 0; b < 11; ++b) rows(a, b) = S(b == 9 + a ? 1.0 : 0.0);
    return rows;
  }
  template <class S>
  std::array<BracketOf<S>, 9> brackets(const Vec<S, 11>& q) const {
    std::array<BracketOf<S>, 9> c;
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3 + 1;
      const int j = (k + 2) % 3 + 1;
      const auto at = static_cast<std::size_t>(3 * k);
      c[at] = {i, j, k + 1, S(1.0)};
      c[at + 1] = {i, j, 4, S(radius) * q[3 + k]};  // [MATH 4]
      c[at + 2] = {i, j, 5, -(S(radius) * q[k])};   // [MATH 4]
    }
    return c;
  }

  static constexpr InvariantInfo extra_invariants[] = {
      {"momentum_x", "kg m^2/s", "angular momentum about the contact, first component"},
      {"momentum_y", "kg m^2/s", "angular momentum about the contact, second component"},
      {"momentum_z", "kg m^2/s", "angular momentum about the contact, third component"},
      {"momentum_squared", "kg^2 m^4/s^2", "|p|^2"},
      {"orthogonality", "1", "trace(R R^T)/3 - 1"}};
  template <class S>
  Vec<S, 5> extra_invariant_values(const FramePoint<S, 11, 3>& x) const {
    const Vec<S, 3> space = rotated(attitude(x.q), x.p);
    return {{space[0], space[1], space[2], dot(x.p, x.p), rotation_defect(attitude(x.q))}};
  }

  static InitialValues default_initial() {
    return {{{"q", {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0}}, {"xi", {0.2, 1.0, 0.5}}}, true};
  }
  static constexpr double default_step = 0.1;

 private:
  template <class S>
  static Vec<S, 9> attitude(const Vec<S, 11>& q) {
    Vec<S, 9> R;
    for (int b = 0; b < 9; ++b) R[b] = q[b];
    return R;
  }
};

}  // namespace hamel
