// SPDX-License-Identifier: BSD-3-Clause
// What is seen of a chain, its links in lanes: directions, angular velocities, tensions, energy,
// angular momentum.
//
//   q_i = d_i/l_i,  ω_i = q_i×q̇_i/|q_i|²,  tension λ_i l_i with λ of d·ü + |u|² = 0;    [MATH 7.2]
//   E = Σ m_k(½|ẋ_k|² + g x_k3),  J = Σ x_k×m_k ẋ_k,  x_k = Σ_{i≤k} d_i.
// The sums along the chain, one link after the other, are made while the elimination for λ waits
// for its divisions.
#pragma once

#include "hamel/kernels/chain/chain_lists.hpp"

namespace hamel_lanes {

struct ChainObservation {
  double* q = nullptr;        ///< link by link
  double* omega = nullptr;    ///< link by link
  double* tension = nullptr;  ///< N
  bool tensions_exist = false;
  double energy = 0.0;
  double momentum[3] = {};
  double shortest = 1.0;  ///< |q_i|², no more than 1
  double longest = 1.0;   ///< and no less
  double tangency = 0.0;  ///< largest |q_i·q̇_i|
  double fastest = 0.0;   ///< largest |q̇_i|²
};

/// The lists of the task are read, mass, length and inverse_l too; those of work are overwritten.
using ChainObservationKernel = void (*)(const ChainTask&, ChainObservation&) noexcept;

}  // namespace hamel_lanes

namespace hamel::lanes {

class ChainObserver : ChainLists {
 public:
  ChainObserver(const hamel_lanes::ChainTask& task, hamel_lanes::ChainObservation& observation)
      : ChainLists(task), s_(observation), inverse_l_(task.inverse_l + hamel_lanes::chain_pad) {}

  void operator()() {
    const int n = t_.n;
    s_.shortest = s_.longest = 1.0;
    s_.tangency = s_.fastest = 0.0;
    V shortest(1.0);
    V longest(1.0);
    V tangency(0.0);
    V fastest(0.0);
    for (int i = 0; i < n; i += W) {
      const V3 d = load(d_, i);
      const V3 u = load(u_, i);
      tension_rows(i, d, u);
      const V scale = V::load(inverse_l_ + i);
      const V3 q = scale * d;
      const V3 v = scale * u;
      const V length2 = dot(q, q);
      const V inverse = 1.0 / length2;
      const V3 omega = inverse * cross(q, v);
      if (i + W > n) {
        tail(i, q, omega, length2, dot(q, v), dot(v, v));
        break;
      }
      put(q, s_.q + std::ptrdiff_t{3} * i);
      put(omega, s_.omega + std::ptrdiff_t{3} * i);
      shortest = select(length2 >= shortest, shortest, length2);
      longest = select(length2 <= longest, longest, length2);
      tangency = larger(tangency, dot(q, v));
      fastest = max(fastest, dot(v, v));
    }
    note(shortest, longest, tangency, fastest, W);

    Sums sums;
    double* const lambda = right_;
    s_.tensions_exist = solve(lambda, false, [&](int i) {
      add(2 * i, sums);
      add(2 * i + 1, sums);
    });
    for (int i = (n - 1) / 2 * 2; i < n; ++i) add(i, sums);
    for (int i = 0; i < n; ++i) s_.tension[i] = lambda[i] * t_.length[i];
    s_.energy = 0.5 * sums.kinetic + t_.gravity * sums.height;
    for (int c = 0; c < 3; ++c) s_.momentum[c] = sums.momentum[c];
  }

 private:
  struct Sums {
    double x[3] = {};
    double v[3] = {};
    double momentum[3] = {};
    double kinetic = 0.0;
    double height = 0.0;
  };

  void add(int i, Sums& s) const {
    const double m = t_.mass[i];
    for (int c = 0; c < 3; ++c) {
      s.x[c] += d_[c * stride_ + i];
      s.v[c] += u_[c * stride_ + i];
    }
    s.kinetic += m * (s.v[0] * s.v[0] + s.v[1] * s.v[1] + s.v[2] * s.v[2]);
    s.height += m * s.x[2];
    s.momentum[0] += m * (s.x[1] * s.v[2] - s.x[2] * s.v[1]);
    s.momentum[1] += m * (s.x[2] * s.v[0] - s.x[0] * s.v[2]);
    s.momentum[2] += m * (s.x[0] * s.v[1] - s.x[1] * s.v[0]);
  }

  /// The first `count` lanes.
  void note(const V& shortest, const V& longest, const V& tangency, const V& fastest, int count) {
    double lane[4][W];
    shortest.store(lane[0]);
    longest.store(lane[1]);
    tangency.store(lane[2]);
    fastest.store(lane[3]);
    const auto raise = [](double& to, double x) { to = x <= to ? to : x; };
    for (int j = 0; j < count; ++j) {
      s_.shortest = lane[0][j] >= s_.shortest ? s_.shortest : lane[0][j];
      raise(s_.longest, lane[1][j]);
      raise(s_.tangency, lane[2][j] < 0.0 ? -lane[2][j] : lane[2][j]);
      raise(s_.fastest, lane[3][j]);
    }
  }

  /// The links from i on, fewer than W.
  void tail(int i, const V3& q, const V3& omega, const V& length2, const V& slip, const V& speed2) {
    const int count = t_.n - i;
    double vectors[3 * W];
    put(q, vectors);
    for (int k = 0; k < 3 * count; ++k) s_.q[3 * i + k] = vectors[k];
    put(omega, vectors);
    for (int k = 0; k < 3 * count; ++k) s_.omega[3 * i + k] = vectors[k];
    note(length2, length2, slip, speed2, count);
  }

  static void put(const V3& v, double* to) { store_interleaved(v.x, v.y, v.z, to); }

  hamel_lanes::ChainObservation& s_;
  const double* inverse_l_;
};

inline void chain_observation(const hamel_lanes::ChainTask& task,
                              hamel_lanes::ChainObservation& observation) noexcept {
  ChainObserver(task, observation)();
}

}  // namespace hamel::lanes
