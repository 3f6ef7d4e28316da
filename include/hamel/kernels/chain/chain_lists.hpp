// SPDX-License-Identifier: BSD-3-Clause
// The lists of a chain by coordinate, for kernels with its links in lanes; its tridiagonal systems.
//
// x of all links, y, z; zero around the links, so that all that belongs to a link by itself or with
// its neighbours goes through wide registers. Tridiagonal systems are eliminated from both ends
// towards the middle, two links at once:
//   forth  x_i = r_i − w_i x_{i+1},  w_i = U_i/(D_i − L_i w_{i−1}),  back the mirror image.
// A division, two products and a difference wait for each other, 26 cycles for two links: there is
// time for other work in between.
#pragma once

#include <cstdint>

#include "hamel/core/lanes.hpp"
#include "hamel/core/triple.hpp"

namespace hamel_lanes {

/// Numbers before and behind the n of a list, all zero.
inline constexpr int chain_pad = 8;
/// Length of a list.
constexpr std::int64_t chain_stride(int n) { return (n + 7) / 8 * 8 + 2 * chain_pad; }
/// Lists of work: next and change (three each), λ, three of a matrix, its right side, w. After a
/// step that failed the right side has the residuals.
inline constexpr int chain_lists = 12;
inline constexpr int chain_right = 10;

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
  const double* inverse_l = nullptr;  ///< 1/l_i, to look at the chain; so are the next two
  const double* mass = nullptr;       ///< n, nothing around them
  const double* length = nullptr;     ///< n, nothing around them
  double gravity = 0.0;
  double h = 0.0;
  double tolerance = 0.0;
  int max_iterations = 0;
  int expected_iterations = 2;  ///< a guess, for speed alone
};

struct ChainOutcome {
  int iterations = 0;
  bool no_solution = false;
  bool singular = false;
};

using ChainKernel = ChainOutcome (*)(const ChainTask&) noexcept;

}  // namespace hamel_lanes

namespace hamel::lanes {

class ChainLists {
  friend class ChainStep;
  friend class ChainObserver;

  // Neighbours are read from memory, and half of such reads of 64 bytes cross a line of the cache.
  static constexpr int W = register_lanes < 4 ? register_lanes : 4;
  using V = Lanes<W>;

  explicit ChainLists(const hamel_lanes::ChainTask& task)
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
        right_(next_ + hamel_lanes::chain_right * stride_),
        w_(right_ + stride_),
        k_(task.k + hamel_lanes::chain_pad),
        k_before_(task.k_before + hamel_lanes::chain_pad),
        c_(task.c + hamel_lanes::chain_pad),
        l2_(task.l2 + hamel_lanes::chain_pad),
        inverse_l2_(task.inverse_l2 + hamel_lanes::chain_pad) {}

  using V3 = Triple<V>;
  V3 load(const double* list, std::int64_t i) const {
    return {V::load(list + i), V::load(list + stride_ + i), V::load(list + 2 * stride_ + i)};
  }
  void store(const V3& v, double* list, std::int64_t i) const {
    v.x.store(list + i);
    v.y.store(list + stride_ + i);
    v.z.store(list + 2 * stride_ + i);
  }

  /// Rows i … of the matrix (scale k_{i−1} a·d_{i−1}, −scale c_i a·d_i, scale k_i a·d_{i+1}).
  void matrix_rows(int i, const V3& a, const double* list, double scale, double* lower,
                   double* diagonal, double* upper) const {
    (scale * V::load(k_before_ + i) * dot(a, load(list, i - 1))).store(lower);
    (-(scale * V::load(c_ + i)) * dot(a, load(list, i))).store(diagonal);
    (scale * V::load(k_ + i) * dot(a, load(list, i + 1))).store(upper);
  }
  void matrix_rows(int i, const V3& a, const double* list, double scale) const {
    matrix_rows(i, a, list, scale, lower_ + i, diagonal_ + i, upper_ + i);
  }

