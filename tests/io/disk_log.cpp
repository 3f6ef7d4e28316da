// SPDX-License-Identifier: BSD-3-Clause

#include "disk_log.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <mutex>
#include <optional>

namespace hamel::io::testing {

namespace fs = std::filesystem;
using Kind = DiskLog::Operation::Kind;

struct DiskLog::Impl {
  fs::path folder;
  std::vector<Operation> done;
  std::map<ino_t, int> numbers;       // of the files there are
  std::map<std::string, int> begin;   // names at the beginning
  std::vector<std::string> contents;  // of each file at the beginning

  std::optional<std::string> name_of(const char* path) const {
    const fs::path full = fs::absolute(path);
    if (full.parent_path() != folder || full.extension() == ".lock") return std::nullopt;
    return full.filename().string();
  }
  /// The file, and its name where it is seen for the first time; −1: none of the folder.
  int number_of(int descriptor) {
    struct stat status {};
    if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return -1;
    const auto known = numbers.find(status.st_ino);
    if (known != numbers.end()) return known->second;
    std::error_code error;
    const fs::path path = fs::read_symlink("/proc/self/fd/" + std::to_string(descriptor), error);
    const auto name = error ? std::nullopt : name_of(path.c_str());
    if (!name) return -1;
    const int number = static_cast<int>(contents.size());
    contents.emplace_back();
    numbers[status.st_ino] = number;
    done.push_back({.kind = Kind::name, .file = number, .from = *name});
    return number;
  }
  /// The file of that name goes: its number may be that of another one soon.
  void forget(const char* path) {
    struct stat status {};
    if (::stat(path, &status) == 0) numbers.erase(status.st_ino);
  }

  struct Disk {
    std::map<std::string, int> names;
    std::vector<std::string> files;
  };
  static void put(std::string& file, std::uint64_t offset, const std::string& bytes) {
    if (file.size() < offset + bytes.size()) file.resize(offset + bytes.size());
    file.replace(offset, bytes.size(), bytes);
  }
  static void apply(const Operation& op, Disk& disk) {
    switch (op.kind) {
      case Kind::write:
        put(disk.files[static_cast<std::size_t>(op.file)], op.offset, op.bytes);
        break;
      case Kind::cut: disk.files[static_cast<std::size_t>(op.file)].resize(op.offset); break;
      case Kind::name: disk.names[op.from] = op.file; break;
      case Kind::unlink: disk.names.erase(op.from); break;
      case Kind::rename:
        if (const auto found = disk.names.find(op.from); found != disk.names.end()) {
          disk.names[op.to] = found->second;
          disk.names.erase(found);
        }
        break;
      default: break;
    }
  }
  Files seen(const Disk& disk) const {
    Files files;
    for (const auto& [name, file] : disk.names)
      files[name] = disk.files[static_cast<std::size_t>(file)];
    return files;
  }
};

namespace {

// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables): the C library's functions, too,
// belong to the process
std::mutex guard;
DiskLog::Impl* active = nullptr;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

/// Keeps some sectors of what was written, and loses the others.
void put_torn(const DiskLog::Operation& op, DiskLog::Impl::Disk& disk, std::mt19937& random) {
  constexpr std::uint64_t sector = 512;
  for (std::uint64_t at = 0; at < op.bytes.size();) {
    const std::uint64_t end = std::min<std::uint64_t>(
        op.bytes.size(), (op.offset + at) / sector * sector + sector - op.offset);
    if (random() % 2 == 0)
      DiskLog::Impl::put(disk.files[static_cast<std::size_t>(op.file)], op.offset + at,
                         op.bytes.substr(at, end - at));
    at = end;
  }
}

}  // namespace

DiskLog::DiskLog(const fs::path& folder) : impl_(std::make_unique<Impl>()) {
  impl_->folder = fs::canonical(folder);
  for (const auto& entry : fs::directory_iterator(impl_->folder)) {
    if (entry.path().extension() == ".lock") continue;
    struct stat status {};
    if (::stat(entry.path().c_str(), &status) != 0) continue;
    const int number = static_cast<int>(impl_->contents.size());
    std::ifstream in(entry.path(), std::ios::binary);
    impl_->contents.emplace_back(std::istreambuf_iterator<char>(in),
                                 std::istreambuf_iterator<char>());
    impl_->numbers[status.st_ino] = number;
    impl_->begin[entry.path().filename().string()] = number;
  }
  const std::lock_guard lock(guard);
  active = impl_.get();
}

DiskLog::~DiskLog() { stop(); }

void DiskLog::stop() {
  const std::lock_guard lock(guard);
  if (active == impl_.get()) active = nullptr;
}

std::size_t DiskLog::size() const {
  const std::lock_guard lock(guard);
  return impl_->done.size();
}

const std::vector<DiskLog::Operation>& DiskLog::operations() const { return impl_->done; }

DiskLog::Files DiskLog::after_kill(std::size_t operations) const {
  Impl::Disk disk{impl_->begin, impl_->contents};
  for (std::size_t i = 0; i < operations; ++i) Impl::apply(impl_->done[i], disk);
  return impl_->seen(disk);
}

DiskLog::Files DiskLog::after_cut(std::size_t operations, std::mt19937& random) const {
  Impl::Disk disk{impl_->begin, impl_->contents};
  std::vector<const Operation*> names;  // not safe yet
  std::map<int, std::vector<const Operation*>> writes;
  for (std::size_t i = 0; i < operations; ++i) {
    const Operation& op = impl_->done[i];
    switch (op.kind) {
      case Kind::write:
      case Kind::cut: writes[op.file].push_back(&op); break;
      case Kind::sync:
        for (const Operation* safe : writes[op.file]) Impl::apply(*safe, disk);
        writes[op.file].clear();
        break;
      case Kind::sync_names:
        for (const Operation* safe : names) Impl::apply(*safe, disk);
        names.clear();
        break;
      default: names.push_back(&op);
    }
  }
  names.resize(random() % (names.size() + 1));
  for (const Operation* kept : names) Impl::apply(*kept, disk);
  for (const auto& [file, list] : writes)
    for (const Operation* op : list) {
      const auto fate = random() % 3;
      if (fate == 0) Impl::apply(*op, disk);
      if (fate == 1 && op->kind == Kind::write) put_torn(*op, disk, random);
    }
  return impl_->seen(disk);
}

namespace {

/// Logs what an operation on an open file does; called once it is done.
void log_on(int descriptor, const std::function<DiskLog::Operation(int file)>& operation) {
  const std::lock_guard lock(guard);
  if (active == nullptr) return;
  if (const int file = active->number_of(descriptor); file >= 0)
    active->done.push_back(operation(file));
}

}  // namespace

}  // namespace hamel::io::testing

