// SPDX-License-Identifier: BSD-3-Clause

#include "sweep_keys.hpp"

#include <charconv>

#include "hamel/core/error.hpp"
#include "text_parts.hpp"

namespace hamel::io {

namespace {

/// "omega[0][1]" as its name and indices; nothing where it is not of that form.
struct IndexedName {
  std::string name;
  std::vector<std::size_t> indices;
};

std::optional<IndexedName> indexed(const std::string& text) {
  IndexedName found;
  std::size_t at = text.find('[');
  found.name = text.substr(0, at);
  while (at != std::string::npos && at < text.size()) {
    const std::size_t end = text.find(']', at);
    if (text[at] != '[' || end == std::string::npos) return std::nullopt;
    std::size_t index = 0;
    const char* from = text.data() + at + 1;
    const char* to = text.data() + end;
    const auto read = std::from_chars(from, to, index);
    if (read.ec != std::errc() || read.ptr != to || from == to || index > 100'000'000)
      return std::nullopt;
    found.indices.push_back(index);
    at = end + 1;
  }
  if (found.name.empty() || found.indices.size() > 2) return std::nullopt;
  return found;
}

/// The entry of a list of `size` numbers, or of vectors of three: `vectors`, with more than one of
/// them, needs two indices.
std::optional<std::size_t> entry(const IndexedName& name, std::size_t size, bool vectors,
                                 std::string& problem) {
  const std::vector<std::size_t>& i = name.indices;
  if (vectors && size > 3 && size % 3 == 0) {
    if (i.size() == 2 && i[0] < size / 3 && i[1] < 3) return 3 * i[0] + i[1];
    problem =
        i.size() == 2
            ? fmt::format("is outside the list of {} vectors of 3 numbers; indices count from 0",
                          size / 3)
            : fmt::format("is a list of {} vectors of 3 numbers: say which, e.g. {}[0][2]",
                          size / 3, name.name);
    return std::nullopt;
  }
  if (i.size() == 1 && i[0] < size) return i[0];
  if (i.size() == 2 && i[1] < 3 && 3 * i[0] + i[1] < size && size % 3 == 0) return 3 * i[0] + i[1];
  problem = i.empty()
                ? fmt::format("is a list of {} numbers: say which, e.g. {}[0]", size, name.name)
                : fmt::format(
                      "is outside the list, which has {} numbers; indices count "
                      "from 0",
                      size);
  return std::nullopt;
}

/// Whether that is an input, and a number.
bool number_input(const Scenario& scenario, const std::string& name) {
  return scenario.text_system &&
         std::ranges::any_of(scenario.text_system->inputs, [&](const InputText& input) {
           return input.name == name && input.kind == InputText::Kind::number;
         });
}

/// "known: …", all that can vary, after what `name` may have meant.
std::string choices(const Scenario& scenario, const std::string& name) {
  std::vector<std::string> keys;
  const auto add_text = [&](const auto& text) {
    for (const auto& [parameter, value] : text.parameters)
      keys.push_back("system.parameters." + parameter);
  };
  if (scenario.text_system) {
    add_text(*scenario.text_system);
    for (const InputText& input : scenario.text_system->inputs)
      if (number_input(scenario, input.name)) keys.push_back("inputs." + input.name);
  }
  if (scenario.spheres_text) add_text(*scenario.spheres_text);
  for (const auto& p : scenario.system->parameters) {
    if (p.kind == ParameterInfo::Kind::number) keys.push_back("system." + p.name);
    if (scenario.parameters.lists.contains(p.name)) keys.push_back("system." + p.name + "[0]");
  }
  for (const auto& [field, values] : scenario.initial.values)
    keys.push_back("initial." + field + "[0]");

  std::string list;
  std::vector<std::string> names;
  for (const std::string& key : keys) {
    list += (list.empty() ? "" : ", ") + key;
    const std::size_t dot = key.rfind('.') + 1;
    names.push_back(key.substr(dot, key.find('[', dot) - dot));
  }
  std::string meant = nearest_word(name, names);
  if (!meant.empty()) {
    const auto at = std::ranges::find(names, meant) - names.begin();
    meant = "did you mean " + keys[static_cast<std::size_t>(at)] + "? ";
  }
  constexpr std::size_t most = 400;
  return meant + "known: " + (list.size() > most ? list.substr(0, most) + " …" : list);
}

std::optional<SweepKey> initial_key(const IndexedName& name, const Scenario& scenario,
                                    std::string& problem) {
  const auto found = scenario.initial.values.find(name.name);
  if (found == scenario.initial.values.end()) {
    problem = scenario.initial.values.empty()
                  ? "cannot vary: the scenario gives no [initial], and the system's own start is "
                    "not a list of numbers"
                  : "is not in [initial]; " + choices(scenario, name.name);
    return std::nullopt;
  }
  SweepKey key;
  key.kind = SweepKey::Kind::initial;
  key.name = name.name;
  const bool on_spheres =
      scenario.spheres_text || (!scenario.text_system && scenario.system->coordinates.empty());
  const auto index = entry(name, found->second.size(), on_spheres, problem);
  if (!index) return std::nullopt;
  key.index = *index;
  for (const auto& field :
       scenario.system->initial_forms[static_cast<std::size_t>(scenario.initial_form)])
    if (field.name == name.name) key.unit = field.unit;
  return key;
}

std::optional<SweepKey> parameter_key(const IndexedName& name, const Scenario& scenario,
                                      std::string& problem) {
  for (const auto& p : scenario.system->parameters) {
    if (p.name != name.name) continue;
    SweepKey key;
    key.name = p.name;
    key.range = p.range;
    key.unit = p.unit;
    if (p.kind == ParameterInfo::Kind::number && name.indices.empty()) return key;
    const auto list = scenario.parameters.lists.find(p.name);
    if (p.kind == ParameterInfo::Kind::list && list != scenario.parameters.lists.end()) {
      key.kind = SweepKey::Kind::list;
      const auto index = entry(name, list->second.size(), false, problem);
      if (!index) return std::nullopt;
      key.index = *index;
      return key;
    }
    problem = p.kind == ParameterInfo::Kind::count ? "is a size: members of one sweep have the same"
              : p.kind == ParameterInfo::Kind::list ? "is not given in [system]"
                                                    : "is not a number";
    return std::nullopt;
  }
  problem = "is not a number of the system; " + choices(scenario, name.name);
  return std::nullopt;
}

}  // namespace

std::optional<SweepKey> sweep_key(const std::string& text, const Scenario& scenario,
                                  std::string& problem) {
  std::optional<SweepKey> key;
  const std::size_t dot = text.find('.');
  const std::string table = text.substr(0, dot);
  const std::string rest = dot == std::string::npos ? "" : text.substr(dot + 1);
  constexpr std::string_view of_text = "parameters.";
  const auto has = [&](const auto& own) {
    return own && std::ranges::any_of(own->parameters, [&](const auto& p) {
             return p.first == rest.substr(of_text.size());
           });
  };
  if (table == "system" && rest.starts_with(of_text) &&
      (has(scenario.text_system) || has(scenario.spheres_text))) {
    key.emplace();
    key->kind = SweepKey::Kind::parameter;
    key->name = rest.substr(of_text.size());
  } else if (table == "inputs" && number_input(scenario, rest)) {
    key.emplace();
    key->kind = SweepKey::Kind::parameter;
    key->name = rest;
  } else if (const auto name = indexed(rest); !name || (table != "system" && table != "initial")) {
    problem = "cannot vary; " + choices(scenario, text.substr(text.rfind('.') + 1));
  } else {
    key = table == "system" ? parameter_key(*name, scenario, problem)
                            : initial_key(*name, scenario, problem);
  }
  if (key) key->text = text;
  return key;
}

}  // namespace hamel::io
