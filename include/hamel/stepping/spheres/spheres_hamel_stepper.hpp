// SPDX-License-Identifier: BSD-3-Clause
// The Hamel step on (S²)ⁿ for uncoupled inertia, T = ½ Σ m_i|q̇_i|², and any potential.
//
// State (q, π), π_i = m_i q_i×q̇_i. A Lie–Poisson midpoint rule, (·)_m the mean of both ends:
//   q_i' − q_i = h W_i×q_im,   π_i' − π_i = h (W_i×π_im − q_im×X_i),                     [MATH 7.3]
//   W_i = π_im/m_i, so that W_i×π_im = 0;   X = ∇̄U, the discrete gradient between q and q'.
// Why it is exact, for H = Σ|π_i|²/(2m_i) + U(q):
//   |q_i|², q_i·π_i:  q_m·Δq = 0 and q_m·Δπ + π_m·Δq = −h q_m·(q_m×X) + h π_m·(W×q_m) = 0;
//   energy:  Σ π_m·Δπ/m = −h Σ W·(q_m×X) and ΔU = Σ X·Δq = h Σ X·(W×q_m) cancel;
//   Σ π_i·n:  Σ X_i·(n×q_im) = 0 where ∇̄U turns with q about n: U a function of dot products of
//   the q_i and n (expressions/discrete_gradient.hpp).
// Symmetric in both ends: order 2. One sphere in a uniform field: D0's step [MATH 5.2].
// Forces f act at the midpoint, −X + f(q_m, W×q_m, t + h/2); their work is h Σ f·(W×q_m) = Σ f·Δq,
// so that the energy less the work is exact too.
//
// Sweeps W → q', q_m by the Cayley map, X → W = (π − (h/2) q_m×X)/m contract like (hω)²/4, ω the
// fastest frequency; |q_i| is exact in each. They go on to stagnation, from torques extrapolated
// from the last six steps. Where they do not contract, Newton takes over, with the exact Jacobian,
// 3n×3n.
#pragma once

#include <algorithm>
#include <string>
#include <type_traits>

#include "hamel/core/error.hpp"
#include "hamel/expressions/discrete_gradient.hpp"
#include "hamel/expressions/program.hpp"
#include "hamel/kernels/spheres/spheres_hamel_sweeps.hpp"
#include "hamel/models/spheres_formulas.hpp"
#include "hamel/solve/dense.hpp"
#include "hamel/stepping/stepper.hpp"

namespace hamel {

/// "", or why the Hamel step is not offered for the system.
inline std::string hamel_misfit(const SpheresFormulas& formulas) {
  if (!formulas.quadratic()) return "its Lagrangian is not quadratic in the velocities";
  if (!formulas.constant_inertia()) return "its inertia is not constant";
  if (!formulas.diagonal_inertia()) return "its inertia couples the spheres";
  for (std::size_t i = 0; i < formulas.inertia.size(); ++i)
    if (!(formulas.inertia[i][i].value() > Quad(0)))
      return "the inertia of " + formulas.names[i] + " is not positive";
  const std::string name = without_discrete_gradient(formulas.potential, formulas.q);
  if (!name.empty()) return "its potential contains '" + name + "', which has no discrete gradient";
  return "";
}

/// z = (q, π) or, with forces, (q, π, W).
template <class S>
class SpheresHamelStepper final : public Stepper<S> {
 public:
  /// Precondition: hamel_misfit(formulas) is empty; throws InputError otherwise.
  SpheresHamelStepper(const SpheresFormulas& formulas, const StepperOptions& options)
      : n_(formulas.spheres()), forced_(formulas.forced()), options_(options) {
    if (const std::string why = hamel_misfit(formulas); !why.empty())
      throw InputError("hamel: " + why);
    for (std::size_t i = 0; i < index(n_); ++i)
      m_.push_back(static_cast<S>(formulas.inertia[i][i].value()));
    compile(formulas);
    for (auto* list : {&dq_, &q_m_, &torque_, &W_, &delta_}) list->resize(index(3 * n_));
    lists_ = {n_,        forced_,       m_.data(),  in_.data(),  F_.data(),
              W_.data(), delta_.data(), dq_.data(), q_m_.data(), torque_.data()};
    matrix_.resize(index(9 * n_ * n_));
    pivot_.resize(index(3 * n_));
    turn_.resize(index(9 * n_));
    dz_.resize(index(size()));
  }

