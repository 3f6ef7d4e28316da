// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/core/summation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "hamel/core/quad.hpp"

namespace hamel {
namespace {

template <Summation Mode>
double error_of_a_million_tenths() {
  Sum<double, 1, Mode> sum;
  sum.start({{1.0}});
  Quad exact = 1;
  for (int i = 0; i < 1000000; ++i) {
    sum.add({{1e-6 / 3.0}});
    exact += Quad(1e-6 / 3.0);
  }
  return static_cast<double>(abs(Quad(sum.value[0]) - exact));
}

// [MATH 8.1]: compensated sums lose at most one rounding, plain ones a thousand times that.
TEST(Sum, CompensationKeepsTheLowBits) {
  EXPECT_LE(error_of_a_million_tenths<Summation::compensated>(), 2.3e-16);
  EXPECT_GE(error_of_a_million_tenths<Summation::plain>(), 1e-12);
}

// What is rounded off is the difference to the exact result, which Quad holds whole.
TEST(Summation, RoundingErrorsAreExact) {
  double a = 0.1;
  double b = 1.7;
  for (int i = 0; i < 1000; ++i) {
    a = a * 1.37 - std::floor(a * 1.37) + 1e-3;
    b = -b * 0.83 - 0.19;
    EXPECT_EQ(Quad(product_error(a, b, a * b)), Quad(a) * Quad(b) - Quad(a * b));
    EXPECT_EQ(Quad(sum_error(a, b, a + b)), Quad(a) + Quad(b) - Quad(a + b));
  }
}

// An increment may go on below its last digit; no step of it is lost.
TEST(Summation, DigitsBelowTheIncrementCount) {
  Sum<double, 1, Summation::compensated> sum;
  sum.start({{1.0}});
  const double below = 1e-19;
  for (int i = 0; i < 1000000; ++i) sum.add({{0.3}}, {{below}});
  const Quad exact = Quad(1) + Quad(1000000) * (Quad(0.3) + Quad(below));
  const Quad found = Quad(sum.value[0]) + Quad(sum.carry[0]);
  EXPECT_LT(static_cast<double>(abs(found - exact)), 1e-15);
}

}  // namespace
}  // namespace hamel
