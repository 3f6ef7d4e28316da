// SPDX-License-Identifier: BSD-3-Clause
// Elementary functions of jets: one table of derivative formulas for Dual and Jet2.
//
// A function f needs f, f′ and, for second derivatives only, f″ at the inner value; chain() of the
// jet's own type does the rest (dual.hpp, jet2.hpp). f″ is handed over as a callable, so that a
// Dual does not pay for it. The value has the bits of the plain function.
//
// Where a slope is infinite or undefined, whatever does not vary keeps derivative 0: sqrt of the
// constant 0 has derivatives 0. Otherwise, at points where a function is not smooth:
//   abs(0)            derivatives 0, the symmetric choice
//   min, max, tie     the first argument with its derivatives, as for double
//   hypot(0, 0)       derivatives 0, in agreement with abs
//   atan2(0, 0)       derivatives NaN
//   sqrt(0), log(0), asin(±1), acos(±1)
//                     first derivative ±∞; second ±∞ or NaN
//   pow(0, p)         p constant: first derivative ∞ for p < 1, second ∞ for p < 2, except that
//                     p = 0 and p = 1 are the constant and the identity;
//                     p varying: limits x ↓ 0 for p > 0
//   pow(x < 0, p)     p constant and an integer: smooth and correct; p varying: NaN along p
//   pow(0, x)         0 for x > 0
// In nested jets the outer level differentiates these choices.
//
// The formulas are those of any table, e.g. Abramowitz & Stegun, ch. 4; sech² is written as
//   sech² x = 4e/(1 + e)²,  e = exp(−2|x|),
// which neither cancels nor overflows.
#pragma once

#include "hamel/autodiff/jet.hpp"

