// SPDX-License-Identifier: BSD-3-Clause
// The motion of the Euler top.
//
// Energy and momentum, 2T = Σ J_i ξ_i², M² = Σ J_i² ξ_i², D = M²/2T, moments J_s < J_b < J_l. For D
// > J_b
//   ξ_s = A_s cn u,  ξ_b = A_b sn u,  ξ_l = A_l dn u,   u = νt + u0,
//   A_s² = 2T (J_l − D)/(J_s (J_l − J_s)),  A_b² = 2T (J_l − D)/(J_b (J_l − J_b)),
//   A_l² = 2T (D − J_s)/(J_l (J_l − J_s)),  ν² = 2T (J_l − J_b)(D − J_s)/(J_s J_b J_l),
//   m = (J_b − J_s)(J_l − D)/((J_l − J_b)(D − J_s));
// for D < J_b the roles of s and l are exchanged. A body with two equal moments precesses
// uniformly. The attitude: R p is constant, and the axis d of dn turns about it at the rate
//   χ̇ = M (Σ_{i≠d} p_i²/J_i)/(Σ_{i≠d} p_i²),
// integrated by quadrature (Gauss, order 16, panels short enough for 28 digits) over one period
// 2K/ν at most; with m = 1, where there is none, until sech u has vanished. Source: L. D. Landau,
// E. M. Lifshitz, Mechanics, 3rd ed., §37.
#pragma once

#include <array>
#include <vector>

#include "hamel/core/vec.hpp"
#include "hamel/geometry/elliptic.hpp"
#include "hamel/geometry/gauss_panel.hpp"
#include "hamel/models/frame_model.hpp"

namespace hamel {

class EulerTopSolution {
  using V = Vec<Quad, 3>;

 public:
  EulerTopSolution(const std::array<Quad, 3>& J, const std::vector<Quad>& R,
                   const std::vector<Quad>& xi)
      : J_(J), R_(R), xi0_{{xi[0], xi[1], xi[2]}} {
    const V p = momentum(xi0_);
    M_ = norm(p);
    if (M_ == 0) return;
    choose_axes();
    angle_.longest = Quad(0.03) * min(J_[0], min(J_[1], J_[2])) / M_;
    if (symmetric_) angle_.first = angle_.last = 0;
    if (!symmetric_ && !steady_) set_up_elliptic();
    axes0_ = triad(p);
  }

  FrameMotion at(Quad t) const {
    if (M_ == 0) return {R_, {0, 0, 0}};
    const V xi = velocity(t);
    Quad turned = norm(xi0_) * t;
    if (!steady_) {
      const auto rate = [&](Quad time) {
        const V p = momentum(velocity(time));
        const int i = (d_ + 1) % 3;
        const int j = (d_ + 2) % 3;
        return M_ * (p[i] * p[i] / J_[index(i)] + p[j] * p[j] / J_[index(j)]) / off_axis(p);
      };
      turned = angle_(rate, t);
    }
    // The triad (t1, t2, p/M) in the body, carried to where it stands in space.
    const std::array<V, 3> axes = steady_ ? axes0_ : triad(momentum(xi));
    const Quad c = cos(turned);
    const Quad s = sin(turned);
    FrameMotion motion{std::vector<Quad>(9), {xi[0], xi[1], xi[2]}};
    for (int a = 0; a < 3; ++a) {
      const Quad e1 = in_space(axes0_[0], a);
      const Quad e2 = in_space(axes0_[1], a);
      const Quad first = c * e1 + s * e2;
      const Quad second = c * e2 - s * e1;
      const Quad third = in_space(axes0_[2], a);
      for (int b = 0; b < 3; ++b)
        motion.q[static_cast<std::size_t>(3 * a + b)] =
            first * axes[0][b] + second * axes[1][b] + third * axes[2][b];
    }
    return motion;
  }

 private:
  V momentum(const V& xi) const { return {{J_[0] * xi[0], J_[1] * xi[1], J_[2] * xi[2]}}; }

  Quad off_axis(const V& p) const {
    const int i = (d_ + 1) % 3;
    const int j = (d_ + 2) % 3;
    return p[i] * p[i] + p[j] * p[j];
  }

  Quad in_space(const V& body, int row) const {
    const auto r = static_cast<std::size_t>(3 * row);
    return R_[r] * body[0] + R_[r + 1] * body[1] + R_[r + 2] * body[2];
  }

  /// t3 = p/M, t1 the part of the axis d normal to it, t2 = t3×t1; a steady rotation about d takes
  /// the next axis for t1.
  std::array<V, 3> triad(const V& p) const {
    const V t3 = (1 / M_) * p;
    V axis{{0, 0, 0}};
    axis[steady_ ? (d_ + 1) % 3 : d_] = 1;
    V t1 = axis - dot(axis, t3) * t3;
    t1 = (1 / norm(t1)) * t1;
    return {t1, cross(t3, t1), t3};
  }

