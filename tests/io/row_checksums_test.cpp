// SPDX-License-Identifier: BSD-3-Clause

#include "recording/row_checksums.hpp"

#include <gtest/gtest.h>

#include <random>

#include "hamel/core/error.hpp"
#include "recording_support.hpp"

namespace hamel::io::testing {
namespace {

using detail::RowChecksums;
using Ranges = std::vector<std::array<std::int64_t, 2>>;

std::vector<double> some_values(std::size_t count) {
  std::mt19937_64 random(7);
  std::vector<double> values(count);
  for (double& x : values) x = std::bit_cast<double>(random());
  return values;
}

RowChecksums sums_of(const std::vector<double>& values, int width) {
  RowChecksums sums(width);
  sums.add(values);
  return sums;
}

TEST(RowChecksums, DoNotDependOnHowRowsArrive) {
  for (const int width : {1, 3}) {
    const auto values = some_values(3 * 100000);  // blocks grow on the way
    const auto whole = sums_of(values, width);
    RowChecksums parts(width);
    std::mt19937 random(3);
    for (std::size_t at = 0; at < values.size();) {
      const auto w = static_cast<std::size_t>(width);
      const auto rows = std::min<std::size_t>(random() % 5000, (values.size() - at) / w);
      parts.add(std::span(values).subspan(at, rows * w));
      at += rows * w;
    }
    EXPECT_EQ(parts.rows(), whole.rows());
    EXPECT_EQ(parts.damaged(whole), Ranges{});
  }
}

// One value at a time never enters the wide registers: files go from processor to processor.
TEST(RowChecksums, DoNotDependOnRegisters) {
  const auto values = some_values(5003);
  RowChecksums single(1);
  for (const double& x : values) single.add({&x, 1});
  EXPECT_EQ(single.damaged(sums_of(values, 1)), Ranges{});
}

TEST(RowChecksums, EveryChangedBitAndEveryExchangeIsSeenInItsBlock) {
  const auto good = some_values(5000);
  const auto written = sums_of(good, 1);
  const Ranges second{{1024, 2047}};
  for (int bit = 0; bit < 64; ++bit) {
    auto bad = good;
    bad[1500] = std::bit_cast<double>(std::bit_cast<std::uint64_t>(bad[1500]) ^
                                      (std::uint64_t{1} << static_cast<unsigned>(bit)));
    EXPECT_EQ(sums_of(bad, 1).damaged(written), second) << bit;
  }
  auto bad = good;
  std::swap(bad[1500], bad[1501]);
  EXPECT_EQ(sums_of(bad, 1).damaged(written), second);
  bad = good;
  std::swap(bad[10], bad[4999]);  // the last block is not full
  EXPECT_EQ(sums_of(bad, 1).damaged(written), (Ranges{{0, 1023}, {4096, 4999}}));
  bad = good;
  std::fill(bad.begin() + 1000, bad.begin() + 3000, 0.0);  // a lost piece of the disk
  EXPECT_EQ(sums_of(bad, 1).damaged(written), (Ranges{{0, 3071}}));
}

TEST(RowChecksums, FewerRowsAreComparedAsFarAsBlocksAreFull) {
  const auto good = some_values(5000);
  const auto written = sums_of(good, 1);
  auto part = std::vector(good.begin(), good.begin() + 3000);
  EXPECT_EQ(sums_of(part, 1).damaged(written), Ranges{});
  part[2047] = 0.5;
  EXPECT_EQ(sums_of(part, 1).damaged(written), (Ranges{{1024, 2047}}));
  EXPECT_EQ(written.damaged(sums_of(part, 1)), (Ranges{{0, 4999}}));  // sums of too few rows
}

TEST(RowChecksums, DamageIsKeptUntilTheEnd) {
  const auto good = some_values(200000);
  auto bad = std::vector(good.begin(), good.begin() + 3000);
  bad[5] = 1.0;
  auto sums = sums_of(bad, 1);
  sums.keep_damage(sums_of(std::vector(good.begin(), good.begin() + 3000), 1));
  sums.add(std::span(good).subspan(3000));
  EXPECT_EQ(sums_of(good, 1).damaged(sums), Ranges{});
  bad.insert(bad.end(), good.begin() + 3000, good.end());
  EXPECT_EQ(sums_of(bad, 1).damaged(sums), (Ranges{{0, 4095}}));  // blocks of 4096 by now
}

/// Overwrites value `column` of `row` where it stands in the file.
void damage(const std::filesystem::path& path, std::int64_t row, std::int64_t column) {
  auto bytes = contents(path);
  const double value = value_at(row, column);
  const std::string_view searched(reinterpret_cast<const char*>(&value), sizeof value);
  const auto at = bytes.find(searched);
  ASSERT_NE(at, std::string::npos);
  bytes[at] = static_cast<char>(bytes[at] ^ 1);
  set_contents(path, bytes);
}

TEST(RecordingReader, TellsWhichRowsAreDamaged) {
  const Scratch scratch;
  const auto path = scratch / "run.h5";
  RecordingWriter writer(path, some_columns(), {});
  append_rows(writer, 20000);
  commit(writer);
  append_rows(writer, 5000);
  writer.close({}, true);
  const std::vector<RecordingDamage> unknown(1);  // without checksums
  EXPECT_TRUE(RecordingReader(path).damage().value_or(unknown).empty());
  damage(path, 24999, 3);
  damage(path, 7, 4);
  const auto found = RecordingReader(path).damage().value_or(std::vector<RecordingDamage>{});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].path, "/q");
  EXPECT_EQ(found[0].first, 24576);
  EXPECT_EQ(found[0].last, 24999);
  EXPECT_EQ(found[1].path, "/invariants/energy");
  EXPECT_EQ(found[1].first, 0);
}

