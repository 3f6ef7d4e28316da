// SPDX-License-Identifier: BSD-3-Clause
// A scenario as text again: what was read, with all values, and the template of a system.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "hamel/scenario/scenario.hpp"
#include "sweep_keys.hpp"
#include "text_parts.hpp"
#include "text_system.hpp"

namespace hamel::io {

std::string shortest(double x) {
  if (!std::isfinite(x)) return std::isnan(x) ? "nan" : x > 0.0 ? "inf" : "-inf";
  char buffer[40];
  const char* end = std::to_chars(buffer, buffer + sizeof buffer, x).ptr;
  std::string text(static_cast<const char*>(buffer), end);
  // TOML tells integers from floats by the point
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

namespace {

std::string list_of(const std::vector<double>& values) {
  std::string text;
  for (const double x : values) text += (text.empty() ? "" : ", ") + shortest(x);
  return "[" + text + "]";
}

/// The line that gives this value; nothing for a list that was not given.
std::string parameter_line(const ParameterInfo& p, const SystemValues& values) {
  switch (p.kind) {
    case ParameterInfo::Kind::text:
      return p.name + " = " + toml_quoted(values.texts.at(p.name)) + "\n";
    case ParameterInfo::Kind::number:
      return p.name + " = " + shortest(values.numbers.at(p.name)) + "\n";
    case ParameterInfo::Kind::count:
      if (values.numbers.at(p.name) < p.least) break;  // given by a list
      return fmt::format("{} = {:.0f}\n", p.name, values.numbers.at(p.name));
    case ParameterInfo::Kind::list:
      if (const auto found = values.lists.find(p.name); found != values.lists.end())
        return p.name + " = " + list_of(found->second) + "\n";
      break;
    case ParameterInfo::Kind::drive:
      if (const auto found = values.drives.find(p.name); found != values.drives.end()) {
        std::string list;
        for (const auto& formula : found->second)
          list += (list.empty() ? "" : ", ") + toml_quoted(formula);
        return p.name + " = [" + list + "]\n";
      }
      break;
  }
  return "";
}

/// A parameter at its preset, with what it means; those without a preset as a comment.
std::string template_line(const ParameterInfo& p) {
  switch (p.kind) {
    case ParameterInfo::Kind::text:
      return fmt::format("{} = {}  # {}, a function of {}\n", p.name, toml_quoted(p.preset_text),
                         p.description, p.unit);
    case ParameterInfo::Kind::number:
      return fmt::format("{} = {}  # {}, {}\n", p.name, shortest(p.preset), p.unit, p.description);
    case ParameterInfo::Kind::count:
      return fmt::format("{} = {:.0f}  # {}\n", p.name, p.preset, p.description);
    case ParameterInfo::Kind::list:
      return fmt::format("# {} = […]  # {}, {}\n", p.name, p.unit, p.description);
    case ParameterInfo::Kind::drive:
      return fmt::format("# {} = [\"0\", \"0\", \"0\"]  # {}, {}; formulas in t\n", p.name, p.unit,
                         p.description);
  }
  return "";
}

}  // namespace

std::string Scenario::to_toml(const MethodSpec& method) const {
  std::string text;
  if (text_system) {
    text = to_toml_text(*text_system);
  } else if (spheres_text) {
    text = to_toml_text(*spheres_text);
  } else {
    text = fmt::format("[system]\nname = \"{}\"\n", system->name);
    for (const auto& p : system->parameters) text += parameter_line(p, parameters);
  }
  text += "[initial]\n";
  for (const auto& [key, values] : initial.values) text += key + " = " + list_of(values) + "\n";
  if (!initial.normalise) text += "normalise = false\n";
  text += fmt::format("[integrate]\nmethod = \"{}\"\nstep = {}\nsteps = {}\n", method.text,
                      shortest(integration.step), steps);
  if (integration.compensated) text += "compensated = true\n";
  if (integration.solver.tolerance > 0.0)
    text += "tolerance = " + shortest(integration.solver.tolerance) + "\n";
  text += fmt::format("[output]\nevery = {}\n", every);
  if (invariants_every > 0) text += fmt::format("invariants_every = {}\n", invariants_every);
  if (sweep) text += to_toml_text(*sweep);
  return text;
}

std::string scenario_template(const SystemEntry& system) {
  std::string text =
      fmt::format("# {}: {}\n[system]\nname = \"{}\"\n", system.name, system.summary, system.name);
  for (const auto& p : system.parameters) text += template_line(p);
  text += "\n[initial]\n";
  if (!system.default_start.empty()) text += "# default: " + system.default_start + "\n";
  for (const auto& field : system.initial_forms[static_cast<std::size_t>(default_form(system))]) {
    const auto found = system.default_initial.values.find(std::string(field.name));
    const std::string unit = field.unit.empty() ? "" : std::string(field.unit) + ", ";
    if (found != system.default_initial.values.end())
      text += fmt::format("{}{} = {}  # {}{}\n", system.at ? "# " : "", field.name,
                          list_of(found->second), unit, field.description);
  }
  const double steps =
      system.horizon > 0.0 ? std::min(10000.0, system.horizon / system.default_step) : 10000.0;
  text += fmt::format(
      "\n[integrate]\nmethod = \"{}\"\nstep = {}  # s\nsteps = {:.0f}  # or until = {}\n"
      "\n[output]\nevery = 1\n",
      system.recommended_method, shortest(system.default_step), steps,
      shortest(steps * system.default_step));
  return text;
}

}  // namespace hamel::io
