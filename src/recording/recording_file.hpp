// SPDX-License-Identifier: BSD-3-Clause
// The recording on disk, without the thread: create, reopen, append, commit, finish. How a commit
// stays whole under kill -9 is told in journaled_file.hpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hamel/files/posix_file.hpp"
#include "hamel/recording/recording.hpp"
#include "hdf5_handle.hpp"
#include "journaled_file.hpp"
#include "row_checksums.hpp"

namespace hamel::io::detail {

/// What a recording says of itself; shared by writer and reader.
struct RecordingLayout {
  std::vector<Column> columns;
  std::vector<Handle> datasets;                        // one per column
  std::vector<std::optional<RowChecksums>> checksums;  // as written, one per column
  Attributes attributes;
  std::int64_t rows = 0;  // the least of all columns

  bool finished() const { return attributes.contains("finished"); }
  void close() { datasets.clear(); }
};

/// Reads the layout of an open file; throws Hdf5Error. Within an Hdf5Section.
RecordingLayout read_layout(hid_t file);

/// Opens the file behind `journal`; throws IoError that tells empty, foreign and truncated files
/// apart. Within an Hdf5Section.
Handle open_hdf5(const std::filesystem::path& path, JournaledFile& journal, unsigned flags);

/// The checkpoint in `sidecar`, if it is there and undamaged.
std::optional<Checkpoint> load_if_sound(const std::filesystem::path& sidecar);

/// The text of damage found: dataset and rows.
std::string damage_text(const std::string& path, const std::array<std::int64_t, 2>& rows);

/// Throws IoError where `rows` more rows are larger than the free space of the disk, on which
/// `freed` bytes will be given back.
void check_room(const std::filesystem::path& path, const std::vector<Column>& columns,
                std::int64_t rows, std::uintmax_t freed);

class RecordingFile {
 public:
  static RecordingFile create(const std::filesystem::path& path, std::vector<Column> columns,
                              const Attributes& attributes, const RecordingOptions& options);
  static RecordingFile reopen(const std::filesystem::path& path, Checkpoint checkpoint,
                              const RecordingOptions& options);

  RecordingFile(RecordingFile&&) noexcept = default;
  RecordingFile& operator=(RecordingFile&&) = delete;
  ~RecordingFile() { abandon(); }

  const std::filesystem::path& path() const { return path_; }
  const std::vector<Column>& columns() const { return layout_.columns; }
  std::int64_t rows() const { return layout_.rows; }
  const std::optional<Checkpoint>& last_commit() const { return last_commit_; }
  /// Whether it was deleted, moved or cut while it was written.
  bool lost() const { return lost_ || (journal_ && journal_->was_cut()); }

  void append(const RowBlock& block);
  void commit(Checkpoint checkpoint);
  void finish(const Attributes& attributes, bool finished);

  /// Lets go of everything; the file stays as committed, or never gets its name.
  void abandon() noexcept;

 private:
  RecordingFile(std::filesystem::path path, LockFile lock);

  void build(std::vector<Column> columns, const Attributes& attributes, std::int64_t expected_rows);
  void open_and_cut(const Checkpoint& checkpoint, const RecordingOptions& options);
  void check_rows(std::int64_t rows, bool damaged_too);
  void write_checksums();
  void write_column(std::size_t index, std::span<const double> values);
  void publish(Checkpoint checkpoint);
  void put_in_place();
  void check_there();
  template <class Action>
  void in_hdf5(Action&& action);

  std::filesystem::path path_;
  LockFile lock_;
  std::unique_ptr<JournaledFile> journal_;
  Handle file_;
  RecordingLayout layout_;
  std::string id_;
  std::filesystem::path beside_;           // where a new one is until its first commit; then empty
  std::optional<Checkpoint> last_commit_;  // without state and patches
  bool lost_ = false;                      // deleted or moved while it was written
};

}  // namespace hamel::io::detail
