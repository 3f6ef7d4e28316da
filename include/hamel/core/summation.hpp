// SPDX-License-Identifier: BSD-3-Clause
// Accumulated state: x ← x + dx, plain or with compensated (Kahan) summation.
//
// Compensated: y = dx + c, x' = fl(x + y), c' = y − (x' − x). The lost low bits of every addition
// re-enter at the next one, so round-off in the state grows with the size of the increments
// instead of the size of the state. [MATH 8.1]
#pragma once

#include <type_traits>

#include "hamel/core/vec.hpp"

namespace hamel {

/// Whether products and sums of S can be split into what is kept and what is rounded off.
template <class S>
inline constexpr bool splits_exactly =
    std::is_same_v<RealOf<S>, double>&& ScalarTraits<S>::derivatives == 0;

/// a·b − product, exactly, where product = fl(a·b) (Dekker, for splits_exactly<S>).
template <class S>
HAMEL_KERNEL S product_error(const S& a, const S& b, const S& product) {
  const S splitter = S(134217729.0);  // 2²⁷ + 1
  const S ta = splitter * a;
  const S tb = splitter * b;
  const S a1 = ta - (ta - a);
  const S b1 = tb - (tb - b);
  const S a2 = a - a1;
  const S b2 = b - b1;
  return ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2;
}

/// a + b − sum, exactly, where sum = fl(a + b) (Knuth).
template <class S>
HAMEL_KERNEL S sum_error(const S& a, const S& b, const S& sum) {
  const S t = sum - a;
  return (a - (sum - t)) + (b - t);
}

enum class Summation : bool { plain, compensated };

template <class S, int N, Summation Mode>
struct Sum;

template <class S, int N>
struct Sum<S, N, Summation::plain> {
  Vec<S, N> value;

  HAMEL_FN void start(const Vec<S, N>& x) { value = x; }
  HAMEL_FN void add(const Vec<S, N>& dx) { value += dx; }
};

template <class S, int N>
struct Sum<S, N, Summation::compensated> {
  Vec<S, N> value;
  Vec<S, N> carry;

  HAMEL_FN void start(const Vec<S, N>& x) {
    value = x;
    for (int i = 0; i < N; ++i) carry[i] = S(0.0);
  }
  HAMEL_FN void add(const Vec<S, N>& dx) {  // [MATH 8.1]
    const Vec<S, N> y = dx + carry;
    const Vec<S, N> sum = value + y;
    carry = y - (sum - value);
    value = sum;
  }
  /// dx that goes on below its last digit; nothing of it is lost.
  HAMEL_FN void add(const Vec<S, N>& dx, const Vec<S, N>& below) {
    for (int i = 0; i < N; ++i) {
      const S low = carry[i] + below[i];
      const S y = dx[i] + low;
      const S sum = value[i] + y;
      carry[i] = sum_error(value[i], y, sum) + sum_error(dx[i], low, y);
      value[i] = sum;
    }
  }
};

/// Lane-wise choice between two accumulated states.
template <class S, int N>
HAMEL_FN Sum<S, N, Summation::plain> select(const MaskOf<S>& mask,
                                            const Sum<S, N, Summation::plain>& a,
                                            const Sum<S, N, Summation::plain>& b) {
  return {select(mask, a.value, b.value)};
}
template <class S, int N>
HAMEL_FN Sum<S, N, Summation::compensated> select(const MaskOf<S>& mask,
                                                  const Sum<S, N, Summation::compensated>& a,
                                                  const Sum<S, N, Summation::compensated>& b) {
  return {select(mask, a.value, b.value), select(mask, a.carry, b.carry)};
}

}  // namespace hamel
