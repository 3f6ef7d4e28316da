// SPDX-License-Identifier: BSD-3-Clause
// The nonholonomic particle: a point in space that climbs as it goes along, ż = yẋ.
//
//   L = (m/2)(ẋ² + ẏ² + ż²) − (k/2)y²,  ż = yẋ,
//   u1 = ∂x + y ∂z,  u2 = ∂y,  u3 = ∂z (not admissible);   c_12^3 = −1,                    [MATH 4]
//   ξ = (ẋ, ẏ):  (1 + y²)ẍ + yẏẋ = 0,  m ÿ = −k y.
// Lengths in metres; the slope is y per metre. Kept besides the energy: ẋ√(1 + y²), the speed along
// the slope, while p1 = m(1 + y²)ẋ is not, in spite of the symmetry in x: ∂x is not admissible.
// The frame is affine in q: here the plain Hamel step and dla (midpoint) are the same map. In the
// kinetic frame p1 = √m ẋ√(1 + y²), so that both invariants are quadratic and exact.
#pragma once

#include <string_view>

#include "hamel/models/frame_system.hpp"
#include "hamel/models/initial_values.hpp"
#include "hamel/systems/closed/nonholonomic_particle_solution.hpp"

namespace hamel {

struct NonholonomicParticle {
  Expression mass = 1.0;
  Expression stiffness = 1.0;

  static constexpr std::string_view summary = "a point in space with z' = y x', on a spring in y";
  static constexpr std::string_view equations =
      "(1 + y^2) x'' + y y' x' = 0,  mass y'' = -stiffness y,  z' = y x';  xi = (x', y')";
  static constexpr std::string_view reference = "D1; MATH 4";
  static constexpr std::string_view recommended_method = "hamel(frame=kinetic)";
  static constexpr Parameter<NonholonomicParticle, Expression> parameters[] = {
      {"mass", "kg", "mass", Range::positive, &NonholonomicParticle::mass},
      {"stiffness", "N/m", "of the spring in y; 0: a free particle", Range::non_negative,
       &NonholonomicParticle::stiffness}};
  static constexpr CoordinateInfo coordinates[] = {{"x", "m"}, {"y", "m"}, {"z", "m"}};
  static constexpr FigureInfo figure{"y", "xi1"};

  template <class S>
  S lagrangian(const Vec<S, 3>& q, const Vec<S, 3>& v) const {
    return S(0.5 * mass) * dot(v, v) - S(0.5 * stiffness) * q[1] * q[1];
  }
  template <class S>
  Mat<S, 2, 3> frame(const Vec<S, 3>& q) const {
    return {{{S(1.0), S(0.0), q[1]}, {S(0.0), S(1.0), S(0.0)}}};  // [MATH 4]
  }
  template <class S>
  Mat<S, 1, 3> complement(const Vec<S, 3>&) const {
    return {{{S(0.0), S(0.0), S(1.0)}}};
  }

  static constexpr InvariantInfo extra_invariants[] = {
      {"slope_speed", "m/s", "x' sqrt(1 + y^2), the speed along the slope"}};
  template <class S>
  Vec<S, 1> extra_invariant_values(const FramePoint<S, 3, 2>& x) const {
    return {{x.xi[0] * sqrt(S(1.0) + x.q[1] * x.q[1])}};
  }

  NonholonomicParticleSolution exact(const std::vector<Quad>& q,
                                     const std::vector<Quad>& xi) const {
    return {Quad(mass), Quad(stiffness), q, xi};
  }

  static InitialValues default_initial() {
    return {{{"q", {0.0, 0.2, 0.0}}, {"xi", {1.0, 1.0}}}, true};
  }
  static constexpr double default_step = 0.1;
};

}  // namespace hamel
