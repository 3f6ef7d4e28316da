// SPDX-License-Identifier: BSD-3-Clause
// Newton's method for the few unknowns of a step.
//
//   x ← x − δ,  J δ = r(x)
//
// J is taken at the guess for the first two corrections (with a good guess they suffice, and the
// second then costs one residual only) and afresh for each later one.
// Stop: the error left after the correction δ_k is estimated by θ|δ_k|, θ = |δ_k|/|δ_{k−1}|, and
// must be ≤ tolerance · scale:
//   |δ_k|² ≤ tolerance · scale · |δ_{k−1}|        (first correction: |δ_0|² ≤ tolerance · scale²);
// or the corrections have stagnated at round-off, ½|δ_{k−1}| ≤ |δ_k| ≤ 64 eps·scale. Both are
// relative to the scale the caller gives, so coordinates may grow. [MATH 2.8]
// Lanes that have stopped are frozen; the loop ends when none is active. With scalars that carry
// derivatives, further full corrections follow: each makes one more order of derivatives exact,
// because at a root x − J⁻¹r has the derivative −J⁻¹∂r that the implicit function theorem demands.
#pragma once

#include "hamel/core/status.hpp"
#include "hamel/core/vec.hpp"
#include "hamel/solve/linear.hpp"

namespace hamel {

/// What the user may set about implicit steps.
struct SolverOptions {
  double tolerance = 0.0;   ///< relative error left by the solver; 0: eps/64, because an error of
                            ///< the solver is systematic and must lie well below round-off
  int max_iterations = 50;  ///< per solve; Newton needs 2–3, fixed-point iterations more

  /// The tolerance in force for scalar S.
  template <class S>
  HAMEL_FN constexpr RealOf<S> effective() const {
    return tolerance > 0.0 ? RealOf<S>(tolerance) : Epsilon<S>::value / RealOf<S>(64.0);
  }
};

/// Solves r(x) = 0 from the guess in x, by `residual(x)` → Vec and `jacobian(x)` → Mat; scale2 is
/// the square of the size the error is compared with.
template <class S, int N, class Residual, class Jacobian>
HAMEL_KERNEL StepReport<S> newton(Vec<S, N>& x, const S& scale2, const SolverOptions& options,
                                  Residual&& residual, Jacobian&& jacobian) {
  const S tolerance = S(options.template effective<S>());
  const S round_off = S(RealOf<S>(64.0) * Epsilon<S>::value);
  const S first_limit = tolerance * scale2;
  const S limit = tolerance * first_limit;
  const S stagnation_limit = round_off * round_off * scale2;

  StepReport<S> report;
  MaskOf<S> active(true);
  S previous = scale2;
  Factored<S, N> J(jacobian(x));
  for (int k = 0; k < options.max_iterations && any(active); ++k) {
    if (k >= 2) J = Factored<S, N>(jacobian(x));
    const Vec<S, N> delta = J.solve(residual(x));
    const S size2 = norm2(delta);
    x = select(active, x - delta, x);
    report.iterations = select(active, report.iterations + CountOf<S>(1), report.iterations);
    const MaskOf<S> small = k == 0 ? size2 <= first_limit : size2 * size2 <= limit * previous;
    const MaskOf<S> stagnant = size2 <= stagnation_limit && size2 >= S(0.25) * previous;
    const MaskOf<S> broken = !(size2 <= S(1e300));
    report.singular = report.singular || (active && broken);
    active = active && !(small || stagnant || broken);
    previous = size2;
  }
  report.no_convergence = active;
  for (int i = 0; i < ScalarTraits<S>::derivatives; ++i)
    x -= Factored<S, N>(jacobian(x)).solve(residual(x));
  return report;
}

}  // namespace hamel