  bool start(const std::vector<S>& q, const std::vector<S>& v, const S&,
             StepperState<S>& state) override {
    state.z.assign(index(size()), S(0.0));
    state.carry.assign(options_.compensated ? index(size()) : 0, S(0.0));
    state.memory.assign(index(Lists::remembered * 3 * n_), S(0.0));
    state.history = 0;
    for (int i = 0; i < n_; ++i) {
      put(state.z, i, at(q, i));
      put(state.z, n_ + i, m_[index(i)] * cross(at(q, i), at(v, i)));  // [MATH 6.3]
    }
    return all_finite(state.z);
  }

  StepReport<S> step(StepperState<S>& state, const S& t, const S& h) noexcept override {
    StepReport<S> report;
    const S* z = state.z.data();
    lists_.load(z, t, h);
    const std::int64_t known = state.history;
    lists_.guess(z, state.memory.data(), known, h);
    report.no_convergence =
        !lists_.sweep(z, h, options_.solver, true, force(), note(), report.iterations);
    if (report.no_convergence) {
      lists_.guess(z, state.memory.data(), known, h);
      report.no_convergence = !newton(z, h, report);
    }
    if (report.no_convergence && known > 0) {  // an extrapolation may lead astray
      lists_.guess(z, state.memory.data(), 0, h);
      report.no_convergence = !newton(z, h, report);
    }
    if (forced_ && !(F_.back() - F_.back() == S(0.0))) report.singular = true;
    if (report.failed()) return report;
    lists_.increments(h, dz_.data());
    std::ranges::copy(torque_, Lists::slot(state.memory.data(), n_, state.history));
    state.add(dz_.data());
    ++state.history;
    return report;
  }

  bool observe(const StepperState<S>& state, const S&, const S&, S* q, S* v) noexcept override {
    for (int i = 0; i < n_; ++i) {
      const Vector q_i = at(state.z, i);
      const Vector q_dot = cross(at(state.z, n_ + i), q_i);
      for (int c = 0; c < 3; ++c) {
        q[3 * i + c] = q_i[c];
        v[3 * i + c] = q_dot[c] / m_[index(i)];
      }
    }
    return true;
  }

  bool keeps_finite() const override { return true; }

  StepperLanes lanes() const override {
    StepperLanes own;
    if constexpr (std::is_same_v<S, double>) {
      if (hamel_lanes::ensemble == nullptr) return own;
      own.kernel = hamel_lanes::ensemble->spheres_hamel[options_.compensated ? 1 : 0];
      own.constants = m_;
      for (const Quad& value : force_of_.program().constants())
        own.constants.push_back(static_cast<double>(value));
      own.links = n_;
      own.equations = &plain_;
      own.scratch = size() + Lists::remembered * 3 * n_ + n_ + Lists::room(n_, forced_) + size() +
                    plain_.residual.slots;
      own.solver = options_.solver;
    }
    return own;
  }

  /// The sphere of the largest residual in the last failed step.
  int worst_part() const override { return worst_; }

 private:
  using Vector = Vec<S, 3>;
  using Lists = SpheresHamelSweeps<S>;

  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  int size() const { return 6 * n_ + (forced_ ? 1 : 0); }
  static Vector at(const std::vector<S>& list, int i) {
    return {{list[index(3 * i)], list[index(3 * i + 1)], list[index(3 * i + 2)]}};
  }
  static void put(std::vector<S>& list, int i, const Vector& a) {
    for (int c = 0; c < 3; ++c) list[index(3 * i + c)] = a[c];
  }

  /// Programs of (q, q', t) or (q, q', t, q_m, v, 2/h): F = f − X with the power Σ f·v, and
  /// 2 ∂F/∂q' + ∂F/∂q_m + (2/h) ∂F/∂v, which is dF/dq_m along the step.
  void compile(const SpheresFormulas& formulas) {
    const auto variables = [&] {
      Expressions list(formulas.q.size());
      for (auto& e : list) e = formulas.graph->input();
      return list;
    };
    const Expressions end = variables();
    Expressions inputs = formulas.q;
    inputs.insert(inputs.end(), end.begin(), end.end());
    inputs.push_back(formulas.t);
    Expressions F = discrete_gradient(formulas.potential, formulas.q, formulas.q, end);
    for (auto& F_i : F) F_i = -F_i;
    Expressions stiffness = jacobian(F, end);
    for (auto& K : stiffness) K = 2.0 * K;
    if (forced_) {
      const Expressions middle = variables();
      const Expression rate = formulas.graph->input();
      const Expressions f = substituted(formulas.force, formulas.q, middle);
      const Expressions by_q = jacobian(f, middle);
      const Expressions by_v = jacobian(f, formulas.v);
      for (std::size_t k = 0; k < stiffness.size(); ++k) stiffness[k] += by_q[k] + rate * by_v[k];
      Expression power;
      for (std::size_t a = 0; a < f.size(); ++a) {
        F[a] += f[a];
        power += f[a] * formulas.v[a];
      }
      F.push_back(power);
      inputs.insert(inputs.end(), middle.begin(), middle.end());
      inputs.insert(inputs.end(), formulas.v.begin(), formulas.v.end());
      inputs.push_back(rate);
    }
    force_of_ = Evaluator<S>(Program(inputs, F));
    stiffness_of_ = Evaluator<S>(Program(inputs, stiffness));
    in_.resize(inputs.size());
    F_.resize(F.size());
    plain_.residual = force_of_.program().view();
    plain_.nz = size();
    stiffness_.resize(stiffness.size());
  }

