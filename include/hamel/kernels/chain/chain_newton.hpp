// SPDX-License-Identifier: BSD-3-Clause
// When Newton's iteration for the tensions of a chain's step ends: the same for one chain, for its
// links in lanes and for many chains in lanes.
#pragma once

#include "hamel/core/scalar.hpp"

namespace hamel {

template <class S>
class ChainNewton {
 public:
  using Real = RealOf<S>;

  HAMEL_FN explicit ChainNewton(double tolerance)
      : enough_(least > Real(tolerance) ? least : Real(tolerance)) {}

  /// Whether λ is good enough, from the largest ||d'|²/l² − 1| and the one before. Rounding of d'
  /// alone leaves a few eps, of more terms in forced chains: there it shrinks no longer.
  HAMEL_FN MaskOf<S> found(const S& worst, const S& previous) const {
    return worst <= enough_ || (worst <= S(rounded) && S(2.0) * worst >= previous);
  }
  /// It ran away, or is NaN.
  HAMEL_FN static MaskOf<S> lost(const S& worst) { return !(worst <= S(1e6)); }

 private:
  static constexpr Real least = Real(4.0) * Epsilon<S>::value;
  static constexpr Real rounded = Real(64.0) * Epsilon<S>::value;

  S enough_;
};

}  // namespace hamel
