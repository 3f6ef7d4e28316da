// SPDX-License-Identifier: BSD-3-Clause
// Explicit Runge–Kutta methods on a vector field: fixed step, or adaptive within each step.
//
//   K_i = f(z + h Σ_{j<i} a_ij K_j, t + c_i h),   z' = z + h Σ b_i K_i,   e = h Σ error_i K_i.
// Adaptive: an inner step is accepted where |e_c| ≤ tolerance · max(1, |z_c|) for all components;
// the next is 0.9 (tolerance/|e|)^{1/order} times as long, within a factor of 5.
#pragma once

#include <cmath>
#include <optional>
#include <type_traits>

#include "hamel/expressions/program.hpp"
#include "hamel/kernels/lanes/explicit_lanes.hpp"
#include "hamel/stepping/stepper.hpp"

namespace hamel {

template <class S>
struct ExplicitTableau {
  int order = 0;
  std::vector<S> c;
  std::vector<std::vector<S>> a;
  std::vector<S> b;
  std::vector<S> error;  ///< weights of the error estimate; empty: none
};

/// The classical method of order 4.
template <class S>
ExplicitTableau<S> classical_tableau() {
  const S sixth = S(1.0) / S(6.0);
  ExplicitTableau<S> t;
  t.order = 4;
  t.c = {S(0.0), S(0.5), S(0.5), S(1.0)};
  t.a = {{}, {S(0.5)}, {S(0.0), S(0.5)}, {S(0.0), S(0.0), S(1.0)}};
  t.b = {sixth, S(2.0) * sixth, S(2.0) * sixth, sixth};
  return t;
}

/// Field: see gauss_stepper.hpp.
template <class S, class Field>
class ExplicitStepper final : public Stepper<S> {
 public:
  /// tolerance = 0: one step of the given size.
  ExplicitStepper(Field field, ExplicitTableau<S> tableau, double tolerance,
                  const StepperOptions& options)
      : compensated_(options.compensated),
        tolerance_(tolerance),
        tableau_(std::move(tableau)),
        field_(std::move(field)),
        n_(index(field_.size())),
        m_(index(field_.guesses())) {
    K_.resize(tableau_.b.size() * n_);
    z_.resize(n_);
    stage_.resize(n_);
    dz_.resize(n_);
    xi_.resize(m_);
    if constexpr (has_programs) {
      programs_ = field_.programs();
      for (const auto& row : tableau_.a) a_.insert(a_.end(), row.begin(), row.end());
      table_ = {static_cast<int>(tableau_.b.size()), a_.data(), tableau_.b.data(),
                tableau_.c.data()};
    }
  }

  bool bind(std::span<const double> parameters) override {
    if constexpr (requires { field_.bind(parameters); }) {
      field_.bind(parameters);
      return true;
    }
    return false;
  }

  void hold(std::span<const S> held) noexcept override {
    if constexpr (requires { field_.hold(held); }) field_.hold(held);
  }

  bool start(const std::vector<S>& q, const std::vector<S>& xi, const S&,
             StepperState<S>& state) override {
    field_.start(q, xi, state.z);
    state.carry.assign(compensated_ ? n_ : 0, S(0.0));
    state.memory.assign(m_ + 1, S(0.0));  // guesses, and the size of the last inner step
    for (std::size_t j = 0; j < m_; ++j) state.memory[j] = xi[j];
    state.history = 0;
    return all_finite(state.z);
  }

  StepReport<S> step(StepperState<S>& state, const S& t, const S& h) noexcept override {
    for (std::size_t j = 0; j < m_; ++j) xi_[j] = state.memory[j];
    StepReport<S> report;
    if (tolerance_ > 0.0) {
      report = adaptive(state, t, h);
    } else {
      report.singular = !stages(state.z, t, h);
      for (std::size_t c = 0; c < n_; ++c) dz_[c] = h * weighted(tableau_.b, c);
    }
    if (report.failed()) return report;
    state.add(dz_.data());
    for (std::size_t j = 0; j < m_; ++j) state.memory[j] = xi_[j];
    return report;
  }

  StepsReport<S> advance(StepperState<S>& state, const StepsPlan<S>& plan) noexcept override {
    return Stepper<S>::advance_with(*this, state, plan);
  }

