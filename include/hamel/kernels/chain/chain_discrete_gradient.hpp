// SPDX-License-Identifier: BSD-3-Clause
// The discrete gradient of a chain's energy between two states (q, π), and the increments it gives.
//
// H from p_i = ∂T/∂(l_i q̇_i) = −(q_i×π_i)/l_i + s_i q_i, where s makes link velocities tangent:
//   c_i s_i − k_i D_i s_{i+1} − k_{i−1}D_{i−1}s_{i−1} = −b_i,  A s = −b,  T = ½a + ½b·s;
//   k_i = 1/m_i, c_i = k_i + k_{i−1}, k_0 = 0, D_i = q_i·q_{i+1}; a, b polynomials of (q, π), and
//   ΔT = ½Δa + s̄·Δb + ½ s⁰ᵀΔA s¹ (0, 1: the ends; bar: their mean).
// Each product of two is then split by Δ(xy) = x_mΔy + y_mΔx, each triple product by
//   Δ det = Σ (a_m×b_m)·Δc + ¼ det(Δa, Δb, Δc), the last determinant expanded along e3, which keeps
// J3: this is PD. It is the whole step of one link. For more, PB takes the gradient at the midpoint
// instead and corrects it. ΔH does not see the correction, which is skew; nor does ζ, to which v
// and y are orthogonal:
//   ∇̄H = PD + (v yᵀ − y vᵀ)Δz/d,  v = ∇H(z_m) − PD,  y = B(Δz − ζ ζᵀBΔz/ζᵀBζ),
//   d = y·Δz + ε ΔzᵀBΔz;  near relative equilibria, where y·Δz vanishes, it becomes PD.
// Elastic terms are bilinear: their discrete gradient is the one at the midpoint.
//
// Gauge: X + μ q_m and (X, W) + λ(π_m, q_m) give the same step. Sweeps converge fastest with
// the part that ∇H itself has, q_m·X = −W·π_m and q_m·W = 0 (half of it, −½W·π_m, gives the same
// step with up to 40 % more sweeps on whirling chains).
// B = diag(1, c_i/(l_i²G_i)) with G_i the stiffness of link i, its weight and elastic terms; where
// link i has none, the largest of all; where no link has any (g = 0), T, which is then the energy.
// Without gravity the full angular momentum is a symmetry, but for n > 1 the step keeps J3 only: PD
// singles out e3. A clamp along another axis leaves no J3 to keep; energy, |q| and q·π stay exact.
#pragma once

#include <array>
#include <iterator>
#include <utility>
#include <vector>

#include "hamel/core/vec.hpp"
#include "hamel/kernels/chain/chain_planes.hpp"
#include "hamel/models/chain.hpp"

// The turns of the loop that follows do not depend on each other: GCC may take several at once.
#if defined(__GNUC__) && !defined(__clang__)
#define HAMEL_INDEPENDENT _Pragma("GCC ivdep")
#else
#define HAMEL_INDEPENDENT
#endif

namespace hamel {

/// z = (q_x[n], q_y[n], q_z[n], π_x[n], …).
template <class S>
class ChainDiscreteGradient {
 public:
  using Vector = Vec<S, 3>;

  explicit ChainDiscreteGradient(const Chain& chain) : n_(chain.links()) {
    allocate();
    S below = S(0.0);
    S largest = S(0.0);
    for (int i = n_ - 1; i >= 0; --i) {
      const std::size_t at = index(i);
      const bool pair = i + 1 < n_;
      const S l = S(chain.lengths[at]);
      const S k = S(1.0) / S(chain.masses[at]);
      mass_[i] = S(chain.masses[at]);
      length_[i] = l;
      inverse_l_[i] = S(1.0) / l;
      c_[i] = i > 0 ? k + S(1.0) / S(chain.masses[at - 1]) : k;
      own_[i] = c_[i] / (l * l);
      below = below + mass_[i];
      force_.z[i] = S(chain.gravity) * l * below;  // G_i
      S stiffness = abs(force_.z[i]);
      if (pair) {
        k_[i] = k;
        k_over_l_[i] = k / l;
        k_over_next_[i] = k / length_[i + 1];
        kappa_[i] = k / (l * length_[i + 1]);
      }
      if (!chain.bending.empty()) {
        if (pair) bending_[i] = S(chain.bending[at]);
        stiffness = stiffness + abs(bending_[i]);
        if (i > 0) stiffness = stiffness + abs(S(chain.bending[at - 1]));
      }
      if (i == 0) {
        const Vector clamp = S(chain.clamp) * cast<S>(chain.axis);
        force_.set(0, force_(0) - clamp);
        stiffness = stiffness + abs(S(chain.clamp));
      }
      weight_[i] = stiffness;
      largest = max(largest, stiffness);
    }
    free_ = largest == S(0.0);
    for (int i = 0; i < n_ && !free_; ++i)
      weight_[i] = own_[i] / (weight_[i] > S(0.0) ? weight_[i] : largest);
  }

