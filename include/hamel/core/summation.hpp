// Accumulated state: x ← x + dx, plain or with compensated (Kahan) summation.
//
// Compensated: y = dx + c, x' = fl(x + y), c' = y − (x' − x). The lost low bits of every addition
// re-enter at the next one, so round-off in the state grows with the size of the increments
// instead of the size of the state. [MATH 8.1]
#pragma once

#include "hamel/core/vec.hpp"

namespace hamel {

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
