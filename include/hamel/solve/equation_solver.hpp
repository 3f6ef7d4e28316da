// SPDX-License-Identifier: BSD-3-Clause
// Newton's iteration for the unknowns of a step that is given by equations (step_equations.hpp), in
// any scalar; each lane of an ensemble stops by itself and then keeps its unknowns.
//
//   y ← y − δ,  J δ = r(y);  J of the guess serves the first two corrections.
// Sizes are relative, |δ| = max_i |δ_i|/s_i with s_i = |y_i| + min(1, max_k |y_k|).      [MATH 2.8]
// Stop: the error left is below tolerance in every unknown, by |δ_k|² ≤ tolerance · |δ_{k−1}|; or
// the corrections have stagnated at round-off, of the unknowns (256 eps), or of the equations
// (√eps): they have not been less than half the least one before, in the latter case three times in
// a row; or each is within 2 eps of its own unknown; or, three times in a row too and below eps^¼,
// those of the positions are: q̄ = q + ½h ψ ξ holds to the last bit then, and ξ has no more digits
// than eps |q|/h leaves. Angles of many turns, momenta that depend on them and differences of
// nearly equal terms make the round-off of the equations far more than that of the smaller
// unknowns. A `System` has newton(out): r, and J row by row behind it; residual(out): r; factor(J):
// true where it is regular; solve(J, x): x ← J⁻¹x.
#pragma once

#include <cstdint>

#include "hamel/core/status.hpp"
#include "hamel/solve/newton.hpp"

namespace hamel {

/// The lists of a step.
template <class S>
struct EquationWork {
  int nz, ny;     ///< numbers of the state and unknowns
  int positions;  ///< of the unknowns those that are guessed by the state
  S* in;          ///< z, y, h, t: inputs of the programs
  S* out;         ///< r and J; newton_numbers(ny)
  S* delta;       ///< δ

  S* unknowns() const { return in + nz; }

  void load(const S* z, const S& t, const S& h) const {
    for (int i = 0; i < nz; ++i) in[i] = z[i];
    in[nz + ny] = h;
    in[nz + ny + 1] = t;
  }

  /// From the unknowns of the last steps, the last ones first, as far as there are some.
  void guess(const S* z, const S* memory, std::int64_t history) const {
    S* y = unknowns();
    const S* last = memory;
    const S* before = last + ny;
    const S* older = before + ny;
    for (int i = 0; i < ny; ++i) {
      if (history >= 3)
        y[i] = S(3.0) * (last[i] - before[i]) + older[i];
      else if (history == 2)
        y[i] = S(2.0) * last[i] - before[i];
      else
        y[i] = i < positions ? z[i] : last[i];
    }
  }

  /// The unknowns of the step just made become the last ones.
  void remember(S* memory) const {
    for (int i = 0; i < ny; ++i) {
      memory[2 * ny + i] = memory[ny + i];
      memory[ny + i] = memory[i];
      memory[i] = unknowns()[i];
    }
  }
};

/// From the guess in the unknowns, where `active`.
template <class S, class System>
StepReport<S> iterate(System& system, const EquationWork<S>& work, const SolverOptions& options,
                      MaskOf<S> active) noexcept {
  using Real = RealOf<S>;
  using Count = CountOf<S>;
  const int n = work.ny;
  S* y = work.unknowns();
  S* matrix = work.out + n;
  const S tolerance = S(options.template effective<S>());
  const S round_off = S(Real(256.0) * Epsilon<S>::value);
  const S half_digits = S(sqrt(Epsilon<S>::value));
  const S quarter_digits = S(sqrt(sqrt(Epsilon<S>::value)));
  const S at_rest = S(1e-290);  // below it subnormal numbers have too few digits
  const S last_bit = S(Real(2.0) * Epsilon<S>::value);
  StepReport<S> report;
  report.no_convergence = active;
  S previous = S(1.0);
  S least = S(1.0);      // of all corrections
  auto idle = Count(0);  // corrections since one was less than half of the least before
  for (int k = 0; k < options.max_iterations && any(active); ++k) {
    if (k == 0 || k >= 2) {
      system.newton(work.out);
      const MaskOf<S> regular = system.factor(matrix);
      if (!all(regular)) {
        MaskOf<S> singular = active && !regular;  // and not a residual that is no number
        for (int i = 0; i < n; ++i) singular = singular && work.out[i] - work.out[i] == S(0.0);
        report.singular = report.singular || singular;
        report.no_convergence = report.no_convergence && !singular;
        active = active && regular;
        if (!any(active)) return report;
      }
    } else {
      system.residual(work.out);
    }
    for (int i = 0; i < n; ++i) work.delta[i] = work.out[i];
    system.solve(matrix, work.delta);
    S floor = S(0.0);
    for (int i = 0; i < n; ++i) floor = max(floor, abs(y[i]));
    floor = max(min(floor, S(1.0)), at_rest);
    S size = S(0.0);
    MaskOf<S> settled(true);               // every change is a rounding of its unknown
    MaskOf<S> placed(work.positions > 0);  // and that of every position is
    MaskOf<S> sound(true);                 // nothing ran away, or is NaN
    for (int i = 0; i < n; ++i) {
      const S d = abs(work.delta[i]);
      y[i] = select(active, y[i] - work.delta[i], y[i]);
      const S own = abs(y[i]);
      sound = sound && d <= S(1e305);
      size = max(size, select(d > S(0.0), d / (own + floor), S(0.0)));
      settled = settled && d <= last_bit * own;
      if (i < work.positions) placed = settled;
    }
    active = active && sound;
    report.iterations = select(active, report.iterations + Count(1), report.iterations);
    const MaskOf<S> small = size * size <= tolerance * previous;
    idle = select(S(2.0) * size >= least, idle + Count(1), Count(0));
    least = min(least, size);
    const MaskOf<S> least_digits = size <= half_digits || (placed && size <= quarter_digits);
    const MaskOf<S> stagnant =
        (size <= round_off && idle > Count(0)) || (least_digits && idle > Count(2));
    const MaskOf<S> done = size == S(0.0) || small || stagnant || (settled && MaskOf<S>(k > 0));
    report.no_convergence = report.no_convergence && !(active && done);
    active = active && !done;
    previous = size;
  }
  return report;
}

/// The unknowns of the step from the state z, whose numbers are loaded, where `active`.
template <class S, class System>
StepReport<S> solve_step(System& system, const EquationWork<S>& work, const SolverOptions& options,
                         const S* z, const S* memory, std::int64_t history,
                         const MaskOf<S>& active) noexcept {
  work.guess(z, memory, history);
  StepReport<S> report = iterate(system, work, options, active);
  const MaskOf<S> failed = report.failed();
  if (history < 2 || !any(failed)) return report;
  S* y = work.unknowns();  // an extrapolation may lead astray
  for (int i = 0; i < work.ny; ++i)
    y[i] = select(failed, i < work.positions ? z[i] : memory[i], y[i]);
  const auto before = report.iterations;
  report = iterate(system, work, options, failed);
  report.iterations = report.iterations + before;
  return report;
}

}  // namespace hamel
