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

#include <string>

#include "hamel/core/error.hpp"
#include "hamel/expressions/discrete_gradient.hpp"
#include "hamel/expressions/program.hpp"
#include "hamel/geometry/rotation.hpp"
#include "hamel/integrators/support/stepper.hpp"
#include "hamel/mechanics/spheres_formulas.hpp"
#include "hamel/solve/dense.hpp"

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
    matrix_.resize(index(9 * n_ * n_));
    pivot_.resize(index(3 * n_));
    turn_.resize(index(9 * n_));
    dz_.resize(index(size()));
  }

  bool start(const std::vector<S>& q, const std::vector<S>& v, const S&,
             StepperState<S>& state) override {
    state.z.assign(index(size()), S(0.0));
    state.carry.assign(options_.compensated ? index(size()) : 0, S(0.0));
    state.memory.assign(index(remembered * 3 * n_), S(0.0));
    state.history = 0;
    for (int i = 0; i < n_; ++i) {
      put(state.z, i, at(q, i));
      put(state.z, n_ + i, m_[index(i)] * cross(at(q, i), at(v, i)));  // [MATH 6.3]
    }
    return all_finite(state.z);
  }

  StepReport<S> step(StepperState<S>& state, const S& t, const S& h) noexcept override {
    StepReport<S> report;
    std::copy_n(state.z.begin(), 3 * n_, in_.begin());
    in_[index(6 * n_)] = t + S(0.5) * h;
    if (forced_) in_.back() = S(2.0) / h;
    const std::int64_t known = state.history;
    guess(state, known, h);
    report.no_convergence = !sweeps(state, h, report);
    if (report.no_convergence) {
      guess(state, known, h);
      report.no_convergence = !newton(state, h, report);
    }
    if (report.no_convergence && known > 0) {  // an extrapolation may lead astray
      guess(state, 0, h);
      report.no_convergence = !newton(state, h, report);
    }
    if (forced_ && !(F_.back() - F_.back() == S(0.0))) report.singular = true;
    if (!report.failed()) commit(state, h);
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

  /// The sphere of the largest residual in the last failed step.
  int worst_part() const override { return worst_; }

 private:
  using Vector = Vec<S, 3>;
  static constexpr int remembered = 6;  // torques of so many steps

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
    stiffness_.resize(stiffness.size());
  }

  /// W of torques extrapolated from the last `known` steps.
  void guess(const StepperState<S>& state, std::int64_t known, const S& h) noexcept {
    const int order = static_cast<int>(std::min<std::int64_t>(known, remembered));
    std::fill(torque_.begin(), torque_.end(), S(0.0));
    S factor = S(-1.0);
    for (int j = 0; j < order; ++j) {  // (−1)^j binomial(order, j + 1)
      factor = -factor * S(order - j) / S(j + 1);
      const std::size_t from = slot(known - 1 - j);
      for (std::size_t a = 0; a < torque_.size(); ++a)
        torque_[a] = torque_[a] + factor * state.memory[from + a];
    }
    for (int i = 0; i < n_; ++i) put(W_, i, velocity(state, h, i));
  }

  std::size_t slot(std::int64_t step) const {
    return static_cast<std::size_t>(step % remembered) * index(3 * n_);
  }

  /// π_m/m of the present torque.
  Vector velocity(const StepperState<S>& state, const S& h, int i) const noexcept {
    const Vector pi_m = at(state.z, n_ + i) + (S(0.5) * h) * at(torque_, i);
    return (S(1.0) / m_[index(i)]) * pi_m;  // [MATH 7.3]
  }

  /// Δq, q_m and the torque of W, and what W is off by: δ = W − π_m/m. Returns the largest h|δ|.
  S evaluate(const StepperState<S>& state, const S& h) noexcept {
    for (int i = 0; i < n_; ++i) {
      const Vector q = at(state.z, i);
      const Vector dq = cayley_increment((S(0.5) * h) * at(W_, i), q);  // [MATH 7.3]
      const Vector q_m = q + S(0.5) * dq;
      put(dq_, i, dq);
      put(q_m_, i, q_m);
      put(in_, n_ + i, q + dq);
      if (!forced_) continue;
      const Vector v = cross(at(W_, i), q_m);
      for (int c = 0; c < 3; ++c) {
        in_[index(6 * n_ + 1 + 3 * i + c)] = q_m[c];
        in_[index(9 * n_ + 1 + 3 * i + c)] = v[c];
      }
    }
    force_of_(in_.data(), F_.data());
    S largest = S(0.0);
    for (int i = 0; i < n_; ++i) {
      put(torque_, i, cross(at(q_m_, i), at(F_, i)));  // [MATH 7.3]
      const Vector delta = at(W_, i) - velocity(state, h, i);
      put(delta_, i, delta);
      const S off = abs(h) * norm(delta);
      if (off <= largest) continue;
      largest = off;
      worst_ = i;
      if (!(off <= S(1e300))) return off;
    }
    return largest;
  }

  /// The changes, angles per step, have stagnated at round-off, or are as small as asked for.
  bool settled(const S& size, const S& last) const noexcept {
    const S tolerance = S(options_.solver.tolerance);
    return size == S(0.0) || size * size < tolerance * last ||
           (size <= S(16.0) * Epsilon<S>::value && S(2.0) * size >= last) ||
           (size <= S(1e3) * Epsilon<S>::value && size >= last);
  }

  bool sweeps(const StepperState<S>& state, const S& h, StepReport<S>& report) noexcept {
    S last = S(1.0);
    for (int k = 0; k < 4 * options_.solver.max_iterations; ++k) {
      const S size = evaluate(state, h);
      ++report.iterations;
      if (settled(size, last)) return true;
      if (!(size <= S(1e3))) return false;
      if (k >= 2 && size > S(0.4) * last && size > S(1e3) * Epsilon<S>::value) return false;
      for (std::size_t a = 0; a < W_.size(); ++a) W_[a] = W_[a] - delta_[a];
      last = size;
    }
    return false;
  }

  bool newton(const StepperState<S>& state, const S& h, StepReport<S>& report) noexcept {
    S last = S(1.0);
    bool stale = true;
    for (int k = 0; k < options_.solver.max_iterations; ++k) {
      if (!(evaluate(state, h) <= S(1e300))) return false;
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
      if (settled(size, last)) return true;
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

  void commit(StepperState<S>& state, const S& h) noexcept {
    S* const memory = state.memory.data() + slot(state.history);
    for (int a = 0; a < 3 * n_; ++a) {
      dz_[index(a)] = dq_[index(a)];
      dz_[index(3 * n_ + a)] = h * torque_[index(a)];  // [MATH 7.3]
      memory[a] = torque_[index(a)];
    }
    if (forced_) dz_.back() = h * F_.back();
    state.add(dz_.data());
    ++state.history;
  }

  int n_;
  bool forced_;
  StepperOptions options_;
  int worst_ = 0;
  std::vector<S> m_;
  Evaluator<S> force_of_, stiffness_of_;
  std::vector<S> in_, F_, stiffness_;  // of the programs
  std::vector<S> W_, delta_;           // π_m/m, and what it is off by
  std::vector<S> dq_, q_m_, torque_;   // torque: q_m×F
  std::vector<S> matrix_, turn_, dz_;
  std::vector<int> pivot_;
};

}  // namespace hamel
