// SPDX-License-Identifier: BSD-3-Clause
// The roller racer: a cart and a handlebar joined by a hinge, a pair of wheels under each.
//
//   q = (x, y, θ, φ): the cart's axle with its mass, its heading, the handlebar's angle from it,
//   L = (m/2)(ẋ² + ẏ²) + (I1/2)θ̇² + (I2/2)(θ̇ + φ̇)²,  k = d1 cosφ + d2,                   [MATH 4]
//   u1 = k(cosθ ∂x + sinθ ∂y) + sinφ ∂θ,  u2 = d2 ∂θ − k ∂φ,
// from the two wheel pairs: ẋ sinθ = ẏ cosθ, and v sinφ = d1 θ̇ cosφ + d2(θ̇ + φ̇), v = kξ1; the hinge
// is d1 ahead of the cart's axle, the handlebar's axle d2 ahead of the hinge. The handlebar has
// inertia, no mass. Swinging it drives the cart. Every φ = const is a relative equilibrium.
// The metric depends on φ, so the plain frame does not keep the energy; frame=kinetic does.
// At k = 0 (cosφ = −d2/d1, so only where d1 ≥ d2) both fields point along θ: the frame degenerates.
// Source: P. S. Krishnaprasad, D. P. Tsakiris, Dynamical Systems 16 (2001) 347.
#pragma once

#include <string_view>

#include "hamel/models/frame_system.hpp"
#include "hamel/models/initial_values.hpp"

namespace hamel {

struct RollerRacer {
  Expression mass = 1.0;
  Expression I1 = 1.0;
  Expression I2 = 0.5;
  Expression d1 = 0.5;
  Expression d2 = 1.0;

  static constexpr std::string_view summary = "a cart on wheels with a wheeled handlebar";
  static constexpr std::string_view equations =
      "L = m/2 (x'^2 + y'^2) + I1/2 theta'^2 + I2/2 (theta' + phi')^2;  x' = k xi1 cos(theta), "
      "y' = k xi1 sin(theta), theta' = sin(phi) xi1 + d2 xi2, phi' = -k xi2, k = d1 cos(phi) + d2";
  static constexpr std::string_view reference =
      "MATH 4, 10; Krishnaprasad and Tsakiris, Dynamical Systems 16 (2001) 347";
  static constexpr std::string_view recommended_method = "hamel";
  static constexpr Parameter<RollerRacer, Expression> parameters[] = {
      {"mass", "kg", "mass of the cart, at its axle", Range::positive, &RollerRacer::mass},
      {"I1", "kg m^2", "moment of inertia of the cart", Range::positive, &RollerRacer::I1},
      {"I2", "kg m^2", "moment of inertia of the handlebar", Range::positive, &RollerRacer::I2},
      {"d1", "m", "from the cart's axle to the hinge", Range::non_negative, &RollerRacer::d1},
      {"d2", "m", "from the hinge to the handlebar's axle", Range::positive, &RollerRacer::d2}};
  static constexpr CoordinateInfo coordinates[] = {
      {"x", "m"}, {"y", "m"}, {"theta", "rad"}, {"phi", "rad"}};

  template <class S>
  S lagrangian(const Vec<S, 4>&, const Vec<S, 4>& v) const {
    const S turn = v[2] + v[3];
    return S(0.5 * mass) * (v[0] * v[0] + v[1] * v[1]) + S(0.5 * I1) * v[2] * v[2] +
           S(0.5 * I2) * turn * turn;  // [MATH 4]
  }
  template <class S>
  Mat<S, 2, 4> frame(const Vec<S, 4>& q) const {
    const S k = S(d1) * cos(q[3]) + S(d2);
    return {{{k * cos(q[2]), k * sin(q[2]), sin(q[3]), S(0.0)},
             {S(0.0), S(0.0), S(d2), -k}}};  // [MATH 4]
  }

  /// Not admissible: along the one-forms of the two wheel pairs.
  template <class S>
  Mat<S, 2, 4> complement(const Vec<S, 4>& q) const {
    const S k = S(d1) * cos(q[3]) + S(d2);
    return {{{-sin(q[2]), cos(q[2]), S(0.0), S(0.0)},
             {-sin(q[3]) * cos(q[2]), -sin(q[3]) * sin(q[2]), k, S(d2)}}};
  }

  static InitialValues default_initial() {
    return {{{"q", {0.0, 0.0, 0.0, 0.5}}, {"xi", {1.0, 0.2}}}, true};
  }
  static constexpr double default_step = 0.1;
};

}  // namespace hamel
