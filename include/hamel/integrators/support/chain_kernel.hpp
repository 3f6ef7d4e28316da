// D2's variational step of one chain, its links in lanes.                                [MATH 7.2]
//
// The equations are those of chain_variational_stepper.hpp; the lists are by coordinate (x of all
// links, y, z), zero around the links, so that all that belongs to a link by itself or with its
// neighbours goes through wide registers. What is left are the tridiagonal systems, eliminated from
// both ends towards the middle, two links at once:
//   forth  x_i = r_i − w_i x_{i+1},  w_i = U_i/(D_i − L_i w_{i−1}),  back the mirror image.
// Per link and step at one Newton correction: two trials, two matrices, two eliminations, one
// update, some 330 flops in wide registers and 2×(1 division, 7 flops) in sequence. The
// eliminations set the pace of short chains: a division, two products and a difference wait for
// each other, 26 cycles for two links, twice a step, half of what a step takes. From n ≈ 5000 on,
// memory does: a step reads and writes 27 lists, some more than once, 0.9 kB a link. Measured, ns
// per link: n = 1 44 (closed form), 10 26, 20 22, 100 19, 1000 23, 10,000 and 100,000 31 to 40 with
// AVX-512 at 2.8 GHz and a cache of 1.25 MB a core; 47, 21, 20, 15, 18, 21, 22 at 2.6 GHz with 32
// MB shared by few (Zen 4; benchmark/results/chains.md). One link after the other, on the former:
// 98, 44, 40, 36, 37, 48, 41.
#pragma once

#include <cmath>
#include <cstdint>

#include "hamel/core/lanes.hpp"

namespace hamel_lanes {

/// Numbers before and behind the n of a list, all zero.
inline constexpr int chain_pad = 8;
/// Length of a list.
constexpr std::int64_t chain_stride(int n) { return (n + 7) / 8 * 8 + 2 * chain_pad; }
/// Lists of work; of them `next` and `change` are the first six.
inline constexpr int chain_lists = 12;

/// Lists are `stride` long, their first link at chain_pad.
struct ChainTask {
  int n = 0;
  std::int64_t stride = 0;
  double* z = nullptr;               ///< dx dy dz ux uy uz
  double* carry = nullptr;           ///< of compensated summation, or null
  double* memory = nullptr;          ///< λ/h of four steps, the last one at history % 4
  double* work = nullptr;            ///< chain_lists
  std::int64_t history = 0;          ///< steps remembered
  const double* k = nullptr;         ///< 1/m_i
  const double* k_before = nullptr;  ///< 1/m_{i−1}; 0 for the first link, and behind the last
  const double* c = nullptr;         ///< k_i + k_{i−1}
  const double* l2 = nullptr;
  const double* inverse_l2 = nullptr;
  double gravity = 0.0;
  double h = 0.0;
  double tolerance = 0.0;
  int max_iterations = 0;
};

struct ChainOutcome {
  int iterations = 0;
  bool no_solution = false;
  bool singular = false;
};

using ChainKernel = ChainOutcome (*)(const ChainTask&) noexcept;

}  // namespace hamel_lanes

namespace hamel::lanes {

class ChainStep {
  // Neighbours are read from memory, and half of such reads of 64 bytes cross a line of the cache.
  static constexpr int W = register_lanes < 4 ? register_lanes : 4;
  using V = Lanes<W>;

 public:
  explicit ChainStep(const hamel_lanes::ChainTask& task)
      : t_(task),
        stride_(task.stride),
        d_(task.z + hamel_lanes::chain_pad),
        u_(d_ + 3 * stride_),
        next_(task.work + hamel_lanes::chain_pad),
        change_(next_ + 3 * stride_),
        lambda_(change_ + 3 * stride_),
        lower_(lambda_ + stride_),
        diagonal_(lower_ + stride_),
        upper_(diagonal_ + stride_),
        right_(upper_ + stride_),
        w_(right_ + stride_),
        k_(task.k + hamel_lanes::chain_pad),
        k_before_(task.k_before + hamel_lanes::chain_pad),
        c_(task.c + hamel_lanes::chain_pad),
        l2_(task.l2 + hamel_lanes::chain_pad),
        inverse_l2_(task.inverse_l2 + hamel_lanes::chain_pad),
        memory_(task.memory + hamel_lanes::chain_pad),
        kick_(-(0.5 * task.h) * task.gravity) {}

