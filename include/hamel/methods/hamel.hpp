// SPDX-License-Identifier: BSD-3-Clause
// hamel: the discrete Hamel integrator of D0 on the sphere.
//
// In space (the bob itself), q̇ = ω×q, ω̇ = −q×∇U/I, ∇U/I = G e3 for the pendulum: [MATH 5.2]
//   q' − q = h ω_m × q_m,   ω' − ω = −h q_m × ∇U(q_m)/I,   (·)_m the mean of both ends.
// In the body (D0's Γ = Rᵀe3, Ω = Rᵀω, Ω3 = 0):            [D0 (22)] [D0 (23)] [D0 (24)]
//   Ω' − Ω = hG (Γ_m2, −Γ_m1),   Γ' − Γ = h Γ_m × Ω_m.     [MATH 5.1]
// The torque is averaged over both half nodes (D0 (20) prints one of them).
// In a uniform field the equations reduce to one cubic: kernels/pendulum/uniform_midpoint.hpp.
// The body form is the space form of (Γ, −Ω). In other fields, Newton on ω_m with q' = Cay(a)q.
//
// Keeps |q|, q·ω, J3 and, where U is at most quadratic, E to round-off; time-symmetric, order 2;
// not symplectic (defect O(h³)). [MATH 5.5]
#pragma once

#include "hamel/core/status.hpp"
#include "hamel/core/summation.hpp"
#include "hamel/geometry/rotation.hpp"
#include "hamel/kernels/lanes/ensemble_kernels.hpp"
#include "hamel/kernels/pendulum/uniform_midpoint.hpp"
#include "hamel/models/sphere_system.hpp"
#include "hamel/solve/newton.hpp"
#include "hamel/stepping/method.hpp"

namespace hamel {

/// The step in space.
template <class System, class S, Summation Mode>
class HamelStep {
 public:
  static constexpr auto lane_kernels = &hamel_lanes::EnsembleKernels::hamel;

  struct State {
    Sum<S, 3, Mode> q, omega;
  };

  template <class Method>
  HAMEL_FN HamelStep(const Method&, const System& system, const S& h, const SolverOptions& solver)
      : system_(system), solver_(solver), h_(h), half_(S(0.5) * h) {
    if constexpr (UniformField<System>) kick_ = h * S(system.field_strength());
  }

  HAMEL_FN State start(const SphereInitial<S>& initial) const {
    State state;
    state.q.start(initial.q);
    state.omega.start(initial.omega);
    return state;
  }

  HAMEL_KERNEL StepReport<S> step(State& state) const noexcept {
    if constexpr (UniformField<System>)
      return step_uniform(state);
    else
      return step_general(state);
  }

  HAMEL_FN SphereState<S> observe(const State& state) const {
    return SphereState<S>::from_omega(state.q.value, state.omega.value);
  }

 private:
  HAMEL_KERNEL StepReport<S> step_uniform(State& state) const noexcept {
    UniformMidpoint<S> mid;
    const StepReport<S> report =
        mid.solve(state.q.value, state.omega.value, half_, S(0.5) * kick_, solver_);
    State next = state;
    const Vec<S, 3> dw{{-(kick_ * mid.q[1]), kick_ * mid.q[0], S(0.0)}};  // [MATH 5.2]
    const Vec<S, 3> dq = mid.template increment<Mode>(state.q.value);     // [MATH 5.2]
    if constexpr (Mode == Summation::compensated && splits_exactly<S>) {
      Vec<S, 3> below_q;
      Vec<S, 3> below_w;
      UniformMidpoint<S>::improve(state.q, state.omega, half_, S(0.5) * kick_, dq, dw, below_q,
                                  below_w);
      next.omega.add(dw, below_w);
      next.q.add(dq, below_q);
    } else {
      next.omega.add(dw);
      next.q.add(dq);
    }
    commit(report, state, next);
    return report;
  }

  HAMEL_FN StepReport<S> step_general(State& state) const noexcept {
    const Vec<S, 3>& q = state.q.value;
    const Vec<S, 3>& omega = state.omega.value;
    const S h_half = half_;
    // Guess from the explicit half step.
    const Vec<S, 3> q_guess = q + h_half * cross(omega, q);
    Vec<S, 3> w = omega - h_half * cross(q_guess, field(system_, q_guess));
    const S scale2 = S(1.0) + norm2(omega);

    const auto midpoint = [&](const Vec<S, 3>& a) {
      return q + (S(1.0) / (S(1.0) + norm2(a))) * cross(a, q + cross(a, q));
    };
    const auto residual = [&](const Vec<S, 3>& x) {
      const Vec<S, 3> q_m = midpoint(h_half * x);
      return x - omega + h_half * cross(q_m, field(system_, q_m));  // [MATH 5.2]
    };
    const auto jacobian = [&](const Vec<S, 3>& x) {
      const Vec<S, 3> a = h_half * x;
      const S inverse = S(1.0) / (S(1.0) + norm2(a));
      const Vec<S, 3> q_m = midpoint(a);
      const FieldJet<S> f = field_jet(system_, q_m);
      Mat<S, 3, 3> J;
      for (int j = 0; j < 3; ++j) {
        Vec<S, 3> e{{S(0.0), S(0.0), S(0.0)}};
        e[j] = h_half;
        const Vec<S, 3> y = cross(e, q_m);  // δq_m = (I − S(a))⁻¹ (δa × q_m)
        const Vec<S, 3> dq = inverse * (y + cross(a, y) + dot(a, y) * a);
        const Vec<S, 3> dtorque = cross(dq, f.value) + cross(q_m, f.jacobian * dq);
        for (int i = 0; i < 3; ++i) J(i, j) = (i == j ? S(1.0) : S(0.0)) + h_half * dtorque[i];
      }
      return J;
    };
    const StepReport<S> report = newton(w, scale2, solver_, residual, jacobian);

    const Vec<S, 3> a = h_half * w;
    const Vec<S, 3> dq = cayley_increment(a, q);
    const Vec<S, 3> q_m = q + S(0.5) * dq;
    State next = state;
    next.omega.add(-(h_ * cross(q_m, field(system_, q_m))));
    next.q.add(dq);
    commit(report, state, next);
    return report;
  }

