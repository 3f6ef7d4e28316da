// SPDX-License-Identifier: BSD-3-Clause
// Expressions: sharing, folding, and simplifications that change no value.
#include "hamel/expressions/expression.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "expressions/random_formula.hpp"
#include "hamel/expressions/program.hpp"

namespace hamel {
namespace {

using formulas::Formula;
using formulas::Point;
using formulas::Traced;

bool is_same(const Expression& a, const Expression& b) {
  if (a.is_constant() || b.is_constant())
    return a.is_constant() && b.is_constant() && a.value() == b.value();
  return a.graph() == b.graph() && a.node() == b.node();
}

class Variables : public ::testing::Test {
 protected:
  double value(const Expression& e, double at_x, double at_y = 0, double at_z = 0) const {
    const std::array inputs = {x, y, z};
    Evaluator<double> evaluate(Program(inputs, {&e, 1}));
    const std::array in = {at_x, at_y, at_z};
    double out = std::nan("");
    evaluate(in.data(), &out);
    return out;
  }
  ExpressionGraph graph;
  Expression x = graph.input(), y = graph.input(), z = graph.input();
};

TEST_F(Variables, EqualSubexpressionsAreOneNode) {
  EXPECT_TRUE(is_same(x + y, x + y));
  EXPECT_TRUE(is_same(sin(x * y) / z, sin(x * y) / z));
  EXPECT_TRUE(is_same(atan2(x, y), atan2(x, y)));
  EXPECT_TRUE(is_same(select(x < y, x, z), select(x < y, x, z)));
  const int size = graph.size();
  const Expression again = sin(x * y) / z + select(x < y, x, z);
  EXPECT_EQ(graph.size(), size + 1) << "only the sum is new";
  EXPECT_FALSE(is_same(again, sin(x * y) / z));
}

TEST_F(Variables, OperandsOfSymmetricOperationsAreExchangeable) {
  EXPECT_TRUE(is_same(x + y, y + x));
  EXPECT_TRUE(is_same(x * y, y * x));
  EXPECT_TRUE(is_same(min(x, y), min(y, x)));
  EXPECT_TRUE(is_same(max(x, y), max(y, x)));
  EXPECT_TRUE(is_same(sin(z) * x, x * sin(z)));
  EXPECT_TRUE(is_same(x > y, y < x));
  EXPECT_FALSE(is_same(x - y, y - x));
  EXPECT_FALSE(is_same(x / y, y / x));
  EXPECT_FALSE(is_same(pow(x, y), pow(y, x)));
  EXPECT_FALSE(is_same(atan2(x, y), atan2(y, x)));
  EXPECT_FALSE(is_same(x < y, y < x));
}

TEST_F(Variables, ConstantsMayStandOnEitherSideOfSymmetricOperations) {
  EXPECT_TRUE(is_same(x * 7.0, 7.0 * x));
  EXPECT_TRUE(is_same(x + 5.0, 5.0 + x));
  EXPECT_TRUE(is_same(min(x, 3.0), min(3.0, x)));
  EXPECT_TRUE(is_same(max(x, 4.0), max(4.0, x)));
  const Expression late = sin(x);  // after the constants
  EXPECT_TRUE(is_same(late + 5.0, 5.0 + late));
}

TEST_F(Variables, InputsAreAllDifferent) {
  std::set<int> nodes;
  for (int i = 0; i < 100; ++i) nodes.insert(graph.input().node());
  EXPECT_EQ(nodes.size(), 100U);
  EXPECT_FALSE(is_same(x, y));
}

TEST(Expression, DefaultIsZero) {
  EXPECT_TRUE(Expression().is_constant(0));
  EXPECT_TRUE(Expression(2.5).is_constant(2.5));
  EXPECT_FALSE(Expression(2.5).is_constant(2));
}

TEST(Expression, ConstantsAreFoldedInQuad) {
  const Expression third = Expression(1.0) / 3.0;
  ASSERT_TRUE(third.is_constant());
  EXPECT_TRUE(third.value() == Quad(1) / 3);
  EXPECT_TRUE(third.value() != Quad(1.0 / 3.0));
  const Expression a = 0.75, b = -1.5;
  const Quad qa = 0.75, qb = -1.5;
  EXPECT_TRUE((a + b).value() == qa + qb && (a - b).value() == qa - qb);
  EXPECT_TRUE((a * b).value() == qa * qb && (a / b).value() == qa / qb && (-a).value() == -qa);
  EXPECT_TRUE(pow(a, b).value() == pow(qa, qb) && sqrt(a).value() == sqrt(qa));
  EXPECT_TRUE(exp(a).value() == exp(qa) && log(a).value() == log(qa));
  EXPECT_TRUE(sin(a).value() == sin(qa) && cos(a).value() == cos(qa));
  EXPECT_TRUE(tan(a).value() == tan(qa) && asin(a).value() == asin(qa));
  EXPECT_TRUE(acos(a).value() == acos(qa) && atan(b).value() == atan(qb));
  EXPECT_TRUE(atan2(a, b).value() == atan2(qa, qb) && sinh(a).value() == sinh(qa));
  EXPECT_TRUE(cosh(a).value() == cosh(qa) && tanh(a).value() == tanh(qa));
  EXPECT_TRUE(abs(b).value() == -qb && min(a, b).value() == qb && max(a, b).value() == qa);
  EXPECT_TRUE((a < b).is_constant(0) && (a > b).is_constant(1));
  EXPECT_TRUE(select(a < b, a, Expression(2.0)).is_constant(2));
}

TEST_F(Variables, AConstantIsRoundedOnceOnly) {
  // 0.1·3 in double is not the double nearest to 3/10
  const Expression tenth = Expression::constant(Quad(1) / 10);
  EXPECT_EQ(value(tenth * 3.0 + 0.0 * x, 1.0), 0.3);
  EXPECT_EQ(value(tenth * (3.0 * x), 1.0), 0.3);
}

TEST_F(Variables, NeutralElementsDisappear) {
  for (const Expression& e :
       {x + 0.0, 0.0 + x, x - 0.0, x * 1.0, 1.0 * x, x / 1.0, pow(x, 1.0), -(-x), +x, min(x, x),
        max(x, x), x + y * 0.0, -1.0 * (-1.0 * x), 2.0 * (0.5 * x), select(Expression(1.0), x, y),
        select(Expression(0.0), y, x), select(y < z, x, x)})
    EXPECT_TRUE(is_same(e, x)) << e.node();
  for (const Expression& e : {x * 0.0, 0.0 * x, x - x, 0.0 / x, sin(x) - sin(x), x < x})
    EXPECT_TRUE(e.is_constant(0));
  for (const Expression& e : {x / x, pow(x, 0.0)}) EXPECT_TRUE(e.is_constant(1));
  for (const Expression& e : {x * -1.0, -1.0 * x, x / -1.0, 0.0 - x}) EXPECT_TRUE(is_same(e, -x));
}

TEST_F(Variables, SignsMoveOutwards) {
  EXPECT_TRUE(is_same(x + -y, x - y));
  EXPECT_TRUE(is_same(-y + x, x - y));
  EXPECT_TRUE(is_same(x - -y, x + y));
  EXPECT_TRUE(is_same(-x - y, -(x + y)));
  EXPECT_TRUE(is_same(-(x - y), y - x));
  EXPECT_TRUE(is_same(-x * -y, x * y));
  EXPECT_TRUE(is_same(-x / -y, x / y));
  EXPECT_TRUE(is_same(-x * y, -(x * y)));
  EXPECT_TRUE(is_same(cos(-x), cos(x)));
  EXPECT_TRUE(is_same(sin(-x), -sin(x)));
  EXPECT_TRUE(is_same(abs(abs(x)), abs(x)));
  EXPECT_TRUE(is_same(abs(exp(x)), exp(x)));
  EXPECT_FALSE(is_same(abs(sinh(x)), sinh(x)));
}

TEST_F(Variables, PowersWithSmallIntegersAreProducts) {
  EXPECT_TRUE(is_same(pow(x, 2.0), x * x));
  EXPECT_TRUE(is_same(pow(x, 0.5), sqrt(x)));
  EXPECT_TRUE(is_same(pow(x, -0.5), 1.0 / sqrt(x)));
  EXPECT_TRUE(is_same(pow(x, -1.0), 1.0 / x));
  for (int n = -20; n <= 20; ++n) {
    const double expected = std::pow(-1.25, n);
    // at most 2·log₂ 16 products and a quotient, each within eps/2 and its operands doubled
    EXPECT_LE(std::fabs(value(pow(x, n), -1.25) - expected), 16 * 2.3e-16 * std::fabs(expected))
        << n;
  }
}

TEST_F(Variables, ComparisonsSelect) {
  EXPECT_EQ(value(x < y, 1, 2), 1.0);
  EXPECT_EQ(value(x < y, 2, 2), 0.0);
  EXPECT_EQ(value(x < y, 3, 2), 0.0);
  EXPECT_EQ(value(x > y, 3, 2), 1.0);
  EXPECT_EQ(value(select(x < y, x * 10.0, z), 1, 2, 5), 10.0);
  EXPECT_EQ(value(select(x < y, x * 10.0, z), 3, 2, 5), 5.0);
  EXPECT_EQ(value(min(x, y), 3, -2), -2.0);
  EXPECT_EQ(value(min(x, y), -3, 2), -3.0);
  EXPECT_EQ(value(max(x, y), 3, -2), 3.0);
  EXPECT_EQ(value(max(x, y), -3, 2), 2.0);
  EXPECT_EQ(value(abs(x), -3), 3.0);
  EXPECT_EQ(value(abs(x), 3), 3.0);
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(value(select(x < 0.0, y, log(x)), -1, 7), 7.0) << "the other branch is NaN";
  EXPECT_EQ(value(select(x < 0.0, y, 1.0 / x), 0.0, 7), inf);
}

TEST_F(Variables, CompoundAssignmentsAgreeWithTheOperators) {
  Expression e = x;
  e += y;
  e *= z;
  e -= x;
  e /= y;
  EXPECT_TRUE(is_same(e, ((x + y) * z - x) / y));
  EXPECT_TRUE(is_same(hypot(x, y), sqrt(x * x + y * y)));
}

TEST(Expression, OperationsHaveTheirNumberOfOperands) {
  EXPECT_EQ(operands(Op::constant), 0);
  EXPECT_EQ(operands(Op::input), 0);
  EXPECT_EQ(operands(Op::neg), 1);
  EXPECT_EQ(operands(Op::tanh), 1);
  EXPECT_EQ(operands(Op::atan2), 2);
  EXPECT_EQ(operands(Op::less), 2);
  EXPECT_EQ(operands(Op::select), 3);
}

RC_GTEST_PROP(Expression, SimplificationChangesNoValue, ()) {
  const Formula formula = formulas::random_formula(60);
  const std::vector<double> direct = formulas::computed(formula, formula.at);
  const std::vector<Quad> bounds = formulas::rounding_bounds(formula);
  const Traced traced(formula);
  Evaluator<double> evaluate(Program(traced.x, traced.steps));
  std::vector<double> results(traced.steps.size());
  evaluate(formula.at.data(), results.data());
  for (std::size_t i = 0; i < results.size(); ++i) {
    // Both sides round; a power written as products rounds up to eight times.
    const Quad error = abs(Quad(results[i]) - Quad(direct[i]));
    RC_ASSERT(error <= 16 * bounds[i]);
  }
}

/// In Quad the same formula leaves no room: what is left is a wrong rule, not rounding.
RC_GTEST_PROP(Expression, SimplificationIsExactMathematics, ()) {
  const Formula formula = formulas::random_formula(60);
  Point<Quad> x;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = formula.at[i];
  const std::vector<Quad> direct = formulas::computed(formula, x);
  const std::vector<Quad> bounds = formulas::rounding_bounds(formula);
  const Traced traced(formula);
  Evaluator<Quad> evaluate(Program(traced.x, traced.steps));
  std::vector<Quad> results(traced.steps.size());
  evaluate(x.data(), results.data());
  const Quad finer = Epsilon<Quad>::value / Quad(Epsilon<double>::value);
  for (std::size_t i = 0; i < results.size(); ++i)
    RC_ASSERT(abs(results[i] - direct[i]) <= 16 * finer * bounds[i]);
}

TEST(Expression, ConstantsAreComparedByValue) {
  EXPECT_TRUE(Expression(0.0).is_constant(0.0) && Expression(-0.0).is_constant(0.0));
  EXPECT_TRUE(Expression(0.0).is_constant(-0.0));
  EXPECT_TRUE(Expression(0.1).is_constant(0.1) && Expression(-1.0).is_constant(-1.0));
  EXPECT_FALSE(Expression(1.0).is_constant(-1.0));
  EXPECT_FALSE(Expression(1e-300).is_constant(0.0));
  EXPECT_FALSE(
      Expression::constant(Quad(1) / Quad(3)).is_constant(1.0 / 3.0));  // rounded once more
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(Expression(nan).is_constant(1.0));
}

}  // namespace
}  // namespace hamel
