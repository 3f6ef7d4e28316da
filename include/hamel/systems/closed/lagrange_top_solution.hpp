// SPDX-License-Identifier: BSD-3-Clause
// The motion of the Lagrange top in closed form.
//
// With G = w/J1, a = p3/J1, b = Γ·p/J1, ε = ½(ξ1² + ξ2²) + Gz and z = cosθ = r33
//   ż² = 2(1 − z²)(ε − Gz) − (b − az)² = 2G(z − z1)(z − z2)(z − z3),   z1 ≤ z ≤ z2 ≤ 1 ≤ z3,   (1)
//   z = z1 + (z2 − z1) sn²(u | m),  u = u0 + κt,  κ² = ½G(z3 − z1),  m = (z2 − z1)/(z3 − z1).
// Attitude. R = R_z(φ)R_x(θ)R_z(ψ) has the quaternion with
//   α = q0 + iq3 = cos½θ exp ½i(φ + ψ),   β = q1 + iq2 = sin½θ exp ½i(φ − ψ):
//   |α|² = ½(1 + z),   d(arg α)/dt = ½(ξ3 − a) + ½(b + a)/(1 + z),
//   |β|² = ½(1 − z),   d(arg β)/dt = ½(a − ξ3) + ½(b − a)/(1 − z).                             (2)
// But for the uniform turns these are the equations (3) of spherical_pendulum_solution.hpp, with
// b ± a in place of J, so that the same theta functions solve them, smooth through both poles:
//   α ∝ H(u − iv1)/Θ(u) exp(iλ1 u),     sc²(v1 | 1−m) = (1 + z1)/(z2 − z1),
//   β ∝ H1(u − iv2)/Θ(u) exp(iλ2 u),    sc²(v2 | 1−m) = (1 − z2)/(m (z3 − 1)).                 (3)
// λ1, λ2 follow from (2) at the turning points z2, z1; where b ± a < 0 the conjugate is taken.
// No quadrature is left. Without weight it is the symmetric Euler top. R must be a rotation.
// Source: E. T. Whittaker, Analytical Dynamics, 4th ed., §71, §72; F. Klein, A. Sommerfeld, Über
// die Theorie des Kreisels, ch. VI.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "hamel/geometry/elliptic.hpp"
#include "hamel/models/frame_model.hpp"
#include "hamel/systems/closed/euler_top_solution.hpp"

namespace hamel {

class LagrangeTopSolution {
  using Complex = theta::Complex<Quad>;

 public:
  /// Moments J1 = J2, J3; the weight times the height of the centre of mass, w ≥ 0; R, ξ at t = 0.
  LagrangeTopSolution(Quad J1, Quad J3, Quad w, const std::vector<Quad>& R,
                      const std::vector<Quad>& xi)
      : spin_(xi[2]), free_({J1, J1, J3}, R, xi) {
    if (w == 0 || (R[6] == 0 && R[7] == 0 && xi[0] == 0 && xi[1] == 0)) return;
    const Quad G = w / J1;
    a_ = J3 * xi[2] / J1;
    const Quad b = R[6] * xi[0] + R[7] * xi[1] + a_ * R[8];
    const Quad z_dot = R[6] * xi[1] - R[7] * xi[0];
    const Quad epsilon = (xi[0] * xi[0] + xi[1] * xi[1]) / 2 + G * R[8];
    const Turning at = turning_points(G, b, epsilon, R[8], z_dot);
    orbit_.emplace(G, at, b + a_, b - a_);
    if (at.below + at.above > 0) {
      const Quad span = at.below + at.above;
      u0_ = elliptic_f(sqrt(at.below / span), at.above / span, 1 - at.below / (at.s3 + at.w1));
      if (z_dot < 0) u0_ = -u0_;
    }
    // The phases that take the orbit's quaternion and its velocity ½qξ to the given ones.
    const std::array<Quad, 4> q = quaternion(R);
    const Spinor now = orbit_->at(u0_);
    const Complex alpha{q[0], q[3]};
    const Complex beta{q[1], q[2]};
    const Complex alpha_dot{-(q[1] * xi[0] + q[2] * xi[1]) / 2, (q[1] * xi[1] - q[2] * xi[0]) / 2};
    const Complex beta_dot{(q[0] * xi[0] - q[3] * xi[1]) / 2, (q[0] * xi[1] + q[3] * xi[0]) / 2};
    const Quad weight = 1 / (orbit_->kappa * orbit_->kappa);
    // ½(ξ3 − a) of the turn is uniform and not the orbit's
    const Complex half_a{0, a_ / 2};
    phase_[0] =
        unit(conj(now.f1) * alpha + weight * (conj(now.df1) * (alpha_dot + half_a * alpha)));
    phase_[1] = unit(conj(now.f2) * beta + weight * (conj(now.df2) * (beta_dot - half_a * beta)));
  }

