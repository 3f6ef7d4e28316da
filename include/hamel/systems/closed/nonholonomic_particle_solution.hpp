// SPDX-License-Identifier: BSD-3-Clause
// The motion of the nonholonomic particle ż = yẋ with a spring in y.
//
//   (1 + y²)ẍ + yẏẋ = 0  ⇒  ẋ = c/√(1 + y²),   ω² = k/m,   y = A sin φ,  φ = φ0 + ωt:
//   x = x0 + (c/ω)(F(φ) − F(φ0)),   F(φ) = ∫₀^φ dα/√(1 + A² sin²α),
//   z = z0 − (c/ω)(Z(φ) − Z(φ0)),   Z(φ) = asin(κ cos φ),  κ = A/√(1 + A²).
// F is Legendre's integral with m = −A²: sin φ R_F(cos²φ, 1 + A² sin²φ, 1) within half a turn.
// Without the spring y = y0 + ẏ0 t and
//   x = x0 + (c/ẏ)(asinh y − asinh y0),  z = z0 + (c/ẏ)(√(1 + y²) − √(1 + y0²)).
#pragma once

#include <vector>

#include "hamel/geometry/carlson.hpp"
#include "hamel/models/frame_model.hpp"

namespace hamel {

class NonholonomicParticleSolution {
 public:
  NonholonomicParticleSolution(Quad mass, Quad stiffness, const std::vector<Quad>& q,
                               const std::vector<Quad>& xi)
      : omega_(sqrt(stiffness / mass)), q_(q), w0_(xi[1]), c_(xi[0] * sqrt(1 + q[1] * q[1])) {
    if (omega_ == 0) return;
    phase0_ = atan2(omega_ * q[1], w0_);
    A2_ = q[1] * q[1] + w0_ * w0_ / (omega_ * omega_);
  }

  FrameMotion at(Quad t) const {
    if (omega_ == 0) return free(t);
    const Quad phase = phase0_ + omega_ * t;
    const Quad y = sqrt(A2_) * sin(phase);
    return {{q_[0] + c_ / omega_ * (F(phase) - F(phase0_)), y,
             q_[2] - c_ / omega_ * (Z(phase) - Z(phase0_))},
            {c_ / sqrt(1 + y * y), sqrt(A2_) * omega_ * cos(phase)}};
  }

 private:
  FrameMotion free(Quad t) const {
    const Quad y0 = q_[1];
    const Quad y = y0 + w0_ * t;
    const Quad r0 = sqrt(1 + y0 * y0);
    const Quad r = sqrt(1 + y * y);
    if (w0_ == 0) return {{q_[0] + c_ / r * t, y, q_[2] + c_ / r * y * t}, {c_ / r, w0_}};
    // √(1 + y²) − √(1 + y0²) = (y − y0)(y + y0)/(r + r0): no cancellation
    return {{q_[0] + c_ / w0_ * (arsinh(y) - arsinh(y0)), y, q_[2] + c_ * t * (y + y0) / (r + r0)},
            {c_ / r, w0_}};
  }

  static Quad arsinh(Quad y) {
    const Quad size = log(abs(y) + sqrt(1 + y * y));
    return y < 0 ? -size : size;
  }

  /// F(φ + nπ) = F(φ) + 2nF(π/2)
  Quad F(Quad phase) const {
    const Quad pi = 4 * atan(Quad(1));
    const auto whole = static_cast<long long>(phase / pi + (phase < 0 ? Quad(-0.5) : Quad(0.5)));
    const Quad turns = static_cast<Quad>(whole);  // half turns
    const Quad s = sin(phase - turns * pi);
    const Quad c = cos(phase - turns * pi);
    const Quad one = 1;
    return 2 * turns * carlson_rf(Quad(0), 1 + A2_, one) +
           s * carlson_rf(c * c, 1 + A2_ * s * s, one);
  }
  Quad Z(Quad phase) const { return asin(sqrt(A2_ / (1 + A2_)) * cos(phase)); }

  Quad omega_;
  std::vector<Quad> q_;
  Quad w0_, c_;
  Quad phase0_ = 0, A2_ = 0;
};

}  // namespace hamel
