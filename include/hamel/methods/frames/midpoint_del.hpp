// SPDX-License-Identifier: BSD-3-Clause
// midpoint_del: discrete Euler–Lagrange equations of L^d = h L((q + q')/2, (q' − q)/h).  [MATH 3.1]
//
//   p = L_v − (h/2) L_q,   p' = L_v + (h/2) L_q   at  ((q + q')/2, (q' − q)/h)            (D0 III)
// solved for q̄ = (q + q')/2 and v = (q' − q)/h as unknowns of their own (a quotient of a difference
// would lose digits). Symplectic, order 2, time-symmetric; coordinates only, no constraints.
#pragma once

#include "hamel/stepping/frame_method.hpp"

namespace hamel {

struct FrameMidpointDel {
  static constexpr MethodInfo info{"midpoint_del",
                                   "midpoint discrete Euler-Lagrange equations: symplectic",
                                   "D0 III; MATH 3.1",
                                   {}};

  static FrameMidpointDel from_options(MethodOptions&) { return {}; }

  static std::string misfit(const FrameModel& model) {
    return model.unconstrained() ? "" : "it has no constraints and needs independent coordinates";
  }

  static FrameClaims claims(const FrameModel& model) {
    return {2, true, !model.forced(), true, {}, ""};
  }

  static StepEquations equations(const FrameModel& model) {
    const std::size_t N = model.q.size();
    StepEquations step = StepEquations::of(model, static_cast<int>(N), static_cast<int>(N));
    const auto q = step.q(model);
    const auto p = step.P(model);
    const auto q_mid = std::span<const Expression>(step.unknowns).first(N);
    const auto v = std::span<const Expression>(step.unknowns).subspan(N);
    const Expression half_h = 0.5 * step.h;
    const CoordinateEquations e = coordinate_equations(model);
    const CoordinateEquations here = e.at(model, q_mid, v, step.t + half_h);
    for (std::size_t b = 0; b < N; ++b) {
      step.residual.push_back(q_mid[b] - q[b] - half_h * v[b]);
      step.increment.push_back(step.h * v[b]);
    }
    for (std::size_t b = 0; b < N; ++b) {
      step.residual.push_back(here.momentum[b] - half_h * here.force[b] - p[b]);  // [MATH 3.1]
      step.increment.push_back(step.h * here.force[b]);                           // [MATH 3.1]
    }
    if (model.forced()) step.increment.push_back(step.h * here.power);
    const Expressions v_frame = frame_equations(model).velocity;
    step.momentum = substituted(e.momentum, model.v, v_frame);
    step.velocities = v_frame;
    return step;
  }

  template <class S>
  std::unique_ptr<Stepper<S>> stepper(const FrameModel& model,
                                      const StepperOptions& options) const {
    return std::make_unique<EquationStepper<S>>(model, equations(model), options);
  }
};

}  // namespace hamel
