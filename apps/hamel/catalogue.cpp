// SPDX-License-Identifier: BSD-3-Clause
// hamel list, describe, check.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ranges>

#include "commands.hpp"
#include "console.hpp"
#include "hamel/core/error.hpp"
#include "hamel/scenario/result.hpp"
#include "manual.hpp"

namespace hamel::app {

namespace {

using Json = nlohmann::ordered_json;

Json claims_json(const Claims& claims) {
  return {{"order", claims.order},
          {"time_symmetry", claims.time_symmetry},
          {"symplectic", claims.symplectic},
          {"invariants", claims.invariants},
          {"note", claims.note}};
}

/// Where equations are from, and where D0 to D3 and the items of MATH are explained.
std::string source_of(std::string_view text) {
  const bool collected = text.find("MATH ") != std::string_view::npos || text.starts_with("D0 ");
  return std::string(text) + (collected ? " (docs/equations.md)" : "");
}

/// c_12^3, or c_1,12^3 where a number has two digits.
std::string bracket_name(const BracketValue& c) {
  return fmt::format("c_{}{}{}^{}", c.i + 1, c.j >= 9 ? "," : "", c.j + 1, c.k + 1);
}

void print_brackets(const FrameBrackets& brackets) {
  constexpr std::size_t most = 24;
  std::string text;
  for (const auto& c : brackets.values | std::views::take(most))
    text += fmt::format("{}{} = {:.6g}", text.empty() ? "" : ", ", bracket_name(c), c.value);
  if (brackets.values.size() > most)
    text += fmt::format(", and {} more (--json)", brackets.values.size() - most);
  text += text.empty() ? "all are 0" : "; all others are 0";
  fmt::print("\nbrackets at the start, [u_i, u_j] = c_ij^k u_k for i < j\n{}", wrapped(text, 2));
  for (std::size_t i = 0; i < brackets.completed.size(); ++i)
    fmt::print("  u{} is {}\n", brackets.fields + 1 + static_cast<int>(i), brackets.completed[i]);
}

/// `given`: by a scenario.
void describe_system(const SystemEntry& entry, const Problem& problem, bool given) {
  fmt::print("{}: {}\n\n{}{}", entry.name, entry.summary, wrapped(entry.equations, 2),
             entry.reference.empty() ? "" : wrapped("reference: " + source_of(entry.reference), 2));
  if (!entry.parameters.empty()) fmt::print("\nparameters\n");
  std::size_t widest = 10;
  for (const auto& p : entry.parameters) widest = std::max(widest, p.name.size());
  for (const auto& p : entry.parameters) {
    using Kind = ParameterInfo::Kind;
    const std::string preset = p.kind == Kind::text ? "\"" + p.preset_text + "\""
                               : p.kind == Kind::list || p.kind == Kind::drive
                                   ? std::string("-")
                                   : fmt::format("{}", p.preset);
    fmt::print("{}", wrapped(fmt::format("{:<{}} {:>6} {:<6}  {}; {}", p.name, widest, preset,
                                         p.kind == Kind::text ? "" : p.unit, p.description,
                                         p.admissible()),
                             2, widest + 18));
  }
  if (entry.at) fmt::print("\nfor the default sizes:\n");
  if (!entry.coordinates.empty()) {
    std::string list;
    for (std::size_t i = 0; i < entry.coordinates.size(); ++i)
      list += (i > 0 ? ", " : "") + entry.coordinates[i] +
              (i < entry.coordinate_units.size() ? " (" + entry.coordinate_units[i] + ")" : "");
    fmt::print("\ncoordinates\n{}", wrapped(list, 2));
  }
  if (const auto brackets = problem.brackets()) print_brackets(*brackets);
  fmt::print("\ninitial state, one of\n");
  for (const auto& form : entry.initial_forms) {
    for (const auto& field : form)
      fmt::print("  {:<10} {} numbers{}{}: {}\n", field.name,
                 field.size > 0 ? std::to_string(field.size) : "3 n",
                 field.unit.empty() ? "" : ", ", field.unit, field.description);
    fmt::print("\n");
  }
  fmt::print("invariants\n");
  for (const auto& info : entry.invariants)
    fmt::print("  {:<10} {}: {}{}\n", info.name, info.unit.empty() ? "1" : info.unit,
               info.description,
               info.not_kept.empty() ? "" : fmt::format(" (not kept: {})", info.not_kept));
  fmt::print("\nmethods that fit, and what they claim\n");
  std::string notes;
  for (const auto& method : entry.methods) {
    const Claims claims = problem.claims(MethodSpec::parse(method.name));
    notes.append(" ").append(claims.note);
    fmt::print("{}", wrapped(fmt::format("{:<22} {}", method.name, to_text(claims)), 2, 25));
  }
  fmt::print("\nrecommended: {}.{}\n{}", entry.recommended_method,
             given ? "" : fmt::format(" A start file: hamel describe {} --scenario", entry.name),
             sources_hint(entry.summary + " " + entry.equations + " " + entry.reference + notes));
}

Json preset_json(const ParameterInfo& p) {
  switch (p.kind) {
    case ParameterInfo::Kind::text: return p.preset_text;
    case ParameterInfo::Kind::number:
    case ParameterInfo::Kind::count: return p.preset;
    default: return nullptr;
  }
}

Json system_json(const SystemEntry& entry, const Problem& problem) {
  Json parameters = Json::array();
  for (const auto& p : entry.parameters)
    parameters.push_back({{"name", p.name},
                          {"unit", p.unit},
                          {"description", p.description},
                          {"range", p.admissible()},
                          {"default", preset_json(p)}});
  Json forms = Json::array();
  for (const auto& form : entry.initial_forms) {
    Json fields = Json::array();
    for (const auto& field : form)
      fields.push_back({{"name", field.name},
                        {"size", field.size},
                        {"unit", field.unit},
                        {"description", field.description}});
    forms.push_back(fields);
  }
  Json coordinates = Json::array();
  for (std::size_t i = 0; i < entry.coordinates.size(); ++i)
    coordinates.push_back(
        {{"name", entry.coordinates[i]},
         {"unit", i < entry.coordinate_units.size() ? Json(entry.coordinate_units[i]) : Json()}});
  Json brackets;
  if (const auto found = problem.brackets()) {
    brackets = Json::array();
    for (const auto& c : found->values) brackets.push_back({c.i + 1, c.j + 1, c.k + 1, c.value});
  }
  Json invariants = Json::array();
  for (const auto& info : entry.invariants)
    invariants.push_back(
        {{"name", info.name}, {"unit", info.unit}, {"description", info.description}});
  Json methods = Json::object();
  for (const auto& method : entry.methods)
    methods[std::string(method.name)] = claims_json(problem.claims(MethodSpec::parse(method.name)));
  return {{"format_version", 1},
          {"name", entry.name},
          {"summary", entry.summary},
          {"equations", entry.equations},
          {"reference", entry.reference},
          {"parameters", parameters},
          {"coordinates", coordinates},
          {"brackets", brackets},
          {"initial", forms},
          {"default_step", entry.default_step},
          {"invariants", invariants},
          {"methods", methods},
          {"recommended_method", entry.recommended_method}};
}

/// A method of one name in a family of systems, with those it fits.
struct Variant {
  MethodInfo info;
  std::string systems;
};

/// The same name may stand for different kernels on spheres and in frames.
std::vector<Variant> variants_of(std::string_view name, const Registry& registry) {
  std::vector<Variant> variants;
  for (const auto& entry : registry.systems())
    for (const auto& method : entry.methods) {
      if (method.name != name) continue;
      const auto same = std::ranges::find_if(
          variants, [&](const Variant& v) { return v.info.summary == method.summary; });
      if (same == variants.end())
        variants.push_back({method, entry.name});
      else
        same->systems += ", " + entry.name;
    }
  return variants;
}

void describe_method(const MethodInfo& method, const Registry& registry) {
  const std::vector<Variant> variants = variants_of(method.name, registry);
  std::string all;
  for (const auto& [info, systems] : variants) {
    all.append(" ").append(info.summary).append(" ").append(info.source);
    for (const auto& option : info.options) all.append(" ").append(option.description);
    fmt::print("{}: {}\n", info.name, info.summary);
    if (variants.size() > 1) fmt::print("{}", wrapped("on " + systems, 2));
    fmt::print("{}  {}\n", wrapped("source: " + source_of(info.source), 2),
               info.implicit ? "implicit: iterates, reports its iterations"
                             : "explicit or closed form: no iteration");
    if (!info.options.empty()) fmt::print("  options\n");
    for (const auto& option : info.options)
      fmt::print("    {} = {} (default: {})\n      {}\n", option.name, option.values, option.preset,
                 option.description);
    if (variants.size() > 1) fmt::print("\n");
  }
  fmt::print("\nclaims\n");
  for (const auto& entry : registry.systems()) {
    for (const auto& fitting : entry.methods) {
      if (fitting.name != method.name) continue;
      const Claims claims = default_problem(entry)->claims(MethodSpec::parse(method.name));
      fmt::print("{}", wrapped(fmt::format("on {}: {}", entry.name, to_text(claims)), 2));
      if (claims.time_symmetry && claims.order > 0)
        fmt::print("  can be composed to higher order: {0}+su4, {0}+kl6, {0}+kl8\n", method.name);
    }
  }
  if (const std::string hint = sources_hint(all); !hint.empty()) fmt::print("\n{}", hint);
}

void describe(const SystemEntry& entry, const Problem& problem, bool json, bool given) {
  if (json)
    fmt::print("{}\n", io::json_text(system_json(entry, problem)));
  else
    describe_system(entry, problem, given);
}

/// The system of a scenario, at its sizes; or one of its own.
int describe_file(const Options& options, const Registry& registry) {
  if (options.scenario)
    throw InputError("--scenario needs a system of the catalogue, and " + options.name +
                     " is a scenario");
  const io::ScenarioFile file = io::read_scenario_file(options.name);
  const io::Scenario scenario = io::parse_scenario(file.text, file.origin, {}, registry);
  describe(*scenario.system, *scenario.problem, options.json, true);
  return exit_ok;
}

}  // namespace

int list_command(const Options& options, const Registry& registry) {
  Json json = Json::array();
  const auto add = [&](const auto& item) {
    json.push_back({{"name", item.name}, {"summary", item.summary}});
  };
  std::size_t width = 0;
  if (options.name == "systems") {
    for (const auto& entry : registry.systems()) add(entry);
    for (const auto& entry : registry.systems()) width = std::max(width, entry.name.size());
  } else {
    for (const auto& method : registry.methods()) add(method);
    for (const auto& method : registry.methods()) width = std::max(width, method.name.size());
  }
  if (options.json) {
    fmt::print("{}\n", io::json_text(Json({{"format_version", 1}, {options.name, json}})));
    return exit_ok;
  }
  std::string all;
  for (const auto& item : json) {
    const auto summary = item["summary"].get<std::string>();
    fmt::print("{:<{}}  {}\n", item["name"].get<std::string>(), width, summary);
    all += " " + summary;
  }
  if (options.name == "methods")
    fmt::print(
        "\nA time-symmetric method can be composed to order 4, 6 or 8: hamel+su4,\n"
        "variational+kl8. `hamel describe NAME` tells options, source and claims.\n");
  fmt::print("{}", sources_hint(all));
  return exit_ok;
}

int describe_command(const Options& options, const Registry& registry) {
  if (options.name == "-" || options.name.ends_with(".toml"))
    return describe_file(options, registry);
  std::vector<std::string> names;
  for (const auto& entry : registry.systems()) {
    names.push_back(entry.name);
    if (entry.name != options.name) continue;
    if (options.scenario)
      fmt::print("{}", io::scenario_template(entry));
    else
      describe(entry, *default_problem(entry), options.json, false);
    return exit_ok;
  }
  for (const auto& method : registry.methods()) {
    names.emplace_back(method.name);
    if (method.name != options.name) continue;
    if (options.scenario)
      throw InputError("--scenario needs a system, and " + options.name + " is a method");
    if (options.json) {
      Json list = Json::array();
      for (const auto& [info, systems] : variants_of(method.name, registry))
        for (const auto& option : info.options)
          list.push_back({{"name", option.name},
                          {"values", option.values},
                          {"default", option.preset},
                          {"description", option.description},
                          {"systems", systems}});
      Json claims = Json::object();
      for (const auto& entry : registry.systems())
        for (const auto& fitting : entry.methods)
          if (fitting.name == method.name)
            claims[entry.name] =
                claims_json(default_problem(entry)->claims(MethodSpec::parse(method.name)));
      fmt::print("{}\n", io::json_text(Json({{"format_version", 1},
                                             {"name", method.name},
                                             {"summary", method.summary},
                                             {"source", method.source},
                                             {"options", list},
                                             {"claims", claims}})));
    } else {
      describe_method(method, registry);
    }
    return exit_ok;
  }
  const std::string meant = did_you_mean(options.name, names);
  throw InputError("'" + clipped(options.name) + "' is neither a system nor a method" +
                   (meant.empty() ? "; hamel list shows both" : meant));
}

int check_command(const Options& options, const Registry& registry) {
  const io::Scenario scenario =
      io::load_scenario(options.files.front(), options.overrides, registry);
  if (options.json) {
    std::vector<std::string> methods;
    for (const auto& m : scenario.methods) methods.push_back(m.text);
    fmt::print("{}\n", io::json_text(Json({{"format_version", 1},
                                           {"status", "ok"},
                                           {"system", scenario.system->name},
                                           {"method", scenario.method.text},
                                           {"methods", methods},
                                           {"step", scenario.integration.step},
                                           {"steps", scenario.steps},
                                           {"notes", scenario.notes}})));
    return exit_ok;
  }
  for (const auto& text : scenario.notes) note(text, options.quiet);
  fmt::print(
      "{}: ok. {} with {}, {} steps of {} s to t = {} s{}\n", options.files.front(),
      scenario.system->name, scenario.method.text, scenario.steps, scenario.integration.step,
      scenario.until(),
      scenario.sweep ? fmt::format("; a sweep of {} members", scenario.sweep->members()) : "");
  return exit_ok;
}

}  // namespace hamel::app
