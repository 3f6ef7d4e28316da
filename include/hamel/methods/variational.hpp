// SPDX-License-Identifier: BSD-3-Clause
// variational: D2's homogeneous variational integrator on S², closed form.
//
// Discrete Euler–Lagrange equations of D2 for one sphere, as a one-step map:        [D2 flow]
//   ω½ = ω − (h/2) q×∇U(q)/I,   b = hω½,
//   q' = q + b×q − |b|²/(1+√(1−|b|²)) q,   ω' = ω½ − (h/2) q'×∇U(q')/I.               [MATH 5.4]
// q' is the point of S² with q×q' = b; it exists iff |b| < 1 (no_solution otherwise).
// The radial coefficient, 1 − √(1−|b×q|²)/|q| to first order in |q| − 1, is formed from the actual
// q, so that round-off in the length is corrected by every step instead of adding up (which also
// makes the cancellation in 1 − √ harmless and saves the division); on the sphere it is the formula
// above.
// Velocities are kept and never recovered from (1/h)·difference. [MATH 8.1]
//
// Symplectic, momentum exact, energy bounded, time-symmetric, order 2; the same map as RATTLE and,
// on consistent data, as Störmer–Verlet.
#pragma once

#include "hamel/core/status.hpp"
#include "hamel/kernels/lanes/ensemble_kernels.hpp"
#include "hamel/models/sphere_system.hpp"
#include "hamel/solve/newton.hpp"
#include "hamel/stepping/method.hpp"

namespace hamel {

template <class System, class S, Summation Mode>
class VariationalStep {
 public:
  static constexpr auto lane_kernels = &hamel_lanes::EnsembleKernels::variational;

  struct State {
    Sum<S, 3, Mode> q, omega;
  };

  template <class Method>
  HAMEL_FN VariationalStep(const Method&, const System& system, const S& h, const SolverOptions&)
      : system_(system), h_(h), half_(S(0.5) * h) {}

  HAMEL_FN State start(const SphereInitial<S>& initial) const {
    State state;
    state.q.start(initial.q);
    state.omega.start(initial.omega);
    return state;
  }

  HAMEL_KERNEL StepReport<S> step(State& state) const noexcept {
    const Vec<S, 3>& q = state.q.value;
    State next = state;
    next.omega.add(half_kick(q));
    const Vec<S, 3> b = h_ * next.omega.value;  // [MATH 5.4]
    const Vec<S, 3> turn = cross(b, q);
    const S turn2 = norm2(turn);
    const S root2 = S(1.0) - turn2;
    StepReport<S> report;
    report.no_solution = !(root2 > S(0.0));
    const S root = sqrt(select(report.no_solution, S(1.0), root2));
    const S off = S(0.5) * (norm2(q) - S(1.0));
    const S radial = (S(1.0) - root) + root * off;  // [MATH 5.4] [D2 flow]
    next.q.add(turn - radial * q);
    next.omega.add(half_kick(next.q.value));  // [MATH 5.4]
    const MaskOf<S> good = !report.failed();
    state.q = select(good, next.q, state.q);
    state.omega = select(good, next.omega, state.omega);
    return report;
  }

  HAMEL_FN SphereState<S> observe(const State& state) const {
    return SphereState<S>::from_omega(state.q.value, state.omega.value);
  }

 private:
  /// −(h/2) q×∇U/I.
  HAMEL_FN Vec<S, 3> half_kick(const Vec<S, 3>& q) const {
    if constexpr (UniformField<System>) {
      const S kick = half_ * S(system_.field_strength());
      return {{-(kick * q[1]), kick * q[0], S(0.0)}};
    } else {
      return -(half_ * cross(q, field(system_, q)));
    }
  }

  System system_;
  S h_;
  S half_;
};

struct Variational {
  static constexpr MethodInfo info{"variational",
                                   "variational on the sphere: symplectic, momentum exact",
                                   "D2; MATH 5.4, 7.1",
                                   {},
                                   false,
                                   true};

  static Variational from_options(MethodOptions&) { return {}; }

  template <class System>
  static constexpr bool fits = SphereSystem<System>;

  template <class System>
  Claims claims(const System&) const {
    return {2, true, true, {"length", "tangency", "momentum_z"}, {}};
  }

  template <class System, class Use>
  auto with_step(const SphereInitial<double>&, Use&& use) const {
    return use(StepType<VariationalStep>{});
  }
};

}  // namespace hamel
