// Gauss collocation with the stages as lanes: one pass evaluates the field at all of them.
//
// With L = h b_i f(Y_i) the increments, lane i = stage i, M L = Σ_j μ_ij L_j:            [MATH 7.6]
//   a chain in its links:  U = u + M L_u,  L_d = h b U,  D = d + M L_d,  L_u' = h b u̇(D, U),
//   u̇ = T(λ)D − g e3 δ_i1 with λ from D·u̇ + |U|² = 0, a scalar tridiagonal system; while it
//   iterates, D = d + (M hb) u + M₂ L_u, M₂ = M diag(hb) M, so that neither waits for the other;
//   a pendulum in a uniform field:  W = ω + M L_ω,  L_q = h b W×Q,  Q = q + M L_q,
//   L_ω' = h b (−Q×G e3).
// Each iteration uses the new positions at once (Gauss–Seidel): D0's pendulum takes 7.5 instead of
// 9.7 of them, ten links 6.2 instead of 9.9. To round-off: what is left over would be systematic
// and show as drift.
//
// Where the time goes: 48 products with sums for each link and iteration, with both matrices in
// registers (AVX-512), some 30 other operations, one division that the next link waits for; a
// pendulum waits for its own results all the time. Everything is aligned to 64 bytes: a register
// that lies across two cache lines cannot be read back at once (40 % of the time).
//
// What crosses the border between instruction sets is plain data (namespace hamel_lanes); the code
// is compiled once for each of them, with the namespace hamel renamed (see lane_kernels.hpp).
#pragma once

#include <cstddef>

#include "hamel/core/lanes.hpp"
#include "hamel/core/vec.hpp"

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
  alignas(64) double hb[most_lanes] = {};     ///< h b_i
  alignas(64) double mu_hb[most_lanes] = {};  ///< M hb
};

/// A step of a chain or pendulum, as its kernel needs it.
struct GaussTask {
  const GaussTables* tables;
  const double* z;  ///< positions, then velocities
  /// Increments of the last step, and of this one once it has converged, [component][W]: of the
  /// velocities of a chain, of q and ω of a pendulum.
  double* L;
  bool warm;         ///< L belongs to a step of the same size
  double* dz;        ///< the result: what to add to z
  double tolerance;  ///< of what is left of L relative to max(1, |u|); 0: round-off
  int max_iterations;
  double field;          ///< g of the chain, G of the pendulum
  int links = 1;         ///< of the chain
  const double* k = {};  ///< of the chain: 1/m_i
  double* work = {};     ///< of the chain: chain_work numbers for every link, aligned to 64 bytes
};
constexpr int chain_work = 8;           ///< times W
constexpr int pendulum_increments = 5;  ///< of q, ω_1, ω_2; times W

struct GaussOutcome {
  int iterations = 0;
  bool converged = false;
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
    base = fused(column[0], Lanes<W>(L[0]), base);
#pragma GCC unroll 8
    for (int j = 2; j < W; j += 2) {
      base = fused(column[j], Lanes<W>(L[j]), base);
      odd = fused(column[j + 1], Lanes<W>(L[j + 1]), odd);
    }
    return base + odd;
  }

  /// The same for a component that is waited for: fewer operations in sequence.
  HAMEL_INLINE Lanes<W> times_now(const double* L, Lanes<W> base) const {
    Lanes<W> sum[4] = {base, Lanes<W>(0.0), Lanes<W>(0.0), Lanes<W>(0.0)};
#pragma GCC unroll 8
    for (int j = 0; j < W; ++j)
      sum[j % 4] =
          j == 0 || j >= 4 ? fused(column[j], Lanes<W>(L[j]), sum[j % 4]) : column[j] * L[j];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }
};

/// |v|².
template <int W>
HAMEL_INLINE Lanes<W> fused_square(const Vec<Lanes<W>, 3>& v) {
  return fused(v[0], v[0], fused(v[1], v[1], v[2] * v[2]));
}

