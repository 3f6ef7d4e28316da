// SPDX-License-Identifier: BSD-3-Clause
// Gauss–Legendre collocation on a vector field ż = f(z, t), for any number of components.
//
//   Z_i = z + Σ_j μ_ij L_j,   L_i = h b_i f(Z_i, t + c_i h),   z' = z + Σ_i L_i [MATH 2.7]
// Fixed-point iteration from the extrapolated stages of the last step, to stagnation; where it does
// not contract (a stiff system), this step and all after it are solved by Newton's method with the
// exact matrix δ_ij 1 − h b_i μ_ij f'(Z_i), if the field has a derivative. Quadratic invariants of
// z are exact.
//
// A Field has
//   int size(), guesses();                         components of z; values remembered as a guess
//   void start(q, v, z);                           the state of a position and a velocity
//   bool operator()(z, t, guess, rate) noexcept;   ż; false where it does not exist
//   bool observe(z, t, q, v) noexcept;             back; v holds the guess
//   bool derivative(z, t, guess, rate, matrix);    optional: ż and ∂ż/∂z, row by row
//   void settle(z);                                optional: removes round-off after a step
//   void bind(parameters), hold(held);             optional: other numbers for the parameters, and
//                                                  for held inputs
//   programs(), owners();                          optional: in double the fixed points are found
//                                                  for all stages at once (gauss_field_lanes.hpp)
#pragma once

#include <optional>
#include <type_traits>

#include "hamel/kernels/lanes/gauss_stopping.hpp"
#include "hamel/solve/dense.hpp"
#include "hamel/stepping/gauss_at_once.hpp"
#include "hamel/stepping/gauss_tableau.hpp"
#include "hamel/stepping/stepper.hpp"

namespace hamel {

template <class S, class Field>
class GaussStepper final : public Stepper<S> {
 public:
  GaussStepper(Field field, int stages, const StepperOptions& options)
      : options_(options),
        tableau_(gauss_tableau<S>(stages)),
        field_(std::move(field)),
        n_(field_.size()),
        m_(field_.guesses()) {
    const auto s = static_cast<std::size_t>(stages);
    L_.resize(s * index(n_));
    Z_.resize(index(n_));
    rate_.resize(s * index(n_));
    xi_.resize(s * index(m_));
    dz_.resize(index(n_));
    if constexpr (has_derivative) {
      const std::size_t all = L_.size();
      by_z_.resize(index(n_) * index(n_));
      matrix_.resize(all * all);
      delta_.resize(all);
      pivot_.resize(all);
    }
    if constexpr (has_programs)
      if (const auto programs = field_.programs())
        at_once_.emplace(*programs, field_.owners(), stages);
  }

  bool bind(std::span<const double> parameters) override {
    if constexpr (requires { field_.bind(parameters); }) {
      field_.bind(parameters);
      if constexpr (has_programs)
        if (at_once_) at_once_->take_constants(field_.owners());
      return true;
    }
    return false;
  }

  void hold(std::span<const S> held) noexcept override {
    if constexpr (requires { field_.hold(held); }) field_.hold(held);
    if constexpr (has_programs)
      if (at_once_) at_once_->hold(field_.owners(), held);
  }

  bool start(const std::vector<S>& q, const std::vector<S>& xi, const S&,
             StepperState<S>& state) override {
    field_.start(q, xi, state.z);
    state.carry.assign(options_.compensated ? index(n_) : 0, S(0.0));
    state.memory.assign(remembered() + index(m_) + 1, S(0.0));  // L, ξ, whether Newton is needed
    for (int j = 0; j < m_; ++j) state.memory[remembered() + index(j)] = xi[index(j)];
    state.history = 0;
    return all_finite(state.z);
  }

