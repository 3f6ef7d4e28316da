// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/recording/recording.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>
#include <limits>

#include "hamel/core/error.hpp"
#include "recording_support.hpp"

namespace hamel::io::testing {
namespace {

const Attributes some_attributes{{"scenario", "[system]\nname = \"Kügelchen\"\n"},
                                 {"version", "0.1"}};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(RecordingWriter, RowsComeBackBitByBit) {
  const Scratch scratch;
  const auto path = scratch / "run.h5";
  {
    RecordingWriter writer(path, some_columns(), some_attributes);
    for (const int rows : {1, 7, 4096, 0, 5000, 16384, 16384, 3}) append_rows(writer, rows);
    EXPECT_EQ(writer.rows(), 41875);
    EXPECT_EQ(writer.row_width(), some_width);
    writer.close({{"status", "ok"}, {"summary", "{}"}}, true);
  }
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"run.h5"});
  RecordingReader reader(path);
  EXPECT_EQ(reader.columns(), some_columns());
  EXPECT_EQ(reader.rows(), 41875);
  EXPECT_TRUE(reader.finished());
  EXPECT_EQ(wrong_values(reader, reader.rows()), 0);
  EXPECT_EQ(reader.attributes().at("scenario"), some_attributes.at("scenario"));
  EXPECT_EQ(reader.attributes().at("format_version"), "1");
  EXPECT_EQ(reader.attributes().at("summary"), "{}");
}

TEST(RecordingWriter, SpecialValuesKeepTheirBits) {
  const Scratch scratch;
  const std::vector<double> values{-0.0, std::numeric_limits<double>::infinity(), std::nan("5"),
                                   std::numeric_limits<double>::denorm_min()};
  RecordingWriter writer(scratch / "run.h5", {{"/x", 1, "", ""}}, {});
  writer.append({4, values});
  writer.close({}, true);
  const auto read = RecordingReader(scratch / "run.h5").read("/x", 0, 4);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(read[i]), std::bit_cast<std::uint64_t>(values[i]));
  }
}

TEST(RecordingWriter, WideRowsAndLongTextsFit) {
  const Scratch scratch;
  const std::string text(300000, 'x');  // far over the 64 KiB of an attribute stored in place
  RecordingWriter writer(scratch / "run.h5", {{"/q", 50000, "1", ""}}, {{"scenario", text}});
  for (int row = 0; row < 5; ++row) writer.append({1, std::vector<double>(50000, row)});
  writer.close({}, true);
  RecordingReader reader(scratch / "run.h5");
  EXPECT_EQ(reader.attributes().at("scenario"), text);
  EXPECT_EQ(reader.read("/q", 3, 1), std::vector<double>(50000, 3.0));
}

TEST(RecordingWriter, BuffersComeBackWithTheirMemory) {
  const Scratch scratch;
  RecordingWriter writer(scratch / "run.h5", some_columns(), {});
  auto block = writer.take_buffer();
  block.data.reserve(6000);
  const auto* memory = block.data.data();
  block.data.resize(some_width);
  block.rows = 1;
  writer.append(std::move(block));
  writer.drain();
  block = writer.take_buffer();
  EXPECT_EQ(block.rows, 0);
  EXPECT_EQ(block.data.data(), memory);
}

TEST(RecordingWriter, RoomForMoreRowsIsLeftOut) {
  const Scratch scratch;
  RecordingWriter writer(scratch / "run.h5", {{"/t", 1, "s", ""}, {"/q", 2, "1", ""}}, {});
  writer.append({2, {0.0, 0.5, 7.0, 1.0, 2.0, 3.0, 4.0, 8.0, 9.0}});
  EXPECT_EQ(writer.rows(), 2);
  EXPECT_THROW(writer.append({2, {0.0, 1.0, 2.0, 0.5, 3.0}}), std::logic_error);
  writer.close({}, true);
  RecordingReader reader(scratch / "run.h5");
  EXPECT_EQ(reader.rows(), 2);
  EXPECT_EQ(reader.read("/t", 0, 2), (std::vector<double>{0.0, 0.5}));
  EXPECT_EQ(reader.read("/q", 0, 2), (std::vector<double>{1.0, 2.0, 3.0, 4.0}));
}