  /// Equations for the λ of the motion, d_i·ü_i + |u_i|² = 0 with ü = T(λ)d − g e3 δ_i1, at links i
  /// to i + W − 1.                                                                     [MATH 7.2]
  void tension_rows(int i, const V3& own, const V3& rate) const {
    matrix_rows(i, own, d_, 1.0);
    (-dot(rate, rate)).store(right_ + i);
    if (i == 0) right_[0] += t_.gravity * d_[2 * stride_];
  }

  /// What an elimination from both ends has come to.
  struct Ends {
    double wf = 0.0;
    double rf = 0.0;
    double wb = 0.0;
    double rb = 0.0;
  };

  /// Eliminates links i and j = n − 1 − i, whose rows are number `row` of `forth` and `row_back` of
  /// `back`.
  template <class Rows>
  void eliminate(int i, const Rows& forth, int row, const Rows& back, int row_back, Ends& e) const {
    const int j = t_.n - 1 - i;
    const double f = 1.0 / (forth.diagonal[row] - forth.lower[row] * e.wf);
    const double b = 1.0 / (back.diagonal[row_back] - back.upper[row_back] * e.wb);
    e.rf = (forth.right[row] - forth.lower[row] * e.rf) * f;
    e.wf = forth.upper[row] * f;
    e.rb = (back.right[row_back] - back.upper[row_back] * e.rb) * b;
    e.wb = back.lower[row_back] * b;
    w_[i] = e.wf;
    w_[j] = e.wb;
    right_[i] = e.rf;
    right_[j] = e.rb;
  }

  /// The solution at link n/2. It and, for even n, the one before are in no pair; `rows` begin at
  /// link `first`.
  template <class Rows>
  double eliminate_middle(const Rows& rows, int first, Ends& e) const {
    const int row = t_.n / 2 - first;
    if (t_.n % 2 == 0) {
      const double forth = 1.0 / (rows.diagonal[row - 1] - rows.lower[row - 1] * e.wf);
      e.rf = (rows.right[row - 1] - rows.lower[row - 1] * e.rf) * forth;
      e.wf = rows.upper[row - 1] * forth;
      w_[t_.n / 2 - 1] = e.wf;
      right_[t_.n / 2 - 1] = e.rf;
    }
    return (rows.right[row] - rows.lower[row] * e.rf - rows.upper[row] * e.rb) /
           (rows.diagonal[row] - rows.lower[row] * e.wf - rows.upper[row] * e.wb);
  }

  /// From the middle to both ends: x, or what is added to it; false where that is not finite.
  bool substitute(double at_middle, double* x, bool add) const {
    const int n = t_.n;
    const int middle = n / 2;
    const auto put = [&](int i, double value) { x[i] = add ? x[i] + value : value; };
    double forth = at_middle;
    double back = at_middle;
    double size = at_middle < 0.0 ? -at_middle : at_middle;
    put(middle, at_middle);
    if (n % 2 == 0) {
      forth = right_[middle - 1] - w_[middle - 1] * forth;
      put(middle - 1, forth);
    }
    for (int i = (n - 1) / 2 - 1; i >= 0; --i) {
      const int j = n - 1 - i;
      forth = right_[i] - w_[i] * forth;
      back = right_[j] - w_[j] * back;
      put(i, forth);
      put(j, back);
    }
    size += (forth < 0.0 ? -forth : forth) + (back < 0.0 ? -back : back);
    return size - size == 0.0;
  }

  /// Solves for x, or adds the solution to it; false where that is not finite. Overwrites right.
  /// between(i) is done after pair i, from 0 on, as long as there are pairs.
  template <class Between>
  bool solve(double* x, bool add, Between&& between) const {
    const struct {
      const double *lower, *diagonal, *upper, *right;
    } rows{lower_, diagonal_, upper_, right_};
    Ends ends;
    for (int i = 0; i < (t_.n - 1) / 2; ++i) {
      eliminate(i, rows, i, rows, t_.n - 1 - i, ends);
      between(i);
    }
    return substitute(eliminate_middle(rows, 0, ends), x, add);
  }
  bool solve(double* x, bool add) const {
    return solve(x, add, [](int) {});
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
};

}  // namespace hamel::lanes
