// SPDX-License-Identifier: BSD-3-Clause
// Random formulas over every operation, written down once and computed in any scalar: double, Quad,
// Dual, Expression. They stay away from poles, kinks and cuts at the point they come with, so that
// they can be differentiated there.
#pragma once

#include <rapidcheck.h>

#include <array>
#include <span>
#include <vector>

#include "hamel/autodiff/dual.hpp"
#include "hamel/expressions/expression.hpp"

// Inside hamel, because outside of it sin(x) of a long double or Quad is the sin(double) of C.
namespace hamel::formulas {

inline constexpr int variables = 3;

template <class S>
using Point = std::array<S, variables>;

/// One operation on the results of earlier steps.
struct Step {
  Op op;
  int a, b, c;
  double constant;  ///< of Op::constant
};

struct Formula {
  Point<double> at;         ///< where it is tame
  std::vector<Step> steps;  ///< the first ones are the variables
};

/// As Evaluator defines them; select(a, b, c) stands for select(a < 0.5, b, c).
template <class S>
S operate(Op op, const S& a, const S& b, const S& c) {
  switch (op) {
    case Op::add: return a + b;
    case Op::sub: return a - b;
    case Op::mul: return a * b;
    case Op::div: return a / b;
    case Op::neg: return -a;
    case Op::pow: return pow(a, b);
    case Op::sqrt: return sqrt(a);
    case Op::exp: return exp(a);
    case Op::log: return log(a);
    case Op::sin: return sin(a);
    case Op::cos: return cos(a);
    case Op::tan: return tan(a);
    case Op::asin: return asin(a);
    case Op::acos: return acos(a);
    case Op::atan: return atan(a);
    case Op::atan2: return atan2(a, b);
    case Op::sinh: return sinh(a);
    case Op::cosh: return cosh(a);
    case Op::tanh: return tanh(a);
    case Op::abs: return abs(a);
    case Op::min: return min(a, b);
    case Op::max: return max(a, b);
    case Op::less: return select(a < b, S(1.0), S(0.0));
    case Op::select: return select(a < S(0.5), b, c);
    case Op::constant:
    case Op::input: break;
  }
  return a;
}

/// The results of all steps.
template <class S>
std::vector<S> computed(const Formula& formula, const Point<S>& x) {
  std::vector<S> results;
  for (const Step& step : formula.steps) {
    const auto result = [&](int i) {
      return i < 0 ? S(0.0) : results[static_cast<std::size_t>(i)];
    };
    if (step.op == Op::input) {
      results.push_back(x[results.size()]);
    } else if (step.op == Op::constant) {
      results.push_back(S(step.constant));
    } else {
      results.push_back(operate(step.op, result(step.a), result(step.b), result(step.c)));
    }
  }
  return results;
}

/// Whether the operation is smooth near these operands, with a margin.
inline bool is_tame(Op op, Quad a, Quad b, bool constant_b) {
  const Quad margin = 0.01, pole = 0.1;
  switch (op) {
    case Op::div: return abs(b) > pole;
    case Op::pow:
      if (constant_b && b == Quad(static_cast<int>(b))) return abs(a) > pole;
      return a > pole && abs(b) < 4;
    case Op::sqrt:
    case Op::log: return a > pole;
    case Op::exp:
    case Op::sinh:
    case Op::cosh: return abs(a) < 3;
    case Op::tan: return abs(cos(a)) > Quad(0.3);
    case Op::asin:
    case Op::acos: return abs(a) < Quad(0.9);
    case Op::atan2: return a * a + b * b > pole && (b > 0 || abs(a) > margin);
    case Op::abs: return abs(a) > margin;
    case Op::min:
    case Op::max:
    case Op::less: return abs(a - b) > margin;
    case Op::select: return abs(a - Quad(0.5)) > margin;
    default: return true;
  }
}

/// A formula of so many steps, fewer where luck runs out. Drawn from RapidCheck.
inline Formula random_formula(int length) {
  const auto below = [](int n) { return *rc::gen::resize(1000, rc::gen::inRange(0, n)); };
  constexpr std::array constants = {0.0, 1.0,  -1.0, 0.5,  -0.5, 2.0,  -2.0,
                                    3.0, -3.0, 0.1,  -1.7, 16.0, 17.0, 2.5};
  Formula formula;
  for (double& x : formula.at) x = (below(257) - 128) / 64.0;
  for (int i = 0; i < variables; ++i) formula.steps.push_back({Op::input, -1, -1, -1, 0});
  std::vector<Quad> values(formula.at.begin(), formula.at.end());
  for (int tries = 10 * length; tries > 0 && static_cast<int>(values.size()) < length; --tries) {
    const auto op = static_cast<Op>(below(static_cast<int>(Op::select) + 1));
    const auto any = [&] { return below(static_cast<int>(values.size())); };
    Step step = {op, any(), any(), any(), 0};
    if (op == Op::input) continue;
    if (op == Op::constant) {
      step.constant = constants[static_cast<std::size_t>(below(constants.size()))];
      values.push_back(step.constant);
    } else {
      const auto value = [&](int i) { return values[static_cast<std::size_t>(i)]; };
      const bool constant_b = formula.steps[static_cast<std::size_t>(step.b)].op == Op::constant;
      if (!is_tame(op, value(step.a), value(step.b), constant_b)) continue;
      const Quad result = operate(op, value(step.a), value(step.b), value(step.c));
      if (!(abs(result) < 50)) continue;
      values.push_back(result);
    }
    formula.steps.push_back(step);
  }
  return formula;
}

/// How far the results in double may be from the true ones when every step rounds once:
///   E = eps·|v| + Σ |∂v/∂a|·E_a over the operands a.
inline std::vector<Quad> rounding_bounds(const Formula& formula) {
  using D = Dual<Quad, 3>;
  Point<Quad> x;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = formula.at[i];
  const std::vector<Quad> values = computed(formula, x);
  std::vector<Quad> bounds;
  for (const Step& step : formula.steps) {
    if (step.op == Op::input || step.op == Op::constant) {
      bounds.push_back(0);
      continue;
    }
    const std::array ids = {static_cast<std::size_t>(step.a), static_cast<std::size_t>(step.b),
                            static_cast<std::size_t>(step.c)};
    const D result = operate(step.op, D::variable(values[ids[0]], 0),
                             D::variable(values[ids[1]], 1), D::variable(values[ids[2]], 2));
    Quad bound = Quad(Epsilon<double>::value) * abs(result.v);
    for (int i = 0; i < operands(step.op); ++i)
      if (bounds[ids[static_cast<std::size_t>(i)]] > 0)
        bound += abs(result.d[i]) * bounds[ids[static_cast<std::size_t>(i)]];
    bounds.push_back(bound);
  }
  return bounds;
}

/// The formula as expressions of a graph.
struct Traced {
  explicit Traced(const Formula& formula) {
    for (auto& variable : x) variable = graph.input();
    steps = computed(formula, x);
  }
  ExpressionGraph graph;
  Point<Expression> x;
  std::vector<Expression> steps;
};

}  // namespace hamel::formulas
