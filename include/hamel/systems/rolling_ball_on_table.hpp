// SPDX-License-Identifier: BSD-3-Clause
// A homogeneous ball rolls without slipping on a table that turns about the vertical.
//
// From space the constraint is affine: the ball takes on the velocity of the table. Written on the
// table it is linear, and the Lagrangian gyroscopic: with the position (x, y) of the contact and
// the angular velocity ξ relative to the table, both on the table's axes,
//   ẋ = ρξ2,  ẏ = −ρξ1:   u1 = −ρ∂y,  u2 = ρ∂x,  u3 = 0;   u4 = ∂x, u5 = ∂y (not admissible),
//   l = (I/2)(ξ1² + ξ2² + (ξ3 + Ω)²) + (m/2)((ẋ − Ωy)² + (ẏ + Ωx)²),
//   ẋ = ρξ2 + ξ4,  ẏ = ξ5 − ρξ1,  ξ4 = ξ5 = 0 afterwards.
// The attitude of a homogeneous ball enters nothing and is left out, so the fields are dependent
// and their brackets given, those of Ṙ = ξ̂R: c_ij^k = −ε_ijk, c_23^5 = −ρ, c_31^4 = ρ.
// The energy of this Lagrangian is the moving energy, E − Ω·(angular momentum); E itself is not
// kept, the table does work (F. Fassò, N. Sansonetto, J. Nonlinear Sci. 26 (2016) 519).
// From space the contact moves on a circle with the frequency kΩ, k = I/(I + mρ²), 2/7 for a solid
// ball (J. A. Burns, Am. J. Phys. 49 (1981) 56).
#pragma once

#include <string_view>

#include "hamel/models/frame_system.hpp"
#include "hamel/models/initial_values.hpp"
#include "hamel/systems/closed/rolling_ball_on_table_solution.hpp"

namespace hamel {

struct RollingBallOnTable {
  Expression mass = 1.0;
  Expression radius = 0.1;
  Expression inertia = 0.004;
  Expression Omega = 1.0;

  static constexpr std::string_view summary = "a ball rolling on a turning table, from the table";
  static constexpr std::string_view equations =
      "x' = radius xi2, y' = -radius xi1, xi3' = 0;  from space v' = k Omega e3 x v, "
      "k = inertia/(inertia + mass radius^2)";
  static constexpr std::string_view reference =
      "MATH 1.4; J. A. Burns 1981; Fasso, Sansonetto 2016";
  static constexpr std::string_view recommended_method = "gauss";
  static constexpr Parameter<RollingBallOnTable, Expression> parameters[] = {
      {"mass", "kg", "mass of the ball", Range::positive, &RollingBallOnTable::mass},
      {"radius", "m", "radius of the ball", Range::positive, &RollingBallOnTable::radius},
      {"inertia", "kg m^2", "moment of inertia; 2/5 mass radius^2 for a solid ball",
       Range::positive, &RollingBallOnTable::inertia},
      {"Omega", "rad/s", "turning rate of the table", Range::any, &RollingBallOnTable::Omega}};
  static constexpr CoordinateInfo coordinates[] = {{"x", "m"}, {"y", "m"}};
  static constexpr int quasi_velocities = 5;

  template <class S>
  S quasi_lagrangian(const Vec<S, 2>& q, const Vec<S, 5>& xi) const {
    const S vx = S(radius) * xi[1] + xi[3] - S(Omega) * q[1];
    const S vy = xi[4] - S(radius) * xi[0] + S(Omega) * q[0];
    const S spin = xi[2] + S(Omega);
    return S(0.5 * inertia) * (xi[0] * xi[0] + xi[1] * xi[1] + spin * spin) +
           S(0.5 * mass) * (vx * vx + vy * vy);
  }
  template <class S>
  Mat<S, 3, 2> frame(const Vec<S, 2>&) const {
    return {{{S(0.0), S(-radius)}, {S(radius), S(0.0)}, {S(0.0), S(0.0)}}};
  }
  template <class S>
  Mat<S, 2, 2> complement(const Vec<S, 2>&) const {
    return {{{S(1.0), S(0.0)}, {S(0.0), S(1.0)}}};
  }
  template <class S>
  std::array<BracketOf<S>, 5> brackets(const Vec<S, 2>&) const {
    return {{{1, 2, 3, S(-1.0)},
             {2, 3, 1, S(-1.0)},
             {3, 1, 2, S(-1.0)},
             {2, 3, 5, S(-radius)},
             {3, 1, 4, S(radius)}}};
  }

  static constexpr InvariantInfo extra_invariants[] = {
      {"spin", "kg m^2/s", "p3 = inertia (xi3 + Omega), about the vertical, in space"},
      {"speed_squared", "m^2/s^2", "|v|^2 of the centre in space"},
      {"centre_squared", "m^2/s^2", "(k Omega distance)^2 of the circle's centre from the axis"}};
  template <class S>
  Vec<S, 3> extra_invariant_values(const FramePoint<S, 2, 3>& x) const {
    const S vx = S(radius) * x.xi[1] - S(Omega) * x.q[1];
    const S vy = S(Omega) * x.q[0] - S(radius) * x.xi[0];
    const S rate = S(inertia * Omega) / (S(inertia) + S(mass) * S(radius) * S(radius));
    const S cx = rate * x.q[0] - vy;
    const S cy = rate * x.q[1] + vx;
    return {{x.p[2], vx * vx + vy * vy, cx * cx + cy * cy}};
  }

  RollingBallOnTableSolution exact(const std::vector<Quad>& q, const std::vector<Quad>& xi) const {
    const Quad rolling = Quad(inertia) + Quad(mass) * Quad(radius) * Quad(radius);
    return {Quad(radius), Quad(Omega), Quad(inertia) / rolling, q, xi};
  }

  static InitialValues default_initial() {
    return {{{"q", {0.5, 0.0}}, {"xi", {0.0, 3.0, 2.0}}}, true};
  }
  static constexpr double default_step = 0.1;
};

}  // namespace hamel
