// SPDX-License-Identifier: BSD-3-Clause
// Bytes of an HDF5 file and what they must be in a recording; for layout_check.cpp.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "hdf5_handle.hpp"
#include "row_checksums.hpp"

namespace hamel::io::detail {

inline constexpr std::uint64_t undefined = ~std::uint64_t{0};

constexpr std::uint64_t padded(std::uint64_t size) { return (size + 7) / 8 * 8; }

/// The messages of an object header.
enum class Type : std::uint16_t {
  nothing = 0,
  space = 1,
  type = 3,
  fill_value = 5,
  layout = 8,
  attribute = 12,
  continuation = 16,
  symbol_table = 17,
};

// The types and spaces in their encoding, all that occur.
inline constexpr std::string_view double_type(
    "\x11\x20\x3F\0\x08\0\0\0\0\0\x40\0\x34\x0B\0\x34\xFF\x03\0\0\0\0\0\0", 24);
inline constexpr std::string_view integer_type("\x10\x08\0\0\x08\0\0\0\0\0\x40\0", 12);
inline constexpr std::string_view natural_type("\x10\0\0\0\x08\0\0\0\0\0\x40\0", 12);
inline constexpr std::string_view text_type(
    "\x19\x01\x01\0\x10\0\0\0\x10\0\0\0\x01\0\0\0\0\0\x08\0", 20);
inline constexpr std::string_view scalar_space("\x01\0\0\0\0\0\0\0", 8);
inline constexpr std::string_view checksums_space(
    "\x01\x01\x01\0\0\0\0\0\x42\0\0\0\0\0\0\0\x42\0\0\0\0\0\0\0", 24);
inline constexpr std::string_view no_fill_value("\x02\x03\x01\x01\0\0\0\0", 8);
static_assert(RowChecksums::blocks + 2 == 0x42, "checksums_space has their number");

/// What an attribute may be: a whole number, a text (its length and place), the checksums.
struct AttributeKind {
  std::string_view type, space;
  std::size_t value_bytes;
};
inline constexpr std::array<AttributeKind, 3> attribute_kinds = {
    {{integer_type, scalar_space, 8},
     {text_type, scalar_space, 16},
     {natural_type, checksums_space, 8 * (RowChecksums::blocks + 2)}}};

[[noreturn]] inline void damaged(std::uint64_t address, std::string_view what) {
  throw Hdf5Error(
      fmt::format("damaged HDF5 file, or not as hamel writes it: {} at byte {}", what, address));
}

/// Bytes of the file and where they lie. What reaches beyond them is damage.
struct Piece {
  std::uint64_t address = 0;
  std::vector<std::byte> bytes{};

  void require(bool fits, std::string_view what) const {
    if (!fits) damaged(address, what);
  }
  template <class T>
  T number(std::size_t at) const {
    T value;
    require(at + sizeof value <= bytes.size(), "a part is too short");
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  }
  std::uint64_t u64(std::size_t at) const { return number<std::uint64_t>(at); }
  bool has(std::size_t at, std::string_view expected) const {
    return at + expected.size() <= bytes.size() &&
           std::memcmp(bytes.data() + at, expected.data(), expected.size()) == 0;
  }
  /// The text from there to its zero byte.
  std::string_view text(std::uint64_t at) const {
    require(at < bytes.size(), "a name lies outside");
    const auto* from = reinterpret_cast<const char*>(bytes.data()) + at;
    const auto* end = static_cast<const char*>(std::memchr(from, 0, bytes.size() - at));
    require(end != nullptr, "a name without end");
    return {from, end};
  }
};

}  // namespace hamel::io::detail
