// SPDX-License-Identifier: BSD-3-Clause
// Coupled pendula: the small oscillations of a lattice and of a pair under tension.
#include "hamel/systems/coupled_pendula.hpp"

#include <cmath>
#include <numbers>

#include "reference.hpp"

namespace hamel {
namespace {

using Numbers = std::vector<double>;

// Springs without tension at rest act along their own line only, at first order: a row of n has
// ω² = g/l + (k/m)(2 − 2 cos(πj/n)) along it, a column likewise; two pendula √(g/l) together and
// √(g/l + 2k/m) against each other.
TEST(CoupledPendula, ALatticeHasTheModesOfItsRowsAndColumns) {
  const std::string lattice =
      "n = 3\nrows = 2\nmass = 0.5\nlength = 0.8\ndistance = 0.7\nstiffness = 3\n"
      "rest_length = 0.7\n";
  Numbers down;
  for (int i = 0; i < 6; ++i) down.insert(down.end(), {0.0, 0.0, -1.0});
  const auto check = [&](int direction, int count, int j) {
    Numbers v(18, 0.0);
    for (int i = 0; i < 6; ++i) {
      const int place = direction == 0 ? i % 3 : i / 3;
      v[static_cast<std::size_t>(3 * i + direction)] =
          std::cos(std::numbers::pi * j * (place + 0.5) / count);
    }
    const double square =
        9.81 / 0.8 + 3.0 / 0.5 * (2.0 - 2.0 * std::cos(std::numbers::pi * j / count));
    EXPECT_LE(error_of_mode("coupled_pendula", lattice, down, v, std::sqrt(square)), 1e-5)
        << direction << " " << j;
  };
  for (int j = 0; j < 3; ++j) check(0, 3, j);
  for (int j = 0; j < 2; ++j) check(1, 2, j);
}

// Two pendula held together by a stretched spring hang at the angle α, m g tan α = F = k(d − L0),
// d = D − 2l sin α. In their plane, against each other and together,
//   ω² = (g/l) cos α + (2k/m) cos² α + (F/ml) sin α,   ω² = (g/l) cos α + (F/ml) sin α D/d;
// across it, as one swing about the line of the pivots and against each other,
//   ω² = g/(l cos α),   ω² = g/(l cos α) + 2F/(md).
TEST(CoupledPendula, TwoUnderTensionHaveTheirFourModes) {
  const double g = 9.6;
  const double k = 20.0;
  const double m = 1.25;
  const double s = 0.28;
  const double c = 0.96;
  const double F = m * g * s / c;
  const double d = 1.0 - 2.0 * s;
  const std::string pair = "n = 2\nmass = 1.25\ngravity = 9.6\nstiffness = 20\nrest_length = " +
                           io::shortest(d - F / k) + "\n";
  const Numbers q = {s, 0, -c, -s, 0, -c};
  const auto error = [&](const Numbers& v, double square) {
    return error_of_mode("coupled_pendula", pair, q, v, std::sqrt(square));
  };
  EXPECT_LE(error({c, 0, s, -c, 0, s}, g * c + F / m * s + 2.0 * k / m * c * c), 1e-5);
  EXPECT_LE(error({c, 0, s, c, 0, -s}, g * c + F / m * s / d), 1e-5);
  EXPECT_LE(error({0, 1, 0, 0, 1, 0}, g / c), 1e-5);
  EXPECT_LE(error({0, 1, 0, 0, -1, 0}, g / c + 2.0 * F / (m * d)), 1e-5);
}

// With no length at rest the springs are polynomial in q, otherwise they are not.
TEST(CoupledPendula, HamelKeepsTheEnergyOfSpringsOfAnyLength) {
  for (const char* rest : {"0", "0.4", "1.5"}) {
    const io::Scenario s = scenario_of(
        "coupled_pendula", "n = 2\nrows = 2\nstiffness = 5\nrest_length = " + std::string(rest) +
                               "\n[integrate]\nstep = 0.02\n");
    const auto [status, found] = drifts(s, "hamel", 3000);
    ASSERT_EQ(status, Status::ok);
    EXPECT_LE(found.at("energy").max_drift, 1e-12) << rest;
    EXPECT_LE(found.at("length").max_drift, 1e-13) << rest;
  }
}

}  // namespace
}  // namespace hamel
