// SPDX-License-Identifier: BSD-3-Clause
// A stepper of a model with inputs that are held in each step.                       [MATH 11.2]
//
// Functions of time have their value in the middle of the step, u(t + h/2); laws that are sampled
// that of the node at which their period begins, u = law(q, v, t), until the next one. What is
// held, and how many periods have begun, is part of the state: a run goes on as it would have.
#pragma once

#include <functional>

#include "hamel/core/error.hpp"
#include "hamel/expressions/program.hpp"
#include "hamel/models/frame_equations.hpp"
#include "hamel/stepping/stepper.hpp"

namespace hamel {

template <class S>
class DrivenStepper final : public Stepper<S> {
 public:
  DrivenStepper(const FrameModel& model, std::unique_ptr<Stepper<S>> base)
      : base_(std::move(base)), N_(model.q.size()), in_(model.variables().size()) {
    if (base_->offset() != 0.0)
      throw InputError("half-node sequences take no inputs that are held; use the nodes");
    Expressions laws;
    for (const FrameInput& input : model.inputs) {
      if (!input.is_held()) continue;
      const auto i = static_cast<std::size_t>(model.graph->held_index(input.symbol.node()));
      if (i >= sources_.size()) sources_.resize(i + 1);
      if (i >= laws.size()) laws.resize(i + 1);
      sources_[i] = {input.of_time, input.period};
      laws[i] = input.law.value_or(Expression(0.0));
    }
    laws = substituted(laws, model.v, frame_equations(model).velocity);
    laws_ = Evaluator<S>(Program(model.variables(), laws));
    values_.resize(sources_.size());
    laws_now_.resize(sources_.size());
  }

  bool bind(std::span<const double> parameters) override {
    laws_.bind(parameters);
    return base_->bind(parameters);
  }

  bool start(const std::vector<S>& q, const std::vector<S>& xi, const S& h,
             StepperState<S>& state) override {
    std::ranges::copy(q, in_.begin());
    std::ranges::copy(xi, in_.begin() + static_cast<std::ptrdiff_t>(N_));
    in_.back() = S(0.0);
    laws_(in_.data(), laws_now_.data());
    for (std::size_t i = 0; i < sources_.size(); ++i)
      values_[i] = sources_[i].of_time ? S(sources_[i].of_time(0.0)) : laws_now_[i];
    base_->hold(values_);
    if (!base_->start(q, xi, h, state)) return false;
    state.held = values_;
    state.held.resize(2 * sources_.size(), S(0.0));  // and the periods that have begun
    return true;
  }

  StepReport<S> step(StepperState<S>& state, const S& t, const S& h) noexcept override {
    StepReport<S> report;
    if (!held_at(state, t, h, t + S(0.5) * h)) {  // [MATH 11.2]
      report.singular = true;
      return report;
    }
    base_->hold(values_);
    report = base_->step(state, t, h);
    if (report.failed()) return report;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      state.held[i] = values_[i];
      if (begins(state, i, t, h)) begun(state, i) = periods(i, t, h);
    }
    return report;
  }

  bool observe(const StepperState<S>& state, const S& t, const S& h, S* q,
               S* xi) noexcept override {
    held_at(state, t, h, t);
    base_->hold(values_);
    return base_->observe(state, t, h, q, xi);
  }

  /// At the node: functions there, laws as the next step has them.
  std::span<const S> held(const StepperState<S>& state, const S& t, const S& h) noexcept override {
    held_at(state, t, h, t);
    return values_;
  }

  double offset() const override { return base_->offset(); }
  double work_offset() const override { return base_->work_offset(); }
  bool keeps_finite() const override { return base_->keeps_finite(); }
  bool divisible() const override { return base_->divisible(); }

 private:
  struct Source {
    std::function<double(double t)> of_time;
    double period = 0.0;
  };

  static S& begun(StepperState<S>& state, std::size_t i) {
    return state.held[state.held.size() / 2 + i];
  }
  /// Those that have begun when a step begins at t, which is the multiple of h next to a period's
  /// beginning but for the rounding of both.
  S periods(std::size_t i, const S& t, const S& h) const {
    const S length = abs(t) * S(1.0 + 1e-9) + S(1e-6) * abs(h);
    return floor(length / S(sources_[i].period)) + S(1.0);
  }
  bool begins(const StepperState<S>& state, std::size_t i, const S& t, const S& h) const {
    return sources_[i].period > 0.0 && periods(i, t, h) > state.held[state.held.size() / 2 + i];
  }

  /// values_ for time t: functions at `when`, laws of the state where a period begins. False where
  /// these have no value.
  bool held_at(const StepperState<S>& state, const S& t, const S& h, const S& when) noexcept {
    bool due = false;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      values_[i] = state.held[i];
      due = due || begins(state, i, t, h);
    }
    if (due) {
      base_->hold(values_);
      if (!base_->observe(state, t, h, in_.data(), in_.data() + N_)) return false;
      in_.back() = t;
      laws_(in_.data(), laws_now_.data());
    }
    for (std::size_t i = 0; i < sources_.size(); ++i)
      if (sources_[i].of_time)
        values_[i] = S(sources_[i].of_time(static_cast<double>(when)));
      else if (due && begins(state, i, t, h))
        values_[i] = laws_now_[i];
    return true;
  }

  std::unique_ptr<Stepper<S>> base_;
  std::size_t N_;
  std::vector<Source> sources_;
  Evaluator<S> laws_;
  std::vector<S> in_, values_, laws_now_;
};

}  // namespace hamel
