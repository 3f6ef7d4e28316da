// SPDX-License-Identifier: BSD-3-Clause
// fehlberg78: the explicit Runge–Kutta pair of orders 7 and 8, with its own step size; a baseline.
//
// Within each step of the run it takes as many steps as the tolerance asks for, with the solution
// of order 8.
#pragma once

#include "hamel/stepping/fehlberg_tableau.hpp"
#include "hamel/stepping/fields/frame_field.hpp"
#include "hamel/stepping/frame_method.hpp"

namespace hamel {

struct FrameFehlberg78 {
  static constexpr OptionInfo options[] = {
      {"tolerance", "1e-15 to 0.1", "1e-10", "error of each inner step, relative to max(1, |z|)"},
      ContinuousEquations::option};
  static constexpr MethodInfo info{"fehlberg78", "adaptive Runge-Kutta pair 7(8): keeps nothing",
                                   "baseline; Fehlberg 1968", options, false};

  double tolerance = 1e-10;
  ContinuousEquations continuous = {};

  static FrameFehlberg78 from_options(MethodOptions& given) {
    return {given.number("tolerance", 1e-15, 0.1, 1e-10), ContinuousEquations::from_options(given)};
  }
  std::string misfit(const FrameModel& model) const { return continuous.misfit(model); }
  static FrameClaims claims(const FrameModel&) {
    return {0, false, false, false, {}, "the error is set by its tolerance", true};
  }

  template <class S>
  std::unique_ptr<Stepper<S>> stepper(const FrameModel& model, const StepperOptions& given) const {
    return continuous.stepper<S>(model, [&](const FrameModel& chosen, const FrameEquations& e) {
      return std::make_unique<ExplicitStepper<S, FrameField<S>>>(
          FrameField<S>(chosen, e), fehlberg_tableau<S>(), tolerance, given);
    });
  }
};

}  // namespace hamel
