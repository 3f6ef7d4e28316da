// SPDX-License-Identifier: BSD-3-Clause
// Quadratures over long times: right, and no longer than what repeats itself or moves.
#include "hamel/geometry/gauss_panel.hpp"

#include <gtest/gtest.h>

namespace hamel {
namespace {

double difference(Quad a, Quad b) { return static_cast<double>(abs(a - b)); }

// ∫₀ᵗ 1/(5/4 − cos s) ds over a period 2π is 8π/3; within one, (8/3) atan(3 tan(t/2)).
TEST(LongIntegral, OfAPeriodicIntegrandCostsTwoPeriodsAtMost) {
  const Quad pi = acos(Quad(-1));
  int calls = 0;
  const auto f = [&](Quad s) {
    ++calls;
    return 1 / (Quad(1.25) - cos(s));
  };
  LongIntegral<Quad> integral;
  integral.period = 2 * pi;
  integral.longest = Quad(0.1);
  const auto exact = [&](int periods, Quad t) {
    return periods * 8 * pi / 3 + Quad(8) / 3 * atan(3 * tan(t / 2));
  };
  // from 0 on, across periods, back, before the beginning, far away
  const std::pair<int, Quad> places[] = {{0, 0},         {0, 1},  {0, 2},  {1, 1},
                                         {1, Quad(0.5)}, {-1, 1}, {-3, 2}, {1000000, 3}};
  for (const auto& [periods, t] : places) {
    calls = 0;
    EXPECT_LE(difference(integral(f, periods * 2 * pi + t), exact(periods, t)),
              1e-25 * (1 + std::abs(periods)))
        << periods;
    EXPECT_LE(calls, 2 * 8 * 64) << periods;
  }
}

// ∫₀ᵗ (1 + sech² (s − c)) ds = t + tanh(t − c) + tanh c; settled 45 from c.
TEST(LongIntegral, OfAnIntegrandThatSettlesGoesOnWithoutPanels) {
  for (const int c : {0, 10, -10, 100, -100}) {  // with ±100, 0 is outside of what moves
    int calls = 0;
    const auto f = [&](Quad s) {
      ++calls;
      const Quad secant = 1 / cosh(s - c);
      return 1 + secant * secant;
    };
    LongIntegral<Quad> integral;
    integral.first = c - 45;
    integral.last = c + 45;
    integral.longest = Quad(0.05);
    for (const int t : {1, -1, 30, 200, -200, 1000000}) {
      calls = 0;
      EXPECT_LE(difference(integral(f, t), t + tanh(Quad(t - c)) + tanh(Quad(c))),
                1e-28 * (1 + std::abs(t)))
          << t << " " << c;
      EXPECT_LE(calls, 8 * 1802) << t << " " << c;
    }
  }
}

}  // namespace
}  // namespace hamel
