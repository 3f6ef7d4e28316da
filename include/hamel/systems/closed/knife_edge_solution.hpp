// SPDX-License-Identifier: BSD-3-Clause
// The motion of the knife edge on an incline.
//
//   φ = φ0 + Ωt,  v = v0 + (a/Ω)(sin φ − sin φ0),  ẋ = v cos φ,  ẏ = v sin φ,
// integrated and written so that Ω → 0 is no special case: τ = Ωt, φm = φ0 + τ/2,
//   s(z) = sin(z)/z,  r(z) = (z − sin z)/z²,
//   v = v0 + a t cos φm s(τ/2),
//   x = x0 + v0 t cos φm s(τ/2) + (a t²/2) (cos φm s(τ/2))²,
//   y = y0 + v0 t sin φm s(τ/2) + (a t²/2) (r(τ) + ½ sin 2φm s(τ/2)²).
#pragma once

#include <vector>

#include "hamel/core/scalar.hpp"
#include "hamel/models/frame_model.hpp"

namespace hamel {

class KnifeEdgeSolution {
 public:
  /// a = g sin(incline), the acceleration of a blade pointing downhill.
  KnifeEdgeSolution(Quad acceleration, const std::vector<Quad>& q, const std::vector<Quad>& xi)
      : a_(acceleration), q_(q), v0_(xi[0]), omega_(xi[1]) {}

  FrameMotion at(Quad t) const {
    const Quad turned = omega_ * t;
    const Quad middle = q_[2] + turned / 2;
    const Quad s = sine_ratio(turned / 2);
    const Quad along = t * s * cos(middle);
    const Quad fall = a_ * t * t / 2;
    return {{q_[0] + v0_ * along + a_ / 2 * along * along,
             q_[1] + v0_ * t * s * sin(middle) +
                 fall * (lag_ratio(turned) + sin(2 * middle) * s * s / 2),
             q_[2] + turned},
            {v0_ + a_ * along, omega_}};
  }

 private:
  static Quad sine_ratio(Quad z) { return z == 0 ? Quad(1) : sin(z) / z; }
  /// (z − sin z)/z²; by its series where the difference would cancel.
  static Quad lag_ratio(Quad z) {
    if (abs(z) > 1) return (z - sin(z)) / (z * z);
    Quad term = z / 6;
    Quad sum = term;
    for (int k = 4; k < 32; k += 2) {
      term *= -z * z / (k * (k + 1));
      sum += term;
    }
    return sum;
  }

  Quad a_;
  std::vector<Quad> q_;
  Quad v0_, omega_;
};

}  // namespace hamel
