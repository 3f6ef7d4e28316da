// SPDX-License-Identifier: BSD-3-Clause
// The Chaplygin sleigh: a rigid body on a plane with a blade that cannot slip sideways.
//
//   q = (x, y, θ): the blade's contact point and heading; centre of mass a ahead of the blade,
//   L = (m/2)((ẋ − a sinθ θ̇)² + (ẏ + a cosθ θ̇)²) + (I/2)θ̇²,
//   u1 = cosθ ∂x + sinθ ∂y,  u2 = ∂θ,  u3 = −sinθ ∂x + cosθ ∂y  (not admissible),   [MATH 4]
//   ξ = (v, ω):  m v̇ = m a ω²,  (I + m a²) ω̇ = −m a v ω.
// Balanced (a = 0) it runs on a circle; else it turns until it runs straight, blade behind.
#pragma once

#include <string_view>

#include "hamel/models/frame_system.hpp"
#include "hamel/models/initial_values.hpp"
#include "hamel/systems/closed/chaplygin_sleigh_solution.hpp"

namespace hamel {

struct ChaplyginSleigh {
  Expression mass = 1.0;
  Expression inertia = 1.0;
  Expression offset = 0.5;

  static constexpr std::string_view summary = "a body on a blade that cannot slip sideways";
  static constexpr std::string_view equations =
      "v' = a omega^2,  (I + m a^2) omega' = -m a v omega;  x' = v cos(theta), y' = v sin(theta), "
      "theta' = omega";
  static constexpr std::string_view reference = "D1; MATH 4, 10";
  static constexpr std::string_view recommended_method = "hamel";
  static constexpr Parameter<ChaplyginSleigh, Expression> parameters[] = {
      {"mass", "kg", "mass", Range::positive, &ChaplyginSleigh::mass},
      {"inertia", "kg m^2", "moment of inertia about the centre of mass", Range::positive,
       &ChaplyginSleigh::inertia},
      {"offset", "m", "distance from the blade to the centre of mass, ahead of it", Range::any,
       &ChaplyginSleigh::offset}};
  static constexpr CoordinateInfo coordinates[] = {{"x", "m"}, {"y", "m"}, {"theta", "rad"}};

  template <class S>
  S lagrangian(const Vec<S, 3>& q, const Vec<S, 3>& v) const {
    const S vx = v[0] - S(offset) * sin(q[2]) * v[2];
    const S vy = v[1] + S(offset) * cos(q[2]) * v[2];
    return S(0.5 * mass) * (vx * vx + vy * vy) + S(0.5 * inertia) * v[2] * v[2];  // [MATH 4]
  }

  template <class S>
  Mat<S, 2, 3> frame(const Vec<S, 3>& q) const {
    return {{{cos(q[2]), sin(q[2]), S(0.0)}, {S(0.0), S(0.0), S(1.0)}}};  // [MATH 4]
  }
  template <class S>
  Mat<S, 1, 3> complement(const Vec<S, 3>& q) const {
    return {{{-sin(q[2]), cos(q[2]), S(0.0)}}};
  }

  ChaplyginSleighSolution exact(const std::vector<Quad>& q, const std::vector<Quad>& xi) const {
    return {Quad(mass), Quad(inertia), Quad(offset), q, xi};
  }

  static InitialValues default_initial() {
    return {{{"q", {0.0, 0.0, 0.0}}, {"xi", {-0.8, 0.3}}}, true};
  }
  static constexpr double default_step = 0.1;
};

}  // namespace hamel
