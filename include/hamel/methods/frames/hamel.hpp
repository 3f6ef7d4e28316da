// SPDX-License-Identifier: BSD-3-Clause
// hamel: the discrete Hamel step for any frame system, constrained or not.
//
// State (q, p), unknowns (q̄, ξ):                                                        [MATH 2.2]
//   q̄ = q + (h/2) ψ(q̄)ξ,   μ(q̄, ξ) = p + (h/2)(F + Q)(q̄, ξ, t + h/2),
//   q' = q + h ψ(q̄)ξ,      p' = p + h (F + Q):
// D1's two-point equation with `average` reconstruction, which is the implicit midpoint rule of the
// constrained Hamel equations in (q, p) [MATH 2.1]: order 2, time-symmetric, quadratic invariants
// of (q, p) exact, relative equilibria kept where the frame is invariant.         [MATH 2.3]
// Options:
//   reconstruction=mid         D0's rule on half nodes: q̄' − q̄ = h ψ((q̄+q̄')/2)(ξ+ξ')/2,
//                              μ' − μ = (h/2)(F + F')                       [MATH 3.3]
//   output=half                the half-node sequence (q̄, ξ) of D1's slides [MATH 3.3]
//   frame=kinetic              in the kinetic-orthonormal frame: energy exact for U at most
//                              quadratic in q [MATH 2.5]
//   potential=discrete-gradient  ∇̄U = ∇U(q̄) + Δq (ΔU − ∇U(q̄)·Δq)/|Δq|²: with frame=kinetic the
//                              energy is exact for every U [MATH 2.5]
//   principle=pontryagin       the discrete Hamilton–Pontryagin principle, which is the midpoint
//                              discrete Euler–Lagrange equation in any frame: symplectic [MATH 2.4]
#pragma once

#include <string>

#include "hamel/stepping/frame_method.hpp"

namespace hamel {

struct FrameHamel {
  static constexpr OptionInfo options[] = {
      {"reconstruction", "average, mid", "average", "mid: D0's rule, on half nodes"},
      {"output", "node, half", "node", "half: the half-node sequence of D1"},
      {"frame", "given, kinetic", "given", "kinetic: orthonormal for the kinetic energy"},
      {"potential", "midpoint, discrete-gradient", "midpoint",
       "discrete-gradient: with frame=kinetic the energy is exact"},
      {"principle", "hamel, pontryagin", "hamel", "pontryagin: symplectic in any frame"}};
  static constexpr MethodInfo info{"hamel", "discrete Hamel equations in any frame",
                                   "D1; MATH 2.2-2.6", options};

  bool mid = false;
  bool half = false;
  bool kinetic = false;
  bool discrete_gradient = false;
  bool pontryagin = false;

  static FrameHamel from_options(MethodOptions& given) {
    FrameHamel method;
    method.mid = given.word("reconstruction", {"average", "mid"}) == 1;
    method.half = given.word("output", {"node", "half"}) == 1 || method.mid;
    method.kinetic = given.word("frame", {"given", "kinetic"}) == 1;
    method.discrete_gradient = given.word("potential", {"midpoint", "discrete-gradient"}) == 1;
    method.pontryagin = given.word("principle", {"hamel", "pontryagin"}) == 1;
    if (method.discrete_gradient && method.mid)
      throw InputError("hamel: potential=discrete-gradient needs reconstruction=average");
    if (method.pontryagin && (method.mid || method.kinetic || method.discrete_gradient))
      throw InputError("hamel: principle=pontryagin goes with output only");
    return method;
  }

  std::string misfit(const FrameModel& model) const {
    if (pontryagin && !model.unconstrained())
      return "principle=pontryagin needs as many fields as coordinates";
    if (!kinetic) return "";
    try {
      kinetic_frame(model);
      return "";
    } catch (const InputError& error) {
      return error.what();
    }
  }

  FrameClaims claims(const FrameModel& model) const {
    FrameClaims claims{2, true, false, !half && !mid, {}, ""};
    claims.symplectic =
        model.unconstrained() &&
        (pontryagin || (model.constant_frame() && !mid && !kinetic && !discrete_gradient));
    if (discrete_gradient) claims.quadratic = false;
    if (kinetic && discrete_gradient && !half && natural(model))  // E' − E = h Q·ξ [MATH 11.1]
      claims.invariants = {model.forced() ? "energy_balance" : "energy"};
    if (half) claims.symplectic = false;
    if (model.forced()) claims.symplectic = false;
    claims.constraint = !half && !mid;
    return claims;
  }

  StepEquations equations(const FrameModel& given) const {
    if (pontryagin) return pontryagin_equations(given);
    const KineticFrame frame =
        kinetic ? kinetic_frame(given) : KineticFrame{given, admissible(given), admissible(given)};
    const FrameModel& model = frame.model;
    StepEquations step = mid ? mid_equations(model) : average_equations(model);
    const auto xi = model.admissible();
    step.momentum = substituted(frame_equations(model).momentum, xi, frame.to);
    step.velocities = frame.to;
    step.half = half;
    if (mid) {
      StepEquations first = average_equations(model);
      first.momentum = step.momentum;
      first.velocities = frame.to;
      step.startup = std::make_shared<const StepEquations>(std::move(first));
    }
    const auto shown = std::span<const Expression>(mid ? step.state : step.unknowns);
    step.half_xi = at(model, frame.from, shown.first(model.q.size()),
                      shown.subspan(model.q.size(), xi.size()), step.t);
    return step;
  }