TEST(RecordingWriter, ExpectedRowsKeepShortRecordingsSmall) {
  const Scratch scratch;
  RecordingWriter writer(scratch / "run.h5", some_columns(), {}, {.expected_rows = 11});
  append_rows(writer, 11);
  writer.close({}, true);
  EXPECT_LT(std::filesystem::file_size(scratch / "run.h5"), 32768u);
  RecordingReader reader(scratch / "run.h5");
  EXPECT_EQ(wrong_values(reader, 11), 0);
}

TEST(RecordingWriter, RefusesWhatItCannotWrite) {
  const Scratch scratch;
  const auto refusal = [&](const std::filesystem::path& path) {
    return message_of<IoError>([&] { RecordingWriter(path, some_columns(), {}); });
  };
  EXPECT_TRUE(has(refusal(scratch / "missing" / "run.h5"), "does not exist"));
  set_contents(scratch / "file", "x");
  EXPECT_TRUE(has(refusal(scratch / "file" / "run.h5"), "not a directory"));
  EXPECT_FALSE(refusal("/proc/run.h5").empty());
  EXPECT_TRUE(has(refusal(scratch / "file"), "exists already"));
  std::filesystem::create_directory(scratch / "folder");
  EXPECT_TRUE(has(message_of<IoError>([&] {
                    RecordingWriter(scratch / "folder", some_columns(), {}, {.overwrite = true});
                  }),
                  "not a file"));
  EXPECT_EQ(scratch.names(), (std::vector<std::string>{"file", "folder"}));
}

TEST(RecordingWriter, NamesEveryBadColumnAndAttribute) {
  const Scratch scratch;
  try {
    const RecordingWriter writer(scratch / "run.h5",
                                 {{"q", 0, "", ""}, {"/t", 1, "", ""}, {"/t", 1, "", ""}},
                                 {{"finished", "1"}, {"text", std::string(1, '\0')}});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().size(), 5u) << error.what();
  }
  EXPECT_THROW(RecordingWriter(scratch / "run.h5", {{"/a", 1, "", ""}, {"/a/b", 1, "", ""}}, {}),
               IoError);
  EXPECT_TRUE(scratch.names().empty());
}

TEST(RecordingWriter, OverwritesOnlyWhenAskedAndOnlyWithACompleteFile) {
  const Scratch scratch;
  const auto path = scratch / "run.h5";
  RecordingWriter(path, some_columns(), {{"run", "old"}}).close({}, true);
  EXPECT_THROW(RecordingWriter(path, some_columns(), {}), IoError);
  EXPECT_THROW(
      RecordingWriter(path, {{"/a", 1, "", ""}, {"/a/b", 1, "", ""}}, {}, {.overwrite = true}),
      IoError);
  EXPECT_EQ(RecordingReader(path).attributes().at("run"), "old");
  RecordingWriter(path, some_columns(), {{"run", "new"}}, {.overwrite = true}).close({}, true);
  EXPECT_EQ(RecordingReader(path).attributes().at("run"), "new");
}

TEST(RecordingWriter, RefusesASecondWriterButNoStaleLock) {
  const Scratch scratch;
  const auto path = scratch / "run.h5";
  set_contents(scratch / "run.h5.lock", "99999");  // left by a crash: nobody holds it
  RecordingWriter writer(path, some_columns(), {});
  commit(writer);
  writer.drain();
  const auto pid = std::to_string(::getpid());
  const auto second =
      message_of<IoError>([&] { RecordingWriter(path, some_columns(), {}, {.overwrite = true}); });
  EXPECT_TRUE(has(second, "another writer (process " + pid + ")")) << second;
  EXPECT_THROW(RecordingWriter::reopen(path, load_checkpoint(checkpoint_path(path))), IoError);
  append_rows(writer, 10);
  writer.close({}, true);
  RecordingWriter(path, some_columns(), {}, {.overwrite = true}).close({}, true);
}

