// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/studies/trend.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace hamel {
namespace {

constexpr std::size_t samples = 4096;

std::vector<double> made(const auto& f) {
  std::vector<double> d(samples);
  for (std::size_t k = 0; k < samples; ++k) d[k] = f(static_cast<double>(k));
  return d;
}

std::vector<double> random_walk(unsigned seed, double bias) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  double sum = 0.0;
  return made([&](double k) { return k == 0.0 ? 0.0 : sum += normal(random) + bias; });
}

TEST(Trend, NothingMovedIsExact) {
  const Trend trend = trend_of(std::vector<double>(samples, 0.0));
  EXPECT_EQ(trend.kind, TrendKind::exact);
  EXPECT_EQ(trend.largest, 0.0);
}

TEST(Trend, OscillationsAreBounded) {
  for (const double period : {7.3, 31.0, 97.7, 200.0}) {
    const Trend trend =
        trend_of(made([&](double k) { return 1e-3 * (1 - std::cos(6.283185 * k / period)); }));
    EXPECT_EQ(trend.kind, TrendKind::bounded) << period << " " << trend.growth;
    EXPECT_NEAR(trend.largest, 2e-3, 1e-4);
    EXPECT_LE(std::fabs(trend.slope) * samples, 1e-4);
  }
}

TEST(Trend, LinesDriftEvenUnderOscillations) {
  const Trend plain = trend_of(made([](double k) { return -2e-9 * k; }));
  EXPECT_EQ(plain.kind, TrendKind::drifting);
  EXPECT_NEAR(plain.growth, 1.0, 1e-9);
  EXPECT_NEAR(plain.slope, -2e-9, 1e-15);
  const Trend hidden =
      trend_of(made([](double k) { return 1e-3 * std::sin(0.37 * k) + 5e-7 * k; }));
  EXPECT_EQ(hidden.kind, TrendKind::drifting);
  EXPECT_NEAR(hidden.slope, 5e-7, hidden.error);
  EXPECT_LE(hidden.error, 5e-8);
}

// Faster than the near lag and larger than the drift over it, but small against the whole.
TEST(Trend, DriftsUnderLargeRipplesAreNoWalks) {
  for (const double rise : {5.0, 12.0, 25.0, 60.0}) {
    const Trend trend =
        trend_of(made([&](double k) { return std::sin(0.7 * k) + rise * k / 4096; }));
    EXPECT_EQ(trend.kind, TrendKind::drifting) << rise << " " << trend.growth;
    EXPECT_NEAR(trend.slope, rise / 4096, 3 * trend.error + 1e-5) << rise;
  }
}

// Of 400 walks: nearly all are recognised, and the interval for the slope, which is 0, holds 95 %.
TEST(Trend, RandomWalksAreRecognisedAndTheirIntervalIsHonest) {
  int recognised = 0;
  int covered = 0;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    const Trend trend = trend_of(random_walk(seed, 0.0));
    recognised += trend.kind == TrendKind::wandering ? 1 : 0;
    if (trend.kind == TrendKind::wandering)
      covered += std::fabs(trend.slope) <= trend.error ? 1 : 0;
  }
  EXPECT_GE(recognised, 380);
  EXPECT_NEAR(covered / static_cast<double>(recognised), 0.95, 0.03);  // σ = 0.011
}

TEST(Trend, BiasedWalksDrift) {
  int drifting = 0;
  for (unsigned seed = 1; seed <= 100; ++seed)
    drifting += trend_of(random_walk(seed, 0.3)).kind == TrendKind::drifting ? 1 : 0;
  EXPECT_GE(drifting, 95);
}

TEST(Trend, NotANumberIsNotOverlooked) {
  std::vector<double> d(samples, 1e-3);
  d[100] = NAN;
  EXPECT_TRUE(std::isnan(trend_of(d).largest));
}

}  // namespace
}  // namespace hamel