/// The first guess of one component: the last step's polynomial through some of its stages, or 0.
template <int W>
HAMEL_INLINE Lanes<W> guess(const hamel_lanes::GaussTask& task, const double* last) {
  Lanes<W> next(0.0);
  if (task.warm)
    for (int j = task.tables->first; j < task.tables->stages; ++j)
      next = fused(Lanes<W>::load(task.tables->predict + W * j), Lanes<W>(last[j]), next);
  return next;
}

/// When to stop an iteration whose largest change is known.
class Stopping {
 public:
  /// speeds: three or more numbers; changes count relative to the largest, or to 1. A result that
  /// lags, a part of it being one iteration older than the rest, is left off by the last change
  /// too.
  Stopping(const hamel_lanes::GaussTask& task, const double* speeds, int count, bool lags)
      : tolerance_(task.tolerance), lags_(lags) {
    for (int i = 0; i < count; ++i) {
      const double size = speeds[i] < 0.0 ? -speeds[i] : speeds[i];
      // NOLINTNEXTLINE(readability-use-std-min-max): what std compiles here could end up elsewhere
      if (size > scale_) scale_ = size;
    }
    per_scale_ = 1.0 / scale_;
  }

  enum class Verdict { go_on, converged, failed };
  /// Changes shrink by a factor, the larger of the last two counting, until round-off hides it
  /// (they are tiny, or shrink no longer as they did); from there on they are taken to go on like
  /// that, until what is left is nothing beside it. They may go up and down on their way: stagnant
  /// is what has had no new least one for two iterations.
  Verdict operator()(double largest) {
    constexpr double floor = 1e4 * Epsilon<double>::value;
    constexpr double visible = 64.0 * Epsilon<double>::value;  // above round-off
    constexpr double nothing = 0x1p-62;  // 2e-13 after a million steps, if all alike
    // Of round-off: all alike they add up, in a million steps, to what round-off at random does.
    constexpr double below = 0x1p-10;
    const double change = largest * per_scale_;
    if (!(change <= 1e30)) return Verdict::failed;
    if (change == 0.0) return Verdict::converged;
    bool shows = false;  // above round-off
    if (change < least_) {
      const double factor = least_ < 1e300 ? change / least_ : 1.0;
      shows = change > floor || (change > visible && factor <= 4.0 * shrinks_);
      if (shows) {
        shrinks_ = factor > factor_ ? factor : factor_;
        factor_ = factor;
        expected_ = change;
      } else {
        expected_ *= shrinks_;
      }
      least_ = change;
      since_ = 0;
    } else {
      shows = change > floor;
      expected_ = shows ? change : expected_ * shrinks_;
      ++since_;
    }
    const double left =
        !lags_ && shrinks_ < 0.5 ? expected_ * shrinks_ / (1.0 - shrinks_) : expected_;
    if (change <= tolerance_ || left <= tolerance_) return Verdict::converged;
    if (least_ <= floor) {
      const bool done = !lags_ && (left <= nothing || (!shows && left <= below * least_));
      return done || since_ >= 2 ? Verdict::converged : Verdict::go_on;
    }
    return since_ > 3 ? Verdict::failed : Verdict::go_on;
  }

  /// Counts an iteration; true after the last one.
  bool ends(double largest, hamel_lanes::GaussOutcome& outcome) {
    ++outcome.iterations;
    const Verdict verdict = (*this)(largest);
    outcome.converged = verdict == Verdict::converged;
    return verdict != Verdict::go_on;
  }

 private:
  double tolerance_;
  bool lags_;
  double scale_ = 1.0, per_scale_ = 1.0;
  double least_ = 1e300;
  double factor_ = 1.0, shrinks_ = 1.0;  // of the last change, and the larger of the last two
  double expected_ = 1e300;              // the change without round-off
  int since_ = 0;
};