  template <class S>
  std::unique_ptr<Stepper<S>> stepper(const FrameModel& model,
                                      const StepperOptions& options) const {
    return std::make_unique<EquationStepper<S>>(model, equations(model), options);
  }

 private:
  /// No t, and a kinetic energy without terms linear in the velocity.
  static bool natural(const FrameModel& model) {
    const auto xi = model.admissible();
    const Expressions at_rest =
        substituted(frame_equations(model).momentum, xi, Expressions(xi.size()));
    return !model.is_timed() &&
           std::ranges::all_of(at_rest, [](const Expression& p) { return p.is_constant(0); });
  }

  static Expressions admissible(const FrameModel& model) {
    const auto xi = model.admissible();
    return {xi.begin(), xi.end()};
  }

  /// f(q, ξ, t) at another point.
  static Expressions at(const FrameModel& model, std::span<const Expression> f,
                        std::span<const Expression> q, std::span<const Expression> xi,
                        const Expression& t) {
    Expressions from = model.q;
    const auto own = model.admissible();
    from.insert(from.end(), own.begin(), own.end());
    from.push_back(model.t);
    Expressions to(q.begin(), q.end());
    to.insert(to.end(), xi.begin(), xi.end());
    to.push_back(t);
    return substituted(f, from, to);
  }

  struct Point {
    Expressions velocity, momentum, force;
    Expression power;
  };
  static Point point(const FrameModel& model, const FrameEquations& e,
                     std::span<const Expression> q, std::span<const Expression> xi,
                     const Expression& t) {
    Expressions all = e.velocity;
    all.insert(all.end(), e.momentum.begin(), e.momentum.end());
    for (std::size_t j = 0; j < e.rate.size(); ++j) all.push_back(e.rate[j] + e.force[j]);
    all.push_back(e.power);
    const Expressions there = at(model, all, q, xi, t);
    const auto part = [&](std::size_t from, std::size_t count) {
      return Expressions(there.begin() + static_cast<std::ptrdiff_t>(from),
                         there.begin() + static_cast<std::ptrdiff_t>(from + count));
    };
    const std::size_t N = model.q.size();
    const std::size_t m = model.frame.size();
    return {part(0, N), part(N, m), part(N + m, m), there.back()};
  }

  StepEquations average_equations(const FrameModel& model) const {
    const int N = model.coordinates_count();
    const int m = model.fields();
    StepEquations step = StepEquations::of(model, N, m);
    const auto q = step.q(model);
    const auto p = step.P(model);
    const auto q_mid = std::span<const Expression>(step.unknowns).first(model.q.size());
    const auto xi = std::span<const Expression>(step.unknowns).subspan(model.q.size());
    const Expression half_h = 0.5 * step.h;
    const Expression t_mid = step.t + half_h;

    FrameModel plain = model;
    if (discrete_gradient) plain.lagrangian = model.lagrangian + potential_energy(model);
    Point here = point(model, frame_equations(plain), q_mid, xi, t_mid);
    if (discrete_gradient) {
      const Expressions gradient_mid =
          at(model,
             model.closed(discrete_gradient_of(model, step, here.velocity),
                          frame_equations(model).velocity),
             q_mid, xi, t_mid);
      for (std::size_t j = 0; j < model.frame.size(); ++j) {
        const Expressions u = substituted(model.frame[j], model.q, q_mid);
        for (std::size_t b = 0; b < u.size(); ++b) here.force[j] -= gradient_mid[b] * u[b];
      }
    }
    for (std::size_t b = 0; b < model.q.size(); ++b) {
      step.residual.push_back(q_mid[b] - q[b] - half_h * here.velocity[b]);  // [MATH 2.2]
      step.increment.push_back(step.h * here.velocity[b]);
    }
    for (std::size_t j = 0; j < model.frame.size(); ++j) {
      step.residual.push_back(here.momentum[j] - half_h * here.force[j] - p[j]);  // [MATH 2.2]
      step.increment.push_back(step.h * here.force[j]);
    }
    if (model.forced()) step.increment.push_back(step.h * here.power);
    return step;
  }

