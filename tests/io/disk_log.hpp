// SPDX-License-Identifier: BSD-3-Clause
// What this process does to the files of one folder, and what a power cut would leave of it.
//
// Until an fsync a disk may keep any of a file's writes and lose the others, or keep some sectors
// of one. Names change in their order, as journaling file systems do it, and last from the fsync of
// their folder on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace hamel::io::testing {

class DiskLog {
 public:
  struct Operation {
    enum class Kind { write, cut, sync, name, rename, unlink, sync_names };
    Kind kind;
    int file = -1;             ///< of write, cut, sync, name
    std::uint64_t offset = 0;  ///< of write; the new size of cut
    std::string bytes = {};    ///< of write
    std::string from = {};     ///< a name in the folder: of name, rename, unlink
    std::string to = {};       ///< of rename
  };
  /// What is in a folder: names and contents.
  using Files = std::map<std::string, std::string>;

  /// Logs until it is destroyed; what is in the folder now is safe. One at a time.
  explicit DiskLog(const std::filesystem::path& folder);
  DiskLog(const DiskLog&) = delete;
  DiskLog& operator=(const DiskLog&) = delete;
  ~DiskLog();

  /// No more operations are logged.
  void stop();

  std::size_t size() const;
  const std::vector<Operation>& operations() const;

  /// Where the power fails after so many operations.
  Files after_cut(std::size_t operations, std::mt19937& random) const;
  /// Where the process dies there instead: nothing is lost.
  Files after_kill(std::size_t operations) const;

  struct Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace hamel::io::testing
