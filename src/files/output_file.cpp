// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/files/output_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace hamel::io::detail {

namespace {
constexpr std::size_t buffer_bytes = std::size_t{1} << 18;
}

OutputFile::OutputFile(const std::filesystem::path& path)
    : path_(output_place(path)), beside_(with_suffix(path_, ".partial")) {
  file_ = create_anew(beside_);
  buffer_.reserve(buffer_bytes);
}

OutputFile::~OutputFile() {
  if (file_.is_open()) ::unlink(beside_.c_str());
}

void OutputFile::write(std::span<const std::byte> bytes) {
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  if (buffer_.size() >= buffer_bytes) flush();
}

void OutputFile::patch(std::uint64_t offset, std::span<const std::byte> bytes) {
  flush();
  if (const int error = write_at(file_, offset, bytes)) fail(path_, "cannot write", error);
}

void OutputFile::flush() {
  if (const int error = write_at(file_, written_, buffer_)) fail(path_, "cannot write", error);
  written_ += buffer_.size();
  buffer_.clear();
}

void OutputFile::finish() {
  flush();
  if (std::rename(beside_.c_str(), path_.c_str()) != 0) fail(path_, "cannot create", errno);
  file_.close();
}

}  // namespace hamel::io::detail
