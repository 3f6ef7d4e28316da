// hamel: the discrete Hamel integrator of D0 on the sphere.
//
// In space (the bob itself), q̇ = ω×q, ω̇ = −q×∇U/I, ∇U/I = G e3 for the pendulum: [MATH 5.2]
//   q' − q = h ω_m × q_m,   ω' − ω = −h q_m × ∇U(q_m)/I,   (·)_m the mean of both ends.
// In the body (D0's Γ = Rᵀe3, Ω = Rᵀω, Ω3 = 0):            [D0 (22)] [D0 (23)] [D0 (24)]
//   Ω' − Ω = hG (Γ_m2, −Γ_m1),   Γ' − Γ = h Γ_m × Ω_m.     [MATH 5.1]
// The torque is averaged over both half nodes (D0 (20) prints one of them).
// In a uniform field the equations reduce to one cubic: integrators/support/uniform_midpoint.hpp.
// The body form is the space form of (Γ, −Ω). In other fields, Newton on ω_m with q' = Cay(a)q.
//
// Keeps |q|, q·ω, J3 and, where U is at most quadratic, E to round-off; time-symmetric, order 2;
// not symplectic (defect O(h³)). [MATH 5.5]
#pragma once

#include "hamel/core/status.hpp"
#include "hamel/core/summation.hpp"
#include "hamel/geometry/rotation.hpp"
#include "hamel/integrators/support/uniform_midpoint.hpp"
#include "hamel/mechanics/method.hpp"
#include "hamel/mechanics/sphere_system.hpp"
#include "hamel/solve/newton.hpp"

namespace hamel {

/// The step in space.
template <class System, class S, Summation Mode>
class HamelStep {
 public:
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

  HAMEL_FN StepReport<S> step(State& state) const noexcept {
    if constexpr (UniformField<System>)
      return step_uniform(state);
    else
      return step_general(state);
  }

  HAMEL_FN SphereState<S> observe(const State& state) const {
    return SphereState<S>::from_omega(state.q.value, state.omega.value);
  }

 private:
  HAMEL_FN StepReport<S> step_uniform(State& state) const noexcept {
    UniformMidpoint<S> mid;
    const StepReport<S> report =
        mid.solve(state.q.value, state.omega.value, half_, S(0.5) * kick_, solver_);
    State next = state;
    next.omega.add({{-(kick_ * mid.q[1]), kick_ * mid.q[0], S(0.0)}});  // [MATH 5.2]
    next.q.add(mid.template increment<Mode>(state.q.value));            // [MATH 5.2]
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
    const S scale2 = norm2(omega) + S(Epsilon<S>::value);

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

/// The step in the body, D0's own variables; the bob is carried along by the attitude
/// R = (r1, r2, r3), q = |Γ| r3: R' = R Cay((h/2)Ω_m). [MATH 5.3]
template <class System, class S, Summation Mode>
class HamelBodyStep {
 public:
  struct State {
    Sum<S, 3, Mode> Gamma;
    Sum<S, 2, Mode> Omega;
    Sum<S, 3, Mode> r1, r2, r3;
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
    state.r1.start(initial.r1);
    state.length = norm(initial.q);
    state.r3.start((S(1.0) / state.length) * initial.q);
    state.r2.start(cross(state.r3.value, state.r1.value));
    return state;
  }

  HAMEL_FN StepReport<S> step(State& state) const noexcept {
    const Vec<S, 2>& o = state.Omega.value;
    UniformMidpoint<S> mid;  // of (Γ, −Ω): mid.q = Γ_m, mid.a = −(h/2)Ω_m
    const StepReport<S> report =
        mid.solve(state.Gamma.value, {{-o[0], -o[1], S(0.0)}}, half_, S(0.5) * kick_, solver_);
    State next = state;
    next.Omega.add({{kick_ * mid.q[1], -(kick_ * mid.q[0])}});  // [D0 (22)] [D0 (23)] [MATH 5.1]
    next.Gamma.add(mid.template increment<Mode>(state.Gamma.value));  // [D0 (24)] [MATH 5.1]

    // R' = R (I + (2/N)(S(a) + S(a)²)), a = −b = (h/2)Ω_m, column by column: linear in R, so
    // round-off stays neutral (r2 = r3×r1 instead would feed it back).   [MATH 5.3]
    const Vec<S, 3>& r1 = state.r1.value;
    const Vec<S, 3>& r2 = state.r2.value;
    const Vec<S, 3>& r3 = state.r3.value;
    const Vec<S, 3>& b = mid.a;
    const S b2 = b[0] * b[0] + b[1] * b[1];
    const S two = S(2.0) / (S(1.0) + b2);
    next.r1.add(two * (b[1] * r3 + b[1] * (b[0] * r2 - b[1] * r1)));
    next.r2.add(two * (b[0] * (b[1] * r1 - b[0] * r2) - b[0] * r3));
    next.r3.add(two * (b[0] * r2 - b[1] * r1 - b2 * r3));
    const MaskOf<S> good = !report.failed();
    state.Gamma = select(good, next.Gamma, state.Gamma);
    state.Omega = select(good, next.Omega, state.Omega);
    state.r1 = select(good, next.r1, state.r1);
    state.r2 = select(good, next.r2, state.r2);
    state.r3 = select(good, next.r3, state.r3);
    return report;
  }

  /// The bob: q = |Γ| R e3, ω = RΩ.
  HAMEL_FN SphereState<S> observe(const State& state) const {
    const Vec<S, 3>& r3 = state.r3.value;
    const Vec<S, 2>& o = state.Omega.value;
    const Vec<S, 3> omega = o[0] * state.r1.value + o[1] * state.r2.value;
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
