// SPDX-License-Identifier: BSD-3-Clause

#include "recording_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <random>
#include <ranges>

#include "failure_list.hpp"
#include "hamel/core/error.hpp"
#include "new_recording.hpp"

namespace hamel::io::detail {

namespace fs = std::filesystem;

namespace {

// A chunk is one entry of HDF5's index and the most that is written at once: the system writes
// a megabyte in little more than half the time of eight parts. No more, as it would not fit the
// cache that other readers have of a dataset.
constexpr std::int64_t chunk_bytes = std::int64_t{1024} * 1024;

/// Rows in a chunk of a column; where so many rows are expected, chunks that they fill.
std::int64_t chunk_rows(int width, std::int64_t expected) {
  const std::int64_t most =
      std::max<std::int64_t>(1, chunk_bytes / static_cast<std::int64_t>(sizeof(double)) / width);
  if (expected <= 0) return most;
  const std::int64_t chunks = (expected + most - 1) / most;
  return (expected + chunks - 1) / chunks;
}

std::string random_id() {
  std::random_device source;
  return fmt::format("{:08x}{:08x}{:08x}{:08x}", source(), source(), source(), source());
}

// Brings the file to its checkpoint if the writer died while it was applying it.
void redo(const fs::path& path, const std::vector<FilePatch>& patches) {
  const auto file = open_regular(path, O_RDWR);
  for (const auto& [offset, bytes] : std::views::reverse(patches)) {
    if (const int error = write_at(file, offset, bytes)) {
      fail(path, "cannot write", error);
    }
  }
}

// What a writer that died has left beside the recording. With the lock held.
void remove_remains(const fs::path& path) {
  ::unlink(with_suffix(path, ".partial").c_str());
  ::unlink(with_suffix(checkpoint_path(path), ".tmp").c_str());
}

// The recording_id found with `patches` laid over the file; throws if it cannot be opened.
std::string id_of(const fs::path& path, const std::vector<FilePatch>& patches) {
  const Hdf5Section section;
  JournaledFile journal(path, open_regular(path, O_RDONLY), patches);
  const auto file = open_hdf5(path, journal, H5F_ACC_RDONLY);
  try {
    return read_attributes(file.id())["recording_id"];
  } catch (const Hdf5Error& error) {
    throw IoError(fmt::format("{}: {}", path.string(), error.what()));
  }
}

// Another file under the name of the recording must not be written to. The patches may be what
// makes the recording readable, but a foreign file must be known without them.
void check_belongs(const fs::path& path, const std::string& recording,
                   const std::vector<FilePatch>& patches) {
  std::string id;
  try {
    id = id_of(path, {});
  } catch (const IoError&) {
    id = id_of(path, patches);
  }
  if (id.empty() || id != recording) {
    throw IoError(fmt::format("{}: the checkpoint belongs to another recording", path.string()));
  }
}

// Lets rows through to the disk while it lives.
class RowsPass {
 public:
  explicit RowsPass(JournaledFile& file) : file_(file) { file_.rows_pass(true); }
  RowsPass(const RowsPass&) = delete;
  RowsPass& operator=(const RowsPass&) = delete;
  ~RowsPass() { file_.rows_pass(false); }

