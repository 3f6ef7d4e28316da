// SPDX-License-Identifier: BSD-3-Clause
// D2's variational integrator on (S²)ⁿ for constant inertia and any potential.           [MATH 7.1]
//
//   q_i×Σ_j m_ij(q_j' − q_j) = hπ_i + (h²/2) q_i×F_i,   |q_i'| = 1,
//   π_i' = (1/h) q_i'×Σ_j m_ij(q_j' − q_j) + (h/2) q_i'×F_i',   F = f − ∂U/∂q.
// Solved for one multiplier per sphere. What q_i× leaves open in the first equation is along q_i:
//   P_i = π_i×q_i + (h/2)F_i + ν_iq_i,   q_i' = q_i + h Σ_j W_ij P_j,   W = (m_ij)⁻¹,
// with ν from |q_i'| = 1 by Newton, ∂(½|q_i'|²)/∂ν_j = h W_ij q_i'·q_j: regular for moderate steps
// everywhere, because it is positive definite at q' = q (Schur's product theorem). Its factors are
// used again while the residual falls by 16 and more. The guess is ν of the last three steps,
// extrapolated, or the ν for which the velocities of the beginning are tangent.
// As q×P = π + (h/2) q×F, no difference is divided by h:                                 [MATH 8.1]
//   π' = π + (h/2) q×F + (q' − q)×P + (h/2) q'×F'.
// Σ(q_i' − q_i)×P_i = h Σ W_ij P_j×P_i = 0: an angular momentum which U conserves is kept; the part
// of π_i along q_i, which is round-off, shrinks by q_i·q_i' in each step.
// Forces f(q, q̇, t) act at both ends, q̇ from π by the Legendre map (the same matrix with q' = q),
// at the end by fixed points; their work is W' = W + (h/2)(Σf·q̇ + Σf'·q̇').
// Kept by every step: ||q_i'| − 1| ≤ 2 eps, whatever it was before (compensated: in the mean of 16
// steps). Time-symmetric, order 2, without forces symplectic. O(n³) per step for the factors, O(n²)
// for all else but U and f. Uncoupled spheres need none of this: uncoupled_variational.hpp.
#pragma once

#include <string>

#include "hamel/core/error.hpp"
#include "hamel/core/vec.hpp"
#include "hamel/expressions/program.hpp"
#include "hamel/models/inverse_inertia.hpp"
#include "hamel/models/spheres_equations.hpp"
#include "hamel/stepping/stepper.hpp"

namespace hamel {

/// "", or why the dense variational step is not offered for the system.
inline std::string variational_misfit(const SpheresFormulas& formulas) {
  if (!formulas.quadratic()) return "its Lagrangian is not quadratic in the velocities";
  if (!formulas.constant_inertia()) return "its inertia is not constant";
  if (shortest_route(formulas) != SpheresRoute::constant)
    return "its inertia matrix is not positive definite";
  return "";
}

/// z = (q, π) or, with forces, (q, π, W).
template <class S>
class SpheresVariationalStepper final : public Stepper<S> {
 public:
  /// Precondition: variational_misfit(formulas) is empty; throws InputError otherwise.
  SpheresVariationalStepper(const SpheresFormulas& formulas, const StepperOptions& options)
      : n_(formulas.spheres()),
        forced_(formulas.forced()),
        options_(options),
        W_(inverse(formulas)) {
    Expressions at = planes(formulas.q);
    at.push_back(formulas.t);
    slope_of_ = Evaluator<S>(Program(at, planes(gradient(formulas.potential, formulas.q))));
    if (forced_) {
      const Expressions v = planes(formulas.v);
      at.insert(at.end(), v.begin(), v.end());
      force_of_ = Evaluator<S>(Program(at, planes(formulas.force)));
    }
    in_.resize(at.size());
    for (auto* list : {&q_, &pi_, &next_, &step_, &P_, &a_, &slope_, &dpi_, &v_, &force_, &last_})
      list->resize(index(3 * n_));
    if (options.compensated) carry_.resize(index(3 * n_));
    for (auto* list : {&nu_, &residual_}) list->resize(index(n_));
    dz_.resize(index(size()));
  }

