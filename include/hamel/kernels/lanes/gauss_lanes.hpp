// SPDX-License-Identifier: BSD-3-Clause
// Gauss collocation with the stages as lanes: one pass evaluates the field at all of them.
//
// With L = h b_i f(Y_i) the increments, lane i = stage i, M L = Σ_j μ_ij L_j:            [MATH 7.6]
//   a pendulum in a uniform field, W = (W1, W2, ω3):  Q = q + M L_q,  W = ω + M L_ω,
//   L_q = h b W×Q,  L_ω = h b (−Q×G e3).
// Each iteration takes the newest of everything (Gauss–Seidel): Q1 and Q2 from W and Q3, then Q3,
// W1 and W2 from these two, so that only ω3 couples what is taken at once. A swing of one link from
// 45° over 10 s in 20 steps takes 13.6 of them to stagnation; W first and then all of Q, 17.3. To
// round-off: what is left over would be systematic and show as drift. Chains are in
// gauss_chain_lanes.hpp.
//
// A pendulum waits for its own results all the time: the two passes of an iteration, some fifteen
// operations in sequence, take 27 ns at 2.6 GHz (Zen 4); its 40 products, one a cycle, would
// take 15. Everything is aligned to 64 bytes: a register that lies across two cache lines cannot be
// read back at once (40 % of the time).
//
// What crosses the border between instruction sets is plain data (namespace hamel_lanes); the code
// is compiled once for each of them, with the namespace hamel renamed (see lane_kernels.hpp).
#pragma once

#include <cstddef>

#include "hamel/core/lanes.hpp"
#include "hamel/core/vec.hpp"
#include "hamel/kernels/lanes/gauss_stopping.hpp"

namespace hamel_lanes {

constexpr int most_lanes = 8;

/// The method for one step size, W = 4 or 8 lanes; matrices [W][W]: column j, lane i; zero beyond
/// the stages.
struct GaussTables {
  int stages = 0;
  int first = 0;  ///< the predictor reads the last increments of stages first … stages − 1
  alignas(64) double mu[most_lanes * most_lanes] = {};
  alignas(64) double mu2[most_lanes * most_lanes] = {};  ///< M diag(hb) M
  alignas(64) double predict[most_lanes * most_lanes] = {};
  alignas(64) double mu_predict[most_lanes * most_lanes] = {};  ///< M predict
  alignas(64) double hb[most_lanes] = {};                       ///< h b_i
  alignas(64) double mu_hb[most_lanes] = {};                    ///< M hb
};

struct FieldPrograms;

/// A step of a chain, a pendulum or a field, as its kernel needs it.
struct GaussTask {
  const GaussTables* tables;
  const double* z;  ///< positions, then velocities or momenta
  /// Increments of the last step, and of this one once it has converged, [component][W]: of the
  /// velocities of a chain's links, of its q and π, of q and ω of a pendulum.
  double* L;
  bool warm;         ///< L belongs to a step of the same size
  double* dz;        ///< the result: what to add to z
  double tolerance;  ///< of what is left of L relative to max(1, |u|), or to π; 0: round-off
  int max_iterations;
  double field;                        ///< g of the chain, G of the pendulum
  int links = 1;                       ///< of the chain
  const double* k = {};                ///< of the chain: 1/m_i
  const double* inverse_l = {};        ///< of the chain in (q, π): 1/l_i
  const double* weight = {};           ///< … g l_i Σ_{k≥i} m_k
  const FieldPrograms* programs = {};  ///< of a field that programs give
  const double* times = {};            ///< … t + c_i h
  double* slots = {};                  ///< … those of its programs, with their constants
  double* work = {};  ///< of a chain or field: numbers for all lanes, aligned to 64 bytes
};
constexpr int links_work = 8;           ///< for every link of a chain, times W; in its links
constexpr int momentum_work = 17;       ///< … in (q, π)
constexpr int pendulum_increments = 5;  ///< of q, ω_1, ω_2; times W

struct GaussOutcome {
  int iterations = 0;
  bool converged = false;
  bool singular = false;  ///< of a field: its system has no solution
};

}  // namespace hamel_lanes

namespace hamel::lanes {

#define HAMEL_INLINE __attribute__((always_inline)) inline

/// A matrix in registers where there are enough of them.
template <int W>
struct Matrix {
  Lanes<W> column[W];

  HAMEL_INLINE explicit Matrix(const double* from) {
#pragma GCC unroll 8
    for (int j = 0; j < W; ++j) column[j] = Lanes<W>::load(from + W * j);
  }

  /// base + M L of one component.
  HAMEL_INLINE Lanes<W> times(const double* L, Lanes<W> base) const {
    Lanes<W> odd = column[1] * L[1];
    base += column[0] * L[0];
#pragma GCC unroll 8
    for (int j = 2; j < W; j += 2) {
      base += column[j] * L[j];
      odd += column[j + 1] * L[j + 1];
    }
    return base + odd;
  }

