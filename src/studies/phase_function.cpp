// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/studies/phase_function.hpp"

#include <memory>

#include "hamel/core/error.hpp"
#include "hamel/expressions/parse.hpp"

namespace hamel {

std::vector<std::string> phase_names(const PhaseSpace& space) {
  std::vector<std::string> names = space.coordinates;
  const std::size_t fields = space.size() - names.size();
  if (space.spheres == 0) {
    for (std::size_t i = 0; i < fields; ++i) names.push_back("xi" + std::to_string(i + 1));
    return names;
  }
  for (const std::string letter : {"q", "omega"})
    for (int i = 0; i < 3 * space.spheres; ++i)
      names.push_back(space.spheres == 1
                          ? letter + std::to_string(i + 1)
                          : letter + std::to_string(i / 3 + 1) + "_" + std::to_string(i % 3 + 1));
  return names;
}

PhaseFunction::PhaseFunction(std::string_view text, const PhaseSpace& space) {
  ExpressionGraph graph;
  NameTable names;
  std::vector<Expression> inputs;
  for (const std::string& name : phase_names(space)) {
    inputs.push_back(graph.input());
    names.emplace(name, inputs.back());
  }
  const std::size_t n = space.coordinates.size();
  for (std::size_t b = 0; space.natural && b < n; ++b)
    names.emplace(space.coordinates[b] + "_dot", inputs[n + b]);
  const Expression formula = parse_expression(text, names);
  if (formula.is_constant())
    throw InputError("'" + clipped(text) + "' is the same for every state");
  evaluate_ = Evaluator<double>(Program(inputs, {&formula, 1}));
}

}  // namespace hamel
