// SPDX-License-Identifier: BSD-3-Clause
// Numbers in whole cache lines: what kernels with lanes work in.
#pragma once

#include <cstddef>
#include <vector>

namespace hamel {

class LaneMemory {
 public:
  LaneMemory() = default;
  explicit LaneMemory(std::size_t numbers) : lines_((numbers + in_line - 1) / in_line) {}

  /// Aligned to 64 bytes; null where there are none.
  double* data() { return lines_.empty() ? nullptr : lines_.data()->number; }

 private:
  static constexpr std::size_t in_line = 8;
  struct alignas(64) Line {
    double number[in_line] = {};
  };

  std::vector<Line> lines_;
};

}  // namespace hamel
