// Lanes<W>: W doubles in the widest registers there are, for kernels whose lanes belong together
// (stages of one step); independent systems go through Pack (core/pack.hpp).
//
// Native vectors of the compiler, as many as W needs: GCC 12 takes a 64-byte vector apart lane by
// lane where registers have 32, and keeps a fixed_size_simd in memory.
#pragma once

namespace hamel {

/// N doubles in one register. (The size of a vector_size must not depend on a template parameter.)
template <int N>
struct NativeLanes;
#define HAMEL_NATIVE_LANES(N)                                                          \
  template <>                                                                          \
  struct NativeLanes<N> {                                                              \
    typedef double Type __attribute__((vector_size(8 * (N))));                         \
    typedef double Loose __attribute__((vector_size(8 * (N)), aligned(8), may_alias)); \
  };
HAMEL_NATIVE_LANES(2)
HAMEL_NATIVE_LANES(4)
HAMEL_NATIVE_LANES(8)
#undef HAMEL_NATIVE_LANES

template <int W>
struct Lanes {
#if defined(__AVX512F__)
  static constexpr int width = W < 8 ? W : 8;
#elif defined(__AVX__)
  static constexpr int width = W < 4 ? W : 4;
#else
  static constexpr int width = 2;
#endif
  static_assert(W % width == 0);
  static constexpr int parts = W / width;
  using Native = typename NativeLanes<width>::Type;
  using Loose = typename NativeLanes<width>::Loose;

  Native part[parts];

#define HAMEL_LANES __attribute__((always_inline))
  HAMEL_LANES static Lanes of(double x) {
    Lanes out;
    for (int i = 0; i < parts; ++i) out.part[i] = x - Native{};  // keeps −0
    return out;
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
#undef HAMEL_LANES
};

}  // namespace hamel
