// SPDX-License-Identifier: BSD-3-Clause
// D2's variational step of one chain, its links in lanes.                                [MATH 7.2]
//
// The equations are those of chain_variational_stepper.hpp, the lists those of chain_lists.hpp.
// Per link and step at one Newton correction: two trials, two matrices, two eliminations, one
// update, some 330 flops in wide registers and 2×(1 division, 7 flops) in sequence. A division, two
// products and a difference of an elimination wait for each other, 26 cycles for two links; the
// wide work of the links ahead is done meanwhile. One after the other they took 15 ns a link at
// n = 100, half of it the eliminations. A step reads and writes 27 lists, half a kilobyte a link.
// Measured, ns per link, AVX-512 at 2.6 GHz (Zen 4; benchmark/results/chains.md): n = 1 37 (closed
// form), 10 23, 100 12, 1000 14, 10,000 and 100,000 17; before rows were formed on the way 41, 21,
// 15, 17, 22, 19, and then on Ice Lake, 2.8 GHz, 44, 26, 19, 23, 31 and 40, 10,000 links being more
// than its cache holds. One link after the other, there: 98, 44, 36, 37, 48, 41.
#pragma once

#include <cmath>

#include "hamel/kernels/chain/chain_lists.hpp"
#include "hamel/kernels/chain/chain_newton.hpp"

namespace hamel::lanes {

class ChainStep : ChainLists {
 public:
  explicit ChainStep(const hamel_lanes::ChainTask& task)
      : ChainLists(task),
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
    const ChainNewton<double> ends(t_.tolerance);
    double previous = 1e300;
    while (outcome.iterations < t_.max_iterations) {
      ++outcome.iterations;
      const bool last = outcome.iterations >= t_.expected_iterations;
      Eliminated here = last ? eliminated<Compensated, true>() : eliminated<Compensated, false>();
      if (ends.found(here.worst, previous)) {
        if (!last) here = eliminated<Compensated, true>();
        outcome.singular = !substitute(here.at_middle, right_, false);
        if (!outcome.singular) update<Compensated>(right_);
        return outcome;
      }
      if (ChainNewton<double>::lost(here.worst)) break;
      previous = here.worst;
      if (last) here = eliminated<Compensated, false>();
      substitute(here.at_middle, lambda_, true);
    }
    leave_residuals<Compensated>();  // for the message
    outcome.no_solution = true;
    return outcome;
  }

 private:
  /// One link: |d + p − σd|² = l², p = h(u + kick), is a quadratic equation for σ = hcλ, solved by
  /// |d|²σ = d·(d + p) − √…. With b = u + 2kick the projection takes out d'·(b − σd/h) = (d + p)·b
  /// − σ(d·b + √…/h): from the square root on, one division and few operations in sequence.
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

  /// (T(factor)list)_i = k_i(f_{i+1}d_{i+1} − f_i d_i) − k_{i−1}(f_i d_i − f_{i−1}d_{i−1}).
  V3 pulled(const double* factor, const double* list, std::int64_t i) const {
    const V3 own = V::load(factor + i) * load(list, i);
    const V3 after = V::load(factor + i + 1) * load(list, i + 1);
    const V3 before = V::load(factor + i - 1) * load(list, i - 1);
    return V::load(k_ + i) * (after - own) - V::load(k_before_ + i) * (own - before);  // [MATH 7.2]
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
    for (int i = 0; i < t_.n; i += W) tension_rows(i, load(d_, i), load(u_, i));
    double* found = right_;
    if (!solve(found, false)) return false;
    for (int i = 0; i < t_.n; i += W) (0.5 * t_.h * V::load(found + i)).store(lambda_ + i);
    return true;
  }

  /// A trial at links i to i + W − 1: keep(change, d', |d'|² − l²), d' = d + h(u + T(λ)d + kick).
  template <bool Compensated, class Keep>
  __attribute__((always_inline)) void tried(int i, Keep&& keep) const {
    const double h = t_.h;
    const V3 own = load(d_, i);
    V3 change = pulled(lambda_, d_, i);
    if (i == 0) {
      double z[W];
      change.z.store(z);
      z[0] += kick_;  // gravity acts on the first link only
      change.z = V::load(z);
    }
    V3 moved = V(h) * (load(u_, i) + change);
    if constexpr (Compensated) {
      const double* carry = t_.carry + hamel_lanes::chain_pad;
      moved = moved + load(carry, i) + V(h) * load(carry + 3 * stride_, i);
    }
    const V3 next = own + moved;  // [MATH 7.2]
    keep(change, next, dot(next, next) - V::load(l2_ + i));
  }

  /// The residuals of a step that fails, in right.
  template <bool Compensated>
  void leave_residuals() const {
    for (int i = 0; i < t_.n; i += W)
      tried<Compensated>(
          i, [&](const V3&, const V3&, const V& residual) { residual.store(right_ + i); });
    for (int i = t_.n; i < t_.n + W; ++i) right_[i] = 0.0;  // not NaN behind the last link
  }

