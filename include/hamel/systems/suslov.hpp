// SPDX-License-Identifier: BSD-3-Clause
// The Suslov problem: a rigid body whose angular velocity along a body axis is kept zero.
//
//   Ṙ = R ξ̂,  l = ½ ξᵀJξ,  ξ3 = 0 after differentiation: rows 1, 2 of Jξ̇ = μ×ξ,          [MATH 4]
//   μ = Jξ, μ3 = J13 ξ1 + J23 ξ2.
// Energy is kept, momentum is not: every motion tends to a rotation about a fixed axis.
#pragma once

#include <string_view>

#include "hamel/models/initial_values.hpp"
#include "hamel/models/rotation_frame.hpp"

namespace hamel {

struct Suslov {
  Expression J11 = 2.0;
  Expression J22 = 3.0;
  Expression J33 = 4.0;
  Expression J12 = 0.0;
  Expression J13 = 0.5;
  Expression J23 = 0.25;

  static constexpr std::string_view summary =
      "a rigid body that cannot turn about one of its own axes";
  static constexpr std::string_view equations =
      "R' = R hat(xi), xi3 = 0;  rows 1, 2 of J xi' = (J xi) x xi";
  static constexpr std::string_view reference = "D1; MATH 4";
  static constexpr std::string_view recommended_method = "hamel";
  static constexpr Parameter<Suslov, Expression> parameters[] = {
      {"J11", "kg m^2", "moment of inertia", Range::positive, &Suslov::J11},
      {"J22", "kg m^2", "moment of inertia", Range::positive, &Suslov::J22},
      {"J33", "kg m^2", "moment of inertia", Range::positive, &Suslov::J33},
      {"J12", "kg m^2", "product of inertia", Range::any, &Suslov::J12},
      {"J13", "kg m^2", "product of inertia", Range::any, &Suslov::J13},
      {"J23", "kg m^2", "product of inertia", Range::any, &Suslov::J23}};
  static constexpr auto& coordinates = rotation_coordinates;
  static constexpr int quasi_velocities = 3;
  static constexpr FigureInfo figure{"xi1", "xi2"};

  template <class S>
  S quasi_lagrangian(const Vec<S, 9>&, const Vec<S, 3>& xi) const {
    return S(0.5) * (S(J11) * xi[0] * xi[0] + S(J22) * xi[1] * xi[1] + S(J33) * xi[2] * xi[2]) +
           S(J12) * xi[0] * xi[1] + S(J13) * xi[0] * xi[2] + S(J23) * xi[1] * xi[2];
  }
  template <class S>
  Mat<S, 2, 9> frame(const Vec<S, 9>& R) const {
    return body_fields<2>(R);
  }
  /// The axis about which it must not turn.
  template <class S>
  Mat<S, 1, 9> complement(const Vec<S, 9>& R) const {
    const Mat<S, 3, 9> all = body_fields<3>(R);
    Mat<S, 1, 9> row;
    for (int b = 0; b < 9; ++b) row(0, b) = all(2, b);
    return row;
  }
  template <class S>
  std::array<BracketOf<S>, 3> brackets(const Vec<S, 9>&) const {
    return rotation_brackets<S>();
  }

  static constexpr InvariantInfo extra_invariants[] = {
      {"orthogonality", "1", "trace(R R^T)/3 - 1"}};
  template <class S>
  Vec<S, 1> extra_invariant_values(const FramePoint<S, 9, 2>& x) const {
    return {{rotation_defect(x.q)}};
  }

  static InitialValues default_initial() {
    return {{{"q", {1, 0, 0, 0, 1, 0, 0, 0, 1}}, {"xi", {1.0, 0.7}}}, true};
  }
  static constexpr double default_step = 0.1;
};

}  // namespace hamel
