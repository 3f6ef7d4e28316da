// SPDX-License-Identifier: BSD-3-Clause

#include "journaled_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <ranges>

#include "hamel/core/error.hpp"

namespace hamel::io::detail {

namespace {

struct DriverFile {
  H5FD_t base;  // first: HDF5 hands out a pointer to it
  JournaledFile* file;
};

JournaledFile& journal(const H5FD_t* file) {
  return *reinterpret_cast<const DriverFile*>(file)->file;
}

H5FD_t* driver_open(const char*, unsigned, hid_t access, haddr_t) {
  const auto* info = static_cast<JournaledFile* const*>(H5Pget_driver_info(access));
  auto* file = info != nullptr ? new (std::nothrow) DriverFile{} : nullptr;
  if (file == nullptr) return nullptr;
  file->file = *info;
  return &file->base;
}

herr_t driver_close(H5FD_t* file) {
  delete reinterpret_cast<DriverFile*>(file);
  return 0;
}

herr_t driver_query(const H5FD_t*, unsigned long* flags) {
  // No sieve buffer, no accumulator: rows must leave HDF5 inside H5Dwrite.
  if (flags != nullptr) *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t driver_get_eoa(const H5FD_t* file, H5FD_mem_t) { return journal(file).allocated_end(); }

herr_t driver_set_eoa(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  journal(file).allocate_to(end);
  return 0;
}

haddr_t driver_get_eof(const H5FD_t* file, H5FD_mem_t) { return journal(file).end(); }

herr_t driver_read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t offset, size_t size, void* buffer) {
  return journal(file).read(offset, {static_cast<std::byte*>(buffer), size}) ? 0 : -1;
}

herr_t driver_write(H5FD_t* file, H5FD_mem_t type, hid_t, haddr_t offset, size_t size,
                    const void* bytes) {
  const bool raw = type == H5FD_MEM_DRAW;
  return journal(file).write(raw, offset, {static_cast<const std::byte*>(bytes), size}) ? 0 : -1;
}

herr_t driver_truncate(H5FD_t* file, hid_t, hbool_t) {
  journal(file).cut_to_allocated();
  return 0;
}

// No `cmp`: two openings of one file never share a state inside HDF5. No `lock`: HDF5's own file
// locks would refuse live readers.
H5FD_class_t driver_class() {
  H5FD_class_t driver{};
#if H5_VERSION_GE(1, 13, 2)
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(600);  // 512…65535 are free for own drivers
#endif
  driver.name = "hamel_journal";
  driver.maxaddr = haddr_t{1} << 62;
  driver.fc_degree = H5F_CLOSE_STRONG;
  driver.fapl_size = sizeof(JournaledFile*);
  driver.open = driver_open;
  driver.close = driver_close;
  driver.query = driver_query;
  driver.get_eoa = driver_get_eoa;
  driver.set_eoa = driver_set_eoa;
  driver.get_eof = driver_get_eof;
  driver.read = driver_read;
  driver.write = driver_write;
  driver.truncate = driver_truncate;
  constexpr H5FD_mem_t map[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(map), std::end(map), driver.fl_map);
  return driver;
}

hid_t driver_id() {
  static const H5FD_class_t driver = driver_class();
  static const hid_t id = H5FDregister(&driver);
  return id;
}

constexpr std::uint64_t rows_sent_at_once = 4 << 20;
constexpr const char* cut_by_others =
    "was cut while it was written; hamel info --check tells what is left of it";

// The part of `bytes`, lying at `offset`, that falls into [start, start + size), and where.
struct Overlap {
  std::size_t in_bytes;
  std::size_t in_piece;
  std::size_t size;
};
Overlap overlap(std::uint64_t offset, std::size_t bytes, std::uint64_t start, std::size_t size) {
  const auto low = std::max(offset, start);
  const auto high = std::min(offset + bytes, start + size);
  return {low - offset, low - start, high > low ? high - low : 0};
}

}  // namespace

JournaledFile::JournaledFile(std::filesystem::path path, FileDescriptor file,
                             const std::vector<FilePatch>& pieces)
    : path_(std::move(path)), file_(std::move(file)), size_(size_of(file_)), end_(size_) {
  for (const auto& piece : pieces) {
    lay_over(piece.offset, piece.bytes);
    end_ = std::max<std::uint64_t>(end_, piece.offset + piece.bytes.size());
  }
}

Handle JournaledFile::access() {
  // Rows on pages of their own, apart from the bookkeeping: the kernel never has to read a page
  // back to complete it.
  constexpr hsize_t page = 4096;
  constexpr hsize_t large = 32768;
  auto list = opened(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "cannot make the access properties");
  JournaledFile* self = this;
  require(H5Pset_driver(list.id(), driver_id(), static_cast<const void*>(&self)) >= 0 &&
              H5Pset_alignment(list.id(), large, page) >= 0,
          "cannot make the access properties");
  return list;
}

JournaledFile::Pieces::const_iterator JournaledFile::first_touching(std::uint64_t offset) const {
  auto piece = pieces_.upper_bound(offset);
  if (piece != pieces_.begin()) {
    const auto before = std::prev(piece);
    if (before->first + before->second.size() > offset) return before;
  }
  return piece;
}

bool JournaledFile::read(std::uint64_t offset, std::span<std::byte> buffer) noexcept {
  if (const int error = read_at(file_, offset, buffer)) {
    failure_ = reason(error);
    return false;
  }
  const auto stop = offset + buffer.size();
  for (auto piece = first_touching(offset); piece != pieces_.end() && piece->first < stop;
       ++piece) {
    const auto& [start, bytes] = *piece;
    const auto part = overlap(offset, buffer.size(), start, bytes.size());
    if (part.size == 0) continue;
    std::memcpy(buffer.data() + part.in_bytes, bytes.data() + part.in_piece, part.size);
  }
  return true;
}

bool JournaledFile::write(bool raw, std::uint64_t offset,
                          std::span<const std::byte> bytes) noexcept {
  try {
    if (raw && rows_pass_) {
      if (!overwrite_rows(offset, bytes)) return false;
    } else {
      lay_over(offset, bytes);
    }
    end_ = std::max<std::uint64_t>(end_, offset + bytes.size());
    return true;
  } catch (const std::bad_alloc&) {
    failure_ = reason(ENOMEM);
    return false;
  }
}

// To be asked before a write, which would hide the cut behind a hole.
void JournaledFile::look_for_cuts() noexcept {
  if (!was_cut_ && size_of(file_) < size_) was_cut_ = true;
}

Whereabouts JournaledFile::whereabouts(const std::filesystem::path& name) const noexcept {
  struct stat named {};
  struct stat held {};
  if (::fstat(file_.value(), &held) != 0) return Whereabouts::there;  // nothing is known
  if (::stat(name.c_str(), &named) == 0 && named.st_ino == held.st_ino &&
      named.st_dev == held.st_dev)
    return Whereabouts::there;
  return held.st_nlink > 0 ? Whereabouts::elsewhere : Whereabouts::nowhere;
}

bool JournaledFile::overwrite_rows(std::uint64_t offset, std::span<const std::byte> bytes) {
  look_for_cuts();
  if (was_cut_) {
    failure_ = cut_by_others;
    return false;
  }
  if (const int error = write_at(file_, offset, bytes)) {
    failure_ = reason(error);
    return false;
  }
  size_ = std::max<std::uint64_t>(size_, offset + bytes.size());
  rows_unsent_ += bytes.size();
#ifdef SYNC_FILE_RANGE_WRITE
  // Starts the way to the disk now, without waiting, so that the fsync of a commit is short.
  if (rows_unsent_ >= rows_sent_at_once) {
    ::sync_file_range(file_.value(), 0, 0, SYNC_FILE_RANGE_WRITE);
    rows_unsent_ = 0;
  }
#endif
  // Space that HDF5 has just freed and given to rows must not be overwritten by a commit.
  const auto touched = first_touching(offset);
  if (touched != pieces_.end() && touched->first < offset + bytes.size()) lay_over(offset, bytes);
  return true;
}

// Keeps the pieces disjoint: those that `bytes` touches and `bytes` become one. HDF5 mostly
// rewrites exactly what it wrote before, which needs no new memory.
void JournaledFile::lay_over(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  const auto stop = offset + bytes.size();
  const auto first = first_touching(offset);
  auto start = offset;
  auto end = stop;
  auto last = first;
  for (; last != pieces_.end() && last->first < stop; ++last) {
    start = std::min(start, last->first);
    end = std::max<std::uint64_t>(end, last->first + last->second.size());
  }
  if (first != last && std::next(first) == last && start == first->first &&
      end == start + first->second.size()) {
    std::copy(bytes.begin(), bytes.end(), pieces_.at(start).begin() + (offset - start));
    return;
  }
  std::vector<std::byte> merged(end - start);
  for (auto piece = first; piece != last; ++piece) {
    std::copy(piece->second.begin(), piece->second.end(), merged.begin() + (piece->first - start));
  }
  std::copy(bytes.begin(), bytes.end(), merged.begin() + (offset - start));
  pieces_.erase(first, last);
  pieces_.insert_or_assign(start, std::move(merged));
}

void JournaledFile::put(std::uint64_t offset, std::span<const std::byte> bytes) {
  look_for_cuts();
  if (was_cut_) throw IoError(fmt::format("{}: {}", path_.string(), cut_by_others));
  if (const int error = write_at(file_, offset, bytes)) fail(path_, "cannot write", error);
  size_ = std::max<std::uint64_t>(size_, offset + bytes.size());
}

void JournaledFile::resize(std::uint64_t size) {
  if (::ftruncate(file_.value(), static_cast<off_t>(size)) != 0) fail(path_, "cannot write", errno);
  size_ = size;
}

void JournaledFile::sync() {
  if (::fsync(file_.value()) != 0) fail(path_, "cannot write", errno);
}

void JournaledFile::settle() {
  look_for_cuts();
  if (was_cut_) throw IoError(fmt::format("{}: {}", path_.string(), cut_by_others));
  for (auto piece = pieces_.lower_bound(committed_end_); piece != pieces_.end();) {
    put(piece->first, piece->second);
    piece = pieces_.erase(piece);
  }
  if (size_ < end_) resize(end_);
  sync();
}

std::vector<FilePatch> JournaledFile::pieces() const {
  std::vector<FilePatch> patches;
  patches.reserve(pieces_.size());
  for (const auto& [offset, bytes] : pieces_) patches.push_back({offset, bytes});
  return patches;
}

void JournaledFile::apply() {
  // From the back: the superblock, which says how long the file is, comes last.
  for (const auto& [offset, bytes] : std::views::reverse(pieces_)) put(offset, bytes);
  pieces_.clear();
  if (size_ > end_) resize(end_);
  committed_end_ = end_;
}

}  // namespace hamel::io::detail
