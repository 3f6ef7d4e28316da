// SPDX-License-Identifier: BSD-3-Clause
// What every catalogue entry takes over from its system type.
#pragma once

#include <string>
#include <utility>

#include "hamel/runs/problem.hpp"

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
  const auto add = [&](const auto& p, std::string_view unit) -> ParameterInfo& {
    ParameterInfo info;
    info.name = p.name;
    info.unit = unit;
    info.description = p.description;
    entry.parameters.push_back(std::move(info));
    return entry.parameters.back();
  };
  using Kind = ParameterInfo::Kind;
  if constexpr (requires { System::counts; })
    for (const auto& p : System::counts) {
      ParameterInfo& info = add(p, "1");
      info.kind = Kind::count;
      info.preset = preset.*(p.member);
      info.least = p.least;
      info.most = p.most;
    }
  for (const auto& p : System::parameters) {
    ParameterInfo& info = add(p, p.unit);
    info.range = p.range;
    info.preset = static_cast<double>(preset.*(p.member));
  }
  if constexpr (requires { System::lists; })
    for (const auto& p : System::lists) {
      ParameterInfo& info = add(p, p.unit);
      info.kind = Kind::list;
      info.range = p.range;
      info.sizes = p.sizes;
    }
  if constexpr (requires { System::texts; })
    for (const auto& p : System::texts) {
      ParameterInfo& info = add(p, p.variables);
      info.kind = Kind::text;
      info.preset_text = preset.*(p.member);
    }
  if constexpr (requires { System::drives; })
    for (const auto& p : System::drives) add(p, p.unit).kind = Kind::drive;
  if constexpr (requires { System::default_initial(); })
    entry.default_initial = System::default_initial();
  entry.default_step = System::default_step;
  return entry;
}

/// The system with the values that a user gave.
template <class System>
System with_values(const SystemValues& values) {
  System system;
  for (const auto& p : System::parameters)
    system.*(p.member) = values.numbers.at(std::string(p.name));
  if constexpr (requires { System::counts; })
    for (const auto& p : System::counts)
      system.*(p.member) = static_cast<int>(values.numbers.at(std::string(p.name)));
  if constexpr (requires { System::lists; })
    for (const auto& p : System::lists)
      if (const auto found = values.lists.find(std::string(p.name)); found != values.lists.end())
        system.*(p.member) = found->second;
  if constexpr (requires { System::texts; })
    for (const auto& p : System::texts) system.*(p.member) = values.texts.at(std::string(p.name));
  if constexpr (requires { System::drives; })
    for (const auto& p : System::drives)
      if (const auto found = values.drives.find(std::string(p.name)); found != values.drives.end())
        system.*(p.member) = found->second;
  return system;
}

}  // namespace hamel
