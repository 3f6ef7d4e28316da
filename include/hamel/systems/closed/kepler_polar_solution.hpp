// SPDX-License-Identifier: BSD-3-Clause
// The Kepler problem in closed form, for every energy.
//
// With z = r e^{iθ} = u² and dt = r ds (Levi-Civita) u'' + (α/4)u = 0, α = −2E/m = 2μ/r − |ξ|²:
//   u/u0 = U0(s/2) + (ξ1 + iξ2) U1(s/2),      θ = θ0 + 2 arg(u/u0),                           (1)
//   r = r0 U0(s) + r0ξ1 U1(s) + μ U2(s),      dr/ds = r0ξ1 U0(s) + (μ − αr0) U1(s),
//   t = r0 U1(s) + r0ξ1 U2(s) + μ U3(s),      Kepler's equation,                              (2)
//   U_k(s) = s^k c_k(αs²),  c_k(x) = Σ_n (−x)ⁿ/(k + 2n)!                 (Stumpff's functions)
// ellipse, parabola and hyperbola by one formula. (2) is solved by Newton's method inside a
// bracket; t is monotone in s. On an ellipse whole periods 2πμ/α^{3/2} are taken off first.
// Source: E. L. Stiefel, G. Scheifele, Linear and Regular Celestial Mechanics, Springer 1971.
#pragma once

#include <array>
#include <vector>

#include "hamel/core/scalar.hpp"
#include "hamel/models/frame_model.hpp"

namespace hamel {

class KeplerPolarSolution {
 public:
  /// μ > 0 in m³/s²; q = (r, θ), r > 0; ξ = (ṙ, rθ̇).
  KeplerPolarSolution(Quad mu, const std::vector<Quad>& q, const std::vector<Quad>& xi)
      : mu_(mu),
        r0_(q[0]),
        theta0_(q[1]),
        xi1_(xi[0]),
        xi2_(xi[1]),
        alpha_(2 * mu / q[0] - xi[0] * xi[0] - xi[1] * xi[1]) {}

  FrameMotion at(Quad t) const {
    Quad turns = 0;
    if (alpha_ > 0) {
      const Quad period = this->period();
      const Quad shift = Quad(1.5) / Epsilon<Quad>::value;
      turns = (t / period + shift) - shift;  // nearest whole number
      t -= turns * period;
    }
    const Quad s = solve(t);
    const auto whole = stumpff(s);
    const auto half = stumpff(s / 2);
    const Quad r = r0_ * whole[0] + r0_ * xi1_ * whole[1] + mu_ * whole[2];
    const Quad slope = r0_ * xi1_ * whole[0] + (mu_ - alpha_ * r0_) * whole[1];
    const Quad arg = atan2(xi2_ * half[1], half[0] + xi1_ * half[1]);  // (1)
    const Quad sense = xi2_ < 0 ? -1 : 1;
    return {{r, theta0_ + 2 * (arg + sense * turns * acos(Quad(-1)))}, {slope / r, r0_ * xi2_ / r}};
  }

  /// Of an ellipse, s.
  Quad period() const { return 2 * acos(Quad(-1)) * mu_ / (alpha_ * sqrt(alpha_)); }

 private:
  /// U0 … U3 at s.
  std::array<Quad, 4> stumpff(Quad s) const {
    const Quad x = alpha_ * s * s;
    Quad c2;
    Quad c3;
    if (abs(x) < 2) {  // the series; 20 terms are 2^20/42! < 1e-44
      c2 = c3 = 0;
      Quad term = Quad(1) / 2;
      for (int n = 0; n < 20; ++n) {
        c2 += term;
        c3 += term / (2 * n + 3);
        term *= -x / ((2 * n + 3) * (2 * n + 4));
      }
    } else if (x > 0) {
      const Quad a = sqrt(x);
      c2 = 2 * sin(a / 2) * sin(a / 2) / x;
      c3 = (a - sin(a)) / (x * a);
    } else {
      const Quad a = sqrt(-x);
      c2 = -2 * sinh(a / 2) * sinh(a / 2) / x;
      c3 = (a - sinh(a)) / (x * a);
    }
    return {1 - x * c2, s * (1 - x * c3), s * s * c2, s * s * s * c3};
  }

  /// s with (2); t within half a period of 0 on an ellipse.
  Quad solve(Quad t) const {
    if (t == 0) return 0;
    const Quad sign = t < 0 ? -1 : 1;
    Quad low = 0;
    Quad high = abs(t) / r0_;
    const auto time = [&](Quad s) {
      const auto U = stumpff(s);
      return std::array<Quad, 2>{r0_ * U[1] + r0_ * xi1_ * U[2] + mu_ * U[3],
                                 r0_ * U[0] + r0_ * xi1_ * U[1] + mu_ * U[2]};
    };
    while (sign * time(sign * high)[0] < abs(t)) high *= 2;
    Quad s = high;
    for (int i = 0; i < 200; ++i) {
      const auto [value, slope] = time(sign * s);
      const Quad excess = sign * value - abs(t);
      (excess > 0 ? high : low) = s;
      Quad next = s - excess / slope;
      if (next <= low || next >= high) next = (low + high) / 2;
      const bool there = abs(next - s) <= 4 * Epsilon<Quad>::value * s;
      s = next;
      if (there) break;
    }
    return sign * s;
  }

  Quad mu_, r0_, theta0_, xi1_, xi2_, alpha_;
};

}  // namespace hamel
