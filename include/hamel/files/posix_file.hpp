// SPDX-License-Identifier: BSD-3-Clause
// POSIX files behind RAII: exact reads and writes, atomic replacement, a lock against a second
// writer. Everything that fails says which file and why.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hamel/files/files.hpp"

namespace hamel::io::detail {

/// An open file, closed by the destructor.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int descriptor) : descriptor_(descriptor) {}
  FileDescriptor(FileDescriptor&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~FileDescriptor() { close(); }

  int value() const { return descriptor_; }
  bool is_open() const { return descriptor_ >= 0; }
  void close() noexcept;

 private:
  int descriptor_ = -1;
};

/// The text of an errno value.
std::string reason(int error);

/// Throws IoError "PATH: WHAT (reason)".
[[noreturn]] void fail(const std::filesystem::path& path, std::string_view what, int error);

/// open(2), close-on-exec; throws IoError.
FileDescriptor open_file(const std::filesystem::path& path, int flags, std::string_view what);

/// A file made anew, instead of whatever stood under its name, which is never written through;
/// throws IoError.
FileDescriptor create_anew(const std::filesystem::path& path);

/// A regular file opened for reading (never blocks on a pipe); throws IoError.
FileDescriptor open_regular(const std::filesystem::path& path, int flags);

/// Size in bytes of an open file; 0 if unknown.
std::uint64_t size_of(const FileDescriptor& file) noexcept;

/// Reads up to `buffer.size()` bytes at `offset`; what lies behind the end of the file reads as
/// zero. Returns 0 or an errno value.
int read_at(const FileDescriptor& file, std::uint64_t offset, std::span<std::byte> buffer) noexcept;

/// Writes all bytes at `offset`. Returns 0 or an errno value.
int write_at(const FileDescriptor& file, std::uint64_t offset,
             std::span<const std::byte> bytes) noexcept;

/// Makes the entries of the directory that holds `path` durable (best effort: not every file
/// system offers it).
void sync_directory_of(const std::filesystem::path& path) noexcept;

/// The file that `path` names: where it is a link, the one that it leads to. Nothing is checked.
std::filesystem::path behind_links(const std::filesystem::path& path);

/// Puts `parts`, one after the other, in place of `path`: write beside, fsync, rename, fsync of the
/// directory.
void replace_file(const std::filesystem::path& path,
                  std::initializer_list<std::span<const std::byte>> parts);

/// `path` with `suffix` appended to its file name.
std::filesystem::path with_suffix(const std::filesystem::path& path, std::string_view suffix);

/// PATH.lock, held by flock(2) while the object lives: the kernel lets go of it when its process
/// dies, so that a lock file left by a crash blocks nobody.
class LockFile {
 public:
  explicit LockFile(const std::filesystem::path& target);
  LockFile(LockFile&&) noexcept = default;
  LockFile& operator=(LockFile&&) = delete;
  ~LockFile() { release(); }

  void release() noexcept;

 private:
  std::filesystem::path path_;
  FileDescriptor file_;
};

}  // namespace hamel::io::detail
