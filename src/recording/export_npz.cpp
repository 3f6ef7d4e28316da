// SPDX-License-Identifier: BSD-3-Clause
// NPZ: a zip archive of .npy files, not compressed, with numpy's own way of naming.
//
// Every member is written in the zip64 form, which numpy does too: one layout for all sizes.
// Layouts: PKWARE APPNOTE 6.3.9, sections 4.3 and 4.5.3; NEP 1, "A simple file format for NumPy
// arrays", version 1.0.
#include <fmt/format.h>

#include <array>
#include <bit>

#include "export_slices.hpp"
#include "hamel/files/output_file.hpp"
#include "hamel/recording/exports.hpp"

namespace hamel::io {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie");

namespace {

/// CRC-32 of zip: reflected polynomial 0xEDB88320.
class Crc32 {
 public:
  Crc32() {
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t c = i;
      for (int bit = 0; bit < 8; ++bit) c = (c & 1U) != 0 ? 0xEDB88320U ^ (c >> 1U) : c >> 1U;
      table_[i] = c;
    }
  }
  void add(std::span<const std::byte> bytes) {
    for (const std::byte b : bytes)
      state_ = table_[(state_ ^ std::to_integer<std::uint32_t>(b)) & 0xFFU] ^ (state_ >> 8U);
  }
  std::uint32_t value() const { return ~state_; }

 private:
  std::array<std::uint32_t, 256> table_{};
  std::uint32_t state_ = ~std::uint32_t{0};
};

/// Little-endian numbers one after the other.
class Record {
 public:
  template <class T>
  Record& add(T value) {
    const auto bytes = std::as_bytes(std::span(&value, 1));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return *this;
  }
  Record& text(std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return *this;
  }
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

constexpr U16 version_of_zip64 = 45;
constexpr U16 names_in_utf8 = 1U << 11U;
constexpr U16 first_day = (1U << 5U) | 1U;  // 1 January 1980: the same input gives the same bytes
constexpr U32 see_zip64 = 0xFFFFFFFF;
constexpr U64 crc_in_local_header = 14;

struct Member {
  std::string name;
  U64 offset, size;
  U32 crc;
};

void local_header(detail::OutputFile& file, const Member& m) {
  Record record;
  record.add(U32{0x04034B50}).add(version_of_zip64).add(names_in_utf8).add(U16{0});
  record.add(U16{0}).add(first_day).add(m.crc).add(see_zip64).add(see_zip64);
  record.add(static_cast<U16>(m.name.size())).add(U16{20}).text(m.name);
  record.add(U16{1}).add(U16{16}).add(m.size).add(m.size);
  file.write(record.bytes());
}

void central_header(detail::OutputFile& file, const Member& m) {
  Record record;
  record.add(U32{0x02014B50}).add(version_of_zip64).add(version_of_zip64).add(names_in_utf8);
  record.add(U16{0}).add(U16{0}).add(first_day).add(m.crc).add(see_zip64).add(see_zip64);
  record.add(static_cast<U16>(m.name.size())).add(U16{28}).add(U16{0}).add(U16{0}).add(U16{0});
  record.add(U32{0}).add(see_zip64).text(m.name);
  record.add(U16{1}).add(U16{24}).add(m.size).add(m.size).add(m.offset);
  file.write(record.bytes());
}

void end_of_archive(detail::OutputFile& file, U64 members, U64 directory) {
  const U64 end = file.size();
  Record record;
  record.add(U32{0x06064B50}).add(U64{44}).add(version_of_zip64).add(version_of_zip64);
  record.add(U32{0}).add(U32{0}).add(members).add(members).add(end - directory).add(directory);
  record.add(U32{0x07064B50}).add(U32{0}).add(end).add(U32{1});
  record.add(U32{0x06054B50}).add(U16{0}).add(U16{0}).add(U16{0xFFFF}).add(U16{0xFFFF});
  record.add(see_zip64).add(see_zip64).add(U16{0});
  file.write(record.bytes());
}

/// What an array of numpy begins with; its length is a multiple of 64.
std::string npy_header(std::int64_t rows, int width) {
  std::string text = "{'descr': '<f8', 'fortran_order': False, 'shape': ";
  text += width == 1 ? fmt::format("({},)", rows) : fmt::format("({}, {})", rows, width);
  text += ", }";
  constexpr std::size_t before = 10;
  text.append(63 - (before + text.size()) % 64, ' ');
  text += '\n';
  Record record;
  record.text("\x93NUMPY").add(std::uint8_t{1}).add(std::uint8_t{0});
  record.add(static_cast<U16>(text.size())).text(text);
  const auto bytes = record.bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

std::int64_t write_npz(RecordingReader& reader, const std::filesystem::path& path,
                       std::int64_t every) {
  const detail::Slices slices(reader, every);
  detail::OutputFile file(path);
  std::vector<Member> members;
  for (const auto& column : reader.columns()) {
    const std::string header = npy_header(slices.count, column.width);
    Member member{column.path.substr(1) + ".npy", file.size(),
                  header.size() + static_cast<U64>(slices.count) * static_cast<U64>(column.width) *
                                      sizeof(double),
                  0};
    local_header(file, member);
    Crc32 crc;
    crc.add(std::as_bytes(std::span(header)));
    file.write(header);
    slices.each(column.width, [&](std::int64_t first, std::int64_t rows) {
      const auto values = slices.read(column.path, first, rows);
      crc.add(std::as_bytes(std::span(values)));
      file.write(std::as_bytes(std::span(values)));
    });
    member.crc = crc.value();
    file.patch(member.offset + crc_in_local_header, std::as_bytes(std::span(&member.crc, 1)));
    members.push_back(std::move(member));
  }
  const U64 directory = file.size();
  for (const auto& member : members) central_header(file, member);
  end_of_archive(file, members.size(), directory);
  file.finish();
  return slices.count;
}

}  // namespace hamel::io