/// The increments of a chain.
template <int W>
HAMEL_INLINE hamel_lanes::GaussOutcome links_iteration(const hamel_lanes::GaussTask& task,
                                                       const Matrix<W>& M, const Matrix<W>& M2,
                                                       double* const Lu) {
  const int n = task.links;
  const Lanes<W> hb = Lanes<W>::load(task.tables->hb);
  const Lanes<W> mu_hb = Lanes<W>::load(task.tables->mu_hb);
  const double* const d = task.z;
  const double* const u = task.z + 3 * n;
  double* const D = Lu + std::ptrdiff_t{3} * n * W;      // 3n
  double* const upper = D + std::ptrdiff_t{3} * n * W;   // n: −w of the elimination
  double* const lambda = upper + std::ptrdiff_t{n} * W;  // n
  const auto link = [](double* list, int i) { return list + std::ptrdiff_t{3} * i * W; };

  // D_i; returns |U_i|².
  const auto place = [&](int i, Vec<Lanes<W>, 3>& Di) __attribute__((always_inline)) {
    Vec<Lanes<W>, 3> U;
    for (int c = 0; c < 3; ++c) {
      const Lanes<W> speed(u[3 * i + c]);
      const double* const L = link(Lu, i) + c * W;
      Di[c] = M2.times(L, fused(mu_hb, speed, Lanes<W>(d[3 * i + c])));
      U[c] = M.times(L, speed);
      Di[c].store(link(D, i) + c * W);
    }
    return fused_square(U);
  };
  const auto at = [&](int i) {
    const double* const from = link(D, i);
    return Vec<Lanes<W>, 3>{
        {Lanes<W>::load(from), Lanes<W>::load(from + W), Lanes<W>::load(from + 2 * W)}};
  };

  hamel_lanes::GaussOutcome outcome;
  Stopping stopping(task, u, 3 * n, false);
  while (outcome.iterations < task.max_iterations) {
    Vec<Lanes<W>, 3> here;
    Lanes<W> right = -place(0, here);
    right = fused(Lanes<W>(task.field), here[2], right);
    Lanes<W> w(0.0);  // −w_{i−1}
    Lanes<W> r(0.0);
    Lanes<W> lower(0.0);
    double k_before = 0.0;
    // Row i of the matrix of λ, eliminated as soon as it is there.
    const auto eliminate = [&](int i, double k, const Lanes<W>& above)
        __attribute__((always_inline)) {
      const Lanes<W> size = (k + k_before) * fused_square(here);
      const Lanes<W> inverse = 1.0 / fused(-lower, w, size);  // of −pivot
      r = fused(lower, r, -right) * inverse;
      w = above * inverse;
      w.store(upper + i * W);
      r.store(lambda + i * W);
    };
    for (int i = 0; i + 1 < n; ++i) {
      const double k = task.k[i];
      Vec<Lanes<W>, 3> next;
      const Lanes<W> next_right = -place(i + 1, next);
      const Lanes<W> above =
          k * fused(here[0], next[0], fused(here[1], next[1], here[2] * next[2]));
      eliminate(i, k, above);
      lower = above;
      right = next_right;
      here = next;
      k_before = k;
    }
    eliminate(n - 1, task.k[n - 1], Lanes<W>(0.0));
    // λ backwards, and u̇_i = k_i(λ_{i+1}D_{i+1} − λ_iD_i) − k_{i−1}(λ_iD_i − λ_{i−1}D_{i−1}).
    Lanes<W> change(0.0);
    const auto renew = [&](int i, const Vec<Lanes<W>, 3>& rate) __attribute__((always_inline)) {
      for (int c = 0; c < 3; ++c) {
        double* const L = link(Lu, i) + c * W;
        const Lanes<W> next = hb * rate[c];
        change = larger(change, next - Lanes<W>::load(L));
        next.store(L);
      }
    };
    Lanes<W> l = r;
    Vec<Lanes<W>, 3> own = l * here;
    Vec<Lanes<W>, 3> after = Lanes<W>(-task.k[n - 1]) * own;
    for (int i = n - 1; i > 0; --i) {
      l = fused(Lanes<W>::load(upper + (i - 1) * W), l, Lanes<W>::load(lambda + (i - 1) * W));
      const Vec<Lanes<W>, 3> own_before = l * at(i - 1);
      const Vec<Lanes<W>, 3> before = Lanes<W>(task.k[i - 1]) * (own - own_before);
      renew(i, after - before);
      after = before;
      own = own_before;
    }
    after[2] = after[2] - task.field;
    renew(0, after);
    if (stopping.ends(change.largest(), outcome)) break;
  }
  return outcome;
}

