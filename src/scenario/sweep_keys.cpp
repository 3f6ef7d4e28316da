// SPDX-License-Identifier: BSD-3-Clause

#include "sweep_keys.hpp"

#include <charconv>

#include "hamel/core/error.hpp"
#include "text_parts.hpp"

namespace hamel::io {

namespace {

constexpr std::int64_t most_members = 1'000'000'000'000;

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

namespace {

constexpr const char* shapes =
    "must be { from = …, to = …, count = … }, a list of numbers, { uniform = [a, b] } or "
    "{ normal = [mean, deviation] }";

/// Two numbers under `law`.
bool read_pair(const toml::table& table, const std::string& key, const char* law,
               TomlReader& reader, Variation& v) {
  const auto pair = reader.list(table, key + ".", law, Range::any);
  if (!pair) return false;
  if (pair->size() != 2 || !std::isfinite((*pair)[0]) || !std::isfinite((*pair)[1])) {
    reader.problem(key, &table, shapes);
    return false;
  }
  v.a = (*pair)[0];
  v.b = (*pair)[1];
  return true;
}

std::optional<Variation> read_variation(const std::string& name, const toml::node& node,
                                        TomlReader& reader) {
  Variation v;
  v.key = name;
  const std::string key = "sweep.vary.\"" + clipped(name) + "\"";
  const auto wrong = [&] {
    reader.problem(key, &node, shapes);
    return std::nullopt;
  };
  constexpr std::size_t most = 1'000'000;
  if (const toml::array* list = node.as_array()) {
    for (const toml::node& item : *list) {
      const auto value = TomlReader::as_number(item);
      if (!value || !std::isfinite(*value)) return wrong();
      v.values.push_back(*value);
    }
    if (v.values.empty() || v.values.size() > most) return wrong();
    return v;
  }
  const toml::table* table = node.as_table();
  if (table == nullptr) return wrong();
  const bool plain =
      !table->contains("from") && !table->contains("uniform") && !table->contains("normal");
  if (plain && (name == "system" || name == "initial")) {
    reader.problem(key, &node,
                   "varies nothing: quote the whole key, e.g. \"" + name +
                       (name == "system" ? ".mass\"" : ".q[0]\""));
    return std::nullopt;
  }
  if (table->contains("uniform") + table->contains("normal") + table->contains("from") != 1)
    return wrong();
  if (table->contains("uniform") || table->contains("normal")) {
    const bool normal = table->contains("normal");
    reader.refuse_unknown(*table, key + ".", {normal ? "normal" : "uniform"});
    v.law = normal ? Variation::Law::normal : Variation::Law::uniform;
    if (!read_pair(*table, key, normal ? "normal" : "uniform", reader, v)) return std::nullopt;
    if (normal ? !(v.b >= 0.0) : !(v.a < v.b)) {
      reader.problem(key, &node,
                     normal ? fmt::format("has a negative deviation, {}", v.b)
                            : fmt::format("has ends in the wrong order, {} and {}", v.a, v.b));
      return std::nullopt;
    }
    return v;
  }
  reader.refuse_unknown(*table, key + ".", {"from", "to", "count"});
  const auto from = reader.number(*table, key + ".", "from", Range::any);
  const auto to = reader.number(*table, key + ".", "to", Range::any);
  const auto count = reader.count(*table, key + ".", "count", 1, most_members);
  for (const char* part : {"from", "to", "count"})
    if (!table->contains(part)) return wrong();
  if (!from || !to || !count) return std::nullopt;  // told
  if (!std::isfinite(*from) || !std::isfinite(*to)) return wrong();
  v.law = Variation::Law::range;
  v.a = *from;
  v.b = *to;
  v.count = *count;
  return v;
}

void check_members(const Sweep& sweep, const toml::table& table, TomlReader& reader) {
  double product = 1.0;
  for (const Variation& v : sweep.vary) {
    if (v.random() && !table.contains("samples"))
      reader.problem("sweep.vary.\"" + v.key + "\"", table["vary"].as_table()->get(v.key),
                     "is drawn at random: give sweep.samples, the number of members, or a range");
    product *= v.random() ? 1.0 : static_cast<double>(v.size());
  }
  if (sweep.samples > 0) product = static_cast<double>(sweep.samples);
  if (product > static_cast<double>(most_members))
    reader.problem("sweep", &table, fmt::format("has {:.3g} members, more than 10^12", product));
}

}  // namespace

void write_out_start(const toml::table& root, Scenario& scenario) {
  const toml::table* vary = root["sweep"]["vary"].as_table();
  if (vary == nullptr) return;
  const auto varies = [&](std::string_view field) {
    const std::string begin = "initial." + std::string(field) + "[";
    return !scenario.initial.values.contains(std::string(field)) &&
           std::ranges::any_of(*vary,
                               [&](const auto& key) { return key.first.str().starts_with(begin); });
  };
  if (!varies("q") && !varies("omega")) return;
  const auto& forms = scenario.system->initial_forms;
  const auto named = [](const auto& form, std::string_view name) {
    return std::ranges::any_of(form, [&](const auto& field) { return field.name == name; });
  };
  const toml::table* given = root["initial"].as_table();
  for (const auto& form : forms)
    for (const auto& field : form)
      if (given != nullptr && given->contains(field.name)) return;
  const auto in_space = std::ranges::find_if(
      forms, [&](const auto& form) { return named(form, "q") && named(form, "omega"); });
  if (in_space == forms.end()) return;
  try {
    std::vector<std::string> notes;
    const auto problem =
        scenario.system->make(scenario.parameters, scenario.initial_form, scenario.initial, notes);
    const PhaseSpace space = problem->phase_space();
    if (space.spheres == 0) return;
    const auto middle = space.start.begin() + 3 * static_cast<std::ptrdiff_t>(space.spheres);
    scenario.initial.values = {{"q", {space.start.begin(), middle}},
                               {"omega", {middle, space.start.end()}}};
    scenario.initial_form = static_cast<int>(in_space - forms.begin());
  } catch (const InputError&) {  // NOLINT(bugprone-empty-catch): told where the system is made
  }
}

std::optional<Sweep> read_sweep(const toml::table& root, TomlReader& reader,
                                const Scenario& scenario) {
  if (!root.contains("sweep")) return std::nullopt;
  const toml::table& table = reader.table(root, "sweep");
  reader.refuse_unknown(table, "sweep.", {"samples", "seed", "vary", "output"});
  Sweep sweep;
  sweep.samples = reader.count(table, "sweep.", "samples", 1, most_members).value_or(0);
  sweep.seed = static_cast<std::uint64_t>(reader.count(table, "sweep.", "seed", 0).value_or(1));
  const toml::node* vary = table.get("vary");
  if (vary == nullptr || !vary->is_table() || vary->as_table()->empty()) {
    reader.problem("sweep", &table,
                   "needs [sweep.vary] with at least one key, e.g. \"system.length\" = "
                   "{ from = 0.5, to = 1.5, count = 11 }");
    return std::nullopt;
  }
  std::vector<SweepKey> keys;
  for (const auto& [name, node] : *vary->as_table()) {
    const std::string text(name.str());
    auto variation = read_variation(text, node, reader);
    if (!variation) continue;
    std::string problem;
    const auto key = sweep_key(text, scenario, problem);
    if (key) {
      const auto same = std::ranges::find_if(keys, [&](const SweepKey& other) {
        return other.kind == key->kind && other.name == key->name && other.index == key->index;
      });
      if (same != keys.end()) problem = "is the same number as \"" + same->text + "\"";
    }
    if (!key || !problem.empty()) {
      reader.problem("sweep.vary.\"" + clipped(text) + "\"", &node, problem);
      continue;
    }
    keys.push_back(*key);
    sweep.vary.push_back(std::move(*variation));
  }
  if (const toml::node* node = table.get("output")) {
    if (const toml::table* output = node->as_table()) {
      reader.refuse_unknown(*output, "sweep.output.", {"final", "invariants", "trajectory_every"});
      sweep.final_state = reader.boolean(*output, "sweep.output.", "final").value_or(true);
      sweep.invariants = reader.boolean(*output, "sweep.output.", "invariants").value_or(true);
      const auto* const every = output->get("trajectory_every");
      if (every != nullptr && TomlReader::as_number(*every) != 0.0)
        sweep.trajectory_every =
            reader.count(*output, "sweep.output.", "trajectory_every", 0).value_or(0);
    } else {
      reader.problem("sweep.output", node, "must be a table, [sweep.output]");
    }
  }
  check_members(sweep, table, reader);
  return sweep;
}

std::string to_toml_text(const Sweep& sweep) {
  std::string text = "[sweep]\n";
  if (sweep.samples > 0)
    text += fmt::format("samples = {}\nseed = {}\n", sweep.samples, sweep.seed);
  text += "[sweep.vary]\n";
  for (const Variation& v : sweep.vary) {
    text += toml_quoted(v.key) + " = ";
    switch (v.law) {
      case Variation::Law::range:
        text += fmt::format("{{ from = {}, to = {}, count = {} }}\n", shortest(v.a), shortest(v.b),
                            v.count);
        break;
      case Variation::Law::list: {
        std::string list;
        for (const double x : v.values) list += (list.empty() ? "" : ", ") + shortest(x);
        text += "[" + list + "]\n";
        break;
      }
      case Variation::Law::normal:
      case Variation::Law::uniform:
        text += fmt::format("{{ {} = [{}, {}] }}\n",
                            v.law == Variation::Law::normal ? "normal" : "uniform", shortest(v.a),
                            shortest(v.b));
    }
  }
  return text + fmt::format("[sweep.output]\nfinal = {}\ninvariants = {}\ntrajectory_every = {}\n",
                            sweep.final_state, sweep.invariants, sweep.trajectory_every);
}

}  // namespace hamel::io