  template <bool Compensated>
  hamel_lanes::ChainOutcome step() noexcept {
    if (t_.n == 1) return single<Compensated>();
    hamel_lanes::ChainOutcome outcome;
    if (t_.history > 0) {
      guess();
    } else if (!first_guess()) {
      outcome.singular = true;
      return outcome;
    }
    constexpr double eps = 0x1p-52;
    const double enough = t_.tolerance > 4.0 * eps ? t_.tolerance : 4.0 * eps;
    double previous = 1e300;
    bool found = false;
    while (outcome.iterations < t_.max_iterations) {
      const double worst = trial<Compensated>();
      ++outcome.iterations;
      found = worst <= enough || (worst <= 64.0 * eps && 2.0 * worst >= previous);
      if (found || !(worst <= 1e6)) break;
      newton_matrix();
      solve(lambda_, true);
      previous = worst;
    }
    if (!found) {
      trial<Compensated>();  // leaves the residuals, for the message
      outcome.no_solution = true;
      return outcome;
    }
    projection();
    double* mu = right_;
    if (!solve(mu, false)) {
      outcome.singular = true;
      return outcome;
    }
    update<Compensated>(mu);
    return outcome;
  }

 private:
  /// One link: |d + p − σd|² = l², p = h(u + kick), is a quadratic equation for σ = hcλ; with b = u +
  /// 2kick, d' = d + p − σd and dd σ = d·(d + p) − √…, as for it, the projection is d'·(b − σd/h) =
  /// (d + p)·b − σ(d·b + √…/h): from the square root on, one division and few operations in sequence.
  template <bool Compensated>
  hamel_lanes::ChainOutcome single() const {
    hamel_lanes::ChainOutcome outcome;
    outcome.iterations = 1;
    double* carry = Compensated ? t_.carry + hamel_lanes::chain_pad : nullptr;
    const double h = t_.h;
    const double inverse_h = 1.0 / h;
    double d[3];
    double p[3];
    double dd = 0.0;
    double pp = 0.0;
    double dp = 0.0;
    double db = 0.0;
    double pb = 0.0;
    for (int c = 0; c < 3; ++c) {
      d[c] = d_[c * stride_];
      const double kick = c == 2 ? kick_ : 0.0;
      const double speed = u_[c * stride_] + kick;
      p[c] = h * speed;
      if constexpr (Compensated) p[c] += carry[c * stride_] + h * carry[(3 + c) * stride_];
      const double b = speed + kick;
      dd += d[c] * d[c];
      pp += p[c] * p[c];
      dp += d[c] * p[c];
      db += d[c] * b;
      pb += p[c] * b;
    }
    const double excess = (dd - l2_[0]) + (2.0 * dp + pp);
    const double along = dd + dp;
    const double root2 = along * along - dd * excess;
    outcome.no_solution = !(root2 > 0.0) || !(along > 0.0);
    if (outcome.no_solution) return outcome;
    const double root = std::sqrt(root2);
    const double sigma = excess / (along + root);
    const double pull = sigma * inverse_h;
    const double mu = ((db + pb) - sigma * (db + root * inverse_h)) * inverse_l2_[0];
    for (int c = 0; c < 3; ++c) {
      const double moved = p[c] - sigma * d[c];
      const double next = d[c] + moved;  // [MATH 7.2]
      const double before = u_[c * stride_];
      double y = (c == 2 ? 2.0 * kick_ : 0.0) - pull * d[c] - mu * next;
      if constexpr (Compensated) {  // [MATH 8.1]
        carry[c * stride_] = moved - (next - d[c]);
        y += carry[(3 + c) * stride_];
        carry[(3 + c) * stride_] = y - ((before + y) - before);
      }
      d_[c * stride_] = next;
      u_[c * stride_] = before + y;
    }
    return outcome;
  }

