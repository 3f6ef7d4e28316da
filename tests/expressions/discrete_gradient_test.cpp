// SPDX-License-Identifier: BSD-3-Clause
// Discrete gradients: the identity between two ends, in Quad, for every function and for ends that
// meet.
#include "hamel/expressions/discrete_gradient.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "expressions/random_formula.hpp"
#include "hamel/core/error.hpp"
#include "hamel/core/vec.hpp"
#include "hamel/expressions/parse.hpp"
#include "hamel/expressions/program.hpp"

namespace hamel {
namespace {

using Numbers = std::vector<Quad>;

double size(Quad x) { return static_cast<double>(abs(x)); }

/// f(x, y, z), its gradient and Hessian, its discrete gradient and the derivative of that by `to`.
class Case {
 public:
  static constexpr std::size_t n = 3;

  explicit Case(const char* text) : Case() {
    setup(parse_expression(text, {{"x", x_[0]}, {"y", x_[1]}, {"z", x_[2]}, {"c", c_}}));
  }
  template <class F>
  explicit Case(const F& f) : Case() {
    setup(f(x_));
  }

  Quad value(const Numbers& x) { return run(f_, x).front(); }
  Numbers gradient_at(const Numbers& x) { return run(gradient_, x); }
  Numbers hessian_at(const Numbers& x) { return run(hessian_, x); }
  Numbers discrete(const Numbers& from, const Numbers& to) { return run(discrete_, from, to); }
  Numbers by_to(const Numbers& from, const Numbers& to) { return run(by_to_, from, to); }

 private:
  Case() {
    for (auto* list : {&x_, &from_, &to_})
      for (std::size_t i = 0; i < n; ++i) list->push_back(graph_.input());
    c_ = graph_.input();
  }
  void setup(const Expression& f) {
    const Expressions D = discrete_gradient(f, x_, from_, to_);
    const Expressions g = gradient(f, x_);
    Expressions at = x_;
    at.push_back(c_);
    Expressions between = from_;
    between.insert(between.end(), to_.begin(), to_.end());
    between.push_back(c_);
    f_ = Evaluator<Quad>(Program(at, {{f}}));
    gradient_ = Evaluator<Quad>(Program(at, g));
    hessian_ = Evaluator<Quad>(Program(at, jacobian(g, x_)));
    discrete_ = Evaluator<Quad>(Program(between, D));
    by_to_ = Evaluator<Quad>(Program(between, jacobian(D, to_)));
  }
  static Numbers run(Evaluator<Quad>& program, Numbers in, const Numbers& more = {}) {
    in.insert(in.end(), more.begin(), more.end());
    in.push_back(Quad(0.7));  // c, which stays
    Numbers out(n * n);
    program(in.data(), out.data());
    return out;
  }

