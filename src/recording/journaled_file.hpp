// SPDX-License-Identifier: BSD-3-Clause
// A file driver for HDF5 that makes commits atomic.
//
// HDF5 updates its own bookkeeping (superblock, object headers, chunk index) in place, in many
// small writes; a process killed between two of them leaves a file whose parts do not match. Here
//
//   rows        go straight to the disk, to places the committed bookkeeping does not count yet;
//   all else    stays in memory, in pieces laid over the file, until the next commit:
//
//     settle()   pieces behind the committed end of the file are written, the file is fsynced;
//     pieces()   the others, to be stored in the checkpoint (fsync, rename: the commit point);
//     apply()    writes them in place. A kill from here on is repaired from the checkpoint.
//
// So the file on disk changes only between a commit point and the end of apply(), a few hundred
// kilobytes at most; and since HDF5 never meets a full disk except in the rows, it can always be
// closed in good order. The same pieces laid over a file opened for reading give the state of the
// checkpoint, whatever of it has reached the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "hamel/files/posix_file.hpp"
#include "hamel/recording/checkpoint.hpp"
#include "hdf5_handle.hpp"

namespace hamel::io::detail {

/// Where a file that is open has gone.
enum class Whereabouts { there, elsewhere, nowhere };

class JournaledFile {
 public:
  /// `path` serves messages only. The object must outlive every HDF5 file opened on it.
  JournaledFile(std::filesystem::path path, FileDescriptor file,
                const std::vector<FilePatch>& pieces = {});
  JournaledFile(const JournaledFile&) = delete;
  JournaledFile& operator=(const JournaledFile&) = delete;

  /// File access properties that lead H5Fopen and H5Fcreate here (within an Hdf5Section).
  Handle access();

  /// While true, raw data is rows and goes straight to the disk.
  void rows_pass(bool pass) { rows_pass_ = pass; }

  /// What HDF5 has just been given to read is what is committed.
  void mark_committed() { committed_end_ = allocated_end_; }

  void settle();
  std::vector<FilePatch> pieces() const;
  void apply();
  void sync();

  /// Whether `name` still leads to the file.
  Whereabouts whereabouts(const std::filesystem::path& name) const noexcept;
  /// Whether somebody else has made it shorter.
  bool was_cut() const noexcept { return was_cut_; }

  /// Why the last access of HDF5 to the disk failed; empty if none did.
  const std::string& failure() const { return failure_; }

  // The side of HDF5: false means failure().
  bool read(std::uint64_t offset, std::span<std::byte> buffer) noexcept;
  bool write(bool raw, std::uint64_t offset, std::span<const std::byte> bytes) noexcept;
  std::uint64_t end() const { return end_; }
  std::uint64_t allocated_end() const { return allocated_end_; }
  void allocate_to(std::uint64_t end) { allocated_end_ = end; }
  void cut_to_allocated() { end_ = allocated_end_; }

 private:
  using Pieces = std::map<std::uint64_t, std::vector<std::byte>>;

  Pieces::const_iterator first_touching(std::uint64_t offset) const;
  bool overwrite_rows(std::uint64_t offset, std::span<const std::byte> bytes);
  void lay_over(std::uint64_t offset, std::span<const std::byte> bytes);
  void put(std::uint64_t offset, std::span<const std::byte> bytes);
  void resize(std::uint64_t size);
  void look_for_cuts() noexcept;

  std::filesystem::path path_;
  FileDescriptor file_;
  Pieces pieces_;  // disjoint
  std::uint64_t size_ = 0;
  std::uint64_t end_ = 0;  // of the file as HDF5 sees it
  std::uint64_t allocated_end_ = 0;
  std::uint64_t committed_end_ = 0;
  std::uint64_t rows_unsent_ = 0;
  bool rows_pass_ = false;
  bool was_cut_ = false;
  std::string failure_;
};

}  // namespace hamel::io::detail
