// SPDX-License-Identifier: BSD-3-Clause

#include "text_definitions.hpp"

#include <algorithm>
#include <cctype>

#include "hamel/core/error.hpp"
#include "hamel/expressions/derivatives.hpp"

namespace hamel {

std::set<std::string> names_in(const std::string& text) {
  std::set<std::string> names;
  std::string word;
  bool number = false;  // the e of 1e5 is no name
  for (const char c : text + " ") {
    const bool letter = std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (letter || digit || (number && c == '.')) {
      if (word.empty()) number = digit;
      word += c;
    } else {
      if (!word.empty() && !number) names.insert(word);
      word.clear();
      number = false;
    }
  }
  return names;
}

Expression TextParser::parse(const FormulaText& formula) {
  try {
    return parse_expression(formula.text, names);
  } catch (const InputError& error) {
    problem(formula.key, error.what());
    return 0.0;
  }
}

void TextParser::refuse(const FormulaText& formula, const Expression& value,
                        std::span<const Expression> variables, const std::string& why) {
  if (depends_on(value, variables)) problem(formula.key, why);
}

void TextParser::refuse_linear(const FormulaText& formula, const Expression& lagrangian,
                               const Expressions& velocities, const std::string& called) {
  const Expressions momenta = gradient(lagrangian, velocities);
  if (std::ranges::none_of(momenta, [&](const auto& p) { return depends_on(p, velocities); }))
    problem(formula.key,
            "is linear in the " + called +
                ": there is no kinetic energy and no mass matrix; its equations are of "
                "first order, which no method here integrates");
}

void TextParser::define(const std::vector<std::pair<std::string, FormulaText>>& definitions) {
  std::set<std::string> waiting;
  for (const auto& [name, formula] : definitions) waiting.insert(name);
  bool progress = true;
  while (!waiting.empty() && progress) {
    progress = false;
    for (const auto& [name, formula] : definitions) {
      if (!waiting.contains(name)) continue;
      const std::set<std::string> used = names_in(formula.text);
      if (std::ranges::any_of(used, [&](const auto& u) { return waiting.contains(u); })) continue;
      names[name] = parse(formula);
      waiting.erase(name);
      progress = true;
    }
  }
  for (const auto& [name, formula] : definitions)
    if (waiting.contains(name)) {
      problem(formula.key, "is defined in terms of itself");
      names[name] = 0.0;
    }
}

void TextParser::reserve(const std::string& name, const std::string& meaning) {
  taken_.insert({name, {meaning, ""}});
}

void TextParser::take(const std::string& name, const std::string& key, const std::string& thing) {
  if (!is_name(name))
    problem(key, "'" + clipped(name) + "' is not a name: letters, digits and _, not a digit first");
  else if (is_reserved(name))
    problem(key, "'" + name + "' is reserved: it is a " + (name == "pi" ? "constant" : "function") +
                     " of formulas; choose another name");
  else if (const auto [use, added] = taken_.insert({name, {thing, key}}); added)
    return;
  else if (use->second.key.empty())
    problem(key, "'" + name + "' is reserved: it is " + use->second.meaning +
                     "; choose another name for " + thing);
  else
    problem(key, "'" + name + "' is " + use->second.meaning + " already (" + use->second.key +
                     "); choose another name for one of them");
}

}  // namespace hamel
