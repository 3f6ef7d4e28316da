// SPDX-License-Identifier: BSD-3-Clause
// Time since it was made. Clocks that should be steady are not always (virtual machines that move,
// tools that fake them): what is told here never falls and is never negative.
#pragma once

#include <algorithm>
#include <chrono>

namespace hamel {

class Stopwatch {
 public:
  double seconds() {
    const std::chrono::duration<double> now = std::chrono::steady_clock::now() - begin_;
    last_ = std::max(last_, now.count());
    return last_;
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double last_ = 0.0;
};

}  // namespace hamel