  auto force() noexcept {
    return [this](const S* in, S* out) { force_of_(in, out); };
  }
  auto note() noexcept {
    return [this](int i) { worst_ = i; };
  }

  bool newton(const S* z, const S& h, StepReport<S>& report) noexcept {
    S last = S(1.0);
    bool stale = true;
    for (int k = 0; k < options_.solver.max_iterations; ++k) {
      if (!(lists_.evaluate(z, h, force(), note()) <= S(1e300))) return false;
      ++report.iterations;
      if (stale) {
        assemble(h);
        if (!lu_factor(matrix_.data(), 3 * n_, pivot_.data())) return false;
      }
      for (int i = 0; i < n_; ++i) put(delta_, i, m_[index(i)] * at(delta_, i));
      lu_solve(matrix_.data(), 3 * n_, pivot_.data(), delta_.data());
      S size = S(0.0);
      for (std::size_t a = 0; a < W_.size(); ++a) {
        const S change = abs(h * delta_[a]);
        if (!(change <= S(1e300))) return false;
        size = max(size, change);
        W_[a] = W_[a] - delta_[a];
      }
      if (Lists::settled(size, last, options_.solver)) return true;
      stale = S(16.0) * size > last;
      last = size;
    }
    return false;
  }

  /// ∂(mW − π_m)/∂W = m − (h/2) ∂(q_m×F)/∂W.
  void assemble(const S& h) noexcept {
    const S half = S(0.5) * h;
    const int width = 3 * n_;
    stiffness_of_(in_.data(), stiffness_.data());
    for (int j = 0; j < n_; ++j) {
      const Vector A = half * at(W_, j);
      const S inverse = S(1.0) / (S(1.0) + norm2(A));
      for (int c = 0; c < 3; ++c) {  // ∂q_m/∂W = (1 − S(A))⁻¹ (h/2) S(·) q_m
        Vector e{{S(0.0), S(0.0), S(0.0)}};
        e[c] = half;
        const Vector y = cross(e, at(q_m_, j));
        put(turn_, 3 * j + c, inverse * (y + cross(A, y) + dot(A, y) * A));
      }
    }
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j)
        for (int c = 0; c < 3; ++c) {
          const Vector dq_m = at(turn_, 3 * j + c);
          Vector change;  // of F_i
          for (int r = 0; r < 3; ++r) {
            const S* K = stiffness_.data() + (3 * i + r) * width + 3 * j;
            change[r] = K[0] * dq_m[0] + K[1] * dq_m[1] + K[2] * dq_m[2];
          }
          Vector column = -half * cross(at(q_m_, i), change);
          if (i == j) {
            column -= half * cross(dq_m, at(F_, i));
            column[c] = column[c] + m_[index(i)];
          }
          for (int r = 0; r < 3; ++r) matrix_[index((3 * i + r) * width + 3 * j + c)] = column[r];
        }
  }

  int n_;
  bool forced_;
  StepperOptions options_;
  int worst_ = 0;
  std::vector<S> m_;
  Evaluator<S> force_of_, stiffness_of_;
  hamel_lanes::Equations plain_;       // force_of_
  std::vector<S> in_, F_, stiffness_;  // of the programs
  std::vector<S> W_, delta_;           // π_m/m, and what it is off by
  std::vector<S> dq_, q_m_, torque_;   // torque: q_m×F
  Lists lists_;
  std::vector<S> matrix_, turn_, dz_;
  std::vector<int> pivot_;
};

}  // namespace hamel
