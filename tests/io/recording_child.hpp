// SPDX-License-Identifier: BSD-3-Clause
// A process of its own that writes a recording, to be killed or looked at meanwhile.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <functional>
#include <thread>

#include "recording_support.hpp"

namespace hamel::io::testing {

// A process of its own that runs `action`, killed at the latest with this object. What `action`
// returns is its exit status, 99 an exception.
class Child {
 public:
  explicit Child(const std::function<int()>& action) : pid_(::fork()) {
    if (pid_ != 0) return;
    int status = 99;
    try {
      status = action();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "child: %s\n", error.what());
    }
    ::_exit(status);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { kill(); }

  /// Seconds that it has worked: a busy machine takes longer for them.
  double worked() const {
    clockid_t clock{};
    timespec used{};
    if (::clock_getcpuclockid(pid_, &clock) != 0 || ::clock_gettime(clock, &used) != 0) return 1e9;
    return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
  }

  int wait() {
    int status = 0;
    ::waitpid(std::exchange(pid_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
  int kill() {
    if (pid_ <= 0) return 0;
    ::kill(pid_, SIGKILL);
    return wait();
  }

 private:
  pid_t pid_;
};

inline int exit_status(const std::function<int()>& action) { return Child(action).wait(); }

/// Waits for an event, however long the machine takes; false after two minutes.
inline bool until(const std::function<bool()>& happened) {
  const auto start = std::chrono::steady_clock::now();
  while (!happened()) {
    if (std::chrono::steady_clock::now() - start > std::chrono::minutes(2)) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  return true;
}

inline void wait_for(const std::filesystem::path& path) {
  ASSERT_TRUE(until([&] { return std::filesystem::exists(path); })) << path;
}

// Writes until it is killed, with a commit after every few blocks: as many chances as possible to
// be hit in the middle of one.
inline int write_forever(const std::filesystem::path& path) {
  RecordingWriter writer(path, some_columns(), {{"scenario", "x"}});
  commit(writer);
  for (std::int64_t block = 0;; ++block) {
    append_rows(writer, 100 + block % 7 * 500);
    if (block % 3 == 0) commit(writer);
  }
}

}  // namespace hamel::io::testing
