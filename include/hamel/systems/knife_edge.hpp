// SPDX-License-Identifier: BSD-3-Clause
// The knife edge on an incline: a body on a blade that slides along itself, never sideways.
//
//   q = (x, y, φ): x downhill, y across, φ the heading from downhill; centre of mass at the blade,
//   L = (m/2)(ẋ² + ẏ²) + (I/2)φ̇² + m a x,  a = g sin(incline),
//   u1 = cosφ ∂x + sinφ ∂y,  u2 = ∂φ,  u3 = −sinφ ∂x + cosφ ∂y  (not admissible),       [MATH 4]
//   ξ = (v, Ω):  v̇ = a cosφ,  Ω̇ = 0.
// It does not slide down: turning, it moves across the slope at a/(2Ω) on average, in cycloids
// where it starts at rest. Energy and spin are quadratic: the discrete Hamel step keeps them.
#pragma once

#include <cmath>
#include <string_view>

#include "hamel/models/frame_system.hpp"
#include "hamel/models/initial_values.hpp"
#include "hamel/systems/closed/knife_edge_solution.hpp"

namespace hamel {

struct KnifeEdge {
  Expression mass = 1.0;
  Expression inertia = 1.0;
  Expression gravity = 9.81;
  Expression incline = 0.2;

  static constexpr std::string_view summary = "a body on a blade on an inclined plane";
  static constexpr std::string_view equations =
      "v' = g sin(incline) cos(phi),  Omega' = 0;  x' = v cos(phi) downhill, y' = v sin(phi) "
      "across, phi' = Omega";
  static constexpr std::string_view reference = "D1; MATH 4, 10";
  static constexpr std::string_view recommended_method = "hamel";
  static constexpr Parameter<KnifeEdge, Expression> parameters[] = {
      {"mass", "kg", "mass", Range::positive, &KnifeEdge::mass},
      {"inertia", "kg m^2", "moment of inertia about the blade's normal", Range::positive,
       &KnifeEdge::inertia},
      {"gravity", "m/s^2", "acceleration of gravity", Range::non_negative, &KnifeEdge::gravity},
      {"incline", "rad", "angle between the plane and the horizontal", Range::any,
       &KnifeEdge::incline}};
  static constexpr CoordinateInfo coordinates[] = {{"x", "m"}, {"y", "m"}, {"phi", "rad"}};
  static constexpr FigureInfo figure{"y", "x"};

  /// m/s², of a blade pointing downhill.
  Expression acceleration() const { return gravity * sin(incline); }

  template <class S>
  S lagrangian(const Vec<S, 3>& q, const Vec<S, 3>& v) const {
    return S(mass) * (S(0.5) * (v[0] * v[0] + v[1] * v[1]) + S(acceleration()) * q[0]) +
           S(0.5 * inertia) * v[2] * v[2];
  }
  template <class S>
  Mat<S, 2, 3> frame(const Vec<S, 3>& q) const {
    return {{{cos(q[2]), sin(q[2]), S(0.0)}, {S(0.0), S(0.0), S(1.0)}}};  // [MATH 4]
  }
  template <class S>
  Mat<S, 1, 3> complement(const Vec<S, 3>& q) const {
    return {{{-sin(q[2]), cos(q[2]), S(0.0)}}};
  }

  static constexpr InvariantInfo extra_invariants[] = {
      {"spin", "kg m^2/s", "angular momentum about the normal, I phi'"}};
  template <class S>
  Vec<S, 1> extra_invariant_values(const FramePoint<S, 3, 2>& x) const {
    return {{x.p[1]}};
  }

  KnifeEdgeSolution exact(const std::vector<Quad>& q, const std::vector<Quad>& xi) const {
    return {Quad(acceleration()), q, xi};
  }

  static InitialValues default_initial() {
    return {{{"q", {0.0, 0.0, 0.3}}, {"xi", {0.5, 1.3}}}, true};
  }
  static constexpr double default_step = 0.1;
};

}  // namespace hamel
