// SPDX-License-Identifier: BSD-3-Clause
// Eigenvalues of dense real matrices, in any scalar: multipliers near the unit circle ask for more
// digits than double has.
//
// Householder's reduction to Hessenberg form, then Francis' QR steps with two implicit shifts; a
// complex pair is a pair exactly. Source: G. H. Golub, C. F. Van Loan, Matrix Computations, 4th
// ed., 7.4–7.5; the deflation test and the exceptional shifts are those of EISPACK's hqr.
#pragma once

#include <vector>

#include "hamel/core/scalar.hpp"

namespace hamel {

template <class S>
struct Eigenvalue {
  S re, im;
};

namespace detail {

/// a (n×n, row by row) becomes upper Hessenberg, similar to what it was.
template <class S>
void to_hessenberg(std::vector<S>& a, int n) {
  const auto at = [&](int i, int j) -> S& { return a[static_cast<std::size_t>(i * n + j)]; };
  std::vector<S> v(static_cast<std::size_t>(n));
  for (int k = 0; k + 2 < n; ++k) {
    S size(0.0);
    for (int i = k + 1; i < n; ++i) size = size + at(i, k) * at(i, k);
    size = sqrt(size);
    if (!(size > S(0.0))) continue;
    S square(0.0);  // v = x ± |x| e1, the reflection I − 2vvᵀ/|v|²
    for (int i = k + 1; i < n; ++i) {
      S x = at(i, k);
      if (i == k + 1) x = x < S(0.0) ? x - size : x + size;
      v[static_cast<std::size_t>(i)] = x;
      square = square + x * x;
    }
    for (int j = 0; j < n; ++j) {
      S sum(0.0);
      for (int i = k + 1; i < n; ++i) sum = sum + v[static_cast<std::size_t>(i)] * at(i, j);
      sum = S(2.0) * sum / square;
      for (int i = k + 1; i < n; ++i) at(i, j) = at(i, j) - sum * v[static_cast<std::size_t>(i)];
    }
    for (int i = 0; i < n; ++i) {
      S sum(0.0);
      for (int j = k + 1; j < n; ++j) sum = sum + v[static_cast<std::size_t>(j)] * at(i, j);
      sum = S(2.0) * sum / square;
      for (int j = k + 1; j < n; ++j) at(i, j) = at(i, j) - sum * v[static_cast<std::size_t>(j)];
    }
    for (int i = k + 2; i < n; ++i) at(i, k) = S(0.0);
  }
}

/// One double-shift step on rows l … hi of a Hessenberg matrix; x, y, w: the shifts' trace and
/// determinant as the 2×2 block x, y on the diagonal, w the product off it.
template <class S>
void francis_step(std::vector<S>& a, int n, int l, int hi, S x, S y, const S& w) {
  const auto at = [&](int i, int j) -> S& { return a[static_cast<std::size_t>(i * n + j)]; };
  S p(0.0);
  S q(0.0);
  S r(0.0);
  int m = hi - 2;
  for (; m >= l; --m) {  // the lowest place where the step may begin
    const S z = at(m, m);
    const S dx = x - z;
    const S dy = y - z;
    p = (dx * dy - w) / at(m + 1, m) + at(m, m + 1);
    q = at(m + 1, m + 1) - z - dx - dy;
    r = at(m + 2, m + 1);
    const S size = abs(p) + abs(q) + abs(r);
    p = p / size;
    q = q / size;
    r = r / size;
    if (m == l) break;
    const S below = abs(at(m, m - 1)) * (abs(q) + abs(r));
    const S around = abs(p) * (abs(at(m - 1, m - 1)) + abs(z) + abs(at(m + 1, m + 1)));
    if (below <= Epsilon<S>::value * around) break;
  }
  for (int i = m + 2; i <= hi; ++i) {
    at(i, i - 2) = S(0.0);
    if (i > m + 2) at(i, i - 3) = S(0.0);
  }
  for (int k = m; k < hi; ++k) {
    const bool three = k + 1 < hi;
    if (k > m) {
      p = at(k, k - 1);
      q = at(k + 1, k - 1);
      r = three ? at(k + 2, k - 1) : S(0.0);
      x = abs(p) + abs(q) + abs(r);
      if (!(x > S(0.0))) continue;
      p = p / x;
      q = q / x;
      r = r / x;
    }
    S s = sqrt(p * p + q * q + r * r);
    if (p < S(0.0)) s = -s;
    if (s == S(0.0)) continue;
    if (k > m)
      at(k, k - 1) = -s * x;
    else if (l != m)
      at(k, k - 1) = -at(k, k - 1);
    p = p + s;
    x = p / s;
    y = q / s;
    const S z = r / s;
    q = q / p;
    r = r / p;
    for (int j = k; j <= hi; ++j) {
      S sum = at(k, j) + q * at(k + 1, j);
      if (three) {
        sum = sum + r * at(k + 2, j);
        at(k + 2, j) = at(k + 2, j) - sum * z;
      }
      at(k + 1, j) = at(k + 1, j) - sum * y;
      at(k, j) = at(k, j) - sum * x;
    }
    const int last = k + 3 < hi ? k + 3 : hi;
    for (int i = l; i <= last; ++i) {
      S sum = x * at(i, k) + y * at(i, k + 1);
      if (three) {
        sum = sum + z * at(i, k + 2);
        at(i, k + 2) = at(i, k + 2) - sum * r;
      }
      at(i, k + 1) = at(i, k + 1) - sum * q;
      at(i, k) = at(i, k) - sum;
    }
  }
}

}  // namespace detail

/// The eigenvalues of a (n×n, row by row), complex ones in adjacent pairs. Empty where the
/// iteration does not end, or an entry is not finite. O(n³).
template <class S>
std::vector<Eigenvalue<S>> eigenvalues(std::vector<S> a, int n) {
  constexpr int most_steps = 60;  // per eigenvalue; two or three are usual
  const auto at = [&](int i, int j) -> S& { return a[static_cast<std::size_t>(i * n + j)]; };
  S size(0.0);
  for (const S& x : a) size = size + abs(x);
  if (!(size - size == S(0.0))) return {};
  detail::to_hessenberg(a, n);
  std::vector<Eigenvalue<S>> found(static_cast<std::size_t>(n));
  S shifted(0.0);  // by exceptional shifts
  int steps = 0;
  for (int hi = n - 1; hi >= 0;) {
    int l = hi;  // rows l … hi are a block of their own
    for (; l > 0; --l) {
      S around = abs(at(l - 1, l - 1)) + abs(at(l, l));
      if (around == S(0.0)) around = size;
      if (abs(at(l, l - 1)) <= Epsilon<S>::value * around) break;
    }
    if (l > 0) at(l, l - 1) = S(0.0);
    S x = at(hi, hi);
    if (l == hi) {
      found[static_cast<std::size_t>(hi)] = {x + shifted, S(0.0)};
      --hi;
      steps = 0;
      continue;
    }
    S y = at(hi - 1, hi - 1);
    S w = at(hi, hi - 1) * at(hi - 1, hi);
    if (l == hi - 1) {
      const S p = S(0.5) * (y - x);
      const S square = p * p + w;
      const S root = sqrt(abs(square));
      Eigenvalue<S>& first = found[static_cast<std::size_t>(hi - 1)];
      Eigenvalue<S>& second = found[static_cast<std::size_t>(hi)];
      if (square >= S(0.0)) {
        const S far = p < S(0.0) ? p - root : p + root;
        first = {x + shifted + far, S(0.0)};
        second = {far == S(0.0) ? x + shifted : x + shifted - w / far, S(0.0)};
      } else {
        first = {x + shifted + p, root};
        second = {x + shifted + p, -root};
      }
      hi -= 2;
      steps = 0;
      continue;
    }
    if (++steps > most_steps) return {};
    if (steps % 10 == 0) {
      shifted = shifted + x;
      for (int i = 0; i <= hi; ++i) at(i, i) = at(i, i) - x;
      const S s = abs(at(hi, hi - 1)) + abs(at(hi - 1, hi - 2));
      x = y = S(0.75) * s;
      w = S(-0.4375) * s * s;
    }
    detail::francis_step(a, n, l, hi, x, y, w);
  }
  return found;
}

}  // namespace hamel
