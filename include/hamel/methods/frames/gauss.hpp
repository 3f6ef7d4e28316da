// SPDX-License-Identifier: BSD-3-Clause
// gauss: Gauss–Legendre collocation with 1 … 8 stages on the equations of a frame system, order 2s,
// in z = (q, p). Quadratic invariants of (q, p) are exact.                               [MATH 2.7]
#pragma once

#include "hamel/stepping/fields/frame_field.hpp"
#include "hamel/stepping/frame_method.hpp"
#include "hamel/stepping/gauss_stepper.hpp"

namespace hamel {

struct FrameGauss {
  static constexpr OptionInfo options[] = {
      {"stages", "1 … 8", "8", "number of stages s; the order is 2s"}, ContinuousEquations::option};
  static constexpr MethodInfo info{
      "gauss", "Gauss collocation: order 2s, quadratic invariants exact", "MATH 2.7", options};

  int stages = 8;
  ContinuousEquations continuous = {};

  static FrameGauss from_options(MethodOptions& given) {
    return {given.integer("stages", 1, max_gauss_stages, 8),
            ContinuousEquations::from_options(given)};
  }
  std::string misfit(const FrameModel& model) const { return continuous.misfit(model); }
  Expressions momentum(const FrameModel& model) const { return continuous.momentum(model); }
  FrameClaims claims(const FrameModel&) const { return {2 * stages, true, false, true, {}, ""}; }

  template <class S>
  std::unique_ptr<Stepper<S>> stepper(const FrameModel& model, const StepperOptions& given) const {
    return continuous.stepper<S>(model, [&](const FrameModel& chosen, const FrameEquations& e) {
      return std::make_unique<GaussStepper<S, FrameField<S>>>(FrameField<S>(chosen, e, true),
                                                              stages, given);
    });
  }
};

}  // namespace hamel