  FrameMotion at(Quad t) const {
    if (!orbit_) return free_.at(t);
    const Spinor now = orbit_->at(u0_ + orbit_->kappa * t);
    const Quad turned = (spin_ - a_) * t / 2;
    const Complex turn{cos(turned), sin(turned)};
    const Complex A = turn * (phase_[0] * now.f1);
    const Complex B = conj(turn) * (phase_[1] * now.f2);
    const Quad n = 2 / (norm2(A) + norm2(B));
    const Quad q0 = A.re;
    const Quad q1 = B.re;
    const Quad q2 = B.im;
    const Quad q3 = A.im;
    // ξ1 + iξ2 = 2(ᾱ dβ/dt − β dᾱ/dt), in which the uniform turns cancel
    const Complex A_dot = turn * (phase_[0] * now.df1);
    const Complex B_dot = conj(turn) * (phase_[1] * now.df2);
    const Complex across = conj(A) * B_dot - B * conj(A_dot);
    return {{1 - n * (q2 * q2 + q3 * q3), n * (q1 * q2 - q0 * q3), n * (q1 * q3 + q0 * q2),
             n * (q1 * q2 + q0 * q3), 1 - n * (q1 * q1 + q3 * q3), n * (q2 * q3 - q0 * q1),
             n * (q1 * q3 - q0 * q2), n * (q2 * q3 + q0 * q1), 1 - n * (q1 * q1 + q2 * q2)},
            {n * across.re, n * across.im, spin_}};
  }

 private:
  struct Turning {
    Quad y1, y2, w1, w2, s3;  ///< 1 + z1, 1 + z2, 1 − z1, 1 − z2, z3 − 1
    Quad below, above;        ///< z0 − z1, z2 − z0
  };
  struct Spinor {
    Complex f1, df1, f2, df2;  ///< √2 α, √2 β less uniform turns and phases; time derivatives
  };

  /// (3), for t = 0 at the lowest point.
  struct Orbit {
    Quad kappa;
    bool mirrored1, mirrored2;
    theta::Lattice<Quad> lattice;
    theta::Quotients<Quad> quotients;
    Quad rate, c1, c2, lambda1, lambda2, turn1 = 0, turn2 = 0;

    Orbit(Quad G, const Turning& at, Quad sum, Quad difference)
        : Orbit(at, sum, difference, sqrt(G * (at.s3 + at.w1) / 2),
                (at.below + at.above) / (at.s3 + at.w1), (at.s3 + at.w2) / (at.s3 + at.w1)) {}

    Spinor at(Quad u) const {
      const auto [turns, x] = lattice.reduce(lattice.rate * u);
      const auto F = quotients(x);
      const auto part = [&](Complex f, Complex df, Quad c, Quad lambda, Quad turn, bool mirrored) {
        const Quad angle = lambda * x + turns * turn;
        const Complex e{c * cos(angle), c * sin(angle)};
        const Complex g = e * f;
        const Complex dg = rate * (e * (df + Complex{0, lambda} * f));
        return mirrored ? std::array<Complex, 2>{conj(g), conj(dg)} : std::array<Complex, 2>{g, dg};
      };
      const auto first = part(F.f1, F.df1, c1, lambda1, turn1, mirrored1);
      const auto second = part(F.f2, F.df2, c2, lambda2, turn2, mirrored2);
      return {first[0], first[1], second[0], second[1]};
    }

   private:
    Orbit(const Turning& at, Quad sum, Quad difference, Quad speed, Quad m, Quad m1)
        : kappa(speed),
          mirrored1(sum < 0),
          mirrored2(difference < 0),
          lattice(m, m1),
          quotients(lattice, shift(at.y1, at.below + at.above, m), shift(at.w2, m * at.s3, m)),
          rate(speed * lattice.rate) {
      const auto top = quotients(lattice.half_period);
      const auto bottom = quotients(Quad(0));
      c1 = sqrt(at.y2 / norm2(top.f1));
      c2 = sqrt(at.w1 / norm2(bottom.f2));
      const auto slope = [&](Quad momentum, Quad height, Complex f, Complex df) {
        if (height == 0) return Quad(0);  // the top stays at a pole: of no effect
        return abs(momentum) / (2 * rate * height) - (conj(f) * df).im / norm2(f);
      };
      lambda1 = slope(sum, at.y2, top.f1, top.df1);
      lambda2 = slope(difference, at.w1, bottom.f2, bottom.df2);
      if (!(lattice.half_period - lattice.half_period == 0)) return;  // never comes back
      const auto before = quotients(-lattice.half_period);
      const Complex jump = top.f1 * conj(before.f1);
      const Quad own = atan2(jump.im, jump.re);
      turn1 = own + 2 * lattice.half_period * lambda1;
      turn2 = quotients.angle_per_turn() - own + 2 * lattice.half_period * lambda2;
    }

