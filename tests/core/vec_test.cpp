// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/core/vec.hpp"

#include <gtest/gtest.h>

namespace hamel {
namespace {

TEST(Vec, CrossProductIsRightHandedAndNormal) {
  const Vec<double, 3> e1{{1, 0, 0}};
  const Vec<double, 3> e2{{0, 1, 0}};
  EXPECT_EQ(cross(e1, e2)[2], 1.0);
  const Vec<double, 3> a{{1, 2, 3}};
  const Vec<double, 3> b{{-2, 5, 7}};
  EXPECT_EQ(dot(cross(a, b), a), 0.0);
  EXPECT_EQ(dot(cross(a, b), b), 0.0);
}

TEST(Vec, MatrixTimesVectorIsTheRowProduct) {
  const Mat<double, 2, 3> m{{{1, 2, 3}, {4, 5, 6}}};
  const Vec<double, 2> y = m * Vec<double, 3>{{1, 0, -1}};
  EXPECT_EQ(y[0], -2.0);
  EXPECT_EQ(y[1], -2.0);
}

TEST(Vec, CastKeepsTheValues) {
  const Vec<Quad, 2> q = cast<Quad>(Vec<double, 2>{{0.1, 0.2}});
  EXPECT_TRUE(q[0] == Quad(0.1));
}

}  // namespace
}  // namespace hamel