  /// Rows of a tridiagonal system. Aligned: a register across two cache lines cannot be read back
  /// at once.
  template <int Count>
  struct alignas(64) Rows {
    double lower[Count], diagonal[Count], upper[Count], right[Count];
  };

  /// Newton's equations for λ; next and change are not kept.
  template <bool Compensated, class To>
  void correction_rows(int i, To& rows, int row, V& worst) const {
    tried<Compensated>(i, [&](const V3&, const V3& next, const V& residual) {
      matrix_rows(i, next, d_, 2.0 * t_.h, rows.lower + row, rows.diagonal + row, rows.upper + row);
      (-residual).store(rows.right + row);
      worst = larger(worst, residual * V::load(inverse_l2_ + i));
    });
  }

  /// Equations for μ: d'·(u + change + kick + T(μ)d') = 0. The neighbours have been tried.
  template <class To>
  void projection_rows(int i, To& rows, int row) const {
    const V3 own = load(next_, i);
    matrix_rows(i, own, next_, 1.0, rows.lower + row, rows.diagonal + row, rows.upper + row);
    (-dot(own, load(u_, i) + load(change_, i))).store(rows.right + row);
  }

  template <bool Compensated>
  void keep_trial(int i, V& worst) const {
    tried<Compensated>(i, [&](const V3& change, const V3& next, const V& residual) {
      store(next, next_, i);
      store(change, change_, i);
      if (i == 0) change_[2 * stride_] += kick_;
      worst = larger(worst, residual * V::load(inverse_l2_ + i));
    });
  }

  struct Eliminated {
    double worst = 0.0;  ///< the largest ||d'|²/l² − 1|
    double at_middle = 0.0;
  };

  /// The residuals of λ and, on the way, the elimination of the equations for its correction, or of
  /// those for μ. Rows are formed W links ahead of it, at both ends, in the time in which it waits
  /// for its divisions, and go no further than the cache.
  template <bool Compensated, bool Projection>
  Eliminated eliminated() const {
    const int n = t_.n;
    const int pairs = (n - 1) / 2;
    const int blocks = pairs / W;
    const int begin = blocks * W;  // of the middle, which has no more than 2W links
    const int end = n - begin;
    V worst(0.0);
    Ends ends;
    Rows<W> forth[2];
    Rows<W> back[2];
    const auto try_middle = [&] {
      for (int i = begin; i < end; i += W) keep_trial<Compensated>(i, worst);
    };
    if (Projection && blocks > 0) {
      keep_trial<Compensated>(0, worst);
      keep_trial<Compensated>(n - W, worst);
    } else if (Projection) {
      try_middle();
    }
    for (int block = 0; block <= blocks; ++block) {
      const int i = block * W;
      const int j = n - i - W;
      // A quarter of the pairs of the block before.
      const auto quarter = [&](int part) {
        for (int k = part * W / 4; k < (part + 1) * W / 4 && block > 0; ++k)
          eliminate(i - W + k, forth[(block + 1) % 2], k, back[(block + 1) % 2], W - 1 - k, ends);
      };
      if (block == blocks) {
        for (int part = 0; part < 4; ++part) quarter(part);
      } else if constexpr (Projection) {
        if (block + 1 < blocks) {
          keep_trial<Compensated>(i + W, worst);
          quarter(0);
          keep_trial<Compensated>(j - W, worst);
        } else {
          quarter(0);
          try_middle();
        }
        quarter(1);
        projection_rows(i, forth[block % 2], 0);
        quarter(2);
        projection_rows(j, back[block % 2], 0);
        quarter(3);
      } else {
        correction_rows<Compensated>(i, forth[block % 2], 0, worst);
        quarter(0);
        quarter(1);
        correction_rows<Compensated>(j, back[block % 2], 0, worst);
        quarter(2);
        quarter(3);
      }
    }
    Rows<3 * W> middle;
    for (int i = begin; i < end; i += W)
      if constexpr (Projection)
        projection_rows(i, middle, i - begin);
      else
        correction_rows<Compensated>(i, middle, i - begin, worst);
    for (int i = begin; i < pairs; ++i)
      eliminate(i, middle, i - begin, middle, n - 1 - i - begin, ends);
    return {worst.largest(), eliminate_middle(middle, begin, ends)};
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
      const V3 change = load(change_, i) + pulled(mu, next_, i);
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
        const V3 moved =
            V(h) * (before + first_half) + load(carry, i) + V(h) * load(carry + 3 * stride_, i);
        store(moved - (next - own), carry, i);
        const V3 y = change + load(carry + 3 * stride_, i);
        const V3 sum = before + y;
        store(y - (sum - before), carry + 3 * stride_, i);
        store(sum, u_, i);
      } else {
        store(before + change, u_, i);
      }
      store(next, d_, i);
    }
    // The lists end in whole registers: behind the last link everything stays zero.
  }

  double* memory_;
  double kick_;
};

template <bool Compensated>
hamel_lanes::ChainOutcome chain_variational(const hamel_lanes::ChainTask& task) noexcept {
  return ChainStep(task).step<Compensated>();
}

}  // namespace hamel::lanes