  struct V3 {
    V x, y, z;
  };
  V3 load(const double* list, std::int64_t i) const {
    return {V::load(list + i), V::load(list + stride_ + i), V::load(list + 2 * stride_ + i)};
  }
  void store(const V3& v, double* list, std::int64_t i) const {
    v.x.store(list + i);
    v.y.store(list + stride_ + i);
    v.z.store(list + 2 * stride_ + i);
  }
  static V dot(const V3& a, const V3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
  static V3 times(const V& s, const V3& a) { return {s * a.x, s * a.y, s * a.z}; }
  static V3 plus(const V3& a, const V3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  static V3 minus(const V3& a, const V3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }

  /// (T(factor)list)_i = k_i(f_{i+1}d_{i+1} − f_i d_i) − k_{i−1}(f_i d_i − f_{i−1}d_{i−1}).
  V3 pulled(const double* factor, const double* list, std::int64_t i) const {
    const V3 own = times(V::load(factor + i), load(list, i));
    const V3 after = times(V::load(factor + i + 1), load(list, i + 1));
    const V3 before = times(V::load(factor + i - 1), load(list, i - 1));
    return minus(times(V::load(k_ + i), minus(after, own)),
                 times(V::load(k_before_ + i), minus(own, before)));  // [MATH 7.2]
  }

  /// The list of λ/h so many steps ago.
  double* remembered(int ago) const { return memory_ + (t_.history + 3 - ago) % 4 * stride_; }

  void guess() const {
    const double* last = remembered(0);
    const double* before = remembered(1);
    const double* older = remembered(2);
    const double* oldest = remembered(3);
    const std::int64_t known = t_.history;
    const double h = t_.h;
    const auto each = [&](auto&& value) {
      for (int i = 0; i < t_.n; i += W) value(i).store(lambda_ + i);
    };
    if (known >= 4)
      each([&](int i) {
        return h * (4.0 * (V::load(last + i) + V::load(older + i)) - 6.0 * V::load(before + i) -
                    V::load(oldest + i));
      });
    else if (known == 3)
      each([&](int i) {
        return h * (3.0 * (V::load(last + i) - V::load(before + i)) + V::load(older + i));
      });
    else if (known == 2)
      each([&](int i) { return h * (2.0 * V::load(last + i) - V::load(before + i)); });
    else
      each([&](int i) { return h * V::load(last + i); });
  }

  /// λ = (h/2)·tension of the continuous motion: d_i·ü_i + |u_i|² = 0.
  bool first_guess() {
    for (int i = 0; i < t_.n; i += W) {
      const V3 own = load(d_, i);
      const V3 rate = load(u_, i);
      matrix_row(i, own, d_, 1.0);
      (-dot(rate, rate)).store(right_ + i);
    }
    right_[0] += t_.gravity * d_[2 * stride_];
    double* found = right_;
    if (!solve(found, false)) return false;
    for (int i = 0; i < t_.n; i += W) (0.5 * t_.h * V::load(found + i)).store(lambda_ + i);
    return true;
  }

  /// Row i of the matrix (scale k_{i−1} a·d_{i−1}, −scale c_i a·d_i, scale k_i a·d_{i+1}).
  void matrix_row(int i, const V3& a, const double* list, double scale) const {
    (scale * V::load(k_before_ + i) * dot(a, load(list, i - 1))).store(lower_ + i);
    (-(scale * V::load(c_ + i)) * dot(a, load(list, i))).store(diagonal_ + i);
    (scale * V::load(k_ + i) * dot(a, load(list, i + 1))).store(upper_ + i);
  }

  /// d' = d + h(u + T(λ)d + kick); the largest ||d'|²/l² − 1|, NaN if there is one.
  template <bool Compensated>
  double trial() const {
    const double h = t_.h;
    V worst(0.0);
    for (int i = 0; i < t_.n; i += W) {
      const V3 own = load(d_, i);
      V3 change = pulled(lambda_, d_, i);
      if (i == 0) {
        double z[W];
        change.z.store(z);
        z[0] += kick_;  // gravity acts on the first link only
        change.z = V::load(z);
      }
      V3 moved = times(V(h), plus(load(u_, i), change));
      if constexpr (Compensated) {
        const double* carry = t_.carry + hamel_lanes::chain_pad;
        moved = plus(plus(moved, load(carry, i)), times(V(h), load(carry + 3 * stride_, i)));
      }
      const V3 next = plus(own, moved);  // [MATH 7.2]
      const V residual = dot(next, next) - V::load(l2_ + i);
      store(next, next_, i);
      store(change, change_, i);
      (-residual).store(right_ + i);
      worst = larger(worst, residual * V::load(inverse_l2_ + i));
    }
    return worst.largest();
  }

  void newton_matrix() const {
    for (int i = 0; i < t_.n; i += W) matrix_row(i, load(next_, i), d_, 2.0 * t_.h);
  }

  /// Equations for μ: d'·(u + change + kick + T(μ)d') = 0.
  void projection() const {
    change_[2 * stride_] += kick_;
    for (int i = 0; i < t_.n; i += W) {
      const V3 own = load(next_, i);
      matrix_row(i, own, next_, 1.0);
      (-dot(own, plus(load(u_, i), load(change_, i)))).store(right_ + i);
    }
  }

  /// d ← d', u ← u + change + T(μ)d'; λ/h remembered.
  template <bool Compensated>
  void update(const double* mu) const {
    double* oldest = remembered(3);
    double* carry = Compensated ? t_.carry + hamel_lanes::chain_pad : nullptr;
    const double h = t_.h;
    const double inverse_h = 1.0 / h;
    for (int i = 0; i < t_.n; i += W) {
      const V3 next = load(next_, i);
      const V3 before = load(u_, i);
      const V3 change = plus(load(change_, i), pulled(mu, next_, i));
      (V::load(lambda_ + i) * inverse_h).store(oldest + i);
      if constexpr (Compensated) {  // [MATH 8.1]
        const V3 own = load(d_, i);
        V3 first_half = load(change_, i);
        if (i == 0) {
          double z[W];
          first_half.z.store(z);
          z[0] -= kick_;
          first_half.z = V::load(z);
        }
        const V3 moved = plus(plus(times(V(h), plus(before, first_half)), load(carry, i)),
                              times(V(h), load(carry + 3 * stride_, i)));
        store(minus(moved, minus(next, own)), carry, i);
        const V3 y = plus(change, load(carry + 3 * stride_, i));
        const V3 sum = plus(before, y);
        store(minus(y, minus(sum, before)), carry + 3 * stride_, i);
        store(sum, u_, i);
      } else {
        store(plus(before, change), u_, i);
      }
      store(next, d_, i);
    }
    // The lists end in whole registers: behind the last link everything stays zero.
  }

  /// Solves for x, or adds the solution to it; false where that is not finite. Overwrites right.
  bool solve(double* x, bool add) const {
    const int n = t_.n;
    const int pairs = (n - 1) / 2;
    const int middle = n / 2;  // of the links not in pairs the last
    double wf = 0.0;
    double rf = 0.0;
    double wb = 0.0;
    double rb = 0.0;
    for (int i = 0; i < pairs; ++i) {
      const int j = n - 1 - i;
      const double forth = 1.0 / (diagonal_[i] - lower_[i] * wf);
      const double back = 1.0 / (diagonal_[j] - upper_[j] * wb);
      rf = (right_[i] - lower_[i] * rf) * forth;
      wf = upper_[i] * forth;
      rb = (right_[j] - upper_[j] * rb) * back;
      wb = lower_[j] * back;
      w_[i] = wf;
      w_[j] = wb;
      right_[i] = rf;
      right_[j] = rb;
    }
    if (n % 2 == 0) {
      const int i = middle - 1;
      const double forth = 1.0 / (diagonal_[i] - lower_[i] * wf);
      rf = (right_[i] - lower_[i] * rf) * forth;
      wf = upper_[i] * forth;
      w_[i] = wf;
      right_[i] = rf;
    }
    const double at_middle = (right_[middle] - lower_[middle] * rf - upper_[middle] * rb) /
                             (diagonal_[middle] - lower_[middle] * wf - upper_[middle] * wb);
    const auto put = [&](int i, double value) { x[i] = add ? x[i] + value : value; };
    double forth = at_middle;
    double back = at_middle;
    double size = at_middle < 0.0 ? -at_middle : at_middle;
    put(middle, at_middle);
    if (n % 2 == 0) {
      forth = right_[middle - 1] - w_[middle - 1] * forth;
      put(middle - 1, forth);
    }
    for (int i = pairs - 1; i >= 0; --i) {
      const int j = n - 1 - i;
      forth = right_[i] - w_[i] * forth;
      back = right_[j] - w_[j] * back;
      put(i, forth);
      put(j, back);
    }
    size += (forth < 0.0 ? -forth : forth) + (back < 0.0 ? -back : back);
    return size - size == 0.0;
  }

  const hamel_lanes::ChainTask& t_;
  std::int64_t stride_;
  double* d_;
  double* u_;
  double* next_;
  double* change_;
  double* lambda_;
  double* lower_;
  double* diagonal_;
  double* upper_;
  double* right_;
  double* w_;
  const double* k_;
  const double* k_before_;
  const double* c_;
  const double* l2_;
  const double* inverse_l2_;
  double* memory_;
  double kick_;
};

template <bool Compensated>
hamel_lanes::ChainOutcome chain_variational(const hamel_lanes::ChainTask& task) noexcept {
  return ChainStep(task).step<Compensated>();
}

}  // namespace hamel::lanes
