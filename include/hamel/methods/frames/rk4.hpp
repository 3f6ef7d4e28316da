// SPDX-License-Identifier: BSD-3-Clause
// rk4: the classical Runge–Kutta method on the equations of a frame system; a baseline.
#pragma once

#include "hamel/stepping/explicit_stepper.hpp"
#include "hamel/stepping/fields/frame_field.hpp"
#include "hamel/stepping/frame_method.hpp"

namespace hamel {

struct FrameRk4 {
  static constexpr OptionInfo options[] = {ContinuousEquations::option};
  static constexpr MethodInfo info{"rk4", "classical Runge-Kutta method: order 4, keeps nothing",
                                   "baseline", options, false};

  ContinuousEquations continuous = {};

  static FrameRk4 from_options(MethodOptions& given) {
    return {ContinuousEquations::from_options(given)};
  }
  std::string misfit(const FrameModel& model) const { return continuous.misfit(model); }
  static FrameClaims claims(const FrameModel&) { return {4, false, false, false, {}, ""}; }

  template <class S>
  std::unique_ptr<Stepper<S>> stepper(const FrameModel& model, const StepperOptions& given) const {
    return continuous.stepper<S>(model, [&](const FrameModel& chosen, const FrameEquations& e) {
      return std::make_unique<ExplicitStepper<S, FrameField<S>>>(
          FrameField<S>(chosen, e), classical_tableau<S>(), 0.0, given);
    });
  }
};

}  // namespace hamel
