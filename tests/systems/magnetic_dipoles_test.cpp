// SPDX-License-Identifier: BSD-3-Clause
// Magnetic dipoles: the small oscillations of a row, a column and a square.
#include "hamel/systems/magnetic_dipoles.hpp"

#include <cmath>
#include <numbers>

#include "reference.hpp"

namespace hamel {
namespace {

using Numbers = std::vector<double>;

// Head to tail along a row, U = −Σ 2J/d³ at rest. Across the row
//   U = ½ Σ_i (B + Σ_j 2J/d_ij³) y_i² + Σ_{i<j} J y_i y_j/d_ij³:
// two have Iω² = B + J against each other and B + 3J together, three B + 17J/8 and
// B + J(51 ± √681)/16.
TEST(MagneticDipoles, ARowOfTwoOrThreeHasItsModes) {
  const double J = 1.7;
  const double B = 0.6;
  const double I = 0.4;
  const std::string in_line = "moment_of_inertia = 0.4\ncoupling = 1.7\nfield_x = 0.6\n";
  const auto error = [&](const Numbers& weights, double strength) {
    Numbers q;
    Numbers v;
    for (const double w : weights) {
      q.insert(q.end(), {1.0, 0.0, 0.0});
      v.insert(v.end(), {0.0, 0.6 * w, 0.8 * w});
    }
    return error_of_mode("magnetic_dipoles",
                         in_line + "n = " + std::to_string(weights.size()) + "\n", q, v,
                         std::sqrt((B + J * strength) / I));
  };
  EXPECT_LE(error({1, -1}, 1.0), 1e-5);
  EXPECT_LE(error({1, 1}, 3.0), 1e-5);
  EXPECT_LE(error({1, 0, -1}, 17.0 / 8.0), 1e-5);
  for (const double sign : {-1.0, 1.0}) {
    const double strength = (51.0 + sign * std::sqrt(681.0)) / 16.0;
    EXPECT_LE(error({1.0, strength - 19.0 / 8.0, 1.0}, strength), 1e-5);
  }
}

// The same two in a column, along e2.
TEST(MagneticDipoles, AColumnIsARowTurned) {
  const std::string column = "n = 1\nrows = 2\ncoupling = 2\n";
  EXPECT_LE(error_of_mode("magnetic_dipoles", column, {0, 1, 0, 0, 1, 0}, {1, 0, 0, -1, 0, 0},
                          std::sqrt(2.0)),
            1e-5);
  EXPECT_LE(error_of_mode("magnetic_dipoles", column, {0, 1, 0, 0, 1, 0}, {0, 0, 1, 0, 0, 1},
                          std::sqrt(6.0)),
            1e-5);
}

// Four on a square, held upright by a field along e3. The uniform tilt along e1 mixes with the tilt
// along e2 of alternating sign, through the diagonals, at distance √2: with c = 3/(2√8)
//   Iω² = B − J(2 + c ± √(1 + c²)).
TEST(MagneticDipoles, ASquareKnowsItsDiagonals) {
  const double J = 0.9;
  const double B = 8.0;
  const double c = 1.5 / std::sqrt(8.0);
  for (const double sign : {-1.0, 1.0}) {
    const double square = B - J * (2.0 + c + sign * std::sqrt(1.0 + c * c));
    // (B − J(3 + c)) x − J c y = Iω² x
    const double y = (-1.0 + sign * std::sqrt(1.0 + c * c)) / c;
    EXPECT_LE(error_of_mode("magnetic_dipoles", "n = 2\nrows = 2\ncoupling = 0.9\nfield_z = 8\n",
                            {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1},
                            {1, y, 0, 1, -y, 0, 1, -y, 0, 1, y, 0}, std::sqrt(square)),
              1e-5);
  }
}

TEST(MagneticDipoles, HamelKeepsEnergyAndTheMomentumAboutTheRow) {
  const io::Scenario s =
      scenario_of("magnetic_dipoles", "n = 4\nfield_x = 0.5\n[integrate]\nstep = 0.05\n");
  const auto [status, found] = drifts(s, "hamel", 4000);
  ASSERT_EQ(status, Status::ok);
  for (const char* name : {"energy", "momentum_x", "length"})
    EXPECT_LE(found.at(name).max_drift, 5e-13) << name;
}

}  // namespace
}  // namespace hamel