  /// ∇̄U between q̄ ± (h/2)ψξ, in the coordinates that matter; the plain gradient where the
  /// two are closer than round-off.
  static Expressions discrete_gradient_of(const FrameModel& model, const StepEquations& step,
                                          const Expressions& velocity) {
    const std::size_t N = model.q.size();
    const auto q_mid = std::span<const Expression>(step.unknowns).first(N);
    const Expression t_mid = step.t + 0.5 * step.h;
    const Expression U = substituted(potential_energy(model), {&model.t, 1}, {&t_mid, 1});
    const Expressions U_q = gradient(U, model.q);
    const Expressions plain = substituted(U_q, model.q, q_mid);
    // Coordinates that the equations of motion or U contain; others may grow without bound.
    const FrameEquations e = frame_equations(model);
    std::vector<bool> moving(N, false);
    for (std::size_t b = 0; b < N; ++b) {
      moving[b] = depends_on(U, {&model.q[b], 1});
      for (const auto* list : {&e.velocity, &e.momentum, &e.rate})
        for (const auto& f : *list) moving[b] = moving[b] || depends_on(f, {&model.q[b], 1});
    }
    Expressions left(N);
    Expressions right(N);
    Expression length2;
    Expression scale2 = 1.0;
    Expression along;
    for (std::size_t b = 0; b < N; ++b) {
      const Expression dq = step.h * velocity[b];
      left[b] = q_mid[b] - 0.5 * dq;
      right[b] = q_mid[b] + 0.5 * dq;
      if (!moving[b]) continue;
      length2 += dq * dq;
      scale2 += q_mid[b] * q_mid[b];
      along += plain[b] * dq;
    }
    const Expression rise = substituted(U, model.q, right) - substituted(U, model.q, left);
    // For |Δq|³ < eps|q| the correction of U, O(|Δq|³), is below the round-off of U.
    const Expression tiny = length2 < 1e-10 * pow(scale2, Expression(1.0) / 3.0);
    const Expression factor =
        select(tiny, Expression(0.0), (rise - along) / select(tiny, Expression(1.0), length2));
    Expressions result = plain;
    for (std::size_t b = 0; b < N; ++b)
      if (moving[b]) result[b] = plain[b] + step.h * velocity[b] * factor;  // [MATH 2.5]
    return result;
  }

  static StepEquations mid_equations(const FrameModel& model) {
    const std::size_t N = model.q.size();
    const std::size_t m = model.frame.size();
    StepEquations step = StepEquations::of(model, static_cast<int>(N), static_cast<int>(m));
    const auto q = step.q(model);
    const auto xi = step.P(model);  // here the state is (q̄, ξ)
    const auto q_next = std::span<const Expression>(step.unknowns).first(N);
    const auto xi_next = std::span<const Expression>(step.unknowns).subspan(N);
    const FrameEquations e = frame_equations(model);
    const Point here = point(model, e, q, xi, step.t + 0.5 * step.h);
    const Point there = point(model, e, q_next, xi_next, step.t + 1.5 * step.h);
    Expressions q_mean(N);
    Expressions xi_mean(m);
    for (std::size_t b = 0; b < N; ++b) q_mean[b] = 0.5 * (q[b] + q_next[b]);
    for (std::size_t j = 0; j < m; ++j) xi_mean[j] = 0.5 * (xi[j] + xi_next[j]);
    const Expressions velocity = at(model, e.velocity, q_mean, xi_mean, step.t);
    for (std::size_t b = 0; b < N; ++b) {
      step.increment.push_back(step.h * velocity[b]);
      step.residual.push_back(q_next[b] - q[b] - step.h * velocity[b]);  // [MATH 3.3]
    }
    for (std::size_t j = 0; j < m; ++j) {
      step.increment.push_back(xi_next[j] - xi[j]);
      step.residual.push_back(there.momentum[j] - here.momentum[j] -
                              0.5 * step.h * (here.force[j] + there.force[j]));  // [MATH 2.1]
    }
    if (model.forced()) step.increment.push_back(0.5 * step.h * (here.power + there.power));
    return step;
  }

  StepEquations pontryagin_equations(const FrameModel& model) const {
    const std::size_t N = model.q.size();
    StepEquations step = StepEquations::of(model, static_cast<int>(N), static_cast<int>(N));
    const auto q = step.q(model);
    const auto p = step.P(model);
    const auto q_mid = std::span<const Expression>(step.unknowns).first(N);
    const auto xi = std::span<const Expression>(step.unknowns).subspan(N);
    const Expression half_h = 0.5 * step.h;
    const CoordinateEquations e = coordinate_equations(model);
    const Expressions v_frame = frame_equations(model).velocity;
    const Expressions v = at(model, v_frame, q_mid, xi, step.t + half_h);
    const CoordinateEquations here = e.at(model, q_mid, v, step.t + half_h);
    for (std::size_t b = 0; b < N; ++b) {
      step.residual.push_back(q_mid[b] - q[b] - half_h * v[b]);
      step.increment.push_back(step.h * v[b]);
    }
    for (std::size_t b = 0; b < N; ++b) {
      step.residual.push_back(here.momentum[b] - half_h * here.force[b] - p[b]);  // [MATH 2.4]
      step.increment.push_back(step.h * here.force[b]);
    }
    if (model.forced()) step.increment.push_back(step.h * here.power);
    step.momentum = substituted(e.momentum, model.v, v_frame);
    step.velocities = admissible(model);
    step.half = half;
    step.half_xi.assign(xi.begin(), xi.end());
    return step;
  }
};

}  // namespace hamel
