// SPDX-License-Identifier: BSD-3-Clause
// Reading what a recording says of itself.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <sstream>

#include "hamel/core/error.hpp"
#include "layout_check.hpp"
#include "recording_file.hpp"

namespace hamel::io::detail {

namespace {

void read_dataset(hid_t file, const std::string& path, RecordingLayout& layout) {
  auto dataset = opened(H5Dopen2(file, path.c_str(), uncached().id()), H5Dclose,
                        fmt::format("the dataset {} is missing", path));
  const auto space = opened(H5Dget_space(dataset.id()), H5Sclose, path);
  const auto type = opened(H5Dget_type(dataset.id()), H5Tclose, path);
  const int rank = H5Sget_simple_extent_ndims(space.id());
  std::array<hsize_t, 2> size{0, 1};
  if (rank < 1 || rank > 2 || H5Tget_class(type.id()) != H5T_FLOAT ||
      H5Sget_simple_extent_dims(space.id(), size.data(), nullptr) != rank || size[1] < 1 ||
      size[1] > std::numeric_limits<int>::max() ||
      size[0] > std::numeric_limits<std::int64_t>::max() / (sizeof(double) * size[1])) {
    throw Hdf5Error(fmt::format("the dataset {} is not a table of numbers", path));
  }
  auto about = read_attributes(dataset.id());
  layout.columns.push_back({path, static_cast<int>(size[1]), about["unit"], about["description"]});
  layout.checksums.push_back(RowChecksums::read(dataset.id(), layout.columns.back().width));
  layout.datasets.push_back(std::move(dataset));
  layout.rows = std::min(layout.rows, static_cast<std::int64_t>(size[0]));
}

}  // namespace

RecordingLayout read_layout(hid_t file) {
  RecordingLayout layout;
  layout.attributes = read_attributes(file);
  const auto version = layout.attributes.find("format_version");
  const auto columns = layout.attributes.find("columns");
  if (version == layout.attributes.end() || columns == layout.attributes.end()) {
    throw Hdf5Error("not a recording: it has no format_version or no columns");
  }
  if (version->second != std::to_string(recording_format_version)) {
    throw Hdf5Error(fmt::format("format version {}, this program reads {}", version->second,
                                recording_format_version));
  }
  layout.rows = std::numeric_limits<std::int64_t>::max();
  std::istringstream paths(columns->second);
  for (std::string path; std::getline(paths, path);) read_dataset(file, path, layout);
  if (layout.columns.empty()) throw Hdf5Error("not a recording: it has no columns");
  return layout;
}

std::optional<Checkpoint> load_if_sound(const std::filesystem::path& sidecar) {
  try {
    return load_checkpoint(sidecar);
  } catch (const IoError&) {
    return std::nullopt;
  }
}

Handle open_hdf5(const std::filesystem::path& path, JournaledFile& journal, unsigned flags) {
  if (journal.end() == 0) throw IoError(fmt::format("{}: the file is empty", path.string()));
  try {
    check_layout(journal);
    require(H5open() >= 0, "HDF5 cannot be initialised");
    const auto access = journal.access();
    return opened(H5Fopen(path.c_str(), flags, access.id()), H5Fclose, "damaged HDF5 file");
  } catch (const Hdf5Error& error) {
    throw IoError(fmt::format("{}: {}", path.string(), error.what()));
  }
}

}  // namespace hamel::io::detail
