// SPDX-License-Identifier: BSD-3-Clause
// Lanes<W>: W doubles in the widest registers there are, for kernels that the library has for
// several instruction sets: stages of one step, members of an ensemble. A scalar like the others
// (core/scalar.hpp); what is written once for any processor goes through Pack (core/pack.hpp).
//
// Native vectors of the compiler, as many as W needs: GCC 12 takes a 64-byte vector apart lane by
// lane where registers have 32, and keeps a fixed_size_simd in memory.
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "hamel/core/scalar.hpp"

namespace hamel {

/// N doubles in one register. (The size of a vector_size must not depend on a template parameter.)
template <int N>
struct NativeLanes;
#define HAMEL_NATIVE_LANES(N)                                                          \
  template <>                                                                          \
  struct NativeLanes<N> {                                                              \
    typedef double Type __attribute__((vector_size(8 * (N))));                         \
    typedef double Loose __attribute__((vector_size(8 * (N)), aligned(8), may_alias)); \
    typedef long long Bits __attribute__((vector_size(8 * (N))));                      \
  };
HAMEL_NATIVE_LANES(2)
HAMEL_NATIVE_LANES(4)
HAMEL_NATIVE_LANES(8)
#undef HAMEL_NATIVE_LANES

/// Doubles in one register.
#if defined(__AVX512F__)
inline constexpr int register_lanes = 8;
#elif defined(__AVX__)
inline constexpr int register_lanes = 4;
#else
inline constexpr int register_lanes = 2;
#endif

#define HAMEL_LANES __attribute__((always_inline))

/// What a comparison of Lanes<W> gives: all bits of a lane, or none.
template <int W>
struct LaneMask {
  static constexpr int width = W < register_lanes ? W : register_lanes;
  static constexpr int parts = W / width;
  using Bits = typename NativeLanes<width>::Bits;

  Bits part[parts];

  LaneMask() = default;
  HAMEL_LANES explicit LaneMask(bool value) {
    for (int i = 0; i < parts; ++i) part[i] = Bits{} - (value ? 1 : 0);
  }

  HAMEL_LANES friend LaneMask operator&&(LaneMask a, const LaneMask& b) {
    for (int i = 0; i < parts; ++i) a.part[i] &= b.part[i];
    return a;
  }
  HAMEL_LANES friend LaneMask operator||(LaneMask a, const LaneMask& b) {
    for (int i = 0; i < parts; ++i) a.part[i] |= b.part[i];
    return a;
  }
  HAMEL_LANES friend LaneMask operator!(LaneMask a) {
    for (int i = 0; i < parts; ++i) a.part[i] = ~a.part[i];
    return a;
  }
  HAMEL_LANES bool operator[](int lane) const { return part[lane / width][lane % width] != 0; }

  HAMEL_LANES bool any() const {
    Bits all = part[0];
    for (int i = 1; i < parts; ++i) all |= part[i];
#if defined(__AVX512F__)
    if constexpr (width == 8)
      return _mm512_test_epi64_mask(reinterpret_cast<__m512i>(all),
                                    reinterpret_cast<__m512i>(all)) != 0;
#endif
#if defined(__AVX__)
    if constexpr (width == 4) return _mm256_movemask_pd(reinterpret_cast<__m256d>(all)) != 0;
#endif
    for (int j = 0; j < width; ++j)
      if (all[j] != 0) return true;
    return false;
  }
};

template <int W>
struct Lanes {
  static constexpr int width = W < register_lanes ? W : register_lanes;
  static_assert(W % width == 0);
  static constexpr int parts = W / width;
  using Native = typename NativeLanes<width>::Type;
  using Loose = typename NativeLanes<width>::Loose;
  using Bits = typename NativeLanes<width>::Bits;
  using Mask = LaneMask<W>;

  Native part[parts];

  Lanes() = default;
  HAMEL_LANES explicit Lanes(double x) {
    for (int i = 0; i < parts; ++i) part[i] = x - Native{};  // keeps −0
  }
  HAMEL_LANES static Lanes load(const double* from) {
    Lanes out;
    for (int i = 0; i < parts; ++i) out.part[i] = *reinterpret_cast<const Loose*>(from + i * width);
    return out;
  }
  HAMEL_LANES void store(double* to) const {
    for (int i = 0; i < parts; ++i) *reinterpret_cast<Loose*>(to + i * width) = part[i];
  }

