// SPDX-License-Identifier: BSD-3-Clause
// The Hamel step of a chain: lengths, tangency, energy and J3 exact, at O(n) per step.
//
// State (q, π), π_i = q_i×Σ_j m_ij q̇_j, as planes: z = (q_x[n], q_y[n], q_z[n], π_x[n], …).
// The step is a Lie–Poisson midpoint rule, (·)_m the mean of both ends:                 [MATH 7.3]
//   q_i' − q_i = h W_i×q_im,   π_i' − π_i = h (W_i×π_im − q_im×X_i),   (X, W) = ∇̄H.
// Why it is exact:
//   |q|² and q·π:  q_m·Δq = 0 and q_m·Δπ + π_m·Δq = 0, whatever (X, W) is;
//   energy:  ΔH = Σ X·Δq + W·Δπ (∇̄H is a discrete gradient) = 0, the terms cancelling in pairs;
//   J3 = Σ π_i3:  ∇̄H is orthogonal to ζ = (e3×q_m, e3×π_m), the rotation about e3.
// Symmetric in both ends, hence time-symmetric and of order 2.
//
// The discrete gradient, PD and PB, is in chain_discrete_gradient.hpp.
// Sweeps (X, W) → Δz → (X, W) go on to stagnation, from the polynomial through the last (X, W); |q|
// and q·π are exact in every one. At large h·n they do not converge; that is reported.
#pragma once

#include "hamel/core/error.hpp"
#include "hamel/kernels/chain/chain_discrete_gradient.hpp"
#include "hamel/stepping/stepper.hpp"

namespace hamel {

template <class S>
class ChainHamelStepper final : public Stepper<S> {
 public:
  ChainHamelStepper(const Chain& chain, const StepperOptions& options)
      : options_(options), n_(chain.links()), gradient_(chain), dz_(6 * index(n_)) {
    if (chain.forced()) throw InputError("the Hamel step of a chain knows no outer forces");
  }

  bool start(const std::vector<S>& q, const std::vector<S>& v, const S&,
             StepperState<S>& state) override {
    const std::size_t size = 6 * index(n_);
    state.z.assign(size, S(0.0));
    state.carry.assign(options_.compensated ? size : 0, S(0.0));
    state.memory.assign(remembered * size, S(0.0));
    state.history = 0;
    const Vector zero{{S(0.0), S(0.0), S(0.0)}};
    std::vector<Vector> momenta(index(n_));  // m_k ẋ_k
    Vector x_dot = zero;
    for (int i = 0; i < n_; ++i) {
      const Vector q_dot{{v[index(3 * i)], v[index(3 * i + 1)], v[index(3 * i + 2)]}};
      x_dot += gradient_.length(i) * q_dot;
      momenta[index(i)] = gradient_.mass(i) * x_dot;
    }
    Vector p = zero;  // p_i = Σ_{k≥i} m_k ẋ_k
    for (int i = n_ - 1; i >= 0; --i) {
      p += momenta[index(i)];
      const Vector q_i{{q[index(3 * i)], q[index(3 * i + 1)], q[index(3 * i + 2)]}};
      const Vector pi = gradient_.length(i) * cross(q_i, p);  // π_i = q_i×Σ m_ij q̇_j  [MATH 6.3]
      for (int c = 0; c < 3; ++c) {
        state.z[index(c * n_ + i)] = q_i[c];
        state.z[index((3 + c) * n_ + i)] = pi[c];
      }
    }
    return all_finite(state.z);
  }

  StepReport<S> step(StepperState<S>& state, const S&, const S& h) noexcept override {
    const S* z = state.z.data();
    StepReport<S> report;
    report.no_convergence = true;
    const S scale = gradient_.begin(z);
    guess(state);
    // 0, the default: to stagnation, because what is left of an iteration is systematic; at an
    // error of eps/64 the energy still drifts. Changes stagnate at round-off, 8 eps, where they no
    // longer halve; or higher, up to n² eps, where they grow: W is a second difference of momenta
    // and the largest eigenvalue of the inertia is about 0.4 n² of the smallest's scale.
    const S tolerance = S(options_.solver.tolerance);
    const S fine = S(8.0) * Epsilon<S>::value;
    const S coarse = (S(64.0) + S(0.25) * S(n_) * S(n_)) * Epsilon<S>::value;
    // The first change is the step itself, after one of nothing where there is no guess.
    const int first_rate = state.history == 0 ? 3 : 2;
    S last = S(0.0);
    for (int k = 0; k < 4 * options_.solver.max_iterations; ++k) {
      if (k > 0) gradient_.gradient();
      const S change = gradient_.sweep(z, h);
      ++report.iterations;
      if (!(change <= S(1e30) * scale)) return report;
      // Squares. As in solve/newton.hpp, the error left is |δ_k|²/|δ_{k−1}|.
      const bool small = change * change <= tolerance * tolerance * scale * last;
      const bool stagnant = (S(4.0) * change >= last && change <= fine * fine * scale) ||
                            (change >= last && change <= coarse * coarse * scale);
      if (k >= first_rate && (small || stagnant)) {
        report.no_convergence = false;
        break;
      }
      last = change;
    }
    if (report.no_convergence) return report;
    finish(state);
    return report;
  }

  int worst_part() const override { return gradient_.worst_link(); }

  bool observe(const StepperState<S>& state, const S&, const S&, S* q, S* v) noexcept override {
    return gradient_.velocities(state.z.data(), q, v);
  }

 private:
  using Vector = Vec<S, 3>;
  static constexpr int remembered = 6;  // (X, W) of so many steps

  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  /// (X, W) from those of the last steps; from nothing without: the first sweep then gives Δz = 0
  /// and the first gradient the one at z.
  void guess(const StepperState<S>& state) noexcept {
    const int order = static_cast<int>(std::min<std::int64_t>(state.history, remembered));
    S factor[remembered];  // (−1)^j binomial(order, j + 1)
    for (int j = 0; j < order; ++j)
      factor[j] = j == 0 ? S(order) : -factor[j - 1] * S(order - j) / S(j + 1);
    const auto planes = gradient_.gradient_planes();
    for (int c = 0; c < 6; ++c) {
      S* to = planes[index(c)];
      for (int i = 0; i < n_; ++i) to[i] = S(0.0);
      for (int j = 0; j < order; ++j) {
        const S* from = &state.memory[slot(state.history - 1 - j) + index(c * n_)];
        for (int i = 0; i < n_; ++i) to[i] = to[i] + factor[j] * from[i];
      }
    }
  }

  std::size_t slot(std::int64_t step) const {
    return static_cast<std::size_t>(step % remembered) * 6 * index(n_);
  }

  void finish(StepperState<S>& state) noexcept {
    const auto increments = gradient_.increment_planes();
    const auto planes = gradient_.gradient_planes();
    S* const memory = &state.memory[slot(state.history)];
    for (int c = 0; c < 6; ++c)
      for (int i = 0; i < n_; ++i) {
        dz_[index(c * n_ + i)] = increments[index(c)][i];
        memory[c * n_ + i] = planes[index(c)][i];
      }
    state.add(dz_.data());
    ++state.history;
  }

  StepperOptions options_;
  int n_;
  ChainDiscreteGradient<S> gradient_;
  std::vector<S> dz_;
};

}  // namespace hamel
