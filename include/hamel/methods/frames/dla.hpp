// SPDX-License-Identifier: BSD-3-Clause
// dla: the discrete Lagrange–d'Alembert equations of Cortés and Martínez, one-step form.
//
//   L^d = h L(q̄, v),  q̄ = (q + q')/2,  v = (q' − q)/h,  j ≤ m:               [MATH 3.2]
//   ⟨u_j(q), L_v − (h/2) L_q⟩ = P_j,   P'_j = ⟨u_j(q'), L_v + (h/2) L_q⟩,
// with a discrete constraint
//   midpoint   v = ψ((q + q')/2)ξ,     alpha=α   v = ψ(q + α(q' − q))ξ,
//   average    ⟨w^a(q) + w^a(q'), v⟩ = 0   for one-forms w^a that vanish on the frame.
// Source: J. Cortés, S. Martínez, Nonlinearity 14 (2001) 1365. The midpoint rule has order 2 and is
// time-symmetric, the average too; α ≠ ½ has order 1.
#pragma once

#include "hamel/stepping/frame_method.hpp"

namespace hamel {

struct FrameDla {
  static constexpr OptionInfo options[] = {
      {"constraint", "midpoint, average, alpha", "midpoint", "where the constraint is imposed"},
      {"alpha", "0 to 1", "0.5", "imposed at q + alpha (q' - q); implies constraint=alpha"}};
  static constexpr MethodInfo info{"dla", "discrete Lagrange-d'Alembert (Cortes and Martinez)",
                                   "D1; MATH 3.2", options};

  bool average = false;
  double alpha = 0.5;

  static FrameDla from_options(MethodOptions& given) {
    FrameDla method;
    const bool has_alpha = given.given("alpha");
    const int constraint = given.word("constraint", {"midpoint", "average", "alpha"});
    method.alpha = given.number("alpha", 0.0, 1.0, 0.5);
    method.average = constraint == 1;
    if (has_alpha && constraint >= 0 && constraint != 2)
      throw InputError("dla: alpha goes with constraint=alpha only");
    if (!has_alpha && constraint == 2) throw InputError("dla: constraint=alpha needs alpha");
    return method;
  }

  static std::string misfit(const FrameModel& model) {
    if (!model.quasi || model.in_velocities) return "";
    return model.complement.size() + model.frame.size() == model.q.size() && !model.redundant
               ? ""
               : "it needs the Lagrangian in the velocities (`lagrangian`), or a full frame";
  }

  FrameClaims claims(const FrameModel& model) const {
    // Without constraints nothing depends on where they would be imposed.
    const bool symmetric = average || alpha == 0.5 || model.unconstrained();
    FrameClaims claims{symmetric ? 2 : 1, symmetric, false, false, {}, ""};
    claims.constraint = !average && alpha == 0.5;
    return claims;
  }

  StepEquations equations(const FrameModel& model) const {
    const std::size_t N = model.q.size();
    const std::size_t m = model.frame.size();
    StepEquations step = StepEquations::of(model, average ? 0 : static_cast<int>(N),
                                           static_cast<int>(average ? N : m));
    const auto q = step.q(model);
    const auto P = step.P(model);
    Expressions v(N);
    Expressions q_next(N);
    Expressions q_mid(N);
    if (average) {
      v = step.unknowns;
      for (std::size_t b = 0; b < N; ++b) q_next[b] = q[b] + step.h * v[b];
    } else {
      const auto xi = std::span<const Expression>(step.unknowns).subspan(N);
      Expressions q_alpha(N);
      for (std::size_t b = 0; b < N; ++b) {
        q_next[b] = step.unknowns[b];
        q_alpha[b] = q[b] + alpha * (q_next[b] - q[b]);  // [MATH 3.2]
      }
      for (std::size_t j = 0; j < m; ++j) {
        const Expressions u = substituted(model.frame[j], model.q, q_alpha);
        for (std::size_t b = 0; b < N; ++b) v[b] += xi[j] * u[b];
      }
      for (std::size_t b = 0; b < N; ++b) step.residual.push_back(q_next[b] - q[b] - step.h * v[b]);
    }
    for (std::size_t b = 0; b < N; ++b) {
      q_mid[b] = 0.5 * (q[b] + q_next[b]);
      step.increment.push_back(step.h * v[b]);
    }
    const Expression half_h = 0.5 * step.h;
    const CoordinateEquations e = coordinate_equations(model);
    const CoordinateEquations here = e.at(model, q_mid, v, step.t + half_h);
    for (std::size_t j = 0; j < m; ++j) {
      const Expressions u = substituted(model.frame[j], model.q, q);
      const Expressions u_next = substituted(model.frame[j], model.q, q_next);
      Expression left = -P[j];
      Expression right = -P[j];
      for (std::size_t b = 0; b < N; ++b) {
        left += u[b] * (here.momentum[b] - half_h * here.force[b]);        // [MATH 3.2]
        right += u_next[b] * (here.momentum[b] + half_h * here.force[b]);  // [MATH 3.2]
      }
      step.residual.push_back(left);
      step.increment.push_back(right);
    }
    if (average)
      for (const Expressions& form : annihilating_forms(model)) {
        const Expressions w = substituted(form, model.q, q);
        const Expressions w_next = substituted(form, model.q, q_next);
        Expression sum;
        for (std::size_t b = 0; b < N; ++b) sum += (w[b] + w_next[b]) * v[b];  // [MATH 3.2]
        step.residual.push_back(sum);
      }
    if (model.forced()) step.increment.push_back(step.h * here.power);
    const FrameEquations frame = frame_equations(model);
    const auto xi = model.admissible();
    step.momentum = frame.momentum;
    step.velocities = average ? frame.velocity : Expressions(xi.begin(), xi.end());
    return step;
  }

  template <class S>
  std::unique_ptr<Stepper<S>> stepper(const FrameModel& model,
                                      const StepperOptions& options) const {
    return std::make_unique<EquationStepper<S>>(model, equations(model), options);
  }
};

}  // namespace hamel
