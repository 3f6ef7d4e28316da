// SPDX-License-Identifier: BSD-3-Clause
// Jets: what the numbers with derivatives have in common.
//
// A jet is a value v and `count` derivative coefficients d[0], ..., d[count - 1] of one inner
// scalar type. Dual<T, N> carries the gradient, Jet2<N, T> the gradient and then the packed
// Hessian. Whatever treats all coefficients alike is written here once: sums, scaling, comparison.
// Products and the chain rule differ and stand with each type; the elementary functions, which need
// only the chain rule, are in elementary.hpp.
//
// Constants mix with jets without conversion by hand: integers, float and double with every jet,
// and each scalar type inside a jet with that jet. A constant that would lose digits (long double
// or Quad with Dual<double, N>) does not compile.
//
// Comparison looks at the values alone, so a branch, select, min or max on jets differentiates the
// branch taken.
#pragma once

#include <concepts>
#include <type_traits>

#include "hamel/core/scalar.hpp"

namespace hamel {

/// True for Dual and Jet2.
template <class J>
inline constexpr bool is_jet = false;

template <class J>
concept Jet = is_jet<J>;

/// Whether a U is a constant among numbers built on T, without loss of digits.
template <class U, class T>
HAMEL_FN constexpr bool embeds() {
  if constexpr (std::same_as<U, T>) {
    return true;
  } else if constexpr (Jet<T>) {
    return embeds<U, typename T::Inner>();
  } else {
    return std::integral<U> || std::same_as<U, float> || std::same_as<U, double>;
  }
}

template <class U, class T>
concept ConstantIn = embeds<U, T>();

template <class U, class J>
concept ConstantOf = Jet<J> && ConstantIn<U, typename J::Inner>;

template <class B, class J>
concept OperandOf = std::same_as<B, J> || ConstantOf<B, J>;

/// Helpers of the jets themselves.
namespace jets {

/// A built-in number in the real type behind J; anything else as it is.
template <Jet J, class U>
HAMEL_FN constexpr auto as_constant(const U& c) {
  if constexpr (std::is_arithmetic_v<U>) {
    return static_cast<RealOf<J>>(c);
  } else {
    return c;
  }
}

/// x = 0 with all its derivatives.
template <class S>
HAMEL_FN constexpr bool is_zero(const S& x) {
  if constexpr (Jet<S>) {
    if (!is_zero(x.v)) return false;
    for (int k = 0; k < S::count; ++k) {
      if (!is_zero(x.d[k])) return false;
    }
    return true;
  } else {
    return x == 0;
  }
}

/// Whether all derivatives of x vanish.
template <Jet J>
HAMEL_FN constexpr bool is_constant(const J& x) {
  for (int k = 0; k < J::count; ++k) {
    if (!is_zero(x.d[k])) return false;
  }
  return true;
}

/// Whether x and all its derivatives are finite.
template <class S>
HAMEL_FN constexpr bool is_finite(const S& x) {
  if constexpr (Jet<S>) {
    bool finite = is_finite(x.v);
    for (int k = 0; k < S::count; ++k) finite = finite && is_finite(x.d[k]);
    return finite;
  } else {
    return x - x == 0;
  }
}

/// slope·d for a slope that may be infinite: what does not vary (d = 0) keeps the derivative 0.
template <class T>
HAMEL_FN constexpr T times(const T& slope, const T& d) {
  return is_zero(d) ? T(0) : slope * d;
}

}  // namespace jets

// Sums.

template <Jet J>
HAMEL_FN constexpr J operator+(const J& a, const J& b) {
  J c;
  c.v = a.v + b.v;
  for (int k = 0; k < J::count; ++k) c.d[k] = a.d[k] + b.d[k];
  return c;
}
template <Jet J>
HAMEL_FN constexpr J operator-(const J& a, const J& b) {
  J c;
  c.v = a.v - b.v;
  for (int k = 0; k < J::count; ++k) c.d[k] = a.d[k] - b.d[k];
  return c;
}
template <Jet J>
HAMEL_FN constexpr J operator-(const J& a) {
  J c;
  c.v = -a.v;
  for (int k = 0; k < J::count; ++k) c.d[k] = -a.d[k];
  return c;
}
template <Jet J>
HAMEL_FN constexpr J operator+(const J& a) {
  return a;
}

// With constants on either side. Division of a constant by a jet is in elementary.hpp.

template <Jet J, ConstantOf<J> U>
HAMEL_FN constexpr J operator+(const J& a, const U& c) {
  J b;
  b.v = a.v + jets::as_constant<J>(c);
  for (int k = 0; k < J::count; ++k) b.d[k] = a.d[k];
  return b;
}
template <Jet J, ConstantOf<J> U>
HAMEL_FN constexpr J operator+(const U& c, const J& a) {
  return a + c;
}
template <Jet J, ConstantOf<J> U>
HAMEL_FN constexpr J operator-(const J& a, const U& c) {
  J b;
  b.v = a.v - jets::as_constant<J>(c);
  for (int k = 0; k < J::count; ++k) b.d[k] = a.d[k];
  return b;
}
template <Jet J, ConstantOf<J> U>
HAMEL_FN constexpr J operator-(const U& c, const J& a) {
  J b;
  b.v = jets::as_constant<J>(c) - a.v;
  for (int k = 0; k < J::count; ++k) b.d[k] = -a.d[k];
  return b;
}
template <Jet J, ConstantOf<J> U>
HAMEL_FN constexpr J operator*(const J& a, const U& c) {
  const auto s = jets::as_constant<J>(c);
  J b;
  b.v = a.v * s;
  for (int k = 0; k < J::count; ++k) b.d[k] = a.d[k] * s;
  return b;
}
template <Jet J, ConstantOf<J> U>
HAMEL_FN constexpr J operator*(const U& c, const J& a) {
  return a * c;
}
template <Jet J, ConstantOf<J> U>
HAMEL_FN constexpr J operator/(const J& a, const U& c) {
  const auto s = jets::as_constant<J>(c);
  const auto inverse = 1 / s;
  J b;
  b.v = a.v / s;
  for (int k = 0; k < J::count; ++k) b.d[k] = a.d[k] * inverse;
  return b;
}

template <Jet J, OperandOf<J> B>
HAMEL_FN constexpr J& operator+=(J& a, const B& b) {
  return a = a + b;
}
template <Jet J, OperandOf<J> B>
HAMEL_FN constexpr J& operator-=(J& a, const B& b) {
  return a = a - b;
}
template <Jet J, OperandOf<J> B>
HAMEL_FN constexpr J& operator*=(J& a, const B& b) {
  return a = a * b;
}
template <Jet J, OperandOf<J> B>
HAMEL_FN constexpr J& operator/=(J& a, const B& b) {
  return a = a / b;
}

/// The plain real value, through all nested jets.
template <Jet J>
HAMEL_FN constexpr RealOf<J> value_of(const J& x) {
  return value_of(x.v);
}

/// The largest of |value| and |derivatives|; NaN as soon as one of them is NaN, so that a stopping
/// test `magnitude(x) <= tol` fails.
template <Jet J>
HAMEL_FN RealOf<J> magnitude(const J& x) {
  RealOf<J> largest = magnitude(x.v);
  for (int k = 0; k < J::count; ++k) {
    const RealOf<J> m = magnitude(x.d[k]);
    if (m > largest || m != m) largest = m;
  }
  return largest;
}

// Comparison of values.

#define HAMEL_JET_COMPARISON(op)                                \
  template <Jet J, OperandOf<J> B>                              \
  HAMEL_FN constexpr bool operator op(const J& a, const B& b) { \
    return value_of(a) op value_of(jets::as_constant<J>(b));    \
  }                                                             \
  template <Jet J, ConstantOf<J> U>                             \
  HAMEL_FN constexpr bool operator op(const U& a, const J& b) { \
    return value_of(jets::as_constant<J>(a)) op value_of(b);    \
  }
HAMEL_JET_COMPARISON(<)
HAMEL_JET_COMPARISON(>)
HAMEL_JET_COMPARISON(<=)
HAMEL_JET_COMPARISON(>=)
HAMEL_JET_COMPARISON(==)
HAMEL_JET_COMPARISON(!=)
#undef HAMEL_JET_COMPARISON

}  // namespace hamel