 private:
  JournaledFile& file_;
};

}  // namespace

RecordingFile::RecordingFile(fs::path path, LockFile lock)
    : path_(std::move(path)), lock_(std::move(lock)) {}

// Runs what uses HDF5; errors get the file's name and, if the disk was the cause, its reason.
template <class Action>
void RecordingFile::in_hdf5(Action&& action) {
  const Hdf5Section section;
  try {
    action();
  } catch (const Hdf5Error& error) {
    const bool disk = journal_ && !journal_->failure().empty();
    throw IoError(fmt::format("{}: {}", path_.string(), disk ? journal_->failure() : error.what()));
  }
}

RecordingFile RecordingFile::create(const fs::path& path, std::vector<Column> columns,
                                    const Attributes& attributes, const RecordingOptions& options) {
  check_new_recording(columns, attributes);
  const fs::path place = output_place(path);
  check_place(place);

  RecordingFile recording(place, LockFile(place));
  check_free(place, options.overwrite);
  output_place(checkpoint_path(place));
  std::error_code none;
  const auto old = fs::file_size(place, none);  // gives way to the new one
  check_room(place, columns, options.expected_rows, none ? 0 : old);
  recording.beside_ = with_suffix(place, ".partial");
  // From here on the destructor takes away what is left beside.
  recording.journal_ = std::make_unique<JournaledFile>(place, create_anew(recording.beside_));
  recording.id_ = options.id.empty() ? random_id() : options.id;
  recording.build(std::move(columns), attributes, options.expected_rows);
  recording.journal_->settle();
  recording.journal_->apply();
  ::unlink(failures_path(place).c_str());
  return recording;
}

// A new recording gets its name when there is a checkpoint to go on from, so that whatever bears
// the name can be resumed; what bore it before gives way only now.
void RecordingFile::put_in_place() {
  if (beside_.empty()) return;
  if (std::rename(beside_.c_str(), path_.c_str()) != 0) fail(path_, "cannot create", errno);
  beside_.clear();
  sync_directory_of(path_);
}

void RecordingFile::build(std::vector<Column> columns, const Attributes& attributes,
                          std::int64_t expected_rows) {
  in_hdf5([&] {
    require(H5open() >= 0, "HDF5 cannot be initialised");
    const auto access = journal_->access();
    file_ = opened(H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()), H5Fclose,
                   "cannot be created");
    std::string paths;
    const auto links = opened(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "links");
    require(H5Pset_create_intermediate_group(links.id(), 1) >= 0, "links");
    for (const auto& [path, width, unit, description] : columns) {
      const auto create = opened(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, path);
      const auto access = uncached();
      const auto columns_in_chunk = static_cast<hsize_t>(width);
      const std::array<hsize_t, 2> chunk{static_cast<hsize_t>(chunk_rows(width, expected_rows)),
                                         columns_in_chunk};
      const std::array<hsize_t, 2> size{0, columns_in_chunk};
      const std::array<hsize_t, 2> limit{H5S_UNLIMITED, columns_in_chunk};
      const int rank = width == 1 ? 1 : 2;
      // No fill values either: rows leave HDF5 inside H5Dwrite, see rows_pass.
      require(H5Pset_chunk(create.id(), rank, chunk.data()) >= 0 &&
                  H5Pset_fill_time(create.id(), H5D_FILL_TIME_NEVER) >= 0 &&
                  H5Pset_obj_track_times(create.id(), false) >= 0,
              path);
      const auto space = opened(H5Screate_simple(rank, size.data(), limit.data()), H5Sclose, path);
      layout_.datasets.push_back(
          opened(H5Dcreate2(file_.id(), path.c_str(), H5T_IEEE_F64LE, space.id(), links.id(),
                            create.id(), access.id()),
                 H5Dclose, fmt::format("cannot create the dataset {}", path)));
      write_attribute(layout_.datasets.back().id(), "unit", unit);
      write_attribute(layout_.datasets.back().id(), "description", description);
      layout_.checksums.emplace_back(RowChecksums(width));
      layout_.checksums.back()->create(layout_.datasets.back().id());
      paths += path + "\n";
    }
    for (const auto& [name, text] : attributes) write_attribute(file_.id(), name, text);
    write_attribute(file_.id(), "format_version", recording_format_version);
    write_attribute(file_.id(), "columns", paths);
    write_attribute(file_.id(), "recording_id", id_);
    require(H5Fflush(file_.id(), H5F_SCOPE_LOCAL) >= 0, "cannot be written");
  });
  layout_.columns = std::move(columns);
}

