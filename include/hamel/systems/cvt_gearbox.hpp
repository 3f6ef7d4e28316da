// SPDX-License-Identifier: BSD-3-Clause
// A continuously variable gear: two shafts on springs, x and y, whose ratio a pendulum θ sets.
//
//   L = ½(ẋ² + ẏ² + θ̇²) − (k/2)(x² + y²) − W(θ),   ẋ = sinθ ẏ,
//   W = −cosθ + (ε/2) sin 2θ,      u1 = ∂θ,  u2 = ∂y + sinθ ∂x;   ξ = (θ̇, ẏ):
//   θ̈ = −sinθ − ε cos 2θ,   (1 + sin²θ)ÿ + sinθ cosθ θ̇ ẏ = −k(y + x sinθ).
// The constraint does no work on the pendulum: driver ½θ̇² + W and driven energy are kept one by
// one. The shafts are a linear system with coefficients from θ(t).
// All velocities reversed, the motion runs back; but where the pendulum turns over, that is another
// motion, turning the other way. With ε = 0 there is a second reversal,
//   (x, y, θ; ẋ, ẏ, θ̇) → (−x, y, −θ; ẋ, −ẏ, θ̇),
// which keeps the sense of turning, and no time-symmetric method drifts. With ε ≠ 0 there is none.
// Source: in the spirit of K. Modin, O. Verdier, Discrete Contin. Dyn. Syst. 34 (2014) 1121 and
// Numer. Math. 145 (2020) 405, and of the gearbox driven by an asymmetric pendulum in E. Celledoni,
// M. Farré Puiggalí, E. H. Høiseth, D. Martín de Diego, J. Nonlinear Sci. 29 (2019) 1523. The
// choice of W and of the ratio sinθ is ours and was not compared with theirs.
#pragma once

#include <string_view>

#include "hamel/models/frame_system.hpp"
#include "hamel/models/initial_values.hpp"

namespace hamel {

struct CvtGearbox {
  Expression stiffness = 1.0;
  Expression asymmetry = 0.3;

  static constexpr std::string_view summary = "two shafts geared by a pendulum: nonholonomic";
  static constexpr std::string_view equations =
      "x' = sin(theta) y',  theta'' = -sin(theta) - eps cos(2 theta),  (1 + sin(theta)^2) y'' + "
      "sin(theta) cos(theta) theta' y' = -k (y + x sin(theta));  xi = (theta', y')";
  static constexpr std::string_view reference =
      "after Modin and Verdier 2014, 2020; Celledoni et al. 2019";
  static constexpr std::string_view recommended_method = "hamel(frame=kinetic)";
  static constexpr Parameter<CvtGearbox, Expression> parameters[] = {
      {"stiffness", "1/s^2", "of both shafts, over their inertia", Range::non_negative,
       &CvtGearbox::stiffness},
      {"asymmetry", "1/s^2", "eps in W = -cos(theta) + (eps/2) sin(2 theta)", Range::any,
       &CvtGearbox::asymmetry}};
  static constexpr CoordinateInfo coordinates[] = {{"x", "rad"}, {"y", "rad"}, {"theta", "rad"}};
  static constexpr FigureInfo figure{"x", "y"};

  template <class S>
  S lagrangian(const Vec<S, 3>& q, const Vec<S, 3>& v) const {
    return S(0.5) * dot(v, v) - S(0.5 * stiffness) * (q[0] * q[0] + q[1] * q[1]) - pendulum(q[2]);
  }
  template <class S>
  Mat<S, 2, 3> frame(const Vec<S, 3>& q) const {
    return {{{S(0.0), S(0.0), S(1.0)}, {sin(q[2]), S(1.0), S(0.0)}}};
  }

  static constexpr InvariantInfo extra_invariants[] = {
      {"driver_energy", "1/s^2", "theta'^2/2 + W(theta), of the pendulum"},
      {"driven_energy", "1/s^2", "(x'^2 + y'^2)/2 + k (x^2 + y^2)/2, of the shafts"}};
  template <class S>
  Vec<S, 2> extra_invariant_values(const FramePoint<S, 3, 2>& s) const {
    return {{S(0.5) * s.xi[0] * s.xi[0] + pendulum(s.q[2]),
             S(0.5) * (s.v[0] * s.v[0] + s.v[1] * s.v[1] +
                       S(stiffness) * (s.q[0] * s.q[0] + s.q[1] * s.q[1]))}};
  }

  static InitialValues default_initial() {  // the pendulum swings
    return {{{"q", {1.0, 0.0, 0.0}}, {"xi", {1.2, 0.5}}}, true};
  }
  static constexpr double default_step = 0.1;

 private:
  template <class S>
  S pendulum(const S& theta) const {
    return S(0.5 * asymmetry) * sin(S(2.0) * theta) - cos(theta);
  }
};

}  // namespace hamel
