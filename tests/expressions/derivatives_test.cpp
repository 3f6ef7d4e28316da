// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of expressions against differences in Quad, against duals and against closed forms.
#include "hamel/expressions/derivatives.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "expressions/random_formula.hpp"
#include "hamel/expressions/program.hpp"

namespace hamel {
namespace {

using formulas::Formula;
using formulas::Point;
using formulas::Traced;

constexpr std::size_t n = formulas::variables;

Point<Quad> in_quad(const Point<double>& x) {
  Point<Quad> y;
  for (std::size_t i = 0; i < n; ++i) y[i] = x[i];
  return y;
}

std::vector<Quad> values(std::span<const Expression> x, std::span<const Expression> f,
                         const Point<Quad>& at) {
  Evaluator<Quad> evaluate(Program(x, f));
  std::vector<Quad> out(f.size());
  evaluate(at.data(), out.data());
  return out;
}

/// ∂f_k/∂x_i ≈ (8(f(h) − f(−h)) − (f(2h) − f(−2h)))/(12h), [k·n + i].
std::vector<Quad> differences(std::span<const Expression> x, std::span<const Expression> f,
                              const Point<Quad>& at) {
  Evaluator<Quad> evaluate(Program(x, f));
  const Quad h = 0x1p-26;
  std::vector<Quad> result(f.size() * n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto shifted = [&](int steps) {
      Point<Quad> y = at;
      y[i] += h * steps;
      std::vector<Quad> out(f.size());
      evaluate(y.data(), out.data());
      return out;
    };
    const auto f1 = shifted(1), b1 = shifted(-1), f2 = shifted(2), b2 = shifted(-2);
    for (std::size_t k = 0; k < f.size(); ++k)
      result[k * n + i] = (8 * (f1[k] - b1[k]) - (f2[k] - b2[k])) / (12 * h);
  }
  return result;
}

/// The largest component, as the scale of a gradient.
Quad scale_of(std::span<const Quad> gradient) {
  Quad scale = 1;
  for (const Quad& g : gradient) scale = max(scale, abs(g));
  return scale;
}

RC_GTEST_PROP(Derivatives, JacobianAgreesWithDifferences, ()) {
  const Formula formula = formulas::random_formula(40);
  const Traced traced(formula);
  const Point<Quad> at = in_quad(formula.at);
  const auto found = values(traced.x, jacobian(traced.steps, traced.x), at);
  const auto expected = differences(traced.x, traced.steps, at);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Quad scale = scale_of(std::span(expected).subspan(i / n * n, n));
    // rounding 50·2⁻¹¹²/h = 10⁻²⁴; truncation h⁴/30·f⁽⁵⁾ = 10⁻³³·f⁽⁵⁾
    RC_ASSERT(abs(found[i] - expected[i]) <= Quad(1e-15) * scale);
  }
}

RC_GTEST_PROP(Derivatives, JacobianAgreesWithDuals, ()) {
  using D = Dual<Quad, formulas::variables>;
  const Formula formula = formulas::random_formula(40);
  const Traced traced(formula);
  const auto found = values(traced.x, jacobian(traced.steps, traced.x), in_quad(formula.at));
  Point<D> x;
  for (std::size_t i = 0; i < n; ++i) x[i] = D::variable(formula.at[i], static_cast<int>(i));
  const std::vector<D> expected = formulas::computed(formula, x);
  for (std::size_t k = 0; k < expected.size(); ++k)
    for (std::size_t i = 0; i < n; ++i) {
      const Quad scale = scale_of({expected[k].d, n});
      RC_ASSERT(abs(found[k * n + i] - expected[k].d[i]) <= Quad(1e-25) * scale);
    }
}

RC_GTEST_PROP(Derivatives, ReverseEqualsForward, ()) {
  const Formula formula = formulas::random_formula(40);
  const Traced traced(formula);
  const Point<Quad> at = in_quad(formula.at);
  const auto forward = values(traced.x, jacobian(traced.steps, traced.x), at);
  for (std::size_t k = 0; k < traced.steps.size(); ++k) {
    const Expressions row = gradient(traced.steps[k], traced.x);
    RC_ASSERT(row.size() == n);
    const auto reverse = values(traced.x, row, at);
    const Quad scale = scale_of(std::span(forward).subspan(k * n, n));
    for (std::size_t i = 0; i < n; ++i)
      RC_ASSERT(abs(reverse[i] - forward[k * n + i]) <= Quad(1e-25) * scale);
  }
}

RC_GTEST_PROP(Derivatives, SecondDerivativesAgreeWithDifferencesAndCommute, ()) {
  const Formula formula = formulas::random_formula(20);
  const Traced traced(formula);
  const Point<Quad> at = in_quad(formula.at);
  const Expressions slope = gradient(traced.steps.back(), traced.x);
  const auto hessian = values(traced.x, jacobian(slope, traced.x), at);
  const auto expected = differences(traced.x, slope, at);
  const Quad scale = scale_of(expected);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      RC_ASSERT(abs(hessian[i * n + j] - expected[i * n + j]) <= Quad(1e-15) * scale);
      RC_ASSERT(abs(hessian[i * n + j] - hessian[j * n + i]) <= Quad(1e-25) * scale);
    }
}

