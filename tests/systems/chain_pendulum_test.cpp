// SPDX-License-Identifier: BSD-3-Clause
// The chain: its small oscillations are zeros of Laguerre polynomials; tensions in closed form;
// what drives and what brakes it.
#include "hamel/systems/chain_pendulum.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "reference.hpp"

namespace hamel {
namespace {

using Numbers = std::vector<double>;

/// Hanging, in the mode v of any size.
double error_hanging(const std::string& parameters, Numbers v, double omega) {
  double largest = 0.0;
  for (const double x : v) largest = std::max(largest, std::fabs(x));
  Numbers q;
  for (double& x : v) {
    x /= largest;
    q.push_back(q.size() % 3 == 2 ? -1.0 : 0.0);
  }
  return error_of_mode("chain_pendulum", parameters, q, v, omega);
}

/// Of all links at the start.
Numbers tensions(const io::Scenario& s) {
  const auto simulation = s.problem->simulate(MethodSpec::parse("variational"), s.integration);
  Numbers row(static_cast<std::size_t>(simulation->row_width()));
  simulation->write_row(row.data());
  auto at = row.begin();
  for (const OutputColumn& column : simulation->columns()) {
    if (column.path == "/tension") return {at, at + column.width};
    at += column.width;
  }
  return {};
}

// One link under gravity alone is a pendulum, of which gauss keeps all; with anything else acting
// on it, or in a chain, it does not. [MATH 7.6]
TEST(ChainPendulum, OneLinkIsAPendulumToGauss) {
  const auto kept = [](const std::string& parameters) {
    const io::Scenario s = scenario_of("chain_pendulum", parameters);
    const MethodSpec gauss = MethodSpec::parse("gauss");
    const Claims claims = s.problem->claims(gauss);
    const auto simulation = s.problem->simulate(gauss, {0.2, false, {}});
    Block block;
    block.steps = 50;
    EXPECT_EQ(simulation->advance(block), Status::ok);
    int count = 0;
    for (const InvariantDrift& drift : simulation->invariants())
      if (std::ranges::find(claims.invariants, drift.info.name) != claims.invariants.end()) {
        EXPECT_LE(drift.max_drift, 1e-12) << drift.info.name;
        count += drift.info.name == "energy" || drift.info.name == "length" ? 1 : 0;
      }
    return count;
  };
  EXPECT_EQ(kept("n = 1\n"), 2);
  EXPECT_EQ(kept("n = 1\nair_drag = 0.1\n"), 0);
  EXPECT_EQ(kept("n = 2\n"), 0);
}

// n = 2: ω² = (g/l)(2 ± √2), the second link inclined by ∓√2 times the first.
TEST(ChainPendulum, TheDoublePendulumHasItsTwoModes) {
  const std::string chain = "masses = [0.7, 0.7]\nlengths = [0.3, 0.3]\n";
  for (const double sign : {-1.0, 1.0}) {
    const double omega = std::sqrt(9.81 / 0.3 * (2.0 + sign * std::numbers::sqrt2));
    const double ratio = -sign * std::numbers::sqrt2;
    EXPECT_LE(error_hanging(chain, {0.6, 0.8, 0.0, 0.6 * ratio, 0.8 * ratio, 0.0}, omega), 1e-5);
  }
}

// Bob k from below moves as L_k(x), (k+1) L_{k+1} = (2k+1−x) L_k − k L_{k−1}, where ω² = x g/l; at
// the base L_n(x) = 0. The zeros of L_4 are the nodes of Gauss and Laguerre's rule.
TEST(ChainPendulum, SmallOscillationsAreZerosOfLaguerrePolynomials) {
  for (const double x :
       {0.32254768961939231, 1.7457611011583466, 4.5366202969211280, 9.3950709123011331}) {
    Numbers v;
    for (unsigned i = 1; i <= 4; ++i)
      v.insert(v.end(), {std::laguerre(4 - i, x) - std::laguerre(5 - i, x), 0.0, 0.0});
    const double omega = std::sqrt(x * 1.62 / 0.4);
    EXPECT_LE(error_hanging("n = 4\nmass = 2\nlength = 0.4\ngravity = 1.62\n", v, omega), 1e-5)
        << x;
  }
}

// [MATH 7.2] At rest a link carries what hangs below it, T_i = g Σ m_k, k ≥ i; turning as a
// straight line about e3 without gravity, T_i = Ω² Σ m_k x_k.
TEST(ChainPendulum, TensionsAreThoseOfRestAndOfRotation) {
  const std::string chain = "masses = [1.0, 2.0, 3.0]\nlengths = [0.5, 1.0, 0.25]\n";
  const auto expect = [&](const std::string& further, const Numbers& expected) {
    const Numbers found = tensions(scenario_of("chain_pendulum", chain + further));
    ASSERT_EQ(found.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i], expected[i], 1e-12) << i;
  };
  const std::string at_rest = "v = [0, 0, 0, 0, 0, 0, 0, 0, 0]\n";
  expect("[initial]\nq = [0, 0, -1, 0, 0, -1, 0, 0, -1]\n" + at_rest, {58.86, 49.05, 29.43});
  expect("[initial]\nq = [0, 0, 1, 0, 0, 1, 0, 0, 1]\n" + at_rest, {-58.86, -49.05, -29.43});
  expect(
      "gravity = 0\n[initial]\nq = [1, 0, 0, 1, 0, 0, 1, 0, 0]\n"
      "omega = [0, 0, 2, 0, 0, 2, 0, 0, 2]\n",
      {35.0, 33.0, 21.0});
}

// Seen from a base with acceleration a the chain hangs along (−a, 0, −g).
TEST(ChainPendulum, OnAnAcceleratedBaseItHangsAslant) {
  const std::string q = "[-0.28, 0, -0.96, -0.28, 0, -0.96, -0.28, 0, -0.96]";
  const io::Scenario s =
      scenario_of("chain_pendulum",
                  "n = 3\nmass = 0.5\ngravity = 9.6\nbase = [\"1.4*t^2\", \"0\", "
                  "\"0\"]\n[initial]\nq = " +
                      q + "\nv = [0, 0, 0, 0, 0, 0, 0, 0, 0]\n");
  const Numbers found = tensions(s);
  ASSERT_EQ(found.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(found[i], 5.0 * (3.0 - static_cast<double>(i)), 1e-13);
  const EndPoint end = run_to(s, "gauss", 2.0, 40);
  EXPECT_LE(difference(end.q, {-0.28, 0, -0.96, -0.28, 0, -0.96, -0.28, 0, -0.96}), 1e-12);
}

// One link: θ̈ = −(g/l)θ − (c/ml²)θ̇ for small θ; and without gravity, braked by the air alone,
// ω = ω0/(1 + t/τ), θ = ω0 τ ln(1 + t/τ), τ = m/(c l ω0).
TEST(ChainPendulum, JointAndAirBrakeOneLinkAsTheyShould) {
  const double rate = 0.6 / (2.0 * 0.5 * 0.64);  // m = 0.5, l = 0.8
  const double omega = std::sqrt(9.81 / 0.8 - rate * rate);
  const double half = std::numbers::pi / omega;
  const io::Scenario joint = scenario_of(
      "chain_pendulum",
      "n = 1\nmass = 0.5\nlength = 0.8\njoint_damping = 0.6\n[initial]\nq = [0, 0, -1]\n"
      "omega = [1e-6, 0, 0]\n");
  const EndPoint swung = run_to(joint, "gauss", half, 40);
  EXPECT_NEAR(static_cast<double>(swung.q[1]) * 1e6 * omega, 0.0, 1e-5);
  EXPECT_NEAR(static_cast<double>(swung.velocity[0]) * 1e6, -std::exp(-rate * half), 1e-5);
  const io::Scenario air = scenario_of(
      "chain_pendulum",
      "n = 1\nmass = 0.5\nlength = 0.8\ngravity = 0\nair_drag = 0.25\n[initial]\nq = [1, 0, 0]\n"
      "omega = [0, 0, 2]\n");
  const double tau = 0.5 / (0.25 * 0.8 * 2.0);
  const double t = 3.0;
  const double angle = 2.0 * tau * std::log1p(t / tau);
  const EndPoint turned = run_to(air, "gauss", t, 40);
  EXPECT_LE(difference(turned.q, {std::cos(angle), std::sin(angle), 0}), 1e-12);
  EXPECT_LE(difference(turned.velocity, {0, 0, 2.0 / (1.0 + t / tau)}), 1e-12);
}

}  // namespace
}  // namespace hamel
