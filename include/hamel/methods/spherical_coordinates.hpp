// SPDX-License-Identifier: BSD-3-Clause
// spherical_coordinates: RK4 in polar angles, to show the singularity D0 §IV warns of.
//
//   q = (sinθ cosφ, sinθ sinφ, cosθ),  e_θ = ∂q/∂θ,  sinθ e_φ = ∂q/∂φ,  F = ∇U/I,
//   θ̈ = sinθ cosθ φ̇² − F·e_θ,   φ̈ = −2 (cosθ/sinθ) θ̇ φ̇ − F·e_φ/sinθ.        [D0 section IV]
// The divisions by sinθ have nothing to do with the physics: near a pole the step fails or loses
// all digits. A motion that passes through a pole stops with `singular`.
#pragma once

#include "hamel/core/status.hpp"
#include "hamel/models/sphere_system.hpp"
#include "hamel/solve/newton.hpp"
#include "hamel/stepping/method.hpp"

namespace hamel {

template <class System, class S, Summation Mode>
class SphericalCoordinatesStep {
 public:
  struct State {
    Sum<S, 4, Mode> y;  // θ, φ, θ̇, φ̇
  };

  template <class Method>
  HAMEL_FN SphericalCoordinatesStep(const Method&, const System& system, const S& h,
                                    const SolverOptions&)
      : system_(system), h_(h) {}

  HAMEL_FN State start(const SphereInitial<S>& initial) const {
    const Vec<S, 3> q = normalised(initial.q);
    const Vec<S, 3> v = cross(initial.omega, q);
    const S rho2 = q[0] * q[0] + q[1] * q[1];
    State state;
    if (rho2 > S(0.0)) {
      const S rho = sqrt(rho2);
      state.y.start(
          {{atan2(rho, q[2]), atan2(q[1], q[0]), -v[2] / rho, (q[0] * v[1] - q[1] * v[0]) / rho2}});
    } else {  // at a pole: leave it along v; the step will report the singularity
      const S up = select(q[2] > S(0.0), S(1.0), S(-1.0));
      state.y.start({{atan2(S(0.0), q[2]), atan2(v[1], v[0]), up * norm(v), S(0.0)}});
    }
    return state;
  }

  HAMEL_FN StepReport<S> step(State& state) const noexcept {
    const Vec<S, 4>& y = state.y.value;
    const S half = S(0.5) * h_;
    const Vec<S, 4> k1 = rate(y);
    const Vec<S, 4> k2 = rate(y + half * k1);
    const Vec<S, 4> k3 = rate(y + half * k2);
    const Vec<S, 4> k4 = rate(y + h_ * k3);
    const Vec<S, 4> dy = (h_ / S(6.0)) * (k1 + S(2.0) * (k2 + k3) + k4);
    StepReport<S> report;
    // At the pole itself the rates are infinite; just beside it φ̇ turns by many radians a step.
    report.singular = !(abs(dy[1]) < S(1e3)) || !(abs(dy[3]) * h_ * h_ < S(1e6)) ||
                      abs(sin(y[0])) <= S(RealOf<S>(4.0) * Epsilon<S>::value);
    State next = state;
    next.y.add(dy);
    state.y = select(!report.failed(), next.y, state.y);
    return report;
  }

  HAMEL_FN SphereState<S> observe(const State& state) const {
    const Frame f(state.y.value);
    const Vec<S, 3> v = state.y.value[2] * f.e_theta + (f.sin_theta * state.y.value[3]) * f.e_phi;
    return SphereState<S>::from_velocity(f.q, v);
  }

 private:
  struct Frame {
    S sin_theta, cos_theta;
    Vec<S, 3> q, e_theta, e_phi;
    HAMEL_FN explicit Frame(const Vec<S, 4>& y) : sin_theta(sin(y[0])), cos_theta(cos(y[0])) {
      const S sp = sin(y[1]);
      const S cp = cos(y[1]);
      q = {{sin_theta * cp, sin_theta * sp, cos_theta}};
      e_theta = {{cos_theta * cp, cos_theta * sp, -sin_theta}};
      e_phi = {{-sp, cp, S(0.0)}};
    }
  };

  HAMEL_FN Vec<S, 4> rate(const Vec<S, 4>& y) const {
    const Frame f(y);
    const Vec<S, 3> F = field(system_, f.q);
    return {{y[2], y[3], f.sin_theta * f.cos_theta * y[3] * y[3] - dot(F, f.e_theta),
             (S(-2.0) * f.cos_theta * y[2] * y[3] - dot(F, f.e_phi)) / f.sin_theta}};
  }  // [D0 section IV]

  System system_;
  S h_;
};

struct SphericalCoordinates {
  static constexpr MethodInfo info{"spherical_coordinates",
                                   "RK4 in polar angles: singular at the poles",
                                   "D0 section IV",
                                   {},
                                   false};

  static SphericalCoordinates from_options(MethodOptions&) { return {}; }

  template <class System>
  static constexpr bool fits = SphereSystem<System>;

  template <class System>
  Claims claims(const System&) const {
    return {4, false, false, {"length", "tangency"}, "away from the poles"};
  }

  template <class System, class Use>
  auto with_step(const SphereInitial<double>&, Use&& use) const {
    return use(StepType<SphericalCoordinatesStep>{});
  }
};

}  // namespace hamel
