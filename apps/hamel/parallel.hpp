// SPDX-License-Identifier: BSD-3-Clause
// Independent pieces of work, on all processors.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <vector>

#include "console.hpp"

namespace hamel::app {

/// work(0) … work(count − 1), in any order; it must not throw. tick() is called by the caller's
/// thread about twenty times a second meanwhile. After an interruption nothing new is begun.
inline void in_parallel(std::size_t count, const std::function<void(std::size_t)>& work,
                        const std::function<void()>& tick) {
  std::atomic<std::size_t> next = 0;
  std::atomic<int> working = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  std::vector<std::jthread> workers;
  for (int i = working; i > 0; --i)
    workers.emplace_back([&] {
      for (std::size_t k = next++; k < count && !interrupted(); k = next++) work(k);
      --working;
    });
  while (working > 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    tick();
  }
}

}  // namespace hamel::app
