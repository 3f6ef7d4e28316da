// SPDX-License-Identifier: BSD-3-Clause
// The rigid body pendulum: a body of any shape that turns about a fixed point under its weight.
//
//   q = R ∈ R⁹, Ṙ = R ξ̂,   l = ½ξ·Jξ − w⟨χ, Γ⟩,   Γ = Rᵀe3 the last row of R,            [MATH 1.6]
//   μ = Jξ:   μ̇ = μ×ξ + w Γ×χ.
// J is any inertia matrix, χ the centre of mass, both in the body. Energy, the vertical momentum
// Γ·μ and RRᵀ are quadratic in (R, μ): the discrete Hamel step keeps all of them. heavy_top is the
// same body as it looks from within, in Γ alone. Source: J. Shen, A. K. Sanyal, N. A. Chaturvedi,
// D. Bernstein, N. H. McClamroch, Dynamics and control of a 3D pendulum, CDC 2004.
#pragma once

#include <string_view>

#include "hamel/models/initial_values.hpp"
#include "hamel/models/rotation_frame.hpp"

namespace hamel {

struct RigidBodyPendulum {
  Expression J11 = 1.0;
  Expression J22 = 1.4;
  Expression J33 = 0.6;
  Expression J12 = 0.1;
  Expression J13 = 0.2;
  Expression J23 = -0.1;
  Expression weight = 1.0;
  Expression chi1 = 0.0;
  Expression chi2 = 0.0;
  Expression chi3 = 1.0;

  static constexpr std::string_view summary =
      "a rigid body of any shape about a fixed point, in gravity";
  static constexpr std::string_view equations =
      "R' = R hat(xi),  J xi' = (J xi) x xi + weight Gamma x chi, Gamma = R^T e3;  q = R row by "
      "row, p = J xi";
  static constexpr std::string_view reference = "MATH 1.6, 2.3; J. Shen et al. 2004";
  static constexpr std::string_view recommended_method = "hamel";
  static constexpr Parameter<RigidBodyPendulum, Expression> parameters[] = {
      {"J11", "kg m^2", "inertia about the fixed point", Range::positive, &RigidBodyPendulum::J11},
      {"J22", "kg m^2", "inertia about the fixed point", Range::positive, &RigidBodyPendulum::J22},
      {"J33", "kg m^2", "inertia about the fixed point", Range::positive, &RigidBodyPendulum::J33},
      {"J12", "kg m^2", "product of inertia, entry of the matrix", Range::any,
       &RigidBodyPendulum::J12},
      {"J13", "kg m^2", "product of inertia, entry of the matrix", Range::any,
       &RigidBodyPendulum::J13},
      {"J23", "kg m^2", "product of inertia, entry of the matrix", Range::any,
       &RigidBodyPendulum::J23},
      {"weight", "N", "mass times gravity", Range::non_negative, &RigidBodyPendulum::weight},
      {"chi1", "m", "centre of mass in the body", Range::any, &RigidBodyPendulum::chi1},
      {"chi2", "m", "centre of mass in the body", Range::any, &RigidBodyPendulum::chi2},
      {"chi3", "m", "centre of mass in the body", Range::any, &RigidBodyPendulum::chi3}};
  static constexpr auto& coordinates = rotation_coordinates;
  static constexpr FigureInfo figure{"r13", "r23"};  ///< the third body axis, from above

  template <class S>
  S quasi_lagrangian(const Vec<S, 9>& R, const Vec<S, 3>& xi) const {
    return S(0.5) * (S(J11) * xi[0] * xi[0] + S(J22) * xi[1] * xi[1] + S(J33) * xi[2] * xi[2]) +
           S(J12) * xi[0] * xi[1] + S(J13) * xi[0] * xi[2] + S(J23) * xi[1] * xi[2] -
           S(weight) * (S(chi1) * R[6] + S(chi2) * R[7] + S(chi3) * R[8]);
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
      {"momentum_z", "kg m^2/s", "vertical component of the angular momentum, Gamma.p"},
      {"orthogonality", "1", "trace(R R^T)/3 - 1"}};
  template <class S>
  Vec<S, 2> extra_invariant_values(const FramePoint<S, 9, 3>& x) const {
    return {{rotated(x.q, x.p)[2], rotation_defect(x.q)}};
  }

  /// The third body axis level, the body at rest but for a slow turn.
  static InitialValues default_initial() {
    return {{{"q", {0, 0, 1, 1, 0, 0, 0, 1, 0}}, {"xi", {0.3, 0.2, 0.5}}}, true};
  }
  static constexpr double default_step = 0.05;
};

}  // namespace hamel
