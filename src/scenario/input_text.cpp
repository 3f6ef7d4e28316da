// SPDX-License-Identifier: BSD-3-Clause

#include "input_text.hpp"

#include <fcntl.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <string_view>

#include "hamel/files/posix_file.hpp"
#include "hamel/scenario/scenario.hpp"
#include "text_parts.hpp"

namespace hamel::io {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_rows = 10'000;      // so that recordings can keep the table
constexpr std::size_t most_bytes = 1U << 20U;  // of a file
constexpr std::size_t most_inputs = 100;

using Cells = std::vector<std::string_view>;

std::string_view trimmed(std::string_view text) {
  const auto from = text.find_first_not_of(" \t\r");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t\r") - from + 1);
}

Cells cells_of(std::string_view line) {
  Cells cells;
  for (;;) {
    const std::size_t comma = line.find(',');
    std::string_view cell = trimmed(line.substr(0, comma));
    if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"')
      cell = cell.substr(1, cell.size() - 2);
    cells.push_back(cell);
    if (comma == std::string_view::npos) return cells;
    line.remove_prefix(comma + 1);
  }
}

double number_in(std::string_view cell, const std::string& where) {
  if (cell.starts_with('+') && !cell.starts_with("+-")) cell.remove_prefix(1);
  double x = 0.0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), x);
  if (error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(x))
    throw InputError(
        fmt::format("{}: '{}' is not a finite number", where, clipped(std::string(cell))));
  return x;
}

void add_row(InputTable& table, double t, double u, const std::string& where) {
  if (!table.t.empty() && !(t > table.t.back()))
    throw InputError(
        fmt::format("{}: the time {} does not rise above {}", where, t, table.t.back()));
  if (table.t.size() == most_rows)
    throw InputError(fmt::format("{}: more than {} rows", where, most_rows));
  table.t.push_back(t);
  table.u.push_back(u);
}

/// The columns of a file with names in its first line: the time, and the one that is wanted.
InputTable table_in(const std::string& text, const std::string& column, const std::string& file) {
  InputTable table;
  std::string_view rest = text;
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (rest.starts_with(byte_order_mark)) rest.remove_prefix(byte_order_mark.size());
  std::size_t at = 0;     // of the column
  std::size_t width = 0;  // of every row
  for (int number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = trimmed(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    if (line.empty() || line.starts_with('#')) continue;
    const Cells cells = cells_of(line);
    const std::string where = fmt::format("{}:{}", file, number);
    if (at == 0) {
      const auto found = std::ranges::find(cells, column);
      const std::vector<std::string> names(cells.begin(), cells.end());
      if (found == cells.end() || found == cells.begin())
        throw InputError(
            fmt::format("{}: there is no column '{}' after that of the time; columns: {}{}", where,
                        clipped(column), list_of_words(names), did_you_mean(column, names)));
      if (std::ranges::count(cells, column) > 1)
        throw InputError(fmt::format("{}: there are two columns '{}'", where, clipped(column)));
      at = static_cast<std::size_t>(found - cells.begin());
      width = cells.size();
      continue;
    }
    if (cells.size() != width)
      throw InputError(
          fmt::format("{}: has {} columns, the first line {}", where, cells.size(), width));
    add_row(table, number_in(cells[0], where), number_in(cells[at], where), where);
  }
  if (table.t.empty()) throw InputError(file + ": has no rows");
  return table;
}

std::string contents_of(const fs::path& path) {
  const detail::FileDescriptor file = detail::open_regular(path, O_RDONLY);
  const std::uint64_t size = detail::size_of(file);
  if (size > most_bytes)
    throw InputError(
        fmt::format("{}: has {} bytes, more than {}", path.string(), size, most_bytes));
  std::string text(size, '\0');
  if (const int error = detail::read_at(file, 0, std::as_writable_bytes(std::span(text)));
      error != 0)
    detail::fail(path, "cannot be read", error);
  return text;
}

class InputsReader {
 public:
  InputsReader(const std::string& origin, TomlReader& reader) : origin_(origin), reader_(reader) {}

  InputText read(const std::string& name, const toml::node& node) {
    InputText input;
    input.name = name;
    const std::string key = "inputs." + name;
    if (const auto value = TomlReader::as_number(node)) {
      input.number = *value;
      if (!std::isfinite(*value)) reader_.problem(key, &node, "must be a finite number");
    } else if (node.is_string()) {
      input.kind = InputText::Kind::formula;
      input.formula = {key, reader_.formula(node, key)};
    } else if (const toml::table* table = node.as_table()) {
      read_table(input, *table, key);
    } else {
      reader_.problem(key, &node,
                      "must be a number, a formula of t, { law = \"…\" } or { file = \"…\", column "
                      "= \"…\" }");
    }
    return input;
  }

 private:
  void read_table(InputText& input, const toml::table& table, const std::string& key) {
    const std::string prefix = key + ".";
    const int kinds = static_cast<int>(table.contains("law")) +
                      static_cast<int>(table.contains("file")) +
                      static_cast<int>(table.contains("table"));
    if (kinds != 1) {
      reader_.problem(key, &table, "needs one of law, file and table");
      return;
    }
    if (table.contains("law")) {
      reader_.refuse_unknown(table, prefix, {"law", "sample"});
      input.kind = InputText::Kind::law;
      input.formula = {prefix + "law", reader_.formula(table, prefix, "law", "")};
      input.sample = reader_.number(table, prefix, "sample", Range::positive).value_or(0.0);
      return;
    }
    input.kind = InputText::Kind::table;
    reader_.refuse_unknown(table, prefix, {"file", "column", "table", "hold"});
    const std::string hold = reader_.text(table, prefix, "hold").value_or("linear");
    if (hold != "linear" && hold != "zero")
      reader_.problem(prefix + "hold", table.get("hold"), "must be \"linear\" or \"zero\"");
    try {
      input.table = table.contains("file") ? from_file(input.name, table, prefix)
                                           : in_place(*table.get("table"), prefix + "table");
    } catch (const std::runtime_error& error) {
      reader_.problem(reader_.where(key, &table) + prefix +
                      (table.contains("file") ? "file" : "table") + ": " + error.what());
    }
    if (input.table.t.empty()) input.table = {{0.0}, {0.0}, true};
    input.table.linear = hold == "linear";
  }

  InputTable from_file(const std::string& name, const toml::table& table,
                       const std::string& prefix) {
    const auto given = reader_.text(table, prefix, "file");
    if (!given) return {};  // which is told
    const std::string& file = *given;
    if (file.find('\0') != std::string::npos) throw InputError("has a NUL in its name");
    const std::string column = reader_.text(table, prefix, "column").value_or(name);
    if (file.empty()) throw InputError("names no file");
    const fs::path path = fs::path(origin_).parent_path() / file;
    return table_in(contents_of(path), column, path.string());
  }

  static InputTable in_place(const toml::node& node, const std::string& key) {
    const toml::array* rows = node.as_array();
    if (rows == nullptr || rows->empty()) throw InputError("must be a list of [t, u]");
    InputTable table;
    for (const toml::node& row : *rows) {
      const std::string where = fmt::format("row {}", table.t.size() + 1);
      const toml::array* pair = row.as_array();
      if (pair == nullptr || pair->size() != 2) throw InputError(where + " is not [t, u]");
      const auto t = TomlReader::as_number((*pair)[0]);
      const auto u = TomlReader::as_number((*pair)[1]);
      if (!t || !u || !std::isfinite(*t) || !std::isfinite(*u))
        throw InputError(where + " has what is not a finite number");
      add_row(table, *t, *u, where);
    }
    return table;
  }

  const std::string& origin_;
  TomlReader& reader_;
};

}  // namespace