  StepReport<S> step(StepperState<S>& state, const S& t, const S& h) noexcept override {
    S& stiff = state.memory.back();
    StepReport<S> report;
    if constexpr (has_programs) {
      if (at_once_ && stiff == S(0.0)) {
        report = (*at_once_)(options_.solver, state, t, h, dz_.data());
        if (!report.failed()) return moved(state, report);
        state.history = 0;
      }
    }
    if (stiff == S(0.0) && !at_once_) report = fixed_points(state, t, h);
    if constexpr (has_derivative) {
      if (report.failed()) stiff = S(1.0);
      if (stiff != S(0.0)) {
        const int before = report.iterations;
        report = newton(state, t, h);
        report.iterations += before;
      }
    }
    if (report.failed()) return report;
    const int s = tableau_.stages;
    for (int c = 0; c < n_; ++c) {
      S sum = L_[index(c)];
      for (int i = 1; i < s; ++i) sum = sum + L_[index(i * n_ + c)];
      dz_[index(c)] = sum;
    }
    if (!at_once_)
      for (std::size_t i = 0; i < L_.size(); ++i) state.memory[i] = L_[i];
    for (int j = 0; j < m_; ++j)
      state.memory[remembered() + index(j)] = xi_[index((s - 1) * m_ + j)];
    return moved(state, report);
  }

  StepsReport<S> advance(StepperState<S>& state, const StepsPlan<S>& plan) noexcept override {
    return Stepper<S>::advance_with(*this, state, plan);
  }

  bool observe(const StepperState<S>& state, const S& t, const S&, S* q, S* xi) noexcept override {
    for (int j = 0; j < m_; ++j) xi[j] = state.memory[remembered() + index(j)];
    return field_.observe(state.z.data(), t, q, xi);
  }

  bool divisible() const override { return true; }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  static constexpr bool has_derivative = requires(Field & f, S* x) {
    f.derivative(x, S(0.0), x, x, x);
  };

  static constexpr bool has_programs = std::is_same_v<S, double> && requires(const Field& f) {
    f.programs();
  };

  /// Numbers of the last step's increments in the memory.
  std::size_t remembered() const { return at_once_ ? at_once_->remembered() : L_.size(); }

  StepReport<S> moved(StepperState<S>& state, const StepReport<S>& report) noexcept {
    state.add(dz_.data());
    if constexpr (requires { field_.settle(state.z.data()); }) field_.settle(state.z.data());
    ++state.history;
    return report;
  }

  void guess_velocities(const StepperState<S>& state) noexcept {
    for (int i = 0; i < tableau_.stages; ++i)
      for (int j = 0; j < m_; ++j) xi_[index(i * m_ + j)] = state.memory[remembered() + index(j)];
  }

  void stage(const StepperState<S>& state, int i) noexcept {
    for (int c = 0; c < n_; ++c) {
      S sum = tableau_.mu[i][0] * L_[index(c)];
      for (int j = 1; j < tableau_.stages; ++j)
        sum = sum + tableau_.mu[i][j] * L_[index(j * n_ + c)];
      Z_[index(c)] = state.z[index(c)] + sum;  // [MATH 2.7]
    }
  }

  StepReport<S> fixed_points(const StepperState<S>& state, const S& t, const S& h) noexcept {
    const int s = tableau_.stages;
    StepReport<S> report;
    guess_velocities(state);
    if (!guess(state, t, h)) {
      report.singular = true;
      return report;
    }
    report.no_convergence = true;
    GaussStopping<S> stopping(S(options_.solver.tolerance), S(1.0), false);
    for (int iteration = 0; iteration < 4 * options_.solver.max_iterations; ++iteration) {
      for (int i = 0; i < s; ++i) {
        stage(state, i);
        if (!field_(Z_.data(), t + tableau_.c[i] * h, xi_.data() + i * m_, rate_.data() + i * n_)) {
          report.no_convergence = false;
          report.singular = true;
          return report;
        }
      }
      S change = S(0.0);  // relative to max(1, |z|) of each component
      for (int i = 0; i < s; ++i)
        for (int c = 0; c < n_; ++c) {
          S& old = L_[index(i * n_ + c)];
          const S next = h * tableau_.b[i] * rate_[index(i * n_ + c)];  // [MATH 2.7]
          const S d = abs(next - old) / max(S(1.0), abs(state.z[index(c)]));
          if (d != d) return report;
          if (d > change) change = d;
          old = next;
        }
      ++report.iterations;
      const GaussVerdict verdict = stopping(change);
      report.no_convergence = verdict != GaussVerdict::converged;
      if (verdict != GaussVerdict::go_on) return report;
    }
    return report;
  }

