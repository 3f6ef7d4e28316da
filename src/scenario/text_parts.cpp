// SPDX-License-Identifier: BSD-3-Clause

#include "text_parts.hpp"

#include "hamel/scenario/scenario.hpp"

namespace hamel::io {

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
    reader.problem("system." + key, node, "must be a list of rows, each a list of formulas");
    return rows;
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    const toml::array* row = (*list)[i].as_array();
    const std::string name = fmt::format("system.{}[{}]", key, i + 1);
    if (row == nullptr) {
      reader.problem(name, &(*list)[i], "must be a list of formulas");
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
  constexpr std::size_t most = 1000;
  if (table->size() > most) {
    reader.problem("system." + key, node,
                   fmt::format("has {} formulas, more than {}", table->size(), most));
    return list;
  }
  for (const auto& [name, value] : *table) {
    const std::string entry = fmt::format("system.{}.{}", key, std::string(name.str()));
    list.push_back({std::string(name.str()), {entry, reader.formula(value, entry)}});
  }
  return list;
}

std::vector<std::pair<std::string, double>> read_parameters(const toml::table& system,
                                                            TomlReader& reader) {
  std::vector<std::pair<std::string, double>> list;
  const toml::table& parameters = reader.table(system, "parameters");
  for (const auto& [name, node] : parameters) {
    const std::string key(name.str());
    const auto value = reader.number(parameters, "system.parameters.", key, Range::any);
    list.emplace_back(key, value.value_or(1.0));  // named, so that formulas can be judged
  }
  return list;
}

namespace {

/// The node of a key such as system.frame[2][1], for its place in the file.
const toml::node* node_of(const toml::table& root, const std::string& key) try {
  std::string path = key;
  for (std::size_t at = path.find('['); at != std::string::npos; at = path.find('[', at + 1)) {
    const std::size_t end = path.find(']', at);  // TOML paths count from 0
    path = path.substr(0, at + 1) + std::to_string(std::stol(path.substr(at + 1)) - 1) +
           path.substr(end);
  }
  return root.at_path(path).node();
} catch (const std::exception&) {  // a name with brackets of its own
  return root.get("system");
}

}  // namespace

void report(const std::vector<TextProblem>& problems, const toml::table& root, TomlReader& reader) {
  for (const auto& [key, what] : problems)
    reader.problem(key, node_of(root, key),
                   what.find('\n') == std::string::npos ? what : ": " + what);
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

std::string parameters_text(const std::vector<std::pair<std::string, double>>& parameters) {
  std::string list;
  for (const auto& [name, value] : parameters)
    list += (list.empty() ? " " : ", ") + toml_quoted(name) + " = " + shortest(value);
  return "{" + list + " }";
}

}  // namespace hamel::io
