// SPDX-License-Identifier: BSD-3-Clause
// What is said of a spectrum: of matrices whose eigenvalues and Jordan blocks are known.
#include "studies/equilibria/reduced_map.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "systems/catalogue.hpp"

namespace hamel {
namespace {

using reduced::Matrix;
using reduced::Spectrum;

/// A map over the time h, row by row: a direct sum of such blocks in another basis.
Matrix in_another_basis(const std::vector<std::vector<double>>& a) {
  const int n = static_cast<int>(a.size());
  Matrix A(n, n);
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) A(i, j) = a[at(i)][at(j)];
  // S A S⁻¹ for shears S = 1 + s e_i e_jᵀ, S⁻¹ = 1 − s e_i e_jᵀ
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    const Quad s = Quad(3 + i) / 8;
    for (int k = 0; k < n; ++k) A(i, k) += s * A(j, k);
    for (int k = 0; k < n; ++k) A(k, j) -= s * A(k, i);
  }
  return A;
}

Stability of(const std::vector<std::vector<double>>& a) {
  return reduced::spectrum(in_another_basis(a), Quad(0.1), true).stability;
}

// Beside eigenvalues zero of a family what is off it must shrink; a Jordan block of zeros grows
// like t, and nothing attracts there.
TEST(Spectrum, AttractsOnlyBesideAFamily) {
  EXPECT_EQ(of({{0.5, 0}, {0, 0.9}}), Stability::attracting);
  EXPECT_EQ(of({{0.5, 0}, {0, 1}}), Stability::attracting);
  EXPECT_EQ(of({{0.5, 0, 0}, {0, 1, 0}, {0, 0, 1}}), Stability::attracting);
  EXPECT_EQ(of({{0.5, 0, 0}, {0, 1, 0.1}, {0, 0, 1}}), Stability::neutral);
  EXPECT_EQ(of({{0.5, 0, 0}, {0, 1, 1e-3}, {0, 0, 1}}), Stability::neutral);
  EXPECT_EQ(of({{0.5, 0, 0, 0}, {0, 1, 1, 0}, {0, 0, 1, 1}, {0, 0, 0, 1}}), Stability::neutral);
}

TEST(Spectrum, IsNeutralOrUnstable) {
  EXPECT_EQ(of({{1, 0}, {0, 1}}), Stability::neutral);           // nothing moves
  EXPECT_EQ(of({{0.6, -0.8}, {0.8, 0.6}}), Stability::neutral);  // a centre
  EXPECT_EQ(of({{0.6, -0.8, 0}, {0.8, 0.6, 0}, {0, 0, 0.5}}), Stability::neutral);
  EXPECT_EQ(of({{0.5, 0}, {0, 1.0 + 1e-5}}), Stability::unstable);
  // One that turns is told from zero by 1e-16 of |A − 1|: its growth has no Jordan block near by.
  for (const double by : {1e-12, 1e-6})
    EXPECT_EQ(of({{0.6 + 0.6 * by, -0.8 - 0.8 * by}, {0.8 + 0.8 * by, 0.6 + 0.6 * by}}),
              Stability::unstable);
  EXPECT_EQ(of({{1.1, 0, 0}, {0, 1, 0.1}, {0, 0, 1}}), Stability::unstable);
  const Spectrum saddle =
      reduced::spectrum(in_another_basis({{2, 0, 0}, {0, 0.5, 0}, {0, 0, 4}}), Quad(0.5), true);
  EXPECT_EQ(saddle.unstable, 2);
  EXPECT_NEAR(saddle.growth, 2.0 * std::log(4.0), 1e-14);
  EXPECT_NEAR(saddle.values.back().real(), -2.0 * std::log(2.0), 1e-14);
  // As multipliers of a step, growth is (|μ| − 1)/h.
  const Spectrum step = reduced::spectrum(in_another_basis({{2, 0}, {0, 0.5}}), Quad(0.5), false);
  EXPECT_NEAR(step.growth, 2.0, 1e-14);
  EXPECT_NEAR(step.values.front().real(), 2.0, 1e-14);
}

