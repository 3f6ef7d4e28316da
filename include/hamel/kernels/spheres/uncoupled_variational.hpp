// SPDX-License-Identifier: BSD-3-Clause
// D2's variational step on (S²)ⁿ for uncoupled inertia, m_ij = 0 for i ≠ j, in any scalar.
//
//   P_i = π_i×q_i + (h/2)F_i + ν_iq_i,   q_i' = q_i + (h/m_i)P_i,   |q_i'| = 1,   F = f − ∂U/∂q;
//   π_i' = π_i + (h/2)(q_i×F_i + q_i'×F_i').                                             [MATH 7.1]
// These are the equations of spheres_variational_stepper.hpp; (q' − q)×P = 0 as both are parallel.
// Each sphere has its own quadratic equation for σ = hν/m: with b = (h/m)(π×q + (h/2)F),
//   |q|²σ² + 2(|q|² + q·b)σ + (|q + b|² − 1) = 0,   q·q' = |q|² + q·b + |q|²σ > 0,
// and nothing is left to iterate but the forces f(q', q̇', t + h) that depend on velocities, q̇ =
// π×q/m, by fixed points. Each lane of an ensemble stops by itself.
#pragma once

#include "hamel/core/status.hpp"
#include "hamel/core/vec.hpp"
#include "hamel/solve/newton.hpp"

namespace hamel {

/// The lists of a step; vectors one after the other, 3n numbers each where nothing else is said.
template <class S>
struct UncoupledVariational {
  using Vector = Vec<S, 3>;

  int n;
  bool forced;
  const S* inverse_m;  ///< n
  S* in;               ///< what the forces are programs of: q, t; outer ones: and q̇
  S* slope;            ///< −∂U/∂q at the end of the step
  S *force, *kick;     ///< f; at the end, (h/2)q'×f
  S* dz;               ///< z' − z, z = (q, π), with outer forces (q, π, their work)

  static constexpr int inputs(int n, bool forced) { return (forced ? 6 : 3) * n + 1; }
  static constexpr int numbers(int n, bool forced) { return 6 * n + (forced ? 1 : 0); }

  /// Numbers of all lists but inverse_m.
  static constexpr int room(int n, bool forced) {
    return inputs(n, forced) + 9 * n + numbers(n, forced);
  }
  static UncoupledVariational in_room(int n, bool forced, const S* inverse_m, S* room) {
    S* slope = room + inputs(n, forced);
    return {n, forced, inverse_m, room, slope, slope + 3 * n, slope + 6 * n, slope + 9 * n};
  }

  Vector velocity(const Vector& q, const Vector& pi, int i) const {
    return inverse_m[i] * cross(pi, q);  // [MATH 6.3]
  }

  /// slope(in, out) and force(in, out) are the programs; before, −∂U/∂q at the beginning; carry, of
  /// q with compensated summation, or null; note(i) at a sphere that has no q'. Nothing counts but
  /// where `active`.
  template <class Slope, class Force, class Note>
  StepReport<S> step(const S* z, const S* carry, const S* before, const S& t, const S& h,
                     const SolverOptions& solver, const MaskOf<S>& active, Slope&& slope_of,
                     Force&& force_of, Note&& note) const {
    StepReport<S> report;
    const S half = S(0.5) * h;
    S power = S(0.0);
    if (forced) {
      for (int a = 0; a < 3 * n; ++a) in[a] = z[a];
      in[3 * n] = t;
      power = outer_force(z, z + 3 * n, force_of);
    }
    for (int i = 0; i < n; ++i) {
      const Vector q = vec_at(z, i);
      Vector F = vec_at(before, i);
      if (forced) F += vec_at(force, i);
      const Vector push = half * F;
      const Vector b = (h * inverse_m[i]) * (cross(vec_at(z, n + i), q) + push);
      const MaskOf<S> failed = report.failed();
      const Vector step = b + turn(q, b, carry, i, report) * q;  // [MATH 7.1]
      put(dz, i, step);
      put(dz, n + i, cross(q, push));
      put(in, i, q + (carry == nullptr ? step : step + vec_at(carry, i)));
      if (any(active && report.failed() && !failed)) note(i);
    }
    in[3 * n] = t + h;
    slope_of(in, slope);
    S sum = S(0.0);
    for (int i = 0; i < n; ++i) {
      const Vector change =
          vec_at(dz, n + i) + half * cross(vec_at(in, i), vec_at(slope, i));  // [MATH 7.1]
      put(dz, n + i, change);
      sum = sum + (change[0] + (change[1] + change[2]));
    }
    if (forced) {
      const S work =
          half * (power + end_force(z, half, solver, active && !report.failed(), force_of, report));
      dz[6 * n] = work;
      sum = sum + work;
    }
    // U or f has no value where the step leads to.
    report.singular = report.singular || (!report.failed() && !(sum - sum == S(0.0)));
    return report;
  }