TEST(RecordingWriter, ReopensADamagedRecordingOnlyWhenAsked) {
  const Scratch scratch;
  const auto path = scratch / "run.h5";
  {
    RecordingWriter writer(path, some_columns(), {});
    append_rows(writer, 3000);
    commit(writer);
    writer.close({}, false);
  }
  damage(path, 1500, 1);
  const auto checkpoint = load_checkpoint(checkpoint_path(path));
  const auto before = contents(path);
  EXPECT_EQ(message_of<IoError>([&] { RecordingWriter::reopen(path, checkpoint); }),
            path.string() + ": the dataset /q is damaged within the rows 1024 to 2047");
  EXPECT_EQ(contents(path), before);
  auto writer = RecordingWriter::reopen(path, checkpoint, {.damaged_too = true});
  append_rows(writer, 3000);
  commit(writer);
  writer.close({}, true);
  const auto found = RecordingReader(path).damage().value_or(std::vector<RecordingDamage>{});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].first, 1024);
}

TEST(RecordingWriter, RefusesWhatIsLargerThanTheDisk) {
  const Scratch scratch;
  const auto path = scratch / "run.h5";
  const std::int64_t rows = std::int64_t{1} << 55;  // an exabyte and more
  const auto refusal = message_of<IoError>(
      [&] { RecordingWriter(path, some_columns(), {}, {.expected_rows = rows}); });
  EXPECT_NE(refusal.find("36028797018963968 rows of 48 bytes would take 1.73 EB"),
            std::string::npos)
      << refusal;
  EXPECT_TRUE(scratch.names().empty());
  RecordingWriter writer(path, some_columns(), {});
  append_rows(writer, 10);
  commit(writer);
  writer.close({}, false);
  const auto checkpoint = load_checkpoint(checkpoint_path(path));
  EXPECT_THROW(RecordingWriter::reopen(path, checkpoint, {.expected_rows = rows}), IoError);
  RecordingWriter::reopen(path, checkpoint, {.expected_rows = 20}).close({}, true);
}

}  // namespace
}  // namespace hamel::io::testing
