// SPDX-License-Identifier: BSD-3-Clause
// Elliptic integrals and functions. Decimal constants: mpmath 1.3, 50 digits, rounded to 36 or
// more.
#include "hamel/geometry/elliptic.hpp"

#include <gtest/gtest.h>

namespace hamel {
namespace {

template <class T>
class Elliptic : public testing::Test {
 protected:
  static constexpr T eps = Epsilon<T>::value;
  static T number(const char* text) { return T(quad_from_string(text)); }
  static double relative(T value, T exact) {
    return static_cast<double>(abs(value - exact) / (eps * abs(exact)));
  }
  static double units(T value, T exact) { return static_cast<double>(abs(value - exact) / eps); }
};
using Scalars = testing::Types<double, long double, Quad>;
TYPED_TEST_SUITE(Elliptic, Scalars);

// A duplication costs ~10 roundings and its successors contract them: 16 eps covers the sums.
constexpr double few = 16;

TYPED_TEST(Elliptic, CarlsonIntegralsEqualTabulatedValues) {  // [DLMF 19.36.1, 19.36.2]
  using T = TypeParam;
  const auto number = this->number;
  const T tiny = T(1) / T(1 << 20);
  EXPECT_LE(
      this->relative(carlson_rf<T>(0, 1, 2), number("1.311028777146059905232419794945559706841")),
      few);
  EXPECT_LE(
      this->relative(carlson_rf<T>(2, 3, 4), number("0.5840828416771517066928491689256678924035")),
      few);
  EXPECT_LE(this->relative(carlson_rc<T>(0, T(1) / 4),
                           number("3.141592653589793238462643383279502884197")),
            few);
  EXPECT_LE(this->relative(carlson_rc<T>(T(9) / 4, 2),
                           number("0.6931471805599453094172321214581765680755")),
            few);
  EXPECT_LE(this->relative(carlson_rj<T>(0, 1, 2, 3),
                           number("0.776886237785823320141902826405455011023")),
            few);
  EXPECT_LE(this->relative(carlson_rj<T>(2, 3, 4, 5),
                           number("0.1429757966715675383323387942198577480147")),
            few);
  EXPECT_LE(this->relative(carlson_rj<T>(2, 3, 4, tiny),
                           number("4.37363966611207420907726995116603215855")),
            few);
  EXPECT_LE(this->relative(carlson_rj<T>(2, 3, 4, T(1) / (tiny * tiny)),
                           number("1.593656662368204350189005885969627127654e-12")),
            few);
  EXPECT_LE(
      this->relative(carlson_rd<T>(0, 2, 1), number("1.797210352103388311159883738420485817341")),
      few);
  EXPECT_LE(
      this->relative(carlson_rd<T>(2, 3, 4), number("0.1651052729426105334867134188730833455878")),
      few);
}

TYPED_TEST(Elliptic, CompleteIntegralIsAccurateNextToOne) {  // [DLMF 19.8.5]
  using T = TypeParam;
  const T tiny = exp(-100 * log(T(2)));
  EXPECT_LE(this->relative(complete_k(T(1) / 2),
                           this->number("1.854074677301371918433850347195260046218")),
            few);
  EXPECT_LE(
      this->relative(complete_k(tiny), this->number("36.04365338911715608969607031583209268196")),
      few);
  EXPECT_LE(this->relative(complete_k(T(1)), acos(T(0))), few);
  EXPECT_GT(complete_k(T(0)), T(std::numeric_limits<double>::max()));
}

TYPED_TEST(Elliptic, CompleteIntegralsSatisfyLegendresRelation) {  // [DLMF 19.7.1, 19.25.1]
  using T = TypeParam;
  for (int i = 1; i < 64; i += 5) {
    const T m = T(i) / 64;
    const T m1 = 1 - m;
    const T K = carlson_rf<T>(0, m1, 1);
    const T K1 = carlson_rf<T>(0, m, 1);
    const T E = K - m * carlson_rd<T>(0, m1, 1) / 3;
    const T E1 = K1 - m1 * carlson_rd<T>(0, m, 1) / 3;
    EXPECT_LE(this->relative(K, complete_k(m1)), few);
    EXPECT_LE(this->units(E * K1 + E1 * K - K * K1, acos(T(0))), 8 * few);  // three products ~ 8
  }
}

TYPED_TEST(Elliptic, ThirdKindSatisfiesTheConnectionOfNegativeToCircularCharacteristic) {
  using T = TypeParam;  // [DLMF 19.7.9] at φ = π/2: (m−n)Π(n) + (m−p)Π(p) = mK, (1−n)(1−p) = 1−m
  const auto Pi = [](T one_minus_n, T n, T m1) {  // [DLMF 19.25.14]
    return carlson_rf<T>(0, m1, 1) + n * carlson_rj<T>(0, m1, 1, one_minus_n) / 3;
  };
  for (const T m : {T(1) / 8, T(1) / 2, T(15) / 16}) {
    for (const T n : {T(-1) / 4, T(-1), T(-8)}) {
      const T p = (m - n) / (1 - n);
      const T left = (m - n) * Pi(1 - n, n, 1 - m) + (m - p) * Pi((1 - m) / (1 - n), p, 1 - m);
      // Π(n) is the difference of terms of size K.
      EXPECT_LE(this->units(left, m * complete_k(1 - m)), 8 * few * static_cast<double>(1 - n));
    }
  }
}

TYPED_TEST(Elliptic, JacobiFunctionsEqualTabulatedValues) {  // [DLMF 22.2.4, 22.2.5]
  using T = TypeParam;
  const auto check = [this](T u, T m, const char* sn, const char* cn, const char* dn) {
    const auto value = jacobi<T>(u, m, 1 - m);
    const double bound = few * (1 + std::abs(static_cast<double>(u)));  // rounding of πu/2K
    EXPECT_LE(this->units(value.sn, this->number(sn)), bound);
    EXPECT_LE(this->units(value.cn, this->number(cn)), bound);
    EXPECT_LE(this->units(value.dn, this->number(dn)), bound);
  };
  check(T(3) / 4, T(1) / 4, "0.6701113282238753299945023434033704669689",
        "0.7422606063816357663646005095795609871884", "0.9421983347186028680276528583836482285202");
  check(T(3) / 4, T(7) / 8, "0.6410092896265825330724270108305300335978",
        "0.76753312020552183501606045166261061577", "0.8002928865645820712816570828390812437824");
  check(T(5), T(1) / 2, "-0.9180081847902413112313465878609870390187",
        "-0.3965614361711513689088155674197707727006",
        "0.7606776494212664065439279554356840753809");
  check(T(-20), T(31) / 32, "0.832285650321422426320813328836318134341",
        "-0.5543469998737676526171897371987845861016",
        "0.5735394080929742325131725471012590159745");
}

TYPED_TEST(Elliptic, JacobiFunctionsKeepRelativeAccuracyNextToOne) {
  using T = TypeParam;  // m1 = 2⁻¹⁰⁰, u = 30 < K = 36.04: cn and dn ~ 2e-13, known by m1 alone
  const T tiny = exp(-100 * log(T(2)));
  const auto value = jacobi<T>(30, 1 - tiny, tiny);
  const double bound = 30 * few;  // cn' = −sn dn: relative error of u times u
  EXPECT_LE(this->relative(value.cn, this->number("1.87151405609051991758250435028406034619e-13")),
            bound);
  EXPECT_LE(this->relative(value.dn, this->number("1.871535131445549924383828506313517441492e-13")),
            bound);
  EXPECT_LE(this->units(value.sn, this->number("0.9999999999999999999999999824871756892781")), few);
}

TYPED_TEST(Elliptic, JacobiFunctionsDegenerateToCircularAndHyperbolicOnes) {  // (DLMF §22.5)
  using T = TypeParam;
  const JacobiFunctions<T> circular(0, 1);
  const JacobiFunctions<T> hyperbolic(1, 0);
  for (int i = -72; i < 72; i += 7) {
    const T u = T(i) / 8;
    EXPECT_LE(this->units(circular(u).sn, sin(u)), 10 * few);
    EXPECT_LE(this->units(circular(u).cn, cos(u)), 10 * few);
    EXPECT_LE(this->units(circular(u).dn, T(1)), few);
    EXPECT_LE(this->units(hyperbolic(u).sn, tanh(u)), few);
    EXPECT_LE(this->relative(hyperbolic(u).cn, 1 / cosh(u)), 10 * few);
    EXPECT_LE(this->relative(hyperbolic(u).dn, 1 / cosh(u)), 10 * few);
  }
  EXPECT_EQ(hyperbolic(T(100000)).cn, T(0));
  EXPECT_LE(this->units(hyperbolic(T(-100000)).sn, T(-1)), few);
}

TYPED_TEST(Elliptic, JacobiFunctionsSatisfyTheirIdentitiesForEveryParameter) {
  using T = TypeParam;
  const T e = exp(T(1));
  for (int power = -60; power <= 60; ++power) {  // m/m1 = e^power
    const T m = power > 0 ? 1 / (1 + exp(T(-power))) : exp(T(power)) / (1 + exp(T(power)));
    const T m1 = power > 0 ? exp(T(-power)) / (1 + exp(T(-power))) : 1 / (1 + exp(T(power)));
    const JacobiFunctions<T> functions(m, m1);
    const T K = functions.quarter_period();
    for (int i = -10; i <= 10; ++i) {
      const T u = K * T(i) * e / 8;
      const T v = K * (T(i) + 3) / 11;
      const auto a = functions(u);
      const auto b = functions(v);
      const auto sum = functions(u + v);
      const double bound = few * static_cast<double>(1 + 4 * K);
      EXPECT_LE(this->units(a.sn * a.sn + a.cn * a.cn, T(1)), bound);  // [DLMF 22.6.1]
      // [DLMF 22.8.1], multiplied by its denominator, which may vanish with m1
      const T denominator = 1 - m * a.sn * a.sn * b.sn * b.sn;
      EXPECT_LE(this->units(sum.sn * denominator, a.sn * b.cn * b.dn + b.sn * a.cn * a.dn), bound);
      EXPECT_LE(this->units(sum.cn * denominator, a.cn * b.cn - a.sn * a.dn * b.sn * b.dn), bound);
    }
  }
}

TYPED_TEST(Elliptic, LegendresFirstIntegralInvertsSn) {  // [DLMF 19.25.5]
  using T = TypeParam;
  for (const T m1 : {T(1), T(3) / 4, T(1) / 2, T(1) / 1024, T(1) / T(1LL << 40)}) {
    const JacobiFunctions<T> functions(1 - m1, m1);
    for (int i = 1; i < 16; ++i) {
      const T u = functions.quarter_period() * i / 16;
      const auto f = functions(u);
      EXPECT_LE(this->relative(elliptic_f(f.sn, f.cn * f.cn, f.dn * f.dn), u), 4 * few);
    }
  }
}

TYPED_TEST(Elliptic, ThetaQuotientsHaveTheModuliAndQuasiPeriodsOfEllipticFunctions) {
  using T = TypeParam;  // [DLMF 20.2.1–20.2.4, 20.2.6–20.2.9]
  for (const T m : {T(1) / 1024, T(1) / 4, T(1) / 2, T(3) / 4, T(1023) / 1024}) {
    const T m1 = 1 - m;
    const theta::Lattice<T> lattice(m, m1);
    const JacobiFunctions<T> real(m, m1);
    const JacobiFunctions<T> imaginary(m1, m);
    for (int j = 1; j < 8; ++j) {
      const auto v = imaginary(lattice.K1 * j / 8);
      const theta::Quotients<T> F(lattice, lattice.K1 * j / 8, lattice.K1 * j / 8);
      const auto start = F(T(0));
      for (int i = -8; i <= 8; ++i) {
        const auto f = F(lattice.half_period * i / 8);
        const auto u = real(lattice.K * i / 8);
        // |F1|² ∝ 1 + sn²u / sc²v,  |F2|² ∝ 1 − dn²v sn²u = cn²u + m1 sn²v sn²u
        const T first = 1 + u.sn * u.sn * v.cn * v.cn / (v.sn * v.sn);
        const T second = u.cn * u.cn + m1 * v.sn * v.sn * u.sn * u.sn;
        EXPECT_LE(this->relative(norm2(f.f1) / norm2(start.f1), first), 8 * few);
        EXPECT_LE(this->relative(norm2(f.f2) / norm2(start.f2), second), 8 * few);
      }
      const auto left = F(-lattice.half_period);
      const auto right = F(lattice.half_period);
      const T angle = F.angle_per_turn();
      const auto turned = theta::Complex<T>{cos(angle), sin(angle)} * (left.f1 * left.f2);
      const auto off = turned - right.f1 * right.f2;
      EXPECT_LE(static_cast<double>(sqrt(norm2(off) / norm2(turned)) / this->eps), 8 * few);
    }
  }
}

}  // namespace
}  // namespace hamel
