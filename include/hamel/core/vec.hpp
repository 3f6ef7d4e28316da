// SPDX-License-Identifier: BSD-3-Clause
// Vec<S, N> and Mat<S, R, C>: the small fixed-size linear algebra of the kernels.
#pragma once

#include "hamel/core/scalar.hpp"

namespace hamel {

/// N numbers. An aggregate: Vec<double, 3>{{1, 2, 3}}.
template <class S, int N>
struct Vec {
  static constexpr int size = N;
  S data[N];

  HAMEL_FN constexpr S& operator[](int i) { return data[i]; }
  HAMEL_FN constexpr const S& operator[](int i) const { return data[i]; }

  HAMEL_FN constexpr Vec& operator+=(const Vec& b) {
    for (int i = 0; i < N; ++i) data[i] = data[i] + b.data[i];
    return *this;
  }
  HAMEL_FN constexpr Vec& operator-=(const Vec& b) {
    for (int i = 0; i < N; ++i) data[i] = data[i] - b.data[i];
    return *this;
  }
  HAMEL_FN friend constexpr Vec operator+(Vec a, const Vec& b) { return a += b; }
  HAMEL_FN friend constexpr Vec operator-(Vec a, const Vec& b) { return a -= b; }
  HAMEL_FN friend constexpr Vec operator-(Vec a) {
    for (int i = 0; i < N; ++i) a.data[i] = -a.data[i];
    return a;
  }
  HAMEL_FN friend constexpr Vec operator*(const S& s, Vec a) {
    for (int i = 0; i < N; ++i) a.data[i] = s * a.data[i];
    return a;
  }
  HAMEL_FN friend constexpr Vec operator*(const Vec& a, const S& s) { return s * a; }
};

/// R rows, C columns; m(i, j).
template <class S, int R, int C>
struct Mat {
  S data[R][C];

  HAMEL_FN constexpr S& operator()(int i, int j) { return data[i][j]; }
  HAMEL_FN constexpr const S& operator()(int i, int j) const { return data[i][j]; }
};

template <class S, int N>
HAMEL_FN constexpr S dot(const Vec<S, N>& a, const Vec<S, N>& b) {
  S sum = a[0] * b[0];
  for (int i = 1; i < N; ++i) sum = sum + a[i] * b[i];
  return sum;
}

template <class S, int N>
HAMEL_FN constexpr S norm2(const Vec<S, N>& a) {
  return dot(a, a);
}

template <class S, int N>
HAMEL_FN S norm(const Vec<S, N>& a) {
  return sqrt(norm2(a));
}

template <class S>
HAMEL_FN constexpr Vec<S, 3> cross(const Vec<S, 3>& a, const Vec<S, 3>& b) {
  return {{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
}

template <class S, int R, int C>
HAMEL_FN constexpr Vec<S, R> operator*(const Mat<S, R, C>& m, const Vec<S, C>& x) {
  Vec<S, R> y;
  for (int i = 0; i < R; ++i) {
    y[i] = m(i, 0) * x[0];
    for (int j = 1; j < C; ++j) y[i] = y[i] + m(i, j) * x[j];
  }
  return y;
}

/// Lane-wise choice between two vectors.
template <class S, int N>
HAMEL_FN constexpr Vec<S, N> select(const MaskOf<S>& mask, const Vec<S, N>& a, const Vec<S, N>& b) {
  Vec<S, N> out;
  for (int i = 0; i < N; ++i) out[i] = select(mask, a[i], b[i]);
  return out;
}

/// The same vector in another scalar type, e.g. double data in a Quad computation.
template <class To, class From, int N>
HAMEL_FN constexpr Vec<To, N> cast(const Vec<From, N>& a) {
  Vec<To, N> out;
  for (int i = 0; i < N; ++i) out[i] = To(a[i]);
  return out;
}

/// Vector i of a list of vectors.
template <class S>
HAMEL_FN Vec<S, 3> vec_at(const S* list, int i) {
  return {{list[3 * i], list[3 * i + 1], list[3 * i + 2]}};
}
template <class S>
HAMEL_FN void put(S* list, int i, const Vec<S, 3>& x) {
  list[3 * i] = x[0];
  list[3 * i + 1] = x[1];
  list[3 * i + 2] = x[2];
}

}  // namespace hamel
