#include "text_system.hpp"

#include "hamel/io/scenario.hpp"
#include "hamel/simulation/frame_problem.hpp"

namespace hamel::io {

namespace {

constexpr const char* keys[] = {"coordinates", "parameters", "lagrangian", "quasi_lagrangian",
                                "frame",       "complement", "brackets",   "forces",
                                "symmetry",    "let",        "invariants"};

std::vector<std::string> read_names(const toml::table& system, const std::string& key,
                                    TomlReader& reader) {
  std::vector<std::string> names;
  const toml::node* node = system.get(key);
  if (node == nullptr) return names;
  const toml::array* list = node->as_array();
  if (list == nullptr) {
    reader.problem("system." + key, node, "must be a list of names, e.g. [\"x\", \"y\"]");
    return names;
  }
  for (const toml::node& item : *list) {
    if (const auto name = item.value_exact<std::string>())
      names.push_back(*name);
    else
      reader.problem("system." + key, &item,
                     "must hold names in quotes, not " + TomlReader::kind(item));
  }
  return names;
}

std::vector<std::vector<FormulaText>> read_rows(const toml::table& system, const std::string& key,
                                                TomlReader& reader) {
  std::vector<std::vector<FormulaText>> rows;
  const toml::node* node = system.get(key);
  if (node == nullptr) return rows;
  const toml::array* list = node->as_array();
  if (list == nullptr || list->empty()) {
    reader.problem("system." + key, node,
                   "must be a list of fields, each a list with one formula per coordinate");
    return rows;
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    const toml::array* row = (*list)[i].as_array();
    const std::string name = fmt::format("system.{}[{}]", key, i + 1);
    if (row == nullptr) {
      reader.problem(name, &(*list)[i], "must be a list with one formula per coordinate");
      continue;
    }
    std::vector<FormulaText> formulas;
    for (std::size_t b = 0; b < row->size(); ++b) {
      const std::string entry = fmt::format("{}[{}]", name, b + 1);
      formulas.push_back({entry, reader.formula((*row)[b], entry)});
    }
    rows.push_back(std::move(formulas));
  }
  return rows;
}

std::vector<std::pair<std::string, FormulaText>> read_formulas(const toml::table& system,
                                                               const std::string& key,
                                                               TomlReader& reader) {
  std::vector<std::pair<std::string, FormulaText>> list;
  const toml::node* node = system.get(key);
  if (node == nullptr) return list;
  const toml::table* table = node->as_table();
  if (table == nullptr) {
    reader.problem("system." + key, node, "must be a table of NAME = \"formula\"");
    return list;
  }
  for (const auto& [name, value] : *table) {
    const std::string entry = fmt::format("system.{}.{}", key, std::string(name.str()));
    list.push_back({std::string(name.str()), {entry, reader.formula(value, entry)}});
  }
  return list;
}

void read_brackets(const toml::table& system, TomlReader& reader, FrameText& text) {
  const toml::node* node = system.get("brackets");
  if (node == nullptr) return;
  text.brackets_given = true;
  const char* shape = "must be a list of [i, j, k, \"formula\"], meaning c_ij^k";
  const toml::array* list = node->as_array();
  if (list == nullptr) {
    reader.problem("system.brackets", node, shape);
    return;
  }
  for (std::size_t n = 0; n < list->size(); ++n) {
    const std::string key = fmt::format("system.brackets[{}]", n + 1);
    const toml::array* item = (*list)[n].as_array();
    if (item == nullptr || item->size() != 4 || !(*item)[0].is_integer() ||
        !(*item)[1].is_integer() || !(*item)[2].is_integer()) {
      reader.problem(key, &(*list)[n], shape);
      continue;
    }
    const auto whole = [&](std::size_t i) {
      return static_cast<int>(
          std::clamp<std::int64_t>((*item)[i].as_integer()->get(), -1000, 1000));
    };
    text.brackets.push_back({whole(0), whole(1), whole(2), {key, reader.formula((*item)[3], key)}});
  }
}

/// The node of a key such as system.frame[2][1], for its place in the file.
const toml::node* node_of(const toml::table& system, const std::string& key) try {
  std::string path = key.substr(std::min(key.size(), std::string("system.").size()));
  for (std::size_t at = path.find('['); at != std::string::npos; at = path.find('[', at + 1)) {
    const std::size_t end = path.find(']', at);  // TOML paths count from 0
    path = path.substr(0, at + 1) + std::to_string(std::stol(path.substr(at + 1)) - 1) +
           path.substr(end);
  }
  return system.at_path(path).node();
} catch (const std::exception&) {  // a name with brackets of its own
  return &system;
}

}  // namespace

bool is_text_system(const toml::table& system) {
  if (system.contains("name")) return false;
  return std::ranges::any_of(keys, [&](const char* key) { return system.contains(key); });
}

FrameText read_text_system(const toml::table& system, TomlReader& reader) {
  reader.refuse_unknown(system, "system.", {std::begin(keys), std::end(keys)});
  FrameText text;
  text.coordinates = read_names(system, "coordinates", reader);
  if (!system.contains("coordinates"))
    reader.problem("system", &system, "needs coordinates, e.g. coordinates = [\"x\", \"y\"]");
  const toml::table& parameters = reader.table(system, "parameters");
  for (const auto& [name, node] : parameters) {
    const std::string key(name.str());
    if (const auto value = reader.number(parameters, "system.parameters.", key, Range::any))
      text.parameters.emplace_back(key, *value);
    else
      text.parameters.emplace_back(key, 1.0);  // named, so that formulas can be judged
  }
  const bool quasi = system.contains("quasi_lagrangian");
  if (quasi == system.contains("lagrangian"))
    reader.problem("system", &system,
                   quasi ? "has both lagrangian and quasi_lagrangian; give one of them"
                         : "needs a lagrangian, e.g. lagrangian = \"x_dot^2/2 - x^2/2\", or a "
                           "quasi_lagrangian");
  text.quasi = quasi;
  const std::string key = quasi ? "quasi_lagrangian" : "lagrangian";
  text.lagrangian = {"system." + key, reader.formula(system, "system.", key, "")};
  text.frame = read_rows(system, "frame", reader);
  text.complement = read_rows(system, "complement", reader);
  read_brackets(system, reader, text);
  text.let = read_formulas(system, "let", reader);
  text.forces = read_formulas(system, "forces", reader);
  text.invariants = read_formulas(system, "invariants", reader);
  text.symmetry = read_names(system, "symmetry", reader);
  return text;
}

std::shared_ptr<const SystemEntry> text_system_entry(const std::string& name, const FrameText& text,
                                                     const toml::table& system,
                                                     TomlReader& reader) {
  std::vector<TextProblem> problems;
  if (reader.clean() || (!text.coordinates.empty() && !text.lagrangian.text.empty())) {
    auto model = std::make_shared<FrameModel>(frame_model(text, problems));
    if (problems.empty() && reader.clean()) {
      auto entry = std::make_shared<SystemEntry>();
      entry->name = name;
      entry->summary = "a system given as text";
      entry->equations = (text.quasi ? "l = " : "L = ") + text.lagrangian.text;
      entry->reference = "the scenario";
      entry->recommended_method = "hamel";
      entry->coordinates = model->coordinates;
      set_default_figure(*entry);
      entry->initial_forms = frame_initial_forms(model->coordinates_count(), model->fields());
      entry->default_step = 0.1;
      entry->invariants = frame_invariants(*model);
      entry->methods = frame_methods(*model);
      entry->keep = model;
      entry->make = [model](const SystemValues&, int form, const InitialValues& initial,
                            std::vector<std::string>& notes) {
        FrameInitial start = frame_initial(*model, form, initial, notes);
        return make_frame_problem(*model, std::move(start));
      };
      return entry;
    }
  }
  for (const auto& [key, what] : problems)
    reader.problem(key, node_of(system, key),
                   what.find('\n') == std::string::npos ? what : ": " + what);
  return nullptr;
}

std::string toml_quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (static_cast<unsigned char>(c) < 32 || c == 127)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    else
      out += c;
  }
  return out + "\"";
}

