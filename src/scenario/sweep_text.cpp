// SPDX-License-Identifier: BSD-3-Clause
// [sweep] of a scenario, read and written.
#include "hamel/core/error.hpp"
#include "sweep_keys.hpp"
#include "text_parts.hpp"

namespace hamel::io {

namespace {

constexpr std::int64_t most_members = 1'000'000'000'000;

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
