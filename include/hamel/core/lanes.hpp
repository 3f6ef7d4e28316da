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

  /// The larger of |a| and |b|; b where it is NaN.
  HAMEL_LANES friend Lanes larger(Lanes a, const Lanes& b) {
    for (int i = 0; i < parts; ++i) {
      const Native x = b.part[i] < 0.0 ? -b.part[i] : b.part[i];
      a.part[i] = a.part[i] >= x ? a.part[i] : x;
    }
    return a;
  }
  /// The largest lane; NaN if there is one.
  HAMEL_LANES double largest() const {
    double found = part[0][0];
    for (int i = 0; i < parts; ++i)
      for (int j = 0; j < width; ++j) found = found >= part[i][j] ? found : part[i][j];
    return found;
  }

 private:
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
#undef HAMEL_LANES

}  // namespace hamel
