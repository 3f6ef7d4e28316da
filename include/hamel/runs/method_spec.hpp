// SPDX-License-Identifier: BSD-3-Clause
// The text form of a method: `name(option=value,…)+composition`, the same everywhere.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "hamel/stepping/composition.hpp"

namespace hamel {

struct MethodSpec {
  std::string text;  ///< as the user wrote it, without blanks; echoed in every output
  std::string name;
  std::map<std::string, std::string> options;
  Composition composition = Composition::none;

  /// Throws InputError pointing at what is wrong.
  static MethodSpec parse(std::string_view text);
};

/// "unknown method 'NAME'", as every refusal of one begins.
std::string unknown_method(const std::string& name);

/// Splits `a,b(x=1,y=2),c+kl8` at the commas outside parentheses; empty items are an error.
std::vector<MethodSpec> parse_methods(std::string_view list);

}  // namespace hamel
