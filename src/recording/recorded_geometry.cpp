// SPDX-License-Identifier: BSD-3-Clause

#include "recorded_geometry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "hamel/core/error.hpp"
#include "hamel/recording/exports.hpp"

namespace hamel::io {

double rod_length(const RecordingReader& reader) {
  const auto found = reader.attributes().find("scenario");
  if (found == reader.attributes().end()) return 1.0;
  constexpr std::string_view key = "\nlength = ";
  const std::size_t at = found->second.find(key);
  double value = 1.0;
  if (at != std::string::npos) {
    const char* text = found->second.c_str();
    std::from_chars(text + at + key.size(), text + found->second.size(), value);
  }
  return value;
}

std::vector<double> link_lengths(const RecordingReader& reader) {
  std::vector<double> lengths;
  for (const std::string& word : attribute_list(reader, "link_lengths")) {
    double value = 0.0;
    const char* const end = word.data() + word.size();
    if (std::from_chars(word.data(), end, value).ptr != end || !std::isfinite(value))
      throw IoError("link_lengths of the recording: '" + clipped(word) + "' is not a number");
    lengths.push_back(value);
  }
  if (lengths.empty()) return lengths;
  std::size_t links = 0;
  for (const auto& column : reader.columns())
    if (column.path == "/q") links = static_cast<std::size_t>(column.width) / 3;
  if (lengths.size() == 1) lengths.resize(links, lengths[0]);
  if (lengths.size() != links || links == 0)
    throw IoError(
        fmt::format("the recording has {} link_lengths for {} links", lengths.size(), links));
  return lengths;
}

namespace detail {

RecordedGeometry::RecordedGeometry(const RecordingReader& reader) {
  int width = 0;
  for (const auto& column : reader.columns()) {
    if (column.path == "/q") width = column.width;
    if (column.path == "/base") has_base_ = column.width == 3;
  }
  if (width == 0) throw InputError("the recording has no /q: there is nothing to draw in space");
  const auto coordinates = attribute_list(reader, "coordinates");
  if (!coordinates.empty()) {
    constexpr std::string_view axes[] = {"x", "y", "z"};
    for (int c = 0; c < 3; ++c) {
      const auto found = std::ranges::find(coordinates, axes[c]);
      if (found != coordinates.end())
        coordinate_[c] = static_cast<int>(found - coordinates.begin());
    }
    if (coordinate_[0] < 0 || coordinate_[1] < 0)
      throw InputError(fmt::format(
          "the coordinates {} have no x and y: there is no path in space to draw; --csv and --npz "
          "write every number",
          clipped(reader.attributes().at("coordinates"))));
    if (coordinates.size() != static_cast<std::size_t>(width))
      throw IoError(fmt::format("the recording has {} coordinates, and {} numbers of them",
                                coordinates.size(), width));
    return;
  }
  if (width % 3 != 0)
    throw IoError(
        fmt::format("the recording has {} numbers in /q, not three for each sphere", width));
  const int n = width / 3;
  points_ = n + 1;
  lengths_ = link_lengths(reader);
  if (!lengths_.empty()) {
    kind_ = Kind::chain;
    first_tracked_ = n;
    lines_.emplace_back(static_cast<std::size_t>(points_));
    std::iota(lines_[0].begin(), lines_[0].end(), 0);
    return;
  }
  kind_ = Kind::spheres;
  has_base_ = false;
  first_tracked_ = 1;
  lengths_ = {n == 1 ? rod_length(reader) : 1.0};
  for (int i = 0; i < n; ++i) lines_.push_back({0, i + 1});
}

void RecordedGeometry::place(std::span<const double> q, const double* base, double* xyz) const {
  if (kind_ == Kind::frame) {
    for (int c = 0; c < 3; ++c)
      xyz[c] = coordinate_[c] < 0 ? 0.0 : q[static_cast<std::size_t>(coordinate_[c])];
    return;
  }
  for (int c = 0; c < 3; ++c) xyz[c] = has_base_ ? base[c] : 0.0;
  for (std::size_t i = 3; i < 3 * static_cast<std::size_t>(points_); ++i) {
    const bool chain = kind_ == Kind::chain;
    const double l = chain ? lengths_[i / 3 - 1] : lengths_[0];
    xyz[i] = (chain ? xyz[i - 3] : 0.0) + l * q[i - 3];
  }
}

}  // namespace detail

}  // namespace hamel::io
