// SPDX-License-Identifier: BSD-3-Clause
// rattle: RATTLE as in D0 §VI, for the constraint φ(x) = ½(|x|² − r²).
//
//   p½ = p − (h/2)(∇V + λx),  x' = x + (h/m)p½,  φ(x') = 0,
//   p' = p½ − (h/2)(∇V' + μx'),  x'·p' = 0.                              [D0 RATTLE] [MATH 5.4]
// With x = r q, p = m r v and F = ∇U/I: q' = y − s q, y = q + hv − (h²/2)F, s = h²λ/(2m), and
//   |y|² − 2s y·q + s²|q|² = 1     (Newton on s, quadratic equation, to round-off);
// μ is linear. Velocities are kept, never recovered from (x'−x)/h. [MATH 8.1]
//
// Symplectic, momentum exact, lengths at round-off without drift, order 2, time-symmetric.
#pragma once

#include "hamel/core/status.hpp"
#include "hamel/models/sphere_system.hpp"
#include "hamel/solve/newton.hpp"
#include "hamel/stepping/method.hpp"

namespace hamel {

template <class System, class S, Summation Mode>
class RattleStep {
 public:
  struct State {
    Sum<S, 3, Mode> q, v;
  };

  template <class Method>
  HAMEL_FN RattleStep(const Method&, const System& system, const S& h, const SolverOptions& solver)
      : system_(system), solver_(solver), h_(h), half_(S(0.5) * h) {}

  HAMEL_FN State start(const SphereInitial<S>& initial) const {
    State state;
    state.q.start(initial.q);
    state.v.start(cross(initial.omega, initial.q));
    return state;
  }

  HAMEL_KERNEL StepReport<S> step(State& state) const noexcept {
    const Vec<S, 3>& q = state.q.value;
    const Vec<S, 3> kick = half_ * field(system_, q);
    const Vec<S, 3> dy = h_ * (state.v.value - kick);  // y − q
    const S q2 = norm2(q);
    const S dyq = dot(dy, q);
    const S yq = q2 + dyq;
    // |y|² − 1, without the cancellation of 1 − 1
    const S excess = (q2 - S(1.0)) + (dyq + dyq) + norm2(dy);
    const MaskOf<S> solvable = yq * yq > q2 * excess;
    const S first = excess / (yq + yq);
    Vec<S, 1> s{{first * (S(1.0) + first * (q2 / (yq + yq)))}};  // off by O(excess³)
    StepReport<S> report = newton(
        s, S(1.0), solver_,
        [&](const Vec<S, 1>& x) -> Vec<S, 1> {
          return {{excess - x[0] * ((yq + yq) - x[0] * q2)}};
        },
        [&](const Vec<S, 1>& x) -> Mat<S, 1, 1> { return {{{(x[0] * q2 - yq) * S(2.0)}}}; });
    report.no_solution = !solvable;

    State next = state;
    next.v.add(-kick - (s[0] / h_) * q);  // hλ/(2m) = s/h  [D0 RATTLE] [MATH 5.4]
    next.q.add(dy - s[0] * q);
    const Vec<S, 3>& q1 = next.q.value;
    const Vec<S, 3> kick1 = half_ * field(system_, q1);
    const S mu = (dot(next.v.value, q1) - dot(kick1, q1)) / norm2(q1);
    next.v.add(-kick1 - mu * q1);  // [D0 RATTLE]
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
  SolverOptions solver_;
  S h_;
  S half_;
};

struct Rattle {
  static constexpr MethodInfo info{"rattle",
                                   "RATTLE: constrained Störmer-Verlet, Cartesian",
                                   "D0 section VI; MATH 5.4",
                                   {},
                                   true,
                                   true};

  static Rattle from_options(MethodOptions&) { return {}; }

  template <class System>
  static constexpr bool fits = SphereSystem<System>;

  template <class System>
  Claims claims(const System&) const {
    return {2, true, true, {"length", "tangency", "momentum_z"}, {}};
  }

  template <class System, class Use>
  auto with_step(const SphereInitial<double>&, Use&& use) const {
    return use(StepType<RattleStep>{});
  }
};

}  // namespace hamel