RC_GTEST_PROP(Derivatives, DirectionalIsTheJacobianTimesTheDirection, ()) {
  const Formula formula = formulas::random_formula(30);
  const Traced traced(formula);
  const Point<Quad> at = in_quad(formula.at);
  const Expressions direction = {2.0, traced.x[2] * traced.x[0], -0.5};
  const auto found = values(traced.x, directional(traced.steps, traced.x, direction), at);
  const auto slopes = values(traced.x, jacobian(traced.steps, traced.x), at);
  const auto along = values(traced.x, direction, at);
  for (std::size_t k = 0; k < found.size(); ++k) {
    Quad expected = 0;
    for (std::size_t i = 0; i < n; ++i) expected += slopes[k * n + i] * along[i];
    const Quad scale = scale_of(std::span(slopes).subspan(k * n, n));
    RC_ASSERT(abs(found[k] - expected) <= Quad(1e-25) * scale);
  }
}

RC_GTEST_PROP(Derivatives, SubstitutionIsComposition, ()) {
  // The variables of one formula are replaced by numbers near them, computed from others.
  const Formula formula = formulas::random_formula(40);
  Traced traced(formula);
  const Expression s = traced.graph.input();
  const Expressions images = {traced.x[1] + s, s * 2.0, traced.x[0]};
  const Expressions composed = substituted(traced.steps, traced.x, images);
  // s and x chosen such that the images are formula.at
  const Quad half = Quad(formula.at[1]) / 2;
  const std::array<Quad, n + 1> at = {formula.at[2], formula.at[0] - half, 99, half};
  Evaluator<Quad> evaluate(
      Program(Expressions{traced.x[0], traced.x[1], traced.x[2], s}, composed));
  std::vector<Quad> found(composed.size());
  evaluate(at.data(), found.data());
  const auto expected = values(traced.x, traced.steps, in_quad(formula.at));
  for (std::size_t k = 0; k < found.size(); ++k)
    RC_ASSERT(abs(found[k] - expected[k]) <= Quad(1e-20));
}

class DerivativesOf : public ::testing::Test {
 protected:
  /// df/dx at a point, by both modes.
  void expect_slope(const Expression& f, double at_x, double at_y, Quad expected) {
    const std::array in = {x, y, z};
    const Point<Quad> at = {at_x, at_y, 1};
    const Quad forward = values(in, derivative({&f, 1}, x), at)[0];
    const Quad reverse = values(in, gradient(f, in), at)[0];
    const double tolerance = 1e-30 * (1 + std::fabs(double(expected)));
    EXPECT_LE(double(abs(forward - expected)), tolerance) << double(forward);
    EXPECT_LE(double(abs(reverse - expected)), tolerance) << double(reverse);
  }
  ExpressionGraph graph;
  Expression x = graph.input(), y = graph.input(), z = graph.input();
};

TEST_F(DerivativesOf, PowersWithConstantExponents) {
  for (const double p : {-17.0, -2.0, -1.0, 1.0, 2.0, 3.0, 16.0, 17.0})
    for (const double at : {-1.25, 0.75})
      expect_slope(pow(x, p), at, 1, Quad(p) * pow(Quad(at), Quad(p - 1)));
  for (const double p : {-2.5, -0.5, 0.5, 1.5, 0.125, 20.25})
    expect_slope(pow(x, p), 0.75, 1, Quad(p) * pow(Quad(0.75), Quad(p - 1)));
  expect_slope(pow(x, 0.0), 0.75, 1, 0);
  expect_slope(pow(x, 2.0), 0, 1, 0);
  expect_slope(pow(x, 17.0), 0, 1, 0);
  expect_slope(pow(x, 1.5), 0, 1, 0);
}

TEST_F(DerivativesOf, PowersWithVariableExponents) {
  const Quad u = 0.75, v = 1.25;
  expect_slope(pow(x, y), 0.75, 1.25, v * pow(u, v - 1));
  expect_slope(pow(y, x), 0.75, 1.25, pow(v, u) * log(v));
  expect_slope(pow(2.5, x), 0.75, 1, pow(Quad(2.5), u) * log(Quad(2.5)));
  expect_slope(pow(x, x), 0.75, 1, pow(u, u) * (log(u) + 1));
  expect_slope(pow(x, y), -2, 3, 12);  // negative base: smooth along the base
}

