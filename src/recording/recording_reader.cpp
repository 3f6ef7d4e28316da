// SPDX-License-Identifier: BSD-3-Clause
// RecordingReader. The checkpoint beside a recording is replaced before the writer changes
// anything in place, so what was read between two looks at the same checkpoint, with its patches
// laid over the file, is the state of that checkpoint; otherwise it is read again.
#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <optional>

#include "hamel/core/error.hpp"
#include "hamel/recording/recording.hpp"
#include "recording_file.hpp"

namespace hamel::io {

namespace fs = std::filesystem;

namespace {

// Values read between two looks at the checkpoint: long against a call of HDF5, about a
// millisecond, short against the time between two commits.
constexpr std::int64_t slice_values = 1 << 17;

// Trying again while a writer commits; it takes more than one attempt only if its commits follow
// each other within milliseconds.
class Attempts {
 public:
  bool more() const { return std::chrono::steady_clock::now() - start_ < std::chrono::seconds(10); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Which checkpoint lies beside the recording: its checksum, its last 8 bytes; none: nothing.
std::optional<std::uint64_t> look(const fs::path& sidecar) {
  try {
    const auto file = detail::open_regular(sidecar, O_RDONLY);
    std::array<std::byte, 8> tail{};
    const auto size = detail::size_of(file);
    if (size < tail.size() || detail::read_at(file, size - tail.size(), tail) != 0) return 0;
    std::uint64_t checksum;
    std::memcpy(&checksum, tail.data(), tail.size());
    return checksum;
  } catch (const IoError&) {
    return std::nullopt;
  }
}

}  // namespace

struct RecordingReader::Impl {
  explicit Impl(fs::path file_path) : path(std::move(file_path)), sidecar(checkpoint_path(path)) {}
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() { close(); }

  void refresh();
  void open();
  void open_once();
  void open_with(const std::optional<Checkpoint>& checkpoint);
  void close() noexcept;
  std::size_t find(std::string_view column) const;
  void read_slice(std::size_t column, std::int64_t first, std::int64_t count, std::int64_t stride,
                  double* values);
  void read_once(std::size_t column, std::int64_t first, std::int64_t count, std::int64_t stride,
                 double* values);

  const fs::path path;
  const fs::path sidecar;
  std::optional<std::uint64_t> seen;
  std::unique_ptr<detail::JournaledFile> journal;
  detail::Handle file;
  detail::RecordingLayout layout;

  // What the user was told; changed by refresh() only, while `layout` follows the file.
  std::vector<Column> columns;
  std::vector<std::optional<detail::RowChecksums>> checksums;
  Attributes attributes;
  std::int64_t rows = 0;
};

void RecordingReader::Impl::refresh() {
  open();
  columns = layout.columns;
  checksums = layout.checksums;
  attributes = layout.attributes;
  rows = layout.rows;
}

void RecordingReader::Impl::close() noexcept {
  const detail::Hdf5Section section;
  layout.close();
  file.close();
  journal.reset();
}

void RecordingReader::Impl::open() {
  for (const Attempts attempts; attempts.more();) {
    close();
    seen = look(sidecar);
    try {
      open_once();
      if (look(sidecar) == seen) return;
    } catch (const IoError&) {
      if (look(sidecar) == seen) throw;
    }
  }
  throw IoError(fmt::format("{}: it changes too fast to be read", path.string()));
}

void RecordingReader::Impl::open_once() {
  const auto checkpoint = seen ? detail::load_if_sound(sidecar) : std::nullopt;
  open_with(checkpoint);
  if (!checkpoint) return;
  if (layout.attributes["recording_id"] != checkpoint->recording) {
    close();  // a checkpoint left beside another recording
    open_with(std::nullopt);
  } else if (!layout.finished()) {
    layout.rows = std::min(layout.rows, checkpoint->rows);
  }
}

void RecordingReader::Impl::open_with(const std::optional<Checkpoint>& checkpoint) {
  auto descriptor = detail::open_regular(path, O_RDONLY);
  const detail::Hdf5Section section;
  journal = std::make_unique<detail::JournaledFile>(
      path, std::move(descriptor), checkpoint ? checkpoint->patches : std::vector<FilePatch>{});
  file = detail::open_hdf5(path, *journal, H5F_ACC_RDONLY);
  try {
    layout = detail::read_layout(file.id());
  } catch (const detail::Hdf5Error& error) {
    throw IoError(fmt::format("{}: {}", path.string(), error.what()));
  }
}

std::size_t RecordingReader::Impl::find(std::string_view column) const {
  std::string known;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].path == column) return i;
    known += (i == 0 ? "" : ", ") + columns[i].path;
  }
  throw IoError(fmt::format("{}: no dataset {}; there are {}", path.string(), column, known));
}