  ChainDiscreteGradient(const ChainDiscreteGradient&) = delete;  // planes point into scratch_
  ChainDiscreteGradient& operator=(const ChainDiscreteGradient&) = delete;

  /// Takes z as the start, with s⁰ of the actual state, and returns the square of its size.
  S begin(const S* z) noexcept {
    const int n = n_;
    HAMEL_INDEPENDENT
    for (int i = 0; i < n; ++i) {
      const Vector q{{z[i], z[n + i], z[2 * n + i]}};
      const Vector pi{{z[3 * n + i], z[4 * n + i], z[5 * n + i]}};
      q_end_.set(i, q);
      pi_end_.set(i, pi);
      y_end_.set(i, cross(q, pi));
      dq_.set(i, zero());
      dpi_.set(i, zero());
    }
    end_products();
    for (int i = 0; i < n; ++i) end_.down(i);
    for (int i = n - 1; i >= 0; --i) end_.up(i);
    std::swap(start_, end_);
    if (free_) {  // T = ½a + ½b·s
      S T = S(0.0);
      for (int i = 0; i < n; ++i)
        T = T + S(0.5) * own_[i] * norm2(pi_end_(i)) -
            kappa_[i] * (start_.qq[i] * start_.pp[i] - start_.pq[i] * start_.qp[i]) +
            S(0.5) * start_.s[i] * (start_.f[i - 1] + start_.g[i]);
      for (int i = 0; i < n; ++i) weight_[i] = T > S(0.0) ? own_[i] / T : own_[i];
    }
    S scale = S(n);
    for (int i = 0; i < n; ++i) scale = scale + weight_[i] * norm2(pi_end_(i));
    return scale;
  }

  /// Δz of (X, W), and the square of its change.
  S sweep(const S* z, const S& h) noexcept {
    const int n = n_;
    const S half_h = S(0.5) * h;
    HAMEL_INDEPENDENT
    for (int i = 0; i < n; ++i) {
      const Vector q{{z[i], z[n + i], z[2 * n + i]}};
      const Vector pi{{z[3 * n + i], z[4 * n + i], z[5 * n + i]}};
      const Vector A = half_h * W_(i);  // [MATH 7.3]: dq, then q_m, r, dπ
      const S N = S(2.0) / (S(1.0) + norm2(A));
      const Vector Aq = cross(A, q);
      const Vector dq = N * (Aq + cross(A, Aq));
      const Vector q_m = q + S(0.5) * dq;
      const Vector r = cross(A, pi) + half_h * cross(X_(i), q_m);
      const Vector dpi = N * (r + cross(A, r) + dot(A, r) * A);
      const Vector pi_m = pi + S(0.5) * dpi;
      change_[i] = norm2(dq - dq_(i)) + weight_[i] * norm2(dpi - dpi_(i));
      dq_.set(i, dq);
      dpi_.set(i, dpi);
      q_m_.set(i, q_m);
      pi_m_.set(i, pi_m);
      q_end_.set(i, q + dq);
      pi_end_.set(i, pi + dpi);
      y_end_.set(i, cross(q + dq, pi + dpi));
      const S q2 = norm2(q_m);
      const Vector y = cross(q_m, pi_m);
      inverse_q2_[i] = S(1.0) / q2;
      middle_.diagonal[i] = c_[i] * q2;
      y_m_.set(i, (inverse_q2_[i] * inverse_l_[i]) * y);  // (q×π)/(l|q|²)
      bracket_.set(i, {{y[0], y[1], y[2] + S(0.25) * (dq[0] * dpi[1] - dq[1] * dpi[0])}});
    }
    S change = S(0.0);
    for (int i = 0; i < n; ++i) change = change + change_[i];
    return change;
  }

  /// The link that the last sweep changed most.
  int worst_link() const {
    int worst = 0;
    for (int i = 1; i < n_; ++i)
      if (!(change_[i] <= change_[worst])) worst = i;
    return worst;
  }