 private:
  /// σ of one sphere. With a carry: of q + carry, whose own length error, mostly noise of |q|², is
  /// corrected slowly.
  static S turn(const Vector& q, const Vector& b, const S* carry, int i, StepReport<S>& report) {
    const S qq = norm2(q);
    S along = qq + dot(q, b);
    S off = qq - S(1.0);
    Vector both = S(2.0) * q + b;
    if (carry != nullptr) {
      const Vector lost = vec_at(carry, i);
      const S more = dot(q, lost);
      along = along + more;
      off = S(0.0625) * (off + S(2.0) * more);
      both += S(2.0) * lost;
    }
    const S excess = off + dot(b, both);
    const S root2 = along * along - qq * excess;
    report.no_solution = report.no_solution || root2 <= S(0.0);  // the step is too large
    report.singular = report.singular || !(root2 - root2 == S(0.0));
    const S root = sqrt(root2);
    const MaskOf<S> usual = along > S(0.0);
    S sigma = -(excess / (along + root));
    if (any(!usual)) sigma = select(usual, sigma, (root - along) / qq);
    return sigma;
  }

  /// f at the q and t in `in` and the velocities there, and its power.
  template <class Force>
  S outer_force(const S* q, const S* pi, Force&& force_of) const {
    for (int i = 0; i < n; ++i) put(in + 3 * n + 1, i, velocity(vec_at(q, i), vec_at(pi, i), i));
    force_of(in, force);
    S power = S(0.0);
    for (int i = 0; i < n; ++i) power = power + dot(vec_at(force, i), vec_at(in + 3 * n + 1, i));
    return power;
  }

  /// Adds (h/2) q'×f' to π' − π, f' at the q̇' which it brings about, and returns its power. `force`
  /// is that of the beginning, the first guess.
  template <class Force>
  S end_force(const S* z, const S& half, const SolverOptions& solver, MaskOf<S> active,
              Force&& force_of, StepReport<S>& report) const {
    using Real = RealOf<S>;
    S power = S(0.0);
    S last = S(1e300);
    S* const momentum = force;  // π' in place of the forces that it was made of
    for (int k = 0; k < solver.max_iterations && any(active); ++k) {
      S size = S(0.0);
      S moved = S(0.0);
      for (int i = 0; i < n; ++i) {
        const Vector now = half * cross(vec_at(in, i), vec_at(force, i));
        const Vector pi = vec_at(z, n + i) + vec_at(dz, n + i) + now;
        for (int c = 0; c < 3; ++c) {
          S& held = kick[3 * i + c];
          size = max(size, max(abs(pi[c]), abs(now[c])));
          if (k > 0) moved = max(moved, abs(now[c] - held));
          held = k > 0 ? select(active, now[c], held) : now[c];
        }
        put(momentum, i, pi);
      }
      if (k > 0) {
        active = active && !(moved <= S(Epsilon<S>::value) * size ||
                             (moved >= last && moved <= S(Real(1e3) * Epsilon<S>::value) * size));
        last = moved;
      }
      const S now = outer_force(in, momentum, force_of);
      power = select(active, now, power);
      using Count = CountOf<S>;
      report.iterations = select(active, report.iterations + Count(1), report.iterations);
    }
    report.no_convergence = report.no_convergence || active;
    for (int a = 0; a < 3 * n; ++a) dz[3 * n + a] = dz[3 * n + a] + kick[a];
    return power;
  }
};

}  // namespace hamel
