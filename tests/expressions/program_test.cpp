// SPDX-License-Identifier: BSD-3-Clause
// Programs: the outputs of an expression list in double, long double and Quad.
#include "hamel/expressions/program.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "hamel/core/lanes.hpp"
#include "hamel/expressions/derivatives.hpp"

namespace hamel {
namespace {

class Programs : public ::testing::Test {
 protected:
  /// Outputs of f at (x, y).
  template <class S>
  std::vector<S> run(const Expressions& f, S x, S y) const {
    Evaluator<S> evaluate(Program(inputs(), f));
    const std::array<S, 2> in = {x, y};
    std::vector<S> out(f.size());
    evaluate(in.data(), out.data());
    return out;
  }
  Expressions inputs() const { return {x, y}; }

  ExpressionGraph graph;
  Expression x = graph.input(), y = graph.input();
};

TEST_F(Programs, CountInputsOutputsAndInstructions) {
  const Program empty;
  EXPECT_EQ(empty.inputs() + empty.outputs() + empty.instructions(), 0);
  const Program program(inputs(), Expressions{x * y + sin(x), x * y, 2.0});
  EXPECT_EQ(program.inputs(), 2);
  EXPECT_EQ(program.outputs(), 3);
  EXPECT_EQ(program.instructions(), 3) << "x y, sin x, their sum; x y is shared";
}

TEST_F(Programs, LeaveOutWhatTheOutputsDoNotUse) {
  const Expression unused = exp(x * y) / y;
  EXPECT_EQ(Program(inputs(), Expressions{x + y}).instructions(), 1);
  EXPECT_EQ(Program(inputs(), Expressions{unused}).instructions(), 3);
}

TEST_F(Programs, AProductInOneSumIsOneInstructionWithIt) {
  const auto count = [&](const Expressions& f) { return Program(inputs(), f).instructions(); };
  EXPECT_EQ(count({x * y + x}), 1);
  EXPECT_EQ(count({x - x * y}), 1);
  EXPECT_EQ(count({x * y - x}), 1);
  EXPECT_EQ(count({x * x + y * y}), 2);
  EXPECT_EQ(count({x * y + x, x * y - y}), 3) << "a product of two sums is computed once";
  EXPECT_EQ(count({x * y + x, x * y}), 2);
  // Rounded twice: 0.1·0.1 is no double.
  const std::vector<double> out = run<double>({x * y + x, x * y - x, x - x * y}, 0.1, 0.1);
  const double product = 0.1 * 0.1;
  EXPECT_EQ(out[0], product + 0.1);
  EXPECT_EQ(out[1], product - 0.1);
  EXPECT_EQ(out[2], 0.1 - product);
}

TEST_F(Programs, SineAndCosineOfOneArgumentAreOneInstruction) {
  EXPECT_EQ(Program(inputs(), Expressions{sin(x), cos(x)}).instructions(), 1);
  EXPECT_EQ(Program(inputs(), Expressions{cos(y), sin(y)}).instructions(), 1);
  EXPECT_EQ(Program(inputs(), Expressions{sin(x), cos(y)}).instructions(), 2);
  EXPECT_EQ(Program(inputs(), Expressions{sin(x + y) * cos(x + y)}).instructions(), 3);
}

TEST_F(Programs, FusedSineAndCosineHaveTheBitsOfTheSeparateOnes) {
  // both orders of creation, and a pair that is not the first instruction
  const Expressions f = {sin(x), cos(x), cos(y), sin(y), sin(x * y), cos(x * y)};
  Evaluator<double> evaluate(Program(inputs(), f));
  std::array<double, 6> out{};
  for (int i = 0; i < 20000; ++i) {
    const std::array in = {(i - 10000) * 0.00173, std::ldexp(1.0 + i * 3e-5, i % 60 - 30)};
    evaluate(in.data(), out.data());
    ASSERT_EQ(out[0], std::sin(in[0])) << in[0];
    ASSERT_EQ(out[1], std::cos(in[0])) << in[0];
    ASSERT_EQ(out[2], std::cos(in[1])) << in[1];
    ASSERT_EQ(out[3], std::sin(in[1])) << in[1];
    ASSERT_EQ(out[4], std::sin(in[0] * in[1])) << in[0] * in[1];
    ASSERT_EQ(out[5], std::cos(in[0] * in[1])) << in[0] * in[1];
  }
}

TEST_F(Programs, OutputsMayBeConstantsInputsAndRepeated) {
  const Expression third = Expression(1.0) / 3.0;
  const Expressions f = {y, third, x, x + y, third, x + y, 0.0, y};
  EXPECT_EQ(run(f, 2.0, 5.0), (std::vector<double>{5, 1.0 / 3.0, 2, 7, 1.0 / 3.0, 7, 0, 5}));
  EXPECT_EQ(run(Expressions{4.0, -1.0}, 2.0, 5.0), (std::vector<double>{4, -1}));
  EXPECT_EQ(run(Expressions{}, 2.0, 5.0).size(), 0U);
}

TEST_F(Programs, MayReadAndWriteTheSameMemory) {
  Evaluator<double> swap(Program(inputs(), Expressions{y, x}));
  std::array<double, 2> values = {1, 2};
  swap(values.data(), values.data());
  EXPECT_EQ(values, (std::array<double, 2>{2, 1}));
}

TEST_F(Programs, RunInEveryScalarAtItsPrecision) {
  const Expression third = Expression(1.0) / 3.0;
  const Expressions f = {third * x, sin(x), cos(x), pow(x, y), exp(x) - log(y), atan2(x, y)};
  const auto in_quad = run<Quad>(f, 0.7, 2.5);
  EXPECT_TRUE(in_quad[0] == Quad(1) / 3 * Quad(0.7));
  EXPECT_TRUE(in_quad[1] == sin(Quad(0.7)) && in_quad[2] == cos(Quad(0.7)));
  EXPECT_TRUE(in_quad[3] == pow(Quad(0.7), Quad(2.5)));
  EXPECT_TRUE(in_quad[4] == exp(Quad(0.7)) - log(Quad(2.5)));
  const auto in_long = run<long double>(f, 0.7, 2.5);
  const auto in_double = run<double>(f, 0.7, 2.5);
  for (std::size_t i = 0; i < f.size(); ++i) {
    // a handful of roundings each
    EXPECT_LE(double(abs(Quad(in_long[i]) - in_quad[i])), 4 * double(Epsilon<long double>::value));
    EXPECT_LE(double(abs(Quad(in_double[i]) - in_quad[i])), 4 * Epsilon<double>::value);
    if (LDBL_MANT_DIG > DBL_MANT_DIG && LDBL_MANT_DIG < 113) {
      EXPECT_TRUE(Quad(in_long[i]) != in_quad[i] && Quad(in_long[i]) != Quad(in_double[i])) << i;
    }
  }
}

TEST_F(Programs, EveryOperationIsCarriedOut) {
  const Expressions f = {x + y,
                         x - y,
                         x * y,
                         x / y,
                         -x,
                         pow(x, y),
                         sqrt(x),
                         exp(x),
                         log(x),
                         sin(x),
                         cos(y),
                         tan(x),
                         asin(x),
                         acos(x),
                         atan(x),
                         atan2(x, y),
                         sinh(x),
                         cosh(x),
                         tanh(x),
                         abs(-x),
                         min(x, y),
                         max(x, y),
                         x < y,
                         y < x,
                         select(x < y, x, y),
                         select(y < x, x, y)};
  const double x = 0.625, y = 1.75;
  const std::vector<double> expected = {x + y,
                                        x - y,
                                        x * y,
                                        x / y,
                                        -x,
                                        std::pow(x, y),
                                        std::sqrt(x),
                                        std::exp(x),
                                        std::log(x),
                                        std::sin(x),
                                        std::cos(y),
                                        std::tan(x),
                                        std::asin(x),
                                        std::acos(x),
                                        std::atan(x),
                                        std::atan2(x, y),
                                        std::sinh(x),
                                        std::cosh(x),
                                        std::tanh(x),
                                        x,
                                        x,
                                        y,
                                        1,
                                        0,
                                        x,
                                        y};
  const std::vector<double> results = run(f, x, y);
  for (std::size_t i = 0; i < f.size(); ++i) EXPECT_DOUBLE_EQ(results[i], expected[i]) << i;
}

TEST_F(Programs, AMissingInputIsALogicError) {
  EXPECT_THROW(Program({&x, 1}, Expressions{x * y}), std::logic_error);
  EXPECT_THROW(Program({&x, 1}, Expressions{y}), std::logic_error);
  EXPECT_THROW(Program({}, Expressions{sin(x)}), std::logic_error);
  EXPECT_NO_THROW(Program({&x, 1}, Expressions{x * x, 3.0}));
}

TEST_F(Programs, InputsComeInTheOrderGiven) {
  const Expression f = x - y;
  const Expressions reversed = {y, x};
  Evaluator<double> evaluate(Program(reversed, {&f, 1}));
  const std::array<double, 2> in = {1, 10};
  double out = 0;
  evaluate(in.data(), &out);
  EXPECT_EQ(out, 9.0);
}

TEST_F(Programs, AnInputMadeAfterTheOutputsIsIgnored) {
  const Expression f = x * y;
  const Expressions more = {x, y, graph.input()};
  Evaluator<double> evaluate(Program(more, {&f, 1}));
  const std::array<double, 3> in = {2, 3, 100};
  double out = 0;
  evaluate(in.data(), &out);
  EXPECT_EQ(out, 6.0);
}

TEST_F(Programs, ACopyOfAnEvaluatorWorksOnItsOwn) {
  const Expressions f = {sin(x) + 3.0 * y, 0.25};
  std::array<double, 2> a{}, b{};
  const std::array<double, 2> at_a = {0.5, 1}, at_b = {-1.5, 2};
  Evaluator<double> copy;
  {
    Evaluator<double> original(Program(inputs(), f));
    original(at_a.data(), a.data());
    copy = original;
    copy(at_b.data(), b.data());
    EXPECT_EQ(b[0], std::sin(-1.5) + 6.0);
    original(at_a.data(), a.data());
    EXPECT_EQ(a[0], std::sin(0.5) + 3.0);
  }
  copy(at_a.data(), b.data());  // the original is gone
  EXPECT_EQ(b, a);
  EXPECT_EQ(b[1], 0.25);
}

TEST_F(Programs, OutliveTheirGraph) {
  Program program;
  {
    ExpressionGraph graph;
    const Expression x = graph.input();
    const Expression f = x * x + 1.0;
    program = Program({&x, 1}, {&f, 1});
  }
  Evaluator<double> evaluate(program);
  const double in = 3;
  double out = 0;
  evaluate(&in, &out);
  EXPECT_EQ(out, 10.0);
}

TEST_F(Programs, ResultsDoNotDependOnEarlierRuns) {
  const Expressions f = {select(x < y, x / y, sqrt(x)), tan(x) * y};
  Evaluator<double> evaluate(Program(inputs(), f));
  const std::array<double, 2> nan = {std::nan(""), 0}, in = {4, 1};
  std::array<double, 2> out{};
  evaluate(nan.data(), out.data());
  evaluate(in.data(), out.data());
  EXPECT_EQ(out[0], 2.0);
  EXPECT_EQ(out[1], std::tan(4.0));
}

TEST_F(Programs, LanesHaveTheBitsOfDouble) {
  const Expression u = 0.5 + 0.3 * x;
  const Expressions f = {x + y,       x - y,     x * y,     x / y,
                         -x,          pow(u, y), sqrt(u),   exp(x),
                         log(u),      sin(x),    cos(x),    sin(x * y),
                         tan(x),      asin(u),   acos(u),   atan(x),
                         atan2(x, y), sinh(x),   cosh(x),   tanh(x),
                         abs(x),      min(x, y), max(x, y), x < y,
                         1.25,        cos(y),    x * x,     select(x < y, sin(y), x - 2.0)};
  const Program program(inputs(), f);
  using Eight = Lanes<8>;
  const hamel_lanes::ProgramView view = program.view();
  std::vector<Eight> slots(static_cast<std::size_t>(view.slots));
  for (int i = 0; i < view.constants; ++i)
    slots[view.constant_slots[i]] =
        Eight(static_cast<double>(program.constants()[static_cast<std::size_t>(i)]));
  const double xs[8] = {0.1, -0.2, 0.3, 0.45, -0.9, 0.0, 1.1, 0.7};
  const double ys[8] = {1.3, 0.2, -0.7, 0.45, 2.0, 0.5, -0.3, 0.1};
  const Eight in[2] = {Eight::load(xs), Eight::load(ys)};
  std::vector<Eight> out(f.size());
  evaluate(view, in, slots.data(), out.data());
  for (std::size_t lane = 0; lane < 8; ++lane) {
    const std::vector<double> alone = run<double>(f, xs[lane], ys[lane]);
    for (std::size_t i = 0; i < f.size(); ++i) {
      double found[8];
      out[i].store(found);
      if (std::isnan(alone[i])) {
        EXPECT_TRUE(std::isnan(found[lane])) << i;
      } else {
        EXPECT_EQ(found[lane], alone[i]) << i << ", lane " << lane;
      }
    }
  }
}

}  // namespace
}  // namespace hamel
