// SPDX-License-Identifier: BSD-3-Clause
// Recordings: the rows of a run in HDF5, one dataset per column, readable while the run goes on
// and after a `kill -9` up to the last checkpoint.
//
//   RecordingWriter writer("double.h5", {{"/t", 1, "s", "time"}, {"/q", 6, "1", "directions"}},
//                          {{"scenario", text}, {"version", "0.1"}}, {.overwrite = true});
//   auto block = writer.take_buffer();
//   block.data = {…};  ++block.rows;              // t of all rows, q1 … q6 of all rows
//   writer.append(std::move(block));
//   checkpoint.rows = writer.rows();
//   writer.commit(checkpoint);                    // at the start and then every second or so
//   writer.close({{"status", "ok"}}, true);
//
// Files: PATH, PATH.checkpoint (until the run is finished), PATH.lock (while it is written), and
// until the first commit PATH.partial instead of PATH. Layout: width 1 → [N], else [N, width],
// little-endian double, chunked, not compressed, default library version bounds; attributes `unit`
// and `description` on each dataset; on the root the caller's texts, `format_version`, `columns`
// (the paths in order, one per line), `recording_id`, and `finished` = 1 once the run is. On each
// dataset `checksums` too (src/recording/row_checksums.hpp).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hamel/recording/checkpoint.hpp"

namespace hamel::io {

inline constexpr std::int64_t recording_format_version = 1;

/// One quantity of every row, e.g. {"/invariants/energy", 1, "J", "total energy"}.
struct Column {
  std::string path;
  int width = 1;
  std::string unit;
  std::string description;

  bool operator==(const Column&) const = default;
};

/// Rows column by column, as in a RowTable (runs/row_table.hpp): each column has room for
/// data.size()/row_width rows, of which the first `rows` count.
struct RowBlock {
  std::int64_t rows = 0;
  std::vector<double> data;
};

using Attributes = std::map<std::string, std::string>;

struct RecordingOptions {
  bool overwrite = false;
  /// 0: unknown; else chunks are as large as these rows fill, and one that is larger than the free
  /// space of the disk is refused.
  std::int64_t expected_rows = 0;
  int queue_blocks = 4;      ///< blocks and commits on their way to the disk, ≥ 1
  bool damaged_too = false;  ///< reopen: go on although rows are not what was written
  std::string id = {};       ///< `recording_id` of a new one; empty: drawn at random
};

/// Writes a recording from a thread of its own. Stepping waits for the disk only when
/// `queue_blocks` blocks are on their way already; and for each row or state of over 16 MB, so that
/// the memory of a long chain's run does not depend on the disk.
///
/// A failure of the thread (disk full, …) is thrown as IoError by the next call of append, commit,
/// drain or close and by all later ones; the file then holds the rows of the last commit, or there
/// is none if there was none. A file that was deleted, moved or cut meanwhile is such a failure
/// too. One caller at a time; not for use across fork.
class RecordingWriter {
 public:
  /// Creates the file beside its place; the first commit (or close) puts it there, after its
  /// checkpoint. A link to a file stays one: that file is written. Throws IoError (directory
  /// missing or not writable, file exists, another writer has it) or InputError (columns,
  /// attributes), and then leaves no new file behind. With `overwrite` an old recording gives way
  /// only to a new one that can be resumed.
  RecordingWriter(const std::filesystem::path& path, std::vector<Column> columns,
                  const Attributes& attributes, const RecordingOptions& options = {});

  /// Goes on after `checkpoint`: what lies behind its rows is cut off, on disk when this returns.
  /// Throws IoError if the file cannot be opened, is finished, is another recording than the
  /// checkpoint's, has fewer rows, or if its rows are not what was written (checksums).
  static RecordingWriter reopen(const std::filesystem::path& path, Checkpoint checkpoint,
                                const RecordingOptions& options = {});

  RecordingWriter(RecordingWriter&&) noexcept;
  RecordingWriter& operator=(RecordingWriter&&) = delete;

  /// Without close(): rows after the last commit are given up; so is the file if there was none.
  ~RecordingWriter();

  const std::vector<Column>& columns() const;
  int row_width() const;
  std::int64_t rows() const;  ///< handed over so far

  /// A block of no rows, with the memory, and the old numbers, of one that is on disk when there is
  /// one.
  RowBlock take_buffer();

  /// Hands over `block`, which has room for a whole number of rows.
  void append(RowBlock&& block);

  /// Once all rows handed over so far are on disk, makes `checkpoint` the one to go on from;
  /// checkpoint.rows = rows(). Does not wait.
  void commit(Checkpoint checkpoint);

  /// Waits until everything handed over is on disk.
  void drain();

  /// Writes the rest and `attributes`, closes, removes the lock; when `finished`, also the
  /// checkpoint. Otherwise the run can go on from the last commit.
  void close(const Attributes& attributes, bool finished);

 private:
  struct Impl;
  explicit RecordingWriter(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

/// Rows first … last of a dataset that are not what was written.
struct RecordingDamage {
  std::string path;
  std::int64_t first = 0, last = 0;
};

/// Reads a recording: finished, being written by another process, or left by one that died. It
/// sees the state of the last commit, whole, whatever the writer does meanwhile. A damaged
/// checkpoint is passed over: the file then counts as far as it can be read.
class RecordingReader {
 public:
  /// Throws IoError: missing, not HDF5, empty, truncated, not a recording, other format version.
  explicit RecordingReader(const std::filesystem::path& path);
  RecordingReader(RecordingReader&&) noexcept;
  RecordingReader& operator=(RecordingReader&&) noexcept;
  ~RecordingReader();

  const std::vector<Column>& columns() const;
  std::int64_t rows() const;  ///< in every column, and covered by the checkpoint if there is one
  const Attributes& attributes() const;  ///< numbers in decimals
  bool finished() const;

  /// Looks again: a recording being written may have grown. Nothing else changes what the four
  /// functions above return.
  void refresh();

  /// Rows first, first + stride, …: `count` of them, row-major, count · width values. Throws
  /// IoError if there is no such column, InputError if the rows are not within 0 … rows() − 1.
  std::vector<double> read(std::string_view column, std::int64_t first, std::int64_t count,
                           std::int64_t stride = 1);

  /// Reads every row and compares checksums: where the file is not what was written, to within a
  /// block of 1024 rows or a 32nd of the recording. Rows that cannot be read at all count too.
  /// Nothing where it has no checksums.
  std::optional<std::vector<RecordingDamage>> damage();

 private:
  struct Impl;

  std::unique_ptr<Impl> impl_;
};

/// Completes a recording that is finished but whose writer was killed at the very end: what its
/// checkpoint still holds goes into the file, checkpoint and lock go. Throws IoError.
void tidy_finished(const std::filesystem::path& named);

}  // namespace hamel::io
