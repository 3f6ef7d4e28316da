// SPDX-License-Identifier: BSD-3-Clause
// D2's variational integrator on (S²)ⁿ for uncoupled inertia and any potential: the explicit step
// of uncoupled_variational.hpp.                                                          [MATH 7.1]
//
// Kept by every step: ||q_i'| − 1| ≤ 2 eps, whatever it was before (compensated: in the mean of 16
// steps); an angular momentum which U conserves. The part of π_i along q_i, which is round-off,
// shrinks by q_i·q_i' in each step. Time-symmetric, order 2, without forces symplectic.
#pragma once

#include <algorithm>
#include <type_traits>

#include "hamel/core/error.hpp"
#include "hamel/expressions/program.hpp"
#include "hamel/kernels/spheres/uncoupled_variational.hpp"
#include "hamel/models/spheres_formulas.hpp"
#include "hamel/stepping/stepper.hpp"

namespace hamel {

/// z = (q, π) or, with forces, (q, π, W); remembered is −∂U/∂q there.
template <class S>
class UncoupledVariationalStepper final : public Stepper<S> {
 public:
  /// Precondition: the inertia is constant, diagonal and positive.
  UncoupledVariationalStepper(const SpheresFormulas& formulas, const StepperOptions& options)
      : n_(formulas.spheres()), forced_(formulas.forced()), options_(options) {
    for (std::size_t i = 0; i < formulas.inertia.size(); ++i) {
      m_.push_back(static_cast<S>(formulas.inertia[i][i].value()));
      inverse_m_.push_back(S(1.0) / m_.back());
    }
    Expressions at = formulas.q;
    at.push_back(formulas.t);
    Expressions slope = gradient(formulas.potential, formulas.q);
    for (auto& e : slope) e = -e;
    slope_of_ = Evaluator<S>(Program(at, slope));
    plain_.residual = slope_of_.program().view();
    if (forced_) {
      at.insert(at.end(), formulas.v.begin(), formulas.v.end());
      force_of_ = Evaluator<S>(Program(at, formulas.force));
      plain_.increment = force_of_.program().view();
    }
    plain_.nz = Lists::numbers(n_, forced_);
    room_.resize(static_cast<std::size_t>(Lists::room(n_, forced_)));
    lists_ = Lists::in_room(n_, forced_, inverse_m_.data(), room_.data());
  }

  bool start(const std::vector<S>& q, const std::vector<S>& v, const S&,
             StepperState<S>& state) override {
    const auto numbers = static_cast<std::size_t>(plain_.nz);
    state.z.assign(numbers, S(0.0));
    state.carry.assign(options_.compensated ? numbers : 0, S(0.0));
    state.memory.assign(q.size(), S(0.0));
    state.history = 0;
    std::ranges::copy(q, state.z.begin());
    for (int i = 0; i < n_; ++i)  // [MATH 6.3]
      put(state.z.data(), n_ + i,
          m_[static_cast<std::size_t>(i)] * cross(vec_at(q.data(), i), vec_at(v.data(), i)));
    std::ranges::copy(q, lists_.in);
    lists_.in[3 * n_] = S(0.0);
    slope_of_(lists_.in, state.memory.data());
    return all_finite(state.z);
  }

  StepReport<S> step(StepperState<S>& state, const S& t, const S& h) noexcept override {
    const auto slope = [this](const S* in, S* out) { slope_of_(in, out); };
    const auto force = [this](const S* in, S* out) { force_of_(in, out); };
    const auto note = [this](int i) { worst_ = i; };
    worst_ = -1;
    const S* carry = state.carry.empty() ? nullptr : state.carry.data();
    const StepReport<S> report = lists_.step(state.z.data(), carry, state.memory.data(), t, h,
                                             options_.solver, true, slope, force, note);
    if (report.failed()) return report;
    state.add(lists_.dz);
    std::copy_n(lists_.slope, state.memory.size(), state.memory.begin());
    ++state.history;
    return report;
  }

  bool observe(const StepperState<S>& state, const S&, const S&, S* q, S* v) noexcept override {
    const S* z = state.z.data();
    std::copy_n(z, 3 * n_, q);
    for (int i = 0; i < n_; ++i) put(v, i, lists_.velocity(vec_at(z, i), vec_at(z, n_ + i), i));
    return true;
  }

  bool keeps_finite() const override { return true; }

  /// The sphere for which the last failed step had no solution, if that was why.
  int worst_part() const override { return worst_; }

  StepperLanes lanes() const override {
    StepperLanes own;
    if constexpr (std::is_same_v<S, double>) {
      if (hamel_lanes::ensemble == nullptr) return own;
      own.kernel = hamel_lanes::ensemble->uncoupled_variational[options_.compensated ? 1 : 0];
      own.constants = inverse_m_;
      for (const Program* program : {&slope_of_.program(), &force_of_.program()})
        for (const Quad& value : program->constants())
          own.constants.push_back(static_cast<double>(value));
      own.links = n_;
      own.equations = &plain_;
      own.scratch = plain_.nz + 3 * n_ + n_ + Lists::room(n_, forced_) + plain_.residual.slots +
                    plain_.increment.slots;
      own.solver = options_.solver;
    }
    return own;
  }

 private:
  using Lists = UncoupledVariational<S>;

  int n_;
  bool forced_;
  StepperOptions options_;
  int worst_ = -1;
  std::vector<S> m_, inverse_m_;
  Evaluator<S> slope_of_, force_of_;
  hamel_lanes::Equations plain_;  // the programs of both
  std::vector<S> room_;
  Lists lists_{};
};

}  // namespace hamel
