// SPDX-License-Identifier: BSD-3-Clause
// The Euler top in Euler angles: the same body as euler_top, in a chart that is singular at θ = 0.
//
//   R = Rz(φ) Rx(θ) Rz(ψ), q = (θ, φ, ψ),                                        (MATH 9)
//   ξ1 = θ̇ cosψ + φ̇ sinθ sinψ,  ξ2 = −θ̇ sinψ + φ̇ sinθ cosψ,  ξ3 = ψ̇ + φ̇ cosθ,
//   L = ½(J1 ξ1² + J2 ξ2² + J3 ξ3²).
// For comparison only: nothing happens to the body at θ = 0, but every method fails there.
#pragma once

#include <string_view>

#include "hamel/models/frame_system.hpp"
#include "hamel/models/initial_values.hpp"

namespace hamel {

struct EulerTopAngles {
  Expression J1 = 1.0;
  Expression J2 = 2.0;
  Expression J3 = 3.0;

  static constexpr std::string_view summary =
      "a free rigid body in Euler angles, singular at theta = 0";
  static constexpr std::string_view equations =
      "L = (J1 xi1^2 + J2 xi2^2 + J3 xi3^2)/2 with the body velocities xi of (theta, phi, psi)";
  static constexpr std::string_view reference = "D1; MATH 9";
  static constexpr std::string_view recommended_method = "gauss";
  static constexpr Parameter<EulerTopAngles, Expression> parameters[] = {
      {"J1", "kg m^2", "first principal moment of inertia", Range::positive, &EulerTopAngles::J1},
      {"J2", "kg m^2", "second principal moment of inertia", Range::positive, &EulerTopAngles::J2},
      {"J3", "kg m^2", "third principal moment of inertia", Range::positive, &EulerTopAngles::J3}};
  static constexpr CoordinateInfo coordinates[] = {
      {"theta", "rad"}, {"phi", "rad"}, {"psi", "rad"}};

  /// The body's angular velocity.
  template <class S>
  static Vec<S, 3> body_velocity(const Vec<S, 3>& q, const Vec<S, 3>& v) {
    const S s = sin(q[0]) * v[1];
    return {{v[0] * cos(q[2]) + s * sin(q[2]), s * cos(q[2]) - v[0] * sin(q[2]),
             v[2] + cos(q[0]) * v[1]}};
  }
  template <class S>
  S lagrangian(const Vec<S, 3>& q, const Vec<S, 3>& v) const {
    const Vec<S, 3> xi = body_velocity(q, v);
    return S(0.5) * (S(J1) * xi[0] * xi[0] + S(J2) * xi[1] * xi[1] + S(J3) * xi[2] * xi[2]);
  }
  template <class S>
  Mat<S, 3, 3> frame(const Vec<S, 3>&) const {
    return {{{S(1.0), S(0.0), S(0.0)}, {S(0.0), S(1.0), S(0.0)}, {S(0.0), S(0.0), S(1.0)}}};
  }

  static constexpr InvariantInfo extra_invariants[] = {
      {"momentum_z", "kg m^2/s", "angular momentum in space, third component: p_phi"},
      {"momentum_squared", "kg^2 m^4/s^2", "|J xi|^2 in the body"}};
  template <class S>
  Vec<S, 2> extra_invariant_values(const FramePoint<S, 3, 3>& x) const {
    const Vec<S, 3> xi = body_velocity(x.q, x.v);
    const Vec<S, 3> m{{S(J1) * xi[0], S(J2) * xi[1], S(J3) * xi[2]}};
    return {{x.p[1], dot(m, m)}};
  }

  static InitialValues default_initial() {
    return {{{"q", {1.0, 0.0, 0.0}}, {"xi", {0.1, 0.1, 1.0}}}, true};
  }
  static constexpr double default_step = 0.1;
};

}  // namespace hamel
