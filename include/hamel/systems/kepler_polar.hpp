// SPDX-License-Identifier: BSD-3-Clause
// The Kepler problem in polar coordinates, in the frame of radial and transverse velocity.
//
//   q = (r, θ),  L = (m/2)(ṙ² + r²θ̇²) + mμ/r,   u1 = ∂r,  u2 = (1/r)∂θ,   c_12^2 = −1/r,
//   ξ = (ṙ, rθ̇):   ξ̇1 = ξ2²/r − μ/r²,   ξ̇2 = −ξ1ξ2/r.                     [MATH 1.2]
// The angular momentum r p2 is quadratic in (q, p): the discrete Hamel step keeps it. The energy
// |p|²/2m − mμ/r is not: its error stays bounded and is O(h²). The frame is no coordinate frame, so
// the step is not symplectic.
#pragma once

#include <string_view>

#include "hamel/models/frame_system.hpp"
#include "hamel/models/initial_values.hpp"
#include "hamel/systems/closed/kepler_polar_solution.hpp"

namespace hamel {

struct KeplerPolar {
  Expression mass = 1.0;
  Expression mu = 1.0;

  static constexpr std::string_view summary = "a planet about the sun, in polar coordinates";
  static constexpr std::string_view equations =
      "r' = xi1, theta' = xi2/r;  xi1' = xi2^2/r - mu/r^2,  xi2' = -xi1 xi2/r";
  static constexpr std::string_view reference = "MATH 1.2, 2.5";
  static constexpr std::string_view recommended_method = "gauss";
  static constexpr Parameter<KeplerPolar, Expression> parameters[] = {
      {"mass", "kg", "mass of the planet", Range::positive, &KeplerPolar::mass},
      {"mu", "m^3/s^2", "gravitational parameter of the sun", Range::positive, &KeplerPolar::mu}};
  static constexpr CoordinateInfo coordinates[] = {{"r", "m"}, {"theta", "rad"}};
  static constexpr FigureInfo figure{"r", "xi1"};

  template <class S>
  S lagrangian(const Vec<S, 2>& q, const Vec<S, 2>& v) const {
    const S across = q[0] * v[1];
    return S(0.5 * mass) * (v[0] * v[0] + across * across) + S(mass * mu) / q[0];
  }
  template <class S>
  Mat<S, 2, 2> frame(const Vec<S, 2>& q) const {
    return {{{S(1.0), S(0.0)}, {S(0.0), S(1.0) / q[0]}}};
  }

  static constexpr InvariantInfo extra_invariants[] = {
      {"angular_momentum", "kg m^2/s", "r p2 = m r^2 theta'"}};
  template <class S>
  Vec<S, 1> extra_invariant_values(const FramePoint<S, 2, 2>& x) const {
    return {{x.q[0] * x.p[1]}};
  }

  KeplerPolarSolution exact(const std::vector<Quad>& q, const std::vector<Quad>& xi) const {
    return {Quad(mu), q, xi};
  }

  static InitialValues default_initial() { return {{{"q", {1.0, 0.0}}, {"xi", {0.0, 1.2}}}, true}; }
  static constexpr double default_step = 0.1;
};

}  // namespace hamel
