// Gauss collocation with the stages as lanes: one pass evaluates the field at all of them.
//
// With L = h b_i f(Y_i) the increments, lane i = stage i, M L = Σ_j μ_ij L_j:            [MATH 7.6]
//   a chain in its links:  U = u + M L_u,  L_d = h b U,  D = d + M L_d,  L_u' = h b u̇(D, U),
//   u̇ = T(λ)D − g e3 δ_i1 with λ from D·u̇ + |U|² = 0, a scalar tridiagonal system; while it
//   iterates, D = d + (M hb) u + M₂ L_u, M₂ = M diag(hb) M, so that neither waits for the other;
//   a pendulum in a uniform field:  W = ω + M L_ω,  L_q = h b W×Q,  Q = q + M L_q,
//   L_ω' = h b (−Q×G e3).
// Each iteration uses the new positions at once (Gauss–Seidel): D0's pendulum takes 7.5 instead of
// 9.7 of them, ten links 6.2 instead of 9.9. To stagnation: what is left over would be systematic
// and show as drift.
//
// What crosses the border between instruction sets is plain data (namespace hamel_lanes); the code
// is compiled once for each of them, with the namespace hamel renamed (see lane_kernels.hpp).
#pragma once

#include <cstddef>

#include "hamel/core/lanes.hpp"
#include "hamel/core/vec.hpp"

namespace hamel_lanes {

/// A step of a chain or pendulum, as its kernel needs it. W: 4 or 8 lanes, at least the stages.
struct GaussTask {
  const double* mu;     ///< [W][W]: column j, lane i; zero beyond the stages
  const double* hb;     ///< [W]: h b_i; zero beyond the stages
  const double* mu2;    ///< [W][W]: M diag(hb) M, of the chain
  const double* mu_hb;  ///< [W]: M hb
  const double* z;      ///< positions, then velocities
  double* L;            ///< increments, [component][W]: the guess, and the result
  double tolerance;     ///< of the largest change of L_u relative to max(1, |u|); 0: stagnation
  int max_iterations;
  double field;          ///< g of the chain, G of the pendulum
  int links = 1;         ///< of the chain
  const double* k = {};  ///< of the chain: 1/m_i
  double* work = {};     ///< of the chain: chain_work numbers for every link
};
constexpr int chain_work = 5;  ///< times W

struct GaussOutcome {
  int iterations = 0;
  bool converged = false;
};

}  // namespace hamel_lanes

namespace hamel::lanes {

/// M L of one component.
template <int W>
__attribute__((always_inline)) inline Lanes<W> times(const double* mu, const double* L) {
  Lanes<W> even = Lanes<W>::load(mu) * L[0];
  Lanes<W> odd = Lanes<W>::load(mu + W) * L[1];
#pragma GCC unroll 8
  for (int j = 2; j < W; j += 2) {
    even += Lanes<W>::load(mu + W * j) * L[j];
    odd += Lanes<W>::load(mu + W * (j + 1)) * L[j + 1];
  }
  return even + odd;
}

/// M L and M₂ L of one component, added to what is there.
template <int W>
__attribute__((always_inline)) inline void add_both(const double* mu, const double* mu2,
                                                    const double* L, Lanes<W>& U, Lanes<W>& D) {
  Lanes<W> u_even = Lanes<W>::load(mu) * L[0];
  Lanes<W> d_even = Lanes<W>::load(mu2) * L[0];
  Lanes<W> u_odd = Lanes<W>::load(mu + W) * L[1];
  Lanes<W> d_odd = Lanes<W>::load(mu2 + W) * L[1];
#pragma GCC unroll 8
  for (int j = 2; j < W; j += 2) {
    u_even += Lanes<W>::load(mu + W * j) * L[j];
    d_even += Lanes<W>::load(mu2 + W * j) * L[j];
    u_odd += Lanes<W>::load(mu + W * (j + 1)) * L[j + 1];
    d_odd += Lanes<W>::load(mu2 + W * (j + 1)) * L[j + 1];
  }
  U += u_even + u_odd;
  D += d_even + d_odd;
}

/// When to stop an iteration whose largest change is known.
class Stopping {
 public:
  /// speeds: three or more numbers; changes count relative to the largest, or to 1.
  Stopping(const hamel_lanes::GaussTask& task, const double* speeds, int count)
      : tolerance_(task.tolerance) {
    for (int i = 0; i < count; ++i) {
      const double size = speeds[i] < 0.0 ? -speeds[i] : speeds[i];
      // NOLINTNEXTLINE(readability-use-std-min-max): what std compiles here could end up elsewhere
      if (size > scale_) scale_ = size;
    }
  }

