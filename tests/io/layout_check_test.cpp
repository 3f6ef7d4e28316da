// SPDX-License-Identifier: BSD-3-Clause
// What HDF5 must never be given, and that everything else it is given.
#include "recording/layout_check.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstring>
#include <functional>

#include "hamel/core/error.hpp"
#include "recording_support.hpp"

namespace hamel::io::testing {
namespace {

/// A recording of three rows, finished, and where its parts lie.
class LayoutCheck : public ::testing::Test {
 protected:
  LayoutCheck() {
    RecordingWriter writer(path, {{"/t", 1, "s", "time"}, {"/q", 3, "1", "q"}},
                           {{"scenario", "[system]\n"}}, {.expected_rows = 3});
    writer.append({3, std::vector<double>(12, 0.5)});
    writer.close({{"status", "ok"}}, true);
    good = contents(path);
  }

  std::uint64_t number(std::size_t at) const {
    std::uint64_t value;
    std::memcpy(&value, good.data() + at, sizeof value);
    return value;
  }
  /// Where the nth part of that signature lies.
  std::size_t part(const std::string& signature, int n = 0) const {
    std::size_t at = good.find(signature);
    for (; n > 0; --n) at = good.find(signature, at + 1);
    return at;
  }

  /// What the reader says of the bytes; "" where it reads them.
  std::string said_of(const std::string& bytes) const {
    set_contents(path, bytes);
    try {
      RecordingReader reader(path);
      for (const auto& column : reader.columns()) reader.read(column.path, 0, reader.rows());
      return "";
    } catch (const IoError& error) {
      return error.what();
    }
  }
  std::string with(std::size_t at, std::uint64_t value, std::size_t size = 8) const {
    std::string bytes = good;
    std::memcpy(bytes.data() + at, &value, size);
    return said_of(bytes);
  }

  Scratch scratch;
  std::filesystem::path path = scratch / "run.h5";
  std::string good;
};

TEST_F(LayoutCheck, EveryChangedByteIsHarmless) {
  EXPECT_EQ(said_of(good), "");
  int read = 0;
  for (std::size_t i = 0; i < good.size(); ++i) {
    auto bytes = good;
    bytes[i] = static_cast<char>(bytes[i] ^ (i % 2 == 0 ? 0xFF : 0x10));
    read += said_of(bytes).empty() ? 1 : 0;
  }
  // Rows, texts, unused space: what changes no address and no size may be read.
  EXPECT_GT(read, 1000);
  EXPECT_LT(read, static_cast<int>(good.size()) - 500);
}

TEST_F(LayoutCheck, AddressesAndSizesMustFitTogether) {
  const std::string refusal = "damaged HDF5 file";
  const std::size_t text = good.find("[system]\n");
  const auto expect_refused = [&](std::size_t at, std::uint64_t value, std::size_t size) {
    EXPECT_NE(with(at, value, size).find(refusal), std::string::npos) << at << ' ' << value;
  };
  expect_refused(text - 8, 1 << 20, 8);  // a text longer than its collection
  expect_refused(text - 8, 3, 8);        // and one shorter than its attribute says
  expect_refused(part("GCOL") + 8, 1ULL << 40U, 8);
  expect_refused(part("HEAP") + 16, 0, 8);  // free names that go in circles
  expect_refused(part("HEAP") + 24, number(part("HEAP", 1) + 24), 8);  // names in another place
  const std::size_t chunks = part(std::string("TREE\x01", 5));
  expect_refused(chunks + 6, 65, 2);                             // more children than fit
  expect_refused(chunks + 16, chunks, 8);                        // its own neighbour
  expect_refused(chunks + 24, 1 << 30, 4);                       // a chunk larger than the others
  expect_refused(chunks + 24 + 24, 96, 8);                       // a chunk where the root lies
  expect_refused(chunks + 24 + 24, good.size() - 8, 8);          // and one behind the end
  expect_refused(part(std::string("SNOD\x01", 5)) + 16, 96, 8);  // a dataset that is the root
  expect_refused(40, 96, 8);                                     // the end of the file
  expect_refused(20, 1, 4);                                      // flags nobody sets
}

TEST_F(LayoutCheck, RowsNeedTheirChunks) {
  // The size of /t: 3 rows of an unlimited number. Sparse rows would read as zero, and a column of
  // 2^50 of them would take all memory.
  const std::string size("\x01\x01\x01\0\0\0\0\0\x03\0\0\0\0\0\0\0\xFF\xFF", 18);
  const std::size_t at = good.find(size) + 8;
  ASSERT_NE(good.find(size), std::string::npos);
  EXPECT_NE(with(at, 1ULL << 50U).find("rows without their chunk"), std::string::npos);
  EXPECT_NE(with(at, 0), "");
  EXPECT_EQ(with(at, 2), "");  // fewer rows of the same chunk
}

TEST_F(LayoutCheck, WhatHamelDoesNotWriteIsRefusedBeforeHdf5SeesIt) {
  const auto said_after = [&](const std::function<void(hid_t)>& change) {
    set_contents(path, good);
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    change(file);
    H5Fclose(file);
    return said_of(contents(path));
  };
  EXPECT_NE(said_after([](hid_t file) {
              H5Lcreate_soft("/t", file, "u", H5P_DEFAULT, H5P_DEFAULT);
            }).find("not as hamel writes it"),
            std::string::npos);
  EXPECT_NE(said_after([](hid_t file) {
              const hsize_t size = 7;
              const hid_t space = H5Screate_simple(1, &size, nullptr);
              H5Dclose(H5Dcreate2(file, "u", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT,
                                  H5P_DEFAULT));
              H5Sclose(space);
            }).find("not as hamel writes it"),
            std::string::npos);
  EXPECT_EQ(said_after([](hid_t) {}), "");
}

TEST_F(LayoutCheck, LongRecordingsPass) {
  // More chunks than a node of their tree has room for, cut and extended again.
  constexpr int width = 4096;
  {
    RecordingWriter writer(path, {{"/q", width, "1", ""}}, {},
                           {.overwrite = true, .expected_rows = 4});
    for (int block = 0; block < 40; ++block)
      writer.append({16, std::vector<double>(16 * width, block)});
    commit(writer);
    writer.drain();
  }
  auto checkpoint = load_checkpoint(checkpoint_path(path));
  EXPECT_EQ(RecordingReader(path).rows(), 640);
  for (const int rows : {640, 300, 4, 0}) {
    checkpoint.rows = rows;
    auto writer = RecordingWriter::reopen(path, checkpoint, {.damaged_too = true});
    for (int block = 0; block < 2; ++block)
      writer.append({5, std::vector<double>(5 * width, block)});
    checkpoint = checkpoint_of(writer);
    writer.commit(checkpoint);
    writer.drain();
    checkpoint = load_checkpoint(checkpoint_path(path));
    EXPECT_EQ(RecordingReader(path).rows(), rows + 10);
  }
}

TEST(JournaledFile, ReadsNothingWhereNothingIsAskedFor) {
  const Scratch scratch;
  set_contents(scratch / "file", "bytes");
  detail::JournaledFile file(scratch / "file", detail::open_regular(scratch / "file", O_RDONLY),
                             {{0, std::vector<std::byte>(5)}});
  EXPECT_TRUE(file.read(2, {}));
}

}  // namespace
}  // namespace hamel::io::testing
