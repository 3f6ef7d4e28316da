// SPDX-License-Identifier: BSD-3-Clause
// Jet2<N, T> against finite differences in Quad (oracle.hpp), against nested duals, and against
// what its header promises at special points.
#include "hamel/autodiff/jet2.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <type_traits>

#include "hamel/autodiff/dual.hpp"
#include "oracle.hpp"

namespace hamel {
namespace {

using J = Jet2<2>;

constexpr double inf = std::numeric_limits<double>::infinity();

template <class T, class F>
Jet2<2, T> at_point(const F& f, const oracle::Sample& at) {
  using S = Jet2<2, T>;
  return f(Vec<S, 2>{{S::variable(T(at.x), 0), S::variable(T(at.y), 1)}});
}

/// f in Jet2<2, T> against the oracle.
void expect_agreement(const Jet2<2, Quad>& result, const oracle::Expected& expected, Quad epsilon,
                      const std::string& where) {
  for (int i = 0; i < 2; ++i) {
    // The inner argument is exact; sixteen roundings of eps/2 follow at most.
    const Quad tolerance = (8 * epsilon + oracle::first_error) * expected.scale;
    EXPECT_LE(double(abs(result.gradient(i) - expected.gradient[i])), double(tolerance))
        << where << ", derivative " << i;
    for (int j = 0; j < 2; ++j) {
      const Quad size = expected.scale + abs(expected.hessian[i][j]);
      const Quad bound = (8 * epsilon + oracle::second_error) * size;
      EXPECT_LE(double(abs(result.hessian(i, j) - expected.hessian[i][j])), double(bound))
          << where << ", derivative " << i << j;
    }
  }
}

template <class T, class F>
void check(const F& f, const oracle::Sample& at, const oracle::Expected& expected,
           const std::string& where) {
  const Jet2<2, T> y = at_point<T>(f, at);
  Jet2<2, Quad> result = Quad(y.v);
  for (int k = 0; k < y.count; ++k) result.d[k] = Quad(y.d[k]);
  EXPECT_TRUE(y.v == f(Vec<T, 2>{{T(at.x), T(at.y)}})) << where;
  expect_agreement(result, expected, Epsilon<T>::value, where);
}

TEST(Jet2, EveryFunctionAgreesWithFiniteDifferences) {
  oracle::for_each_function([](const char* name, const oracle::Sample& at, const auto& f) {
    const oracle::Expected expected = oracle::derivatives(f, {{at.x, at.y}});
    const std::string where = oracle::describe(name, at);
    check<double>(f, at, expected, where + ", double");
    check<Quad>(f, at, expected, where + ", Quad");
  });
}

using D = Dual<double, 2>;
using DD = Dual<D, 2>;

void expect_equal_derivatives(const J& jet, const DD& nested, const std::string& where) {
  // Two evaluations of sixteen roundings each, all eps/2 of the largest derivative at most.
  const double bound = 16 * Epsilon<double>::value * (1 + magnitude(jet));
  EXPECT_EQ(jet.v, value_of(nested)) << where;
  for (int i = 0; i < 2; ++i) {
    EXPECT_LE(abs(jet.gradient(i) - nested.v.d[i]), bound) << where << ", derivative " << i;
    EXPECT_LE(abs(jet.gradient(i) - nested.d[i].v), bound) << where << ", derivative " << i;
    for (int j = 0; j < 2; ++j) {
      EXPECT_LE(abs(jet.hessian(i, j) - nested.d[i].d[j]), bound)
          << where << ", derivative " << i << j;
    }
  }
}

TEST(Jet2, AgreesWithNestedDuals) {
  oracle::for_each_function([](const char* name, const oracle::Sample& at, const auto& f) {
    const DD nested = f(
        Vec<DD, 2>{{DD::variable(D::variable(at.x, 0), 0), DD::variable(D::variable(at.y, 1), 1)}});
    expect_equal_derivatives(at_point<double>(f, at), nested, oracle::describe(name, at));
  });
}

TEST(Jet2, TraitsDescribeTheType) {
  static_assert(ScalarTraits<J>::derivatives == 2);
  static_assert(std::is_same_v<RealOf<Jet2<3, Quad>>, Quad>);
  static_assert(std::is_trivially_copyable_v<J> && std::is_trivially_default_constructible_v<J>);
  static_assert(sizeof(Jet2<6>) == (1 + 6 + 21) * sizeof(double));
  static_assert(!std::is_convertible_v<Quad, J> && std::is_convertible_v<int, J>);
  EXPECT_TRUE((Epsilon<Jet2<2, Quad>>::value == Epsilon<Quad>::value));
}

TEST(Jet2, EveryHessianEntryHasItsOwnPlace) {
  bool seen[Jet2<5>::count] = {};
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j <= i; ++j) {
      EXPECT_EQ(Jet2<5>::packed(i, j), Jet2<5>::packed(j, i));
      EXPECT_FALSE(seen[Jet2<5>::packed(i, j)]);
      seen[Jet2<5>::packed(i, j)] = true;
    }
  }
  EXPECT_FALSE(seen[4]);
  EXPECT_TRUE(seen[5] && seen[Jet2<5>::count - 1]);
}

