// SPDX-License-Identifier: BSD-3-Clause

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "hamel/core/error.hpp"
#include "hamel/files/output_file.hpp"
#include "hamel/files/posix_file.hpp"

namespace hamel::io::detail {

namespace fs = std::filesystem;

void FileDescriptor::close() noexcept {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
}

std::string reason(int error) { return std::generic_category().message(error); }

void fail(const fs::path& path, std::string_view what, int error) {
  throw IoError(fmt::format("{}: {} ({})", path.string(), what, reason(error)));
}

FileDescriptor open_file(const fs::path& path, int flags, std::string_view what) {
  FileDescriptor file(::open(path.c_str(), flags | O_CLOEXEC, 0666));
  if (!file.is_open()) fail(path, what, errno);
  return file;
}

FileDescriptor create_anew(const fs::path& path) {
  ::unlink(path.c_str());
  return open_file(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, "cannot create");
}

FileDescriptor open_regular(const fs::path& path, int flags) {
  auto file = open_file(path, flags | O_NONBLOCK, "cannot open");
  struct stat status {};
  if (::fstat(file.value(), &status) != 0) fail(path, "cannot open", errno);
  if (!S_ISREG(status.st_mode)) throw IoError(fmt::format("{}: not a file", path.string()));
  return file;
}

std::uint64_t size_of(const FileDescriptor& file) noexcept {
  struct stat status {};
  return ::fstat(file.value(), &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

int read_at(const FileDescriptor& file, std::uint64_t offset,
            std::span<std::byte> buffer) noexcept {
  while (!buffer.empty()) {
    const auto count =
        ::pread(file.value(), buffer.data(), buffer.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    if (count == 0) break;
    buffer = buffer.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
  if (!buffer.empty()) std::memset(buffer.data(), 0, buffer.size());
  return 0;
}

int write_at(const FileDescriptor& file, std::uint64_t offset,
             std::span<const std::byte> bytes) noexcept {
  while (!bytes.empty()) {
    const auto count =
        ::pwrite(file.value(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    if (count == 0) return EIO;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
  return 0;
}

void sync_directory_of(const fs::path& path) noexcept {
  const auto parent = path.parent_path();
  const FileDescriptor directory(
      ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.is_open()) ::fsync(directory.value());
}

fs::path behind_links(const fs::path& path) {
  std::error_code error;
  if (!fs::is_symlink(path, error)) return path;
  auto target = fs::canonical(path, error);
  return error ? path : target;
}

void replace_file(const fs::path& path, std::initializer_list<std::span<const std::byte>> parts) {
  const auto beside = with_suffix(path, ".tmp");
  auto file = create_anew(beside);
  int error = 0;
  std::uint64_t offset = 0;
  for (const auto& part : parts) {
    if (error == 0) error = write_at(file, offset, part);
    offset += part.size();
  }
  if (error == 0 && ::fsync(file.value()) != 0) error = errno;
  file.close();
  if (error == 0 && std::rename(beside.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(beside.c_str());
    fail(path, "cannot write", error);
  }
  sync_directory_of(path);
}

fs::path with_suffix(const fs::path& path, std::string_view suffix) {
  auto longer = path;
  longer += suffix;
  return longer;
}

namespace {

// True if the name `path` still leads to the file that is open: its holder may have removed it
// between our open and our lock.
bool is_current(const fs::path& path, const FileDescriptor& file) {
  struct stat named {};
  struct stat held {};
  return ::stat(path.c_str(), &named) == 0 && ::fstat(file.value(), &held) == 0 &&
         named.st_ino == held.st_ino && named.st_dev == held.st_dev;
}

std::string holder_of(const FileDescriptor& file) {
  std::array<char, 24> text{};
  const auto count = ::pread(file.value(), text.data(), text.size() - 1, 0);
  return count > 0 ? std::string(text.data(), static_cast<std::size_t>(count)) : "unknown";
}

}  // namespace

LockFile::LockFile(const fs::path& target) : path_(with_suffix(behind_links(target), ".lock")) {
  for (;;) {
    file_ = open_regular(path_, O_RDWR | O_CREAT | O_NOFOLLOW);
    int error = 0;
    while (::flock(file_.value(), LOCK_EX | LOCK_NB) != 0 && (error = errno) == EINTR) {
    }
    if (error == EWOULDBLOCK) {
      throw IoError(fmt::format("{}: another writer (process {}) is recording to it",
                                target.string(), holder_of(file_)));
    }
    // A file system without flock gives no protection, but that is no reason to refuse the run.
    if (error != 0 && error != EINTR && error != ENOSYS && error != EOPNOTSUPP) {
      fail(path_, "cannot lock", error);
    }
    if (is_current(path_, file_)) break;
  }
  const auto holder = std::to_string(::getpid());
  if (::ftruncate(file_.value(), 0) == 0) {
    write_at(file_, 0, std::as_bytes(std::span(holder)));  // for the message above only
  }
}

void LockFile::release() noexcept {
  if (!file_.is_open()) return;
  ::unlink(path_.c_str());  // while it is still held: see is_current
  file_.close();
}

}  // namespace hamel::io::detail

namespace hamel::io {

std::filesystem::path output_place(const std::filesystem::path& path) {
  std::error_code error;
  const auto named = std::filesystem::symlink_status(path, error);
  if (!std::filesystem::exists(named))
    return path;  // or it is not to be seen: creating it tells why
  const bool link = std::filesystem::is_symlink(named);
  const auto status = link ? std::filesystem::status(path, error) : named;
  const bool file = std::filesystem::is_regular_file(status);
  if (file && !link) return path;
  if (file) {
    auto target = std::filesystem::canonical(path, error);
    if (!error) return target;  // else it was deleted and is held open: of /dev/stdout, it may be
  }
  const auto* const kind =
      file                                    ? "a deleted file"
      : !std::filesystem::exists(status)      ? "nothing"
      : std::filesystem::is_directory(status) ? "a directory"
      : std::filesystem::is_fifo(status)      ? "a pipe"
      : std::filesystem::is_socket(status)    ? "a socket"
      : std::filesystem::is_character_file(status) || std::filesystem::is_block_file(status)
          ? "a device"
          : "something else";
  throw IoError(fmt::format("{}: is {}{}, not a file; nothing is written there", path.string(),
                            link ? "a link to " : "", kind));
}

void write_file(const std::filesystem::path& path, std::string_view text) {
  detail::OutputFile file(path);
  file.write(text);
  file.finish();
}

std::string plain_stem(const std::filesystem::path& path) {
  const std::string stem = path.stem().string();
  return stem == "." || stem == ".." ? path.filename().string() : stem;
}

}  // namespace hamel::io