  /// The same for a component that is waited for: fewer operations in sequence.
  HAMEL_INLINE Lanes<W> times_now(const double* L, Lanes<W> base) const {
    Lanes<W> sum[4] = {base, Lanes<W>(0.0), Lanes<W>(0.0), Lanes<W>(0.0)};
#pragma GCC unroll 8
    for (int j = 0; j < W; ++j)
      sum[j % 4] = j == 0 || j >= 4 ? column[j] * L[j] + sum[j % 4] : column[j] * L[j];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }
};

/// |v|².
template <int W>
HAMEL_INLINE Lanes<W> square(const Vec<Lanes<W>, 3>& v) {
  return v[0] * v[0] + (v[1] * v[1] + v[2] * v[2]);
}

/// The first guess of one component: the last step's polynomial through some of its stages, or 0.
template <int W>
HAMEL_INLINE Lanes<W> guess(const hamel_lanes::GaussTask& task, const double* last) {
  Lanes<W> next(0.0);
  if (task.warm)
    for (int j = task.tables->first; j < task.tables->stages; ++j)
      next += Lanes<W>::load(task.tables->predict + W * j) * last[j];
  return next;
}

/// The largest size of numbers, or `least`.
inline double largest_size(const double* numbers, int count, double least) {
  for (int i = 0; i < count; ++i) {
    const double size = numbers[i] < 0.0 ? -numbers[i] : numbers[i];
    // NOLINTNEXTLINE(readability-use-std-min-max): what std compiles here could end up elsewhere
    if (size > least) least = size;
  }
  return least;
}

/// Counts an iteration; true after the last one.
inline bool ends(GaussStopping<double>& stopping, double largest,
                 hamel_lanes::GaussOutcome& outcome) {
  ++outcome.iterations;
  const auto verdict = stopping(largest);
  outcome.converged = verdict == GaussVerdict::converged;
  return verdict != GaussVerdict::go_on;
}

/// Sums over the stages; false where they are no numbers, which largest() may have missed.
template <int W>
HAMEL_INLINE bool finish(const Lanes<W>& L, double* memory, double& sum) {
  L.store(memory);
  sum = L.sum();
  return sum - sum == 0.0;
}

/// Where the stages of a pendulum are to begin with: q and ω1, ω2 at each.
template <int W>
HAMEL_INLINE void guess_stages(const hamel_lanes::GaussTask& task, Lanes<W>* Y) {
  constexpr int components = hamel_lanes::pendulum_increments;
  for (int c = 0; c < components; ++c) Y[c] = Lanes<W>(task.z[c]);
  if (!task.warm) return;
  for (int j = task.tables->first; j < task.tables->stages; ++j) {
    const auto column = Lanes<W>::load(task.tables->mu_predict + W * j);
    for (int c = 0; c < components; ++c) Y[c] += column * task.L[W * c + j];
  }
}

template <int W>
hamel_lanes::GaussOutcome pendulum_gauss(const hamel_lanes::GaussTask& task) noexcept {
  const Matrix<W> M(task.tables->mu);
  const Lanes<W> hb = Lanes<W>::load(task.tables->hb);
  const Lanes<W> pull = task.field * hb;
  const Lanes<W> push = -pull;
  const double* const q = task.z;
  const double* const omega = task.z + 3;  // ω3 is constant
  const Lanes<W> spin = hb * omega[2];
  constexpr int components = hamel_lanes::pendulum_increments;
  alignas(64) double L[components * W];
  double* const Lw = L + 3 * W;

  Lanes<W> Y[components];
  guess_stages(task, Y);
  Lanes<W> q0 = Y[0], q1 = Y[1], q2 = Y[2], w0 = Y[3], w1 = Y[4];
  Lanes<W> last_x = guess<W>(task, task.L + 3 * W);
  Lanes<W> last_y = guess<W>(task, task.L + 4 * W);

  hamel_lanes::GaussOutcome outcome;
  GaussStopping<double> stopping(task.tolerance, largest_size(omega, 3, 1.0), true);
  while (outcome.iterations < task.max_iterations) {
    const Lanes<W> hq2 = hb * q2;
    (w1 * hq2 - spin * q1).store(L);
    (spin * q0 - w0 * hq2).store(L + W);
    const Lanes<W> hw0 = hb * w0;
    const Lanes<W> hw1 = hb * w1;
    q0 = M.times_now(L, Lanes<W>(q[0]));
    q1 = M.times_now(L + W, Lanes<W>(q[1]));
    const Lanes<W> x = push * q1;
    const Lanes<W> y = pull * q0;
    x.store(Lw);
    y.store(Lw + W);
    (hw0 * q1 - hw1 * q0).store(L + 2 * W);
    // Out of memory a lane becomes a whole register without a shuffle, only later: with AVX-512
    // best for these three components, while the others are shuffled. All shuffled takes 8 %
    // longer, all out of memory 25 %.
    if constexpr (Lanes<W>::width == 8) asm volatile("" : "+m"(L));
    w0 = M.times_now(Lw, Lanes<W>(omega[0]));
    w1 = M.times_now(Lw + W, Lanes<W>(omega[1]));
    q2 = M.times_now(L + 2 * W, Lanes<W>(q[2]));
    const Lanes<W> change = larger(larger(Lanes<W>(0.0), x - last_x), y - last_y);
    last_x = x;
    last_y = y;
    if (ends(stopping, change.largest(), outcome)) break;
  }
  if (!outcome.converged) return outcome;
  for (int c = 0; c < components; ++c)
    outcome.converged &= finish(Lanes<W>::load(L + c * W), task.L + c * W, task.dz[c]);
  task.dz[5] = 0.0;
  return outcome;
}
#undef HAMEL_INLINE

}  // namespace hamel::lanes
