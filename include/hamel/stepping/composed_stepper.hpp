// SPDX-License-Identifier: BSD-3-Clause
// Symmetric compositions of a symmetric method on frame systems.                        [MATH 7.5]
#pragma once

#include "hamel/stepping/composition.hpp"
#include "hamel/stepping/stepper.hpp"

namespace hamel {

template <class S>
class ComposedStepper final : public Stepper<S> {
 public:
  ComposedStepper(std::unique_ptr<Stepper<S>> base, Composition composition)
      : base_(std::move(base)), stages_(composition_coefficients<S>(composition, gamma_)) {
    if (base_->offset() != 0.0)
      throw InputError("half-node sequences cannot be composed; use the nodes");
  }

  bool bind(std::span<const double> parameters) override { return base_->bind(parameters); }

  std::span<const S> held(const StepperState<S>& state, const S& t, const S& h) noexcept override {
    return base_->held(state, t, h);
  }

  bool start(const std::vector<S>& q, const std::vector<S>& xi, const S& h,
             StepperState<S>& state) override {
    const bool started = base_->start(q, xi, h, state);
    before_ = state;
    return started;
  }

  StepReport<S> step(StepperState<S>& state, const S& t, const S& h) noexcept override {
    before_ = state;  // of equal size: no allocation
    StepReport<S> total;
    S time = t;
    for (int i = 0; i < stages_; ++i) {
      const S part = gamma_[static_cast<std::size_t>(i)] * h;
      state.forget();
      StepReport<S> report = base_->step(state, time, part);
      total.iterations += report.iterations;
      if (report.failed()) {
        state = before_;
        report.iterations = total.iterations;
        return report;
      }
      time = time + part;
    }
    return total;
  }

  bool observe(const StepperState<S>& state, const S& t, const S& h, S* q,
               S* xi) noexcept override {
    return base_->observe(state, t, h, q, xi);
  }
  bool observe_chain(const StepperState<S>& state,
                     hamel_lanes::ChainObservation& observation) noexcept override {
    return base_->observe_chain(state, observation);
  }

 private:
  std::unique_ptr<Stepper<S>> base_;
  std::array<S, max_composition_stages> gamma_;
  int stages_;
  StepperState<S> before_;
};

}  // namespace hamel
