// SPDX-License-Identifier: BSD-3-Clause

#include "row_checksums.hpp"

#include <algorithm>
#include <bit>

namespace hamel::io::detail {

namespace {

constexpr const char* name = "checksums";
constexpr std::size_t words = 2 + RowChecksums::blocks;  // rows in a block, rows, sums

constexpr std::uint64_t golden = 0x9E3779B97F4A7C15;

#define HAMEL_ALWAYS_INLINE __attribute__((always_inline)) inline

/// The last steps of splitmix64, a bijection.
HAMEL_ALWAYS_INLINE std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EB;
  return z ^ (z >> 31U);
}

/// The sum over the values, the first of them at `position`.
HAMEL_ALWAYS_INLINE std::uint64_t mixed_sum(const double* values, std::size_t count,
                                            std::uint64_t position) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i)
    sum += mix(std::bit_cast<std::uint64_t>(values[i]) + (position + i * golden));
  return sum;
}

using MixedSum = std::uint64_t (*)(const double*, std::size_t, std::uint64_t);

std::uint64_t portable_sum(const double* values, std::size_t count, std::uint64_t position) {
  return mixed_sum(values, count, position);
}

#if defined(__x86_64__)
/// Eight at a time, four times as fast: only there is a product of 64 bits in wide registers.
__attribute__((target("avx512dq,avx512vl"))) std::uint64_t wide_sum(const double* values,
                                                                    std::size_t count,
                                                                    std::uint64_t position) {
  return mixed_sum(values, count, position);
}

MixedSum fastest_sum() { return __builtin_cpu_supports("avx512dq") ? wide_sum : portable_sum; }
#else
MixedSum fastest_sum() { return portable_sum; }
#endif

}  // namespace

void RowChecksums::add(std::span<const double> values) {
  static const MixedSum sum_of = fastest_sum();
  const auto width = static_cast<std::size_t>(width_);
  auto position = static_cast<std::uint64_t>(rows_) * width * golden;
  while (!values.empty()) {
    if (rows_ == static_cast<std::int64_t>(blocks) * block_rows_) {
      for (std::size_t b = 0; b < blocks / 2; ++b) sums_[b] = sums_[2 * b] + sums_[2 * b + 1];
      std::fill(sums_.begin() + blocks / 2, sums_.end(), 0);
      block_rows_ *= 2;
    }
    const auto left = static_cast<std::size_t>(block_rows_ - rows_ % block_rows_);
    const auto part = values.first(std::min(values.size(), left * width));
    sums_[static_cast<std::size_t>(rows_ / block_rows_)] +=
        sum_of(part.data(), part.size(), position);
    position += part.size() * golden;
    rows_ += static_cast<std::int64_t>(part.size() / width);
    values = values.subspan(part.size());
  }
}

bool RowChecksums::comparable(const RowChecksums& written, std::size_t block) const {
  if (block_rows_ != written.block_rows_) return false;
  const auto first = static_cast<std::int64_t>(block) * block_rows_;
  const auto least = std::min(rows_, written.rows_);
  return first + block_rows_ <= least || (first < least && rows_ == written.rows_);
}

std::vector<std::array<std::int64_t, 2>> RowChecksums::damaged(const RowChecksums& written) const {
  std::vector<std::array<std::int64_t, 2>> found;
  if (written.rows_ < rows_ || (written.rows_ == rows_ && written.block_rows_ != block_rows_)) {
    if (rows_ > 0) found.push_back({0, rows_ - 1});  // the checksums themselves are damaged
    return found;
  }
  for (std::size_t b = 0; b < blocks; ++b) {
    if (!comparable(written, b) || sums_[b] == written.sums_[b]) continue;
    const auto first = static_cast<std::int64_t>(b) * block_rows_;
    const auto last = std::min(first + block_rows_, rows_) - 1;
    if (!found.empty() && found.back()[1] == first - 1)
      found.back()[1] = last;
    else
      found.push_back({first, last});
  }
  return found;
}

void RowChecksums::keep_damage(const RowChecksums& written) {
  for (std::size_t b = 0; b < blocks; ++b)
    if (comparable(written, b)) sums_[b] = written.sums_[b];
}

void RowChecksums::create(hid_t dataset) const {
  constexpr hsize_t size = words;
  const auto space = opened(H5Screate_simple(1, &size, nullptr), H5Sclose, name);
  opened(H5Acreate2(dataset, name, H5T_STD_U64LE, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
         name);
  write(dataset);
}

void RowChecksums::write(hid_t dataset) const {
  std::array<std::uint64_t, words> all{};
  all[0] = static_cast<std::uint64_t>(block_rows_);
  all[1] = static_cast<std::uint64_t>(rows_);
  std::copy(sums_.begin(), sums_.end(), all.begin() + 2);
  const auto attribute = opened(H5Aopen(dataset, name, H5P_DEFAULT), H5Aclose, name);
  require(H5Awrite(attribute.id(), H5T_NATIVE_UINT64, all.data()) >= 0, name);
}

std::optional<RowChecksums> RowChecksums::read(hid_t dataset, int width) {
  if (H5Aexists(dataset, name) <= 0) return std::nullopt;
  const auto attribute = opened(H5Aopen(dataset, name, H5P_DEFAULT), H5Aclose, name);
  const auto space = opened(H5Aget_space(attribute.id()), H5Sclose, name);
  std::array<std::uint64_t, words> all{};
  if (H5Sget_simple_extent_npoints(space.id()) != static_cast<hssize_t>(words)) return std::nullopt;
  require(H5Aread(attribute.id(), H5T_NATIVE_UINT64, all.data()) >= 0, name);
  RowChecksums sums(width);
  sums.block_rows_ = static_cast<std::int64_t>(all[0]);
  sums.rows_ = static_cast<std::int64_t>(all[1]);
  std::copy(all.begin() + 2, all.end(), sums.sums_.begin());
  return sums;
}

}  // namespace hamel::io::detail
