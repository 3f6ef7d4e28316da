// SPDX-License-Identifier: BSD-3-Clause
// Carlson's symmetric elliptic integrals and the complete integral K.
//
//   R_F(x,y,z)   = ½ ∫₀^∞ dt / s(t),   s(t) = √(t+x) √(t+y) √(t+z)
//   R_J(x,y,z,p) = (3/2) ∫₀^∞ dt / (s(t) (t+p)),   R_D(x,y,z) = R_J(x,y,z,z)
//   R_C(x,y)     = R_F(x,y,y)                                                (DLMF §19.16(i))
//
// Duplication (DLMF §19.26(iii)): adding λ to every variable and dividing by 4 changes nothing but
// a factor and, for R_J, an elementary term, and brings the variables together by a factor 4 each
// time; a Taylor series about their mean A ends it [DLMF 19.36.1, 19.36.2]. The series are kept to
// seventh order in the relative spread r, so the duplication stops at r ≤ ½ eps^{1/8}: relative
// error of the series < 2⁻⁸ eps in every arithmetic. All terms are positive: no cancellation.
//
//   K(m) = π / (2 agm(1, √m1)),   m1 = 1 − m              [DLMF 19.8.5]
//
// Legendre's integrals with s = sin φ, c = cos φ, d = √(1 − m s²):
//   F    = s R_F(c², d², 1)                               [DLMF 19.25.5]
//   Π(n) = F + (n/3) s³ R_J(c², d², 1, 1 − n s²)          [DLMF 19.25.14]
#pragma once

#include <limits>

#include "hamel/core/quad.hpp"
#include "hamel/core/scalar.hpp"

namespace hamel {

namespace detail {

/// Largest spread of the variables, relative to their mean, at which the series are summed.
template <class T>
T carlson_spread() {
  return sqrt(sqrt(sqrt(T(Epsilon<T>::value)))) / 2;
}

}  // namespace detail

/// R_C(x, y), x ≥ 0, y > 0.
template <class T>
T carlson_rc(T x, T y) {
  const T spread = detail::carlson_spread<T>();
  T mean = (x + 2 * y) / 3;
  T off = y - mean;
  while (!(abs(off) <= spread * mean)) {
    if (!(mean > 0)) return mean / mean;  // NaN in, NaN out
    const T lambda = 2 * sqrt(x) * sqrt(y) + y;
    x = (x + lambda) / 4;
    y = (y + lambda) / 4;
    mean = (mean + lambda) / 4;
    off = off / 4;
  }
  const T s = off / mean;
  const T series =
      T(3) / 10 +
      s * (T(1) / 7 + s * (T(3) / 8 + s * (T(9) / 22 + s * (T(159) / 208 + s * (T(9) / 8)))));
  return (1 + s * s * series) / sqrt(mean);
}

/// R_F(x, y, z) of nonnegative numbers, at most one of them zero.  [DLMF 19.36.1]
template <class T>
T carlson_rf(T x, T y, T z) {
  const T spread = detail::carlson_spread<T>();
  T mean = (x + y + z) / 3;
  T dx = mean - x;
  T dy = mean - y;
  T dz = mean - z;
  while (!(max(max(abs(dx), abs(dy)), abs(dz)) <= spread * mean)) {
    if (!(mean > 0)) return mean / mean;
    const T lambda = sqrt(x) * sqrt(y) + sqrt(y) * sqrt(z) + sqrt(z) * sqrt(x);
    x = (x + lambda) / 4;
    y = (y + lambda) / 4;
    z = (z + lambda) / 4;
    mean = (mean + lambda) / 4;
    dx = dx / 4;
    dy = dy / 4;
    dz = dz / 4;
  }
  const T X = dx / mean;
  const T Y = dy / mean;
  const T Z = -X - Y;
  const T E2 = X * Y - Z * Z;
  const T E3 = X * Y * Z;
  const T series = 1 - E2 / 10 + E3 / 14 + E2 * E2 / 24 - 3 * E2 * E3 / 44 -
                   5 * E2 * E2 * E2 / 208 + 3 * E3 * E3 / 104 + E2 * E2 * E3 / 16;
  return series / sqrt(mean);
}

/// R_J(x, y, z, p) of nonnegative x, y, z, at most one of them zero, and p > 0.  [DLMF 19.36.2]
///
/// The elementary term of a duplication is 6 R_C(1, 2β/(α+β))/(α+β) with
/// α = p(√x+√y+√z) + √(xyz), β = √p (p+λ): the form of R_C(α², β²) free of differences.
template <class T>
T carlson_rj(T x, T y, T z, T p) {
  const T spread = detail::carlson_spread<T>();
  T mean = (x + y + z + 2 * p) / 5;
  T dx = mean - x;
  T dy = mean - y;
  T dz = mean - z;
  T dp = mean - p;
  T factor = 1;  // 4⁻ⁿ
  T sum = 0;
  while (!(max(max(abs(dx), abs(dy)), max(abs(dz), abs(dp))) <= spread * mean)) {
    if (!(mean > 0)) return mean / mean;
    const T sx = sqrt(x);
    const T sy = sqrt(y);
    const T sz = sqrt(z);
    const T lambda = sx * sy + sy * sz + sz * sx;
    const T alpha = p * (sx + sy + sz) + sx * sy * sz;
    const T beta = sqrt(p) * (p + lambda);
    sum = sum + factor * carlson_rc(T(1), 2 * beta / (alpha + beta)) / (alpha + beta);
    x = (x + lambda) / 4;
    y = (y + lambda) / 4;
    z = (z + lambda) / 4;
    p = (p + lambda) / 4;
    mean = (mean + lambda) / 4;
    factor = factor / 4;
    dx = dx / 4;
    dy = dy / 4;
    dz = dz / 4;
    dp = dp / 4;
  }
  const T X = dx / mean;
  const T Y = dy / mean;
  const T Z = dz / mean;
  const T P = -(X + Y + Z) / 2;
  const T XYZ = X * Y * Z;
  const T E2 = X * Y + X * Z + Y * Z - 3 * P * P;
  const T E3 = XYZ + 2 * E2 * P + 4 * P * P * P;
  const T E4 = (2 * XYZ + E2 * P + 3 * P * P * P) * P;
  const T E5 = XYZ * P * P;
  const T series = 1 - 3 * E2 / 14 + E3 / 6 + 9 * E2 * E2 / 88 - 3 * E4 / 22 - 9 * E2 * E3 / 52 +
                   3 * E5 / 26 - E2 * E2 * E2 / 16 + 3 * E3 * E3 / 40 + 3 * E2 * E4 / 20 +
                   45 * E2 * E2 * E3 / 272 - 9 * (E3 * E4 + E2 * E5) / 68;
  return factor * series / (mean * sqrt(mean)) + 6 * sum;
}

/// R_D(x, y, z), x + y > 0, z > 0.
template <class T>
T carlson_rd(T x, T y, T z) {
  return carlson_rj(x, y, z, z);
}

/// K(m) from the complementary parameter m1 = 1 − m ∈ [0, 1]; infinite for m1 = 0.  [DLMF 19.8.5]
template <class T>
T complete_k(T m1) {
  if (m1 == 0) return T(std::numeric_limits<double>::infinity());
  const T half_pi = acos(T(0));
  T a = 1;
  T g = sqrt(m1);
  while (!(abs(a - g) <= 8 * T(Epsilon<T>::value) * a)) {
    if (!(g > 0)) return g / g;
    const T next = (a + g) / 2;
    g = sqrt(a * g);
    a = next;
  }
  return half_pi / ((a + g) / 2);
}

}  // namespace hamel
