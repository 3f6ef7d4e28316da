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
    return advance(state, {0, 1, h}).last;
  }

  StepsReport<S> advance(StepperState<S>& state, const StepsPlan<S>& plan) noexcept override {
    return options_.compensated ? make<Summation::compensated>(state, plan)
                                : make<Summation::plain>(state, plan);
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

  /// As make_steps wants them, in locals: kept in registers, the state is neither stored nor loaded
  /// in a step.
  template <Summation Mode>
  struct Steps {
    using Made = Step<Field, S, Mode>;
    Made made;
    typename Made::State at, before;

    void keep() { before = at; }
    StepReport<S> step(const S&) { return made.step(at); }
    S size() const {
      S sum = S(0.0);
      for (const auto* part : {&at.q.value, &at.omega.value})
        for (int c = 0; c < 3; ++c) sum = sum + abs((*part)[c]);
      return sum;
    }
  };

  template <Summation Mode>
  StepsReport<S> make(StepperState<S>& state, const StepsPlan<S>& plan) const noexcept {
    Steps<Mode> steps{{0, field_, plan.h, options_.solver}, {}, {}};
    const auto each = [&](auto& at, StepperState<S>& list, auto&& move) {
      move(at.q.value, list.z.data());
      move(at.omega.value, list.z.data() + 3);
      if constexpr (Mode == Summation::compensated) {
        move(at.q.carry, list.carry.data());
        move(at.omega.carry, list.carry.data() + 3);
      }
    };
    const auto load = [](Vec<S, 3>& part, const S* list) { part = vec_at(list, 0); };
    const auto store = [](const Vec<S, 3>& part, S* list) { put(list, 0, part); };
    each(steps.at, state, load);
    steps.before = steps.at;
    const StepsReport<S> report = make_steps(steps, plan);
    each(steps.at, state, store);
    if (plan.before != nullptr) each(steps.before, *plan.before, store);
    state.history += report.done;
    if (report.done < plan.count && !report.last.failed()) ++state.history;
    return report;
  }

  Field field_;
  StepperOptions options_;
};

}  // namespace hamel