  bool observe(const StepperState<S>& state, const S& t, const S&, S* q, S* xi) noexcept override {
    for (std::size_t j = 0; j < m_; ++j) xi[j] = state.memory[j];
    return field_.observe(state.z.data(), t, q, xi);
  }

  StepperLanes lanes() const override {
    StepperLanes own;
    if constexpr (has_programs) {
      if (hamel_lanes::ensemble == nullptr || !programs_ || tolerance_ > 0.0) return own;
      own.kernel = hamel_lanes::ensemble->explicit_field[compensated_ ? 1 : 0];
      for (const Program* program : field_.owners())
        for (const Quad& value : program->constants())
          own.constants.push_back(static_cast<double>(value));
      own.field = &*programs_;
      own.table = &table_;
      own.scratch = hamel_lanes::explicit_scratch(*programs_, table_);
    }
    return own;
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  static constexpr bool has_programs = std::is_same_v<S, double> && requires(const Field& f) {
    f.programs();
  };

  bool stages(const std::vector<S>& z, const S& t, const S& h) noexcept {
    for (std::size_t i = 0; i < tableau_.b.size(); ++i) {
      for (std::size_t c = 0; c < n_; ++c) {
        S sum = S(0.0);
        for (std::size_t j = 0; j < tableau_.a[i].size(); ++j)
          sum = sum + tableau_.a[i][j] * K_[j * n_ + c];
        stage_[c] = z[c] + h * sum;
      }
      if (!field_(stage_.data(), t + tableau_.c[i] * h, xi_.data(), &K_[i * n_])) return false;
    }
    return true;
  }

  S weighted(const std::vector<S>& weights, std::size_t c) const {
    S sum = S(0.0);
    for (std::size_t i = 0; i < weights.size(); ++i) sum = sum + weights[i] * K_[i * n_ + c];
    return sum;
  }

  StepReport<S> adaptive(StepperState<S>& state, const S& t, const S& h) noexcept {
    constexpr int most = 100000;
    StepReport<S> report;
    const S length = abs(h);
    S size = state.memory[m_];
    if (!(size > S(0.0)) || size > length) size = length;
    S done = S(0.0);
    S usual = size;  // not the rest that happens to be left before the end
    for (std::size_t c = 0; c < n_; ++c) z_[c] = state.z[c];
    while (done < length) {
      if (++report.iterations > most || !(t + done + size != t + done)) {
        report.no_convergence = true;
        return report;
      }
      const bool last = done + size >= length;
      const S inner = last ? length - done : size;
      const S signed_inner = h < S(0.0) ? -inner : inner;
      const S signed_done = h < S(0.0) ? -done : done;
      const bool defined = stages(z_, t + signed_done, signed_inner);
      S error = S(0.0);
      for (std::size_t c = 0; c < n_ && defined; ++c) {
        const S e = abs(signed_inner * weighted(tableau_.error, c)) / max(S(1.0), abs(z_[c]));
        if (!(e <= error)) error = e;
        if (error != error) break;
      }
      const double ratio = defined ? static_cast<double>(error) / tolerance_
                                   : std::numeric_limits<double>::infinity();
      const double factor =
          !std::isfinite(ratio)
              ? 0.2
              : std::fmin(5.0, std::fmax(0.2, 0.9 * std::pow(ratio, -1.0 / tableau_.order)));
      if (ratio <= 1.0) {
        for (std::size_t c = 0; c < n_; ++c) z_[c] = z_[c] + signed_inner * weighted(tableau_.b, c);
        done = last ? length : done + inner;
        usual = last && inner < size ? size : inner * S(factor);
        size = usual;
      } else {
        size = inner * S(factor);
      }
    }
    state.memory[m_] = usual;
    for (std::size_t c = 0; c < n_; ++c) dz_[c] = z_[c] - state.z[c];
    return report;
  }

  bool compensated_;
  double tolerance_;
  ExplicitTableau<S> tableau_;
  Field field_;
  std::size_t n_, m_;
  std::vector<S> K_, z_, stage_, dz_, xi_;
  // For lanes, where the field is given by programs.
  std::optional<hamel_lanes::FieldPrograms> programs_;
  hamel_lanes::ExplicitTable table_;
  std::vector<S> a_;
};

}  // namespace hamel
