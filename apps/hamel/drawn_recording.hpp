// SPDX-License-Identifier: BSD-3-Clause
// A recording opened for drawing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hamel/recording/recording.hpp"

namespace hamel::app {

/// It may come from anywhere: whatever does not fit together is an IoError.
struct DrawnRecording {
  std::string name;
  io::RecordingReader reader;
  std::string method, system;
  std::int64_t rows = 0;               ///< of the recording, until the time asked for
  std::int64_t stride = 1, count = 0;  ///< of columns that are read whole

  explicit DrawnRecording(const std::filesystem::path& file, double until);

  [[noreturn]] void refuse(const std::string& why) const;
  const std::string& attribute(const std::string& key) const;

  /// Numbers of a column in each row; 0 where there is no such column.
  int width(std::string_view path) const;

  std::vector<double> column(const std::string& path) {
    return reader.read(path, 0, count, stride);
  }
  /// One number for each row of a column that may be wide: read in slices.
  std::vector<double> of_rows(const std::string& path,
                              const std::function<double(std::span<const double>)>& number);
  /// The numbers of one place in the rows.
  std::vector<double> component(const std::string& path, std::size_t index);

  /// "t = 12.5 s".
  std::string time_label(std::int64_t row);
};

/// The label of an axis: "x, m".
std::string labelled(const std::string& name, const std::string& unit);

}  // namespace hamel::app
