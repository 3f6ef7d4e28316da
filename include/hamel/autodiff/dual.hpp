// SPDX-License-Identifier: BSD-3-Clause
// Dual<T, N>: a value and its first derivatives by N variables.
//
//   (a·b)_i = a_i·b + a·b_i,   (a/b)_i = (a_i − (a/b)·b_i)/b,   f(x)_i = f′(x)·x_i.
//
// T is double, long double, Quad or a jet again: Dual<Dual<double, N>, M> holds second derivatives,
// x.d[j].d[i] = ∂²x/∂i∂j. For second derivatives alone Jet2 is the cheaper type.
// Source: forward mode, A. Griewank & A. Walther, Evaluating Derivatives, 2nd ed., SIAM 2008, §3.1.
#pragma once

#include "hamel/autodiff/elementary.hpp"

namespace hamel {

template <class T, int N>
struct Dual;

template <class T, int N>
inline constexpr bool is_jet<Dual<T, N>> = true;

template <class T, int N>
struct ScalarTraits<Dual<T, N>> {
  using Mask = bool;
  using Count = int;
  using Real = RealOf<T>;
  static constexpr int derivatives = ScalarTraits<T>::derivatives + 1;
};

template <class T, int N>
struct Epsilon<Dual<T, N>> : Epsilon<T> {};

/// A number with its gradient. Trivial: a default-initialised one is uninitialised, Dual{} is zero.
template <class T, int N>
struct Dual {
  static_assert(N > 0);
  using Inner = T;
  static constexpr int variables = N;
  static constexpr int count = N;  ///< derivative coefficients

  T v;     ///< value
  T d[N];  ///< d[i] = ∂v/∂i

  constexpr Dual() = default;
  /// A constant.
  template <ConstantIn<T> U>
  HAMEL_FN constexpr explicit(false) Dual(const U& c) : v(static_cast<T>(c)), d{} {}

  /// The independent variable number i, 0 ≤ i < N.
  HAMEL_FN static constexpr Dual variable(const T& value, int i) {
    Dual x;
    x.v = value;
    for (int k = 0; k < count; ++k) x.d[k] = T(k == i ? 1 : 0);
    return x;
  }
};

template <class T, int N>
HAMEL_FN constexpr Dual<T, N> operator*(const Dual<T, N>& a, const Dual<T, N>& b) {
  Dual<T, N> c;
  c.v = a.v * b.v;
  for (int i = 0; i < N; ++i) c.d[i] = a.d[i] * b.v + a.v * b.d[i];
  return c;
}

template <class T, int N>
HAMEL_FN constexpr Dual<T, N> operator/(const Dual<T, N>& a, const Dual<T, N>& b) {
  Dual<T, N> c;
  const T inverse = 1 / b.v;
  c.v = a.v / b.v;
  for (int i = 0; i < N; ++i) c.d[i] = (a.d[i] - c.v * b.d[i]) * inverse;
  return c;
}

/// f(x) from f = f(x.v) and df = f′(x.v).
template <class T, int N, class Second>
HAMEL_FN constexpr Dual<T, N> chain(const Dual<T, N>& x, const T& f, const T& df, const Second&) {
  Dual<T, N> y;
  y.v = f;
  if (jets::is_finite(df)) [[likely]] {
    for (int i = 0; i < N; ++i) y.d[i] = df * x.d[i];
  } else {
    for (int i = 0; i < N; ++i) y.d[i] = jets::times(df, x.d[i]);
  }
  return y;
}

/// f(x, y) from f and its partial derivatives fx, fy at (x.v, y.v).
template <class T, int N, class Second>
HAMEL_FN constexpr Dual<T, N> chain(const Dual<T, N>& x, const Dual<T, N>& y, const T& f,
                                    const T& fx, const T& fy, const Second&) {
  Dual<T, N> z;
  z.v = f;
  if (jets::is_finite(fx) && jets::is_finite(fy)) [[likely]] {
    for (int i = 0; i < N; ++i) z.d[i] = fx * x.d[i] + fy * y.d[i];
  } else {
    for (int i = 0; i < N; ++i) z.d[i] = jets::times(fx, x.d[i]) + jets::times(fy, y.d[i]);
  }
  return z;
}

}  // namespace hamel
