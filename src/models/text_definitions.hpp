// SPDX-License-Identifier: BSD-3-Clause
// What systems given as text share: names, definitions in any order, problems with their place.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hamel/expressions/parse.hpp"
#include "hamel/models/frame_text.hpp"

namespace hamel {

/// The names that a formula contains.
std::set<std::string> names_in(const std::string& text);

/// Parses formulas and remembers what is wrong with them.
class TextParser {
 public:
  explicit TextParser(std::vector<TextProblem>& problems) : problems_(problems) {}

  NameTable names;

  void problem(const std::string& key, const std::string& text) {
    problems_.push_back({key, text});
  }
  std::size_t problems() const { return problems_.size(); }

  /// The expression, or 0 with a problem.
  Expression parse(const FormulaText& formula);
  /// A problem where the value contains one of the variables.
  void refuse(const FormulaText& formula, const Expression& value,
              std::span<const Expression> variables, const std::string& why);
  /// A problem where a Lagrangian is no more than linear in its velocities.
  void refuse_linear(const FormulaText& formula, const Expression& lagrangian,
                     const Expressions& velocities, const std::string& called);
  /// Definitions, each in terms of others in any order but not of itself.
  void define(const std::vector<std::pair<std::string, FormulaText>>& definitions);
  /// Keeps a name for what it will mean, e.g. "the time".
  void reserve(const std::string& name, const std::string& meaning);
  /// Takes a name for the thing of that key, e.g. "a parameter": a problem where it is none, or
  /// reserved, or in use.
  void take(const std::string& name, const std::string& key, const std::string& thing);

 private:
  struct Use {
    std::string meaning;
    std::string key;  // "" where it is reserved
  };
  std::map<std::string, Use> taken_;
  std::vector<TextProblem>& problems_;
};

}  // namespace hamel
