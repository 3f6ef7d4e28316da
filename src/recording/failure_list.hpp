// SPDX-License-Identifier: BSD-3-Clause
// FILE.failures.csv beside the recording of a sweep: why members failed.
//
//   member,status,step,reason        one line for each that did, in their order
//
// There is no such file while none has failed. A sweep that goes on first takes off the lines of
// members that it will make again, so that the list ends as that of a sweep that was never
// interrupted.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "hamel/files/posix_file.hpp"
#include "hamel/runs/sweep.hpp"

namespace hamel::io::detail {

std::filesystem::path failures_path(const std::filesystem::path& recording);

class FailureList {
 public:
  /// Of a recording that holds the first `members` already; 0: a new one.
  FailureList(const std::filesystem::path& recording, std::int64_t members);

  void add(const std::vector<MemberFailure>& failures);
  /// Puts all lines on the disk; to be done before the recording's commit.
  void commit();

  const std::filesystem::path& path() const { return path_; }
  /// Members it tells of.
  std::int64_t size() const { return size_; }

 private:
  void open();
  void write();

  std::filesystem::path path_;
  FileDescriptor file_;  // once there is something to say
  std::uint64_t end_ = 0;
  std::int64_t size_ = 0;
  std::string pending_;
  bool unsynced_ = false;
};

}  // namespace hamel::io::detail
