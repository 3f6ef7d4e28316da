// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/solve/eigenvalues.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "hamel/core/quad.hpp"

namespace hamel {
namespace {

template <class S>
using Matrix = std::vector<S>;

template <class S>
Matrix<S> product(const Matrix<S>& a, const Matrix<S>& b, int n) {
  Matrix<S> c(a.size(), S(0.0));
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        c[static_cast<std::size_t>(i * n + j)] +=
            a[static_cast<std::size_t>(i * n + k)] * b[static_cast<std::size_t>(k * n + j)];
  return c;
}

/// T and T⁻¹: a product of shears, exact in Quad up to a few roundings.
template <class S>
std::pair<Matrix<S>, Matrix<S>> shears(int n, unsigned seed) {
  std::minstd_rand random(seed);
  std::uniform_real_distribution<double> uniform(-0.7, 0.7);
  const auto unit = [&] {
    Matrix<S> a(static_cast<std::size_t>(n * n), S(0.0));
    for (int i = 0; i < n; ++i) a[static_cast<std::size_t>(i * n + i)] = S(1.0);
    return a;
  };
  auto t = unit();
  auto inverse = unit();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      if (i == j) continue;
      const S x = uniform(random);
      auto up = unit();
      auto down = unit();
      up[static_cast<std::size_t>(i * n + j)] = x;
      down[static_cast<std::size_t>(i * n + j)] = -x;
      t = product(t, up, n);
      inverse = product(down, inverse, n);
    }
  return {t, inverse};
}

template <class S>
void expect_spectrum(std::vector<Eigenvalue<S>> found, const std::vector<Eigenvalue<S>>& expected,
                     double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (const auto& e : expected) {  // the nearest of those left
    const auto distance = [&](const Eigenvalue<S>& f) {
      return static_cast<double>(hypot(f.re - e.re, f.im - e.im));
    };
    const auto near = std::ranges::min_element(
        found, [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
    EXPECT_TRUE(distance(*near) <= tolerance) << distance(*near);
    found.erase(near);
  }
}

TEST(Eigenvalues, OfMatricesMadeFromTheirs) {
  for (const unsigned seed : {1U, 2U, 3U, 4U}) {
    const int n = 9;
    Matrix<Quad> d(static_cast<std::size_t>(n * n), Quad(0));
    const auto at = [&](int i, int j) -> Quad& { return d[static_cast<std::size_t>(i * n + j)]; };
    std::vector<Eigenvalue<Quad>> expected;
    for (int k = 0; k < 3; ++k) {  // three pairs, the last twice the same modulus
      const Quad re = 0.5 * k - 0.3;
      const Quad im = 1 + 0.25 * k;
      at(2 * k, 2 * k) = at(2 * k + 1, 2 * k + 1) = re;
      at(2 * k, 2 * k + 1) = im;
      at(2 * k + 1, 2 * k) = -im;
      expected.push_back({re, im});
      expected.push_back({re, -im});
    }
    const Quad real[] = {2, -1.25, 1e-8};
    for (int k = 0; k < 3; ++k) {
      at(6 + k, 6 + k) = real[k];
      expected.push_back({real[k], 0});
    }
    const auto [t, inverse] = shears<Quad>(n, seed);
    expect_spectrum(eigenvalues(product(product(t, d, n), inverse, n), n), expected, 1e-27);
  }
}

TEST(Eigenvalues, SemisimplePairsStayTogether) {  // two planes that swing alike
  const int n = 8;
  Matrix<Quad> d(static_cast<std::size_t>(n * n), Quad(0));
  std::vector<Eigenvalue<Quad>> expected;
  for (int k = 0; k < 4; ++k) {
    d[static_cast<std::size_t>((2 * k) * n + 2 * k + 1)] = 3;
    d[static_cast<std::size_t>((2 * k + 1) * n + 2 * k)] = -3;
    expected.push_back({0, 3});
    expected.push_back({0, -3});
  }
  const auto [t, inverse] = shears<Quad>(n, 7);
  expect_spectrum(eigenvalues(product(product(t, d, n), inverse, n), n), expected, 1e-26);
}

TEST(Eigenvalues, NilpotentAndPermutation) {
  const int n = 4;
  Matrix<double> cycle(16, 0.0);  // fourth roots of one: plain shifts never converge
  for (int i = 0; i < n; ++i) cycle[static_cast<std::size_t>(i * n + (i + 1) % n)] = 1.0;
  expect_spectrum<double>(eigenvalues(cycle, n), {{1, 0}, {-1, 0}, {0, 1}, {0, -1}}, 1e-14);
  Matrix<double> zero(16, 0.0);
  expect_spectrum<double>(eigenvalues(zero, n), {{0, 0}, {0, 0}, {0, 0}, {0, 0}}, 0.0);
  Matrix<Quad> block = {0, 1, 0, 0};  // a Jordan block: exact zeros
  expect_spectrum<Quad>(eigenvalues(block, 2), {{0, 0}, {0, 0}}, 0.0);
}

TEST(Eigenvalues, WhatIsNotFiniteHasNone) {
  EXPECT_TRUE(eigenvalues<double>({1.0, NAN, 0.0, 1.0}, 2).empty());
  EXPECT_TRUE(eigenvalues<double>({}, 0).empty());
}

}  // namespace
}  // namespace hamel
