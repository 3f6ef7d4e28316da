// SPDX-License-Identifier: BSD-3-Clause

#include <gtest/gtest.h>

#include <cmath>

#include "hamel/methods/hamel.hpp"
#include "hamel/methods/variational.hpp"
#include "hamel/runs/drift.hpp"
#include "hamel/runs/symplectic.hpp"
#include "hamel/studies/order.hpp"
#include "support/pendulum.hpp"

namespace hamel {
namespace {

TEST(OrderFit, FindsTheSlopeAndMasksThePlateau) {
  std::vector<double> h;
  std::vector<double> error;
  for (int i = 0; i < 10; ++i) {
    h.push_back(std::pow(0.5, i));
    error.push_back(std::max(0.3 * std::pow(h.back(), 4.0), 3e-9));
  }
  const OrderFit fit = fit_order(h, error, 1e-8);
  EXPECT_NEAR(fit.order, 4.0, 1e-10);
  EXPECT_FALSE(fit.used.back());
  EXPECT_GE(fit.points, 4);
}

TEST(OrderFit, SaysNothingFromOnePoint) {
  EXPECT_FALSE(fit_order({0.1, 0.05}, {1e-3, 1e-20}, 1e-15).valid());
}

TEST(DriftTracker, TellsASlopeFromAnOscillation) {
  DriftTracker<2> tracker;
  const double start[] = {5.0, 1.0};
  tracker.start(start);
  for (int n = 1; n <= 10000; ++n) {
    const double values[] = {5.0 + 1e-6 * n, 1.0 + 1e-3 * std::sin(0.1 * n)};
    tracker.add(n, values);
  }
  EXPECT_NEAR(tracker.drift_per_step(0), 1e-6, 1e-12);
  EXPECT_NEAR(tracker.sums[0].max_drift, 1e-2, 1e-12);
  EXPECT_LE(std::fabs(tracker.drift_per_step(1)) * 10000, 1e-4);
}

TEST(DriftTracker, DoesNotForgetAValueThatIsNone) {
  DriftTracker<1> tracker;
  double value = 1.0;
  tracker.start(&value);
  for (const double next : {1.5, std::nan(""), 1.25, 3.0}) tracker.add(1.0, &(value = next));
  EXPECT_TRUE(std::isnan(tracker.sums[0].max_drift));
}

// [MATH 5.5]: Hamel is not symplectic, with a defect of order h³; the variational step is.
TEST(SymplecticDefect, SeparatesHamelFromVariational) {
  using D = Dual<double, 4>;
  const test::Pendulum pendulum;
  const auto at = test::d0_initial<double>();
  const auto hamel = [&](double h) {
    return symplectic_defect(
        HamelStep<test::Pendulum, D, Summation::plain>(Hamel{}, pendulum, D(h), {}), at);
  };
  EXPECT_NEAR(hamel(0.2), 3.56e-4, 1e-6);
  EXPECT_NEAR(std::log2(hamel(0.1) / hamel(0.05)), 3.0, 0.05);
  const VariationalStep<test::Pendulum, D, Summation::plain> variational(Variational{}, pendulum,
                                                                         D(0.2), {});
  EXPECT_LE(symplectic_defect(variational, at), 1e-15);
}

// The step Jacobian by the implicit function theorem against central differences in Quad.
TEST(StepJacobian, AgreesWithFiniteDifferences) {
  using D = Dual<double, 6>;
  const test::Neumann neumann;
  const auto at = test::skew_initial<double>();
  const HamelStep<test::Neumann, D, Summation::plain> dual(Hamel{}, neumann, D(0.2), {});
  SphereInitial<D> seeded = at.as<D>();
  for (int c = 0; c < 3; ++c) {
    seeded.q[c] = D::variable(at.q[c], c);
    seeded.omega[c] = D::variable(at.omega[c], 3 + c);
  }
  auto state = dual.start(seeded);
  ASSERT_FALSE(dual.step(state).failed());

  const HamelStep<test::Neumann, Quad, Summation::plain> quad(Hamel{}, neumann, Quad(0.2), {});
  const Quad d = Quad(1e-9);
  for (int k = 0; k < 6; ++k) {
    Vec<Quad, 3> end[2];
    for (int side = 0; side < 2; ++side) {
      SphereInitial<Quad> moved = at.as<Quad>();
      (k < 3 ? moved.q[k] : moved.omega[k - 3]) += side == 0 ? -d : d;
      auto s = quad.start(moved);
      quad.step(s);
      end[side] = s.q.value;
    }
    for (int c = 0; c < 3; ++c) {
      const auto slope = static_cast<double>((end[1][c] - end[0][c]) / (2 * d));
      EXPECT_NEAR(state.q.value[c].d[k], slope, 2e-15 + 1e-15 * std::fabs(slope));
    }
  }
}

}  // namespace
}  // namespace hamel
