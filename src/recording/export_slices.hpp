// SPDX-License-Identifier: BSD-3-Clause
// The rows of a recording that an export writes, slice by slice.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "hamel/core/error.hpp"
#include "hamel/recording/recording.hpp"

namespace hamel::io::detail {

/// Rows 0, every, 2·every, … of a recording.
struct Slices {
  RecordingReader& reader;
  std::int64_t every;
  std::int64_t count;

  Slices(RecordingReader& from, std::int64_t step)
      : reader(from), every(step), count(step > 0 ? (from.rows() + step - 1) / step : 0) {
    if (step < 1) throw InputError("every " + std::to_string(step) + " rows: at least 1");
    if (count == 0) throw InputError("the recording has no rows yet");
  }

  /// Calls action(first, rows) for the exported rows, so many at a time that `width` numbers (at
  /// least one) of each fit into a megabyte or two.
  template <class Action>
  void each(std::int64_t width, Action&& action) const {
    const std::int64_t most =
        std::max<std::int64_t>(1, (1 << 17) / std::max<std::int64_t>(1, width));
    for (std::int64_t first = 0; first < count; first += most)
      action(first, std::min(most, count - first));
  }

  /// One column of a slice.
  std::vector<double> read(std::string_view column, std::int64_t first, std::int64_t rows) const {
    return reader.read(column, first * every, rows, every);
  }
};

}  // namespace hamel::io::detail
