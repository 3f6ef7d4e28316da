// rk4: the classical Runge–Kutta method on the equations of a frame system; a baseline.
#pragma once

#include "hamel/integrators/support/explicit_frame_stepper.hpp"

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
  std::unique_ptr<FrameStepper<S>> stepper(const FrameModel& model,
                                           const StepperOptions& given) const {
    ExplicitTableau<S> tableau;
    tableau.order = 4;
    tableau.c = {S(0.0), S(0.5), S(0.5), S(1.0)};
    tableau.a = {{}, {S(0.5)}, {S(0.0), S(0.5)}, {S(0.0), S(0.0), S(1.0)}};
    const S sixth = S(1.0) / S(6.0);
    tableau.b = {sixth, S(2.0) * sixth, S(2.0) * sixth, sixth};
    return continuous.stepper<S>(model, [&](const FrameModel& chosen) {
      return std::make_unique<ExplicitFrameStepper<S>>(chosen, tableau, 0.0, given);
    });
  }
};

}  // namespace hamel
