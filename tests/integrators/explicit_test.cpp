// SPDX-License-Identifier: BSD-3-Clause
// rk4 and spherical_coordinates: the right-hand sides, and order 4.
#include <gtest/gtest.h>

#include "hamel/methods/gauss.hpp"
#include "hamel/methods/rk4.hpp"
#include "hamel/methods/spherical_coordinates.hpp"
#include "hamel/studies/order.hpp"
#include "support/pendulum.hpp"

namespace hamel {
namespace {

using test::largest;
using test::Neumann;
constexpr auto plain = Summation::plain;

template <template <class, class, Summation> class Step, class Method>
double measured_order(int first) {
  const GaussStep<Neumann, Quad, plain> reference(Gauss{8}, Neumann{}, Quad(0.05), {});
  auto exact = reference.start(test::skew_initial<Quad>());
  for (int n = 0; n < 20; ++n) reference.step(exact);
  std::vector<double> h;
  std::vector<double> error;
  for (int steps = first; steps <= 16 * first; steps *= 2) {
    const Step<Neumann, Quad, plain> step(Method{}, Neumann{}, Quad(1) / steps, {});
    auto state = step.start(test::skew_initial<Quad>());
    for (int n = 0; n < steps; ++n) EXPECT_FALSE(step.step(state).failed());
    h.push_back(1.0 / steps);
    error.push_back(largest(step.observe(state).q - exact.q.value));
  }
  return fit_order(h, error, 0.0).order;
}

// [MATH 5.2]
TEST(Rk4, HasOrderFour) { EXPECT_NEAR((measured_order<Rk4Step, Rk4>(16)), 4.0, 0.1); }

// [D0 section IV]
TEST(SphericalCoordinates, HasOrderFourAwayFromThePoles) {
  EXPECT_NEAR((measured_order<SphericalCoordinatesStep, SphericalCoordinates>(16)), 4.0, 0.1);
}

// [D0 section IV]: start and observe are inverse to each other.
TEST(SphericalCoordinates, ReadsAndWritesTheSameState) {
  const SphericalCoordinatesStep<Neumann, double, plain> step(SphericalCoordinates{}, Neumann{},
                                                              0.1, {});
  const auto start = test::skew_initial<double>();
  const auto seen = step.observe(step.start(start));
  EXPECT_LE(largest(seen.q - start.q), 1e-15);
  EXPECT_LE(largest(seen.omega - start.omega), 4e-15);
}

TEST(SphericalCoordinates, FailsAtThePoleWithAReport) {
  const test::Pendulum pendulum;
  const SphericalCoordinatesStep<test::Pendulum, double, plain> step(SphericalCoordinates{},
                                                                     pendulum, 0.2, {});
  SphereInitial<double> through;
  through.q = {{0.0, 0.0, -1.0}};
  through.omega = {{0.5, 0.0, 0.0}};
  auto state = step.start(through);
  EXPECT_EQ(step.step(state).status(), Status::singular);
}

}  // namespace
}  // namespace hamel
