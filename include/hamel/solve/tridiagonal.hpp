// Scalar tridiagonal systems by elimination without pivoting, for diagonally dominant matrices.
//
//   lower_i x_{i−1} + diagonal_i x_i + upper_i x_{i+1} = right_i.
// Used in two halves so that the matrix can be formed while it is eliminated, in one pass.
#pragma once

#include "hamel/core/scalar.hpp"

namespace hamel {

/// The row before is (1, w, r) after elimination; makes row i such and returns whether its pivot is
/// a number other than zero. O(1).
template <class S>
HAMEL_KERNEL MaskOf<S> tridiagonal_row(const S& lower, const S& diagonal, const S& upper,
                                       const S& right, const S& w_before, const S& r_before, S& w,
                                       S& r) {
  const S pivot = diagonal - lower * w_before;
  const S inverse = S(1.0) / pivot;
  w = upper * inverse;
  r = (right - lower * r_before) * inverse;
  return pivot != S(0.0);
}

}  // namespace hamel
