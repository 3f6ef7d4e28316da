// SPDX-License-Identifier: BSD-3-Clause
// The snakeboard, passive: a board on two wheel pairs that steer oppositely, with a rotor on it.
//
//   q = (x, y, θ, ψ, φ): centre and heading of the board, rotor from the board, steering angle: the
//   back wheels turned by φ, the front wheels by −φ, each l from the centre,
//   L = (m/2)(ẋ² + ẏ²) + ((J + J_r + 2J_w)/2)θ̇² + J_r θ̇ψ̇ + (J_r/2)ψ̇² + J_w φ̇²,
//   v sinφ + l θ̇ cosφ = 0,  no sideways velocity;
//   u1 = l cosφ(cosθ ∂x + sinθ ∂y) − sinφ ∂θ,  u2 = ∂ψ,  u3 = ∂φ.
// Rotor and steering turn freely: θ̇ + ψ̇ and φ̇ stay constant, and with the energy they give the
// motion in closed form. The metric depends on φ: hamel keeps both momenta, frame=kinetic the
// energy, neither all three.
// At cosφ = 0 both wheel pairs forbid the same and the board is free to slide sideways; u1 is
// regular there and goes on as for other φ. The paper's field, 2cosφ u1 but for sign, vanishes
// there. Source: J. Ostrowski, A. Lewis, R. Murray, J. Burdick, Nonholonomic mechanics and
// locomotion: the snakeboard example, IEEE Int. Conf. Robotics and Automation 1994, 2391; there J +
// J_r + 2J_w = m l², as in the presets.
#pragma once

#include <string_view>

#include "hamel/models/frame_system.hpp"
#include "hamel/models/initial_values.hpp"
#include "hamel/systems/closed/snakeboard_solution.hpp"

namespace hamel {

struct Snakeboard {
  Expression mass = 4.0;
  Expression half_length = 0.25;
  Expression board_inertia = 0.15;
  Expression rotor_inertia = 0.08;
  Expression wheel_inertia = 0.01;

  static constexpr std::string_view summary = "a board on steered wheels with a rotor on it";
  static constexpr std::string_view equations =
      "p1' = (J + J_r + 2 J_w - m l^2) sin(phi) cos(phi) phi' xi1 - J_r cos(phi) phi' psi', p2' = "
      "0, p3' = 0;  x' = l cos(phi) cos(theta) xi1, y' = l cos(phi) sin(theta) xi1, theta' = "
      "-sin(phi) xi1, psi' = xi2, phi' = xi3";
  static constexpr std::string_view reference =
      "Ostrowski, Lewis, Murray, Burdick, IEEE ICRA 1994, 2391";
  static constexpr std::string_view recommended_method = "hamel";
  static constexpr Parameter<Snakeboard, Expression> parameters[] = {
      {"mass", "kg", "mass of the whole", Range::positive, &Snakeboard::mass},
      {"half_length", "m", "from the centre to each axle", Range::positive,
       &Snakeboard::half_length},
      {"board_inertia", "kg m^2", "moment of inertia of the board", Range::positive,
       &Snakeboard::board_inertia},
      {"rotor_inertia", "kg m^2", "moment of inertia of the rotor", Range::positive,
       &Snakeboard::rotor_inertia},
      {"wheel_inertia", "kg m^2", "moment of inertia of each wheel pair about its pivot",
       Range::positive, &Snakeboard::wheel_inertia}};
  static constexpr CoordinateInfo coordinates[] = {
      {"x", "m"}, {"y", "m"}, {"theta", "rad"}, {"psi", "rad"}, {"phi", "rad"}};

  template <class S>
  S lagrangian(const Vec<S, 5>&, const Vec<S, 5>& v) const {
    const S spin = v[2] + v[3];
    const S rest = S(board_inertia) + S(2.0) * S(wheel_inertia);
    return S(0.5) * (S(mass) * (v[0] * v[0] + v[1] * v[1]) + rest * v[2] * v[2] +
                     S(rotor_inertia) * spin * spin) +
           S(wheel_inertia) * v[4] * v[4];
  }
  template <class S>
  Mat<S, 3, 5> frame(const Vec<S, 5>& q) const {
    const S reach = S(half_length) * cos(q[4]);
    const S o(0.0);
    return {{{reach * cos(q[2]), reach * sin(q[2]), -sin(q[4]), o, o},
             {o, o, o, S(1.0), o},
             {o, o, o, o, S(1.0)}}};
  }

  /// Not admissible: sideways, and across u1; regular for all φ, as the constraints' one-forms are.
  template <class S>
  Mat<S, 2, 5> complement(const Vec<S, 5>& q) const {
    const S o(0.0);
    return {{{-sin(q[2]), cos(q[2]), o, o, o},
             {sin(q[4]) * cos(q[2]), sin(q[4]) * sin(q[2]), cos(q[4]) / S(half_length), o, o}}};
  }

  static constexpr InvariantInfo extra_invariants[] = {
      {"rotor", "kg m^2/s", "angular momentum of the rotor, J_r (theta' + psi')"},
      {"steering", "kg m^2/s", "2 J_w phi'"}};
  template <class S>
  Vec<S, 2> extra_invariant_values(const FramePoint<S, 5, 3>& x) const {
    return {{S(rotor_inertia) * (x.v[2] + x.v[3]), S(2.0 * wheel_inertia) * x.v[4]}};
  }

  SnakeboardSolution exact(const std::vector<Quad>& q, const std::vector<Quad>& xi) const {
    const Quad l(half_length);
    return {Quad(mass) * l * l, Quad(board_inertia) + 2 * Quad(wheel_inertia), l, q, xi};
  }

  static InitialValues default_initial() {
    return {{{"q", {0.0, 0.0, 0.0, 0.0, 0.3}}, {"xi", {2.0, 0.5, 0.1}}}, true};
  }
  static constexpr double default_step = 0.1;
};

}  // namespace hamel
