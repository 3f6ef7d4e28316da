// SPDX-License-Identifier: BSD-3-Clause
// One sphere in a uniform field behind the interface of many: the closed steps of the pendulum.
//
//   L = ½m|q̇|² − c q3,  G = c/m:  ω̇ = −G q×e3.                                           [MATH 5.2]
// The numbers are those of the catalogue's spherical pendulum, in lanes too.
#pragma once

#include <type_traits>

#include "hamel/core/summation.hpp"
#include "hamel/kernels/pendulum/pendulum_field.hpp"
#include "hamel/stepping/stepper.hpp"

namespace hamel {

/// z = (q, ω). Step: HamelStep, VariationalStep.
template <class S, template <class, class, Summation> class Step>
class PendulumStepper final : public Stepper<S> {
 public:
  /// strength: G.
  PendulumStepper(const Quad& strength, const StepperOptions& options)
      : field_(static_cast<S>(strength)), options_(options) {}

  bool start(const std::vector<S>& q, const std::vector<S>& v, const S&,
             StepperState<S>& state) override {
    field_.start(q, v, state.z);
    state.carry.assign(options_.compensated ? state.z.size() : 0, S(0.0));
    state.memory.clear();
    state.history = 0;
    return all_finite(state.z);
  }

  StepReport<S> step(StepperState<S>& state, const S&, const S& h) noexcept override {
    const StepReport<S> report = options_.compensated ? make<Summation::compensated>(state, h)
                                                      : make<Summation::plain>(state, h);
    if (!report.failed()) ++state.history;
    return report;
  }

  bool observe(const StepperState<S>& state, const S& t, const S&, S* q, S* v) noexcept override {
    return field_.observe(state.z.data(), t, q, v);
  }

  StepperLanes lanes() const override {
    StepperLanes own;
    if constexpr (std::is_same_v<S, double>) {
      // Their state has the carry, too, where summation is compensated.
      if (hamel_lanes::ensemble == nullptr || options_.compensated) return own;
      own.kernel = (hamel_lanes::ensemble->*Step<Field, S, Summation::plain>::lane_kernels)[0];
      own.constants = {field_.field_strength()};
      own.links = 1;
      own.solver = options_.solver;
    }
    return own;
  }

 private:
  using Field = PendulumField<S>;

  template <Summation Mode>
  StepReport<S> make(StepperState<S>& state, const S& h) const noexcept {
    using Stepped = Step<Field, S, Mode>;
    S* z = state.z.data();
    typename Stepped::State at;
    at.q.value = vec_at(z, 0);
    at.omega.value = vec_at(z, 1);
    if constexpr (Mode == Summation::compensated) {
      at.q.carry = vec_at(state.carry.data(), 0);
      at.omega.carry = vec_at(state.carry.data(), 1);
    }
    const StepReport<S> report = Stepped(0, field_, h, options_.solver).step(at);
    put(z, 0, at.q.value);
    put(z, 1, at.omega.value);
    if constexpr (Mode == Summation::compensated) {
      put(state.carry.data(), 0, at.q.carry);
      put(state.carry.data(), 1, at.omega.carry);
    }
    return report;
  }

  Field field_;
  StepperOptions options_;
};

}  // namespace hamel
