// SPDX-License-Identifier: BSD-3-Clause
// Relative equilibria against closed forms: where they are, how they move, their eigenvalues, and
// what methods make of them.
#include "hamel/studies/equilibria.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "hamel/core/error.hpp"
#include "hamel/solve/eigenvalues.hpp"
#include "systems/catalogue.hpp"

namespace hamel {
namespace {

using Complex = std::complex<double>;
using Values = std::vector<Complex>;

/// A finder with the scenario it looks at.
struct Looking {
  io::Scenario scenario;
  EquilibriumFinder finder;

  explicit Looking(io::Scenario s)
      : scenario(std::move(s)), finder(*scenario.problem, scenario.integration.step) {}

  /// Near the start, or along its family where a component is prescribed.
  Equilibrium found(const std::string& methods, const std::optional<Prescribed>& at = {}) {
    Equilibrium e = finder.find(finder.start());
    if (at) {
      FamilyPlan plan;
      plan.values = {at->value};
      plan.begin = finder.value(at->name, e.state);
      plan.component = at->name;
      plan.finder = [&](double) -> EquilibriumFinder& { return finder; };
      e = follow(plan, e.state).points.at(0);
    }
    finder.study(e, parse_methods(methods));
    return e;
  }
};

Looking looking(const std::string& system, const std::string& further) {
  return Looking(scenario_of(system, further));
}

std::string steps(double h) { return "\n[integrate]\nstep = " + io::shortest(h) + "\n"; }

/// Every expected value is there, within the tolerance, and no other.
void expect_values(Values found, const Values& expected, double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (const Complex& e : expected) {
    const auto near =
        std::ranges::min_element(found, {}, [&](const Complex& f) { return std::abs(f - e); });
    EXPECT_TRUE(std::abs(*near - e) <= tolerance) << *near << " for " << e;
    found.erase(near);
  }
}

/// Both roots of λ² + Bλ + C.
Values roots(double B, double C) {
  const Complex root = std::sqrt(Complex(B * B / 4 - C));
  return {-B / 2 + root, -B / 2 - root};
}

/// (1 + hλ/2)/(1 − hλ/2): what the midpoint rule makes of an eigenvalue.
Values cayley(const Values& eigenvalues, double h) {
  Values images;
  for (const Complex& x : eigenvalues) images.push_back((1.0 + h * x / 2.0) / (1.0 - h * x / 2.0));
  return images;
}

Values with_zero(Values list, Complex zero = 0.0) {
  list.push_back(zero);
  return list;
}

const MethodAtEquilibrium& of(const Equilibrium& e, std::size_t k) { return e.methods.at(k); }

// ---- Lynch–Zenkov -----------------------------------------------------------------------------

std::string lynch_zenkov_b(double w, double h = 0.2) {
  return "a = \"1\"\nb = \"0.99*r\"\nU = \"6*r^2\"\n[initial]\nq = [0.01, 0.0, 0.0]\nxi = [0.0, " +
         io::shortest(w) + "]\n" + steps(h);
}

// [MATH 10], [MATH 4]: Hamel has the Cayley images of the spectrum, DLA another stability.
TEST(Equilibria, LynchZenkovB) {
  for (const double w : {-3.0, 3.0}) {
    const Equilibrium e = looking("lynch_zenkov", lynch_zenkov_b(w)).found("hamel,dla");
    EXPECT_EQ(e.family, 1);
    EXPECT_NEAR(e.q[0], 0.0, 1e-25);
    EXPECT_NEAR(e.velocity[0], 0.0, 1e-25);
    EXPECT_EQ(e.velocity[1], w);  // the nearest one of the family
    const Values spectrum = roots(w * (0.99 - 1.0) / 2.0, (12.0 - 0.99 * w * w) / 2.0);
    expect_values(e.eigenvalues, with_zero(spectrum), 1e-15);
    EXPECT_EQ(e.stability, w < 0 ? Stability::attracting : Stability::unstable);
    EXPECT_EQ(e.unstable, w < 0 ? 0 : 2);

    expect_values(of(e, 0).multipliers, with_zero(cayley(spectrum, 0.2), 1.0), 2e-15);
    EXPECT_EQ(of(e, 0).stability, e.stability);
    EXPECT_EQ(of(e, 1).stability, w < 0 ? Stability::unstable : Stability::attracting);
    const double moduli[] = {1.0 + 0.2 * of(e, 0).growth, 1.0 + 0.2 * of(e, 1).growth};
    EXPECT_NEAR(moduli[0], w < 0 ? 0.9985239118 : 1.00147827, 5e-9);
    EXPECT_NEAR(moduli[1], w < 0 ? 1.00286944 : 0.99713877, 5e-9);
    for (const auto& m : e.methods) EXPECT_TRUE(m.defect <= 1e-25 && m.drift <= 1e-25) << m.method;
  }
}

// [MATH 4]: ξ1 = 0, U' = a b w². Hamel has these. DLA has none and drifts along them, by
//   ẇ = h² b² w⁴/24 / (1 + b² + b w (a + b') dr/dw) + O(h⁴):
// with Δg = hw and r at rest its momenta are w ∓ (h/2)b²w² + b²w e^{±hw/2} at the ends of a step.
TEST(Equilibria, LynchZenkovAAndItsDrift) {
  for (const double w : {0.5, 0.9, 1.1}) {
    for (const double h : {0.2, 0.1, 0.05}) {
      const Equilibrium e =
          looking("lynch_zenkov", steps(h)).found("hamel,dla", Prescribed{"xi2", w});
      const double r = e.q[0];
      const double b = 0.5 + 2.0 * r;
      EXPECT_NEAR(4.0 * r + 0.5, b * w * w, 1e-15);
      EXPECT_NEAR(e.velocity[1], w, 1e-16);
      const double mass = 2.0 + b * b;
      const double B = w * (2.0 - 1.0) / mass;
      const double C =
          (4.0 * (1.0 + b * b) + 2.0 * w * w * b * b + 2.0 * w * w * (b * b - 1.0)) / mass;
      expect_values(e.eigenvalues, with_zero(roots(B, C)), 2e-15);
      expect_values(of(e, 0).multipliers, with_zero(cayley(roots(B, C), h), 1.0), 2e-15);
      EXPECT_TRUE(of(e, 0).defect <= 1e-22);
      EXPECT_TRUE(of(e, 1).defect > 1e-6);

      const double slope = 2.0 * w * b / (4.0 - 2.0 * w * w);  // dr/dw
      const double law =
          h * h * b * b * std::pow(w, 4) / 24.0 / (1.0 + b * b + 3.0 * b * w * slope);
      const auto& rates = of(e, 1).rates;  // r, xi1, xi2
      EXPECT_NEAR(rates[0].second, slope * rates[2].second, 1e-12);
      EXPECT_NEAR(rates[2].second / law, 1.0, 0.1 * h * h) << w << " " << h;
    }
  }
}

// ---- other nonholonomic systems ---------------------------------------------------------------

// J13 ξ1 + J23 ξ2 = 0; λ = J23 ξ1/J22 − J13 ξ2/J11: of the two at a speed one attracts.
TEST(Equilibria, SuslovPair) {
  Looking l = looking("suslov", "[initial]\nxi = [1.0, 0.7]\nq = [1,0,0,0,1,0,0,0,1]\n");
  for (const double xi1 : {-0.5, 0.5}) {
    const Equilibrium e = l.found("hamel,rk4", Prescribed{"xi1", xi1});
    const double xi2 = -0.5 * xi1 / 0.25;
    EXPECT_NEAR(e.velocity[1], xi2, 1e-15);
    const double rate = 0.25 * xi1 / 3.0 - 0.5 * xi2 / 2.0;
    expect_values(e.eigenvalues, {rate, 0.0}, 1e-15);
    expect_values(of(e, 0).multipliers, with_zero(cayley({rate}, 0.1), 1.0), 1e-15);
    for (const auto& m : e.methods) {
      EXPECT_EQ(m.stability, xi1 < 0 ? Stability::attracting : Stability::unstable);
      EXPECT_TRUE(m.defect <= 1e-25);
    }
  }
  EXPECT_EQ(l.finder.space().cyclic().size(), 9U);
}

// Rest is an equilibrium too, at which everything is zero; it is not what one looks for.
TEST(Equilibria, MotionIsPreferredToRest) {
  const Equilibrium e =
      looking("suslov", "[initial]\nxi = [1.0, 0.7]\nq = [1,0,0,0,1,0,0,0,1]\n").found("hamel");
  EXPECT_GT(std::hypot(e.velocity[0], e.velocity[1]), 0.1);
  EXPECT_EQ(e.family, 1);
}

// λ = −m a v/(I + m a²): attracting with the blade behind, unstable with it ahead.
TEST(Equilibria, SleighRunsStraight) {
  Looking l = looking("chaplygin_sleigh", "");
  const double h = l.scenario.integration.step;
  for (const double v : {-0.8, 0.8}) {
    const Equilibrium e = l.found("hamel,dla,dla(alpha=0)", Prescribed{"xi1", v});
    EXPECT_NEAR(e.velocity[1], 0.0, 1e-25);
    const double rate = -0.5 * v / 1.25;
    expect_values(e.eigenvalues, {rate, 0.0}, 1e-15);
    expect_values(of(e, 0).multipliers, with_zero(cayley({rate}, h), 1.0), 1e-15);
    for (const auto& m : e.methods) {
      EXPECT_EQ(m.stability, v > 0 ? Stability::attracting : Stability::unstable) << m.method;
      EXPECT_TRUE(m.symmetry <= 1e-20);
    }
  }
}

// ---- rigid bodies -----------------------------------------------------------------------------

// About the middle axis λ = ±Ω√((J2 − J1)(J3 − J2)/(J1 J3)), about the others imaginary.
TEST(Equilibria, EulerTop) {
  const std::string start = "J1 = 1\nJ2 = 2\nJ3 = 3\n[initial]\nq = [1,0,0,0,1,0,0,0,1]\nxi = ";
  const Equilibrium middle = looking("euler_top", start + "[0.1, 1.0, 0.05]\n").found("hamel");
  const double w = middle.velocity[1];
  const double rate = w * std::sqrt(1.0 / 3.0);
  expect_values(middle.eigenvalues, {rate, -rate, 0.0}, 1e-15);
  EXPECT_EQ(middle.unstable, 1);
  EXPECT_EQ(of(middle, 0).unstable, 1);
  const Equilibrium last = looking("euler_top", start + "[0.1, 0.05, 1.0]\n").found("hamel");
  const Complex turn(0.0, last.velocity[2] * std::sqrt(2.0 * 1.0 / 2.0));
  expect_values(last.eigenvalues, {turn, -turn, 0.0}, 1e-15);
  EXPECT_EQ(last.stability, Stability::neutral);
  EXPECT_EQ(of(last, 0).stability, Stability::neutral);
}

// The sleeping top: stable where p3² > 4 J1 w; Hamel has the same threshold at any step.
TEST(Equilibria, SleepingTop) {
  for (const double part : {0.99, 1.01}) {
    const double spin = part * 2.0 / 1.5;
    Looking l = looking("lagrange_top", "[initial]\nq = [1,0,0,0,1,0,0,0,1]\nxi = [0.01, 0.0, " +
                                            io::shortest(spin) + "]\n" + steps(0.4));
    const Equilibrium e = l.found("hamel,rk4", Prescribed{"xi3", spin});
    EXPECT_NEAR(e.q[8], 1.0, 1e-15);
    ASSERT_EQ(e.eigenvalues.size(), 5U);  // on the leaf |Γ| = 1
    EXPECT_EQ(e.unstable, part < 1 ? 2 : 0);
    EXPECT_EQ(of(e, 0).unstable, e.unstable);
    // J1 λ² ± i(J3 − 2 J1)ω λ + (J3 − J1)ω² − w = 0 on the complex plane, in the body
    Values spectrum;
    for (const double sign : {-1.0, 1.0}) {
      const Complex half(0.0, sign * (1.5 - 2.0) * spin / 2.0);
      const Complex root = std::sqrt(half * half - (0.5 * spin * spin - 1.0));
      spectrum.push_back(-half + root);
      spectrum.push_back(-half - root);
    }
    expect_values(e.eigenvalues, with_zero(spectrum), 1e-14);
    expect_values(of(e, 0).multipliers, with_zero(cayley(spectrum, 0.4), 1.0), 1e-14);
  }
}

// Spinning about the vertical: the attitude enters by its last row alone, on rotations.
TEST(Equilibria, ChaplyginBallSpins) {
  Looking l =
      looking("chaplygin_ball", "[initial]\nq = [1,0,0,0,1,0,0,0,1,0,0]\nxi = [0.05, 0.02, 1.0]\n");
  const Equilibrium e = l.found("hamel");
  EXPECT_EQ(l.finder.components(),
            (std::vector<std::string>{"r31", "r32", "r33", "xi1", "xi2", "xi3"}));
  EXPECT_NEAR(e.velocity[2], 1.0, 0.01);
  EXPECT_NEAR(e.q[8], 1.0, 1e-14);
  EXPECT_EQ(e.eigenvalues.size(), 5U);
  EXPECT_TRUE(of(e, 0).defect <= 1e-22);
}

// ---- spheres ----------------------------------------------------------------------------------

// cosθ = −g/(lΩ²), θ from the vertical up; small oscillations with Ω√(1 + 3cos²θ). [MATH 7.3]:
// Hamel keeps the motion and turns it by tan(θ/2) = hΩ/2.
TEST(Equilibria, ConicalPendulum) {
  const double h = 0.2;
  Looking l(committed_scenario("spherical_pendulum"));
  for (const double Omega : {1.1, 1.5, 2.5}) {
    const Equilibrium e =
        l.found("hamel,variational,gauss(stages=2),rk4", Prescribed{"Omega", Omega});
    const double cosine = -1.0 / (Omega * Omega);
    EXPECT_NEAR(e.q[2], cosine, 1e-15);
    EXPECT_NEAR(e.turning[2], Omega, 1e-15);
    EXPECT_EQ(e.family, 1);
    const Complex slow(0.0, Omega * std::sqrt(1.0 + 3.0 * cosine * cosine));
    expect_values(e.eigenvalues, {slow, -slow, 0.0}, 4e-15);
    EXPECT_EQ(e.stability, Stability::neutral);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(of(e, k).stability, Stability::neutral) << of(e, k).method;
      EXPECT_TRUE(of(e, k).drift <= 1e-22) << of(e, k).method;
      for (const Complex& mu : of(e, k).multipliers) EXPECT_NEAR(std::abs(mu), 1.0, 1e-14);
    }
    EXPECT_TRUE(of(e, 0).defect <= 1e-22);
    EXPECT_NEAR(of(e, 0).turning[2], 2.0 * std::atan(h * Omega / 2.0) / h, 1e-15);
    EXPECT_TRUE(of(e, 1).defect > 1e-4 && of(e, 1).shift > 1e-5);  // it has others
    EXPECT_TRUE(of(e, 3).drift > 1e-9);                            // it has none
  }
  EXPECT_THROW(l.found("hamel", Prescribed{"Omega", 0.5}), NumericalError);
}

/// λ² of a straight chain: M⁻¹ diag(s_i g l_i A_i), M_ij = A_max(i,j) l_i l_j, A_i the mass below.
std::vector<double> squares(const std::vector<double>& mass, const std::vector<double>& length,
                            const std::vector<int>& sign, double g) {
  const int n = static_cast<int>(mass.size());
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  std::vector<double> below(mass);
  for (int i = n - 2; i >= 0; --i) below[at(i)] += below[at(i + 1)];
  // D⁻¹M has the reciprocals.
  std::vector<double> matrix;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      matrix.push_back(below[at(std::max(i, j))] * length[at(i)] * length[at(j)] /
                       (sign[at(i)] * g * length[at(i)] * below[at(i)]));
  std::vector<double> found;
  for (const auto& x : eigenvalues(matrix, n)) found.push_back(1.0 / x.re);
  return found;
}

TEST(Equilibria, StraightChains) {
  const std::vector<double> masses = {1.0, 0.5, 0.8};
  const std::vector<double> lengths = {1.0, 0.7, 0.4};
  for (const std::size_t n : {std::size_t{2}, std::size_t{3}}) {
    const std::vector<double> m(masses.begin(), masses.begin() + static_cast<std::ptrdiff_t>(n));
    const std::vector<double> l(lengths.begin(), lengths.begin() + static_cast<std::ptrdiff_t>(n));
    Looking chain = looking("chain_pendulum", "masses = " + text_of(m) +
                                                  "\nlengths = " + text_of(l) + "\n" + steps(0.02));
    const auto starts = chain.finder.starts();
    ASSERT_EQ(starts.size(), std::size_t{1} << n);
    for (const ReducedState& start : starts) {
      Equilibrium e = chain.finder.find(start);
      chain.finder.study(e, parse_methods("hamel,variational,rattle"));
      std::vector<int> sign;
      int up = 0;
      for (std::size_t i = 0; i < n; ++i) {
        sign.push_back(e.q[3 * i + 2] > 0 ? 1 : -1);
        up += sign.back() > 0 ? 1 : 0;
        EXPECT_EQ(std::fabs(e.q[3 * i + 2]), 1.0);
      }
      EXPECT_EQ(e.family, 0);
      EXPECT_EQ(e.unstable, 2 * up);
      EXPECT_EQ(e.stability, up > 0 ? Stability::unstable : Stability::neutral);
      Values expected;
      for (const double square : squares(m, l, sign, 9.81))
        for (const int plane : {0, 1}) {
          const Complex root = std::sqrt(Complex(square));
          expected.push_back(plane == 0 ? root : -root);
          expected.push_back(plane == 0 ? root : -root);
        }
      expect_values(e.eigenvalues, expected, 1e-12);
      for (const auto& method : e.methods) {
        EXPECT_EQ(method.unstable, 2 * up) << method.method;
        EXPECT_TRUE(method.defect <= 1e-25) << method.method;
      }
    }
  }
}

// Two links turning about the vertical like one body; the exact chain step keeps them.
TEST(Equilibria, TurningDoublePendulum) {
  Looking l = looking("chain_pendulum",
                      "masses = [1, 1]\nlengths = [1, 1]\n[initial]\nq = [[0.6, 0, -0.8], [0.8, 0, "
                      "-0.6]]\nv = [[0, 2.4, 0], [0, 3.2, 0]]\n" +
                          steps(0.05));
  const Equilibrium e = l.found("hamel,variational", Prescribed{"Omega", 5.0});
  ASSERT_EQ(e.eigenvalues.size(), 7U);  // eight less the group
  // In the plane through the vertical: bob masses 1, lengths 1, horizontal forces mΩ²ρ.
  const double x1 = std::hypot(e.q[0], e.q[1]);
  const double x2 = (e.q[0] * e.q[3] + e.q[1] * e.q[4]) / x1;
  const double tension = -9.81 / e.q[5];
  EXPECT_NEAR(tension * x2, 25.0 * (x1 + x2), 1e-12);
  EXPECT_NEAR(-2.0 * 9.81 / e.q[2] * x1, 25.0 * (x1 + (x1 + x2)), 1e-12);
  EXPECT_TRUE(of(e, 0).defect <= 1e-20);
  EXPECT_TRUE(of(e, 1).defect > 1e-6 && of(e, 1).drift <= 1e-20);
}

// Without gravity every rotation is a symmetry: great circles, of any speed, are neutral.
TEST(Equilibria, FreePendulumHasAllRotations) {
  Looking l = looking("spherical_pendulum", "gravity = 0.0\n");
  EXPECT_EQ(l.finder.space().axes().size(), 3U);
  const Equilibrium e = l.found("hamel,variational");
  EXPECT_EQ(e.family, 1);  // the speed
  EXPECT_EQ(e.stability, Stability::neutral);
  for (const auto& m : e.methods) EXPECT_EQ(m.stability, Stability::neutral) << m.method;
}

// ---- families ---------------------------------------------------------------------------------

TEST(EquilibriumFamily, KeplersCirclesFollowTheRadius) {
  Looking l = looking("kepler_polar", "");
  FamilyPlan plan;
  for (int i = 0; i <= 10; ++i) plan.values.push_back(0.5 + 0.1 * i);
  plan.begin = 1.0;
  plan.component = "r";
  plan.finder = [&](double) -> EquilibriumFinder& { return l.finder; };
  plan.methods = parse_methods("hamel");
  const EquilibriumFamily family = follow(plan, l.finder.start());
  EXPECT_TRUE(family.ends.empty());
  ASSERT_EQ(family.points.size(), 11U);
  const double mu = std::pow(family.points[5].velocity[1], 2) * family.points[5].q[0];
  for (const Equilibrium& e : family.points) {
    const double Omega = std::sqrt(mu / std::pow(e.q[0], 3));
    expect_values(e.eigenvalues, {Complex(0, Omega), Complex(0, -Omega), 0.0}, 1e-13);
  }
}

TEST(EquilibriumFamily, EndsWhereItEnds) {  // conical motions are faster than √(g/l)
  Looking l(committed_scenario("spherical_pendulum"));
  FamilyPlan plan;
  for (int i = 0; i <= 10; ++i) plan.values.push_back(0.5 + 0.1 * i);
  const Equilibrium first = l.finder.find(l.finder.start());
  plan.begin = first.turning[2];
  plan.component = "Omega";
  plan.finder = [&](double) -> EquilibriumFinder& { return l.finder; };
  const EquilibriumFamily family = follow(plan, first.state);
  ASSERT_EQ(family.ends.size(), 1U);
  ASSERT_FALSE(family.values.empty());
  EXPECT_NEAR(family.values.front(), 1.1, 1e-12);
  EXPECT_EQ(family.values.back(), 1.5);
}

// ---- refusals ---------------------------------------------------------------------------------

TEST(Equilibria, NamesAreChecked) {
  Looking l = looking("lynch_zenkov", "");
  EXPECT_THROW(l.finder.check_component("g"), InputError);  // cyclic
  try {
    l.finder.check_component("xl2");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("did you mean 'xi2'"), std::string::npos);
  }
}

TEST(Equilibria, DrivenAndLargeSystemsAreRefused) {
  EXPECT_THROW(looking("chain_pendulum", "n = 40\n"), InputError);
  EXPECT_THROW(looking("chain_pendulum", "n = 2\ntip_force = [\"sin(t)\", \"0\", \"0\"]\n"),
               InputError);
}

}  // namespace
}  // namespace hamel
