// SPDX-License-Identifier: BSD-3-Clause
// gauss: Gauss–Legendre collocation with 1 … 8 stages on (q, ω), order 2s.
//
//   Y_i = y + Σ_j μ_ij L_j,   L_i = h b_i f(Y_i),   y' = y + Σ_i L_i,   y = (q, ω),
//   f: q̇ = ω×q, ω̇ = −q×∇U(q)/I.                                          [MATH 5.6] [MATH 7.6]
// Fixed-point iteration from the extrapolated stages of the step before, to stagnation: an
// iteration error left over is systematic and would show as drift. |q|², q·ω, J3 and, where U is
// at most quadratic, E are quadratic and therefore exact. Time-symmetric; symplectic as a map of
// (q, ω) on TS² with the constant form only up to O(h^{2s+1}), so that is not claimed.
// Scalars with one lane only. In double, in a uniform field, the stages are lanes
// (gauss_lanes.hpp).
#pragma once

#include "hamel/core/status.hpp"
#include "hamel/kernels/lanes/lane_kernels.hpp"
#include "hamel/models/sphere_system.hpp"
#include "hamel/solve/newton.hpp"
#include "hamel/stepping/gauss_tableau.hpp"
#include "hamel/stepping/lane_tableau.hpp"
#include "hamel/stepping/method.hpp"

namespace hamel {

template <class System, class S, Summation Mode>
class GaussStep {
 public:
  struct State {
    Sum<S, 3, Mode> q, omega;
    Vec<S, 3> Lq[max_gauss_stages];  // stage increments of the last step
    Vec<S, 3> Lw[max_gauss_stages];
    bool warm;  // they belong to a step of the same size

    void forget() { warm = false; }
  };

  template <class Method>
  GaussStep(const Method& method, const System& system, const S& h, const SolverOptions& solver)
      : system_(system), solver_(solver), tableau_(gauss_tableau<S>(method.stages)) {
    for (int i = 0; i < method.stages; ++i) hb_[i] = h * tableau_.b[i];
  }

  State start(const SphereInitial<S>& initial) const {
    State state{};
    state.q.start(initial.q);
    state.omega.start(initial.omega);
    return state;
  }

  StepReport<S> step(State& state) const noexcept {
    const int s = tableau_.stages;
    const Vec<S, 3>& q = state.q.value;
    const Vec<S, 3>& w = state.omega.value;
    Vec<S, 3> Lq[max_gauss_stages];
    Vec<S, 3> Lw[max_gauss_stages];
    guess(state, Lq, Lw);

    using Real = RealOf<S>;
    const Real scale = max(Real(1.0), sqrt(value_of(norm2(w))));
    const Real floor = Real(1e3) * Epsilon<S>::value * scale;
    const Real tolerance = solver_.tolerance > 0.0 ? Real(solver_.tolerance) * scale : Real(0.0);
    Real last = Real(1e30);
    int growing = 0;
    StepReport<S> report;
    report.no_convergence = true;
    for (int iteration = 0; iteration < 2 * solver_.max_iterations; ++iteration) {
      Vec<S, 3> Yq[max_gauss_stages];
      Vec<S, 3> Yw[max_gauss_stages];
      for (int i = 0; i < s; ++i) {
        Vec<S, 3> sum_q = tableau_.mu[i][0] * Lq[0];  // [MATH 7.6]
        Vec<S, 3> sum_w = tableau_.mu[i][0] * Lw[0];
        for (int j = 1; j < s; ++j) {
          sum_q += tableau_.mu[i][j] * Lq[j];
          sum_w += tableau_.mu[i][j] * Lw[j];
        }
        Yq[i] = q + sum_q;
        Yw[i] = w + sum_w;
      }
      Real change = Real(0.0);
      for (int i = 0; i < s; ++i) {
        const SphereRate<S> rate = sphere_rate(system_, Yq[i], Yw[i]);
        const Vec<S, 3> new_q = hb_[i] * rate.q;  // [MATH 7.6]
        const Vec<S, 3> new_w = hb_[i] * rate.omega;
        for (int c = 0; c < 3; ++c) {
          change = max(change, max(magnitude(new_q[c] - Lq[i][c]), magnitude(new_w[c] - Lw[i][c])));
        }
        Lq[i] = new_q;
        Lw[i] = new_w;
      }
      ++report.iterations;
      if (!(change <= Real(1e30))) break;  // diverged, or NaN
      const bool stagnant = change >= last && last <= floor;
      if (change == Real(0.0) || stagnant || change <= tolerance) {
        report.no_convergence = false;
        break;
      }
      growing = change >= last ? growing + 1 : 0;
      if (growing > 3) break;
      last = change;
    }
    if (report.failed()) return report;

    Vec<S, 3> dq = Lq[0];
    Vec<S, 3> dw = Lw[0];
    for (int i = 1; i < s; ++i) {
      dq += Lq[i];
      dw += Lw[i];
    }
    state.q.add(dq);
    state.omega.add(dw);
    for (int i = 0; i < s; ++i) {
      state.Lq[i] = Lq[i];
      state.Lw[i] = Lw[i];
    }
    state.warm = true;
    return report;
  }