TEST(Jet2, ArithmeticIsUsableInConstantExpressions) {
  constexpr J x = J::variable(3.0, 0);
  constexpr J y = J::variable(4.0, 1);
  constexpr J z = x * x * y + 2 * x / y;
  static_assert(z.v == 37.5 && z.gradient(0) == 24.5 && z.gradient(1) == 8.625);
  static_assert(z.hessian(0, 0) == 8 && z.hessian(0, 1) == 5.875 && z.hessian(1, 1) == 0.1875);
  static_assert(x < y && x == 3 && 2.0 < x);
}

TEST(Jet2, MagnitudeCoversDerivativesAndKeepsNaN) {
  J x = -2.0;
  x.d[J::packed(0, 1)] = -7.0;
  EXPECT_EQ(magnitude(x), 7.0);
  x.d[J::packed(0, 0)] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(magnitude(x) <= inf);
  EXPECT_EQ(value_of(x), -2.0);
}

TEST(Jet2, PowersAreSmoothAtZero) {
  const J x = J::variable(0.0, 0);
  const double expected[4] = {0.0, 0.0, 2.0, 0.0};
  for (int n = 0; n < 4; ++n) {
    EXPECT_EQ(pow(x, n).hessian(0, 0), expected[n]) << n;
    EXPECT_EQ(pow(x, double(n)).hessian(0, 0), expected[n]) << n;
    EXPECT_EQ(pow(x, J(n)).hessian(0, 0), expected[n]) << n;
    EXPECT_EQ(pow(x, n).gradient(0), n == 1 ? 1.0 : 0.0) << n;
    EXPECT_EQ(pow(x, n).hessian(0, 1), 0.0) << n;
  }
  EXPECT_EQ(pow(x, 1.5).gradient(0), 0.0);
  EXPECT_EQ(pow(x, 1.5).hessian(0, 0), inf);
  EXPECT_EQ(pow(x, 1.5).hessian(1, 1), 0.0);
  EXPECT_EQ(pow(J::variable(1e-200, 0), 2).hessian(0, 0), 2.0);  // although the value underflows
  const J varying = pow(x, J::variable(2.5, 1));                 // limits from the right
  EXPECT_EQ(magnitude(varying), 0.0);
  EXPECT_EQ(pow(x, J::variable(1.0, 1)).hessian(0, 1), -inf);
}

TEST(Jet2, IntegerPowersOfNegativeNumbersAreDifferentiated) {
  const J x = J::variable(-2.0, 0);
  EXPECT_EQ(pow(x, 3).hessian(0, 0), -12.0);
  EXPECT_EQ(pow(x, -1).hessian(0, 0), -0.25);
  EXPECT_EQ(pow(x, J(3.0)).hessian(0, 0), -12.0);
}

TEST(Jet2, NonSmoothPointsReturnWhatIsDocumented) {
  const J zero = J::variable(0.0, 0), other = J::variable(0.0, 1);
  EXPECT_EQ(magnitude(abs(zero)), 0.0);
  EXPECT_EQ(magnitude(hypot(zero, other)), 0.0);
  EXPECT_EQ(min(zero, other).gradient(0), 1.0);
  EXPECT_EQ(max(zero, other).gradient(0), 1.0);
  EXPECT_EQ(sqrt(zero).gradient(0), inf);
  EXPECT_EQ(sqrt(zero).hessian(0, 0), -inf);
  EXPECT_EQ(sqrt(zero).hessian(0, 1), 0.0);
  EXPECT_EQ(log(zero).hessian(0, 0), -inf);
}

TEST(Jet2, ConstantsHaveNoDerivativeEvenWhereTheSlopeIsInfinite) {
  for (const J& y : {sqrt(J(0.0)), log(J(0.0)), asin(J(1.0)), acos(J(-1.0)), pow(J(0.0), 0.5),
                     pow(J(-2.0), J(3.0)), atan2(J(0.0), J(0.0)), hypot(J(0.0), 0), exp(J(1e3))}) {
    for (const double d : y.d) EXPECT_EQ(d, 0.0);
  }
}

TEST(Jet2, OfDualsGivesThirdDerivatives) {
  using S = Jet2<1, Dual<double, 1>>;
  const S x = S::variable(Dual<double, 1>::variable(0.5, 0), 0);
  static_assert(ScalarTraits<S>::derivatives == 3);
  EXPECT_EQ(sin(x).hessian(0, 0).d[0], -cos(0.5));
  EXPECT_EQ(pow(x - 0.5, 3).hessian(0, 0).d[0], 6.0);
}

}  // namespace
}  // namespace hamel
