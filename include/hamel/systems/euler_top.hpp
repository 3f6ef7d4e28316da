// SPDX-License-Identifier: BSD-3-Clause
// The Euler top: a free rigid body, in its body frame on R ∈ R⁹.
//
//   Ṙ = R ξ̂,  l = ½(J1 ξ1² + J2 ξ2² + J3 ξ3²),  μ̇ = μ×ξ                          [MATH 1.6]
// Energy, |μ|², the momentum in space Rμ and R Rᵀ are quadratic in (R, μ): the discrete Hamel step
// keeps all of them. No chart, no singularity; compare euler_top_angles.
#pragma once

#include <string_view>

#include "hamel/models/initial_values.hpp"
#include "hamel/models/rotation_frame.hpp"
#include "hamel/systems/closed/euler_top_solution.hpp"

namespace hamel {

struct EulerTop {
  Expression J1 = 1.0;
  Expression J2 = 2.0;
  Expression J3 = 3.0;

  static constexpr std::string_view summary = "a free rigid body in its body frame";
  static constexpr std::string_view equations =
      "R' = R hat(xi),  J xi' = (J xi) x xi;  q = R row by row, p = J xi";
  static constexpr std::string_view reference = "D1; MATH 1.6";
  static constexpr std::string_view recommended_method = "hamel";
  static constexpr Parameter<EulerTop, Expression> parameters[] = {
      {"J1", "kg m^2", "first principal moment of inertia", Range::positive, &EulerTop::J1},
      {"J2", "kg m^2", "second principal moment of inertia", Range::positive, &EulerTop::J2},
      {"J3", "kg m^2", "third principal moment of inertia", Range::positive, &EulerTop::J3}};
  static constexpr auto& coordinates = rotation_coordinates;
  static constexpr FigureInfo figure{"t", "xi2"};

  template <class S>
  S quasi_lagrangian(const Vec<S, 9>&, const Vec<S, 3>& xi) const {
    return S(0.5) * (S(J1) * xi[0] * xi[0] + S(J2) * xi[1] * xi[1] + S(J3) * xi[2] * xi[2]);
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
      {"momentum_squared", "kg^2 m^4/s^2", "|p|^2"},
      {"momentum_x", "kg m^2/s", "angular momentum in space, first component"},
      {"momentum_y", "kg m^2/s", "angular momentum in space, second component"},
      {"momentum_z", "kg m^2/s", "angular momentum in space, third component"},
      {"orthogonality", "1", "trace(R R^T)/3 - 1"}};
  template <class S>
  Vec<S, 5> extra_invariant_values(const FramePoint<S, 9, 3>& x) const {
    const Vec<S, 3> space = rotated(x.q, x.p);
    return {{dot(x.p, x.p), space[0], space[1], space[2], rotation_defect(x.q)}};
  }

  EulerTopSolution exact(const std::vector<Quad>& R, const std::vector<Quad>& xi) const {
    return {{Quad(J1), Quad(J2), Quad(J3)}, R, xi};
  }

  static InitialValues default_initial() {
    return {{{"q", {1, 0, 0, 0, 1, 0, 0, 0, 1}}, {"xi", {1.0, 1.0, 1.0}}}, true};
  }
  static constexpr double default_step = 0.1;
};

}  // namespace hamel
