// SPDX-License-Identifier: BSD-3-Clause
// RATTLE for a chain in Cartesian form: positions x_k and velocities ẋ_k of the masses.
//
//   ẋ½ = ẋ + (h/2)(F/m + Σ λ ∇g),   x' = x + h ẋ½,   |x_k' − x_{k−1}'| = l_k,
//   ẋ' = ẋ½ + (h/2)(F'/m + Σ μ ∇g'),   (x_k' − x_{k−1}')·(ẋ_k' − ẋ_{k−1}') = 0.
// With d_k = x_k − x_{k−1} the multipliers are those of the variational step, and the two are the
// same map; here the state is kept as positions, whose differences lose digits far from the base.
#pragma once

#include "hamel/stepping/chain/chain_variational_stepper.hpp"

namespace hamel {

template <class S>
class ChainRattleStepper final : public Stepper<S> {
 public:
  ChainRattleStepper(const SharedChain& chain, const StepperOptions& options)
      : n_(chain->links()),
        forced_(chain->forced()),
        compensated_(options.compensated),
        chain_(chain),
        links_(chain, StepperOptions{options.solver, false}) {}

  bool start(const std::vector<S>& q, const std::vector<S>& v, const S& h,
             StepperState<S>& state) override {
    if (!links_.start(q, v, h, inner_)) return false;
    state.z.assign(inner_.z.size(), S(0.0));
    for (int part = 0; part < 2; ++part)
      for (int i = 0; i < 3 * n_; ++i) {
        const std::size_t at = index(3 * n_ * part + i);
        state.z[at] = inner_.z[at] + (i >= 3 ? state.z[at - 3] : S(0.0));
      }
    state.carry.assign(compensated_ ? state.z.size() : 0, S(0.0));
    state.memory = inner_.memory;
    state.history = 0;
    dz_.assign(state.z.size(), S(0.0));
    before_ = inner_.z;
    return true;
  }

  StepReport<S> step(StepperState<S>& state, const S& t, const S& h) noexcept override {
    differences(state.z);
    std::ranges::copy(state.memory, inner_.memory.begin());
    std::ranges::copy(inner_.z, before_.begin());
    inner_.history = state.history;
    const StepReport<S> report = links_.step(inner_, t, h);
    if (report.failed()) return report;
    for (int part = 0; part < 2; ++part)
      for (int i = 0; i < 3 * n_; ++i) {
        const std::size_t at = index(3 * n_ * part + i);
        dz_[at] = (inner_.z[at] - before_[at]) + (i >= 3 ? dz_[at - 3] : S(0.0));
      }
    if (forced_) dz_.back() = inner_.z.back() - before_.back();
    state.add(dz_.data());
    std::ranges::copy(inner_.memory, state.memory.begin());
    state.history = inner_.history;
    return report;
  }

  bool observe(const StepperState<S>& state, const S&, const S&, S* q, S* v) noexcept override {
    for (int i = 0; i < 3 * n_; ++i) {
      q[i] = difference(state.z, i) / S(chain_->lengths[index(i / 3)]);
      v[i] = difference(state.z, 3 * n_ + i, i < 3) / S(chain_->lengths[index(i / 3)]);
    }
    return true;
  }

  bool keeps_finite() const override { return true; }
  int worst_part() const override { return links_.worst_part(); }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  /// z_i − z_{i−3}; the base is at rest at the origin.
  static S difference(const std::vector<S>& z, int i) { return difference(z, i, i < 3); }
  static S difference(const std::vector<S>& z, int i, bool first) {
    return first ? z[index(i)] : z[index(i)] - z[index(i - 3)];
  }

  void differences(const std::vector<S>& z) noexcept {
    for (int i = 0; i < 3 * n_; ++i) {
      inner_.z[index(i)] = difference(z, i);
      inner_.z[index(3 * n_ + i)] = difference(z, 3 * n_ + i, i < 3);
    }
    if (forced_) inner_.z.back() = z.back();
  }

  int n_;
  bool forced_;
  bool compensated_;
  SharedChain chain_;
  ChainVariationalStepper<S> links_;
  StepperState<S> inner_;
  std::vector<S> before_, dz_;
};

}  // namespace hamel
