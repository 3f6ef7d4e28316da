// SPDX-License-Identifier: BSD-3-Clause
// exact: the closed solution of a system that has one, sampled at t = n h.
//
// A reference, not an integrator: no error accumulates. Needs `system.exact(initial).at(t)`.
#pragma once

#include "hamel/core/quad.hpp"
#include "hamel/core/status.hpp"
#include "hamel/models/sphere_initial.hpp"
#include "hamel/models/sphere_system.hpp"
#include "hamel/solve/newton.hpp"
#include "hamel/stepping/method.hpp"

namespace hamel {

template <class System>
concept HasExactSolution = requires(const System& system, const SphereInitial<Quad>& initial) {
  {system.exact(initial).at(Quad(0)).q};
};

template <class System, class S, Summation Mode>
class ExactStep {
 public:
  using Solution = decltype(std::declval<const System&>().exact(SphereInitial<Quad>{}));
  struct State {
    Solution solution;
    std::int64_t n = 0;
    Vec<S, 3> q, omega;
  };

  template <class Method>
  ExactStep(const Method&, const System& system, const S& h, const SolverOptions&)
      : system_(system), h_(h) {}

  State start(const SphereInitial<S>& initial) const {
    return {system_.exact(on_sphere(initial)), 0, initial.q, initial.omega};
  }

  StepReport<S> step(State& state) const noexcept {
    const auto point = state.solution.at(Quad(++state.n) * Quad(h_));
    state.q = cast<S>(point.q);
    state.omega = cast<S>(point.omega);
    return {};
  }

  SphereState<S> observe(const State& state) const {
    return SphereState<S>::from_omega(state.q, state.omega);
  }

 private:
  static SphereInitial<Quad> on_sphere(const SphereInitial<S>& initial) {
    if constexpr (std::same_as<S, double>)
      return refined<Quad>(initial);
    else
      return initial.template as<Quad>();
  }

  System system_;
  S h_;
};

struct Exact {
  static constexpr MethodInfo info{"exact",
                                   "the closed solution, where the system has one",
                                   "Jacobi elliptic functions; MATH 5",
                                   {},
                                   false};

  static constexpr bool closed_form = true;  // sampled, not stepped: no step Jacobian

  static Exact from_options(MethodOptions&) { return {}; }

  template <class System>
  static constexpr bool fits = SphereSystem<System>&& HasExactSolution<System>;

  template <class System>
  Claims claims(const System&) const {
    return {0,
            false,
            false,
            {"length", "tangency", "momentum_z", "energy"},
            "exact up to the rounding of the initial data, which the flow amplifies"};
  }

  template <class System, class Use>
  auto with_step(const SphereInitial<double>&, Use&& use) const {
    return use(StepType<ExactStep>{});
  }
};

}  // namespace hamel
