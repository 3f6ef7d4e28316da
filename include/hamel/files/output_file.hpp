// SPDX-License-Identifier: BSD-3-Clause
// A file of any length written from front to back: beside its place, under its name when complete.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "hamel/files/posix_file.hpp"

namespace hamel::io::detail {

class OutputFile {
 public:
  /// At output_place(path).
  explicit OutputFile(const std::filesystem::path& path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  /// Without finish(): nothing is left behind.
  ~OutputFile();

  /// Bytes written so far.
  std::uint64_t size() const { return written_ + buffer_.size(); }

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }

  /// Replaces bytes written before.
  void patch(std::uint64_t offset, std::span<const std::byte> bytes);

  /// Puts it in its place, instead of what was there. No fsync: exports can be made again.
  void finish();

 private:
  void flush();

  std::filesystem::path path_, beside_;
  FileDescriptor file_;
  std::vector<std::byte> buffer_;
  std::uint64_t written_ = 0;
};

}  // namespace hamel::io::detail
