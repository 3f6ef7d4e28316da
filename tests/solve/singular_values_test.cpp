// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/solve/singular_values.hpp"

#include <gtest/gtest.h>

#include <random>

#include "hamel/core/quad.hpp"

namespace hamel {
namespace {

template <class S>
using Matrix = std::vector<S>;

TEST(SingularValues, RebuildTheMatrixAndFindItsRank) {
  const int rows = 5;
  const int columns = 7;
  std::minstd_rand random(3);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Matrix<Quad> a(static_cast<std::size_t>(rows * columns));
  Matrix<Quad> left(static_cast<std::size_t>(rows * 3));
  Matrix<Quad> right(static_cast<std::size_t>(3 * columns));
  for (Quad& x : left) x = uniform(random);
  for (Quad& x : right) x = uniform(random);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      for (int k = 0; k < 3; ++k)
        a[static_cast<std::size_t>(i * columns + j)] +=
            left[static_cast<std::size_t>(i * 3 + k)] *
            right[static_cast<std::size_t>(k * columns + j)];
  const auto found = singular_values(a, rows, columns);
  EXPECT_EQ(found.rank(1e-20), 3);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      Quad sum = 0;
      for (std::size_t k = 0; k < found.s.size(); ++k)
        sum += found.u[k][static_cast<std::size_t>(i)] * found.s[k] *
               found.v[k][static_cast<std::size_t>(j)];
      EXPECT_TRUE(static_cast<double>(abs(sum - a[static_cast<std::size_t>(i * columns + j)])) <=
                  1e-31);
    }
  for (std::size_t k = 0; k < 7; ++k)
    for (std::size_t l = 0; l <= k; ++l) {
      Quad sum = 0;
      for (std::size_t j = 0; j < 7; ++j) sum += found.v[k][j] * found.v[l][j];
      EXPECT_TRUE(static_cast<double>(abs(sum - (k == l ? 1 : 0))) <= 1e-31);
    }
}

TEST(SingularValues, OfADiagonal) {
  const auto found = singular_values<double>({0, -3, 0, 2, 0, 0}, 2, 3);
  EXPECT_EQ(found.s[0], 3.0);
  EXPECT_EQ(found.s[1], 2.0);
  EXPECT_EQ(found.s[2], 0.0);
  EXPECT_EQ(found.rank(1e-9), 2);
}

}  // namespace
}  // namespace hamel