std::vector<InputText> read_inputs(const toml::table& root, const std::string& origin,
                                   TomlReader& reader) {
  std::vector<InputText> inputs;
  const toml::table& table = reader.table(root, "inputs");
  if (table.size() > most_inputs) {
    reader.problem("inputs", &table,
                   fmt::format("are {}, more than {}", table.size(), most_inputs));
    return inputs;
  }
  InputsReader own(origin, reader);
  std::vector<std::pair<std::string, const toml::node*>> entries;
  for (const auto& [name, node] : table) entries.emplace_back(name.str(), &node);
  // In the order of the file; what the command line adds has no place there and comes last.
  std::ranges::stable_sort(entries, {}, [](const auto& entry) {
    const auto& at = entry.second->source().begin;
    return at ? std::pair(at.line, at.column) : std::pair(~at.line, ~at.column);
  });
  for (const auto& [name, node] : entries) inputs.push_back(own.read(name, *node));
  return inputs;
}

void check_inputs(const Scenario& scenario, const toml::table& root, TomlReader& reader) {
  if (!scenario.text_system) return;
  const double until = scenario.accuracy > 0.0 ? scenario.horizon : scenario.until();
  for (const InputText& input : scenario.text_system->inputs) {
    const std::string key = "inputs." + input.name;
    const toml::node* node = root.at_path(key).node();
    if (input.sample > 0.0 && scenario.accuracy > 0.0) {
      reader.problem(key, node,
                     "is sampled: give integrate.step, of which the period is a multiple");
    } else if (input.sample > 0.0) {
      const double steps = input.sample / scenario.integration.step;
      if (!(std::round(steps) >= 1.0) || std::fabs(steps - std::round(steps)) > 1e-9 * steps)
        reader.problem(key, node,
                       fmt::format("has sample = {}, which is not a multiple of the step {}",
                                   input.sample, scenario.integration.step));
    }
    if (input.kind != InputText::Kind::table) continue;
    const auto& t = input.table.t;
    if (t.front() > 0.0 || t.back() < until * (1.0 - 1e-12))
      reader.problem(key, node,
                     fmt::format("covers t = {} to {}; the run goes from 0 to {}", t.front(),
                                 t.back(), until));
  }
}

std::string to_toml_text(const std::vector<InputText>& inputs) {
  std::string out = "[inputs]\n";
  for (const InputText& input : inputs) {
    out += input.name + " = ";
    switch (input.kind) {
      case InputText::Kind::number: out += shortest(input.number); break;
      case InputText::Kind::formula: out += toml_quoted(input.formula.text); break;
      case InputText::Kind::law:
        out += "{ law = " + toml_quoted(input.formula.text);
        if (input.sample > 0.0) out += ", sample = " + shortest(input.sample);
        out += " }";
        break;
      case InputText::Kind::table: {
        std::string rows;
        for (std::size_t i = 0; i < input.table.t.size(); ++i)
          rows += fmt::format("{}[{}, {}]", i > 0 ? ", " : "", shortest(input.table.t[i]),
                              shortest(input.table.u[i]));
        out += fmt::format("{{ table = [{}], hold = \"{}\" }}", rows,
                           input.table.linear ? "linear" : "zero");
      }
    }
    out += "\n";
  }
  return out;
}

}  // namespace hamel::io
