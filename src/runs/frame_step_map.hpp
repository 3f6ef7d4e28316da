// SPDX-License-Identifier: BSD-3-Clause
// A step of a method in a frame as a map of (q, ξ).
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "hamel/core/error.hpp"
#include "hamel/runs/problem.hpp"
#include "hamel/stepping/stepper.hpp"

namespace hamel {

template <class S>
class FrameStepMap final : public StepMap<S> {
 public:
  FrameStepMap(std::unique_ptr<Stepper<S>> stepper, int coordinates, S h)
      : stepper_(std::move(stepper)), q_(static_cast<std::size_t>(coordinates)), h_(h) {
    if (stepper_->offset() != 0.0) throw InputError("a half-node sequence is no map of the nodes");
  }

  bool operator()(const std::vector<S>& from, std::vector<S>& to) override {
    const auto middle = from.begin() + static_cast<std::ptrdiff_t>(q_.size());
    q_.assign(from.begin(), middle);
    xi_.assign(middle, from.end());
    return stepper_->start(q_, xi_, h_, state_) && !stepper_->step(state_, S(0), h_).failed() &&
           stepper_->observe(state_, h_, h_, to.data(), to.data() + q_.size());
  }

  bool resize(S h) override {
    h_ = h;
    return true;
  }

 private:
  std::unique_ptr<Stepper<S>> stepper_;
  StepperState<S> state_;
  std::vector<S> q_, xi_;
  S h_;
};

}  // namespace hamel
