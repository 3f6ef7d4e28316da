// SPDX-License-Identifier: BSD-3-Clause
// Measured orders say nothing where only round-off is left.
#include "hamel/studies/convergence.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "systems/catalogue.hpp"

namespace hamel {
namespace {

ConvergenceStudy study_of(const io::Scenario& s, const std::string& method,
                          const ConvergencePlan& plan) {
  return measure_order(*s.problem, MethodSpec::parse(method), s.integration, plan,
                       reference_end(*s.problem, plan.horizon));
}

io::Scenario free_particle(const std::string& x) {
  return io::parse_scenario(
      "[system]\ncoordinates = [\"x\", \"y\"]\n"
      "lagrangian = \"(x_dot^2 + y_dot^2)/2\"\n"
      "[initial]\nq = [" +
          x + ", -0.7]\nxi = [0.3, 1.1]\n",
      "free.toml", {}, catalogue());
}

// Midpoint steps of a free particle are exact: six errors of round-off, and no order.
TEST(Convergence, RoundOffHasNoOrder) {
  const io::Scenario s = free_particle("0.1");
  for (const double step : {0.1, 0.01, 0.003}) {
    const ConvergenceStudy study = study_of(s, "hamel", {1.0, step, 6});
    ASSERT_EQ(study.errors.size(), 6U);
    EXPECT_GT(*std::ranges::max_element(study.errors), 0.0);
    EXPECT_LT(*std::ranges::max_element(study.errors), 1e-12);
    EXPECT_EQ(study.fit.above, 0);
    EXPECT_FALSE(study.fit.valid());
    EXPECT_FALSE(study.settled());
  }
}

// Round-off is that of the largest number compared, however far away that is.
TEST(Convergence, RoundOffFarAwayHasNoOrderEither) {
  const ConvergenceStudy study = study_of(free_particle("1e7"), "hamel", {1.0, 0.01, 6});
  EXPECT_GT(*std::ranges::max_element(study.errors), 1e-11);  // far above what small numbers leave
  EXPECT_EQ(study.fit.above, 0);
  EXPECT_FALSE(study.fit.valid());
}

// A plateau after a law: errors below 100 eps √n of the largest number compared are left out, and
// the order is that of the others.
TEST(Convergence, ThePlateauIsLeftOut) {
  const io::Scenario s =
      scenario_of("spherical_pendulum",
                  "gravity = 0.01\n[initial]\nq = [0.6, 0.0, -0.8]\nomega = [0.0, 0.01, 0.0]\n");
  const ConvergenceStudy study = study_of(s, "hamel", {1.0, 0.02, 12});
  int left_out = 0;
  for (std::size_t i = 0; i < study.errors.size(); ++i) {
    const double floor = 100.0 * 2.2e-16 * std::sqrt(1.0 / study.steps.back());
    if (study.errors[i] > floor) continue;
    ++left_out;
    EXPECT_FALSE(study.fit.used[i]) << study.steps[i];
  }
  EXPECT_GE(left_out, 2);
  EXPECT_TRUE(study.fit.valid());
  EXPECT_NEAR(study.fit.order, 2.0, 0.05);
}

}  // namespace
}  // namespace hamel
