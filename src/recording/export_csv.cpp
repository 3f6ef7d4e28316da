// SPDX-License-Identifier: BSD-3-Clause
// CSV, and the names of its columns.
#include <fmt/format.h>

#include <cerrno>
#include <map>

#include "export_slices.hpp"
#include "hamel/files/output_file.hpp"
#include "hamel/recording/exports.hpp"

namespace hamel::io {

namespace {

std::string last_part(const std::string& path) { return path.substr(path.rfind('/') + 1); }

/// invariants of /invariants/energy, q of /q: what tells equal names apart.
std::string group(const std::string& path) {
  const std::size_t end = path.find('/', 1);
  return path.substr(1, end == std::string::npos ? end : end - 1);
}

/// Value k of a column.
std::string plain_name(const Column& column, int k, const std::vector<std::string>& coordinates) {
  std::string name = last_part(column.path);
  if (column.width == 1 && (coordinates.empty() || (name != "q" && name != "xi" && name != "p")))
    return name;
  if (name == "q" && static_cast<int>(coordinates.size()) == column.width)
    return coordinates[static_cast<std::size_t>(k)];
  const bool vectors = coordinates.empty() && (name == "q" || name == "omega") && column.width > 3;
  return vectors ? fmt::format("{}{}_{}", name, k / 3 + 1, k % 3 + 1)
                 : fmt::format("{}{}", name, k + 1);
}

/// What belongs to a frame has units of its own; a recording tells those of the coordinates only.
std::string unit_of(const Column& column, bool frame) {
  const std::string& path = column.path;
  return frame && (path == "/q" || path == "/xi" || path == "/p" || path == "/reaction")
             ? ""
             : column.unit;
}

/// A field of a line: in quotes where it must be.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

template <class Put>
std::int64_t csv(RecordingReader& reader, std::int64_t every, Put&& put) {
  const detail::Slices slices(reader, every);
  fmt::memory_buffer text;
  for (const auto& [name, unit] : value_names(reader)) {
    if (text.size() > 0) text.push_back(',');
    text.append(field(unit.empty() ? name : fmt::format("{} [{}]", name, unit)));
  }
  text.push_back('\n');
  const auto& columns = reader.columns();
  std::int64_t width = 0;
  for (const auto& column : columns) width += column.width;
  slices.each(width, [&](std::int64_t first, std::int64_t rows) {
    std::vector<std::vector<double>> values;
    for (const auto& column : columns) values.push_back(slices.read(column.path, first, rows));
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
      const char* separator = "";
      for (std::size_t c = 0; c < columns.size(); ++c) {
        const auto w = static_cast<std::size_t>(columns[c].width);
        for (std::size_t k = 0; k < w; ++k) {
          fmt::format_to(std::back_inserter(text), "{}{:.17g}", separator, values[c][row * w + k]);
          separator = ",";
        }
      }
      text.push_back('\n');
    }
    put(std::string_view(text.data(), text.size()));
    text.clear();
  });
  return slices.count;
}

}  // namespace

std::vector<ValueName> value_names(const std::vector<Column>& columns,
                                   const std::vector<std::string>& coordinates) {
  std::vector<ValueName> names;
  std::vector<std::string> groups;
  std::map<std::string, int> uses;
  for (const auto& column : columns)
    for (int k = 0; k < column.width; ++k) {
      names.push_back({plain_name(column, k, coordinates), unit_of(column, !coordinates.empty())});
      groups.push_back(group(column.path));
      ++uses[names.back().name];
    }
  for (std::size_t i = 0; i < names.size(); ++i)
    if (uses[names[i].name] > 1) names[i].name = groups[i] + "_" + names[i].name;
  return names;
}

std::vector<ValueName> value_names(const RecordingReader& reader) {
  auto names = value_names(reader.columns(), attribute_list(reader, "coordinates"));
  const auto units = attribute_list(reader, "coordinate_units");
  std::size_t at = 0;
  for (const auto& column : reader.columns()) {
    if (column.path == "/q" && static_cast<int>(units.size()) == column.width)
      for (std::size_t k = 0; k < units.size(); ++k) names[at + k].unit = units[k];
    at += static_cast<std::size_t>(column.width);
  }
  return names;
}

std::vector<std::string> attribute_list(const RecordingReader& reader, const std::string& name) {
  const auto found = reader.attributes().find(name);
  if (found == reader.attributes().end() || found->second.empty()) return {};
  std::vector<std::string> words(1);
  for (const char c : found->second) {
    if (c == ',')
      words.emplace_back();
    else
      words.back() += c;
  }
  return words;
}

std::int64_t write_csv(RecordingReader& reader, const std::filesystem::path& path,
                       std::int64_t every) {
  detail::OutputFile file(path);
  const std::int64_t rows = csv(reader, every, [&](std::string_view text) { file.write(text); });
  file.finish();
  return rows;
}

std::int64_t write_csv(RecordingReader& reader, std::FILE* out, std::int64_t every) {
  return csv(reader, every, [&](std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), out) != text.size())
      throw IoError("standard output cannot be written (" + detail::reason(errno) + ")");
  });
}

}  // namespace hamel::io
