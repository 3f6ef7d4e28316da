// SPDX-License-Identifier: BSD-3-Clause
// The motion of the Chaplygin sleigh.
//
//   b² = (I + m a²)/m,  V² = v0² + b² ω0²,  κ = aV/b²,  tanh(κ t0) = v0/V,
//   v = V tanh κ(t + t0),  ω = (V/b) sech κ(t + t0),  θ = θ0 + (b/a)(gd κ(t + t0) − gd κ t0),
// with the sign of ω0; x and y by quadrature of v cosθ, v sinθ (Gauss, order 16, panels short
// enough for 28 digits) as long as sech κ(t + t0) counts, and straight on from there. Balanced, a =
// 0: a circle, or a straight line where ω0 = 0. Source: A. M. Bloch, Nonholonomic Mechanics and
// Control, 2nd ed., Springer 2015, §1.7.
#pragma once

#include <vector>

#include "hamel/core/vec.hpp"
#include "hamel/geometry/gauss_panel.hpp"
#include "hamel/models/frame_model.hpp"

namespace hamel {

class ChaplyginSleighSolution {
 public:
  ChaplyginSleighSolution(Quad mass, Quad inertia, Quad offset, const std::vector<Quad>& q,
                          const std::vector<Quad>& xi)
      : a_(offset), q_(q), v0_(xi[0]), omega0_(xi[1]) {
    const Quad b2 = (inertia + mass * a_ * a_) / mass;
    b_ = sqrt(b2);
    V_ = sqrt(v0_ * v0_ + b2 * omega0_ * omega0_);
    straight_ = omega0_ == 0;
    if (a_ == 0 || straight_) return;
    kappa_ = a_ * V_ / b2;
    // atanh(v0/V), without cancellation where |v0| is close to V: sinh = v0/(b|ω0|)
    const Quad s = v0_ / (b_ * abs(omega0_));
    const Quad size = log(abs(s) + sqrt(s * s + 1));
    phase0_ = s < 0 ? -size : size;
    constexpr int settled = 80;  // θ is less than 4e-35 from its limit
    const Quad middle = -phase0_ / kappa_;
    moved_.first = middle - settled / abs(kappa_);
    moved_.last = middle + settled / abs(kappa_);
    moved_.longest = Quad(0.02) / (abs(kappa_) + V_ / b_);
  }

  FrameMotion at(Quad t) const {
    const Rates r = rates(t);
    if (a_ == 0 || straight_) {
      const Quad turned = omega0_ * t;
      // sin(θ0+φ) − sin θ0 = 2 cos(θ0 + φ/2) sin(φ/2): accurate for slow turning
      const Quad chord = straight_ ? t : 2 * sin(turned / 2) / omega0_;
      const Quad mean = q_[2] + turned / 2;
      return {{q_[0] + v0_ * chord * cos(mean), q_[1] + v0_ * chord * sin(mean), r.theta},
              {r.v, r.omega}};
    }
    const auto velocity = [&](Quad time) {
      const Rates then = rates(time);
      return Vec<Quad, 2>{{then.v * cos(then.theta), then.v * sin(then.theta)}};
    };
    const auto moved = moved_(velocity, t);
    return {{q_[0] + moved[0], q_[1] + moved[1], r.theta}, {r.v, r.omega}};
  }

 private:
  struct Rates {
    Quad v, omega, theta;
  };
  static Quad gudermann(Quad x) { return 2 * atan(tanh(x / 2)); }

  Rates rates(Quad t) const {
    if (a_ == 0 || straight_) return {v0_, omega0_, q_[2] + omega0_ * t};
    const Quad sign = omega0_ < 0 ? -1 : 1;
    const Quad x = phase0_ + kappa_ * t;
    return {V_ * tanh(x), sign * V_ / (b_ * cosh(x)),
            q_[2] + sign * b_ / a_ * (gudermann(x) - gudermann(phase0_))};
  }

  Quad a_, b_, V_, kappa_ = 0, phase0_ = 0;
  std::vector<Quad> q_;
  Quad v0_, omega0_;
  bool straight_ = false;
  mutable LongIntegral<Vec<Quad, 2>> moved_;
};

}  // namespace hamel