  HAMEL_FN static void commit(const StepReport<S>& report, State& state, const State& next) {
    const MaskOf<S> good = !report.failed();
    state.q = select(good, next.q, state.q);
    state.omega = select(good, next.omega, state.omega);
  }

  System system_;
  SolverOptions solver_;
  S h_;
  S half_;
  S kick_{};  // fl(hG)
};

/// The step in the body, D0's own variables; the attitude R carries the bob q = |Γ| R e3 along:
///   R' = R Cay(a), a = (h/2)Ω_m.                                                    [MATH 5.3]
/// As unit quaternions (w, v), Cay(a) is (1, a)/√(1+|a|²): linear in the attitude, so its round-off
/// stays neutral, and cheaper than three columns.
template <class System, class S, Summation Mode>
class HamelBodyStep {
 public:
  static constexpr auto lane_kernels = &hamel_lanes::EnsembleKernels::hamel_body;

  struct State {
    Sum<S, 3, Mode> Gamma;
    Sum<S, 2, Mode> Omega;
    Sum<S, 4, Mode> attitude;  // quaternion w, x, y, z of R
    S length;
  };

  template <class Method>
  HAMEL_FN HamelBodyStep(const Method&, const System& system, const S& h,
                         const SolverOptions& solver)
      : solver_(solver), half_(S(0.5) * h), kick_(h * S(system.field_strength())) {}

  HAMEL_FN State start(const SphereInitial<S>& initial) const {
    State state;
    state.Gamma.start(initial.Gamma);
    state.Omega.start(initial.Omega);
    state.length = norm(initial.q);
    const Vec<S, 3> r3 = (S(1.0) / state.length) * initial.q;
    state.attitude.start(quaternion(initial.r1, cross(r3, initial.r1), r3));
    return state;
  }

  HAMEL_KERNEL StepReport<S> step(State& state) const noexcept {
    const Vec<S, 2>& o = state.Omega.value;
    UniformMidpoint<S> mid;  // of (Γ, −Ω): mid.q = Γ_m, mid.a = −(h/2)Ω_m
    const StepReport<S> report =
        mid.solve(state.Gamma.value, {{-o[0], -o[1], S(0.0)}}, half_, S(0.5) * kick_, solver_);
    State next = state;
    const Vec<S, 2> dw{{kick_ * mid.q[1], -(kick_ * mid.q[0])}};  // [D0 (22)] [D0 (23)] [MATH 5.1]
    const Vec<S, 3> dg = mid.template increment<Mode>(state.Gamma.value);  // [D0 (24)] [MATH 5.1]
    if constexpr (Mode == Summation::compensated && splits_exactly<S>) {
      const Vec<S, 2>& carry = state.Omega.carry;
      const Sum<S, 3, Mode> minus_omega{{{-o[0], -o[1], S(0.0)}}, {{-carry[0], -carry[1], S(0.0)}}};
      Vec<S, 3> below_G;
      Vec<S, 3> below_w;
      UniformMidpoint<S>::improve(state.Gamma, minus_omega, half_, S(0.5) * kick_, dg,
                                  {{-dw[0], -dw[1], S(0.0)}}, below_G, below_w);
      next.Omega.add(dw, {{-below_w[0], -below_w[1]}});
      next.Gamma.add(dg, below_G);
    } else {
      next.Omega.add(dw);
      next.Gamma.add(dg);
    }

    // (w, v) (1, a)/√(1+|a|²) = s (w − v·a, v + w a + v×a), a = −mid.a, a3 = 0.   [MATH 5.3]
    const Vec<S, 4>& r = state.attitude.value;
    const S a1 = -mid.a[0];
    const S a2 = -mid.a[1];
    const S s = S(1.0) / sqrt(S(1.0) + (a1 * a1 + a2 * a2));
    const Vec<S, 4> turn{{-(r[1] * a1 + r[2] * a2), r[0] * a1 - r[3] * a2, r[0] * a2 + r[3] * a1,
                          r[1] * a2 - r[2] * a1}};
    next.attitude.add(s * turn + (s - S(1.0)) * r);
    const MaskOf<S> good = !report.failed();
    state.Gamma = select(good, next.Gamma, state.Gamma);
    state.Omega = select(good, next.Omega, state.Omega);
    state.attitude = select(good, next.attitude, state.attitude);
    return report;
  }