  /// The discrete gradient (X, W) between z and z + Δz.
  void gradient() noexcept {
    const int n = n_;
    if (n == 1) {  // PD is W = c π_m/l², X = ∂U  [MATH 7.3], the step of [MATH 5.2]
      W_.set(0, own_[0] * pi_m_(0));
      X_.set(0, force_(0));
      return;
    }
    end_products();
    HAMEL_INDEPENDENT
    for (int i = 0; i < n; ++i) {
      const Vector q_i = q_m_(i), q_j = q_m_(i + 1);
      middle_.e[i] = k_[i] * dot(q_i, q_j);
      middle_.f[i] = k_[i] * dot(y_m_(i), q_j);
      middle_.g[i] = k_[i] * dot(y_m_(i + 1), q_i);
    }
    for (int i = 0; i < n; ++i) {
      end_.down(i);
      middle_.down(i);
    }
    for (int i = n - 1; i >= 0; --i) {
      end_.up(i);
      middle_.up(i);
    }
    coefficients();
    pd_and_difference();
    S v_dz = S(0.0), dz_dz = S(0.0), zeta_dz = S(0.0), zeta_zeta = S(0.0);
    for (int i = 0; i < n; ++i) {
      v_dz = v_dz + v_dz_[i];
      dz_dz = dz_dz + dz_dz_[i];
      zeta_dz = zeta_dz + zeta_dz_[i];
      zeta_zeta = zeta_zeta + zeta_zeta_[i];
    }
    S eta = S(0.0), theta = S(0.0), phi = S(0.0);  // PD where Δz = 0 or ζ = 0, or nearly
    const S underflow = S(1e-280);
    if (dz_dz > underflow && zeta_zeta > underflow) {
      eta = zeta_dz / zeta_zeta;
      const S y_dz = dz_dz - eta * zeta_dz;
      const S d = y_dz + epsilon * dz_dz;  // [MATH 7.3]
      theta = y_dz / d;
      phi = v_dz / d;
    }
    combine(eta, theta, phi);
  }

  /// q and q̇ of a state z; false where they are not finite.
  bool velocities(const S* z, S* q, S* v) noexcept {
    begin(z);
    bool finite = true;
    for (int i = 0; i < n_; ++i) p_.set(i, start_.s[i] * q_end_(i) - inverse_l_[i] * y_end_(i));
    for (int i = 0; i < n_; ++i) {
      const Vector q_i = q_end_(i);
      const Vector u = link_velocity(i);
      const Vector q_dot = inverse_l_[i] * (u - (dot(u, q_i) / norm2(q_i)) * q_i);  // W×q
      for (int c = 0; c < 3; ++c) {
        q[3 * i + c] = q_i[c];
        v[3 * i + c] = q_dot[c];
        finite = finite && q_dot[c] - q_dot[c] == S(0.0);
      }
    }
    return finite;
  }

  /// (W, X) and (Δq, Δπ), plane by plane.
  std::array<S*, 6> gradient_planes() const { return {W_.x, W_.y, W_.z, X_.x, X_.y, X_.z}; }
  std::array<const S*, 6> increment_planes() const {
    return {dq_.x, dq_.y, dq_.z, dpi_.x, dpi_.y, dpi_.z};
  }
  const S& mass(int i) const { return mass_[i]; }
  const S& length(int i) const { return length_[i]; }

 private:
  static constexpr S epsilon = S(0.01);

  using Plane = S*;
  using Field = ChainVectors<S>;
  using Tridiagonal = ChainTridiagonal<S>;
  using End = ChainEnd<S>;

  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  static Vector zero() { return {{S(0.0), S(0.0), S(0.0)}}; }

  void allocate() {
    Field* const fields[] = {&W_,     &X_,      &v_W_,   &v_X_, &dq_,      &dpi_, &q_m_,  &pi_m_,
                             &q_end_, &pi_end_, &y_end_, &y_m_, &bracket_, &p_,   &force_};
    Plane* const planes[] = {&mass_,         &length_,    &inverse_l_, &c_,
                             &own_,          &k_,         &k_over_l_,  &k_over_next_,
                             &kappa_,        &bending_,   &weight_,    &inverse_q2_,
                             &alpha_,        &beta_,      &g_qq_,      &g_pp_,
                             &g_pq_,         &g_qp_,      &v_dz_,      &dz_dz_,
                             &zeta_dz_,      &zeta_zeta_, &change_,    &middle_.diagonal,
                             &middle_.e,     &middle_.f,  &middle_.g,  &middle_.pivot,
                             &middle_.right, &middle_.s};
    const std::size_t stride = index(n_) + 2;
    scratch_.assign((3 * std::size(fields) + std::size(planes) + 2 * 10) * stride, S(0.0));
    S* next = scratch_.data() + 1;
    const auto plane = [&] {
      S* const here = next;
      next += stride;
      return here;
    };
    for (Field* f : fields) *f = {plane(), plane(), plane()};
    for (Plane* p : planes) *p = plane();
    for (End* end : {&start_, &end_})
      *end = {{c_, plane(), plane(), plane(), plane(), plane(), plane()},
              plane(),
              plane(),
              plane(),
              plane()};
  }

