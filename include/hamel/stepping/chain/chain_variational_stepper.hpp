// SPDX-License-Identifier: BSD-3-Clause
// D2's variational integrator for a chain, in its links and in O(n) per step.           [MATH 7.2]
//
//   u½ = u + T(λ)d + (h/2)(a − g e3 δ_i1),   d' = d + h u½,   |d_i'| = l_i,
//   u' = u½ + T(μ)d' + (h/2)(a' − g e3 δ_i1),   d_i'·u_i' = 0.
// The same trajectory as the dense equations in (q, π) [MATH 7.1]; λ, μ are half-step impulses per
// length. λ by Newton: ∂|d_i'|²/∂λ_j = 2h d_i'·(∂T(λ)d/∂λ_j)_i is tridiagonal; one pass over the
// chain forms the trial links, their residuals and the eliminated matrix, a second one substitutes
// back. The guess is λ/h of the last four steps, extrapolated. μ takes one more such pair. The
// passes are in chain_passes.hpp.
// Forces that depend on the velocity enter as f(d, u) at the beginning and f(d', u') at the end,
// u' by fixed points: symmetric, second order.
// Kept by every step: |d_i'| to 2 eps where Newton's iteration gets there (it ends at 32 eps where
// it stagnates), whatever it was before; d·u; J3 to round-off.
#pragma once

#include "hamel/kernels/chain/chain_links.hpp"
#include "hamel/kernels/chain/chain_passes.hpp"
#include "hamel/stepping/stepper.hpp"

namespace hamel {

template <class S>
class ChainVariationalStepper final : public Stepper<S> {
 public:
  ChainVariationalStepper(const SharedChain& chain, const StepperOptions& options)
      : links_(chain), n_(chain->links()), forced_(chain->forced()), options_(options) {
    const std::size_t n = index(n_);
    for (auto* list : {&next_, &change_}) list->resize(3 * n);
    for (auto* list : {&lambda_, &right_, &w_}) list->resize(n);
    const bool accelerated = chain->elastic() || forced_;
    kick_.resize(accelerated ? 3 * n : 3);
    if (options.compensated) steps_.resize(3 * n);
    if (accelerated) acceleration_.resize(3 * n);
    if (forced_)
      for (auto* list : {&given_, &end_}) list->resize(3 * n);
  }

  bool start(const std::vector<S>& q, const std::vector<S>& v, const S&,
             StepperState<S>& state) override {
    const std::size_t n = index(n_);
    state.z.assign(6 * n + (forced_ ? 1 : 0), S(0.0));
    for (std::size_t i = 0; i < 3 * n; ++i) {
      state.z[i] = links_.l(static_cast<int>(i / 3)) * q[i];
      state.z[3 * n + i] = links_.l(static_cast<int>(i / 3)) * v[i];
    }
    state.carry.assign(options_.compensated ? state.z.size() : 0, S(0.0));
    state.memory.assign(4 * n, S(0.0));  // λ/h of the last four steps
    state.history = 0;
    return all_finite(state.z);
  }

  StepReport<S> step(StepperState<S>& state, const S& t, const S& h) noexcept override {
    const S* d = state.z.data();
    const S* u = d + 3 * n_;
    const S half = S(0.5) * h;
    S power_before = S(0.0);
    S power_after = S(0.0);
    StepReport<S> report;
    accelerate(d, u, t, half, kick_.data(), power_before);
    if (!guess(state, h)) {
      report.singular = true;
      return report;
    }
    const S* carry = state.carry.empty() ? nullptr : state.carry.data();
    report = positions(d, u, carry, h);
    if (report.failed()) return report;
    if (!velocities(u, t + h, half, power_after, report)) report.singular = true;
    if (report.failed()) return report;
    commit(state, h, half * (power_before + power_after));
    return report;
  }

  bool observe(const StepperState<S>& state, const S&, const S&, S* q, S* v) noexcept override {
    for (int i = 0; i < 3 * n_; ++i) {
      q[i] = state.z[index(i)] / links_.l(i / 3);
      v[i] = state.z[index(3 * n_ + i)] / links_.l(i / 3);
    }
    return true;
  }

  bool keeps_finite() const override { return true; }

  /// The link of the largest residual in the last failed step.
  int worst_part() const override { return worst_; }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  /// kick = (h/2)(a − g e3 δ_i1).
  void accelerate(const S* d, const S* u, const S& t, const S& half, S* kick, S& power) noexcept {
    if (acceleration_.empty()) {
      kick[0] = kick[1] = S(0.0);
    } else {
      links_.acceleration(d, u, t, acceleration_.data(), power);
      for (int i = 0; i < 3 * n_; ++i) kick[i] = half * acceleration_[index(i)];
    }
    kick[2] = (acceleration_.empty() ? S(0.0) : kick[2]) - half * links_.gravity();
  }

  auto kick() const {
    return [this](int i, const Vec<S, 3>& x) {
      return i == 0 || !acceleration_.empty() ? x + vec_at(kick_.data(), i) : x;
    };
  }