void RecordingReader::Impl::read_slice(std::size_t column, std::int64_t first, std::int64_t count,
                                       std::int64_t stride, double* values) {
  for (const Attempts attempts; attempts.more();) {
    try {
      read_once(column, first, count, stride, values);
      if (look(sidecar) == seen) return;
    } catch (const IoError&) {
      if (look(sidecar) == seen) throw;
    }
    open();
    if (layout.attributes["recording_id"] != attributes["recording_id"] ||
        layout.columns != columns || layout.rows <= first + (count - 1) * stride) {
      throw IoError(fmt::format("{}: the recording was replaced while it was read", path.string()));
    }
  }
  throw IoError(fmt::format("{}: it changes too fast to be read", path.string()));
}

void RecordingReader::Impl::read_once(std::size_t column, std::int64_t first, std::int64_t count,
                                      std::int64_t stride, double* values) {
  const detail::Hdf5Section section;
  try {
    const auto& [name, width, unit, description] = layout.columns[column];
    const auto what = fmt::format("cannot read the dataset {}", name);
    const hid_t dataset = layout.datasets[column].id();
    const auto space = detail::opened(H5Dget_space(dataset), H5Sclose, what);
    const std::array<hsize_t, 2> start{static_cast<hsize_t>(first), 0};
    const std::array<hsize_t, 2> step{static_cast<hsize_t>(stride), 1};
    const std::array<hsize_t, 2> size{static_cast<hsize_t>(count), static_cast<hsize_t>(width)};
    const int rank = H5Sget_simple_extent_ndims(space.id());
    const auto memory =
        detail::opened(H5Screate_simple(rank, size.data(), nullptr), H5Sclose, what);
    detail::require(
        H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), step.data(), size.data(),
                            nullptr) >= 0 &&
            H5Dread(dataset, H5T_NATIVE_DOUBLE, memory.id(), space.id(), H5P_DEFAULT, values) >= 0,
        what);
  } catch (const detail::Hdf5Error& error) {
    throw IoError(fmt::format("{}: {}", path.string(), error.what()));
  }
}

RecordingReader::RecordingReader(const fs::path& path) : impl_(std::make_unique<Impl>(path)) {
  impl_->refresh();
}
RecordingReader::RecordingReader(RecordingReader&&) noexcept = default;
RecordingReader& RecordingReader::operator=(RecordingReader&&) noexcept = default;
RecordingReader::~RecordingReader() = default;

const std::vector<Column>& RecordingReader::columns() const { return impl_->columns; }
std::int64_t RecordingReader::rows() const { return impl_->rows; }
const Attributes& RecordingReader::attributes() const { return impl_->attributes; }
bool RecordingReader::finished() const { return impl_->attributes.contains("finished"); }
void RecordingReader::refresh() { impl_->refresh(); }

std::vector<double> RecordingReader::read(std::string_view column, std::int64_t first,
                                          std::int64_t count, std::int64_t stride) {
  const auto index = impl_->find(column);
  if (first < 0 || count < 0 || stride < 1 ||
      (count > 0 && (first >= rows() || (rows() - 1 - first) / stride < count - 1))) {
    throw InputError(fmt::format("{} rows from {} in steps of {}: {} has the rows 0 … {}", count,
                                 first, stride, impl_->path.string(), rows() - 1));
  }
  const auto width = static_cast<std::int64_t>(columns()[index].width);
  const auto slice = std::max<std::int64_t>(1, slice_values / width);
  std::vector<double> values(static_cast<std::size_t>(count * width));
  for (std::int64_t done = 0; done < count; done += slice) {
    impl_->read_slice(index, first + done * stride, std::min(slice, count - done), stride,
                      values.data() + done * width);
  }
  return values;
}

std::optional<std::vector<RecordingDamage>> RecordingReader::damage() {
  std::vector<RecordingDamage> list;
  for (std::size_t i = 0; i < columns().size(); ++i) {
    const auto written = impl_->checksums[i];
    if (!written) return std::nullopt;
    const Column column = columns()[i];
    detail::RowChecksums found(column.width);
    const auto most = std::max<std::int64_t>(1, slice_values / column.width);
    try {
      while (found.rows() < rows())
        found.add(read(column.path, found.rows(), std::min(most, rows() - found.rows())));
    } catch (const IoError&) {
      list.push_back({column.path, found.rows(), std::min(found.rows() + most, rows()) - 1});
      continue;
    }
    for (const auto& [first, last] : found.damaged(*written))
      list.push_back({column.path, first, last});
  }
  return list;
}

}  // namespace hamel::io