TEST_F(DerivativesOf, FunctionsAwayFromTheirKinks) {
  expect_slope(abs(x), 2, 0, 1);
  expect_slope(abs(x), -2, 0, -1);
  expect_slope(abs(x * x - 5.0), 2, 0, -4);
  expect_slope(min(x * x, y), 2, 5, 4);
  expect_slope(min(x * x, y), 2, 3, 0);
  expect_slope(max(x * x, y), 2, 5, 0);
  expect_slope(max(x * x, y), 2, 3, 4);
  expect_slope(min(y * x, x), 2, 3, 1);
  expect_slope(max(y * x, x), 2, 3, 3);
  expect_slope(select(x < y, x * x, 7.0 * x), 2, 3, 4);
  expect_slope(select(x < y, x * x, 7.0 * x), 3, 2, 7);
  expect_slope((x < y) * x, 2, 3, 1);
  expect_slope((x < y) * x, 3, 2, 0);
}

TEST_F(DerivativesOf, TheBranchNotTakenDoesNotMatter) {
  // its slope is infinite or NaN
  expect_slope(select(x < 1.0, x * 3.0, sqrt(x - 1.0)), 0, 0, 3);
  expect_slope(max(sqrt(x), 1.0), 0, 0, 0);
}

TEST_F(DerivativesOf, WhatDoesNotDependIsExactlyZero) {
  const Expressions f = {y * sin(z), 3.0, y, pow(y, z)};
  for (const Expression& e : derivative(f, x)) EXPECT_TRUE(e.is_constant(0));
  for (const Expression& e : f) EXPECT_TRUE(gradient(e, {&x, 1})[0].is_constant(0));
  const Expressions mixed = {x * y, 3.0 * z};
  const Expressions slopes = jacobian(mixed, Expressions{x, y, z});
  ASSERT_EQ(slopes.size(), 6U);
  EXPECT_EQ(slopes[0].node(), y.node());
  EXPECT_EQ(slopes[1].node(), x.node());
  EXPECT_TRUE(slopes[2].is_constant(0) && slopes[3].is_constant(0) && slopes[4].is_constant(0));
  EXPECT_TRUE(slopes[5].is_constant(3));
}

TEST_F(DerivativesOf, LinearFunctionsHaveConstantSlopes) {
  const Expression f = 2.0 * x - y / 4.0 + 3.0 * (x + z);
  const Expressions slope = gradient(f, Expressions{x, y, z});
  EXPECT_TRUE(slope[0].is_constant(5) && slope[1].is_constant(-0.25) && slope[2].is_constant(3));
  EXPECT_TRUE(gradient(x, {&x, 1})[0].is_constant(1));
}

TEST_F(DerivativesOf, ConstantsHaveNoSlope) {
  const Expression c = 4.0;
  EXPECT_TRUE(gradient(c, {&x, 1})[0].is_constant(0));
  EXPECT_TRUE(derivative({&c, 1}, x)[0].is_constant(0));
  EXPECT_TRUE(jacobian({&c, 1}, Expressions{x, y})[1].is_constant(0));
  EXPECT_TRUE(gradient(c, {}).empty());
}

TEST_F(DerivativesOf, VariablesMadeLaterAreAllowed) {
  const Expression f = x * x;
  const Expression late = graph.input();
  const Expressions slope = gradient(f, Expressions{late, x});
  EXPECT_TRUE(slope[0].is_constant(0) && !slope[1].is_constant());
  EXPECT_TRUE(derivative({&f, 1}, late)[0].is_constant(0));
  EXPECT_FALSE(depends_on(f, {&late, 1}));
}

TEST_F(DerivativesOf, TheGradientCostsAFewTimesTheFunction) {
  // Griewank & Walther, ch. 3: a small multiple, whatever the number of variables.
  constexpr int count = 200;
  Expressions x;
  for (int i = 0; i < count; ++i) x.push_back(graph.input());
  Expression f;
  for (int i = 0; i + 1 < count; ++i)
    f += sin(x[static_cast<std::size_t>(i)]) * x[static_cast<std::size_t>(i) + 1];
  const int cost = Program(x, {&f, 1}).instructions();
  EXPECT_LE(Program(x, gradient(f, x)).instructions(), 4 * cost);
}

