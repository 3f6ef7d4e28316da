// SPDX-License-Identifier: BSD-3-Clause
// A recording read while it is written, by its own readers and by programs that know only HDF5.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <thread>
#include <vector>

#include "hamel/recording/recording.hpp"
#include "recording_child.hpp"
#include "recording_support.hpp"

namespace hamel::io::testing {
namespace {

// Number of rows of /t as a program that knows nothing of checkpoints sees it; -1: unreadable.
std::int64_t rows_for_others(const std::filesystem::path& path) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) return -1;
  const hid_t dataset = H5Dopen2(file, "/t", H5P_DEFAULT);
  const hid_t space = H5Dget_space(dataset);
  hsize_t rows = 0;
  H5Sget_simple_extent_dims(space, &rows, nullptr);
  std::vector<double> values(rows);
  bool good =
      H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    good = good && values[i] == value_at(static_cast<std::int64_t>(i), 0);
  }
  H5Sclose(space);
  H5Dclose(dataset);
  H5Fclose(file);
  return good ? static_cast<std::int64_t>(rows) : -1;
}

TEST(RecordingLive, BetweenCommitsOthersSeeTheLastOne) {
  const Scratch scratch;
  const auto path = scratch / "run.h5";
  RecordingWriter writer(path, some_columns(), {});
  commit(writer);
  writer.drain();
  EXPECT_EQ(exit_status([&] { return rows_for_others(path) == 0 ? 0 : 1; }), 0);
  for (int round = 1; round <= 5; ++round) {
    append_rows(writer, 10000);
    commit(writer);
    append_rows(writer, 20000);
    writer.drain();
    const auto expected = writer.rows() - 20000;
    const auto check = [&] { return rows_for_others(path) == expected ? 0 : 1; };
    EXPECT_EQ(exit_status(check), 0);
    EXPECT_EQ(RecordingReader(path).rows(), expected);
  }
  writer.close({}, true);
}

TEST(RecordingLive, WritersAndReadersShareAProcess) {
  const Scratch scratch;
  const auto write = [&](const std::string& name) {
    RecordingWriter writer(scratch / name, some_columns(), {});
    commit(writer);
    writer.drain();
    for (int block = 0; block < 20; ++block) {
      append_rows(writer, 1000);
      commit(writer);
      RecordingReader reader(scratch / name);
      EXPECT_EQ(wrong_values(reader, reader.rows()), 0);
    }
    writer.close({}, true);
  };
  std::thread first(write, "first.h5");
  std::thread second(write, "second.h5");
  first.join();
  second.join();
  EXPECT_EQ(RecordingReader(scratch / "first.h5").rows(), 20000);
  EXPECT_EQ(RecordingReader(scratch / "second.h5").rows(), 20000);
}

TEST(RecordingLive, AReaderNeverSeesAnythingWrong) {
  const Scratch scratch;
  const auto path = scratch / "run.h5";
  Child writer([&] { return write_forever(path); });
  wait_for(path);  // after its checkpoint
  RecordingReader lasting(path);
  std::int64_t rows = 0;
  int reads = 0;
  int others_failed = 0;
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  // While it commits, a hundred times or more.
  for (int grown = 0; grown < 100 && reads < 100000; ++reads) {
    const std::int64_t before = rows;
    RecordingReader fresh(path);
    ASSERT_GE(fresh.rows(), rows);
    rows = fresh.rows();
    ASSERT_EQ(wrong_values(fresh, std::min<std::int64_t>(rows, 50000)), 0);
    if (rows > 0) {
      ASSERT_EQ(fresh.read("/t", rows - 1, 1)[0], value_at(rows - 1, 0));
    }
    lasting.refresh();
    ASSERT_GE(lasting.rows(), rows);
    rows = lasting.rows();
    others_failed += rows_for_others(path) < 0;
    grown += rows > before ? 1 : 0;
  }
  writer.kill();
  std::printf("%d live reads up to row %lld; other programs: %d of %d failed\n", reads,
              static_cast<long long>(rows), others_failed, reads);
  EXPECT_GT(rows, 0);
}

}  // namespace
}  // namespace hamel::io::testing