// In place of the system's own, for all that this program links.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): the C library's names its own
extern "C" {

using hamel::io::testing::active;
using hamel::io::testing::guard;
using hamel::io::testing::Kind;
using hamel::io::testing::log_on;
using hamel::io::testing::next;
using Operation = hamel::io::testing::DiskLog::Operation;

ssize_t pwrite(int file, const void* bytes, size_t size, off_t offset) {
  static auto* const real = next<ssize_t(int, const void*, size_t, off_t)>("pwrite");
  const ssize_t done = real(file, bytes, size, offset);
  if (done > 0)
    log_on(file, [&](int number) {
      return Operation{.kind = Kind::write,
                       .file = number,
                       .offset = static_cast<std::uint64_t>(offset),
                       .bytes = {static_cast<const char*>(bytes), static_cast<std::size_t>(done)}};
    });
  return done;
}

int ftruncate(int file, off_t size) noexcept {
  static auto* const real = next<int(int, off_t)>("ftruncate");
  const int result = real(file, size);
  if (result == 0)
    log_on(file, [&](int number) {
      return Operation{
          .kind = Kind::cut, .file = number, .offset = static_cast<std::uint64_t>(size)};
    });
  return result;
}

int fsync(int file) {
  static auto* const real = next<int(int)>("fsync");
  struct stat status {};
  if (::fstat(file, &status) == 0 && S_ISDIR(status.st_mode)) {
    const std::lock_guard lock(guard);
    if (active != nullptr) active->done.push_back({.kind = Kind::sync_names});
  } else {
    log_on(file, [](int number) { return Operation{.kind = Kind::sync, .file = number}; });
  }
  return real(file);
}

int unlink(const char* path) noexcept {
  static auto* const real = next<int(const char*)>("unlink");
  const std::lock_guard lock(guard);
  if (active != nullptr && ::access(path, F_OK) == 0) {
    active->forget(path);
    if (const auto name = active->name_of(path))
      active->done.push_back({.kind = Kind::unlink, .from = *name});
  }
  return real(path);
}

int rename(const char* from, const char* to) noexcept {
  static auto* const real = next<int(const char*, const char*)>("rename");
  const std::lock_guard lock(guard);
  if (active != nullptr && ::access(from, F_OK) == 0) {
    active->forget(to);
    const auto a = active->name_of(from);
    const auto b = active->name_of(to);
    if (a && b) active->done.push_back({.kind = Kind::rename, .from = *a, .to = *b});
  }
  return real(from, to);
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
