// SPDX-License-Identifier: BSD-3-Clause
// Scalars and masks: everything a kernel may do with a number.
//
// A kernel is one function template over its scalar S. It never writes `if` on an S; it uses
// select(mask, a, b), any(mask), abs, sqrt and the four operations. The same source then serves
//   double, long double, Quad      (references; core/quad.hpp),
//   Dual<T, N>, Jet2<N, T>         (derivatives; autodiff/),
//   Pack<double, W>                (W systems at once; core/pack.hpp),
// and nvcc. This header includes neither Eigen nor <experimental/simd> for that reason.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

#if !defined(__CUDACC__)
// Before the templates: built-in types have no argument-dependent lookup.
#include "hamel/core/quad.hpp"
#endif

#if defined(__CUDACC__)
#define HAMEL_FN __host__ __device__
#else
#define HAMEL_FN
#endif

// The step of a fast kernel: always inlined into the stepping loop, where its state then stays in
// registers. As a call it would cost nearly twice as much (variational: 26 → 50 ns).
#if defined(__GNUC__) && !defined(__CUDACC__)
#define HAMEL_KERNEL HAMEL_FN __attribute__((always_inline)) inline
#else
#define HAMEL_KERNEL HAMEL_FN
#endif

namespace hamel {

/// What the kernels need to know of a scalar type; specialised for packs and duals.
template <class S>
struct ScalarTraits {
  using Mask = bool;                     ///< result of a comparison
  using Count = int;                     ///< counter that select() can freeze lane by lane
  using Real = S;                        ///< S without derivatives
  static constexpr int derivatives = 0;  ///< nesting depth of derivatives carried by S
};

template <class S>
using MaskOf = typename ScalarTraits<S>::Mask;
template <class S>
using CountOf = typename ScalarTraits<S>::Count;
template <class S>
using RealOf = typename ScalarTraits<S>::Real;

/// Unit round-off spacing of the arithmetic behind S: 2⁻⁵² for double and packs of it.
template <class S>
struct Epsilon {
  static constexpr auto value = std::numeric_limits<RealOf<S>>::epsilon();
};

#if !defined(__CUDACC__) && LDBL_MANT_DIG != 113
template <>
struct Epsilon<Quad> {
  static constexpr Quad value = 1.0 / (Quad(1ULL << 56U) * Quad(1ULL << 56U));  // 2⁻¹¹²
};
#endif

/// Lane operations of a mask type; specialised in core/pack.hpp. A class template, so that kernels
/// find it whatever the order of includes.
template <class Mask>
struct LaneOps {
  HAMEL_FN static constexpr bool any(const Mask& mask) { return mask; }
  HAMEL_FN static constexpr bool all(const Mask& mask) { return mask; }
  template <class T>
  HAMEL_FN static constexpr T select(const Mask& mask, const T& a, const T& b) {
    return mask ? a : b;
  }
};

template <class Mask>
HAMEL_FN constexpr bool any(const Mask& mask) {
  return LaneOps<Mask>::any(mask);
}
template <class Mask>
HAMEL_FN constexpr bool all(const Mask& mask) {
  return LaneOps<Mask>::all(mask);
}

/// mask ? a : b, lane by lane where the mask has lanes.
template <class Mask, class T>
HAMEL_FN constexpr T select(const Mask& mask, const T& a, const T& b) {
  return LaneOps<Mask>::select(mask, a, b);
}

// Elementary functions of the built-in types, found unqualified next to those of Quad, Dual and
// Pack. Kernels call sqrt(x), never std::sqrt(x).
#define HAMEL_BUILTIN_UNARY(f)                             \
  HAMEL_FN inline double f(double x) { return std::f(x); } \
  inline long double f(long double x) { return std::f(x); }
#define HAMEL_BUILTIN_BINARY(f)                                         \
  HAMEL_FN inline double f(double x, double y) { return std::f(x, y); } \
  inline long double f(long double x, long double y) { return std::f(x, y); }
HAMEL_BUILTIN_UNARY(sqrt)
HAMEL_BUILTIN_UNARY(exp)
HAMEL_BUILTIN_UNARY(log)
HAMEL_BUILTIN_UNARY(sin)
HAMEL_BUILTIN_UNARY(cos)
HAMEL_BUILTIN_UNARY(tan)
HAMEL_BUILTIN_UNARY(asin)
HAMEL_BUILTIN_UNARY(acos)
HAMEL_BUILTIN_UNARY(atan)
HAMEL_BUILTIN_UNARY(sinh)
HAMEL_BUILTIN_UNARY(cosh)
HAMEL_BUILTIN_UNARY(tanh)
HAMEL_BUILTIN_BINARY(atan2)
HAMEL_BUILTIN_BINARY(pow)
HAMEL_BUILTIN_BINARY(hypot)
#undef HAMEL_BUILTIN_UNARY
#undef HAMEL_BUILTIN_BINARY

HAMEL_FN inline double abs(double x) { return std::fabs(x); }
inline long double abs(long double x) { return std::fabs(x); }
HAMEL_FN constexpr double min(double a, double b) { return b < a ? b : a; }
HAMEL_FN constexpr double max(double a, double b) { return a < b ? b : a; }
constexpr long double min(long double a, long double b) { return b < a ? b : a; }
constexpr long double max(long double a, long double b) { return a < b ? b : a; }

/// The size of x as a stopping test must see it. For scalars with derivatives it covers those too,
/// because an iteration may only stop when they have settled as well (autodiff/dual.hpp).
HAMEL_FN inline double magnitude(double x) { return abs(x); }
inline long double magnitude(long double x) { return abs(x); }

/// The plain value of x, without derivatives.
HAMEL_FN constexpr double value_of(double x) { return x; }
constexpr long double value_of(long double x) { return x; }

}  // namespace hamel