// A free particle beside a damped oscillator may go off for ever: in a quartic well it has a Jordan
// block of zeros at its bottom.
TEST(Spectrum, OfAFlatWellDoesNotAttract) {
  const io::Scenario s = io::parse_scenario(R"([system]
coordinates = ["x", "y"]
lagrangian = "x_dot^2/2 + y_dot^2/2 - x^4 - y^2"
forces = { y = "-y_dot" }
[initial]
q = [0.0, 0.0]
xi = [0.0, 0.0]
)",
                                            "flat.toml", {}, catalogue());
  EquilibriumFinder finder(*s.problem, 0.1);
  Equilibrium at = finder.find(finder.start());
  finder.study(at, {});
  ASSERT_EQ(at.eigenvalues.size(), 4U);
  EXPECT_NEAR(at.growth, -0.5, 1e-12);  // of the oscillator
  EXPECT_EQ(at.stability, Stability::neutral);
}

// What is left of a vector that nearly lies in the others' span is at right angles to them all the
// same: once would leave the round-off of what was taken away.
TEST(Orthonormalised, IsSoForNearlyParallelVectors) {
  const Quad third = sqrt(Quad(1) / Quad(3));
  const std::vector<reduced::State> basis = {{third, third, third}};
  reduced::State x = {Quad(1) + Quad(1e-20), Quad(1), Quad(1)};
  ASSERT_TRUE(reduced::orthonormalised(x, basis, 1e-22));
  EXPECT_LT(static_cast<double>(abs(x[0] + x[1] + x[2])), 1e-32);
  reduced::State inside = {Quad(2), Quad(2), Quad(2)};
  EXPECT_FALSE(reduced::orthonormalised(inside, basis, 1e-22));
}

// A place a billionth from zero is where it is; what a search leaves is zero.
TEST(Equilibria, PlacesNearZeroAreNotZero) {
  const io::Scenario s = io::parse_scenario(R"([system]
coordinates = ["x", "y"]
lagrangian = "(x_dot^2 + y_dot^2)/2 - (x - 1e-9)^2/2 - y^2"
[initial]
q = [0.1, 0.1]
v = [0.0, 0.0]
)",
                                            "near.toml", {}, catalogue());
  EquilibriumFinder finder(*s.problem, s.integration.step);
  const Equilibrium at = finder.find(finder.start());
  EXPECT_NEAR(at.q[0], 1e-9, 1e-20);
  EXPECT_EQ(at.q[1], 0.0);
}

// Along the family of cones the bob goes up and turns faster; where it is about the vertical is the
// group's.
TEST(Equilibria, TheGroupIsNoPartOfAFamilysDirections) {
  const double z = -0.8;
  const double rate = std::sqrt(9.81 / 0.8);
  const io::Scenario s = scenario_of(
      "spherical_pendulum",
      "length = 1.0\ngravity = 9.81\n[initial]\nq = [0.6, 0.0, -0.8]\nomega = [" +
          std::to_string(-rate * z * 0.6) + ", 0.0, " + std::to_string(rate * 0.36) + "]\n");
  EquilibriumFinder finder(*s.problem, s.integration.step);
  Equilibrium at = finder.find(finder.start());
  finder.study(at, {});
  const auto change = [&](const std::string& name) {
    for (const auto& [component, by] : at.tangent)
      if (component == name) return by;
    return std::nan("");
  };
  EXPECT_NEAR(at.q[1], 0.0, 1e-12);
  EXPECT_GT(change("q1z"), 0.01);
  EXPECT_GT(change("Omega"), 0.01);
  EXPECT_LT(change("q1y"), 1e-8);
}

// A pendulum that hangs or stands does not turn, whatever rate the search began with.
TEST(Equilibria, TurningThatMovesNothingIsNone) {
  const io::Scenario s = committed_scenario("spherical_pendulum");
  EquilibriumFinder finder(*s.problem, s.integration.step);
  for (const double up : {-1.0, 1.0}) {
    ReducedState guess = finder.start();
    guess.z = {0, 0, up, 0, 0, 0};
    guess.turning.assign(1, 0.7);
    const Equilibrium at = finder.find(guess);
    EXPECT_EQ(at.q, (std::vector<double>{0.0, 0.0, up}));
    EXPECT_EQ(at.turning, (std::vector<double>{0.0, 0.0, 0.0}));
    EXPECT_EQ(finder.value("Omega", at.state), 0.0);
  }
}

}  // namespace
}  // namespace hamel
