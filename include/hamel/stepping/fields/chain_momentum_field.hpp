// SPDX-License-Identifier: BSD-3-Clause
// The equations of motion of a chain in (q, π), as a vector field (see gauss_stepper.hpp), O(n).
//
//   π_i = l_i q_i×P_i, P_i = Σ_{k≥i} m_k ẋ_k;  k_i = 1/m_i (k_0 = 0),  c_i = k_i + k_{i−1};
//   p_i = (π_i×q_i)/l_i + s_i q_i,  u_i = c_i p_i − k_i p_{i+1} − k_{i−1}p_{i−1},  u_i·q_i = 0;
//   q̇_i = u_i |q_i|²/l_i,  π̇_i = −q_i (u_i·π_i)/l_i − s_i q_i×u_i − G_i q_i×e3,
//   G_i = g l_i Σ_{k≥i} m_k.                                                             [MATH 7.6]
// These are the equations of H = ½ Σ p_i·u_i + Σ G_i q_i·e3 in all of space, without the 1/|q|²
// that D3's H has there: one tridiagonal system for s, no other division. On the spheres p_i = P_i
// and u_i is the velocity of link i. |q_i|², q_i·π_i and Σ π_i·e3 are quadratic first integrals
// everywhere.
#pragma once

#include "hamel/kernels/chain/chain_links.hpp"

namespace hamel {

template <class S>
class ChainMomentumField {
 public:
  /// Precondition: gravity alone acts on the chain.
  explicit ChainMomentumField(const SharedChain& chain)
      : links_(chain), n_(chain->links()), s_(index(n_)), p_(index(3 * n_)), w_(index(n_)) {
    S below = S(0.0);  // Σ_{k≥i} m_k
    weight_.resize(index(n_));
    inverse_l_.resize(index(n_));
    for (int i = n_ - 1; i >= 0; --i) {
      below = below + links_.m(i);
      weight_[index(i)] = links_.gravity() * links_.l(i) * below;
      inverse_l_[index(i)] = S(1.0) / links_.l(i);
    }
  }

  int size() const { return 6 * n_; }
  static int guesses() { return 0; }
  /// G_i and 1/l_i.
  const std::vector<S>& weights() const { return weight_; }
  const std::vector<S>& inverse_lengths() const { return inverse_l_; }

  void start(const std::vector<S>& q, const std::vector<S>& v, std::vector<S>& z) const {
    z = q;
    z.resize(index(size()));
    // Forwards the masses' velocities, backwards what they add up to.
    Vec<S, 3> velocity{{S(0.0), S(0.0), S(0.0)}};
    S* const pi = z.data() + 3 * n_;
    for (int i = 0; i < n_; ++i) {
      velocity = velocity + links_.l(i) * vec_at(v.data(), i);
      put(pi, i, links_.m(i) * velocity);
    }
    Vec<S, 3> momentum{{S(0.0), S(0.0), S(0.0)}};
    for (int i = n_ - 1; i >= 0; --i) {
      momentum = momentum + vec_at(pi, i);
      put(pi, i, links_.l(i) * cross(vec_at(q.data(), i), momentum));
    }
  }

  bool operator()(const S* z, const S&, S*, S* rate) noexcept {
    if (!velocities(z, rate)) return false;
    const S* const pi = z + 3 * n_;
    for (int i = 0; i < n_; ++i) {
      const Vec<S, 3> q = vec_at(z, i);
      const Vec<S, 3> u = vec_at(rate, i);
      const S inverse = inverse_l_[index(i)];
      Vec<S, 3> torque = -((inverse * dot(u, vec_at(pi, i))) * q) - s_[index(i)] * cross(q, u);
      torque[0] = torque[0] - weight_[index(i)] * q[1];
      torque[1] = torque[1] + weight_[index(i)] * q[0];
      put(rate + 3 * n_, i, torque);  // [MATH 7.6]
      put(rate, i, (inverse * norm2(q)) * u);
    }
    return true;
  }

  bool observe(const S* z, const S&, S* q, S* v) noexcept {
    if (!velocities(z, v)) return false;
    for (int i = 0; i < n_; ++i) {
      const Vec<S, 3> direction = vec_at(z, i);
      const Vec<S, 3> velocity = inverse_l_[index(i)] * vec_at(v, i);
      // Without the round-off of the solution along q.
      put(v, i, velocity - (dot(direction, velocity) / norm2(direction)) * direction);
      put(q, i, direction);
    }
    return true;
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  /// u, and s on the way; false where the matrix is singular.
  bool velocities(const S* z, S* u) noexcept {
    const S* const pi = z + 3 * n_;
    for (int i = 0; i < n_; ++i)
      put(p_.data(), i, inverse_l_[index(i)] * cross(vec_at(pi, i), vec_at(z, i)));
    for (int i = 0; i < n_; ++i) {
      const Vec<S, 3> q = vec_at(z, i);
      S right = S(0.0);
      if (i > 0) right = right - links_.k[index(i - 1)] * dot(vec_at(p_.data(), i - 1), q);
      if (i + 1 < n_) right = right - links_.k[index(i)] * dot(vec_at(p_.data(), i + 1), q);
      s_[index(i)] = right;
    }
    ChainWork<S> work{};
    work.right = s_.data();
    work.w = w_.data();
    if (!chain_solve<true>(links_, n_, z, z, S(1.0), work,
                           [&](int i, const S& x) { s_[index(i)] = x; }))
      return false;
    Vec<S, 3> before{{S(0.0), S(0.0), S(0.0)}};  // k_{i−1}(p_{i−1} − p_i)
    Vec<S, 3> own = vec_at(p_.data(), 0) + s_[0] * vec_at(z, 0);
    for (int i = 0; i < n_; ++i) {
      Vec<S, 3> next{{S(0.0), S(0.0), S(0.0)}};
      if (i + 1 < n_) next = vec_at(p_.data(), i + 1) + s_[index(i + 1)] * vec_at(z, i + 1);
      const Vec<S, 3> after = links_.k[index(i)] * (own - next);
      put(u, i, after - before);  // [MATH 7.6]
      before = after;
      own = next;
    }
    return true;
  }

  ChainLinks<S> links_;
  int n_;
  std::vector<S> s_, p_, w_, weight_, inverse_l_;
};

}  // namespace hamel
