// SPDX-License-Identifier: BSD-3-Clause
// Jet2<N, T>: a value with its first and second derivatives by N variables.
//
//   (a·b)_ij = a_ij·b + a_i·b_j + a_j·b_i + a·b_ij,
//   (a/b)_ij = (a_ij − q·b_ij − q_i·b_j − q_j·b_i)/b,   q = a/b,
//   f(x)_ij  = f′(x)·x_ij + f″(x)·x_i·x_j.
//
// The Hessian is symmetric and stored once, its lower triangle row by row, which saves almost half
// of the work of nested duals.
// Source: A. Griewank & A. Walther, Evaluating Derivatives, 2nd ed., SIAM 2008, ch. 13.
#pragma once

#include "hamel/autodiff/elementary.hpp"

namespace hamel {

template <int N, class T = double>
struct Jet2;

template <int N, class T>
inline constexpr bool is_jet<Jet2<N, T>> = true;

template <int N, class T>
struct ScalarTraits<Jet2<N, T>> {
  using Mask = bool;
  using Count = int;
  using Real = RealOf<T>;
  static constexpr int derivatives = ScalarTraits<T>::derivatives + 2;
};

template <int N, class T>
struct Epsilon<Jet2<N, T>> : Epsilon<T> {};

/// A number with gradient and Hessian. Trivial: a default-initialised one is uninitialised, Jet2{}
/// is zero.
template <int N, class T>
struct Jet2 {
  static_assert(N > 0);
  using Inner = T;
  static constexpr int variables = N;
  static constexpr int count = N + N * (N + 1) / 2;  ///< derivative coefficients

  T v;         ///< value
  T d[count];  ///< d[i] = ∂v/∂i for i < N, then the Hessian at packed(i, j)

  constexpr Jet2() = default;
  /// A constant.
  template <ConstantIn<T> U>
  HAMEL_FN constexpr explicit(false) Jet2(const U& c) : v(static_cast<T>(c)), d{} {}

  /// The independent variable number i, 0 ≤ i < N.
  HAMEL_FN static constexpr Jet2 variable(const T& value, int i) {
    Jet2 x;
    x.v = value;
    for (int k = 0; k < count; ++k) x.d[k] = T(k == i ? 1 : 0);
    return x;
  }

  /// Where d holds ∂²v/∂i∂j.
  HAMEL_FN static constexpr int packed(int i, int j) {
    return i < j ? packed(j, i) : N + i * (i + 1) / 2 + j;
  }

  HAMEL_FN constexpr const T& gradient(int i) const { return d[i]; }
  HAMEL_FN constexpr const T& hessian(int i, int j) const { return d[packed(i, j)]; }
};

template <int N, class T>
HAMEL_FN constexpr Jet2<N, T> operator*(const Jet2<N, T>& a, const Jet2<N, T>& b) {
  Jet2<N, T> c;
  c.v = a.v * b.v;
  for (int k = 0; k < c.count; ++k) c.d[k] = a.d[k] * b.v + a.v * b.d[k];
  for (int i = 0, k = N; i < N; ++i) {
    for (int j = 0; j <= i; ++j, ++k) c.d[k] = c.d[k] + (a.d[i] * b.d[j] + a.d[j] * b.d[i]);
  }
  return c;
}

template <int N, class T>
HAMEL_FN constexpr Jet2<N, T> operator/(const Jet2<N, T>& a, const Jet2<N, T>& b) {
  Jet2<N, T> q;
  const T inverse = 1 / b.v;
  q.v = a.v / b.v;
  for (int i = 0; i < N; ++i) q.d[i] = (a.d[i] - q.v * b.d[i]) * inverse;
  for (int i = 0, k = N; i < N; ++i) {
    for (int j = 0; j <= i; ++j, ++k) {
      q.d[k] = (a.d[k] - q.v * b.d[k] - (q.d[i] * b.d[j] + q.d[j] * b.d[i])) * inverse;
    }
  }
  return q;
}

/// f(x) from f = f(x.v), df = f′(x.v) and second() = f″(x.v).
template <int N, class T, class Second>
HAMEL_FN constexpr Jet2<N, T> chain(const Jet2<N, T>& x, const T& f, const T& df,
                                    const Second& second) {
  const T ddf = second();
  Jet2<N, T> y;
  y.v = f;
  if (jets::is_finite(df) && jets::is_finite(ddf)) [[likely]] {
    for (int k = 0; k < y.count; ++k) y.d[k] = df * x.d[k];
    for (int i = 0, k = N; i < N; ++i) {
      const T w = ddf * x.d[i];
      for (int j = 0; j <= i; ++j, ++k) y.d[k] = y.d[k] + w * x.d[j];
    }
  } else {
    for (int k = 0; k < y.count; ++k) y.d[k] = jets::times(df, x.d[k]);
    for (int i = 0, k = N; i < N; ++i) {
      for (int j = 0; j <= i; ++j, ++k) y.d[k] = y.d[k] + jets::times(ddf, T(x.d[i] * x.d[j]));
    }
  }
  return y;
}

/// f(x, y) from f, its partial derivatives fx, fy and second() = (f_xx, f_xy, f_yy) at (x.v, y.v).
template <int N, class T, class Second>
HAMEL_FN constexpr Jet2<N, T> chain(const Jet2<N, T>& x, const Jet2<N, T>& y, const T& f,
                                    const T& fx, const T& fy, const Second& second) {
  using jets::times;
  const jets::Curvature<T> c = second();
  Jet2<N, T> z;
  z.v = f;
  if (jets::is_finite(fx) && jets::is_finite(fy) && jets::is_finite(c.xx) &&
      jets::is_finite(c.xy) && jets::is_finite(c.yy)) [[likely]] {
    for (int k = 0; k < z.count; ++k) z.d[k] = fx * x.d[k] + fy * y.d[k];
    for (int i = 0, k = N; i < N; ++i) {
      const T wx = c.xx * x.d[i] + c.xy * y.d[i];
      const T wy = c.xy * x.d[i] + c.yy * y.d[i];
      for (int j = 0; j <= i; ++j, ++k) z.d[k] = z.d[k] + (wx * x.d[j] + wy * y.d[j]);
    }
  } else {
    for (int k = 0; k < z.count; ++k) z.d[k] = times(fx, x.d[k]) + times(fy, y.d[k]);
    for (int i = 0, k = N; i < N; ++i) {
      for (int j = 0; j <= i; ++j, ++k) {
        z.d[k] = z.d[k] + (times(c.xx, T(x.d[i] * x.d[j])) +
                           times(c.xy, T(x.d[i] * y.d[j] + x.d[j] * y.d[i])) +
                           times(c.yy, T(y.d[i] * y.d[j])));
      }
    }
  }
  return z;
}

}  // namespace hamel
