// SPDX-License-Identifier: BSD-3-Clause
// The Lagrange top: a symmetric body that spins about a fixed point on its axis, in gravity.
//
//   q = R ∈ R⁹, Ṙ = R ξ̂,   l = ½(J1(ξ1² + ξ2²) + J3 ξ3²) − w r33,                     [MATH 1.6]
//   μ̇ = μ×ξ + w Γ×e3,   Γ = Rᵀe3 the last row of R.
// w is the weight times the distance of the centre of mass. Energy, the momentum about the vertical
// Γ·μ, that about the axis μ3, and RRᵀ are at most quadratic in (R, μ): the discrete Hamel step
// keeps all of them. The tip (r13, r23) draws loops, cusps or waves.
#pragma once

#include <string_view>

#include "hamel/models/initial_values.hpp"
#include "hamel/models/rotation_frame.hpp"
#include "hamel/systems/closed/lagrange_top_solution.hpp"

namespace hamel {

struct LagrangeTop {
  Expression J1 = 1.0;
  Expression J3 = 1.5;
  Expression weight = 1.0;

  static constexpr std::string_view summary = "a symmetric spinning top in gravity";
  static constexpr std::string_view equations =
      "R' = R hat(xi),  J xi' = (J xi) x xi + weight Gamma x e3, Gamma = R^T e3, J = diag(J1, J1, "
      "J3);  q = R row by row, p = J xi";
  static constexpr std::string_view reference =
      "D1; MATH 1.6; E. T. Whittaker, Analytical Dynamics";
  static constexpr std::string_view recommended_method = "hamel";
  static constexpr Parameter<LagrangeTop, Expression> parameters[] = {
      {"J1", "kg m^2", "moment of inertia across the axis, about the fixed point", Range::positive,
       &LagrangeTop::J1},
      {"J3", "kg m^2", "moment of inertia about the axis", Range::positive, &LagrangeTop::J3},
      {"weight", "N m", "mass times gravity times distance of the centre of mass",
       Range::non_negative, &LagrangeTop::weight}};
  static constexpr auto& coordinates = rotation_coordinates;
  static constexpr FigureInfo figure{"r13", "r23"};  ///< the tip, from above

  template <class S>
  S quasi_lagrangian(const Vec<S, 9>& R, const Vec<S, 3>& xi) const {
    return S(0.5 * J1) * (xi[0] * xi[0] + xi[1] * xi[1]) + S(0.5 * J3) * xi[2] * xi[2] -
           S(weight) * R[8];
  }
  template <class S>
  Mat<S, 3, 9> frame(const Vec<S, 9>& R) const {
    return body_fields<3>(R);
  }
  template <class S>
  std::array<BracketOf<S>, 3> brackets(const Vec<S, 9>&) const {
    return rotation_brackets<S>();
  }

  static constexpr InvariantInfo extra_invariants[] = {
      {"momentum_z", "kg m^2/s", "angular momentum about the vertical, Gamma.p"},
      {"momentum_axis", "kg m^2/s", "angular momentum about the axis, p3"},
      {"orthogonality", "1", "trace(R R^T)/3 - 1"}};
  template <class S>
  Vec<S, 3> extra_invariant_values(const FramePoint<S, 9, 3>& x) const {
    return {{rotated(x.q, x.p)[2], x.p[2], rotation_defect(x.q)}};
  }

  LagrangeTopSolution exact(const std::vector<Quad>& R, const std::vector<Quad>& xi) const {
    return {Quad(J1), Quad(J3), Quad(weight), R, xi};
  }

  /// The axis level.
  static InitialValues default_initial() {
    return {{{"q", {0, 0, 1, 1, 0, 0, 0, 1, 0}}, {"xi", {0.3, 0.2, 1.5}}}, true};
  }
  static constexpr double default_step = 0.05;
};

}  // namespace hamel