namespace hamel {

namespace jets {

/// The second derivatives of a function of two variables.
template <class T>
struct Curvature {
  T xx, xy, yy;
};

template <class T>
HAMEL_FN T sech_squared(const T& x) {
  const T e = exp(2 * (x < 0 ? x : -x));
  return 4 * e / ((1 + e) * (1 + e));
}

/// c·x^p, and 0 for c = 0 even where x^p is infinite.
template <class T, class P>
HAMEL_FN T monomial(const P& c, const T& x, const P& p) {
  return is_zero(c) ? T(0) : T(c * pow(x, p));
}

}  // namespace jets

// name, f′, f″ in terms of the inner value x, f = name(x) and df = f′.
#define HAMEL_JET_UNARY(name, first, second)                 \
  template <Jet J>                                           \
  HAMEL_FN J name(const J& jet) {                            \
    using T = typename J::Inner;                             \
    const T& x = jet.v;                                      \
    const T f = name(x);                                     \
    const T df = first;                                      \
    return chain(jet, f, df, [&]() -> T { return second; }); \
  }
HAMEL_JET_UNARY(sqrt, 1 / (2 * f), -df / (2 * x))
HAMEL_JET_UNARY(exp, f, f)
HAMEL_JET_UNARY(log, 1 / x, -df* df)
HAMEL_JET_UNARY(sin, cos(x), -f)
HAMEL_JET_UNARY(cos, -sin(x), -f)
HAMEL_JET_UNARY(tan, 1 + f * f, 2 * f * df)
HAMEL_JET_UNARY(asin, 1 / sqrt((1 - x) * (1 + x)), x* df* df* df)
HAMEL_JET_UNARY(acos, -1 / sqrt((1 - x) * (1 + x)), x* df* df* df)
HAMEL_JET_UNARY(atan, 1 / (1 + x * x), -2 * x * df * df)
HAMEL_JET_UNARY(sinh, cosh(x), f)
HAMEL_JET_UNARY(cosh, sinh(x), f)
HAMEL_JET_UNARY(tanh, jets::sech_squared(x), -2 * f * df)
#undef HAMEL_JET_UNARY

/// c/x: f′ = −f/x, f″ = −2f′/x.
template <Jet J, ConstantOf<J> U>
HAMEL_FN constexpr J operator/(const U& c, const J& x) {
  using T = typename J::Inner;
  const T f = jets::as_constant<J>(c) / x.v;
  const T df = -f / x.v;
  return chain(x, f, df, [&]() -> T { return -2 * df / x.v; });
}

/// x^p with a constant exponent: f′ = p·x^{p−1}, f″ = p(p − 1)·x^{p−2}.
template <Jet J, ConstantOf<J> U>
HAMEL_FN J pow(const J& x, const U& exponent) {
  using T = typename J::Inner;
  const auto p = jets::as_constant<J>(exponent);
  const auto p1 = p - 1;
  const T f = pow(x.v, p);
  const T df = jets::monomial(p, x.v, p1);
  return chain(x, f, df, [&]() -> T {
    const auto c = p * p1;
    const auto p2 = p - 2;
    return jets::monomial(c, x.v, p2);
  });
}

/// b^y with a constant base: f′ = f·log b, f″ = f·log² b.
template <Jet J, ConstantOf<J> U>
HAMEL_FN J pow(const U& base, const J& y) {
  using T = typename J::Inner;
  const auto b = jets::as_constant<J>(base);
  const T f = pow(b, y.v);
  if (value_of(b) == 0 && value_of(y) > 0) return chain(y, f, T(0), [] { return T(0); });
  const T l = T(log(b));
  const T df = f * l;
  return chain(y, f, df, [&]() -> T { return df * l; });
}

/// x^y: f_x = y·x^{y−1}, f_y = f·log x, f_xx = y(y − 1)·x^{y−2}, f_xy = x^{y−1}(1 + y·log x),
/// f_yy = f·log² x.
template <Jet J>
HAMEL_FN J pow(const J& base, const J& exponent) {
  using T = typename J::Inner;
  const T& x = base.v;
  const T& y = exponent.v;
  if (jets::is_constant(exponent)) return pow(base, y);
  const bool at_zero = value_of(x) == 0 && value_of(y) > 0;
  const T f = pow(x, y);
  const T g = pow(x, T(y - 1));
  const T l = log(x);
  const T fx = y * g;
  const T fy = at_zero ? T(0) : T(f * l);
  return chain(base, exponent, f, fx, fy, [&]() -> jets::Curvature<T> {
    return {jets::monomial(T(y * (y - 1)), x, T(y - 2)),
            at_zero && value_of(y) > 1 ? T(0) : T(g * (1 + y * l)), at_zero ? T(0) : T(fy * l)};
  });
}

/// √(x² + y²) without overflow. With c = x/r, s = y/r: ∇r = (c, s), Hess r = (s², −cs, c²)/r.
template <Jet J>
HAMEL_FN J hypot(const J& x, const J& y) {
  using T = typename J::Inner;
  const T r = hypot(x.v, y.v);
  const bool at_zero = value_of(r) == 0;
  const T c = at_zero ? T(0) : T(x.v / r);
  const T s = at_zero ? T(0) : T(y.v / r);
  return chain(x, y, r, c, s, [&]() -> jets::Curvature<T> {
    if (at_zero) return {T(0), T(0), T(0)};
    return {s * s / r, -c * s / r, c * c / r};
  });
}

/// The angle of (x, y). With c = x/r, s = y/r: ∂_y = c/r, ∂_x = −s/r,
/// ∂_yy = −2cs/r², ∂_xy = (s² − c²)/r², ∂_xx = 2cs/r².
template <Jet J>
HAMEL_FN J atan2(const J& y, const J& x) {
  using T = typename J::Inner;
  const T r = hypot(x.v, y.v);
  const T c = x.v / r;
  const T s = y.v / r;
  return chain(y, x, T(atan2(y.v, x.v)), T(c / r), T(-s / r), [&]() -> jets::Curvature<T> {
    const T yy = -2 * c * s / r / r;
    return {yy, (s - c) * (s + c) / r / r, -yy};
  });
}

template <Jet J>
HAMEL_FN constexpr J abs(const J& x) {
  if (value_of(x) == 0) return J(0);
  return value_of(x) < 0 ? -x : x;
}

template <Jet J>
HAMEL_FN constexpr J min(const J& a, const J& b) {
  return b < a ? b : a;
}
template <Jet J>
HAMEL_FN constexpr J max(const J& a, const J& b) {
  return a < b ? b : a;
}

// A constant in either place.
#define HAMEL_JET_BINARY(name)              \
  template <Jet J, ConstantOf<J> U>         \
  HAMEL_FN J name(const J& a, const U& b) { \
    return name(a, J(b));                   \
  }                                         \
  template <Jet J, ConstantOf<J> U>         \
  HAMEL_FN J name(const U& a, const J& b) { \
    return name(J(a), b);                   \
  }
HAMEL_JET_BINARY(hypot)
HAMEL_JET_BINARY(atan2)
HAMEL_JET_BINARY(min)
HAMEL_JET_BINARY(max)
#undef HAMEL_JET_BINARY

}  // namespace hamel