RecordingFile RecordingFile::reopen(const fs::path& path, Checkpoint checkpoint,
                                    const RecordingOptions& options) {
  open_regular(path, O_RDONLY);  // a missing file is told before a lock is made for it
  RecordingFile recording(behind_links(path), LockFile(path));
  remove_remains(recording.path());
  recording.last_commit_ = checkpoint;  // from here on a failure leaves the file where it is
  // The patches that count are those on disk now that the lock is held: `checkpoint` may have been
  // loaded while another writer went on.
  const auto on_disk = load_if_sound(checkpoint_path(path));
  const auto patches = on_disk ? on_disk->patches : std::vector<FilePatch>{};
  check_belongs(path, checkpoint.recording, patches);
  if (on_disk && on_disk->recording == checkpoint.recording) redo(path, patches);
  recording.journal_ = std::make_unique<JournaledFile>(path, open_regular(path, O_RDWR));
  recording.open_and_cut(checkpoint, options);
  recording.publish(std::move(checkpoint));
  return recording;
}

void RecordingFile::open_and_cut(const Checkpoint& checkpoint, const RecordingOptions& options) {
  in_hdf5([&] {
    file_ = open_hdf5(path_, *journal_, H5F_ACC_RDWR);
    journal_->mark_committed();
    layout_ = read_layout(file_.id());
    id_ = layout_.attributes["recording_id"];
    if (layout_.finished()) throw Hdf5Error("the recording is finished");
    if (layout_.rows < checkpoint.rows) {
      throw Hdf5Error(fmt::format("it has {} rows, fewer than the {} of the checkpoint",
                                  layout_.rows, checkpoint.rows));
    }
    check_room(path_, layout_.columns, options.expected_rows - checkpoint.rows, 0);
    check_rows(checkpoint.rows, options.damaged_too);
    for (std::size_t i = 0; i < layout_.columns.size(); ++i) {
      const auto& column = layout_.columns[i];
      const std::array<hsize_t, 2> size{static_cast<hsize_t>(checkpoint.rows),
                                        static_cast<hsize_t>(column.width)};
      require(H5Dset_extent(layout_.datasets[i].id(), size.data()) >= 0,
              fmt::format("cannot cut the dataset {}", column.path));
    }
    layout_.rows = checkpoint.rows;
    write_checksums();
    require(H5Fflush(file_.id(), H5F_SCOPE_LOCAL) >= 0, "cannot be written");
  });
}

void RecordingFile::append(const RowBlock& block) {
  std::size_t row_width = 0;
  for (const auto& column : layout_.columns) row_width += static_cast<std::size_t>(column.width);
  in_hdf5([&] {
    const RowsPass rows_pass(*journal_);
    const auto room = block.data.size() / std::max<std::size_t>(row_width, 1);
    const double* column = block.data.data();
    for (std::size_t i = 0; i < layout_.columns.size(); ++i) {
      const auto width = static_cast<std::size_t>(layout_.columns[i].width);
      write_column(i, {column, static_cast<std::size_t>(block.rows) * width});
      column += room * width;
    }
  });
  layout_.rows += block.rows;
}

void RecordingFile::write_column(std::size_t index, std::span<const double> values) {
  const auto& column = layout_.columns[index];
  const auto width = static_cast<std::size_t>(column.width);
  const auto rows = values.size() / width;
  // First, as it fetches the values from the other processor's cache faster than the system does.
  if (auto& sums = layout_.checksums[index]) sums->add(values);
  const auto what = fmt::format("cannot write to the dataset {}", column.path);
  const hid_t dataset = layout_.datasets[index].id();
  const std::array<hsize_t, 2> start{static_cast<hsize_t>(layout_.rows), 0};
  const std::array<hsize_t, 2> count{rows, width};
  const std::array<hsize_t, 2> size{start[0] + rows, width};
  require(H5Dset_extent(dataset, size.data()) >= 0, what);
  const auto space = opened(H5Dget_space(dataset), H5Sclose, what);
  const auto memory =
      opened(H5Screate_simple(width == 1 ? 1 : 2, count.data(), nullptr), H5Sclose, what);
  require(H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                              nullptr) >= 0 &&
              H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory.id(), space.id(), H5P_DEFAULT,
                       values.data()) >= 0,
          what);
}

