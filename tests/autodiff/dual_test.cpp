// SPDX-License-Identifier: BSD-3-Clause
// Dual<T, N> against finite differences in Quad (oracle.hpp) and against what its header promises
// at special points.
#include "hamel/autodiff/dual.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <type_traits>

#include "oracle.hpp"

namespace hamel {
namespace {

using D = Dual<double, 2>;
using DD = Dual<D, 2>;

constexpr double inf = std::numeric_limits<double>::infinity();

/// value and gradient of f in Dual<T, 2> against the oracle and the plain f.
void expect_agreement(const Dual<Quad, 2>& result, Quad plain, const oracle::Expected& expected,
                      Quad epsilon, const std::string& where) {
  EXPECT_TRUE(result.v == plain) << where;
  for (int i = 0; i < 2; ++i) {
    // The inner argument is exact; sixteen roundings of eps/2 follow at most.
    const Quad tolerance = (8 * epsilon + oracle::first_error) * expected.scale;
    EXPECT_LE(double(abs(result.d[i] - expected.gradient[i])), double(tolerance))
        << where << ", derivative " << i;
  }
}

template <class T, class F>
void check(const F& f, const oracle::Sample& at, const oracle::Expected& expected,
           const std::string& where) {
  using S = Dual<T, 2>;
  const S y = f(Vec<S, 2>{{S::variable(T(at.x), 0), S::variable(T(at.y), 1)}});
  Dual<Quad, 2> result = Quad(y.v);
  for (int i = 0; i < 2; ++i) result.d[i] = Quad(y.d[i]);
  const Quad plain = f(Vec<T, 2>{{T(at.x), T(at.y)}});
  expect_agreement(result, plain, expected, Epsilon<T>::value, where);
}

TEST(Dual, EveryFunctionAgreesWithFiniteDifferences) {
  oracle::for_each_function([](const char* name, const oracle::Sample& at, const auto& f) {
    const oracle::Expected expected = oracle::derivatives(f, {{at.x, at.y}});
    const std::string where = oracle::describe(name, at);
    check<double>(f, at, expected, where + ", double");
    check<long double>(f, at, expected, where + ", long double");
    check<Quad>(f, at, expected, where + ", Quad");
  });
}

template <class T>
class DualOf : public ::testing::Test {};
using Reals = ::testing::Types<double, long double, Quad>;
TYPED_TEST_SUITE(DualOf, Reals);

TYPED_TEST(DualOf, ConstantsOfEveryKindMix) {
  using T = TypeParam;
  using S = Dual<T, 2>;
  const S x = S::variable(T(3), 0);
  const S y = 2.0 * x + 1 - T(0.5) + 2U * x - 1.0F * x + x / 4 + 6L / x;
  EXPECT_TRUE(y.v == T(12.25));
  EXPECT_LE(double(abs(y.d[0] - (T(3.25) - T(6) / 9))), double(8 * Epsilon<T>::value));
  EXPECT_TRUE(y.d[1] == 0);
  S assigned = 2.5;
  assigned = 7;
  EXPECT_TRUE(assigned == 7 && 7.0 == assigned && assigned.d[0] == 0);
}

TYPED_TEST(DualOf, EpsilonIsThatOfTheRealType) {
  EXPECT_TRUE((Epsilon<Dual<TypeParam, 3>>::value == Epsilon<TypeParam>::value));
  EXPECT_TRUE((Epsilon<Dual<Dual<TypeParam, 3>, 1>>::value == Epsilon<TypeParam>::value));
  EXPECT_TRUE(Epsilon<TypeParam>::value > 0);
}

TEST(Dual, TraitsDescribeTheNesting) {
  static_assert(ScalarTraits<D>::derivatives == 1);
  static_assert(ScalarTraits<DD>::derivatives == 2);
  static_assert(std::is_same_v<RealOf<DD>, double>);
  static_assert(std::is_same_v<MaskOf<DD>, bool>);
  static_assert(std::is_same_v<CountOf<DD>, int>);
  static_assert(std::is_trivially_copyable_v<DD> && std::is_trivially_default_constructible_v<DD>);
  static_assert(sizeof(D) == 3 * sizeof(double) && sizeof(DD) == 9 * sizeof(double));
}

TEST(Dual, ConstantsThatWouldLoseDigitsAreRefused) {
  static_assert(!std::is_convertible_v<Quad, D> && !std::is_convertible_v<long double, D>);
  static_assert(!std::is_convertible_v<DD, D> && std::is_convertible_v<D, DD>);
  static_assert(std::is_convertible_v<double, Dual<Quad, 2>> && std::is_convertible_v<int, DD>);
}

TEST(Dual, ArithmeticIsUsableInConstantExpressions) {
  constexpr D x = D::variable(3.0, 0);
  constexpr D y = D::variable(4.0, 1);
  constexpr D z = x * y / (y - 2) + 1 / y;
  static_assert(z.v == 6.25 && z.d[0] == 2.0);
  static_assert(max(x, y) == y && -x < 0 && abs(-x).d[0] == 1);
}

TEST(Dual, ComparisonSeesTheValueOnly) {
  const D x = D::variable(1.0, 0), y = D::variable(1.0, 1);
  EXPECT_TRUE(x == y && x <= y && x >= y && !(x != y) && !(x < y) && !(x > y));
  EXPECT_TRUE(x < 2 && 0.5 < x && x > 0 && 2.0 > x && x != 3 && x <= 1 && 1 >= x);
  EXPECT_EQ(select(x < 2, x, D(5.0)).d[0], 1.0);
}

TEST(Dual, MagnitudeCoversDerivativesAndKeepsNaN) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  D x = -2.0;
  EXPECT_EQ(magnitude(x), 2.0);
  x.d[1] = -7.0;
  EXPECT_EQ(magnitude(x), 7.0);
  x.d[0] = nan;
  EXPECT_FALSE(magnitude(x) <= inf);
  DD y = 1.0;
  y.d[1].d[0] = -9.0;
  EXPECT_EQ(magnitude(y), 9.0);
  EXPECT_EQ(value_of(y), 1.0);
  y.v.v = nan;
  EXPECT_FALSE(magnitude(y) <= inf);
}

TEST(Dual, PowersAreSmoothAtZero) {
  const D x = D::variable(0.0, 0);
  for (const double zero : {0.0, -0.0}) {
    EXPECT_EQ(pow(D::variable(zero, 0), 0).d[0], 0.0);
    EXPECT_EQ(pow(D::variable(zero, 0), 1).d[0], 1.0);
    EXPECT_EQ(pow(D::variable(zero, 0), 2).d[0], 0.0);
    EXPECT_EQ(pow(D::variable(zero, 0), 1.0).d[0], 1.0);
    EXPECT_EQ(pow(D::variable(zero, 0), 1.5).d[0], 0.0);
    EXPECT_EQ(pow(D::variable(zero, 0), D(2.0)).d[0], 0.0);
  }
  EXPECT_EQ(pow(x, 0.5).d[0], inf);
  EXPECT_EQ(pow(x, 0.5).d[1], 0.0);
  const D power = pow(x, D::variable(1.5, 1));  // exponent varies: limits from the right
  EXPECT_EQ(power.d[0], 0.0);
  EXPECT_EQ(power.d[1], 0.0);
  EXPECT_EQ(pow(0, D::variable(2.0, 0)).d[0], 0.0);
  EXPECT_EQ(pow(D::variable(1e-200, 0), 2).d[0], 2e-200);  // although the value underflows
}

TEST(Dual, IntegerPowersOfNegativeNumbersAreDifferentiated) {
  const D x = D::variable(-2.0, 0);
  EXPECT_EQ(pow(x, 3).d[0], 12.0);
  EXPECT_EQ(pow(x, -1).d[0], -0.25);
  EXPECT_EQ(pow(x, 3.0).d[0], 12.0);
  EXPECT_EQ(pow(x, D(3.0)).d[0], 12.0);
  EXPECT_EQ(pow(D(-2.0), D(3.0)).d[0], 0.0);
  EXPECT_EQ(pow(-2.0, D(3.0)).d[0], 0.0);
  const D varying = pow(x, D::variable(3.0, 1));
  EXPECT_EQ(varying.d[0], 12.0);
  EXPECT_TRUE(varying.d[1] != varying.d[1]) << "(-2)^y has no derivative along y";
}

TEST(Dual, NonSmoothPointsReturnWhatIsDocumented) {
  const D zero = D::variable(0.0, 0), other = D::variable(0.0, 1);
  EXPECT_EQ(abs(zero).d[0], 0.0);
  EXPECT_EQ(min(zero, other).d[0], 1.0);
  EXPECT_EQ(max(zero, other).d[0], 1.0);
  EXPECT_EQ(hypot(zero, other).d[0], 0.0);
  EXPECT_EQ(hypot(zero, other).d[1], 0.0);
  EXPECT_TRUE(atan2(zero, other).d[0] != atan2(zero, other).d[0]);
  EXPECT_EQ(sqrt(zero).d[0], inf);
  EXPECT_EQ(log(zero).d[0], inf);
  EXPECT_EQ(asin(D::variable(1.0, 0)).d[0], inf);
  EXPECT_EQ(acos(D::variable(-1.0, 0)).d[0], -inf);
}

TEST(Dual, ConstantsHaveNoDerivativeEvenWhereTheSlopeIsInfinite) {
  for (const D& y : {sqrt(D(0.0)), log(D(0.0)), asin(D(1.0)), acos(D(-1.0)), pow(D(0.0), 0.5),
                     pow(D(-2.0), D(3.0)), atan2(D(0.0), D(0.0)), hypot(D(0.0), 0), exp(D(1e3))}) {
    EXPECT_EQ(y.d[0], 0.0);
    EXPECT_EQ(y.d[1], 0.0);
  }
  EXPECT_EQ(sqrt(DD(0.0)).d[0].d[1], 0.0);
  EXPECT_EQ(pow(DD(0.0), 1.5).d[0].d[1], 0.0);
}

TEST(Dual, ExtremeArgumentsStayAccurate) {
  const double eps = Epsilon<double>::value;
  // sech² 30 = 4e⁻⁶⁰(1 + O(e⁻⁶⁰)); e⁻⁶⁰ is computed from an exact argument.
  const double sech2 = 4 * exp(-60.0);
  EXPECT_LE(abs(tanh(D::variable(-30.0, 0)).d[0] - sech2), 8 * eps * sech2);
  EXPECT_EQ(tanh(D::variable(1e4, 0)).d[0], 0.0);
  EXPECT_EQ(tanh(DD::variable(D::variable(1e4, 0), 0)).d[0].d[0], 0.0);
  const D big = D::variable(3e200, 0), huge = D::variable(4e200, 1);
  EXPECT_LE(abs(hypot(big, huge).d[0] - 0.6), 4 * eps);
  EXPECT_LE(abs(atan2(big, huge).d[0] - 0.16e-200), 8 * eps * 0.16e-200);
  EXPECT_LE(abs(atan2(big, huge).d[1] + 0.12e-200), 8 * eps * 0.12e-200);
  EXPECT_EQ(atan(D::variable(1e200, 0)).d[0], 0.0);
}

TEST(Dual, ThreeLevelsGiveThirdDerivatives) {
  using D1 = Dual<double, 1>;
  using D3 = Dual<Dual<D1, 1>, 1>;
  const D3 x = D3::variable(Dual<D1, 1>::variable(D1::variable(0.5, 0), 0), 0);
  const double eps = Epsilon<double>::value;
  EXPECT_EQ(sin(x).d[0].d[0].d[0], -cos(0.5));
  EXPECT_EQ(pow(x, 3).d[0].d[0].d[0], 6.0);
  EXPECT_EQ(pow(x - 0.5, 3).d[0].d[0].d[0], 6.0);
  EXPECT_EQ(pow(x - 0.5, 2).d[0].d[0].d[0], 0.0);
  EXPECT_EQ((x * x * x).d[0].d[0].d[0], 6.0);
  // (1/x)‴ = −6/x⁴ = −96; (√x)‴ = 3/8·x^{−5/2}: some twenty roundings.
  EXPECT_LE(abs((1 / x).d[0].d[0].d[0] + 96), 32 * eps * 96);
  const double third = 0.375 * pow(0.5, -2.5);
  EXPECT_LE(abs(sqrt(x).d[0].d[0].d[0] - third), 32 * eps * third);
}

}  // namespace
}  // namespace hamel
