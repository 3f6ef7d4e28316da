// SPDX-License-Identifier: BSD-3-Clause
// Elliptic integrals and Jacobi's elliptic functions for double, long double and Quad.
//
// The integrals R_F, R_C, R_J, R_D and K are in carlson.hpp, the theta series behind the functions
// in theta_series.hpp; this header adds
//
//   sn u = F1(u)/F1(K),   cn u = F2(u)/F2(0)   of theta_series.hpp with v = 0 [DLMF 22.2.4, 22.2.5]
//   dn²u = m1 + m cn²u                                                        [DLMF 22.6.1]
//   sn(u + 2K) = −sn u,  cn(u + 2K) = −cn u,  dn(u + 2K) = dn u               (DLMF §22.4)
//
// The parameter m = k² and its complement m1 = 1 − m are both arguments: near m = 1 everything
// depends on m1, which the difference 1 − m would lose. m = 1 gives tanh and sech, m = 0 sin and
// cos.
#pragma once

#include "hamel/geometry/carlson.hpp"
#include "hamel/geometry/theta_series.hpp"

namespace hamel {

/// Legendre's F from the sine and the squares of cosine and delta amplitude.  [DLMF 19.25.5]
template <class T>
T elliptic_f(T sn, T cn2, T dn2) {
  return sn * carlson_rf(cn2, dn2, T(1));
}

/// sn, cn, dn for one parameter; everything that does not depend on u is done at construction.
template <class T>
class JacobiFunctions {
 public:
  struct Value {
    T sn, cn, dn;
  };

  /// m, m1 ≥ 0 with m + m1 = 1 up to round-off.
  JacobiFunctions(T m, T m1) : m_(m), m1_(m1), lattice_(m, m1), quotients_(lattice_, T(0), T(0)) {
    sn_scale_ = 1 / quotients_(lattice_.half_period).f1.im;
    cn_scale_ = 1 / quotients_(T(0)).f2.re;
  }

  /// Error of sn, cn, dn: a few eps (1 + |u|); of cn and dn for |u| ≤ K relative to dn.
  Value operator()(T u) const {
    const auto [turns, x] = lattice_.reduce(lattice_.rate * u);
    const auto f = quotients_(x);
    const T half = turns / 2;
    const T shift = T(1.5) / T(Epsilon<T>::value);
    const T sign = (half + shift) - shift == half ? T(1) : T(-1);  // (−1)^turns
    const T cn = cn_scale_ * f.f2.re;
    return {sign * sn_scale_ * f.f1.im, sign * cn, sqrt(m1_ + m_ * cn * cn)};
  }

  T quarter_period() const { return lattice_.K; }

 private:
  T m_;
  T m1_;
  theta::Lattice<T> lattice_;
  theta::Quotients<T> quotients_;
  T sn_scale_;
  T cn_scale_;
};

/// sn, cn, dn (u | m) with m1 = 1 − m; for many u keep a JacobiFunctions instead.
template <class T>
typename JacobiFunctions<T>::Value jacobi(T u, T m, T m1) {
  return JacobiFunctions<T>(m, m1)(u);
}

}  // namespace hamel
