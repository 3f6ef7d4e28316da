// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/geometry/rotation.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "hamel/geometry/sphere.hpp"
#include "hamel/solve/linear.hpp"

namespace hamel {
namespace {

using V = Vec<double, 3>;

V random_vector(double scale) {
  const auto component = [&] { return *rc::gen::inRange(-1000, 1001) * 1e-3 * scale; };
  return {{component(), component(), component()}};
}

double largest(const V& v) {
  return std::fmax(std::fabs(v[0]), std::fmax(std::fabs(v[1]), std::fabs(v[2])));
}

// [MATH 9]: Cay(a) = (I − S(a))⁻¹(I + S(a)).
RC_GTEST_PROP(Rotation, CayleyIsTheTransformOfTheHatMatrix, ()) {
  const V a = random_vector(2.0);
  const V y = random_vector(1.0);
  Mat<double, 3, 3> left = hat(-a);
  for (int i = 0; i < 3; ++i) left(i, i) += 1.0;
  const V expected = solve(left, y + cross(a, y));
  RC_ASSERT(largest(y + cayley_increment(a, y) - expected) <= 1e-14);
}

RC_GTEST_PROP(Rotation, CayleyAndExponentialKeepLengths, ()) {
  const V a = random_vector(3.0);
  const V y = random_vector(1.0);
  RC_ASSERT(std::fabs(norm(y + cayley_increment(a, y)) - norm(y)) <= 1e-15 * (1 + norm(y)) * 4);
  RC_ASSERT(std::fabs(norm(rotate(a, y)) - norm(y)) <= 1e-15 * (1 + norm(y)) * 4);
}

// Cay(a) turns by 2 atan|a| about a: the exponential of that angle.
RC_GTEST_PROP(Rotation, CayleyIsTheExponentialOfTwiceTheArcTangent, ()) {
  const V a = random_vector(1.0);
  RC_PRE(norm(a) > 1e-6);
  const V y = random_vector(1.0);
  const V turn = (2.0 * std::atan(norm(a)) / norm(a)) * a;
  RC_ASSERT(largest(y + cayley_increment(a, y) - rotate(turn, y)) <= 4e-15);
}

TEST(Rotation, SmallAnglesUseTheSeriesWithoutLoss) {
  const V a{{3e-5, -2e-5, 5e-5}};
  const V y{{0.3, 0.4, -0.5}};
  const Vec<Quad, 3> exact = rotate(cast<Quad>(V{{3e-3, -2e-3, 5e-3}}), cast<Quad>(y));
  V coarse = y;
  for (int i = 0; i < 100; ++i) coarse = rotate(a, coarse);
  EXPECT_LE(largest(coarse - cast<double>(exact)), 1e-14);
}

TEST(Sphere, TangentBasisIsOrthonormalEvenWithoutADirection) {
  for (const V& q : {V{{0, 0, 1}}, V{{1, 0, 0}}, normalised(V{{1, 1, 1}})}) {
    const auto basis = tangent_basis(q, V{{0, 0, 0}});
    const V e1{{basis(0, 0), basis(0, 1), basis(0, 2)}};
    const V e2{{basis(1, 0), basis(1, 1), basis(1, 2)}};
    EXPECT_NEAR(dot(e1, q), 0.0, 1e-15);
    EXPECT_NEAR(norm(e1), 1.0, 1e-15);
    EXPECT_LE(largest(cross(q, e1) - e2), 1e-15);
  }
}

TEST(Sphere, LengthDefectHasNoCancellation) {
  const V q{{1.0 + 1e-13, 0.0, 0.0}};
  EXPECT_NEAR(length_defect(q), q[0] - 1.0, 1e-26);  // |defect|²
}

}  // namespace
}  // namespace hamel
