// SPDX-License-Identifier: BSD-3-Clause
// gradient() and hessian() against derivatives by hand.
#include "hamel/autodiff/derivatives.hpp"

#include <gtest/gtest.h>

namespace hamel {
namespace {

/// f = x²·y + sin z, ∇f = (2xy, x², cos z).
constexpr auto f = [](const auto& q) { return q[0] * q[0] * q[1] + sin(q[2]); };

template <class T>
class Derivatives : public ::testing::Test {};
using Reals = ::testing::Types<double, long double, Quad>;
TYPED_TEST_SUITE(Derivatives, Reals);

TYPED_TEST(Derivatives, GradientIsExact) {
  const Vec<TypeParam, 3> x{{3, -2, TypeParam(0.5)}};
  const Vec<TypeParam, 3> g = gradient(f, x);
  EXPECT_TRUE(g[0] == -12 && g[1] == 9 && g[2] == cos(x[2]));
}

TYPED_TEST(Derivatives, HessianIsExactAndSymmetric) {
  const Vec<TypeParam, 3> x{{3, -2, TypeParam(0.5)}};
  const auto at = hessian(f, x);
  EXPECT_TRUE(at.value == f(x));
  const TypeParam expected[3][3] = {{-4, 6, 0}, {6, 0, 0}, {0, 0, -sin(x[2])}};
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(at.gradient[i] == gradient(f, x)[i]);
    for (int j = 0; j < 3; ++j) EXPECT_TRUE(at.hessian(i, j) == expected[i][j]) << i << j;
  }
}

TEST(Derivatives, VectorsOfJetsGoThroughTheLinearAlgebra) {
  const auto length = [](const auto& q) { return norm(2.0 * q); };
  const Vec<double, 2> g = gradient(length, Vec<double, 2>{{3.0, 4.0}});
  // Two roundings in the sum, one in the root, two in the slope.
  EXPECT_LE(abs(g[0] - 1.2), 8 * Epsilon<double>::value);
  EXPECT_LE(abs(g[1] - 1.6), 8 * Epsilon<double>::value);
}

TEST(Derivatives, ConstantFunctionsHaveNone) {
  const auto at = hessian([](const auto&) { return 2.0; }, Vec<double, 1>{{5.0}});
  EXPECT_EQ(at.value, 2.0);
  EXPECT_EQ(at.gradient[0], 0.0);
  EXPECT_EQ(at.hessian(0, 0), 0.0);
}

}  // namespace
}  // namespace hamel
