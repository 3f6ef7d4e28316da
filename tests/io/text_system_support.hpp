// SPDX-License-Identifier: BSD-3-Clause
// What tests of systems given as text share.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "hamel/core/error.hpp"
#include "hamel/scenario/scenario.hpp"

namespace hamel::io {

inline const Registry& registry() {
  static const Registry all = builtin_registry();
  return all;
}

inline Scenario parsed(const std::string& text) {
  return parse_scenario(text, "own.toml", {}, registry());
}

inline std::vector<std::string> problems(const std::string& text) {
  try {
    parsed(text);
  } catch (const InputError& error) {
    return error.problems();
  }
  return {};
}

inline bool mentions(const std::vector<std::string>& list, const std::string& what) {
  return std::ranges::any_of(list,
                             [&](const auto& p) { return p.find(what) != std::string::npos; });
}

}  // namespace hamel::io
