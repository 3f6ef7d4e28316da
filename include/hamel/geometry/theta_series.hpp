// SPDX-License-Identifier: BSD-3-Clause
// Quotients of Jacobi's theta functions H, H1, Θ (DLMF §20.1: θ1, θ2, θ4 of πu/2K) on the line
// that real motions need, for every parameter 0 ≤ m ≤ 1:
//
//   F1(u) ∝ H(u − iv1)/Θ(u),     F2(u) ∝ H1(u − iv2)/Θ(u),     u real, 0 ≤ v ≤ K' = K(1−m).   (1)
//
// F1 vanishes at u = iv1 only, F2 at u = K + iv2 only; for v = 0 they are multiples of sn and cn
// [DLMF 22.2.4, 22.2.5]. Constant factors are left to the caller.
//
// m ≤ ½, "circular": x = πu/2K, η = πv/2K, q = exp(−πK'/K)              [DLMF 20.2.1–20.2.4]
//   i H ∝ Σ (−1)ⁿ q^{n(n+1)} (cos kx sinh kη + i sin kx cosh kη),   k = 2n+1
//   H1  ∝ Σ       q^{n(n+1)} (cos kx cosh kη + i sin kx sinh kη),   k = 2n+1              (2)
//   Θ   = 1 + 2 Σ (−1)ⁿ q^{n²} cos kx,                              k = 2n
// m > ½, "hyperbolic", after the modular transformation (DLMF §20.7(viii)), whose Gaussian factors
// leave in (1) only a factor exp(iλu): x = πu/2K', η = πv/2K', q = exp(−πK/K'),
//   H  → Σ (−1)ⁿ q^{n(n+1)} (sin kη cosh kx + i cos kη sinh kx),     k = 2n+1
//   H1 → 1 + 2 Σ (−1)ⁿ q^{n²} (cos kη cosh kx − i sin kη sinh kx),   k = 2n               (3)
//   Θ  → Σ q^{n(n+1)} cosh kx,                                       k = 2n+1
// In both q ≤ exp(−π), so that six terms give 113 bits, and both limits are ordinary values: m = 0
// has q = 0 in (2), m = 1 has q = 0 in (3) and x = u. Hyperbolic functions are carried divided by
// their growth, which the powers of q cover as long as |x| ≤ πK/2K' (or η ≤ πK'/2K):
//   q^{n(n+1)} e^{−|x|} cosh kx = q^{n²} C_k,     C_k = ½ (q e^{2|x|})ⁿ (1 + e^{−2k|x|}).   (4)
#pragma once

#include "hamel/geometry/carlson.hpp"

namespace hamel::theta {

inline constexpr int max_terms = 6;  ///< exp(−π)^{30} < 2⁻¹³⁵: the first term left out

/// A complex number; std::complex of Quad is unspecified.
template <class T>
struct Complex {
  T re;
  T im;