  HAMEL_LANES friend Lanes operator-(Lanes a) {
    for (int i = 0; i < parts; ++i) a.part[i] = -a.part[i];
    return a;
  }
#define HAMEL_LANES_OPERATOR(op)                                        \
  HAMEL_LANES friend Lanes operator op(Lanes a, const Lanes& b) {       \
    for (int i = 0; i < parts; ++i) a.part[i] = a.part[i] op b.part[i]; \
    return a;                                                           \
  }                                                                     \
  HAMEL_LANES friend Lanes operator op(Lanes a, double b) {             \
    for (int i = 0; i < parts; ++i) a.part[i] = a.part[i] op b;         \
    return a;                                                           \
  }                                                                     \
  HAMEL_LANES friend Lanes operator op(double a, Lanes b) {             \
    for (int i = 0; i < parts; ++i) b.part[i] = a op b.part[i];         \
    return b;                                                           \
  }                                                                     \
  HAMEL_LANES Lanes& operator op##=(const Lanes& b) { return *this = *this op b; }
  HAMEL_LANES_OPERATOR(+)
  HAMEL_LANES_OPERATOR(-)
  HAMEL_LANES_OPERATOR(*)
  HAMEL_LANES_OPERATOR(/)
#undef HAMEL_LANES_OPERATOR

#define HAMEL_LANES_COMPARISON(op)                                        \
  HAMEL_LANES friend Mask operator op(const Lanes& a, const Lanes& b) {   \
    Mask out;                                                             \
    for (int i = 0; i < parts; ++i) out.part[i] = a.part[i] op b.part[i]; \
    return out;                                                           \
  }
  HAMEL_LANES_COMPARISON(<)
  HAMEL_LANES_COMPARISON(>)
  HAMEL_LANES_COMPARISON(<=)
  HAMEL_LANES_COMPARISON(>=)
  HAMEL_LANES_COMPARISON(==)
  HAMEL_LANES_COMPARISON(!=)
#undef HAMEL_LANES_COMPARISON

  HAMEL_LANES friend Lanes abs(Lanes a) {
    for (int i = 0; i < parts; ++i)
      a.part[i] = reinterpret_cast<Native>(reinterpret_cast<Bits>(a.part[i]) & ~sign_bit());
    return a;
  }
  HAMEL_LANES friend Lanes sqrt(Lanes a) {
    for (int i = 0; i < parts; ++i) a.part[i] = root(a.part[i]);
    return a;
  }

  /// The larger of a and |b|, a ≥ 0; |b| where either is NaN.
  HAMEL_LANES friend Lanes larger(Lanes a, const Lanes& b) {
    const Lanes size = abs(b);
    for (int i = 0; i < parts; ++i) a.part[i] = maximum(a.part[i], size.part[i]);
    return a;
  }
  /// The largest lane; a NaN may be passed over.
  HAMEL_LANES double largest() const {
    return halves([](const auto& a, const auto& b) { return a > b ? a : b; });
  }
  /// ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)), the same for all registers.
  HAMEL_LANES double sum() const {
    return halves([](const auto& a, const auto& b) { return a + b; });
  }

 private:
  /// All lanes into one: the upper half onto the lower, again and again.
  template <class Operation>
  HAMEL_LANES double halves(Operation op) const {
    double lane[W];
    store(lane);
#pragma GCC unroll 4
    for (int half = W / 2; half > 0; half /= 2)
      for (int i = 0; i < half; ++i) lane[i] = op(lane[i], lane[i + half]);
    return lane[0];
  }

  HAMEL_LANES static Native maximum(Native a, Native b) {
#if defined(__AVX512F__)
    if constexpr (width == 8) return _mm512_maskz_max_pd(0xff, a, b);
#endif
#if defined(__AVX__)
    if constexpr (width == 4) return _mm256_max_pd(a, b);
#endif
    return a > b ? a : b;
  }
  HAMEL_LANES static Bits sign_bit() { return Bits{} + (-0x7fffffffffffffffLL - 1); }

