#include "hamel/core/summation.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace hamel