  /// The bob: q = |Γ| R e3, ω = RΩ.
  HAMEL_FN SphereState<S> observe(const State& state) const {
    const Vec<S, 4>& r = state.attitude.value;
    const S k = S(2.0) / norm2(r);
    const Vec<S, 3> r1{{S(1.0) - k * (r[2] * r[2] + r[3] * r[3]), k * (r[1] * r[2] + r[0] * r[3]),
                        k * (r[1] * r[3] - r[0] * r[2])}};
    const Vec<S, 3> r2{{k * (r[1] * r[2] - r[0] * r[3]), S(1.0) - k * (r[1] * r[1] + r[3] * r[3]),
                        k * (r[2] * r[3] + r[0] * r[1])}};
    const Vec<S, 3> r3{{k * (r[1] * r[3] + r[0] * r[2]), k * (r[2] * r[3] - r[0] * r[1]),
                        S(1.0) - k * (r[1] * r[1] + r[2] * r[2])}};
    const Vec<S, 2>& o = state.Omega.value;
    const Vec<S, 3> omega = o[0] * r1 + o[1] * r2;
    return {state.length * r3, omega, omega, norm2(o), dot(r3, omega)};
  }

  /// What the invariants see: Γ and Ω themselves; J3 = Γ·Ω.
  HAMEL_FN SphereState<S> kinematics(const State& state) const {
    const Vec<S, 3>& g = state.Gamma.value;
    const Vec<S, 2>& o = state.Omega.value;
    const Vec<S, 3> spin{{S(0.0), S(0.0), g[0] * o[0] + g[1] * o[1]}};
    return {g, spin, spin, norm2(o), S(0.0)};
  }

  HAMEL_FN Vec<S, 3> Gamma(const State& state) const { return state.Gamma.value; }
  HAMEL_FN Vec<S, 2> Omega(const State& state) const { return state.Omega.value; }

 private:
  /// The unit quaternion of the rotation with these columns; divides by its largest component.
  HAMEL_FN static Vec<S, 4> quaternion(const Vec<S, 3>& x, const Vec<S, 3>& y, const Vec<S, 3>& z) {
    const S four[4] = {S(1.0) + x[0] + y[1] + z[2], S(1.0) + x[0] - y[1] - z[2],
                       S(1.0) - x[0] + y[1] - z[2], S(1.0) - x[0] - y[1] + z[2]};
    int largest = 0;
    for (int i = 1; i < 4; ++i)
      if (four[i] > four[largest]) largest = i;
    const S p = y[2] - z[1], q = z[0] - x[2], r = x[1] - y[0];  // 4w·(x, y, z)
    const S a = x[1] + y[0], b = z[0] + x[2], c = y[2] + z[1];  // 4xy, 4xz, 4yz
    const Vec<S, 4> rows[4] = {
        {{four[0], p, q, r}}, {{p, four[1], a, b}}, {{q, a, four[2], c}}, {{r, b, c, four[3]}}};
    return (S(0.5) / sqrt(four[largest])) * rows[largest];
  }

  SolverOptions solver_;
  S half_;
  S kick_;
};

struct Hamel {
  static constexpr OptionInfo options[] = {
      {"form", "space, body", "body for Gamma/Omega data, else space",
       "variables of the step: the bob's (q, omega), or D0's (Gamma, Omega) with the bob carried "
       "along; the same motion"}};
  static constexpr MethodInfo info{"hamel",
                                   "discrete Hamel: length, energy and momentum exact",
                                   "D0 (20)-(24); MATH 5.1, 5.2",
                                   options,
                                   true,
                                   true};

  enum class Form { automatic = -1, space, body };
  Form form = Form::automatic;

  static Hamel from_options(MethodOptions& given) {
    return {static_cast<Form>(given.word("form", {"space", "body"}))};
  }

  template <class System>
  static constexpr bool fits = SphereSystem<System>;

  template <class System>
  Claims claims(const System&) const {
    Claims claims{2, true, false, {"length", "tangency", "momentum_z"}, {}};
    if constexpr (UniformField<System> || requires { System::quadratic_potential; })
      claims.invariants.emplace_back("energy");
    return claims;
  }

  template <class System, class Use>
  auto with_step(const SphereInitial<double>& initial, Use&& use) const {
    if constexpr (UniformField<System>) {
      if (form == Form::body && !initial.body)
        throw InputError("hamel(form=body) needs initial data in the body: Gamma and Omega");
      if (initial.body && form != Form::space) return use(StepType<HamelBodyStep>{});
    } else {
      if (form == Form::body) throw InputError("hamel(form=body) needs a uniform field");
    }
    return use(StepType<HamelStep>{});
  }
};

}  // namespace hamel
