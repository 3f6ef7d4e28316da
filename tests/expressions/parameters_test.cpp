// SPDX-License-Identifier: BSD-3-Clause
// Parameters: numbers of a formula that may change without another graph.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <stdexcept>

#include "hamel/expressions/derivatives.hpp"
#include "hamel/expressions/domain.hpp"
#include "hamel/expressions/program.hpp"

namespace hamel {
namespace {

/// A formula with much that is fixed, of two numbers and two variables.
Expression formula(const Expression& a, const Expression& b, const Expression& x,
                   const Expression& y) {
  const Expression inertia = 0.5 * a * (b * b + 2.0 / a) - sqrt(a + b);
  return inertia * x * x - (-b) * (y * a) / (a - b) + sin(b * x) * cos(b * x) * exp(-a) +
         pow(x, 3.0) * atan2(a, b) - abs(-a * y);
}

struct Made {
  ExpressionGraph graph;
  Expression x = graph.input(), y = graph.input();
  Expressions f;

  Made(double a, double b, bool symbols) {
    const Expression first = symbols ? graph.parameter(a) : Expression(a);
    set(first, symbols ? graph.parameter(b) : Expression(b));
  }
  Program program() { return Program(std::array{x, y}, f); }

 private:
  void set(const Expression& a, const Expression& b) {
    const Expression value = formula(a, b, x, y);
    f = gradient(value, std::array{x, y});
    f.push_back(value);
    f.push_back(a * b - 1.0);  // an output that is fixed
  }
};

template <class S>
std::vector<S> values(Evaluator<S>& evaluate, S x, S y) {
  const S in[] = {x, y};
  std::vector<S> out(static_cast<std::size_t>(evaluate.program().outputs()));
  evaluate(in, out.data());
  return out;
}

TEST(Parameters, CostNoInstruction) {
  EXPECT_EQ(Made(1.7, 0.3, true).program().instructions(),
            Made(1.7, 0.3, false).program().instructions());
}

TEST(Parameters, GiveTheBitsOfConstants) {
  Made symbols(1.7, 0.3, true);
  Made numbers(1.7, 0.3, false);
  Evaluator<double> one(symbols.program());
  Evaluator<double> other(numbers.program());
  for (const double x : {0.1, -2.5, 1e3})
    EXPECT_EQ(values(one, x, 0.7 - x), values(other, x, 0.7 - x)) << x;
}

TEST(Parameters, BoundToNumbersAreAsIfTheseHadBeenNominal) {
  Made symbols(1.7, 0.3, true);
  Evaluator<double> bound(symbols.program());
  Evaluator<Quad> bound_in_quad(symbols.program());
  for (const double a : {2.0, 0.9, 1e-3}) {
    const double numbers[] = {a, 0.4};
    bound.bind(numbers);
    bound_in_quad.bind(numbers);
    Made made(a, 0.4, true);
    Evaluator<double> nominal(made.program());
    Evaluator<Quad> nominal_in_quad(made.program());
    EXPECT_EQ(values(bound, 0.3, 1.1), values(nominal, 0.3, 1.1)) << a;
    EXPECT_TRUE(values<Quad>(bound_in_quad, 0.3, 1.1) == values<Quad>(nominal_in_quad, 0.3, 1.1))
        << a;
  }
  bound.bind(std::array{1.7, 0.3});
  Evaluator<double> again(symbols.program());
  EXPECT_EQ(values(bound, 0.3, 1.1), values(again, 0.3, 1.1));
}

TEST(Parameters, ThatVanishLeaveTheSameProgram) {
  EXPECT_EQ(Made(1.0, 0.0, true).program().instructions(),
            Made(1.7, 0.3, true).program().instructions());
}

TEST(Parameters, AreRoundedOnceLikeConstants) {
  ExpressionGraph graph;
  const Expression x = graph.input();
  const Expression third = graph.parameter(1.0) / 3.0;
  const Expression f = third * 3.0 * x;  // 1/3·3 is 1 in Quad, and not in double for other numbers
  Evaluator<double> evaluate(Program({&x, 1}, {&f, 1}));
  for (const double a : {1.0, 0.1, 0.7}) {
    evaluate.bind({&a, 1});
    const double in = 1.0;
    double out = 0.0;
    evaluate(&in, &out);
    EXPECT_EQ(out, a);
  }
}

TEST(Parameters, ArePinnedWhereTheShapeDependsOnThem) {
  ExpressionGraph graph;
  const Expression x = graph.input();
  const Expression n = graph.parameter(3.0);
  const Expression gate = graph.parameter(1.0);
  const Expression free = graph.parameter(2.0);
  const Expression f = pow(x, n) + select(gate < 2.0, free * x, sqrt(x));
  EXPECT_TRUE(graph.pinned(0));
  EXPECT_TRUE(graph.pinned(1));
  EXPECT_FALSE(graph.pinned(2));
  EXPECT_FALSE(may_be_undefined({&f, 1})) << "x³ by products, the branch without a root";
}

TEST(Parameters, DivideWithoutADomain) {
  ExpressionGraph graph;
  const Expression x = graph.input();
  const Expression f = x / graph.parameter(3.0);
  EXPECT_FALSE(may_be_undefined({&f, 1}));
}

TEST(Parameters, CanBeSubstitutedByNumbers) {
  Made symbols(1.7, 0.3, true);
  Made numbers(2.5, -0.6, false);
  const Expressions from = {symbols.graph.parameter_at(0), symbols.graph.parameter_at(1)};
  symbols.f = substituted(symbols.f, from, std::array{Expression(2.5), Expression(-0.6)});
  Evaluator<double> one(symbols.program());
  Evaluator<double> other(numbers.program());
  const auto a = values(one, 0.3, 1.1);
  const auto b = values(other, 0.3, 1.1);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-15 * std::fabs(b[i]));
}

TEST(ExpressionGraph, TakesNoNodesWhenItIsFrozenButItsCopiesDo) {
  ExpressionGraph graph;
  const Expression x = graph.input();
  const Expression f = sin(x) + 1.0;
  graph.freeze();
  EXPECT_THROW(graph.input(), std::logic_error);
  EXPECT_THROW(x + 2.0, std::logic_error);
  ExpressionGraph copy(graph);
  const Expression g = f.in(copy)*x.in(copy);
  EXPECT_GT(copy.size(), graph.size());
  const Expression own = x.in(copy);
  Evaluator<double> evaluate(Program({&own, 1}, {&g, 1}));
  const double in = 0.5;
  double out = 0.0;
  evaluate(&in, &out);
  EXPECT_EQ(out, (std::sin(0.5) + 1.0) * 0.5);
}

TEST(Expression, RefusesOperandsOfTwoGraphs) {
  ExpressionGraph one;
  ExpressionGraph other;
  EXPECT_THROW(one.input() + other.input(), std::logic_error);
}

}  // namespace
}  // namespace hamel
