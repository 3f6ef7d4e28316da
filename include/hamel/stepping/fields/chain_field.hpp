// SPDX-License-Identifier: BSD-3-Clause
// The equations of motion of a chain in its links, as a vector field (see gauss_stepper.hpp), O(n).
//
//   z = (d, u) or (d, u, W):  ḋ = u,  u̇ = T(λ)d + a − g e3 δ_i1,  d·u̇ + |u|² = 0.       [MATH 7.6]
// d·u is a first integral of this field everywhere, and so is the angular momentum.
#pragma once

#include "hamel/kernels/chain/chain_links.hpp"

namespace hamel {

template <class S>
class ChainField {
 public:
  explicit ChainField(const SharedChain& chain)
      : links_(chain), n_(chain->links()), forced_(chain->forced()), lambda_(index(n_)) {
    acceleration_.resize(chain->elastic() || forced_ ? index(3 * n_) : 0);
  }

  int size() const { return 6 * n_ + (forced_ ? 1 : 0); }
  static int guesses() { return 0; }

  void start(const std::vector<S>& q, const std::vector<S>& v, std::vector<S>& z) const {
    z.assign(index(size()), S(0.0));
    for (int i = 0; i < 3 * n_; ++i) {
      z[index(i)] = links_.l(i / 3) * q[index(i)];
      z[index(3 * n_ + i)] = links_.l(i / 3) * v[index(i)];
    }
  }

  bool operator()(const S* z, const S& t, S*, S* rate) noexcept {
    const S* d = z;
    const S* u = z + 3 * n_;
    S power;
    S* a = acceleration_.empty() ? nullptr : acceleration_.data();
    if (a != nullptr) links_.acceleration(d, u, t, a, power);
    if (!links_.tensions(d, u, a, lambda_.data())) return false;
    S* u_dot = rate + 3 * n_;
    for (int i = 0; i < 3 * n_; ++i) {
      rate[i] = u[i];
      u_dot[i] = a != nullptr ? a[i] : S(0.0);
    }
    u_dot[2] = u_dot[2] - links_.gravity();
    links_.add_tension(d, lambda_.data(), u_dot);  // [MATH 7.6]
    if (forced_) rate[6 * n_] = power;
    return true;
  }

  bool observe(const S* z, const S&, S* q, S* v) const noexcept {
    for (int i = 0; i < 3 * n_; ++i) {
      q[i] = z[i] / links_.l(i / 3);
      v[i] = z[3 * n_ + i] / links_.l(i / 3);
    }
    return true;
  }

  /// u −= d(d·u)/|d|²: removes round-off, which would integrate into the length.        [MATH 7.6]
  void settle(S* z) const noexcept {
    for (int i = 0; i < n_; ++i) {
      const Vec<S, 3> d = vec_at(z, i);
      const Vec<S, 3> u = vec_at(z + 3 * n_, i);
      put(z + 3 * n_, i, u - (dot(d, u) / norm2(d)) * d);
    }
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  ChainLinks<S> links_;
  int n_;
  bool forced_;
  std::vector<S> lambda_, acceleration_;
};

}  // namespace hamel