  friend constexpr Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
  friend constexpr Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
  friend constexpr Complex operator*(T s, Complex a) { return {s * a.re, s * a.im}; }
  friend constexpr Complex operator*(Complex a, Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
};

template <class T>
constexpr Complex<T> conj(Complex<T> a) {
  return {a.re, -a.im};
}

template <class T>
constexpr T norm2(Complex<T> a) {
  return a.re * a.re + a.im * a.im;
}

/// cos kx and sin kx, or the scaled cosh kx and sinh kx of (4), for 0 ≤ k < 2·terms.
template <class T>
struct Harmonics {
  T c[2 * max_terms];
  T s[2 * max_terms];
  T decay;  ///< e^{−|x|} of hyperbolic ones, 1 of circular ones
};

template <class T>
Harmonics<T> circular_harmonics(T x, int terms) {
  Harmonics<T> h;
  h.decay = 1;
  h.c[0] = 1;
  h.s[0] = 0;
  h.c[1] = cos(x);
  h.s[1] = sin(x);
  for (int k = 1; k + 1 < 2 * terms; ++k) {
    h.c[k + 1] = h.c[k] * h.c[1] - h.s[k] * h.s[1];
    h.s[k + 1] = h.s[k] * h.c[1] + h.c[k] * h.s[1];
  }
  return h;
}

/// x may be infinite where q = 0.
template <class T>
Harmonics<T> hyperbolic_harmonics(T x, T q, int terms) {
  Harmonics<T> h;
  const T size = abs(x);
  h.decay = exp(-size);
  const T E = h.decay * h.decay;
  const T growth = q > 0 ? q / E : T(0);                              // q e^{2|x|} ≤ 1
  const T one_minus_E = size < 1 ? 2 * h.decay * sinh(size) : 1 - E;  // to full relative accuracy
  const T sign = x < 0 ? T(-1) : T(1);
  T scale = T(1) / 2;
  T E_k = 1;           // Eᵏ
  T one_minus_Ek = 0;  // 1 − Eᵏ as a sum of positive terms
  for (int k = 0; k < 2 * terms; ++k) {
    if (k > 0 && k % 2 == 0) scale = scale * growth;
    h.c[k] = scale * (1 + E_k);
    h.s[k] = sign * scale * one_minus_Ek;
    one_minus_Ek = one_minus_Ek + E_k * one_minus_E;
    E_k = E_k * E;
  }
  return h;
}

/// Periods, nome and variable x of the series for a given parameter.
template <class T>
struct Lattice {
  T K;              ///< real quarter period, infinite for m = 1
  T K1;             ///< K' = K(1 − m), infinite for m = 0
  T q;              ///< nome of the series in use
  T rate;           ///< dx/du
  T half_period;    ///< X = x at u = K
  int terms;        ///< terms the series need
  bool hyperbolic;  ///< which of (2), (3)

  Lattice(T m, T m1) : K(complete_k(m1)), K1(complete_k(m)), hyperbolic(m > m1) {
    const T pi = acos(T(-1));
    const T inner = hyperbolic ? K1 : K;  // the shorter quarter period
    const T outer = hyperbolic ? K : K1;
    q = exp(-pi * outer / inner);
    rate = pi / (2 * inner);
    half_period = rate * K;
    terms = 1;
    for (T power = 1; terms < max_terms; ++terms) {  // power = q^{terms(terms−1)}
      if (power * 64 < T(Epsilon<T>::value)) break;
      for (int i = 0; i < 2 * terms; ++i) power = power * q;
    }
  }

  /// Harmonics of the running variable x, |x| ≤ half_period.
  Harmonics<T> running(T x) const {
    return hyperbolic ? hyperbolic_harmonics(x, q, terms) : circular_harmonics(x, terms);
  }
  /// Harmonics of the fixed variable η.
  Harmonics<T> fixed(T eta) const {
    return hyperbolic ? circular_harmonics(eta, terms) : hyperbolic_harmonics(eta, q, terms);
  }

  struct Reduced {
    T turns;  ///< whole number n with x = 2nX + rest
    T rest;   ///< |rest| ≤ X
  };
  Reduced reduce(T x) const {
    const T turn = x / (2 * half_period);  // 0 where the period is infinite
    const T shift = T(1.5) / T(Epsilon<T>::value);
    const T n = (turn + shift) - shift;  // nearest integer for |turn| < 1/(2 eps)
    return n == 0 ? Reduced{T(0), x} : Reduced{n, x - n * (2 * half_period)};
  }
};

/// Value and x-derivative of Σ a_n C_k + i Σ b_n S_k, k = 2n + parity.
template <class T>
struct Series {
  struct Value {
    Complex<T> f;
    Complex<T> df;
  };
  int parity = 0;
  int terms = 0;
  T a[max_terms] = {};
  T b[max_terms] = {};

