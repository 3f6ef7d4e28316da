// SPDX-License-Identifier: BSD-3-Clause
// gradient(f, x) and hessian(f, x): exact derivatives of a generic function f: Vec<S, N> → S.
//
//   const auto energy = [](const auto& q) { return 0.5 * norm2(q) + cos(q[0]); };
//   const Vec<double, 2> g = gradient(energy, Vec<double, 2>{{0.3, 1.0}});
#pragma once

#include "hamel/autodiff/dual.hpp"
#include "hamel/autodiff/jet2.hpp"
#include "hamel/core/vec.hpp"

namespace hamel {

/// A function at one point to second order.
template <class S, int N>
struct SecondOrder {
  S value;
  Vec<S, N> gradient;
  Mat<S, N, N> hessian;
};

/// x as the independent variables 0, ..., N − 1 of the jet type J.
template <Jet J>
HAMEL_FN constexpr auto variables(const Vec<typename J::Inner, J::variables>& x) {
  Vec<J, J::variables> out;
  for (int i = 0; i < out.size; ++i) out[i] = J::variable(x[i], i);
  return out;
}

/// ∇f(x). One evaluation of f, about 1 + N times its cost.
template <class F, class S, int N>
HAMEL_FN constexpr Vec<S, N> gradient(const F& f, const Vec<S, N>& x) {
  const Dual<S, N> y = f(variables<Dual<S, N>>(x));
  Vec<S, N> out;
  for (int i = 0; i < N; ++i) out[i] = y.d[i];
  return out;
}

/// f(x), ∇f(x) and ∇²f(x), exactly symmetric. One evaluation of f.
template <class F, class S, int N>
HAMEL_FN constexpr SecondOrder<S, N> hessian(const F& f, const Vec<S, N>& x) {
  const Jet2<N, S> y = f(variables<Jet2<N, S>>(x));
  SecondOrder<S, N> out;
  out.value = y.v;
  for (int i = 0; i < N; ++i) {
    out.gradient[i] = y.gradient(i);
    for (int j = 0; j < N; ++j) out.hessian(i, j) = y.hessian(i, j);
  }
  return out;
}

}  // namespace hamel