  enum class Verdict { go_on, converged, failed };
  /// Changes may go up and down on their way: stagnant is what has had no new least one for two
  /// iterations.
  Verdict operator()(double largest) {
    constexpr double floor = 1e4 * Epsilon<double>::value;
    const double change = largest / scale_;
    if (!(change <= 1e30)) return Verdict::failed;
    if (change == 0.0 || change <= tolerance_) return Verdict::converged;
    if (change < least_) {
      least_ = change;
      since_ = 0;
      return Verdict::go_on;
    }
    ++since_;
    if (least_ <= floor) return since_ >= 2 ? Verdict::converged : Verdict::go_on;
    return since_ > 3 ? Verdict::failed : Verdict::go_on;
  }

 private:
  double tolerance_;
  double scale_ = 1.0;
  double least_ = 1e300;
  int since_ = 0;
};

template <int W>
hamel_lanes::GaussOutcome chain_gauss(const hamel_lanes::GaussTask& task) noexcept {
  const int n = task.links;
  const double* const mu = task.mu;
  const Lanes<W> hb = Lanes<W>::load(task.hb);
  const Lanes<W> mu_hb = Lanes<W>::load(task.mu_hb);
  const double* const d = task.z;
  const double* const u = task.z + 3 * n;
  double* const Ld = task.L;
  double* const Lu = task.L + std::ptrdiff_t{3} * n * W;
  double* const D = task.work;                           // 3n
  double* const upper = D + std::ptrdiff_t{3} * n * W;   // n: w of the elimination
  double* const lambda = upper + std::ptrdiff_t{n} * W;  // n
  const auto link = [](double* list, int i) { return list + std::ptrdiff_t{3} * i * W; };

  // U_i and D_i; returns |U_i|².
  const auto place = [&](int i, Vec<Lanes<W>, 3>& Di) __attribute__((always_inline)) {
    Lanes<W> square = Lanes<W>(0.0);
    for (int c = 0; c < 3; ++c) {
      Lanes<W> U(u[3 * i + c]);
      Di[c] = d[3 * i + c] + mu_hb * u[3 * i + c];
      add_both<W>(mu, task.mu2, link(Lu, i) + c * W, U, Di[c]);
      square += U * U;
      Di[c].store(link(D, i) + c * W);
    }
    return square;
  };
  const auto at = [&](int i) {
    const double* const from = link(D, i);
    return Vec<Lanes<W>, 3>{
        {Lanes<W>::load(from), Lanes<W>::load(from + W), Lanes<W>::load(from + 2 * W)}};
  };

  hamel_lanes::GaussOutcome outcome;
  Stopping stopping(task, u, 3 * n);
  while (outcome.iterations < task.max_iterations) {
    Vec<Lanes<W>, 3> here;
    Lanes<W> right = -place(0, here);
    right += task.field * here[2];
    Lanes<W> w = Lanes<W>(0.0);
    Lanes<W> r = Lanes<W>(0.0);
    Lanes<W> lower = Lanes<W>(0.0);
    double k_before = 0.0;
    for (int i = 0; i < n; ++i) {  // the matrix of λ, eliminated while it is formed
      const double k = task.k[i];
      Vec<Lanes<W>, 3> next{};
      Lanes<W> next_right = Lanes<W>(0.0);
      Lanes<W> above = Lanes<W>(0.0);
      if (i + 1 < n) {
        next_right = -place(i + 1, next);
        above = k * dot(here, next);
      }
      const Lanes<W> pivot = -(k + k_before) * norm2(here) - lower * w;
      const Lanes<W> inverse = 1.0 / pivot;
      r = (right - lower * r) * inverse;
      w = above * inverse;
      w.store(upper + i * W);
      r.store(lambda + i * W);
      lower = above;
      right = next_right;
      here = next;
      k_before = k;
    }
    // λ backwards, and u̇_i = k_i(λ_{i+1}D_{i+1} − λ_iD_i) − k_{i−1}(λ_iD_i − λ_{i−1}D_{i−1}).
    Lanes<W> change = Lanes<W>(0.0);
    Lanes<W> l = Lanes<W>::load(lambda + (n - 1) * W);
    Vec<Lanes<W>, 3> own = l * at(n - 1);
    Vec<Lanes<W>, 3> after = Lanes<W>(-task.k[n - 1]) * own;
    for (int i = n - 1; i >= 0; --i) {
      Vec<Lanes<W>, 3> rate = after;
      if (i > 0) {
        l = Lanes<W>::load(lambda + (i - 1) * W) - Lanes<W>::load(upper + (i - 1) * W) * l;
        const Vec<Lanes<W>, 3> before_own = l * at(i - 1);
        after = Lanes<W>(task.k[i - 1]) * (own - before_own);
        own = before_own;
        rate -= after;
      } else {
        rate[2] = rate[2] - task.field;
      }
      for (int c = 0; c < 3; ++c) {
        double* const L = link(Lu, i) + c * W;
        const Lanes<W> next = hb * rate[c];
        change = larger(change, next - Lanes<W>::load(L));
        next.store(L);
      }
    }
    ++outcome.iterations;
    const auto verdict = stopping(change.largest());
    if (verdict == Stopping::Verdict::go_on) continue;
    outcome.converged = verdict == Stopping::Verdict::converged;
    break;
  }
  // ḋ = u holds to the last bit of the stages.
  for (int i = 0; i < n; ++i)
    for (int c = 0; c < 3; ++c)
      (hb * (u[3 * i + c] + times<W>(mu, link(Lu, i) + c * W))).store(link(Ld, i) + c * W);
  return outcome;
}

template <int W>
hamel_lanes::GaussOutcome pendulum_gauss(const hamel_lanes::GaussTask& task) noexcept {
  const double* const mu = task.mu;
  const Lanes<W> hb = Lanes<W>::load(task.hb);
  const double* const q = task.z;
  const double* const omega = task.z + 3;
  double* const Lq = task.L;
  double* const Lw = task.L + 3 * W;
  const double G = task.field;
  Lanes<W>(0.0).store(Lw + 2 * W);  // ω3 is constant

  hamel_lanes::GaussOutcome outcome;
  Stopping stopping(task, omega, 3);
  Vec<Lanes<W>, 3> Q;
  for (int c = 0; c < 3; ++c) Q[c] = q[c] + times<W>(mu, Lq + c * W);
  while (outcome.iterations < task.max_iterations) {
    const Vec<Lanes<W>, 3> spin_of = {
        {omega[0] + times<W>(mu, Lw), omega[1] + times<W>(mu, Lw + W), Lanes<W>(omega[2])}};
    const Vec<Lanes<W>, 3> rate = cross(spin_of, Q);
    for (int c = 0; c < 3; ++c) {
      (hb * rate[c]).store(Lq + c * W);
      Q[c] = q[c] + times<W>(mu, Lq + c * W);
    }
    const Lanes<W> x = hb * (-G * Q[1]);
    const Lanes<W> y = hb * (G * Q[0]);
    Lanes<W> change = larger(Lanes<W>(0.0), x - Lanes<W>::load(Lw));
    change = larger(change, y - Lanes<W>::load(Lw + W));
    x.store(Lw);
    y.store(Lw + W);
    ++outcome.iterations;
    const auto verdict = stopping(change.largest());
    if (verdict == Stopping::Verdict::go_on) continue;
    outcome.converged = verdict == Stopping::Verdict::converged;
    break;
  }
  return outcome;
}

}  // namespace hamel::lanes