  bool start(const std::vector<S>& q, const std::vector<S>& v, const S&,
             StepperState<S>& state) override {
    state.z.assign(index(size()), S(0.0));
    state.carry.assign(options_.compensated ? index(size()) : 0, S(0.0));
    state.memory.assign(index(6 * n_), S(0.0));  // ν of the last three steps, ∂U/∂q
    state.history = 0;
    for (int i = 0; i < n_; ++i) {
      Vector p{{S(0.0), S(0.0), S(0.0)}};
      for (int j = 0; j < n_; ++j) p += W_.inertia(i, j) * vector_at(v.data(), j);
      const Vector pi = cross(vector_at(q.data(), i), p);  // [MATH 6.3]
      for (int c = 0; c < 3; ++c) {
        state.z[index(3 * i + c)] = q[index(3 * i + c)];
        state.z[index(3 * (n_ + i) + c)] = pi[c];
      }
    }
    return all_finite(state.z);
  }

  StepReport<S> step(StepperState<S>& state, const S& t, const S& h) noexcept override {
    const S half = S(0.5) * h;
    const bool fresh = state.history == 0;
    StepReport<S> report;
    load(state);
    if (fresh) slope_at(q_, t);
    if ((fresh || forced_) && !tangent_velocity()) {
      report.singular = true;
      return report;
    }
    S power = S(0.0);
    if (forced_) power = force_at(q_, t);
    for (int i = 0; i < n_; ++i) {
      const Vector kick = half * (forced_ ? at(force_, i) - at(slope_, i) : -at(slope_, i));
      put(a_, i, cross(at(pi_, i), at(q_, i)) + kick);
      put(dpi_, i, cross(at(q_, i), kick));
    }
    if (!fresh) extrapolate(state);
    report = positions(h);
    if (report.failed() && !fresh) {  // an extrapolation may lead astray
      const int before = report.iterations;
      if (tangent_velocity()) report = positions(h);
      report.iterations += before;
    }
    if (report.failed()) return report;

    slope_at(next_, t + h);
    for (int i = 0; i < n_; ++i)
      put(dpi_, i,
          at(dpi_, i) + cross(at(step_, i), at(P_, i)) -  // [MATH 7.1]
              half * cross(at(next_, i), at(slope_, i)));
    S work = S(0.0);
    if (forced_) work = half * (power + end_force(t + h, half, report));
    // U or f has no value where the step leads to.
    if (!report.no_convergence && !(all_finite(dpi_) && work - work == S(0.0)))
      report.singular = true;
    if (!report.failed()) commit(state, work);
    return report;
  }

  bool observe(const StepperState<S>& state, const S&, const S&, S* q, S* v) noexcept override {
    load(state);
    if (!tangent_velocity()) return false;
    for (int i = 0; i < 3 * n_; ++i) {
      q[i] = state.z[index(i)];
      v[i] = v_[index((i % 3) * n_ + i / 3)];
    }
    return true;
  }

  bool keeps_finite() const override { return true; }

  /// The sphere of the largest residual in the last failed step.
  int worst_part() const override { return worst_; }

 private:
  using Vector = Vec<S, 3>;
  using List = std::vector<S>;  // of vectors, as planes: x of all, y of all, z of all

  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  int size() const { return 6 * n_ + (forced_ ? 1 : 0); }
  static Vector vector_at(const S* list, int i) {
    return {{list[3 * i], list[3 * i + 1], list[3 * i + 2]}};
  }
  Vector at(const List& list, int i) const {
    return {{list[index(i)], list[index(n_ + i)], list[index(2 * n_ + i)]}};
  }
  void put(List& list, int i, const Vector& a) const {
    for (int c = 0; c < 3; ++c) list[index(c * n_ + i)] = a[c];
  }
  static InverseInertia<S> inverse(const SpheresFormulas& formulas) {
    const std::string why = variational_misfit(formulas);
    if (!why.empty()) throw InputError("variational: " + why);
    return InverseInertia<S>(formulas);
  }
  static Expressions planes(const Expressions& list) {
    Expressions result;
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t i = c; i < list.size(); i += 3) result.push_back(list[i]);
    return result;
  }