void RecordingFile::commit(Checkpoint checkpoint) {
  in_hdf5([&] {
    write_checksums();
    require(H5Fflush(file_.id(), H5F_SCOPE_LOCAL) >= 0, "cannot be written");
  });
  publish(std::move(checkpoint));
}

// What became of the file under our hands. Its rows are then not where the checkpoint says.
void RecordingFile::check_there() {
  const auto& name = beside_.empty() ? path_ : beside_;
  if (const auto where = journal_->whereabouts(name); where != Whereabouts::there) {
    lost_ = true;
    if (where == Whereabouts::elsewhere)
      throw IoError(fmt::format(
          "{}: was moved away while it was written; with {} beside it, it can be resumed",
          path_.string(), checkpoint_path(path_).filename().string()));
    if (last_commit_) ::unlink(checkpoint_path(path_).c_str());
    throw IoError(
        fmt::format("{}: was deleted while it was written; nothing of it is left", path_.string()));
  }
}

// What HDF5 has written so far becomes what is on disk, in one step.
void RecordingFile::publish(Checkpoint checkpoint) {
  check_there();
  journal_->settle();
  if (!beside_.empty()) {  // nobody sees it yet, and what is there now must not be patched
    journal_->apply();
    journal_->sync();
  }
  checkpoint.recording = id_;
  checkpoint.patches = journal_->pieces();
  save_checkpoint(checkpoint_path(path_), checkpoint);
  checkpoint.patches.clear();
  std::vector<std::byte>().swap(checkpoint.state);  // it may be long, and is on disk
  put_in_place();
  last_commit_ = std::move(checkpoint);
  journal_->apply();
}

void RecordingFile::finish(const Attributes& attributes, bool finished) {
  in_hdf5([&] {
    for (const auto& [name, text] : attributes) write_attribute(file_.id(), name, text);
    if (finished) write_attribute(file_.id(), "finished", 1);
    write_checksums();
    layout_.close();
    require(file_.close() >= 0, "cannot be closed");
  });
  const auto sidecar = checkpoint_path(path_);
  if (last_commit_) {
    publish(load_checkpoint(sidecar));
  } else {
    check_there();
    journal_->settle();
    journal_->apply();
    ::unlink(sidecar.c_str());  // of a recording before
    put_in_place();
  }
  journal_->sync();
  // The patches are on disk: from now on the file may be changed by others.
  if (finished) {
    ::unlink(sidecar.c_str());
    sync_directory_of(path_);
  } else if (last_commit_) {
    Checkpoint last = load_checkpoint(sidecar);
    last.patches.clear();
    save_checkpoint(sidecar, last);
  }
  journal_.reset();
  lock_.release();
}

void RecordingFile::abandon() noexcept {
  if (journal_) {
    const Hdf5Section section;
    layout_.close();
    file_.close();
    journal_.reset();
    if (!beside_.empty()) ::unlink(beside_.c_str());
  }
  lock_.release();
}

}  // namespace hamel::io::detail

namespace hamel::io {

void tidy_finished(const std::filesystem::path& named) {
  using namespace detail;
  const auto path = behind_links(named);
  const auto sidecar = checkpoint_path(path);
  std::error_code ignored;
  const auto left = [&](const char* suffix) {
    return std::filesystem::exists(with_suffix(path, suffix), ignored);
  };
  if (!left(".checkpoint") && !left(".checkpoint.tmp") && !left(".lock") && !left(".partial"))
    return;
  LockFile lock(path);
  remove_remains(path);
  if (const auto checkpoint = load_if_sound(sidecar)) {
    // One without patches is that of a recording which was to take the place of this one.
    if (!checkpoint->patches.empty()) {
      check_belongs(path, checkpoint->recording, checkpoint->patches);
      redo(path, checkpoint->patches);
      JournaledFile(path, open_regular(path, O_RDWR)).sync();
    }
    ::unlink(sidecar.c_str());
  }
  lock.release();
}

}  // namespace hamel::io
