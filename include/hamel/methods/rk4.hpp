// SPDX-License-Identifier: BSD-3-Clause
// rk4: the classical Runge–Kutta method on (q, ω), what people use otherwise.
//
//   q̇ = ω×q,   ω̇ = −q×∇U(q)/I.                                                  [MATH 5.2]
// Order 4; keeps none of the invariants: length, energy and momentum drift.
#pragma once

#include "hamel/core/status.hpp"
#include "hamel/models/sphere_system.hpp"
#include "hamel/solve/newton.hpp"
#include "hamel/stepping/method.hpp"

namespace hamel {

template <class System, class S, Summation Mode>
class Rk4Step {
 public:
  struct State {
    Sum<S, 3, Mode> q, omega;
  };

  template <class Method>
  HAMEL_FN Rk4Step(const Method&, const System& system, const S& h, const SolverOptions&)
      : system_(system), h_(h) {}

  HAMEL_FN State start(const SphereInitial<S>& initial) const {
    State state;
    state.q.start(initial.q);
    state.omega.start(initial.omega);
    return state;
  }

  HAMEL_KERNEL StepReport<S> step(State& state) const noexcept {
    const Vec<S, 3>& q = state.q.value;
    const Vec<S, 3>& w = state.omega.value;
    const S half = S(0.5) * h_;
    const SphereRate<S> k1 = sphere_rate(system_, q, w);
    const SphereRate<S> k2 = sphere_rate(system_, q + half * k1.q, w + half * k1.omega);
    const SphereRate<S> k3 = sphere_rate(system_, q + half * k2.q, w + half * k2.omega);
    const SphereRate<S> k4 = sphere_rate(system_, q + h_ * k3.q, w + h_ * k3.omega);
    const S sixth = h_ / S(6.0);
    state.q.add(sixth * (k1.q + S(2.0) * (k2.q + k3.q) + k4.q));
    state.omega.add(sixth * (k1.omega + S(2.0) * (k2.omega + k3.omega) + k4.omega));
    return {};
  }

  HAMEL_FN SphereState<S> observe(const State& state) const {
    return SphereState<S>::from_omega(state.q.value, state.omega.value);
  }

 private:
  System system_;
  S h_;
};

struct Rk4 {
  static constexpr MethodInfo info{"rk4",
                                   "classical Runge-Kutta: a baseline that keeps nothing",
                                   "Kutta 1901; D0 for comparison",
                                   {},
                                   false,
                                   true};

  static Rk4 from_options(MethodOptions&) { return {}; }

  template <class System>
  static constexpr bool fits = SphereSystem<System>;

  template <class System>
  Claims claims(const System&) const {
    return {4, false, false, {}, {}};
  }

  template <class System, class Use>
  auto with_step(const SphereInitial<double>&, Use&& use) const {
    return use(StepType<Rk4Step>{});
  }
};

}  // namespace hamel