TEST(RecordingWriter, MisuseIsALogicError) {
  const Scratch scratch;
  RecordingWriter writer(scratch / "run.h5", some_columns(), {});
  EXPECT_THROW(writer.append({2, std::vector<double>(some_width)}), std::logic_error);
  Checkpoint checkpoint;
  checkpoint.rows = 1;
  EXPECT_THROW(writer.commit(checkpoint), std::logic_error);
  EXPECT_THROW(writer.close({{"columns", ""}}, true), InputError);
  append_rows(writer, 1);
  writer.close({}, true);
  EXPECT_THROW(append_rows(writer, 1), std::logic_error);
  EXPECT_THROW(writer.close({}, true), std::logic_error);
}

TEST(RecordingWriter, AbandonedKeepsWhatWasCommitted) {
  const Scratch scratch;
  const auto path = scratch / "run.h5";
  { RecordingWriter writer(path, some_columns(), {}); }
  EXPECT_TRUE(scratch.names().empty());
  {
    RecordingWriter writer(path, some_columns(), {});
    append_rows(writer, 1000);
    commit(writer);
    writer.drain();
    append_rows(writer, 50000);
  }
  EXPECT_EQ(scratch.names(), (std::vector<std::string>{"run.h5", "run.h5.checkpoint"}));
  RecordingReader reader(path);
  EXPECT_EQ(reader.rows(), 1000);
  EXPECT_FALSE(reader.finished());
  EXPECT_EQ(wrong_values(reader, 1000), 0);
}

TEST(RecordingWriter, ReopenedItEndsLikeAnUninterruptedOne) {
  const Scratch scratch;
  constexpr std::int64_t total = 60000;
  for (const auto& [kept, lost] : {std::pair{0, 500}, {1, 0}, {16384, 30000}, {20001, 35000}}) {
    const auto path = scratch / "run.h5";
    Checkpoint checkpoint;  // not the last one: its patches are stale by then
    {
      RecordingWriter writer(path, some_columns(), some_attributes, {.overwrite = true});
      append_rows(writer, kept);
      commit(writer);
      writer.drain();
      checkpoint = load_checkpoint(checkpoint_path(path));
      append_rows(writer, lost);
      commit(writer);
      writer.close({{"status", "interrupted"}}, false);
    }
    auto writer = RecordingWriter::reopen(path, checkpoint);
    EXPECT_EQ(writer.rows(), kept);
    EXPECT_EQ(writer.columns(), some_columns());
    EXPECT_EQ(RecordingReader(path).rows(), kept);
    while (writer.rows() < total) append_rows(writer, std::min(total - writer.rows(), 4096l));
    commit(writer);
    writer.close({{"status", "ok"}}, true);

    const auto whole = scratch / "whole.h5";
    RecordingWriter other(whole, some_columns(), some_attributes, {.overwrite = true});
    append_rows(other, total);
    other.close({{"status", "ok"}}, true);
    RecordingReader a(path);
    RecordingReader b(whole);
    EXPECT_EQ(a.rows(), b.rows());
    EXPECT_EQ(a.columns(), b.columns());
    for (const auto& column : b.columns()) {
      EXPECT_EQ(a.read(column.path, 0, total), b.read(column.path, 0, total)) << column.path;
    }
    auto left = a.attributes();
    left["recording_id"] = b.attributes().at("recording_id");
    EXPECT_EQ(left, b.attributes());
  }
}

TEST(RecordingWriter, ReopenRefusesWhatDoesNotFit) {
  const Scratch scratch;
  const auto path = scratch / "run.h5";
  RecordingWriter writer(path, some_columns(), {});
  append_rows(writer, 100);
  commit(writer);
  writer.close({}, false);
  const auto checkpoint = load_checkpoint(checkpoint_path(path));
  EXPECT_TRUE(checkpoint.patches.empty());
  const auto refusal = [&](const Checkpoint& c) {
    return message_of<IoError>([&] { RecordingWriter::reopen(path, c); });
  };
  auto other = checkpoint;
  other.rows = 101;
  EXPECT_TRUE(has(refusal(other), "100 rows, fewer than the 101"));
  other = checkpoint;
  other.recording = "another";
  other.patches = {{0, std::vector<std::byte>(5000)}};
  EXPECT_TRUE(has(refusal(other), "another recording"));
  RecordingWriter::reopen(path, checkpoint).close({}, true);
  EXPECT_TRUE(has(refusal(checkpoint), "finished"));
  set_contents(path, "garbage");
  EXPECT_TRUE(has(refusal(checkpoint), "not an HDF5 file"));
  std::filesystem::remove(path);
  EXPECT_TRUE(has(refusal(checkpoint), "No such file"));
  EXPECT_TRUE(scratch.names().empty());
}