  Vector link_velocity(int i) const {  // u_i = c_i p_i − k_i p_{i+1} − k_{i−1} p_{i−1}
    return c_[i] * p_(i) - k_[i] * p_(i + 1) - k_[i - 1] * p_(i - 1);
  }

  /// The products and s of one end, of which q_end_, pi_end_, y_end_ are set.
  void end_products() noexcept {
    HAMEL_INDEPENDENT
    for (int i = 0; i < n_; ++i) {
      const Vector q_i = q_end_(i), q_j = q_end_(i + 1), pi_i = pi_end_(i), pi_j = pi_end_(i + 1);
      end_.qq[i] = dot(q_i, q_j);
      end_.pp[i] = dot(pi_i, pi_j);
      end_.pq[i] = dot(pi_i, q_j);
      end_.qp[i] = dot(q_i, pi_j);
      end_.e[i] = k_[i] * end_.qq[i];
      end_.f[i] = k_over_l_[i] * dot(y_end_(i), q_j);         // to b_j  [MATH 7.3]
      end_.g[i] = k_over_next_[i] * dot(y_end_(i + 1), q_i);  // to b_i  [MATH 7.3]
    }
  }

  /// α, β and γ of PD for every pair; p of ∇H at the midpoint.
  void coefficients() noexcept {
    const S half = S(0.5);
    HAMEL_INDEPENDENT
    for (int i = 0; i < n_; ++i) {
      const S s0_i = start_.s[i], s0_j = start_.s[i + 1], s1_i = end_.s[i], s1_j = end_.s[i + 1];
      const S kappa = half * kappa_[i];
      alpha_[i] = half * k_over_l_[i] * (s0_j + s1_j);    // [MATH 7.3]
      beta_[i] = half * k_over_next_[i] * (s0_i + s1_i);  // [MATH 7.3]
      g_qq_[i] = -kappa * (start_.pp[i] + end_.pp[i]) -   // γqq  [MATH 7.3]
                 half * k_[i] * (s0_i * s1_j + s1_i * s0_j);
      g_pp_[i] = -kappa * (start_.qq[i] + end_.qq[i]);  // γππ  [MATH 7.3]
      g_qp_[i] = kappa * (start_.pq[i] + end_.pq[i]);   // γqπ  [MATH 7.3]
      g_pq_[i] = kappa * (start_.qp[i] + end_.qp[i]);   // γπq  [MATH 7.3]
      p_.set(i, middle_.s[i] * q_m_(i) - y_m_(i));      // [MATH 7.3]
    }
  }

