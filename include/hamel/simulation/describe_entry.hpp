// What every catalogue entry takes over from its system type.
#pragma once

#include <string>
#include <utility>

#include "hamel/simulation/problem.hpp"

namespace hamel {

template <class System>
SystemEntry describe_entry(std::string name) {
  SystemEntry entry;
  entry.name = std::move(name);
  entry.summary = System::summary;
  entry.equations = System::equations;
  entry.reference = System::reference;
  entry.recommended_method = System::recommended_method;
  const System preset{};
  for (const auto& p : System::parameters)
    entry.parameters.push_back({std::string(p.name), std::string(p.unit),
                                std::string(p.description), p.range, preset.*(p.member)});
  entry.default_initial = System::default_initial();
  entry.default_step = System::default_step;
  return entry;
}

}  // namespace hamel
