// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/solve/newton.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "hamel/autodiff/dual.hpp"
#include "hamel/core/quad.hpp"

namespace hamel {
namespace {

// x² + y² = p, x = y·s has the root y = √(p/(1+s²)).
template <class S>
StepReport<S> solve_circle(const S& p, const S& s, Vec<S, 2>& x, SolverOptions options = {}) {
  return newton(
      x, S(1.0), options,
      [&](const Vec<S, 2>& z) -> Vec<S, 2> {
        return {{z[0] * z[0] + z[1] * z[1] - p, z[0] - s * z[1]}};
      },
      [&](const Vec<S, 2>& z) -> Mat<S, 2, 2> {
        return {{{S(2.0) * z[0], S(2.0) * z[1]}, {S(1.0), -s}}};
      });
}

TEST(Newton, ReachesRoundOffInDoubleAndQuad) {
  Vec<double, 2> x{{1.0, 1.0}};
  const auto report = solve_circle(2.5, 0.5, x);
  EXPECT_FALSE(report.failed());
  EXPECT_LE(report.iterations, 7);
  EXPECT_NEAR(x[1], std::sqrt(2.0), 4e-16);
  Vec<Quad, 2> y{{Quad(1), Quad(1)}};
  EXPECT_FALSE(solve_circle(Quad(2.5), Quad(0.5), y).failed());
  EXPECT_LE(static_cast<double>(abs(y[1] * y[1] - Quad(2))), 1e-33);
}

// [MATH 2.8]: the stop is relative to the scale, so growing coordinates do not run to the cap.
TEST(Newton, StopsRelativeToTheScale) {
  for (const double size : {1e-20, 1e20}) {
    Vec<double, 1> x{{1.1 * size}};
    const auto report = newton(
        x, size * size, {},
        [&](const Vec<double, 1>& z) -> Vec<double, 1> { return {{z[0] * z[0] / size - size}}; },
        [&](const Vec<double, 1>& z) -> Mat<double, 1, 1> { return {{{2.0 * z[0] / size}}}; });
    EXPECT_FALSE(report.failed());
    EXPECT_LE(report.iterations, 8);
    EXPECT_NEAR(x[0] / size, 1.0, 1e-15);
  }
}

TEST(Newton, LooserToleranceStopsEarlier) {
  Vec<double, 2> x{{1.0, 1.0}};
  const auto strict = solve_circle(2.5, 0.5, x);
  Vec<double, 2> y{{1.0, 1.0}};
  const auto loose = solve_circle(2.5, 0.5, y, {1e-3, 50});
  EXPECT_LT(loose.iterations, strict.iterations);
  EXPECT_NEAR(y[1], std::sqrt(2.0), 1e-3);
}

// A stop on values alone would leave wrong derivatives: the implicit function theorem needs one
// more full correction.
TEST(Newton, DerivativesOfTheRootAreExact) {
  using D = Dual<double, 2>;
  Vec<D, 2> x{{D(1.0), D(1.0)}};
  solve_circle(D::variable(2.5, 0), D::variable(0.5, 1), x);
  // y = √(p/(1+s²)): ∂y/∂p = y/(2p), ∂y/∂s = −s y/(1+s²)
  const double y = std::numbers::sqrt2;
  EXPECT_NEAR(x[1].d[0], y / 5.0, 4e-16);
  EXPECT_NEAR(x[1].d[1], -0.5 * y / 1.25, 4e-16);
}

TEST(Newton, SecondDerivativesOfTheRootAreExact) {
  using D = Dual<Dual<double, 1>, 1>;
  D p(2.5);
  p.v.d[0] = 1.0;
  p.d[0] = Dual<double, 1>(1.0);
  Vec<D, 2> x{{D(1.0), D(1.0)}};
  solve_circle(p, D(0.5), x);
  // ∂²y/∂p² = −y/(4p²)
  EXPECT_NEAR(x[1].d[0].d[0], -std::sqrt(2.0) / 25.0, 1e-15);
}

TEST(Newton, ReportsNoConvergenceAndSingularity) {
  Vec<double, 1> x{{1.0}};
  const auto cap = newton(
      x, 1.0, {0.0, 5}, [](const Vec<double, 1>& z) -> Vec<double, 1> { return {{z[0] + 2.0}}; },
      [](const Vec<double, 1>&) -> Mat<double, 1, 1> { return {{{10.0}}}; });
  EXPECT_EQ(cap.status(), Status::no_convergence);
  const auto flat = newton(
      x, 1.0, {}, [](const Vec<double, 1>&) -> Vec<double, 1> { return {{1.0}}; },
      [](const Vec<double, 1>&) -> Mat<double, 1, 1> { return {{{0.0}}}; });
  EXPECT_EQ(flat.status(), Status::singular);
}

TEST(Linear, EliminationPivotsAndSolves) {
  const Mat<double, 3, 3> a{{{0, 2, 1}, {1, -1, 3}, {4, 0, 5}}};
  const Vec<double, 3> x{{1.5, -2.0, 0.25}};
  const Vec<double, 3> y = solve(a, a * x);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(y[i], x[i], 4e-15);
}

}  // namespace
}  // namespace hamel
