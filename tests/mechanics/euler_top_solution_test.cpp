// SPDX-License-Identifier: BSD-3-Clause
// The closed motion of the top against the equations of motion: central differences in Quad.
#include "hamel/systems/closed/euler_top_solution.hpp"

#include <gtest/gtest.h>

namespace hamel {
namespace {

const std::vector<Quad> rotation = {Quad(2) / 3,  Quad(-1) / 3, Quad(2) / 3,
                                    Quad(2) / 3,  Quad(2) / 3,  Quad(-1) / 3,
                                    Quad(-1) / 3, Quad(2) / 3,  Quad(2) / 3};

void satisfies_the_equations(const std::array<Quad, 3>& J, const std::vector<Quad>& xi0) {
  const EulerTopSolution top(J, rotation, xi0);
  const FrameMotion start = top.at(0);
  for (std::size_t i = 0; i < 9; ++i)
    EXPECT_LE(static_cast<double>(abs(start.q[i] - rotation[i])), 1e-30);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_LE(static_cast<double>(abs(start.xi[i] - xi0[i])), 1e-28);
  for (const double time : {0.7, 3.1, 12.4}) {
    const Quad d = 1e-9;
    const FrameMotion at = top.at(time);
    const FrameMotion before = top.at(Quad(time) - d);
    const FrameMotion after = top.at(Quad(time) + d);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3;
      const std::size_t k = (i + 2) % 3;
      const Quad rate = (after.xi[i] - before.xi[i]) / (2 * d);
      EXPECT_LE(static_cast<double>(abs(J[i] * rate - (J[j] - J[k]) * at.xi[j] * at.xi[k])), 1e-16);
      // Ṙ = R ξ̂
      for (std::size_t a = 0; a < 3; ++a) {
        const Quad turning = at.q[3 * a + j] * at.xi[k] - at.q[3 * a + k] * at.xi[j];
        const Quad found = (after.q[3 * a + i] - before.q[3 * a + i]) / (2 * d);
        EXPECT_LE(static_cast<double>(abs(found - turning)), 1e-16);
      }
    }
  }
}

TEST(EulerTopSolution, TurningAboutTheAxisOfTheLargestMoment) {
  satisfies_the_equations({1, 2, 3}, {Quad(0.3), Quad(-0.4), Quad(1.1)});
  satisfies_the_equations({3, 1, 2}, {Quad(-1.1), Quad(0.2), Quad(0.5)});
}

TEST(EulerTopSolution, TurningAboutTheAxisOfTheSmallestMoment) {
  satisfies_the_equations({1, 2, 3}, {Quad(1.2), Quad(0.3), Quad(-0.2)});
  satisfies_the_equations({2, 3, 1}, {Quad(0.2), Quad(0.1), Quad(-0.9)});
}

TEST(EulerTopSolution, TumblingAndOnTheSeparatrix) {
  satisfies_the_equations({1, 2, 3}, {Quad(0.01), Quad(1), Quad(0.01)});
  // M² = 2T J_b: J_s(J_b − J_s)ξ_s² = J_l(J_l − J_b)ξ_l²
  satisfies_the_equations({1, 2, 3}, {sqrt(Quad(3)) / 2, Quad(0.6), Quad(0.5)});
}

TEST(EulerTopSolution, SymmetricAndSteady) {
  satisfies_the_equations({2, 2, 3}, {Quad(0.4), Quad(0.1), Quad(0.9)});
  satisfies_the_equations({3, 2, 2}, {Quad(0.4), Quad(0.1), Quad(0.9)});
  satisfies_the_equations({2, 2, 2}, {Quad(0.4), Quad(-0.1), Quad(0.9)});
  satisfies_the_equations({1, 2, 3}, {Quad(0), Quad(0), Quad(0.7)});
  satisfies_the_equations({1, 2, 3}, {Quad(-0.7), Quad(0), Quad(0)});
  satisfies_the_equations({1, 2, 3}, {Quad(0), Quad(0.7), Quad(0)});
  satisfies_the_equations({1, 2, 3}, {Quad(0), Quad(0), Quad(0)});
}

}  // namespace
}  // namespace hamel
