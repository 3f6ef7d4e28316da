// SPDX-License-Identifier: BSD-3-Clause
// The spherical pendulum: a bob of mass m on a rigid massless rod of length r, gravity −g e3.
//
//   L = ½ m r² |q̇|² − m g r q3,   q ∈ S²,       ω̇ = −G q×e3,   G = g/r        [D0 (16)] [MATH 5]
// Integrable: energy and the vertical angular momentum are invariants; the exact motion is known in
// elliptic functions (systems/closed/spherical_pendulum_solution.hpp).
#pragma once

#include <string_view>

#include "hamel/core/parameters.hpp"
#include "hamel/models/sphere_initial.hpp"
#include "hamel/models/sphere_system.hpp"
#include "hamel/systems/closed/spherical_pendulum_solution.hpp"

namespace hamel {

struct SphericalPendulum : OnSphereWithBody {
  double mass = 1.0;
  double length = 9.8;
  double gravity = 9.8;

  static constexpr std::string_view summary =
      "a bob on a rigid rod, free to swing in any direction";
  static constexpr std::string_view equations =
      "q' = omega x q,  omega' = -(g/r) q x e3;  E = m r^2 |omega|^2/2 + m g r q3,  "
      "J3 = m r^2 omega3";
  static constexpr std::string_view reference = "D0 section IV; MATH 5";
  static constexpr std::string_view recommended_method = "hamel";
  static constexpr Parameter<SphericalPendulum> parameters[] = {
      {"mass", "kg", "mass of the bob", Range::positive, &SphericalPendulum::mass},
      {"length", "m", "length of the rod", Range::positive, &SphericalPendulum::length},
      {"gravity", "m/s^2", "gravitational acceleration, downwards", Range::non_negative,
       &SphericalPendulum::gravity}};

  double inertia() const { return mass * length * length; }
  double field_strength() const { return gravity / length; }

  template <class S>
  HAMEL_FN S potential(const Vec<S, 3>& q) const {
    return S(mass * gravity * length) * q[2];
  }

  static constexpr InvariantInfo extra_invariants[] = {
      {"momentum_z", "kg m^2/s", "vertical component of the angular momentum"}};

  template <class S>
  HAMEL_FN Vec<S, 1> extra_invariant_values(const SphereState<S>& state) const {
    return {{S(inertia()) * state.spin[2]}};
  }

  /// The closed solution through the given state.
  SphericalPendulumSolution exact(const SphereInitial<Quad>& start) const {
    return SphericalPendulumSolution(Quad(gravity) / Quad(length), start.q, start.omega);
  }

  /// D0 §VII.
  static InitialValues default_initial() {
    return {{{"Gamma", {0.3, 0.2, -0.932738}}, {"Omega", {0.6, 0.0}}}, true};
  }
  static constexpr double default_step = 0.2;
};

}  // namespace hamel
