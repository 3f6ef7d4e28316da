// gauss: Gauss–Legendre collocation with 1 … 8 stages on the equations of a frame system, order 2s.
//
//   Z_i = z + Σ_j μ_ij L_j,   L_i = h b_i f(Z_i, t + c_i h),   z' = z + Σ_i L_i,  z = (q, p)
//   [MATH 2.7]
// Fixed-point iteration from the extrapolated stages of the last step, to stagnation. Quadratic
// invariants of (q, p) are exact.
#pragma once

#include "hamel/integrators/support/frame_field.hpp"
#include "hamel/integrators/support/frame_method.hpp"
#include "hamel/integrators/support/gauss_tableau.hpp"

namespace hamel {

template <class S>
class FrameGaussStepper final : public FrameStepper<S> {
 public:
  FrameGaussStepper(const FrameModel& model, int stages, const StepperOptions& options)
      : options_(options), tableau_(stages), field_(model), n_(field_.size()), m_(field_.fields()) {
    const auto s = static_cast<std::size_t>(stages);
    L_.resize(s * index(n_));
    Z_.resize(index(n_));
    rate_.resize(s * index(n_));
    xi_.resize(s * index(m_));
    dz_.resize(index(n_));
  }

  bool start(const std::vector<S>& q, const std::vector<S>& xi, const S&,
             FrameState<S>& state) override {
    field_.start(q, xi, state.z);
    state.carry.assign(options_.compensated ? index(n_) : 0, S(0.0));
    state.memory.assign(L_.size() + index(m_), S(0.0));
    for (int j = 0; j < m_; ++j) state.memory[L_.size() + index(j)] = xi[index(j)];
    state.history = 0;
    return all_finite(state.z);
  }

  StepReport<S> step(FrameState<S>& state, const S& t, const S& h) noexcept override {
    const int s = tableau_.stages;
    StepReport<S> report;
    for (int i = 0; i < s; ++i)
      for (int j = 0; j < m_; ++j) xi_[index(i * m_ + j)] = state.memory[L_.size() + index(j)];
    if (!guess(state, t, h)) {
      report.singular = true;
      return report;
    }
    report.no_convergence = true;
    S last = S(1e300);
    int growing = 0;
    for (int iteration = 0; iteration < 4 * options_.solver.max_iterations; ++iteration) {
      for (int i = 0; i < s; ++i) {
        for (int c = 0; c < n_; ++c) {
          S sum = tableau_.mu[i][0] * L_[index(c)];
          for (int j = 1; j < s; ++j) sum = sum + tableau_.mu[i][j] * L_[index(j * n_ + c)];
          Z_[index(c)] = state.z[index(c)] + sum;  // [MATH 2.7]
        }
        if (!field_(Z_.data(), t + tableau_.c[i] * h, &xi_[index(i * m_)], &rate_[index(i * n_)])) {
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
      if (!(change <= S(1e30))) return report;
      const bool stagnant = change >= last && last <= S(1e4) * Epsilon<S>::value;
      if (change == S(0.0) || stagnant || change <= S(options_.solver.tolerance)) {
        report.no_convergence = false;
        break;
      }
      growing = change >= last ? growing + 1 : 0;
      if (growing > 3) return report;
      last = change;
    }
    if (report.failed()) return report;
    for (int c = 0; c < n_; ++c) {
      S sum = L_[index(c)];
      for (int i = 1; i < s; ++i) sum = sum + L_[index(i * n_ + c)];
      dz_[index(c)] = sum;
    }
    state.add(dz_.data());
    for (std::size_t i = 0; i < L_.size(); ++i) state.memory[i] = L_[i];
    for (int j = 0; j < m_; ++j) state.memory[L_.size() + index(j)] = xi_[index((s - 1) * m_ + j)];
    ++state.history;
    return report;
  }

  bool observe(const FrameState<S>& state, const S& t, const S&, S* q, S* xi) noexcept override {
    for (int j = 0; j < m_; ++j) xi[j] = state.memory[L_.size() + index(j)];
    return field_.observe(state.z.data(), t, q, xi);
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  bool guess(const FrameState<S>& state, const S& t, const S& h) noexcept {
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
  FrameField<S> field_;
  int n_, m_;
  std::vector<S> L_, Z_, rate_, xi_, dz_;
};

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
  std::unique_ptr<FrameStepper<S>> stepper(const FrameModel& model,
                                           const StepperOptions& given) const {
    return continuous.stepper<S>(model, [&](const FrameModel& chosen) {
      return std::make_unique<FrameGaussStepper<S>>(chosen, stages, given);
    });
  }
};

}  // namespace hamel
