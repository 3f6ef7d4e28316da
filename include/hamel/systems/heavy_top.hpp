// SPDX-License-Identifier: BSD-3-Clause
// The heavy top, reduced: the vertical seen from the body and the body's angular velocity.
//
//   Γ̇ = Γ×ξ,  l = ½(J1 ξ1² + J2 ξ2² + J3 ξ3²) − w ⟨χ, Γ⟩,  μ̇ = μ×ξ + w Γ×χ,          [MATH 1.7]
// Three fields on R³ that span only two dimensions: the frame is redundant, so its brackets
// c = ε cannot be found by differentiation and are given.
// Γ·Γ, Γ·μ and the energy are quadratic: the discrete Hamel step keeps them.
#pragma once

#include <string_view>

#include "hamel/models/initial_values.hpp"
#include "hamel/models/rotation_frame.hpp"

namespace hamel {

struct HeavyTop {
  Expression J1 = 1.0;
  Expression J2 = 1.5;
  Expression J3 = 2.0;
  Expression weight = 1.0;
  Expression chi1 = 0.2;
  Expression chi2 = 0.0;
  Expression chi3 = 1.0;

  static constexpr std::string_view summary =
      "a rigid body with a fixed point in gravity, from the body";
  static constexpr std::string_view equations =
      "Gamma' = Gamma x xi,  J xi' = (J xi) x xi + weight Gamma x chi;  q = Gamma, p = J xi";
  static constexpr std::string_view reference = "D1; MATH 1.7, 2.6";
  static constexpr std::string_view recommended_method = "hamel";
  static constexpr Parameter<HeavyTop, Expression> parameters[] = {
      {"J1", "kg m^2", "first principal moment of inertia", Range::positive, &HeavyTop::J1},
      {"J2", "kg m^2", "second principal moment of inertia", Range::positive, &HeavyTop::J2},
      {"J3", "kg m^2", "third principal moment of inertia", Range::positive, &HeavyTop::J3},
      {"weight", "N", "mass times gravity", Range::non_negative, &HeavyTop::weight},
      {"chi1", "m", "centre of mass in the body", Range::any, &HeavyTop::chi1},
      {"chi2", "m", "centre of mass in the body", Range::any, &HeavyTop::chi2},
      {"chi3", "m", "centre of mass in the body", Range::any, &HeavyTop::chi3}};
  static constexpr CoordinateInfo coordinates[] = {
      {"Gamma1", "1"}, {"Gamma2", "1"}, {"Gamma3", "1"}};
  static constexpr FigureInfo figure{"Gamma1", "Gamma2"};

  template <class S>
  S quasi_lagrangian(const Vec<S, 3>& G, const Vec<S, 3>& xi) const {
    return S(0.5) * (S(J1) * xi[0] * xi[0] + S(J2) * xi[1] * xi[1] + S(J3) * xi[2] * xi[2]) -
           S(weight) * (S(chi1) * G[0] + S(chi2) * G[1] + S(chi3) * G[2]);
  }
  template <class S>
  Mat<S, 3, 3> frame(const Vec<S, 3>& G) const {  // rows Γ×e_i
    return {{{S(0.0), G[2], -G[1]}, {-G[2], S(0.0), G[0]}, {G[1], -G[0], S(0.0)}}};
  }
  template <class S>
  std::array<BracketOf<S>, 3> brackets(const Vec<S, 3>&) const {
    return rotation_brackets<S>();
  }

  static constexpr InvariantInfo extra_invariants[] = {
      {"length", "1", "|Gamma|^2 - 1"},
      {"momentum_z", "kg m^2/s", "vertical component of the angular momentum, Gamma.p"}};
  template <class S>
  Vec<S, 2> extra_invariant_values(const FramePoint<S, 3, 3>& x) const {
    return {{dot(x.q, x.q) - S(1.0), dot(x.q, x.p)}};
  }

  static InitialValues default_initial() {
    return {{{"q", {0.6, 0.0, 0.8}}, {"xi", {0.2, 0.1, 3.0}}}, true};
  }
  static constexpr double default_step = 0.05;
};

}  // namespace hamel
