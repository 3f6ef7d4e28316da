// SPDX-License-Identifier: BSD-3-Clause
// Pack<T, W>: W lanes that go through a kernel together, by <experimental/simd>.
//
// Only operations that IEEE 754 defines exactly are used (+ − * / sqrt, comparisons, select), so a
// lane has the bits of the scalar computation whatever its neighbours do.
#pragma once

#include <experimental/simd>

#include "hamel/core/scalar.hpp"

namespace hamel {

template <class T, int W>
using Pack = std::experimental::fixed_size_simd<T, W>;

template <class T, class Abi>
struct ScalarTraits<std::experimental::simd<T, Abi>> {
  using Mask = typename std::experimental::simd<T, Abi>::mask_type;
  using Count = std::experimental::simd<T, Abi>;
  using Real = T;
  static constexpr int derivatives = 0;
};

template <class T, class Abi>
struct LaneOps<std::experimental::simd_mask<T, Abi>> {
  using Mask = std::experimental::simd_mask<T, Abi>;
  using Value = std::experimental::simd<T, Abi>;
  static bool any(const Mask& mask) { return std::experimental::any_of(mask); }
  static bool all(const Mask& mask) { return std::experimental::all_of(mask); }
  static Value select(const Mask& mask, const Value& a, Value b) {
    std::experimental::where(mask, b) = a;
    return b;
  }
};

}  // namespace hamel
