// SPDX-License-Identifier: BSD-3-Clause
// exact: the closed solution of a frame system, sampled at the steps.
#pragma once

#include "hamel/stepping/frame_method.hpp"

namespace hamel {

template <class S>
class ExactFrameStepper final : public Stepper<S> {
 public:
  explicit ExactFrameStepper(const FrameModel& model)
      : N_(model.q.size()), m_(model.frame.size()), model_(model), numbers_(model.nominal()) {}

  bool start(const std::vector<S>& q, const std::vector<S>& xi, const S&,
             StepperState<S>& state) override {
    solution_ = model_.exact(numbers_, {q.begin(), q.end()}, {xi.begin(), xi.end()});
    state.z.assign(N_ + m_, S(0.0));  // (q, ξ)
    for (std::size_t b = 0; b < N_; ++b) state.z[b] = q[b];
    for (std::size_t j = 0; j < m_; ++j) state.z[N_ + j] = xi[j];
    return true;
  }

  bool bind(std::span<const double> parameters) override {
    numbers_.assign(parameters.begin(), parameters.end());
    return true;
  }

  StepReport<S> step(StepperState<S>& state, const S& t, const S& h) noexcept override {
    const FrameMotion there = solution_(Quad(t) + Quad(h));
    for (std::size_t b = 0; b < N_; ++b) state.z[b] = static_cast<S>(there.q[b]);
    for (std::size_t j = 0; j < m_; ++j) state.z[N_ + j] = static_cast<S>(there.xi[j]);
    return {};
  }

  bool observe(const StepperState<S>& state, const S&, const S&, S* q, S* xi) noexcept override {
    for (std::size_t b = 0; b < N_; ++b) q[b] = state.z[b];
    for (std::size_t j = 0; j < m_; ++j) xi[j] = state.z[N_ + j];
    return true;
  }

 private:
  std::size_t N_, m_;
  FrameModel model_;
  std::vector<double> numbers_;  // of its parameters
  FrameModel::Solution solution_;
};

struct FrameExact {
  static constexpr MethodInfo info{
      "exact", "the closed solution, sampled at the steps", "of each system", {}, false};
  static constexpr bool closed_form = true;

  static FrameExact from_options(MethodOptions&) { return {}; }
  static std::string misfit(const FrameModel& model) {
    return model.exact ? "" : "this system has no closed solution";
  }
  static FrameClaims claims(const FrameModel&) { return {0, true, false, true, {}, ""}; }

  template <class S>
  std::unique_ptr<Stepper<S>> stepper(const FrameModel& model, const StepperOptions&) const {
    return std::make_unique<ExactFrameStepper<S>>(model);
  }
};

}  // namespace hamel
