// SPDX-License-Identifier: BSD-3-Clause
// A bare pendulum and D0's initial data for tests of kernels: no registry, compiles fast.
#pragma once

#include "hamel/core/summation.hpp"
#include "hamel/core/vec.hpp"
#include "hamel/geometry/sphere.hpp"
#include "hamel/models/sphere_system.hpp"

namespace hamel::test {

/// The spherical pendulum with any m, r, g.
struct Pendulum {
  double m = 1.0, r = 9.8, g = 9.8;
  double inertia() const { return m * r * r; }
  double field_strength() const { return g / r; }
  template <class S>
  S potential(const Vec<S, 3>& q) const {
    return S(m * g * r) * q[2];
  }
};

/// The same system without saying that its field is uniform: takes the general kernels.
struct PlainPendulum {
  double m = 1.0, r = 9.8, g = 9.8;
  static constexpr bool quadratic_potential = true;
  double inertia() const { return m * r * r; }
  template <class S>
  S potential(const Vec<S, 3>& q) const {
    return S(m * g * r) * q[2];
  }
};

/// C. Neumann's system, U = ½ q·diag(k)q: a quadratic potential, no symmetry.
struct Neumann {
  static constexpr bool quadratic_potential = true;
  double k1 = 1.0, k2 = 2.3, k3 = 3.1;
  double inertia() const { return 2.0; }
  template <class S>
  S potential(const Vec<S, 3>& q) const {
    return S(0.5) * (S(k1) * q[0] * q[0] + S(k2) * q[1] * q[1] + S(k3) * q[2] * q[2]);
  }
};

/// D0 §VII with Γ0 normalised, computed in S: Γ3 = −√0.87, rows of R0 = (b1, Γ×b1, Γ).
template <class S>
SphereInitial<S> d0_initial(int sign = -1) {
  SphereInitial<S> start;
  start.body = true;
  start.Gamma = {{S(3.0) / S(10.0), S(2.0) / S(10.0), S(sign) * sqrt(S(87.0) / S(100.0))}};
  start.Omega = {{S(6.0) / S(10.0), S(0.0)}};
  const Vec<S, 3>& g = start.Gamma;
  const Vec<S, 3> b1 = normalised(Vec<S, 3>{{S(1.0), S(0.0), S(0.0)}} - g[0] * g);
  const Vec<S, 3> b2 = cross(g, b1);
  start.q = {{b1[2], b2[2], g[2]}};
  start.r1 = {{b1[0], b2[0], g[0]}};
  start.omega = start.Omega[0] * start.r1;
  return start;
}

/// Data away from every symmetry.
template <class S>
SphereInitial<S> skew_initial() {
  SphereInitial<S> start;
  start.q = normalised(Vec<S, 3>{{S(0.5), S(-0.3), S(0.4)}});
  start.omega = tangent_part(start.q, Vec<S, 3>{{S(0.7), S(1.1), S(-0.4)}});
  return start;
}

template <class S>
double largest(const Vec<S, 3>& v) {
  return static_cast<double>(max(abs(v[0]), max(abs(v[1]), abs(v[2]))));
}

/// Largest distance of the positions along 100 steps of h = 0.2 of D0's pendulum in Quad.
template <template <class, class, Summation> class StepA,
          template <class, class, Summation> class StepB, class MethodA, class MethodB>
double distance_of_maps(const MethodA& method_a, const MethodB& method_b) {
  const StepA<Pendulum, Quad, Summation::plain> first(method_a, Pendulum{}, Quad(0.2), {});
  const StepB<Pendulum, Quad, Summation::plain> second(method_b, Pendulum{}, Quad(0.2), {});
  auto a = first.start(d0_initial<Quad>());
  auto b = second.start(d0_initial<Quad>());
  double worst = 0.0;
  for (int n = 0; n < 100; ++n) {
    if (first.step(a).failed() || second.step(b).failed()) return 1.0;
    worst = std::fmax(worst, largest(a.q.value - b.q.value));
  }
  return worst;
}

}  // namespace hamel::test
