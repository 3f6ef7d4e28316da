// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/catalogue/registry.hpp"

#include <algorithm>

#include "hamel/core/error.hpp"

namespace hamel {

void Registry::add(SystemEntry entry) {
  for (const auto& known : systems_)
    if (known.name == entry.name) throw InputError("a system '" + entry.name + "' exists already");
  systems_.push_back(std::move(entry));
  std::sort(systems_.begin(), systems_.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
}

const SystemEntry& Registry::system(std::string_view name) const {
  std::vector<std::string> names;
  for (const auto& entry : systems_) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  const std::string meant = did_you_mean(name, names);
  throw InputError("unknown system '" + clipped(name) + "'" +
                   (meant.empty() ? "; known: " + list_of_words(names) : meant));
}

std::vector<MethodInfo> Registry::methods() const {
  std::vector<MethodInfo> list;
  for (const auto& entry : systems_)
    for (const auto& method : entry.methods)
      if (std::none_of(list.begin(), list.end(),
                       [&](const MethodInfo& m) { return m.name == method.name; }))
        list.push_back(method);
  std::sort(list.begin(), list.end(),
            [](const MethodInfo& a, const MethodInfo& b) { return a.name < b.name; });
  return list;
}

std::string ParameterInfo::admissible() const {
  switch (kind) {
    case Kind::number: return std::string(to_string(range));
    case Kind::count:
      return "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
    case Kind::text: return "a formula in " + unit;
    case Kind::list: return "a list, each " + std::string(to_string(range));
    case Kind::drive: return "three formulas in t";
  }
  return "";
}

int default_form(const SystemEntry& entry) {
  for (std::size_t i = 0; i < entry.initial_forms.size(); ++i)
    if (entry.default_initial.values.contains(std::string(entry.initial_forms[i].front().name)))
      return static_cast<int>(i);
  return 0;
}

std::unique_ptr<Problem> default_problem(const SystemEntry& entry) {
  SystemValues values;
  for (const auto& p : entry.parameters) {
    if (p.kind == ParameterInfo::Kind::text)
      values.texts[p.name] = p.preset_text;
    else if (p.kind == ParameterInfo::Kind::number || p.kind == ParameterInfo::Kind::count)
      values.numbers[p.name] = p.preset;
  }
  std::vector<std::string> notes;
  return entry.make(values, default_form(entry), entry.default_initial, notes);
}

std::string to_text(const Claims& claims) {
  std::string text = claims.order > 0  ? "order " + std::to_string(claims.order)
                     : claims.adaptive ? std::string("adaptive")
                                       : std::string("closed solution");
  if (claims.time_symmetry) text += ", time-symmetric";
  if (claims.symplectic) text += ", symplectic";
  std::string kept;
  for (const auto& name : claims.invariants) kept += (kept.empty() ? "" : ", ") + std::string(name);
  text += kept.empty() ? "; keeps no invariant" : "; keeps " + kept;
  if (!claims.note.empty()) text += " (" + claims.note + ")";
  return text;
}

}  // namespace hamel
