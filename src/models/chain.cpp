// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/models/chain.hpp"

#include <memory>
#include <utility>

#include "drive_expressions.hpp"
#include "hamel/core/error.hpp"
#include "hamel/expressions/parse.hpp"
#include "hamel/expressions/program.hpp"

namespace hamel {

DriveExpressions drive_expressions(const DriveFormulas& formulas, const Expression& t) {
  const NameTable names = {{"t", t}};
  std::vector<std::string> problems;
  const auto parsed = [&](const char* name, const std::vector<std::string>& texts) {
    Expressions values(3);
    for (std::size_t c = 0; c < texts.size(); ++c) {
      try {
        values[c] = parse_expression(texts[c], names);
      } catch (const InputError& error) {
        problems.push_back("system." + std::string(name) + "[" + std::to_string(c + 1) +
                           "]: " + error.what());
      }
    }
    return values;
  };
  DriveExpressions e{parsed("base_torque", formulas.base_torque),
                     parsed("tip_force", formulas.tip_force), parsed("base", formulas.base)};
  if (!problems.empty()) throw InputError(problems);
  return e;
}

void set_drive(Chain& chain, DriveFormulas formulas) {
  chain.drive_formulas = std::move(formulas);
  chain.drive = {};
  if (!chain.drive_formulas.given()) return;
  const auto graph = std::make_shared<ExpressionGraph>();
  const Expression t = graph->input();
  const DriveExpressions e = drive_expressions(chain.drive_formulas, t);
  const Expressions velocity = derivative(e.base, t);
  Expressions outputs = e.base_torque;
  for (const Expressions& more : {e.tip_force, derivative(velocity, t), velocity, e.base})
    outputs.insert(outputs.end(), more.begin(), more.end());
  // Every copy of the function has an evaluator of its own: threads that copy it share nothing.
  chain.drive = [evaluate = Evaluator<double>(Program({&t, 1}, outputs))](double time) mutable {
    double out[15];
    evaluate(&time, out);
    ChainDrive drive;
    for (int c = 0; c < 3; ++c) {
      drive.base_torque[c] = out[c];
      drive.tip_force[c] = out[3 + c];
      drive.base_acceleration[c] = out[6 + c];
      drive.base_velocity[c] = out[9 + c];
      drive.base[c] = out[12 + c];
    }
    return drive;
  };
}

std::vector<double> for_each_link(const char* name, const std::vector<double>& list, double value,
                                  int n) {
  if (list.empty()) return std::vector<double>(static_cast<std::size_t>(n), value);
  if (list.size() != static_cast<std::size_t>(n))
    throw InputError("system." + std::string(name) + " has " + std::to_string(list.size()) +
                     " entries for " + std::to_string(n) + " links");
  return list;
}

}  // namespace hamel
