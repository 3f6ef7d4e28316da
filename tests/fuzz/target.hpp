// SPDX-License-Identifier: BSD-3-Clause
// What every fuzz target shares. A target is one function that takes any bytes; libFuzzer calls it
// in the preset `fuzz`, driver.cpp in all other builds.
#pragma once

#include <sys/time.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

// The name is libFuzzer's.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace hamel::fuzz {

/// Ends the process, as a crash does, where something that must hold does not.
inline void require(bool holds, std::string_view what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

/// How many inputs of which size were tried, and how many of them were not refused. At the end,
/// appended to the file that the variable HAMEL_FUZZ_COUNTS names: "INPUTS MEDIAN_BYTES ACCEPTED".
class Tally {
 public:
  Tally() = default;
  Tally(const Tally&) = delete;
  Tally& operator=(const Tally&) = delete;
  ~Tally() {
    const char* path = std::getenv("HAMEL_FUZZ_COUNTS");  // NOLINT(concurrency-mt-unsafe)
    std::FILE* file = path != nullptr ? std::fopen(path, "a") : nullptr;
    if (file == nullptr) return;
    std::fprintf(file, "%lld %zu %lld\n", static_cast<long long>(inputs_), median(),
                 static_cast<long long>(accepted_));
    std::fclose(file);
  }

  void add(std::size_t size) {
    ++inputs_;
    ++of_size_[size < most ? size : most];
  }
  void accept() { ++accepted_; }
  std::int64_t inputs() const { return inputs_; }
  std::int64_t accepted() const { return accepted_; }
  std::size_t median() const {
    std::size_t size = 0;
    for (std::int64_t seen = of_size_[0]; 2 * seen < inputs_ && size < most;)
      seen += of_size_[++size];
    return size;
  }

 private:
  static constexpr std::size_t most = 65536;
  std::int64_t inputs_ = 0, accepted_ = 0;
  std::int64_t of_size_[most + 1] = {};
};

inline Tally& tally() {
  static Tally all;
  return all;
}

/// Where every trial of an input begins. Counts it, and ends the process when it takes more than a
/// second of processor time: a hang.
inline void begin(std::size_t size) {
  static const auto handler = std::signal(SIGPROF, [](int) { require(false, "over a second"); });
  static_cast<void>(handler);
  constexpr itimerval second = {{0, 0}, {1, 0}};
  ::setitimer(ITIMER_PROF, &second, nullptr);
  tally().add(size);
}

}  // namespace hamel::fuzz
