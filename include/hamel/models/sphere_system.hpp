// SPDX-License-Identifier: BSD-3-Clause
// Systems on one sphere: a particle of inertia I = m r² on S² in a potential U.
//
//   L = ½ I |q̇|² − U(q),  |q| = 1,     q̇ = ω×q,   ω·q = 0,
//   ω̇ = −q × ∇U(q)/I.                                                   [MATH 5.2]
//
// The author of a system writes inertia() and potential(q) (a template over the scalar); gradient
// and Hessian follow by second-order jets. A uniform field (∇U/I = G e3, the pendulum) says so by
// field_strength() and gets the faster kernels.
#pragma once

#include <array>
#include <concepts>

#include "hamel/autodiff/dual.hpp"
#include "hamel/autodiff/jet2.hpp"
#include "hamel/core/vec.hpp"
#include "hamel/geometry/sphere.hpp"

namespace hamel {

template <class T>
concept SphereSystem = requires(const T& system, const Vec<double, 3>& q) {
  { system.inertia() } -> std::convertible_to<double>;
  { system.potential(q) } -> std::convertible_to<double>;
};

/// ∇U/I is the constant vector G e3; G is a number, or one for each lane of an ensemble.
template <class T>
concept UniformField = SphereSystem<T> && requires(const T& system) {
  system.field_strength();
};

/// Position and motion on the sphere, as every method reports it.
template <class S>
struct SphereState {
  Vec<S, 3> q;      ///< unit vector from the pivot
  Vec<S, 3> omega;  ///< angular velocity, rad/s
  Vec<S, 3> spin;   ///< q×q̇, the angular momentum over I
  S speed2;         ///< |q̇|², rad²/s²
  S tangency;       ///< q·ω or q·q̇, whichever the method does not keep by construction

  /// From ω. Off the sphere (|q| ≠ 1 or q·ω ≠ 0) spin and speed are those of q̇ = ω×q, so that a
  /// method that leaves it cannot look better than it is.
  HAMEL_FN static constexpr SphereState from_omega(const Vec<S, 3>& q, const Vec<S, 3>& omega) {
    const S q2 = norm2(q);
    const S along = dot(q, omega);
    return {q, omega, q2 * omega - along * q, q2 * norm2(omega) - along * along, along};
  }
  /// From q̇; a radial part of q̇ counts in speed2 and shows as tangency.
  HAMEL_FN static constexpr SphereState from_velocity(const Vec<S, 3>& q, const Vec<S, 3>& v) {
    const Vec<S, 3> spin = cross(q, v);
    return {q, (S(1.0) / norm2(q)) * spin, spin, norm2(v), dot(q, v)};
  }
};

/// Initial data: q, ω in space; from body data also Γ = Rᵀe3 and Ω = Rᵀω with the attitude's first
/// axis r1 = R e1.
template <class T>
struct SphereInitial {
  Vec<T, 3> q;
  Vec<T, 3> omega;
  bool body = false;
  Vec<T, 3> Gamma{};
  Vec<T, 2> Omega{};
  Vec<T, 3> r1{};

  /// The same data in another scalar.
  template <class To>
  SphereInitial<To> as() const {
    return {cast<To>(q), cast<To>(omega), body, cast<To>(Gamma), cast<To>(Omega), cast<To>(r1)};
  }
};

/// ∇U(q)/I.
template <class S, SphereSystem System>
HAMEL_FN Vec<S, 3> field(const System& system, const Vec<S, 3>& q) {
  if constexpr (UniformField<System>) {
    return {{S(0.0), S(0.0), S(system.field_strength())}};
  } else {
    using J = Dual<S, 3>;
    const J u = system.potential(
        Vec<J, 3>{{J::variable(q[0], 0), J::variable(q[1], 1), J::variable(q[2], 2)}});
    const S scale = S(1.0) / S(system.inertia());
    return {{u.d[0] * scale, u.d[1] * scale, u.d[2] * scale}};
  }
}

/// E = ½ I |q̇|² + U(q).
template <class S, SphereSystem System>
HAMEL_FN S energy(const System& system, const SphereState<S>& state) {
  return S(0.5 * system.inertia()) * state.speed2 + system.potential(state.q);
}

/// Right-hand side of the equations of motion.
template <class S>
struct SphereRate {
  Vec<S, 3> q, omega;
};

template <class S, SphereSystem System>
HAMEL_FN SphereRate<S> sphere_rate(const System& system, const Vec<S, 3>& q,
                                   const Vec<S, 3>& omega) {
  return {cross(omega, q), -cross(q, field(system, q))};  // [MATH 5.2]
}

/// ∇U/I with its Jacobian, the Hessian of U over I.
template <class S>
struct FieldJet {
  Vec<S, 3> value;
  Mat<S, 3, 3> jacobian;
};

template <class S, SphereSystem System>
HAMEL_FN FieldJet<S> field_jet(const System& system, const Vec<S, 3>& q) {
  using J = Jet2<3, S>;
  const J u = system.potential(
      Vec<J, 3>{{J::variable(q[0], 0), J::variable(q[1], 1), J::variable(q[2], 2)}});
  const S scale = S(1.0) / S(system.inertia());
  FieldJet<S> jet;
  for (int i = 0; i < 3; ++i) {
    jet.value[i] = u.gradient(i) * scale;
    for (int j = 0; j < 3; ++j) jet.jacobian(i, j) = u.hessian(i, j) * scale;
  }
  return jet;
}

}  // namespace hamel