  Value operator()(const Harmonics<T>& h, bool hyperbolic) const {
    Value out{{T(0), T(0)}, {T(0), T(0)}};
    for (int n = 0; n < terms; ++n) {
      const int k = 2 * n + parity;
      const T ac = a[n] * h.c[k];
      const T bs = b[n] * h.s[k];
      const T as = T(k) * (a[n] * h.s[k]);
      const T bc = T(k) * (b[n] * h.c[k]);
      out.f = out.f + Complex<T>{ac, bs};
      out.df = out.df + Complex<T>{hyperbolic ? as : -as, bc};
    }
    return out;
  }
};

/// F1 and F2 of (1), with derivatives.
template <class T>
class Quotients {
 public:
  struct Value {
    Complex<T> f1, df1;  ///< F1 and dF1/dx
    Complex<T> f2, df2;  ///< F2 and dF2/dx
  };

  Quotients(const Lattice<T>& lattice, T v1, T v2)
      : lattice_(lattice), eta1_(lattice.rate * v1), eta2_(lattice.rate * v2) {
    const auto h1 = lattice.fixed(eta1_);
    const auto h2 = lattice.fixed(eta2_);
    const bool hyperbolic = lattice.hyperbolic;
    numerator1_.parity = 1;
    numerator2_.parity = hyperbolic ? 0 : 1;
    denominator_.parity = hyperbolic ? 1 : 0;
    numerator1_.terms = numerator2_.terms = denominator_.terms = lattice.terms;
    T q_n = 1;       // qⁿ
    T q_nn = 1;      // q^{n²}
    T previous = 1;  // q^{n(n−1)}
    for (int n = 0; n < lattice.terms; ++n) {
      const T sign = n % 2 == 0 ? T(1) : T(-1);
      const T twice = n == 0 ? T(1) : T(2);
      const int odd = 2 * n + 1;
      const int even = 2 * n;
      numerator1_.a[n] = sign * q_nn * h1.s[odd];
      numerator1_.b[n] = sign * q_nn * h1.c[odd];
      if (hyperbolic) {  // (3)
        numerator2_.a[n] = sign * twice * previous * h2.c[even];
        numerator2_.b[n] = -sign * twice * previous * h2.s[even];
        denominator_.a[n] = q_nn;
      } else {  // (2)
        numerator2_.a[n] = q_nn * h2.c[odd];
        numerator2_.b[n] = q_nn * h2.s[odd];
        denominator_.a[n] = sign * twice * q_nn;
      }
      previous = q_nn * q_n;  // q^{(n+1)n}
      q_n = q_n * lattice.q;
      q_nn = previous * q_n;  // q^{(n+1)²}
    }
  }

  /// At x with |x| ≤ lattice.half_period.
  Value operator()(T x) const {
    const auto h = lattice_.running(x);
    const auto n1 = numerator1_(h, lattice_.hyperbolic);
    const auto n2 = numerator2_(h, lattice_.hyperbolic);
    const auto d = denominator_(h, lattice_.hyperbolic);
    const T inverse = 1 / d.f.re;
    const T log_slope = d.df.re * inverse;  // Θ'/Θ
    // In (3) Θ is carried divided by e^{|x|} and H1 is not.
    const T inverse2 = lattice_.hyperbolic ? inverse * h.decay : inverse;
    Value out;
    out.f1 = inverse * n1.f;
    out.f2 = inverse2 * n2.f;
    out.df1 = inverse * n1.df - log_slope * out.f1;
    out.df2 = inverse2 * n2.df - log_slope * out.f2;
    return out;
  }

  /// F1 F2 (x + 2X) = exp(i·angle) F1 F2 (x).  [DLMF 20.2.6–20.2.9]
  T angle_per_turn() const { return lattice_.hyperbolic ? -2 * (eta1_ + eta2_) : T(0); }

 private:
  Lattice<T> lattice_;
  T eta1_;
  T eta2_;
  Series<T> numerator1_;
  Series<T> numerator2_;
  Series<T> denominator_;
};

}  // namespace hamel::theta