namespace {

std::string list_of_names(const std::vector<std::string>& names) {
  std::string list;
  for (const auto& name : names) list += (list.empty() ? "" : ", ") + toml_quoted(name);
  return "[" + list + "]";
}

std::string rows_text(const std::vector<std::vector<FormulaText>>& rows) {
  std::string list;
  for (const auto& row : rows) {
    std::vector<std::string> entries;
    for (const auto& entry : row) entries.push_back(entry.text);
    list += (list.empty() ? "" : ", ") + list_of_names(entries);
  }
  return "[" + list + "]";
}

std::string table_text(const std::vector<std::pair<std::string, FormulaText>>& formulas) {
  std::string list;
  for (const auto& [name, formula] : formulas)
    list += (list.empty() ? " " : ", ") + toml_quoted(name) + " = " + toml_quoted(formula.text);
  return "{" + list + " }";
}

}  // namespace

std::string to_toml_text(const FrameText& text) {
  std::string out = "[system]\ncoordinates = " + list_of_names(text.coordinates) + "\n";
  if (!text.parameters.empty()) {
    std::string list;
    for (const auto& [name, value] : text.parameters)
      list += (list.empty() ? " " : ", ") + toml_quoted(name) + " = " + shortest(value);
    out += "parameters = {" + list + " }\n";
  }
  out += fmt::format("{} = {}\n", text.quasi ? "quasi_lagrangian" : "lagrangian",
                     toml_quoted(text.lagrangian.text));
  if (!text.frame.empty()) out += "frame = " + rows_text(text.frame) + "\n";
  if (!text.complement.empty()) out += "complement = " + rows_text(text.complement) + "\n";
  if (text.brackets_given) {
    std::string list;
    for (const auto& [i, j, k, value] : text.brackets)
      list += fmt::format("{}[{}, {}, {}, {}]", list.empty() ? "" : ", ", i, j, k,
                          toml_quoted(value.text));
    out += "brackets = [" + list + "]\n";
  }
  if (!text.let.empty()) out += "let = " + table_text(text.let) + "\n";
  if (!text.forces.empty()) out += "forces = " + table_text(text.forces) + "\n";
  if (!text.invariants.empty()) out += "invariants = " + table_text(text.invariants) + "\n";
  if (!text.symmetry.empty()) out += "symmetry = " + list_of_names(text.symmetry) + "\n";
  return out;
}

}  // namespace hamel::io
