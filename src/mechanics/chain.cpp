#include "hamel/mechanics/chain.hpp"

#include <memory>

#include "hamel/core/error.hpp"
#include "hamel/expressions/derivatives.hpp"
#include "hamel/expressions/parse.hpp"
#include "hamel/expressions/program.hpp"

namespace hamel {

std::function<ChainDrive(double t)> chain_drive(const std::vector<std::string>& base_torque,
                                                const std::vector<std::string>& tip_force,
                                                const std::vector<std::string>& base) {
  if (base_torque.empty() && tip_force.empty() && base.empty()) return {};
  const auto graph = std::make_shared<ExpressionGraph>();
  const Expression t = graph->input();
  const NameTable names = {{"t", t}};
  std::vector<std::string> problems;
  const auto parsed = [&](const char* name, const std::vector<std::string>& formulas) {
    Expressions values(3);
    for (std::size_t c = 0; c < formulas.size(); ++c) {
      try {
        values[c] = parse_expression(formulas[c], names);
      } catch (const InputError& error) {
        problems.push_back("system." + std::string(name) + "[" + std::to_string(c + 1) +
                           "]: " + error.what());
      }
    }
    return values;
  };
  Expressions outputs = parsed("base_torque", base_torque);
  const Expressions force = parsed("tip_force", tip_force);
  const Expressions acceleration = derivative(derivative(parsed("base", base), t), t);
  if (!problems.empty()) throw InputError(problems);
  outputs.insert(outputs.end(), force.begin(), force.end());
  outputs.insert(outputs.end(), acceleration.begin(), acceleration.end());
  // Every copy of the function has an evaluator of its own: threads share nothing.
  return [evaluate = Evaluator<double>(Program({&t, 1}, outputs))](double time) mutable {
    double out[9];
    evaluate(&time, out);
    ChainDrive drive;
    for (int c = 0; c < 3; ++c) {
      drive.base_torque[c] = out[c];
      drive.tip_force[c] = out[3 + c];
      drive.base_acceleration[c] = out[6 + c];
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