  void load(const StepperState<S>& state) noexcept {
    for (int i = 0; i < n_; ++i) {
      put(q_, i, vector_at(state.z.data(), i));
      put(pi_, i, vector_at(state.z.data(), n_ + i));
      if (!carry_.empty()) put(carry_, i, vector_at(state.carry.data(), i));
    }
    if (state.history == 0) return;
    for (int i = 0; i < 3 * n_; ++i) slope_[index(i)] = state.memory[index(3 * n_ + i)];
  }

  void slope_at(const List& q, const S& t) noexcept {
    std::copy(q.begin(), q.end(), in_.begin());
    in_[q.size()] = t;
    slope_of_(in_.data(), slope_.data());
  }

  /// f(q, v, t) and its power.
  S force_at(const List& q, const S& t) noexcept {
    std::copy(q.begin(), q.end(), in_.begin());
    in_[q.size()] = t;
    std::copy(v_.begin(), v_.end(), in_.begin() + 3 * n_ + 1);
    force_of_(in_.data(), force_.data());
    S power = S(0.0);
    for (int i = 0; i < n_; ++i) power = power + dot(at(force_, i), at(v_, i));
    return power;
  }

  /// v = W P, P = π×q + ν q such that q·v = 0, with the factors of (q, q).              [MATH 6.3]
  void legendre(const List& q, const List& pi, std::vector<S>& nu) noexcept {
    for (int i = 0; i < n_; ++i) put(P_, i, cross(at(pi, i), at(q, i)));
    W_.multiply(S(1.0), P_, v_);
    for (int i = 0; i < n_; ++i) nu[index(i)] = -dot(at(q, i), at(v_, i));
    W_.solve(nu);
    for (int i = 0; i < n_; ++i) put(P_, i, at(P_, i) + nu[index(i)] * at(q, i));
    W_.multiply(S(1.0), P_, v_);
  }

  /// v and ν at the beginning.
  bool tangent_velocity() noexcept {
    if (!W_.factor(q_, q_)) return false;
    legendre(q_, pi_, nu_);
    return all_finite(v_);
  }

  void extrapolate(const StepperState<S>& state) noexcept {
    const S* last = state.memory.data();
    const S* before = last + n_;
    const S* older = before + n_;
    for (int i = 0; i < n_; ++i) {
      S& nu = nu_[index(i)];
      nu = last[i];
      if (state.history == 2) nu = S(2.0) * last[i] - before[i];
      if (state.history >= 3) nu = S(3.0) * (last[i] - before[i]) + older[i];
    }
  }

  /// P, q' and the residuals of ν; the largest | |q_i'|² − 1 |.
  S trial(const S& h) noexcept {
    for (int i = 0; i < n_; ++i) put(P_, i, at(a_, i) + nu_[index(i)] * at(q_, i));  // [MATH 7.1]
    W_.multiply(h, P_, step_);                                                       // [MATH 7.1]
    S worst = S(0.0);
    for (int i = 0; i < n_; ++i) {
      const Vector q = at(q_, i);
      const Vector step = at(step_, i);
      const Vector lost = carry_.empty() ? Vector{} : at(carry_, i);
      const Vector next = q + (step + lost);
      put(next_, i, next);
      S off = norm2(next) - S(1.0);
      // Compensated: of q + lost. Its own length error, mostly noise of |q|², is corrected slowly.
      if (!carry_.empty())
        off = dot(step, S(2.0) * (q + lost) + step) +
              S(0.0625) * (norm2(q) - S(1.0) + S(2.0) * dot(q, lost));
      residual_[index(i)] = S(0.5) * off;
      if (abs(off) <= worst) continue;
      worst = abs(off);
      worst_ = i;
      if (!(worst <= S(1e6))) return worst;  // ran away, or NaN
    }
    return worst;
  }