  HAMEL_LANES static Native root(Native x) {
#if defined(__AVX512F__)
    if constexpr (width == 8)
      return _mm512_maskz_sqrt_pd(0xff, x);  // the plain one warns in GCC 12
#endif
#if defined(__AVX__)
    if constexpr (width == 4) return _mm256_sqrt_pd(x);
#endif
#if defined(__SSE2__)
    if constexpr (width == 2) return _mm_sqrt_pd(x);
#endif
    for (int j = 0; j < width; ++j) x[j] = std::sqrt(x[j]);
    return x;
  }
};

// Elementary functions, lane after lane: the bits of those of double.
#define HAMEL_LANES_FUNCTION(f)            \
  template <int W>                         \
  Lanes<W> f(const Lanes<W>& a) {          \
    double x[W];                           \
    a.store(x);                            \
    for (double& lane : x) lane = f(lane); \
    return Lanes<W>::load(x);              \
  }
#define HAMEL_LANES_FUNCTION_OF_TWO(f)                \
  template <int W>                                    \
  Lanes<W> f(const Lanes<W>& a, const Lanes<W>& b) {  \
    double x[W];                                      \
    double y[W];                                      \
    a.store(x);                                       \
    b.store(y);                                       \
    for (int i = 0; i < W; ++i) x[i] = f(x[i], y[i]); \
    return Lanes<W>::load(x);                         \
  }
HAMEL_LANES_FUNCTION(exp)
HAMEL_LANES_FUNCTION(log)
HAMEL_LANES_FUNCTION(sin)
HAMEL_LANES_FUNCTION(cos)
HAMEL_LANES_FUNCTION(tan)
HAMEL_LANES_FUNCTION(asin)
HAMEL_LANES_FUNCTION(acos)
HAMEL_LANES_FUNCTION(atan)
HAMEL_LANES_FUNCTION(sinh)
HAMEL_LANES_FUNCTION(cosh)
HAMEL_LANES_FUNCTION(tanh)
HAMEL_LANES_FUNCTION_OF_TWO(pow)
HAMEL_LANES_FUNCTION_OF_TWO(atan2)
#undef HAMEL_LANES_FUNCTION
#undef HAMEL_LANES_FUNCTION_OF_TWO

template <int W>
struct ScalarTraits<Lanes<W>> {
  using Mask = LaneMask<W>;
  using Count = Lanes<W>;
  using Real = double;
  static constexpr int derivatives = 0;
};

template <int W>
struct LaneOps<LaneMask<W>> {
  HAMEL_LANES static bool any(const LaneMask<W>& mask) { return mask.any(); }
  HAMEL_LANES static bool all(const LaneMask<W>& mask) { return !(!mask).any(); }
  HAMEL_LANES static Lanes<W> select(const LaneMask<W>& mask, const Lanes<W>& a, Lanes<W> b) {
    for (int i = 0; i < Lanes<W>::parts; ++i) b.part[i] = mask.part[i] ? a.part[i] : b.part[i];
    return b;
  }
};
template <int W>
HAMEL_LANES inline Lanes<W> min(const Lanes<W>& a, const Lanes<W>& b) {
  return LaneOps<LaneMask<W>>::select(b < a, b, a);
}
template <int W>
HAMEL_LANES inline Lanes<W> max(const Lanes<W>& a, const Lanes<W>& b) {
  return LaneOps<LaneMask<W>>::select(a < b, b, a);
}

/// x y z of the first lane, x y z of the next …
template <int W>
HAMEL_LANES inline void store_interleaved(const Lanes<W>& x, const Lanes<W>& y, const Lanes<W>& z,
                                          double* to) {
  if constexpr (W == 4 && Lanes<W>::parts == 1) {
    const auto a = x.part[0];
    const auto b = y.part[0];
    const auto c = z.part[0];
    const auto ab0 = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    const auto ab2 = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const auto bc1 = __builtin_shufflevector(ab0, c, 3, 5, 3, 5);
    Lanes<W> row;
    row.part[0] = __builtin_shufflevector(ab0, c, 0, 1, 4, 2);
    row.store(to);
    row.part[0] = __builtin_shufflevector(bc1, ab2, 0, 1, 4, 5);
    row.store(to + W);
    row.part[0] = __builtin_shufflevector(c, ab2, 2, 6, 7, 3);
    row.store(to + 2 * W);
  } else {
    double lane[3][W];
    x.store(lane[0]);
    y.store(lane[1]);
    z.store(lane[2]);
    for (int j = 0; j < W; ++j)
      for (int c = 0; c < 3; ++c) to[3 * j + c] = lane[c][j];
  }
}
#undef HAMEL_LANES

}  // namespace hamel
