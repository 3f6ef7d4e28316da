// SPDX-License-Identifier: BSD-3-Clause
// The contact oscillator: three unit oscillators, two of them coupled by a constraint that the
// third turns.
//
//   L = ½(ẋ² + ẏ² + ż²) − ½(x² + y² + z² + ε x²z²) + γ sin z ż,   ẋ + yż = 0,
//   u1 = ∂y,  u2 = ∂z − y ∂x;   ξ = (ẏ, ż):
//   ÿ = −y,   (1 + y²)z̈ + yẏż = y x(1 + ε z²) − z(1 + ε x²).
// γ sin z ż = −d/dt(γ cos z) changes the momenta, not the motion: (q, q̇) does not contain γ. With
// γ = 0 the motion is reversed by p → −p, a linear map that time-symmetric steps share. With γ ≠ 0
// it is reversed by p2 → −p2 + 2γ sin z, which is not linear and which they do not share: still
// integrable, but not reversible in the usual sense, and the energy may drift.
// Source: R. McLachlan, M. Perlmutter, J. Nonlinear Sci. 16 (2006) 283, §5.2, for γ = 0; for γ = 1,
// H = ½|q|² + ½|p + ∇cos z|², K. Modin, O. Verdier, Numer. Math. 145 (2020) 405 (both as in
// O. Verdier's program odelab; the papers themselves were not at hand).
#pragma once

#include <string_view>

#include "hamel/models/frame_system.hpp"
#include "hamel/models/initial_values.hpp"

namespace hamel {

struct ContactOscillator {
  Expression epsilon = 0.0;
  Expression gauge = 0.0;

  static constexpr std::string_view summary =
      "oscillators coupled by a constraint, reversible or not";
  static constexpr std::string_view equations =
      "x' + y z' = 0,  y'' = -y,  (1 + y^2) z'' + y y' z' = x y (1 + eps z^2) - z (1 + eps x^2);  "
      "xi = (y', z'), p2 = (1 + y^2) z' + gauge sin(z)";
  static constexpr std::string_view reference =
      "McLachlan and Perlmutter 2006, 5.2; Modin and Verdier 2020";
  static constexpr std::string_view recommended_method =
      "hamel(frame=kinetic,potential=discrete-gradient)";
  static constexpr Parameter<ContactOscillator, Expression> parameters[] = {
      {"epsilon", "1", "quartic coupling in the potential", Range::any,
       &ContactOscillator::epsilon},
      {"gauge", "1", "factor of sin(z) z', a total derivative: breaks the reversibility",
       Range::any, &ContactOscillator::gauge}};
  static constexpr CoordinateInfo coordinates[] = {{"x", "1"}, {"y", "1"}, {"z", "1"}};
  static constexpr FigureInfo figure{"x", "z"};

  template <class S>
  S lagrangian(const Vec<S, 3>& q, const Vec<S, 3>& v) const {
    const S quartic = S(epsilon) * q[0] * q[0] * q[2] * q[2];
    const S L = S(0.5) * (dot(v, v) - dot(q, q) - quartic);
    return L + S(gauge) * sin(q[2]) * v[2];
  }
  template <class S>
  Mat<S, 2, 3> frame(const Vec<S, 3>& q) const {
    return {{{S(0.0), S(1.0), S(0.0)}, {-q[1], S(0.0), S(1.0)}}};
  }

  static constexpr InvariantInfo extra_invariants[] = {
      {"driver_energy", "1", "(y'^2 + y^2)/2, of the oscillator that turns the constraint"}};
  template <class S>
  Vec<S, 1> extra_invariant_values(const FramePoint<S, 3, 2>& x) const {
    return {{S(0.5) * (x.xi[0] * x.xi[0] + x.q[1] * x.q[1])}};
  }

  static InitialValues default_initial() {  // energy 1.5, driver 0.5, z = −√½
    return {{{"q", {1.224744871391589, 1.0, -0.7071067811865476}}, {"xi", {0.0, 0.0}}}, true};
  }
  static constexpr double default_step = 0.1;
};

}  // namespace hamel