  /// PD into (X, W), without the potential, which is the same in ∇H; v = ∇H(z_m) − PD; and the
  /// links' parts of v·Δz, ΔzᵀBΔz, ζᵀBΔz, ζᵀBζ.
  /// The terms of the pairs (i, i + 1) and (i − 1, i) are taken together: with
  /// R = α_i q_{i+1} + β_{i−1} q_{i−1},  α[π_i,q_j] − β[q_i,π_j] → [π_i, R],
  /// −α[q_i,q_j], +β[q_{i−1},q_i] → −[q_i, R].
  void pd_and_difference() noexcept {
    const S quarter = S(0.25);
    HAMEL_INDEPENDENT
    for (int i = 0; i < n_; ++i) {
      const Vector q = q_m_(i), pi = pi_m_(i), dq = dq_(i), dpi = dpi_(i);
      const Vector q_up = q_m_(i - 1), q_down = q_m_(i + 1);
      const Vector pi_up = pi_m_(i - 1), pi_down = pi_m_(i + 1);
      const Vector R = alpha_[i] * q_down + beta_[i - 1] * q_up;
      const S change_x = alpha_[i] * dq_.x[i + 1] + beta_[i - 1] * dq_.x[i - 1];
      const S change_y = alpha_[i] * dq_.y[i + 1] + beta_[i - 1] * dq_.y[i - 1];
      Vector X = g_qq_[i] * q_down + g_qq_[i - 1] * q_up + g_qp_[i] * pi_down +
                 g_pq_[i - 1] * pi_up + beta_[i] * bracket_(i + 1) +
                 alpha_[i - 1] * bracket_(i - 1) + cross(pi, R);  // PD: X  [MATH 7.3]
      Vector W = own_[i] * pi + g_pp_[i] * pi_down + g_pp_[i - 1] * pi_up + g_pq_[i] * q_down +
                 g_qp_[i - 1] * q_up - cross(q, R);  // PD: W  [MATH 7.3]
      X[2] = X[2] + quarter * (dpi[0] * change_y - dpi[1] * change_x);
      W[2] = W[2] - quarter * (dq[0] * change_y - dq[1] * change_x);

      // ∇H, whose part along q_m is left to the gauge.                                  [MATH 7.3]
      const Vector u = link_velocity(i);
      const S inverse = inverse_q2_[i] * inverse_l_[i];
      const Vector v_W = inverse * cross(q, u) - W;
      const Vector v_X = middle_.s[i] * u - inverse * cross(pi, u) - X;
      W_.set(i, W);
      X_.set(i, X);
      v_W_.set(i, v_W);
      v_X_.set(i, v_X);

      const S b = weight_[i];
      v_dz_[i] = dot(v_X, dq) + dot(v_W, dpi);
      dz_dz_[i] = norm2(dq) + b * norm2(dpi);
      zeta_dz_[i] = (q[0] * dq[1] - q[1] * dq[0]) + b * (pi[0] * dpi[1] - pi[1] * dpi[0]);
      zeta_zeta_[i] = (q[0] * q[0] + q[1] * q[1]) + b * (pi[0] * pi[0] + pi[1] * pi[1]);
    }
  }

  /// PB = PD + θ v − φ y, y = B(Δz − η ζ), in its gauge and with the potential.
  void combine(const S& eta, const S& theta, const S& phi) noexcept {
    HAMEL_INDEPENDENT
    for (int i = 0; i < n_; ++i) {
      const Vector q = q_m_(i), pi = pi_m_(i), dq = dq_(i), dpi = dpi_(i);
      const Vector y_q{{dq[0] + eta * q[1], dq[1] - eta * q[0], dq[2]}};
      const Vector y_pi{{dpi[0] + eta * pi[1], dpi[1] - eta * pi[0], dpi[2]}};
      Vector X = X_(i) + theta * v_X_(i) - phi * y_q;                  // PB  [MATH 7.3]
      Vector W = W_(i) + theta * v_W_(i) - (phi * weight_[i]) * y_pi;  // PB  [MATH 7.3]
      const S lambda = dot(W, q) * inverse_q2_[i];                     // gauge  [MATH 7.3]
      W -= lambda * q;
      X -= lambda * pi;
      X -= ((dot(q, X) + dot(W, pi)) * inverse_q2_[i]) * q;
      W_.set(i, W);
      X_.set(i, X + force_(i) - bending_[i] * q_m_(i + 1) - bending_[i - 1] * q_m_(i - 1));
    }
  }

  int n_;
  bool free_ = false;  // no potential at all
  std::vector<S> scratch_;
  // Of the chain: k, k/l, κ, bending of the pair i, i + 1, zero for the last link; own = c/l².
  Plane mass_, length_, inverse_l_, c_, own_, k_, k_over_l_, k_over_next_, kappa_, bending_;
  Plane weight_;  // B's part for π
  Field force_;   // ∂U/∂q_i but for bending
  Field W_, X_;   // the discrete gradient
  Field dq_, dpi_, q_m_, pi_m_;
  Field q_end_, pi_end_, y_end_;  // of z + Δz; y = q×π
  Field y_m_, bracket_, p_;       // q_m×π_m/(l|q_m|²), [q, π], p at the midpoint
  Field v_W_, v_X_;               // ∇H − PD
  Plane inverse_q2_, alpha_, beta_, g_qq_, g_pp_, g_pq_, g_qp_;
  Plane v_dz_, dz_dz_, zeta_dz_, zeta_zeta_, change_;
  Tridiagonal middle_;
  End start_, end_;
};

}  // namespace hamel

#undef HAMEL_INDEPENDENT