  ExpressionGraph graph_;
  Expressions x_, from_, to_;
  Expression c_;
  Evaluator<Quad> f_, gradient_, hessian_, discrete_, by_to_;
};

constexpr const char* functions[] = {
    "x",
    "x*y - y*z + 3*z*z",
    "x/y + z/(x + 2)",
    "c/x - x/c",
    "x^3 - y^5*z",
    "x^(-7) + (y*z)^(-2)",
    "(x + y)^24 / 1e9",
    "(x - 3*z)^17",
    "y^(-19)",
    "(x*x + y*y + z*z)^1.5",
    "(x*x + y*y)^(-2.5)",
    "(x + z)^1.37 + y^(-0.3)",
    "x^y + c^z + z^c",
    "sqrt(x*y + z)",
    "exp(-x*y) + exp(3*z)",
    "log(x) + log(y + z*z)",
    "sin(3*x) * cos(y*z)",
    "tan(x/3) + tan(y - z)",
    "asin(x/4) + acos(0.3*y)",
    "atan(x) - atan(3*y - 2*z)",
    "sinh(x) * cosh(y - z)",
    "tanh(x*z)",
    "abs(x - 2) * z",
    "min(x, 2 - y) + max(z, c)",
    "(sqrt((x - y)*(x - y) + z*z) - c)^2",
    "(1.2 - x*y)^(-12) - (1.2 - x*y)^(-6)",
    "exp(sin(x*y)) / (1 + log(z)^2)",
};
const Numbers start = {0.8, 0.6, 1.1};
const Numbers direction = {0.3, 0.7, -0.2};
constexpr double apart[] = {1.0, 0.3, 1e-2, 1e-3, 3e-4, 1e-8, 1e-16, 1e-25, 0.0};

Numbers moved(const Numbers& x, Quad by) {
  Numbers y = x;
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += by * direction[i];
  return y;
}

// [MATH 7.3]: Σ D_i Δx_i = Δf, to 1e-30 of the terms; the same D for the ends exchanged.
TEST(DiscreteGradient, GivesTheDifferenceOfTheEnds) {
  for (const char* text : functions) {
    Case f(text);
    for (const double by : apart) {
      const Numbers end = moved(start, by);
      const Numbers D = f.discrete(start, end);
      const Numbers reversed = f.discrete(end, start);
      Quad sum = f.value(start) - f.value(end);
      Quad scale = Quad(1) + abs(f.value(start)) + abs(f.value(end));
      for (std::size_t i = 0; i < Case::n; ++i) {
        sum += D[i] * (end[i] - start[i]);
        scale += abs(D[i]);
      }
      EXPECT_LE(size(sum / scale), 1e-30) << text << " " << by;
      for (std::size_t i = 0; i < Case::n; ++i)
        EXPECT_LE(size((D[i] - reversed[i]) / scale), 1e-30) << text << " " << by;
    }
  }
}

// D = ∇f(midpoint) + O(Δ²), its derivative by one end ½∇²f + O(Δ): no digit is lost as they meet.
TEST(DiscreteGradient, MeetsTheGradient) {
  for (const char* text : functions) {
    Case f(text);
    for (const double by : apart) {
      if (by > 1e-2) continue;
      const Numbers end = moved(start, by);
      const Numbers middle = moved(start, Quad(0.5) * Quad(by));
      const Numbers D = f.discrete(start, end), g = f.gradient_at(middle);
      const Numbers D_to = f.by_to(start, end), H = f.hessian_at(middle);
      Quad scale = 1;
      for (std::size_t k = 0; k < Case::n * Case::n; ++k) scale = max(scale, abs(H[k]));
      for (std::size_t i = 0; i < Case::n; ++i)
        EXPECT_LE(size((D[i] - g[i]) / scale), 1e-30 + 300 * by * by) << text << " " << by;
      for (std::size_t k = 0; k < Case::n * Case::n; ++k)
        EXPECT_LE(size((D_to[k] - H[k] / Quad(2)) / scale), 1e-28 + 100 * by) << text << " " << by;
    }
  }
}

TEST(DiscreteGradient, IsTheMidpointGradientOfQuadratics) {
  Case f("x*x - 3*x*y + c*y*z + 2*z");
  const Numbers end = moved(start, 5.0);
  const Numbers D = f.discrete(start, end), g = f.gradient_at(moved(start, 2.5));
  for (std::size_t i = 0; i < Case::n; ++i) EXPECT_LE(size(D[i] - g[i]), 1e-32);
}

// A function that jumps, or whose branch moves, is refused by its name; one that stays is not.
TEST(DiscreteGradient, RefusesWhatHasNone) {
  try {
    Case f("x*atan2(y, z)");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "'atan2' has no discrete gradient");
  }
  const auto branching = [](const Expressions& x) { return select(x[0] < x[1], x[2], 1.0); };
  EXPECT_THROW(Case{branching}, InputError);
  EXPECT_NO_THROW(Case("x*atan2(c, 1)"));

