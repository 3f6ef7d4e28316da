// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/kernels/chain/chain_newton.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "hamel/core/lanes.hpp"

namespace hamel {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(ChainNewton, EndsAtRoundOffOrWhereItShrinksNoLonger) {
  const ChainNewton<double> to_round_off(0.0);
  EXPECT_TRUE(to_round_off.found(4.0 * eps, 1.0));
  EXPECT_FALSE(to_round_off.found(5.0 * eps, 1.0));
  EXPECT_TRUE(to_round_off.found(60.0 * eps, 100.0 * eps));
  EXPECT_FALSE(to_round_off.found(65.0 * eps, 100.0 * eps));
  EXPECT_FALSE(to_round_off.found(nan, 1.0));
  EXPECT_TRUE(ChainNewton<double>(1e-6).found(1e-6, 1.0));
  EXPECT_FALSE(ChainNewton<double>(1e-6).found(2e-6, 1.0));
}

TEST(ChainNewton, IsLostWhenItRunsAway) {
  EXPECT_FALSE(ChainNewton<double>::lost(1e6));
  EXPECT_TRUE(ChainNewton<double>::lost(1.1e6));
  EXPECT_TRUE(ChainNewton<double>::lost(nan));
}

TEST(ChainNewton, DecidesForEveryLane) {
  const double worst[4] = {4.0 * eps, 5.0 * eps, nan, 2e6};
  const auto lanes = Lanes<4>::load(worst);
  const auto found = ChainNewton<Lanes<4>>(0.0).found(lanes, Lanes<4>(1.0));
  const auto lost = ChainNewton<Lanes<4>>::lost(lanes);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(found[i], i == 0) << i;
    EXPECT_EQ(lost[i], i >= 2) << i;
  }
}

}  // namespace
}  // namespace hamel
