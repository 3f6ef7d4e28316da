// SPDX-License-Identifier: BSD-3-Clause

#include "drawn_recording.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "hamel/core/error.hpp"

namespace hamel::app {

namespace {

constexpr std::int64_t max_rows_read = 400'000;  // per column; longer recordings are strided

/// The number of rows with t ≤ until.
std::int64_t rows_until(io::RecordingReader& reader, double until) {
  std::int64_t low = 0, high = reader.rows();
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (reader.read("/t", middle, 1).front() <= until)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

}  // namespace

DrawnRecording::DrawnRecording(const std::filesystem::path& file, double until)
    : name(file.string()), reader(file) {
  method = attribute("method");
  system = attribute("system");
  rows = until > 0 ? rows_until(reader, until) : reader.rows();
  stride = std::max<std::int64_t>(1, rows / max_rows_read);
  count = (rows + stride - 1) / stride;
}

void DrawnRecording::refuse(const std::string& why) const { throw IoError(name + ": " + why); }

const std::string& DrawnRecording::attribute(const std::string& key) const {
  const auto found = reader.attributes().find(key);
  if (found == reader.attributes().end())
    refuse("has no attribute '" + key + "'; not a run of hamel");
  return found->second;
}

int DrawnRecording::width(std::string_view path) const {
  for (const io::Column& column : reader.columns())
    if (column.path == path) return column.width;
  return 0;
}

std::vector<double> DrawnRecording::of_rows(
    const std::string& path, const std::function<double(std::span<const double>)>& number) {
  const auto wide = static_cast<std::size_t>(std::max(1, width(path)));
  const std::int64_t most = std::max<std::int64_t>(1, (1 << 20) / static_cast<std::int64_t>(wide));
  std::vector<double> list;
  for (std::int64_t first = 0; first < count; first += most) {
    const std::int64_t some = std::min(most, count - first);
    const std::vector<double> slice = reader.read(path, first * stride, some, stride);
    for (std::size_t at = 0; at + wide <= slice.size(); at += wide)
      list.push_back(number(std::span(slice).subspan(at, wide)));
  }
  return list;
}

std::vector<double> DrawnRecording::component(const std::string& path, std::size_t index) {
  return of_rows(path, [index](std::span<const double> row) { return row[index]; });
}

std::string DrawnRecording::time_label(std::int64_t row) {
  return fmt::format("t = {:.4g} s", reader.read("/t", row, 1).front());
}

std::string labelled(const std::string& name, const std::string& unit) {
  return unit.empty() || unit == "1" ? name : fmt::format("{}, {}", name, unit);
}

}  // namespace hamel::app
