// SPDX-License-Identifier: BSD-3-Clause
// Any bytes as a formula: either an InputError of one problem, or an expression that can be
// differentiated twice, compiled and evaluated.
#include <array>
#include <limits>
#include <string>

#include "hamel/core/error.hpp"
#include "hamel/expressions/derivatives.hpp"
#include "hamel/expressions/discrete_gradient.hpp"
#include "hamel/expressions/parse.hpp"
#include "hamel/expressions/program.hpp"
#include "target.hpp"

namespace {

using namespace hamel;

constexpr std::size_t variables = 4;

/// The program at ordinary numbers and at the ends of their range.
template <class S>
void evaluate(const Program& program) {
  Evaluator<S> run(program);
  std::vector<S> out(static_cast<std::size_t>(program.outputs()));
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr std::array<std::array<double, variables>, 3> points = {
      {{0.3, -1.7, 2.0, 0.25}, {0.0, -0.0, 1e300, -1e-300}, {infinity, -infinity, 1.0, 0.0}}};
  for (const auto& point : points) {
    std::vector<S> in(point.begin(), point.end());
    in.insert(in.end(), point.rbegin(), point.rend());  // the other end of a discrete gradient
    run(in.data(), out.data());
  }
}

void try_formula(std::string_view text) {
  ExpressionGraph graph;
  std::vector<Expression> inputs;
  for (std::size_t i = 0; i < 2 * variables; ++i) inputs.push_back(graph.input());
  NameTable names = {
      {"x", inputs[0]}, {"y", inputs[1]}, {"x_dot", inputs[2]}, {"theta", inputs[3]}, {"m", 2.5}};
  Expression f;
  try {
    f = parse_expression(text, names);
  } catch (const InputError& error) {
    fuzz::require(error.problems().size() == 1, "a formula has one problem at a time");
    return;
  }
  fuzz::tally().accept();
  const std::span<const Expression> x(inputs.data(), variables);
  const std::span<const Expression> to(inputs.data() + variables, variables);
  Expressions outputs = {f};
  const Expressions first = gradient(f, x);
  outputs.insert(outputs.end(), first.begin(), first.end());
  const Expressions second = jacobian(first, x);
  outputs.insert(outputs.end(), second.begin(), second.end());
  if (without_discrete_gradient(f, x).empty()) {
    const Expressions slopes = discrete_gradient(f, x, x, to);
    outputs.insert(outputs.end(), slopes.begin(), slopes.end());
  }
  const Program program(inputs, outputs);
  evaluate<double>(program);
  if (program.instructions() < 1000) evaluate<Quad>(program);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::begin(size);
  try_formula({reinterpret_cast<const char*>(data), size});
  return 0;
}
