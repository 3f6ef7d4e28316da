// SPDX-License-Identifier: BSD-3-Clause
// A chain in its links: forces, energy, momentum, all O(n), for the kernels and for looking at it.
//
//   d_i = l_i q_i,  u_i = ḋ_i,  k_i = 1/m_i (k_0 = 0),  c_i = k_i + k_{i−1};
//   (T(λ)d)_i = −c_i λ_i d_i + k_i λ_{i+1} d_{i+1} + k_{i−1} λ_{i−1} d_{i−1}.         [MATH 7.2]
// λ_i l_i is the tension of link i, so T(λ)d is what tensions do to ü. Force on mass i is F_i, its
// effect on ü_i is k_i F_i − k_{i−1}F_{i−1}; a force φ_i paired with δd_i acts on the masses as
// F_i = φ_i − φ_{i+1}. Gravity and the base's acceleration, the same for all masses, act on link 1
// only.
#pragma once

#include <utility>
#include <vector>

#include "hamel/core/vec.hpp"
#include "hamel/kernels/chain/chain_passes.hpp"
#include "hamel/models/chain.hpp"

namespace hamel {

/// The constants of a chain in scalar S, and what acts on it. Lists d, u of vectors are whatever
/// vec_at(list, i) reads: numbers, or something that computes them.
template <class S>
class ChainLinks {
 public:
  explicit ChainLinks(SharedChain chain)
      : chain_(std::move(chain)), n_(chain_->links()), drive_(chain_->drive) {
    const std::size_t n = index(n_);
    k.resize(n);
    inverse_l2_.resize(n);
    for (int i = 0; i < n_; ++i) {
      k[index(i)] = S(1.0) / m(i);
      inverse_l2_[index(i)] = S(1.0) / l2(i);
    }
    upper_.resize(n);
    if (chain_->elastic() || chain_->forced()) force_.resize(n);
    if (chain_->damped()) omega_.resize(n);
  }

  int links() const { return n_; }
  /// The outer influences at a time; the chain has some.
  ChainDrive drive(double t) { return drive_(t); }
  const Chain& chain() const { return *chain_; }
  S gravity() const { return S(chain_->gravity); }

  /// What acts on ü besides gravity and tension: false where nothing does, a is not touched then.
  /// Power: of the forces that are not derived from a potential, Σ F·ẋ. O(n).
  template <class D, class U>
  bool acceleration(const D& d, const U& u, const S& t, S* a, S& power) noexcept {
    power = S(0.0);
    if (!chain_->elastic() && !chain_->forced()) return false;
    const Vec<S, 3> zero{{S(0.0), S(0.0), S(0.0)}};
    for (int i = 0; i < n_; ++i) force_[index(i)] = zero;
    if (chain_->elastic()) elastic(d);
    for (int i = 0; i < n_; ++i) put(a, i, on_link(i));
    if (!chain_->forced()) return true;
    for (int i = 0; i < n_; ++i) force_[index(i)] = zero;
    Vec<S, 3> base = zero;
    Vec<S, 3> base_velocity = zero;
    if (drive_) {
      const ChainDrive now = drive_(static_cast<double>(t));
      base = cast<S>(now.base_acceleration);
      base_velocity = cast<S>(now.base_velocity);
      force_[index(n_ - 1)] = cast<S>(now.tip_force);
      link_force(0,
                 (S(1.0) / l2(0)) * cross(cast<S>(now.base_torque), vec_at(d, 0)));  // [MATH 6.2]
    }
    if (chain_->joint_damping != 0.0) damping(d, u);
    if (chain_->air_drag != 0.0) {
      Vec<S, 3> velocity = base_velocity;
      for (int i = 0; i < n_; ++i) {
        velocity = velocity + vec_at(u, i);
        force_[index(i)] = force_[index(i)] - (S(chain_->air_drag) * norm(velocity)) * velocity;
      }
    }
    Vec<S, 3> velocity = zero;
    for (int i = 0; i < n_; ++i) {
      put(a, i, vec_at(a, i) + on_link(i));
      velocity = velocity + vec_at(u, i);
      power = power + dot(force_[index(i)] - m(i) * base, velocity);
    }
    put(a, 0, vec_at(a, 0) - base);
    return true;
  }

  /// λ such that d_i·ü_i + |u_i|² = 0 for ü = T(λ)d + a − g e3 δ_i1; a may be null. False where the
  /// matrix is singular. O(n).                                          [MATH 7.2] [MATH 7.6]
  template <class D, class U>
  bool tensions(const D& d, const U& u, const S* a, S* lambda) noexcept {
    for (int i = 0; i < n_; ++i) {
      lambda[i] = -norm2(vec_at(u, i));
      if (a != nullptr) lambda[i] = lambda[i] - dot(vec_at(d, i), vec_at(a, i));
    }
    lambda[0] = lambda[0] + gravity() * vec_at(d, 0)[2];
    ChainWork<S> work{};
    work.right = lambda;
    work.w = upper_.data();
    return chain_solve<true>(*this, n_, d, d, S(1.0), work,
                             [&](int i, const S& x) { lambda[i] = x; });
  }

