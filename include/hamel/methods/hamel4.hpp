// SPDX-License-Identifier: BSD-3-Clause
// hamel4: the Hamel step with rescaled time, order 4 in space.
//
// The points of a Hamel step of size H lie O(H⁴) from the exact curve; the O(H²) error is in time:
// the step covers H(1 − H²τ/12), τ = |ω|² − G q3 (rod tension over mr). Choosing H so that the
// covered time is h,
//   H (1 − H² τ̄/12) = h,   τ̄ = ½(τ + τ') the mean of both ends,                    [MATH 5.5]
// gives order 4 while every invariant of `hamel` stays exact, because they hold for any H. With τ
// of the left end alone the order would be 3 and the symmetry lost.
// Solution: secant iteration on H − h/(1 − H²τ̄/12); the map is flat (slope ~ h²τ/6), 3–4 passes.
#pragma once

#include "hamel/kernels/pendulum/uniform_midpoint.hpp"
#include "hamel/models/sphere_system.hpp"
#include "hamel/stepping/method.hpp"

namespace hamel {

template <class System, class S, Summation Mode>
class Hamel4Step {
 public:
  struct State {
    Sum<S, 3, Mode> q, omega;
  };

  template <class Method>
  HAMEL_FN Hamel4Step(const Method&, const System& system, const S& h, const SolverOptions& solver)
      : solver_(solver), h_(h), G_(S(system.field_strength())) {}

  HAMEL_FN State start(const SphereInitial<S>& initial) const {
    State state;
    state.q.start(initial.q);
    state.omega.start(initial.omega);
    return state;
  }

  HAMEL_FN StepReport<S> step(State& state) const noexcept {
    const S tau = tension(state.q.value, state.omega.value);
    // The error of H shifts time only, so a few units of round-off of h are enough.
    const S limit = S(RealOf<S>(8.0) * Epsilon<S>::value) * abs(h_);
    StepReport<S> report;
    S H = h_ * (S(1.0) + h_ * h_ * tau / S(12.0));
    S H_last = H;
    S defect_last(0.0);
    MaskOf<S> active(true);
    State next = state;
    for (int i = 0; i < solver_.max_iterations && any(active); ++i) {
      const StepReport<S> inner = hamel_step(H, state, next);
      report.iterations = select(active, report.iterations + CountOf<S>(1), report.iterations);
      report.singular = report.singular || (active && inner.failed());
      const S defect = H - rescaled(H, tau, next);
      // secant; the first pass, and passes at round-off, take the fixed-point update
      const S rise = defect - defect_last;
      const S slope = (H - H_last) / rise;
      const MaskOf<S> secant = i > 0 && abs(slope) < S(2.0);
      const S correction = defect * select(secant, slope, S(1.0));
      const MaskOf<S> broken = !(abs(correction) <= abs(h_));
      report.no_solution = report.no_solution || (active && broken);
      const MaskOf<S> done = abs(correction) <= limit || broken || inner.failed();
      const S H_new = select(done, H, H - correction);
      H_last = H;
      defect_last = defect;
      H = select(active, H_new, H);
      active = active && !done;
    }
    report.no_convergence = active;
    if constexpr (ScalarTraits<S>::derivatives > 0) {
      // Fixed-point passes carry the derivatives to convergence: each gains a factor h²τ/6.
      for (int i = 0; i < 20; ++i) {
        hamel_step(H, state, next);
        H = rescaled(H, tau, next);
      }
    }
    hamel_step(H, state, next);
    const MaskOf<S> good = !report.failed();
    state.q = select(good, next.q, state.q);
    state.omega = select(good, next.omega, state.omega);
    return report;
  }

  HAMEL_FN SphereState<S> observe(const State& state) const {
    return SphereState<S>::from_omega(state.q.value, state.omega.value);
  }

 private:
  HAMEL_FN S tension(const Vec<S, 3>& q, const Vec<S, 3>& omega) const {
    return norm2(omega) - G_ * q[2];  // [MATH 5.5]
  }

  /// h/(1 − H²τ̄/12) with the tension at the end of the step of size H.
  HAMEL_FN S rescaled(const S& H, const S& tau, const State& next) const {
    const S mean = S(0.5) * (tau + tension(next.q.value, next.omega.value));
    return h_ / (S(1.0) - H * H * mean / S(12.0));  // [MATH 5.5]
  }

  HAMEL_FN StepReport<S> hamel_step(const S& H, const State& state, State& next) const {
    const S kick = H * G_;
    UniformMidpoint<S> mid;
    const StepReport<S> report =
        mid.solve(state.q.value, state.omega.value, S(0.5) * H, S(0.5) * kick, solver_);
    next = state;
    next.omega.add({{-(kick * mid.q[1]), kick * mid.q[0], S(0.0)}});
    next.q.add(mid.template increment<Mode>(state.q.value));
    return report;
  }

  SolverOptions solver_;
  S h_;
  S G_;
};

struct Hamel4 {
  static constexpr MethodInfo info{
      "hamel4", "Hamel with rescaled time: order 4, the same invariants", "MATH 5.5", {}};

  static Hamel4 from_options(MethodOptions&) { return {}; }

  template <class System>
  static constexpr bool fits = UniformField<System>;

  template <class System>
  Claims claims(const System&) const {
    return {4,
            true,
            false,
            {"length", "tangency", "momentum_z", "energy"},
            "order 4 in space: its points lie on the path of a Hamel step, read at rescaled time"};
  }

  template <class System, class Use>
  auto with_step(const SphereInitial<double>&, Use&& use) const {
    return use(StepType<Hamel4Step>{});
  }
};

}  // namespace hamel
