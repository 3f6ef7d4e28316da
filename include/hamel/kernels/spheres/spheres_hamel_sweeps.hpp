// SPDX-License-Identifier: BSD-3-Clause
// The sweeps of the Hamel step on (S²)ⁿ (spheres_hamel_stepper.hpp), in any scalar; each lane of an
// ensemble stops by itself and then repeats its last sweep.                              [MATH 7.3]
//
//   W → Δq by the Cayley map, q_m, F(q, q'), torque q_m×F → δ = W − (π + (h/2) torque)/m,
//   W ← W − δ.
#pragma once

#include <algorithm>
#include <cstdint>

#include "hamel/core/status.hpp"
#include "hamel/core/vec.hpp"
#include "hamel/geometry/rotation.hpp"
#include "hamel/solve/newton.hpp"

namespace hamel {

/// The lists of a step; vectors one after the other, 3n numbers each where nothing else is said.
template <class S>
struct SpheresHamelSweeps {
  using Vector = Vec<S, 3>;
  static constexpr int remembered = 6;  ///< torques of so many steps

  int n;
  bool forced;
  const S* m;  ///< n, inertia
  /// What the forces are a program of: q, q', t + h/2, and with outer forces q_m, q̇, 2/h.
  S* in;
  S* F;          ///< forces; outer ones: and their power
  S *W, *delta;  ///< π_m/m, and what it is off by
  S *dq, *q_m;   ///< q' − q, (q + q')/2
  S* torque;     ///< q_m×F

  static constexpr int inputs(int n, bool forced) { return forced ? 12 * n + 2 : 6 * n + 1; }
  static constexpr int forces(int n, bool forced) { return 3 * n + (forced ? 1 : 0); }

  /// Numbers of all lists but m.
  static constexpr int room(int n, bool forced) {
    return inputs(n, forced) + forces(n, forced) + 15 * n;
  }
  static SpheresHamelSweeps in_room(int n, bool forced, const S* m, S* room) {
    S* F = room + inputs(n, forced);
    S* W = F + forces(n, forced);
    return {n, forced, m, room, F, W, W + 3 * n, W + 6 * n, W + 9 * n, W + 12 * n};
  }

  void load(const S* z, const S& t, const S& h) const {
    for (int a = 0; a < 3 * n; ++a) in[a] = z[a];
    in[6 * n] = t + S(0.5) * h;
    if (forced) in[12 * n + 1] = S(2.0) / h;
  }

  /// Where the torques of a step are remembered.
  template <class Pointer>
  static Pointer slot(Pointer memory, int n, std::int64_t step) {
    return memory + step % remembered * 3 * n;
  }

  /// W of torques extrapolated from the last `known` steps.
  void guess(const S* z, const S* memory, std::int64_t known, const S& h) const {
    const int order = static_cast<int>(std::min<std::int64_t>(known, remembered));
    for (int a = 0; a < 3 * n; ++a) torque[a] = S(0.0);
    S factor = S(-1.0);
    for (int j = 0; j < order; ++j) {  // (−1)^j binomial(order, j + 1)
      factor = -factor * S(order - j) / S(j + 1);
      const S* from = slot(memory, n, known - 1 - j);
      for (int a = 0; a < 3 * n; ++a) torque[a] = torque[a] + factor * from[a];
    }
    for (int i = 0; i < n; ++i) put(W, i, velocity(z, h, i));
  }

  /// π_m/m of the present torque.
  Vector velocity(const S* z, const S& h, int i) const {
    const Vector pi_m = vec_at(z, n + i) + (S(0.5) * h) * vec_at(torque, i);
    return (S(1.0) / m[i]) * pi_m;  // [MATH 7.3]
  }

  /// All that follows from W, and what it is off by. Returns the largest h|δ|, or the first that is
  /// no number; note(i) at each sphere that is the worst so far.
  template <class Force, class Note>
  S evaluate(const S* z, const S& h, Force&& force, Note&& note) const {
    for (int i = 0; i < n; ++i) {
      const Vector q = vec_at(z, i);
      const Vector step = cayley_increment((S(0.5) * h) * vec_at(W, i), q);  // [MATH 7.3]
      const Vector middle = q + S(0.5) * step;
      put(dq, i, step);
      put(q_m, i, middle);
      put(in, n + i, q + step);
      if (!forced) continue;
      put(in + 6 * n + 1, i, middle);
      put(in + 9 * n + 1, i, cross(vec_at(W, i), middle));
    }
    force(in, F);
    S largest = S(0.0);
    MaskOf<S> lost(false);
    for (int i = 0; i < n; ++i) {
      put(torque, i, cross(vec_at(q_m, i), vec_at(F, i)));  // [MATH 7.3]
      const Vector off = vec_at(W, i) - velocity(z, h, i);
      put(delta, i, off);
      const S size = abs(h) * norm(off);
      const MaskOf<S> worse = !(size <= largest) && !lost;
      if (!any(worse)) continue;
      largest = select(worse, size, largest);
      lost = lost || !(largest <= S(1e300));
      note(i);
    }
    return largest;
  }

  /// The changes, angles per step, have stagnated at round-off, or are as small as asked for.
  static MaskOf<S> settled(const S& size, const S& last, const SolverOptions& solver) {
    const S tolerance = S(solver.tolerance);
    using Real = RealOf<S>;
    return size == S(0.0) || size * size < tolerance * last ||
           (size <= S(Real(16.0) * Epsilon<S>::value) && S(2.0) * size >= last) ||
           (size <= S(Real(1e3) * Epsilon<S>::value) && size >= last);
  }

  /// Sweeps from the guess in W, where `active`, to stagnation: where they came to it. Counts them.
  template <class Force, class Note>
  MaskOf<S> sweep(const S* z, const S& h, const SolverOptions& solver, MaskOf<S> active,
                  Force&& force, Note&& note, CountOf<S>& iterations) const {
    using Count = CountOf<S>;
    MaskOf<S> found(false);
    S last = S(1.0);
    for (int k = 0; k < 4 * solver.max_iterations && any(active); ++k) {
      const S size = evaluate(z, h, force, note);
      iterations = select(active, iterations + Count(1), iterations);
      const MaskOf<S> done = active && settled(size, last, solver);
      found = found || done;
      MaskOf<S> goes_on = size <= S(1e3);
      if (k >= 2)
        goes_on =
            goes_on && !(size > S(0.4) * last && size > S(RealOf<S>(1e3) * Epsilon<S>::value));
      active = active && !done && goes_on;
      for (int a = 0; a < 3 * n; ++a) W[a] = select(active, W[a] - delta[a], W[a]);
      last = size;
    }
    return found;
  }

  /// z' − z.
  void increments(const S& h, S* dz) const {
    for (int a = 0; a < 3 * n; ++a) {
      dz[a] = dq[a];
      dz[3 * n + a] = h * torque[a];  // [MATH 7.3]
    }
    if (forced) dz[6 * n] = h * F[3 * n];
  }
};

}  // namespace hamel