  /// From L = 0: the extrapolation of stiff stages leads astray.
  StepReport<S> newton(const StepperState<S>& state, const S& t, const S& h) noexcept {
    const int s = tableau_.stages;
    const int all = s * n_;
    StepReport<S> report;
    guess_velocities(state);
    for (auto& x : L_) x = S(0.0);
    S last = S(1e300);
    for (int iteration = 0; iteration < options_.solver.max_iterations; ++iteration) {
      for (int i = 0; i < s; ++i) {
        stage(state, i);
        if (!field_.derivative(Z_.data(), t + tableau_.c[i] * h, xi_.data() + i * m_,
                               rate_.data() + i * n_, by_z_.data())) {
          report.singular = true;
          return report;
        }
        const S weight = h * tableau_.b[i];
        for (int c = 0; c < n_; ++c) {
          const int row = i * n_ + c;
          delta_[index(row)] = L_[index(row)] - weight * rate_[index(row)];
          for (int j = 0; j < s; ++j)
            for (int k = 0; k < n_; ++k)
              matrix_[index(row) * index(all) + index(j * n_ + k)] =
                  (row == j * n_ + k ? S(1.0) : S(0.0)) -
                  weight * tableau_.mu[i][j] * by_z_[index(c * n_ + k)];
        }
      }
      if (!lu_factor(matrix_.data(), all, pivot_.data())) {
        report.singular = true;
        return report;
      }
      lu_solve(matrix_.data(), all, pivot_.data(), delta_.data());
      S change = S(0.0);  // relative to max(1, |z|, |L|) of each component
      for (int i = 0; i < all; ++i) {
        S& L = L_[index(i)];
        L = L - delta_[index(i)];
        const S scale = max(max(S(1.0), abs(L)), abs(state.z[index(i % n_)]));
        const S d = abs(delta_[index(i)]) / scale;
        if (!(d <= S(1e30))) {
          report.no_convergence = true;
          return report;
        }
        change = max(change, d);
      }
      ++report.iterations;
      const bool stagnant = S(2.0) * change >= last && last <= S(1e6) * Epsilon<S>::value;
      if (change <= Epsilon<S>::value || stagnant || change <= S(options_.solver.tolerance))
        return report;
      last = change;
    }
    report.no_convergence = true;
    return report;
  }

  bool guess(const StepperState<S>& state, const S& t, const S& h) noexcept {
    const int s = tableau_.stages;
    if (state.history == 0) {
      if (!field_(state.z.data(), t, xi_.data(), rate_.data())) return false;
      for (int i = 0; i < s; ++i)
        for (int c = 0; c < n_; ++c) L_[index(i * n_ + c)] = h * tableau_.b[i] * rate_[index(c)];
      return true;
    }
    const int first = s > gauss_history ? s - gauss_history : 0;
    for (int i = 0; i < s; ++i)
      for (int c = 0; c < n_; ++c) {
        S sum = S(0.0);
        for (int j = first; j < s; ++j)
          sum = sum + tableau_.predict[i][j] * state.memory[index(j * n_ + c)];
        L_[index(i * n_ + c)] = sum;
      }
    return true;
  }

  StepperOptions options_;
  GaussTableau<S> tableau_;
  Field field_;
  int n_, m_;
  std::vector<S> L_, Z_, rate_, xi_, dz_, by_z_, matrix_, delta_;
  std::vector<int> pivot_;
  std::optional<GaussAtOnce> at_once_;
};

}  // namespace hamel
