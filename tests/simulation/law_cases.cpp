// SPDX-License-Identifier: BSD-3-Clause

#include "simulation/law_cases.hpp"

#include <algorithm>

#include "hamel/core/error.hpp"

namespace hamel {

namespace {

/// A small and a larger size of a system that has some, besides its own.
std::vector<int> other_sizes(const SystemEntry& system) {
  for (const auto& p : system.parameters)
    if (p.name == "n" && p.kind == ParameterInfo::Kind::count) {
      const int preset = static_cast<int>(p.preset);
      return {preset <= 2 ? preset + 2 : 2, std::min(preset + 1, p.most)};
    }
  return {};
}

/// What is added to a method's name, for each option that it has.
struct Variants {
  const char* option;
  std::vector<const char*> texts;
};

const std::vector<Variants>& variants() {
  static const std::vector<Variants> all = {
      {"form", {"(form=space)"}},
      {"principle",
       {"(frame=kinetic)", "(frame=kinetic,potential=discrete-gradient)", "(output=half)",
        "(reconstruction=mid)", "(principle=pontryagin)"}},
      {"equations", {"(equations=euler-lagrange)", "(equations=implicit-hamel)"}},
      {"alpha", {"(alpha=0)", "(constraint=average)"}},
      {"stages", {"(stages=1)", "(stages=2)", "(stages=3)", "(stages=4)"}}};
  return all;
}

}  // namespace

bool fits(const Problem& problem, const std::string& method) {
  try {
    problem.claims(MethodSpec::parse(method));
    return true;
  } catch (const InputError&) {
    return false;
  }
}

std::string text_of(const Claims& claims) {
  std::string text = "order " + std::to_string(claims.order);
  if (claims.time_symmetry) text += ", time-symmetric";
  if (claims.symplectic) text += ", symplectic";
  if (claims.constraint) text += ", constraint";
  if (claims.adaptive) text += ", adaptive";
  std::vector<std::string> kept = claims.invariants;
  std::ranges::sort(kept);
  for (std::size_t i = 0; i < kept.size(); ++i) text += (i == 0 ? "; keeps " : ", ") + kept[i];
  return text;
}

std::ostream& operator<<(std::ostream& out, const LawCase& c) {
  return out << c.system << " " << c.method << (c.n > 0 ? " n = " + std::to_string(c.n) : "");
}

const Registry& law_registry() {
  static const Registry all = builtin_registry();
  return all;
}

std::unique_ptr<Problem> problem_of(const SystemEntry& system, int n) {
  if (n == 0) return default_problem(system);
  SystemValues values;
  for (const auto& p : system.parameters) {
    if (p.kind == ParameterInfo::Kind::text) values.texts[p.name] = p.preset_text;
    if (p.kind == ParameterInfo::Kind::number || p.kind == ParameterInfo::Kind::count)
      values.numbers[p.name] = p.name == "n" ? n : p.preset;
  }
  std::vector<std::string> notes;
  if (!system.at) return system.make(values, default_form(system), system.default_initial, notes);
  const auto sized = system.at(values);
  return sized->make(values, default_form(*sized), sized->default_initial, notes);
}

std::vector<LawCase> all_law_cases() {
  std::vector<LawCase> cases;
  for (const auto& system : law_registry().systems()) {
    const auto problem = default_problem(system);
    for (const auto& method : system.methods) {
      const std::string name(method.name);
      cases.push_back({system.name, name});
      for (const int n : other_sizes(system)) cases.push_back({system.name, name, n});
      const Claims claims = problem->claims(MethodSpec::parse(name));
      if (claims.time_symmetry && claims.order > 0 && claims.order <= 4)
        for (const char* c : {"+su4", "+kl6", "+kl8"}) cases.push_back({system.name, name + c});
      for (const auto& [option, texts] : variants())
        if (std::ranges::any_of(method.options, [&](const auto& o) { return o.name == option; }))
          for (const char* text : texts)
            cases.push_back({system.name, name + text, 0, !fits(*problem, name + text)});
    }
  }
  return cases;
}

std::vector<LawCase> law_cases() {
  std::vector<LawCase> cases = all_law_cases();
  std::erase_if(cases, [](const LawCase& c) { return c.refused; });
  return cases;
}

}  // namespace hamel