/// Sums over the stages; false where they are no numbers, which largest() may have missed.
template <int W>
HAMEL_INLINE bool finish(const Lanes<W>& L, double* memory, double& sum) {
  L.store(memory);
  sum = L.sum();
  return sum - sum == 0.0;
}

template <int W>
hamel_lanes::GaussOutcome chain_gauss(const hamel_lanes::GaussTask& task) noexcept {
  const int n3 = 3 * task.links;
  const Matrix<W> M(task.tables->mu);
  const Matrix<W> M2(task.tables->mu2);
  double* const Lu = task.work;
  for (int c = 0; c < n3; ++c) guess<W>(task, task.L + c * W).store(Lu + c * W);
  hamel_lanes::GaussOutcome outcome = links_iteration(task, M, M2, Lu);
  if (!outcome.converged) return outcome;
  // ḋ = u holds to the last bit of the stages.
  const Lanes<W> hb = Lanes<W>::load(task.tables->hb);
  for (int c = 0; c < n3; ++c) {
    const Lanes<W> Ld = hb * M.times(Lu + c * W, Lanes<W>(task.z[n3 + c]));
    task.dz[c] = Ld.sum();
    outcome.converged &= finish(Lanes<W>::load(Lu + c * W), task.L + c * W, task.dz[n3 + c]);
  }
  return outcome;
}

template <int W>
hamel_lanes::GaussOutcome pendulum_gauss(const hamel_lanes::GaussTask& task) noexcept {
  const Matrix<W> M(task.tables->mu);
  const Lanes<W> hb = Lanes<W>::load(task.tables->hb);
  const Lanes<W> torque = task.field * hb;
  const double* const q = task.z;
  const double* const omega = task.z + 3;
  constexpr int components = hamel_lanes::pendulum_increments;
  alignas(64) double L[components * W];
  double* const Lw = L + 3 * W;  // of ω1 and ω2; ω3 is constant
  for (int c = 0; c < components; ++c) guess<W>(task, task.L + c * W).store(L + c * W);

  hamel_lanes::GaussOutcome outcome;
  Stopping stopping(task, omega, 3, true);
  const Lanes<W> spin(omega[2]);
  Vec<Lanes<W>, 3> Q;
  for (int c = 0; c < 3; ++c) Q[c] = M.times_now(L + c * W, Lanes<W>(q[c]));
  while (outcome.iterations < task.max_iterations) {
    const Lanes<W> w0 = M.times_now(Lw, Lanes<W>(omega[0]));
    const Lanes<W> w1 = M.times_now(Lw + W, Lanes<W>(omega[1]));
    const Vec<Lanes<W>, 3> rate{{fused(w1, Q[2], -(spin * Q[1])), fused(spin, Q[0], -(w0 * Q[2])),
                                 fused(w0, Q[1], -(w1 * Q[0]))}};
    for (int c = 0; c < 3; ++c) (hb * rate[c]).store(L + c * W);
    // Out of memory a lane becomes a whole register without a shuffle, only later: with AVX-512
    // best for three components, while the others are shuffled. All shuffled takes 5 % longer, all
    // out of memory 20 %.
    if constexpr (Lanes<W>::width == 8) asm volatile("" : "+m"(L));
    for (int c = 0; c < 3; ++c) Q[c] = M.times_now(L + c * W, Lanes<W>(q[c]));
    const Lanes<W> x = -(torque * Q[1]);
    const Lanes<W> y = torque * Q[0];
    Lanes<W> change = larger(Lanes<W>(0.0), x - Lanes<W>::load(Lw));
    change = larger(change, y - Lanes<W>::load(Lw + W));
    x.store(Lw);
    y.store(Lw + W);
    if (stopping.ends(change.largest(), outcome)) break;
  }
  if (!outcome.converged) return outcome;
  for (int c = 0; c < components; ++c)
    outcome.converged &= finish(Lanes<W>::load(L + c * W), task.L + c * W, task.dz[c]);
  task.dz[5] = 0.0;
  return outcome;
}
#undef HAMEL_INLINE

}  // namespace hamel::lanes