  /// The step of a part of the size; parts is a power of two.
  GaussStep divided(int parts) const {
    GaussStep shorter = *this;
    for (S& x : shorter.hb_) x = x * (S(1.0) / S(static_cast<double>(parts)));
    return shorter;
  }

  SphereState<S> observe(const State& state) const {
    return SphereState<S>::from_omega(state.q.value, state.omega.value);
  }

 private:
  void guess(const State& state, Vec<S, 3>* Lq, Vec<S, 3>* Lw) const {
    const int s = tableau_.stages;
    if (!state.warm) {
      const SphereRate<S> rate = sphere_rate(system_, state.q.value, state.omega.value);
      for (int i = 0; i < s; ++i) {
        Lq[i] = hb_[i] * rate.q;
        Lw[i] = hb_[i] * rate.omega;
      }
      return;
    }
    const int first = s > gauss_history ? s - gauss_history : 0;
    for (int i = 0; i < s; ++i) {
      Lq[i] = tableau_.predict[i][first] * state.Lq[first];
      Lw[i] = tableau_.predict[i][first] * state.Lw[first];
      for (int j = first + 1; j < s; ++j) {
        Lq[i] += tableau_.predict[i][j] * state.Lq[j];
        Lw[i] += tableau_.predict[i][j] * state.Lw[j];
      }
    }
  }

  System system_;
  SolverOptions solver_;
  GaussTableau<S> tableau_;
  S hb_[max_gauss_stages];
};

/// All stages at once.                                                                  [MATH 7.6]
template <UniformField System, Summation Mode>
class GaussStep<System, double, Mode> {
 public:
  struct State {
    Sum<double, 3, Mode> q, omega;
    /// Increments of the last step; lanes within.
    double L[hamel_lanes::pendulum_increments * max_gauss_stages];
    bool warm;  // they belong to a step of the same size

    void forget() { warm = false; }
  };

  template <class Method>
  GaussStep(const Method& method, const System& system, const double& h,
            const SolverOptions& solver)
      : strength_(system.field_strength()),
        solver_(solver),
        lanes_(method.stages),
        kernel_(lanes::kernels().pendulum_gauss[hamel_lanes::choice(method.stages)]) {
    lanes_.weights(h);
  }

  State start(const SphereInitial<double>& initial) const {
    State state{};
    state.q.start(initial.q);
    state.omega.start(initial.omega);
    return state;
  }

  StepReport<double> step(State& state) const noexcept {
    double z[6];
    double dz[6];
    for (int c = 0; c < 3; ++c) {
      z[c] = state.q.value[c];
      z[3 + c] = state.omega.value[c];
    }
    hamel_lanes::GaussTask task{};
    task.tables = &lanes_.tables;
    task.z = z;
    task.L = state.L;
    task.warm = state.warm;
    task.dz = dz;
    task.tolerance = solver_.tolerance;
    task.max_iterations = 2 * solver_.max_iterations;
    task.field = strength_;
    const hamel_lanes::GaussOutcome outcome = kernel_(task);
    StepReport<double> report;
    report.iterations = outcome.iterations;
    report.no_convergence = !outcome.converged;
    state.warm = outcome.converged;
    if (report.failed()) return report;
    state.q.add({{dz[0], dz[1], dz[2]}});
    state.omega.add({{dz[3], dz[4], dz[5]}});
    return report;
  }

  /// The step of a part of the size; parts is a power of two.
  GaussStep divided(int parts) const {
    GaussStep shorter = *this;
    shorter.lanes_.weights(lanes_.step() / parts);
    return shorter;
  }

  SphereState<double> observe(const State& state) const {
    return SphereState<double>::from_omega(state.q.value, state.omega.value);
  }

 private:
  double strength_;
  SolverOptions solver_;
  GaussLanes lanes_;
  hamel_lanes::GaussKernel kernel_;
};

struct Gauss {
  static constexpr OptionInfo options[] = {
      {"stages", "1 … 8", "8", "number of stages s; the order is 2s"}};
  static constexpr MethodInfo info{
      "gauss", "Gauss collocation: order 2s, quadratic invariants exact", "MATH 5.6, 7.6", options};

  int stages = 8;

  static Gauss from_options(MethodOptions& given) {
    return {given.integer("stages", 1, max_gauss_stages, 8)};
  }

  template <class System>
  static constexpr bool fits = SphereSystem<System>;

  template <class System>
  Claims claims(const System&) const {
    Claims claims{2 * stages, true, false, {"length", "tangency", "momentum_z"}, {}};
    if constexpr (UniformField<System> || requires { System::quadratic_potential; })
      claims.invariants.emplace_back("energy");
    return claims;
  }

  template <class System, class Use>
  auto with_step(const SphereInitial<double>&, Use&& use) const {
    return use(StepType<GaussStep>{});
  }
};

}  // namespace hamel