  bool guess(StepperState<S>& state, const S& h) noexcept {
    if (state.history > 0) {
      chain_guess(n_, state.history, state.memory.data(), h, lambda_.data());
      return true;
    }
    const S* d = state.z.data();
    const S* a = acceleration_.empty() ? nullptr : acceleration_.data();
    if (!links_.tensions(d, d + 3 * n_, a, lambda_.data())) return false;
    for (int i = 0; i < n_; ++i) lambda_[index(i)] = S(0.5) * h * lambda_[index(i)];
    return true;
  }

  ChainWork<S> work() noexcept {
    return {next_.data(),   change_.data(), steps_.empty() ? nullptr : steps_.data(),
            lambda_.data(), right_.data(),  w_.data()};
  }

  StepReport<S> positions(const S* d, const S* u, const S* carry, const S& h) noexcept {
    const ChainWork<S> to = work();
    return chain_positions(links_, n_, options_.solver, d, h, to, [&] {
      return chain_trial(links_, n_, kick(), d, u, carry, h, to, [&](int i) { worst_ = i; });
    });
  }

  /// u' − u in change_, from u½ − u there.
  bool velocities(const S* u, const S& t, const S& half, S& power, StepReport<S>& report) noexcept {
    if (!forced_) {
      accelerate(next_.data(), u, t, half, kick_.data(), power);
      return project(u);
    }
    // u' = u½ + T(μ)d' + (h/2)(a(d', u') − …) by fixed points from u½; where a does not depend on
    // the velocity the second round ends it, with the power of the end.
    std::copy(change_.begin(), change_.end(), given_.begin());
    for (int i = 0; i < 3 * n_; ++i) end_[index(i)] = u[i] + change_[index(i)];
    S last = S(1e300);
    for (int iteration = 0; iteration < options_.solver.max_iterations; ++iteration) {
      accelerate(next_.data(), end_.data(), t, half, kick_.data(), power);
      std::copy(given_.begin(), given_.end(), change_.begin());
      if (!project(u)) return false;
      S moved = S(0.0);
      S size = S(0.0);  // of what is added up: near rest the kicks are larger than what is left
      for (const S& kick : kick_) size = max(size, abs(kick));
      for (int i = 0; i < 3 * n_; ++i) {
        const S now = u[i] + change_[index(i)];
        moved = max(moved, abs(now - end_[index(i)]));
        size = max(size, abs(now));
        end_[index(i)] = now;
      }
      ++report.iterations;
      if (moved <= Epsilon<S>::value * size ||
          (moved >= last && moved <= S(1e3) * Epsilon<S>::value * size))
        return true;
      last = moved;
    }
    report.no_convergence = true;
    return true;
  }

  bool project(const S* u) noexcept {
    const ChainWork<S> to = work();
    const bool good = chain_project(links_, n_, kick(), u, to);
    chain_velocities(links_, n_, kick(), to,
                     [&](int i, const Vec<S, 3>& change) { put(to.change, i, change); });
    return good;
  }

  void commit(StepperState<S>& state, const S& h, const S& work) noexcept {
    const std::size_t n = index(3 * n_);
    S* d = state.z.data();
    S* u = d + n;
    if (state.carry.empty()) {
      for (std::size_t i = 0; i < n; ++i) {
        d[i] = next_[i];
        u[i] = u[i] + change_[i];
      }
      if (forced_) d[2 * n] = d[2 * n] + work;
    } else {
      S* carry = state.carry.data();  // [MATH 8.1]
      for (std::size_t i = 0; i < n; ++i) {
        const S y = steps_[i];
        carry[i] = y - (next_[i] - d[i]);
        d[i] = next_[i];
        const S yu = change_[i] + carry[n + i];
        const S sum = u[i] + yu;
        carry[n + i] = yu - (sum - u[i]);
        u[i] = sum;
      }
      if (forced_) {
        const S y = work + carry[2 * n];
        const S sum = d[2 * n] + y;
        carry[2 * n] = y - (sum - d[2 * n]);
        d[2 * n] = sum;
      }
    }
    S* last = state.memory.data();
    for (int i = 0; i < n_; ++i) {
      last[3 * n_ + i] = last[2 * n_ + i];
      last[2 * n_ + i] = last[n_ + i];
      last[n_ + i] = last[i];
      last[i] = lambda_[index(i)] / h;
    }
    ++state.history;
  }

  ChainLinks<S> links_;
  int n_;
  bool forced_;
  StepperOptions options_;
  int worst_ = 0;
  std::vector<S> next_;    // d'
  std::vector<S> steps_;   // d' − d before rounding; compensated only
  std::vector<S> change_;  // u½ − u, then u' − u
  std::vector<S> kick_, lambda_, right_, w_;
  std::vector<S> acceleration_, given_, end_;  // of forced or elastic chains
};

}  // namespace hamel
