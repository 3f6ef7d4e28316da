// SPDX-License-Identifier: BSD-3-Clause
// Whether there is room for a recording, and whether its rows are what was written.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "hamel/core/error.hpp"
#include "recording_file.hpp"

namespace hamel::io {

namespace fs = std::filesystem;

namespace detail {

namespace {

/// 136 bytes, 2.7 MB, 71 GB.
std::string bytes_text(double bytes) {
  constexpr std::array units{"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
  std::size_t unit = 0;
  for (; bytes >= 999.5 && unit + 1 < units.size(); ++unit) bytes /= 1000;
  return fmt::format("{:.3g} {}", bytes, units[unit]);
}

constexpr std::int64_t values_at_once = 1 << 17;

}  // namespace

void check_room(const fs::path& path, const std::vector<Column>& columns, std::int64_t rows,
                std::uintmax_t freed) {
  if (rows <= 0) return;
  std::error_code unknown;
  const auto parent = path.parent_path().empty() ? fs::path(".") : path.parent_path();
  const auto space = fs::space(parent, unknown);
  if (unknown) return;
  double row_bytes = 0;
  for (const auto& column : columns) row_bytes += column.width * double{sizeof(double)};
  const double needed = static_cast<double>(rows) * row_bytes;
  const double there = static_cast<double>(space.available) + static_cast<double>(freed);
  if (needed <= there) return;
  throw IoError(fmt::format(
      "{}: {} rows of {:.0f} bytes would take {}, and the disk has {} free; record fewer of them, "
      "or elsewhere",
      path.string(), rows, row_bytes, bytes_text(needed), bytes_text(there)));
}

std::string damage_text(const std::string& path, const std::array<std::int64_t, 2>& rows) {
  return fmt::format("the dataset {} is damaged within the rows {} to {}", path, rows[0], rows[1]);
}

void RecordingFile::check_rows(std::int64_t rows, bool damaged_too) {
  std::vector<double> values;
  for (std::size_t i = 0; i < layout_.columns.size(); ++i) {
    auto& written = layout_.checksums[i];
    if (!written) continue;
    const auto& [path, width, unit, description] = layout_.columns[i];
    const auto what = fmt::format("cannot read the dataset {}", path);
    const hid_t dataset = layout_.datasets[i].id();
    RowChecksums found(width);
    const auto most = std::max<std::int64_t>(1, values_at_once / width);
    while (found.rows() < rows) {
      const std::array<hsize_t, 2> start{static_cast<hsize_t>(found.rows()), 0};
      const std::array<hsize_t, 2> count{static_cast<hsize_t>(std::min(most, rows - found.rows())),
                                         static_cast<hsize_t>(width)};
      values.resize(count[0] * count[1]);
      const auto space = opened(H5Dget_space(dataset), H5Sclose, what);
      const auto memory =
          opened(H5Screate_simple(width == 1 ? 1 : 2, count.data(), nullptr), H5Sclose, what);
      require(H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                                  nullptr) >= 0 &&
                  H5Dread(dataset, H5T_NATIVE_DOUBLE, memory.id(), space.id(), H5P_DEFAULT,
                          values.data()) >= 0,
              what);
      found.add(values);
    }
    const auto damaged = found.damaged(*written);
    if (!damaged.empty() && !damaged_too) throw Hdf5Error(damage_text(path, damaged.front()));
    found.keep_damage(*written);
    written = found;
  }
}

void RecordingFile::write_checksums() {
  for (std::size_t i = 0; i < layout_.columns.size(); ++i)
    if (const auto& sums = layout_.checksums[i]) sums->write(layout_.datasets[i].id());
}

}  // namespace detail

}  // namespace hamel::io
