// SPDX-License-Identifier: BSD-3-Clause
// LU of a size known at run time: residuals, singular matrices, and lanes with pivots of their own.
#include "hamel/solve/dense.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "hamel/core/lanes.hpp"

namespace hamel {
namespace {

using Eight = Lanes<8>;

struct Problem {
  int n;
  std::vector<double> a, b;
};

/// Entries between −1 and 1, some of them zero; equal ones make ties among the pivots.
Problem random_problem(int n, std::minstd_rand& random) {
  std::uniform_int_distribution<int> entry(-4, 4);
  Problem p{n, {}, {}};
  for (int i = 0; i < n * n; ++i) p.a.push_back(0.25 * entry(random));
  for (int i = 0; i < n; ++i) p.b.push_back(std::sin(1.0 + i) * entry(random));
  return p;
}

struct Solution {
  bool regular;
  std::vector<double> factors, x;
};

Solution solved(Problem p) {
  std::vector<int> pivot(p.b.size());
  const bool regular = lu_factor(p.a.data(), p.n, pivot.data());
  if (regular) lu_solve(p.a.data(), p.n, pivot.data(), p.b.data());
  return {regular, p.a, p.b};
}

TEST(Dense, SolvesWhatIsRegular) {
  std::minstd_rand random(7);
  int regular = 0;
  for (int k = 0; k < 200; ++k) {
    const Problem p = random_problem(1 + k % 9, random);
    const Solution s = solved(p);
    if (!s.regular) continue;
    ++regular;
    double size = 1.0;
    for (const double x : s.x) size = std::fmax(size, std::fabs(x));
    for (int i = 0; i < p.n; ++i) {
      double sum = -p.b[static_cast<std::size_t>(i)];
      for (int j = 0; j < p.n; ++j)
        sum += p.a[static_cast<std::size_t>(i * p.n + j)] * s.x[static_cast<std::size_t>(j)];
      EXPECT_NEAR(sum, 0.0, 1e-13 * size * p.n);
    }
  }
  EXPECT_GT(regular, 100);
}

TEST(Dense, LanesHaveTheBitsOfSingleMatrices) {
  std::minstd_rand random(11);
  int singular = 0;
  for (int k = 0; k < 100; ++k) {
    const int n = 1 + k % 9;
    const auto size = static_cast<std::size_t>(n);
    std::vector<Problem> problems;
    for (int lane = 0; lane < 8; ++lane) problems.push_back(random_problem(n, random));
    std::vector<Eight> a(size * size);
    std::vector<Eight> b(size);
    std::vector<Eight> pivot(size);
    const auto gather = [&](std::size_t i, auto list) {
      double x[8];
      for (std::size_t lane = 0; lane < 8; ++lane) x[lane] = (problems[lane].*list)[i];
      return Eight::load(x);
    };
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = gather(i, &Problem::a);
    for (std::size_t i = 0; i < size; ++i) b[i] = gather(i, &Problem::b);
    const LaneMask<8> regular = lu_factor_lanes(a.data(), n, pivot.data());
    lu_solve_lanes(a.data(), n, pivot.data(), b.data());
    for (int lane = 0; lane < 8; ++lane) {
      const Solution alone = solved(problems[static_cast<std::size_t>(lane)]);
      ASSERT_EQ(regular[lane], alone.regular);
      singular += alone.regular ? 0 : 1;
      if (!alone.regular) continue;
      for (std::size_t i = 0; i < size; ++i) {
        double x[8];
        b[i].store(x);
        EXPECT_EQ(x[lane], alone.x[i]) << "n = " << n << ", lane " << lane;
      }
    }
  }
  EXPECT_GT(singular, 20);
}

TEST(Dense, NoNumberIsNoPivot) {
  std::vector<double> a = {std::nan(""), 1.0, 0.0, 1.0};
  int pivot[2];
  EXPECT_FALSE(lu_factor(a.data(), 2, pivot));
  std::vector<Eight> lanes = {Eight(std::nan("")), Eight(1.0), Eight(0.0), Eight(1.0)};
  Eight rows[2];
  EXPECT_FALSE(any(lu_factor_lanes(lanes.data(), 2, rows)));
}

}  // namespace
}  // namespace hamel
