// SPDX-License-Identifier: BSD-3-Clause
// SweepSink: the rows of a sweep's members into a recording, and what they say as a whole.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hamel/recording/recording.hpp"
#include "hamel/scenario/scenario.hpp"

namespace hamel::io {

namespace detail {
class FailureList;
}

/// Of all members with a row, those of an interrupted sweep included.
struct SweepStatistics {
  struct Drift {
    std::string name, unit;
    double largest = 0.0;
    std::int64_t member = -1;  ///< that has it
  };
  std::vector<Drift> drifts;
  std::int64_t failed = 0;
  std::map<Status, std::int64_t> failed_by;  ///< the same, by status
};

class SweepSink {
 public:
  /// Without a file nothing is recorded. A new recording, or one that goes on after a checkpoint;
  /// `damaged_too` then as for runs.
  SweepSink(const Scenario& scenario, const SweepTask& task, const Simulation& like,
            const std::filesystem::path& file, bool overwrite, const Checkpoint* resume_from,
            bool damaged_too);
  SweepSink(const SweepSink&) = delete;
  SweepSink& operator=(const SweepSink&) = delete;
  ~SweepSink();

  /// Members that have a row already.
  std::int64_t first() const { return members_; }
  void rows(const std::vector<double>& data, std::int64_t number,
            const std::vector<MemberFailure>& failures);
  /// Ends the recording; an interrupted one can be resumed.
  void finish(Status status);
  const SweepStatistics& statistics() const { return statistics_; }
  /// The list of members that failed, and why; empty where none has, or nothing is recorded.
  std::string failures_file() const;
  /// Failures that it does not tell of: it was not beside the recording when that was resumed.
  std::int64_t unlisted() const;

 private:
  void count(const double* rows, std::int64_t number);
  void commit();
  void read_statistics(const std::filesystem::path& file, std::int64_t rows);

  std::int64_t steps_;
  std::int64_t members_ = 0;
  std::int64_t uncommitted_ = 0;  // steps of members since the last commit
  std::chrono::steady_clock::time_point committed_ = std::chrono::steady_clock::now();
  std::size_t width_ = 0;
  std::size_t status_at_ = 0, drifts_at_ = 0;  // in a row
  SweepStatistics statistics_;
  Checkpoint base_;
  std::optional<RecordingWriter> writer_;
  std::unique_ptr<detail::FailureList> failures_;  // with writer_
};

}  // namespace hamel::io