  /// b between the others; d the axis of dn, c that of cn; or d the axis of symmetry, or that of a
  /// steady rotation.
  void choose_axes() {
    for (int i = 0; i < 3; ++i)
      if (xi0_[(i + 1) % 3] == 0 && xi0_[(i + 2) % 3] == 0) {
        steady_ = true;
        d_ = i;
        return;
      }
    for (int i = 0; i < 3; ++i)
      if (J_[index((i + 1) % 3)] == J_[index((i + 2) % 3)]) {
        symmetric_ = true;
        d_ = i;
        return;
      }
    int smallest = 0;
    int largest = 0;
    for (int i = 1; i < 3; ++i) {
      if (J_[index(i)] < J_[index(smallest)]) smallest = i;
      if (J_[index(i)] > J_[index(largest)]) largest = i;
    }
    b_ = 3 - smallest - largest;
    const V p = momentum(xi0_);
    twice_energy_ = dot(p, xi0_);
    D_ = M_ * M_ / twice_energy_;
    d_ = D_ >= J_[index(b_)] ? largest : smallest;
    c_ = 3 - b_ - d_;
  }

  void set_up_elliptic() {
    const Quad Jb = J_[index(b_)];
    const Quad Jc = J_[index(c_)];
    const Quad Jd = J_[index(d_)];
    const Quad T2 = twice_energy_;
    A_c_ = sqrt(T2 * max(Quad(0), (Jd - D_) / (Jc * (Jd - Jc))));
    A_b_ = sqrt(T2 * max(Quad(0), (Jd - D_) / (Jb * (Jd - Jb))));
    A_d_ = sqrt(T2 * (D_ - Jc) / (Jd * (Jd - Jc)));
    nu_ = sqrt(T2 * (Jd - Jb) * (D_ - Jc) / (Jb * Jc * Jd));
    const Quad m = (Jb - Jc) * (Jd - D_) / ((Jd - Jb) * (D_ - Jc));
    // 1 − m without cancellation
    const Quad m1 = (Jd - Jc) * (D_ - Jb) / ((Jd - Jb) * (D_ - Jc));
    jacobi_ = JacobiFunctions<Quad>(max(Quad(0), m), max(Quad(0), m1));
    if (xi0_[d_] < 0) A_d_ = -A_d_;
    // J_b ξ̇_b = (J_j − J_k) ξ_j ξ_k for (b, j, k) cyclic fixes the sign of sn
    const int j = (b_ + 1) % 3;
    const int k = (b_ + 2) % 3;
    if ((J_[index(j)] - J_[index(k)]) * A_d_ < 0) A_b_ = -A_b_;
    if (A_c_ == 0) {  // a steady rotation: the phase does not matter
      angle_.first = angle_.last = 0;
      return;
    }
    const Quad sn = A_b_ == 0 ? 0 : xi0_[b_] / A_b_;
    const Quad cn = xi0_[c_] / A_c_;
    const Quad dn = xi0_[d_] / A_d_;
    const Quad u = elliptic_f(sn, cn * cn, dn * dn);
    u0_ = cn >= 0 ? u : 2 * jacobi_.quarter_period() - u;
    angle_.period = 2 * jacobi_.quarter_period() / nu_;
    if (m1 > 0) return;
    constexpr int settled = 45;  // sech² u < 1e-38
    angle_.first = (-settled - u0_) / nu_;
    angle_.last = (settled - u0_) / nu_;
  }

  V velocity(Quad t) const {
    if (steady_) return xi0_;
    V xi;
    if (symmetric_) {
      const int i = (d_ + 1) % 3;
      const int j = (d_ + 2) % 3;
      const Quad rate = (J_[index(d_)] - J_[index(i)]) / J_[index(i)] * xi0_[d_];
      const Quad c = cos(rate * t);
      const Quad s = sin(rate * t);
      xi[d_] = xi0_[d_];
      xi[i] = c * xi0_[i] - s * xi0_[j];
      xi[j] = s * xi0_[i] + c * xi0_[j];
      return xi;
    }
    const auto [sn, cn, dn] = jacobi_(nu_ * t + u0_);
    xi[b_] = A_b_ * sn;
    xi[c_] = A_c_ * cn;
    xi[d_] = A_d_ * dn;
    return xi;
  }

  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  std::array<Quad, 3> J_;
  std::vector<Quad> R_;
  V xi0_;
  Quad M_ = 0, twice_energy_ = 0, D_ = 0, nu_ = 0, u0_ = 0, A_b_ = 0, A_c_ = 0, A_d_ = 0;
  int b_ = 0, c_ = 1, d_ = 2;
  bool symmetric_ = false;
  bool steady_ = false;
  JacobiFunctions<Quad> jacobi_{0, 1};
  std::array<V, 3> axes0_{};
  mutable LongIntegral<Quad> angle_;
};

}  // namespace hamel
