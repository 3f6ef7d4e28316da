// SPDX-License-Identifier: BSD-3-Clause
// verlet: generalised Störmer–Verlet on D0's index-reduced Hamilton equations.
//
//   ẋ = p/m,   ṗ = f(x,p) = −∇V + (x·∇V − |p|²/m) x/r²     for any r      [D0 (25)] [D0 (26)]
//   p½ = p + (h/2) f(x, p½),   x' = x + (h/m) p½,   p' = p½ + (h/2) f(x', p½).     [MATH 5.4]
// (D0 prints r = 1.) Here x = r q, p = m r v, so that with the specific field F = ∇U/I
//   f → −F + (q·F − |v|²) q.
// The half step is quadratically, not linearly, implicit: with w = v + (h/2)(−F + (q·F)q),
// v½ = w − (h/2)σq, σ = |v½|² is the smaller root of
//   (h²/4)|q|² σ² − (1 + h w·q) σ + |w|² = 0.
//
// On consistent data (|q| = 1, q·v = 0) it is the same map as `variational` and `rattle`. Off the
// constraint, errors in |q| grow where the rod is in compression: the length is not kept there.
#pragma once

#include "hamel/core/status.hpp"
#include "hamel/models/sphere_system.hpp"
#include "hamel/solve/newton.hpp"
#include "hamel/stepping/method.hpp"

namespace hamel {

template <class System, class S, Summation Mode>
class VerletStep {
 public:
  struct State {
    Sum<S, 3, Mode> q, v;
  };

  template <class Method>
  HAMEL_FN VerletStep(const Method&, const System& system, const S& h, const SolverOptions&)
      : system_(system), h_(h), half_(S(0.5) * h) {}

  HAMEL_FN State start(const SphereInitial<S>& initial) const {
    State state;
    state.q.start(initial.q);
    state.v.start(cross(initial.omega, initial.q));
    return state;
  }

  HAMEL_KERNEL StepReport<S> step(State& state) const noexcept {
    const Vec<S, 3>& q = state.q.value;
    const Vec<S, 3> F = field(system_, q);
    const Vec<S, 3> kick = half_ * (dot(q, F) * q - F);
    const Vec<S, 3> w = state.v.value + kick;
    // σ by the quadratic
    const S w2 = norm2(w);
    const S linear = S(1.0) + h_ * dot(w, q);
    const S discriminant = linear * linear - h_ * h_ * norm2(q) * w2;
    StepReport<S> report;
    report.no_solution = !(discriminant >= S(0.0) && linear > S(0.0));
    const S root = sqrt(select(report.no_solution, S(1.0), discriminant));
    const S sigma = S(2.0) * w2 / (linear + root);

    State next = state;
    next.v.add(kick - (half_ * sigma) * q);  // [D0 (26)] [MATH 5.4]
    const Vec<S, 3> v_half = next.v.value;
    next.q.add(h_ * v_half);  // [D0 (25)]
    const Vec<S, 3>& q1 = next.q.value;
    const Vec<S, 3> F1 = field(system_, q1);
    next.v.add(half_ * ((dot(q1, F1) - norm2(v_half)) * q1 - F1));  // [D0 (26)] [MATH 5.4]
    const MaskOf<S> good = !report.failed();
    state.q = select(good, next.q, state.q);
    state.v = select(good, next.v, state.v);
    return report;
  }

  HAMEL_FN SphereState<S> observe(const State& state) const {
    return SphereState<S>::from_velocity(state.q.value, state.v.value);
  }

 private:
  System system_;
  S h_;
  S half_;
};

struct Verlet {
  static constexpr MethodInfo info{"verlet",
                                   "Störmer-Verlet on D0's index-reduced equations",
                                   "D0 (25)-(26); MATH 5.4",
                                   {},
                                   false,
                                   true};

  static Verlet from_options(MethodOptions&) { return {}; }

  template <class System>
  static constexpr bool fits = SphereSystem<System>;

  template <class System>
  Claims claims(const System&) const {
    return {2,
            true,
            true,
            {"length", "tangency", "momentum_z"},
            "on consistent data and while the rod is in tension; in compression round-off in the "
            "length grows exponentially"};
  }

  template <class System, class Use>
  auto with_step(const SphereInitial<double>&, Use&& use) const {
    return use(StepType<VerletStep>{});
  }
};

}  // namespace hamel
