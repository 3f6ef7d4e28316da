// SPDX-License-Identifier: BSD-3-Clause
// Lanes: one after the other, and all into one number.
#include "hamel/core/lanes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace hamel {
namespace {

template <int W>
struct Numbers {
  double at[W];

  explicit Numbers(const Lanes<W>& lanes) { lanes.store(at); }
};

template <int W>
Lanes<W> tenths(double first) {
  double x[W];
  for (int i = 0; i < W; ++i) x[i] = 0.1 * (first + 7 * i % 5) * (i % 2 == 0 ? 1.0 : -1.0);
  return Lanes<W>::load(x);
}

TEST(Lanes, SumHasOneOrder) {
  const Numbers<8> a(tenths<8>(3.0));
  EXPECT_EQ(Lanes<8>::load(a.at).sum(), ((a.at[0] + a.at[4]) + (a.at[2] + a.at[6])) +
                                            ((a.at[1] + a.at[5]) + (a.at[3] + a.at[7])));
  const Numbers<4> b(tenths<4>(3.0));
  EXPECT_EQ(Lanes<4>::load(b.at).sum(), (b.at[0] + b.at[2]) + (b.at[1] + b.at[3]));
}

TEST(Lanes, LargerTakesMagnitudes) {
  double x[8] = {1.0, -3.0, 0.5, 0.0, -0.0, 2.0, -7.0, 4.0};
  const Lanes<8> all = larger(Lanes<8>(2.0), Lanes<8>::load(x));
  EXPECT_EQ(all.largest(), 7.0);
  const Numbers<8> found(all);
  EXPECT_EQ(found.at[0], 2.0);
  EXPECT_EQ(found.at[1], 3.0);
  x[3] = std::numeric_limits<double>::quiet_NaN();
  const Numbers<8> broken(larger(Lanes<8>(2.0), Lanes<8>::load(x)));
  EXPECT_TRUE(std::isnan(broken.at[3]));
}

/// (1 + d)(1 − d) − 1 with d = 2^-30: the product rounds to 1. A fused multiply-add would give −d².
template <class S>
S left_by_rounding(const S& d) {
  return (S(1.0) + d) * (S(1.0) - d) - S(1.0);
}

// All instruction sets give the same bits, because none fuses products with sums.
TEST(Lanes, ProductsAreRoundedBeforeTheyAreAdded) {
  volatile double small = std::ldexp(1.0, -30);  // not folded by the compiler
  const double d = small;
  EXPECT_EQ(std::fma(1.0 + d, 1.0 - d, -1.0), -d * d);
  EXPECT_EQ(left_by_rounding(d), 0.0);
  const auto all_zero = [](const auto& lanes, auto& found) {
    lanes.store(found);
    for (const double x : found) EXPECT_EQ(x, 0.0);
  };
  double four[4];
  double eight[8];
  all_zero(left_by_rounding(Lanes<4>(d)), four);
  all_zero(left_by_rounding(Lanes<8>(d)), eight);
}

}  // namespace
}  // namespace hamel