  ExpressionGraph graph;
  const Expressions x = {graph.input()}, ends = {graph.input(), graph.input()};
  const Expression c = graph.input();
  const Expressions D = discrete_gradient(select(c < 0.0, x[0] * x[0], 5.0 * x[0]), x,
                                          {ends.data(), 1}, {ends.data() + 1, 1});
  Evaluator<Quad> program(Program(Expressions{ends[0], ends[1], c}, D));
  Quad in[] = {1, 2, -1}, out;
  program(in, &out);
  EXPECT_EQ(size(out), 3.0);
  in[2] = 1;
  program(in, &out);
  EXPECT_EQ(size(out), 5.0);
}

// Ends that are the same expressions, and constants at an end.
TEST(DiscreteGradient, TakesAnyExpressionsAsEnds) {
  ExpressionGraph graph;
  const Expressions x = {graph.input(), graph.input()};
  const Expression f = x[0] * x[0] * x[1] + sin(x[1]);
  const Expressions to = {3.0 * x[0], x[1]};
  const Expressions D = discrete_gradient(f, x, x, to);
  Evaluator<Quad> program(Program(x, D));
  const Quad in[] = {2, 5};
  Quad out[2];
  program(in, out);
  EXPECT_LE(size(out[0] - Quad(40)), 1e-31);                   // (36 − 4)·5/4
  EXPECT_LE(size(out[1] - (Quad(20) + cos(Quad(5)))), 1e-31);  // mean of x², slope of sin
  const Expressions fixed = {1.0, 2.0};
  const Expressions to_fixed = discrete_gradient(f, x, fixed, fixed);
  EXPECT_LE(size(to_fixed[0].value() - Quad(4)), 1e-31);
}

// Of functions of dot products: rotating both ends rotates D.                    [MATH 7.3]
TEST(DiscreteGradient, TurnsWithTheEnds) {
  Case f([](const Expressions& x) {
    const Expression r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    return exp(-r) / r + pow(r, -1.7);
  });
  const auto turned = [](const Numbers& a) {  // exactly, by 3-4-5
    return Numbers{(Quad(3) * a[0] - Quad(4) * a[1]) / Quad(5),
                   (Quad(4) * a[0] + Quad(3) * a[1]) / Quad(5), a[2]};
  };
  const Numbers end = moved(start, 0.6);
  const Numbers D = turned(f.discrete(start, end)), there = f.discrete(turned(start), turned(end));
  for (std::size_t i = 0; i < Case::n; ++i) EXPECT_LE(size(D[i] - there[i]), 1e-31);
}

// Random formulas of every operation, between ends close enough to stay clear of kinks.
RC_GTEST_PROP(DiscreteGradient, HoldsForRandomFormulas, ()) {
  const formulas::Formula formula = formulas::random_formula(14);
  formulas::Traced traced(formula);
  const Expression f = traced.steps.back();
  if (!without_discrete_gradient(f, traced.x).empty()) RC_DISCARD("atan2 or select");
  Expressions between;
  for (int i = 0; i < 2 * formulas::variables; ++i) between.push_back(traced.graph.input());
  const auto ends = std::span<const Expression>(between);
  const Expressions D = discrete_gradient(f, traced.x, ends.first(formulas::variables),
                                          ends.subspan(formulas::variables));
  formulas::Point<Quad> from, to;
  Numbers in, out(D.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    from[i] = formula.at[i];
    to[i] = from[i] + Quad(1e-6) * direction[i];
  }
  in.assign(from.begin(), from.end());
  in.insert(in.end(), to.begin(), to.end());
  Evaluator<Quad>(Program(between, D))(in.data(), out.data());
  Quad sum = computed(formula, from).back() - computed(formula, to).back();
  Quad scale = 1;
  for (std::size_t i = 0; i < out.size(); ++i) {
    sum += out[i] * (to[i] - from[i]);
    scale += abs(out[i]);
  }
  RC_ASSERT(size(sum / scale) <= 1e-26);  // slopes up to 1e6 inside the formula
}

}  // namespace
}  // namespace hamel