TEST(RecordingReader, ReadsAnyRowsInStrides) {
  const Scratch scratch;
  RecordingWriter writer(scratch / "run.h5", some_columns(), {});
  append_rows(writer, 400000);  // more than one slice of /q
  writer.close({}, true);
  RecordingReader reader(scratch / "run.h5");
  EXPECT_EQ(wrong_values(reader, 400000), 0);
  const auto values = reader.read("/q", 5, 40000, 9);
  for (std::int64_t i = 0; i < 40000; ++i) {
    ASSERT_EQ(values[static_cast<std::size_t>(3 * i + 2)], value_at(5 + 9 * i, 3));
  }
  EXPECT_TRUE(reader.read("/t", 0, 0).empty());
  EXPECT_EQ(reader.read("/t", 399999, 1, 1000), std::vector{value_at(399999, 0)});
  for (const auto& [first, count, stride] : {std::array<std::int64_t, 3>{-1, 1, 1},
                                             {0, 400001, 1},
                                             {1, 400000, 1},
                                             {0, 2, 400000},
                                             {400000, 1, 1},
                                             {0, -1, 1},
                                             {0, 1, 0},
                                             {2, std::int64_t{1} << 62, 4}}) {
    EXPECT_THROW(reader.read("/t", first, count, stride), InputError);
  }
  EXPECT_TRUE(has(message_of<IoError>([&] { reader.read("/p", 0, 1); }), "no dataset /p"));
}

TEST(RecordingReader, TellsWhatIsWrongAndPrintsNothing) {
  const Scratch scratch;
  const auto path = scratch / "run.h5";
  RecordingWriter writer(path, some_columns(), {});
  append_rows(writer, 1000);
  writer.close({}, true);
  const auto good = contents(path);
  ::testing::internal::CaptureStderr();
  const auto problem = [&](const std::string& bytes) {
    set_contents(path, bytes);
    return message_of<IoError>([&] { RecordingReader reader(path); });
  };
  EXPECT_TRUE(has(problem(""), "empty"));
  EXPECT_TRUE(has(problem("t,q\n0,1\n"), "not an HDF5 file"));
  EXPECT_TRUE(has(problem(std::string(5000, '\xab')), "not an HDF5 file"));
  for (const std::size_t size :
       {std::size_t{9}, std::size_t{60}, std::size_t{100}, good.size() / 2, good.size() - 1}) {
    EXPECT_TRUE(has(problem(good.substr(0, size)), path.string())) << size;
  }
  EXPECT_TRUE(has(problem(good.substr(0, good.size() / 2)), "truncated"));
  std::filesystem::remove(path);
  EXPECT_TRUE(has(message_of<IoError>([&] { RecordingReader reader(path); }), "No such file"));
  EXPECT_TRUE(has(message_of<IoError>([&] { RecordingReader r(path.parent_path()); }), "not a"));
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(RecordingReader, RefusesForeignAndIncompleteFiles) {
  const Scratch scratch;
  const auto path = scratch / "run.h5";
  const auto change = [&](auto&& action) {
    RecordingWriter(path, some_columns(), {}, {.overwrite = true}).close({}, true);
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    action(file);
    H5Fclose(file);
    return message_of<IoError>([&] { RecordingReader reader(path); });
  };
  EXPECT_TRUE(has(change([](hid_t f) { H5Adelete(f, "columns"); }), "not a recording"));
  EXPECT_TRUE(has(change([](hid_t f) { H5Ldelete(f, "/q", H5P_DEFAULT); }), "/q is missing"));
  EXPECT_TRUE(has(change([](hid_t f) {
                    const std::int64_t version = 7;
                    const hid_t attribute = H5Aopen(f, "format_version", H5P_DEFAULT);
                    H5Awrite(attribute, H5T_NATIVE_INT64, &version);
                    H5Aclose(attribute);
                  }),
                  "format version 7"));
}

}  // namespace
}  // namespace hamel::io::testing