    /// v with sc²(v | m1) = a/b.  [DLMF 19.25.5]
    static Quad shift(Quad a, Quad b, Quad m) {
      if (a == 0) return 0;
      const Quad sn2 = a / (a + b);
      const Quad cn2 = b / (a + b);
      const Quad dn2 = cn2 + m * sn2;
      if (dn2 == 0) return complete_k(Quad(0));
      return elliptic_f(sqrt(sn2), cn2, dn2);
    }
  };

  static Complex unit(Complex c) {
    const Quad size = sqrt(norm2(c));
    return size > 0 ? (1 / size) * c : Complex{1, 0};
  }

  /// The roots of (1), each distance without cancellation: z3 by bisection; then about z0
  ///   (z − z1)(z − z2) = x² + Px − c,  x = z − z0,  c = ż0²/(2G(z3 − z0)) ≥ 0;
  /// and from (1) at the poles 2G(1 + z1)(1 + z2)(1 + z3) = (b + a)², likewise with (b − a)².
  Turning turning_points(Quad G, Quad b, Quad epsilon, Quad z0, Quad z_dot) const {
    // with y = z − 1, d = b − a, e = ε − G:  ż² = −2y(2 + y)(e − Gy) − (d − ay)²
    const Quad d = b - a_;
    const Quad e = epsilon - G;
    Turning at;
    if (d == 0) {  // y = 0 is a root
      const Quad B = 4 * G - 2 * e - a_ * a_;
      const Quad root = sqrt(max(Quad(0), B * B + 32 * G * e));
      at.s3 = max(Quad(0), B < 0 ? (root - B) / (4 * G) : 8 * e / (B + root));
    } else {
      const auto positive = [&](Quad y) {
        const Quad r = d - a_ * y;
        return -2 * y * (2 + y) * (e - G * y) - r * r > 0;
      };
      Quad low = 0;
      Quad high = 1;
      while (!positive(high)) high *= 2;
      for (Quad middle = high / 2; low < middle && middle < high; middle = (low + high) / 2)
        (positive(middle) ? high : low) = middle;
      at.s3 = high;
    }
    const Quad half = z0 - 1 + (at.s3 + 2 - e / G - a_ * a_ / (2 * G)) / 2;  // P/2
    const Quad c = z_dot * z_dot / (2 * G * (at.s3 + 1 - z0));
    const Quad far = abs(half) + sqrt(half * half + c);
    const Quad near = far > 0 ? c / far : Quad(0);
    at.below = half > 0 ? far : near;
    at.above = half > 0 ? near : far;
    at.w1 = 1 - z0 + at.below;
    at.y2 = 1 + z0 + at.above;
    at.w2 = at.s3 > 0 ? d * d / (2 * G * at.w1 * at.s3) : max(Quad(0), 1 - z0 - at.above);
    at.y1 = (b + a_) * (b + a_) / (2 * G * at.y2 * (2 + at.s3));
    return at;
  }

  /// Of a rotation; the largest component first.
  static std::array<Quad, 4> quaternion(const std::vector<Quad>& R) {
    const Quad trace = R[0] + R[4] + R[8];
    const Quad squares[] = {1 + trace, 1 + 2 * R[0] - trace, 1 + 2 * R[4] - trace,
                            1 + 2 * R[8] - trace};
    const auto k = static_cast<int>(std::max_element(squares, squares + 4) - squares);
    std::array<Quad, 4> q;
    switch (k) {
      case 0: q = {squares[0], R[7] - R[5], R[2] - R[6], R[3] - R[1]}; break;
      case 1: q = {R[7] - R[5], squares[1], R[1] + R[3], R[2] + R[6]}; break;
      case 2: q = {R[2] - R[6], R[1] + R[3], squares[2], R[5] + R[7]}; break;
      default: q = {R[3] - R[1], R[2] + R[6], R[5] + R[7], squares[3]};
    }
    const Quad size = 1 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (Quad& x : q) x *= size;
    return q;
  }

  Quad spin_, a_ = 0, u0_ = 0;
  EulerTopSolution free_;       ///< the motion without weight, or of a sleeping top
  std::optional<Orbit> orbit_;  ///< every other
  std::array<Complex, 2> phase_{Complex{1, 0}, Complex{1, 0}};
};

}  // namespace hamel