  StepReport<S> positions(const S& h) noexcept {
    const S enough = max(S(4.0) * Epsilon<S>::value, S(options_.solver.tolerance));
    StepReport<S> report;
    S previous = S(1e300);
    bool once_more = !carry_.empty();  // there, round-off of q' is no excuse for an error in ν
    for (int k = 0; k < options_.solver.max_iterations; ++k) {
      const S worst = trial(h);
      ++report.iterations;
      if (worst <= enough || (worst <= S(64.0) * Epsilon<S>::value && S(2.0) * worst >= previous)) {
        if (!once_more) return report;
        once_more = false;
      }
      if (!(worst <= S(1e6))) break;
      if ((k == 0 || S(16.0) * worst > previous) && !W_.factor(next_, q_)) {
        report.singular = true;
        return report;
      }
      W_.solve(residual_);
      for (int i = 0; i < n_; ++i) nu_[index(i)] = nu_[index(i)] - residual_[index(i)] / h;
      previous = worst;
    }
    report.no_solution = true;  // no such q': the step is too large
    return report;
  }

  /// Adds (h/2) q'×f' to π' − π, f' at the q̇' which it brings about, and returns its power.
  S end_force(const S& t, const S& half, StepReport<S>& report) noexcept {
    S power = S(0.0);
    S last = S(1e300);
    report.no_convergence = true;
    report.singular = !W_.factor(next_, next_);
    for (int k = 0; k < options_.solver.max_iterations && !report.singular; ++k) {
      S size = S(0.0);
      S moved = S(0.0);
      for (int i = 0; i < n_; ++i) {
        const Vector kick = half * cross(at(next_, i), at(force_, i));  // f of the beginning, first
        const Vector pi = at(pi_, i) + at(dpi_, i) + kick;
        put(a_, i, pi);
        for (int c = 0; c < 3; ++c) {
          size = max(size, max(abs(pi[c]), abs(kick[c])));
          if (k > 0) moved = max(moved, abs(kick[c] - last_[index(c * n_ + i)]));
        }
        put(last_, i, kick);
      }
      if (k > 0 && (moved <= Epsilon<S>::value * size ||
                    (moved >= last && moved <= S(1e3) * Epsilon<S>::value * size))) {
        report.no_convergence = false;
        break;
      }
      if (k > 0) last = moved;
      legendre(next_, a_, residual_);
      power = force_at(next_, t);
      ++report.iterations;
    }
    for (std::size_t i = 0; i < dpi_.size(); ++i) dpi_[i] = dpi_[i] + last_[i];
    return power;
  }

  void commit(StepperState<S>& state, const S& work) noexcept {
    for (int i = 0; i < 3 * n_; ++i) {
      dz_[index(i)] = step_[index((i % 3) * n_ + i / 3)];
      dz_[index(3 * n_ + i)] = dpi_[index((i % 3) * n_ + i / 3)];
      state.memory[index(3 * n_ + i)] = slope_[index(i)];
    }
    if (forced_) dz_.back() = work;
    state.add(dz_.data());
    S* last = state.memory.data();
    for (int i = 0; i < n_; ++i) {
      last[2 * n_ + i] = last[n_ + i];
      last[n_ + i] = last[i];
      last[i] = nu_[index(i)];
    }
    ++state.history;
  }

  int n_;
  bool forced_;
  StepperOptions options_;
  int worst_ = 0;
  InverseInertia<S> W_;
  Evaluator<S> slope_of_, force_of_;
  List q_, pi_, carry_, next_;  // carry: of q; compensated only
  List slope_, force_, v_;      // ∂U/∂q, f, q̇
  List a_, P_, step_, dpi_;     // P without ν, P, q' − q before rounding, π' − π
  List last_;                   // (h/2) q'×f' of the iteration before
  std::vector<S> nu_, residual_, in_, dz_;
};

}  // namespace hamel