  /// out_i += (T(λ)d)_i.                                                               [MATH 7.2]
  void add_tension(const S* d, const S* lambda, S* out) const noexcept {
    Vec<S, 3> before{{S(0.0), S(0.0), S(0.0)}};  // k_{i−1}(λ_i d_i − λ_{i−1}d_{i−1})
    Vec<S, 3> own = lambda[0] * vec_at(d, 0);
    for (int i = 0; i < n_; ++i) {
      Vec<S, 3> next{{S(0.0), S(0.0), S(0.0)}};
      if (i + 1 < n_) next = lambda[i + 1] * vec_at(d, i + 1);
      const Vec<S, 3> after = k[index(i)] * (next - own);
      put(out, i, vec_at(out, i) + (after - before));
      before = after;
      own = next;
    }
  }

  struct Measured {
    S energy;
    Vec<S, 3> momentum;
  };
  /// ½ Σ m_k |ẋ_k|² + U, and Σ x_k × m_k ẋ_k about the base.
  template <class D, class U>
  Measured measure(const D& d, const U& u) const {
    S kinetic = S(0.0);
    S potential = S(0.0);
    Vec<S, 3> x{{S(0.0), S(0.0), S(0.0)}};
    Vec<S, 3> velocity = x;
    Vec<S, 3> momentum = x;
    const bool bends = !chain_->bending.empty();
    for (int i = 0; i < n_; ++i) {
      x = x + vec_at(d, i);
      velocity = velocity + vec_at(u, i);
      kinetic = kinetic + m(i) * norm2(velocity);
      potential = potential + gravity() * m(i) * x[2];
      if (bends && i + 1 < n_)
        potential =
            potential + S(chain_->bending[index(i)]) *
                            (S(1.0) - dot(vec_at(d, i), vec_at(d, i + 1)) / (l(i) * l(i + 1)));
      momentum = momentum + m(i) * cross(x, velocity);
    }
    if (chain_->clamp != 0.0)
      potential =
          potential + S(chain_->clamp) * (S(1.0) - dot(cast<S>(chain_->axis), vec_at(d, 0)) / l(0));
    return {S(0.5) * kinetic + potential, momentum};
  }

  S l(int i) const { return S(chain_->lengths[index(i)]); }
  S m(int i) const { return S(chain_->masses[index(i)]); }
  /// l_i², and its inverse.
  S l2(int i) const { return l(i) * l(i); }
  S inverse_l2(int i) const { return inverse_l2_[index(i)]; }
  /// c_i = k_i + k_{i−1}.
  S c(int i) const { return i > 0 ? k[index(i)] + k[index(i - 1)] : k[index(i)]; }

  std::vector<S> k;

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  /// k_i F_i − k_{i−1}F_{i−1}.
  Vec<S, 3> on_link(int i) const {
    const Vec<S, 3> own = k[index(i)] * force_[index(i)];
    return i > 0 ? own - k[index(i - 1)] * force_[index(i - 1)] : own;
  }

  /// φ_i, paired with δd_i.
  void link_force(int i, const Vec<S, 3>& phi) noexcept {
    force_[index(i)] = force_[index(i)] + phi;
    if (i > 0) force_[index(i - 1)] = force_[index(i - 1)] - phi;
  }

  /// −∂U/∂d of the elastic terms, across the links: a spring that bends exerts a couple and no
  /// force along a link, so that λ_i l_i stays the tension.
  template <class D>
  void elastic(const D& d) noexcept {
    const auto across = [&](int i, const Vec<S, 3>& phi) {
      const Vec<S, 3> di = vec_at(d, i);
      link_force(i, phi - (dot(phi, di) / norm2(di)) * di);
    };
    if (chain_->clamp != 0.0) across(0, (S(chain_->clamp) / l(0)) * cast<S>(chain_->axis));
    if (chain_->bending.empty()) return;
    for (int i = 0; i + 1 < n_; ++i) {
      const S stiffness = S(chain_->bending[index(i)]) / (l(i) * l(i + 1));
      across(i, stiffness * vec_at(d, i + 1));
      across(i + 1, stiffness * vec_at(d, i));
    }
  }

  /// Torque −c(ω_i − ω_{i−1}) on link i from its joint, and its reaction on link i − 1.
  template <class D, class U>
  void damping(const D& d, const U& u) noexcept {
    const S damping = S(chain_->joint_damping);
    for (int i = 0; i < n_; ++i)
      omega_[index(i)] = (S(1.0) / l2(i)) * cross(vec_at(d, i), vec_at(u, i));  // ω_i
    Vec<S, 3> before{{S(0.0), S(0.0), S(0.0)}};  // torque of the joint before
    for (int i = 0; i < n_; ++i) {
      const Vec<S, 3> at =
          i > 0 ? damping * (omega_[index(i - 1)] - omega_[index(i)]) : -(damping * omega_[0]);
      if (i > 0) link_force(i - 1, (S(1.0) / l2(i - 1)) * cross(before - at, vec_at(d, i - 1)));
      before = at;
    }
    link_force(n_ - 1, (S(1.0) / l2(n_ - 1)) * cross(before, vec_at(d, n_ - 1)));
  }

  SharedChain chain_;
  int n_;
  std::function<ChainDrive(double t)> drive_;  // a copy: calls of the shared one would race
  std::vector<Vec<S, 3>> force_, omega_;
  std::vector<S> upper_, inverse_l2_;
};

}  // namespace hamel
