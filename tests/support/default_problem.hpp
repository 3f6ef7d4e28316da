// A catalogue system with its presets.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hamel/simulation/registry.hpp"

namespace hamel::test {

inline std::unique_ptr<Problem> default_problem(const SystemEntry& entry) {
  std::map<std::string, double> values;
  for (const auto& p : entry.parameters) values[p.name] = p.preset;
  int form = 0;
  for (std::size_t i = 0; i < entry.initial_forms.size(); ++i)
    if (entry.default_initial.values.contains(std::string(entry.initial_forms[i].front().name)))
      form = static_cast<int>(i);
  std::vector<std::string> notes;
  return entry.make(values, form, entry.default_initial, notes);
}

}  // namespace hamel::test
