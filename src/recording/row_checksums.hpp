// SPDX-License-Identifier: BSD-3-Clause
// Checksums of a column, by blocks of rows: which rows of a recording are not what was written.
//
// The sum of a block is Σ mix(bits(x_i) + i·c) mod 2^64 over its values, i counted from the start
// of the column, mix a bijection of 64 bits. So one changed value is always seen, several or moved
// ones but for a chance of 2^-64; and sums of neighbouring blocks add up to that of both, which
// keeps their number fixed: blocks of 1024 rows at first, of twice as many whenever 64 are full.
//
// They are an attribute of each dataset, written with every commit: rows and checksums on disk
// always belong together. (HDF5's own checksums, a filter, would have it rewrite chunks that are
// committed, which a kill must never meet.)
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "hdf5_handle.hpp"

namespace hamel::io::detail {

class RowChecksums {
 public:
  static constexpr std::size_t blocks = 64;

  RowChecksums() = default;
  explicit RowChecksums(int width) : width_(width) {}

  std::int64_t rows() const { return rows_; }

  /// Goes on by whole rows.
  void add(std::span<const double> values);

  /// Blocks whose sums differ from those of `written`, as rows [first, last]. Compared are the
  /// blocks that both have in full, and the last one where both have equally many rows.
  std::vector<std::array<std::int64_t, 2>> damaged(const RowChecksums& written) const;

  /// Takes the sums of `written` where damaged() tells of a difference: what is damaged stays so.
  void keep_damage(const RowChecksums& written);

  /// The attribute `checksums` of a dataset; within an Hdf5Section, throws Hdf5Error.
  void create(hid_t dataset) const;
  void write(hid_t dataset) const;
  static std::optional<RowChecksums> read(hid_t dataset, int width);

 private:
  bool comparable(const RowChecksums& written, std::size_t block) const;

  int width_ = 1;
  std::int64_t block_rows_ = 1024;
  std::int64_t rows_ = 0;
  std::array<std::uint64_t, blocks> sums_{};
};

}  // namespace hamel::io::detail