/// The planar pendulum on a cart: one formula for numbers, duals and expressions.
template <class S>
S cart_lagrangian(const std::array<S, 4>& q) {
  const auto& [s, phi, s_dot, phi_dot] = q;
  const S vx = s_dot + 0.5 * cos(phi) * phi_dot, vy = 0.5 * sin(phi) * phi_dot;
  const S kinetic = 0.5 * s_dot * s_dot + 0.75 * (pow(vx, 2) + pow(vy, 2));
  return kinetic - 9.81 * cos(phi) / (1.0 + exp(-s)) - sqrt(1.0 + s * s) + max(s, phi) * abs(s_dot);
}

TEST(Derivatives, OneTemplateServesDualsAndExpressions) {
  ExpressionGraph graph;
  std::array<Expression, 4> q;
  for (auto& e : q) e = graph.input();
  const Expression lagrangian = cart_lagrangian(q);
  Expressions outputs = {lagrangian};
  for (const Expression& e : gradient(lagrangian, q)) outputs.push_back(e);
  Evaluator<double> evaluate(Program(q, outputs));
  for (const auto& at : {std::array{0.3, -1.2, 0.7, 2.5}, std::array{-2.0, 0.4, -1.1, 0.2}}) {
    std::array<Dual<double, 4>, 4> jets;
    for (int i = 0; i < 4; ++i)
      jets[static_cast<std::size_t>(i)] =
          Dual<double, 4>::variable(at[static_cast<std::size_t>(i)], i);
    const Dual<double, 4> expected = cart_lagrangian(jets);
    std::array<double, 5> found{};
    evaluate(at.data(), found.data());
    // some thirty roundings of terms below 20
    EXPECT_LE(std::fabs(found[0] - expected.v), 30 * 20 * 1.2e-16);
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_LE(std::fabs(found[i + 1] - expected.d[i]), 30 * 20 * 1.2e-16) << i;
  }
}

TEST_F(DerivativesOf, SubstitutionReplacesAllAtOnce) {
  const Expression f = x - y * sin(x);
  const Expressions swapped = {y, x};
  const Expression g = substituted(f, Expressions{x, y}, swapped);
  EXPECT_EQ(g.node(), (y - x * sin(y)).node());
  EXPECT_EQ(substituted(f, {}, {}).node(), f.node());
  EXPECT_EQ(substituted(f, {&z, 1}, {&x, 1}).node(), f.node());
}

TEST_F(DerivativesOf, SubstitutionSimplifiesAndFolds) {
  const Expression f = x * y + exp(x) / z;
  const Expression zero = 0.0, two = 2.0;
  EXPECT_EQ(substituted(f, {&x, 1}, {&zero, 1}).node(), (1.0 / z).node());
  const Expression third = Expression(1.0) / 3.0;
  const Expression value = substituted(x * y, Expressions{x, y}, Expressions{third, two});
  EXPECT_TRUE(value.is_constant() && value.value() == Quad(1) / 3 * 2);
  EXPECT_TRUE(substituted(two, {&x, 1}, {&y, 1}).is_constant(2));
  const Expressions list = substituted(Expressions{x, 5.0, x + y}, {&x, 1}, {&two, 1});
  EXPECT_TRUE(list[0].is_constant(2) && list[1].is_constant(5));
  EXPECT_EQ(list[2].node(), (2.0 + y).node());
}

TEST_F(DerivativesOf, SubstitutionMovesToAnotherGraph) {
  ExpressionGraph other;
  const Expression u = other.input();
  const Expression f = sin(x) * 3.0 + select(x < 2.0, x, 1.0 / x);
  const Expression g = substituted(f, {&x, 1}, {&u, 1});
  EXPECT_EQ(g.graph(), &other);
  EXPECT_EQ(g.node(), (sin(u) * 3.0 + select(u < 2.0, u, 1.0 / u)).node());
}

TEST_F(DerivativesOf, DependenceIsSeenThroughEveryOperand) {
  EXPECT_TRUE(depends_on(x, {&x, 1}));
  EXPECT_TRUE(depends_on(sin(y / x), {&x, 1}));
  EXPECT_TRUE(depends_on(select(x < 1.0, y, z), {&x, 1}));
  EXPECT_TRUE(depends_on(select(x < 1.0, y, z), {&z, 1}));
  EXPECT_TRUE(depends_on(y, Expressions{x, y}));
  EXPECT_FALSE(depends_on(y * z, {&x, 1}));
  EXPECT_FALSE(depends_on(x * y - x * y, {&x, 1}));
  EXPECT_FALSE(depends_on(x * 0.0 + y, {&x, 1}));
  EXPECT_FALSE(depends_on(3.0, {&x, 1}));
  EXPECT_FALSE(depends_on(x, {}));
}

}  // namespace
}  // namespace hamel
