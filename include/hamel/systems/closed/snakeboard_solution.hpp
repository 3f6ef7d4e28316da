// SPDX-License-Identifier: BSD-3-Clause
// The passive motion of the snakeboard.
//
//   A = m l²,  B = J + 2 J_w,  D(φ) = A cos²φ + B sin²φ,  φ = φ0 + Ωt,
//   ξ1 = C/√D  with C = ξ1(0)√D(φ0),
//   θ = θ0 + (C/Ω)(F(cos φ) − F(cos φ0)),  F(u) = ∫ du/√(B + (A − B)u²),
//   ψ = ψ0 + (ψ̇0 + θ̇0)t − (θ − θ0),
// and x, y by quadrature of l cosφ ξ1 (cosθ, sinθ) (Gauss, order 16, panels short enough for 32
// digits) over one period 2π/Ω at most, as θ is a function of cosφ; over one turn of θ where Ω = 0.
// It follows from three first integrals: φ̇, θ̇ + ψ̇, and the energy
// (Dξ1² + J_r(θ̇ + ψ̇)²)/2 + J_w φ̇².
#pragma once

#include <vector>

#include "hamel/core/vec.hpp"
#include "hamel/geometry/gauss_panel.hpp"
#include "hamel/models/frame_model.hpp"

namespace hamel {

class SnakeboardSolution {
 public:
  /// A and B as above; l the half length.
  SnakeboardSolution(Quad A, Quad B, Quad l, const std::vector<Quad>& q,
                     const std::vector<Quad>& xi)
      : A_(A), B_(B), l_(l), q_(q), xi_(xi) {
    C_ = xi[0] * sqrt(D(q[4]));
    momentum_ = xi[1] - sin(q[4]) * xi[0];
    const Quad least = min(A, B);
    const Quad stiffness = sqrt(max(A, B) / least);
    const Quad turning = abs(sin(q[4]) * xi[0]);  // where the steering is locked
    const bool locked = xi[2] == 0;
    const Quad rate = locked ? turning : stiffness * abs(xi[2]) + abs(C_) / sqrt(least);
    if (rate == 0) {  // straight on
      moved_.first = moved_.last = 0;
      return;
    }
    moved_.longest = Quad(0.2) / rate;
    moved_.period = 2 * acos(Quad(-1)) / (locked ? turning : abs(xi[2]));
  }

  FrameMotion at(Quad t) const {
    const Rates r = rates(t);
    const Quad psi = q_[3] + momentum_ * t - (r.theta - q_[2]);
    const auto velocity = [&](Quad time) {
      const Rates then = rates(time);
      const Quad v = l_ * cos(then.phi) * then.xi1;
      return Vec<Quad, 2>{{v * cos(then.theta), v * sin(then.theta)}};
    };
    const auto moved = moved_(velocity, t);
    return {{q_[0] + moved[0], q_[1] + moved[1], r.theta, psi, r.phi},
            {r.xi1, momentum_ + sin(r.phi) * r.xi1, xi_[2]}};
  }

 private:
  struct Rates {
    Quad phi, xi1, theta;
  };

  Quad D(Quad phi) const { return A_ * cos(phi) * cos(phi) + B_ * sin(phi) * sin(phi); }
  Quad F(Quad u) const {
    const Quad root = sqrt(abs(A_ - B_));
    if (A_ == B_) return u / sqrt(B_);
    if (A_ < B_) return asin(u * root / sqrt(B_)) / root;
    const Quad s = abs(u) * root / sqrt(B_);
    const Quad size = log(s + sqrt(s * s + 1)) / root;
    return u < 0 ? -size : size;
  }

  Rates rates(Quad t) const {
    if (xi_[2] == 0) return {q_[4], xi_[0], q_[2] - sin(q_[4]) * xi_[0] * t};
    const Quad phi = q_[4] + xi_[2] * t;
    return {phi, C_ / sqrt(D(phi)), q_[2] + C_ / xi_[2] * (F(cos(phi)) - F(cos(q_[4])))};
  }

  Quad A_, B_, l_;
  std::vector<Quad> q_, xi_;
  Quad C_, momentum_;
  mutable LongIntegral<Vec<Quad, 2>> moved_;
};

}  // namespace hamel
