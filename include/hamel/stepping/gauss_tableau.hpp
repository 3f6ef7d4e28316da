// SPDX-License-Identifier: BSD-3-Clause
// Coefficients of Gauss–Legendre collocation with s stages, for any scalar.
//
//   c_i: zeros of the shifted Legendre polynomial P_s(2c − 1),   b_i: weights on [0, 1],
//   a_ij = ∫_0^{c_i} ℓ_j = c_i Σ_k b_k ℓ_j(c_i c_k)   (the quadrature is exact for ℓ_j),
//   μ_ij = a_ij/b_j, rounded so that μ_ij + μ_ji = 1 holds exactly:                     [MATH 7.6]
// that identity is what makes quadratic invariants exact, and in floating point it must hold
// bit by bit (Antoñana, Makazaga, Murua, Numer. Algorithms 76 (2017)).
// Everything is computed in Quad and rounded once.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "hamel/core/quad.hpp"
#include "hamel/core/scalar.hpp"

namespace hamel {

inline constexpr int max_gauss_stages = 8;
inline constexpr int gauss_history = 5;  ///< stages used by the predictor (8 diverges at large h)

template <class S>
struct GaussTableau {
  int stages;
  S b[max_gauss_stages] = {};
  S c[max_gauss_stages] = {};
  S mu[max_gauss_stages][max_gauss_stages] = {};
  /// Guess for the next step's b_i f(Y_i) from the last step's: Σ_j predict[i][j] · L_j over the
  /// last min(s, 5) stages (polynomial extrapolation to c_i + 1).
  S predict[max_gauss_stages][max_gauss_stages] = {};

  explicit GaussTableau(int s);
};

namespace detail {

/// Zero i of P_s on [0, 1] with its weight, by Newton from Tricomi's guess.
inline void gauss_node(int s, int i, Quad& c, Quad& b) {
  const Quad pi = Quad(4) * atan(Quad(1));
  Quad x = -cos(pi * (Quad(i) + Quad(0.75)) / (Quad(s) + Quad(0.5)));
  Quad derivative = 0;
  for (int iteration = 0; iteration < 20; ++iteration) {
    Quad p0 = 1;
    Quad p1 = x;
    for (int n = 2; n <= s; ++n) {
      const Quad p2 = (Quad(2 * n - 1) * x * p1 - Quad(n - 1) * p0) / Quad(n);
      p0 = p1;
      p1 = p2;
    }
    derivative = Quad(s) * (x * p1 - p0) / (x * x - Quad(1));
    const Quad step = p1 / derivative;
    x -= step;
    if (abs(step) < Quad(1e-33)) break;
  }
  c = (Quad(1) + x) / Quad(2);
  b = Quad(1) / ((Quad(1) - x * x) * derivative * derivative);
}

inline Quad lagrange(const Quad* nodes, int first, int last, int j, Quad x) {
  Quad value = 1;
  for (int k = first; k < last; ++k)
    if (k != j) value *= (x - nodes[k]) / (nodes[j] - nodes[k]);
  return value;
}

}  // namespace detail

template <class S>
GaussTableau<S>::GaussTableau(int s) : stages(s) {
  Quad node[max_gauss_stages];
  Quad weight[max_gauss_stages];
  for (int i = 0; i < s; ++i) detail::gauss_node(s, i, node[i], weight[i]);
  for (int i = 0; i < s; ++i) {
    b[i] = S(RealOf<S>(weight[i]));
    c[i] = S(RealOf<S>(node[i]));
    for (int j = 0; j < i; ++j) {
      Quad a = 0;
      for (int k = 0; k < s; ++k)
        a += weight[k] * detail::lagrange(node, 0, s, j, node[i] * node[k]);
      // μ_ij > ½ for j < i, so 1 − μ_ij is exact in S.
      const S rounded = S(RealOf<S>(node[i] * a / weight[j]));
      mu[i][j] = rounded;           // [MATH 7.6]
      mu[j][i] = S(1.0) - rounded;  // [MATH 7.6]
    }
    mu[i][i] = S(0.5);
  }
  const int first = s > gauss_history ? s - gauss_history : 0;
  for (int i = 0; i < s; ++i)
    for (int j = first; j < s; ++j)
      predict[i][j] = S(RealOf<S>(
          weight[i] * detail::lagrange(node, first, s, j, node[i] + Quad(1)) / weight[j]));
}

/// The tableau of s = 1 … 8 stages, computed once: half a millisecond of quadruple precision.
template <class S>
const GaussTableau<S>& gauss_tableau(int s) {
  using Get = const GaussTableau<S>& (*)();
  static constexpr auto get = []<int... i>(std::integer_sequence<int, i...>) {
    return std::array<Get, sizeof...(i)>{[]() -> const GaussTableau<S>& {
      static const GaussTableau<S> tableau(i + 1);
      return tableau;
    }...};
  }
  (std::make_integer_sequence<int, max_gauss_stages>{});
  return get[static_cast<std::size_t>(s - 1)]();
}

}  // namespace hamel
