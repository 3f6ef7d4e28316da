// SPDX-License-Identifier: BSD-3-Clause
// The chain's right-hand sides for solvers of differential equations, y = (q_1 … q_n, ω_1 … ω_n).
//
// q̇_i = ω_i×q_i, and from L = ½ Σ_ij M_ij l² q̇_i·q̇_j − Σ_i M_ii g l q_i3, M_ij = Σ_{k≥max(i,j)} m,
//   M_ii l ω̇_i + Σ_{j≠i} M_ij l S(q_i)ᵀS(q_j) ω̇_j
//     = Σ_{j≠i} M_ij l |ω_j|² q_i×q_j − M_ii g q_i×e3,   S(a)b = a×b:  D3 (18)
// and MATH 6.2, 7.2 of docs/equations.md.
// LinkRate finds the same ω̇ in O(n) from the tensions, DenseRate by a factorisation in O(n³).
#pragma once

#include <Eigen/Dense>

#include "peer.hpp"

namespace peers {

/// The tensions t_k of the links solve a tridiagonal system,
///   m a_k = −m g e3 − t_k q_k + t_{k+1} q_{k+1},   q_k·(a_k − a_{k−1}) = −l |ω_k|²,
/// and ω̇_k = q_k×(a_k − a_{k−1})/l. N: the number of links where it is known to the compiler.
template <int N = 0>
class LinkRate {
 public:
  explicit LinkRate(const Case& c)
      : n_(c.n),
        gravity_(c.gravity),
        length_(c.length),
        per_mass_(1.0 / c.mass),
        t_(static_cast<std::size_t>(c.n) + 1),
        u_(static_cast<std::size_t>(c.n)) {}

  void operator()(const double* y, double* dy) {
    if constexpr (N == 1) {  // ω̇ = −(g/l) q×e3
      const double G = gravity_ / length_;
      spin(y, y + 3, dy);
      dy[3] = -G * y[1];
      dy[4] = G * y[0];
      dy[5] = 0.0;
      return;
    }
    const int n = N > 0 ? N : n_;
    const double* q = y;
    const double* w = y + 3 * n;
    double up = 0.0;
    double tp = 0.0;
    for (int k = 0; k < n; ++k, q += 3, w += 3) {
      double r = length_ * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
      double diagonal = per_mass_;
      double below = 0.0;
      if (k == 0) {
        r -= gravity_ * q[2];
      } else {
        diagonal += per_mass_;
        below = (q[-3] * q[0] + q[-2] * q[1] + q[-1] * q[2]) * per_mass_;
      }
      const double above = k + 1 < n ? (q[3] * q[0] + q[4] * q[1] + q[5] * q[2]) * per_mass_ : 0.0;
      const double inverse = 1.0 / (diagonal - below * up);
      u_[at(k)] = up = above * inverse;
      t_[at(k)] = tp = (r + below * tp) * inverse;
    }
    t_[at(n)] = 0.0;
    for (int k = n - 2; k >= 0; --k) t_[at(k)] += u_[at(k)] * t_[at(k + 1)];

    q = y;
    w = y + 3 * n;
    double* dq = dy;
    double* dw = dy + 3 * n;
    const double per_length = 1.0 / length_;
    double before[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < n; ++k, q += 3, w += 3, dq += 3, dw += 3) {
      const double here = t_[at(k)] * per_mass_;
      double a[3] = {-here * q[0], -here * q[1], -here * q[2] - gravity_};
      if (k + 1 < n) {
        const double next = t_[at(k + 1)] * per_mass_;
        a[0] += next * q[3];
        a[1] += next * q[4];
        a[2] += next * q[5];
      }
      const double d[3] = {(a[0] - before[0]) * per_length, (a[1] - before[1]) * per_length,
                           (a[2] - before[2]) * per_length};
      std::copy(a, a + 3, before);
      spin(q, w, dq);
      dw[0] = q[1] * d[2] - q[2] * d[1];
      dw[1] = q[2] * d[0] - q[0] * d[2];
      dw[2] = q[0] * d[1] - q[1] * d[0];
    }
  }

  /// Of the last call.
  double tension(int k) const { return t_[at(k)]; }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static void spin(const double* q, const double* w, double* dq) {
    dq[0] = w[1] * q[2] - w[2] * q[1];
    dq[1] = w[2] * q[0] - w[0] * q[2];
    dq[2] = w[0] * q[1] - w[1] * q[0];
  }

  int n_;
  double gravity_, length_, per_mass_;
  Numbers t_, u_;
};

/// The 3n×3n matrix above, which is symmetric and positive definite, by Eigen's Cholesky.
class DenseRate {
 public:
  explicit DenseRate(const Case& c) : case_(c), A_(3 * c.n, 3 * c.n), b_(3 * c.n), llt_(3 * c.n) {}

  void operator()(const double* y, double* dy) {
    using Eigen::Vector3d;
    const int n = case_.n;
    const double inertia = case_.mass * case_.length;
    const Eigen::Map<const Eigen::Matrix3Xd> q(y, 3, n);
    const Eigen::Map<const Eigen::Matrix3Xd> w(y + 3 * n, 3, n);
    Eigen::Map<Eigen::Matrix3Xd> dq(dy, 3, n);
    Eigen::Map<Eigen::Matrix3Xd> dw(dy + 3 * n, 3, n);
    for (int j = 0; j < n; ++j) {
      const Vector3d qj = q.col(j);
      A_.block<3, 3>(3 * j, 3 * j) = Eigen::Matrix3d::Identity() * (inertia * (n - j));
      // S(a)ᵀS(b) = (a·b) 1 − b aᵀ; the lower triangle is enough
      for (int i = j + 1; i < n; ++i) {
        const Vector3d qi = q.col(i);
        const double s = inertia * (n - i);
        for (int column = 0; column < 3; ++column)
          for (int row = 0; row < 3; ++row)
            A_(3 * i + row, 3 * j + column) =
                (row == column ? s * qi.dot(qj) : 0.0) - s * qj[row] * qi[column];
      }
    }
    for (int i = 0; i < n; ++i) {
      Vector3d sum(0.0, 0.0, -case_.mass * case_.gravity * (n - i));
      for (int j = 0; j < n; ++j)
        if (j != i) sum += inertia * (n - std::max(i, j)) * w.col(j).squaredNorm() * q.col(j);
      b_.segment<3>(3 * i) = Vector3d(q.col(i)).cross(sum);
    }
    llt_.compute(A_);
    llt_.solveInPlace(b_);
    for (int i = 0; i < n; ++i) {
      dq.col(i) = Vector3d(w.col(i)).cross(Vector3d(q.col(i)));
      dw.col(i) = b_.segment<3>(3 * i);
    }
  }

 private:
  Case case_;
  Eigen::MatrixXd A_;
  Eigen::VectorXd b_;
  Eigen::LLT<Eigen::MatrixXd> llt_;
};

}  // namespace peers
