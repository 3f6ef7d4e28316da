// SPDX-License-Identifier: BSD-3-Clause
// What becomes of a recording when its writer dies or meets a full disk.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <random>

#include "hamel/core/error.hpp"
#include "hamel/recording/recording.hpp"
#include "recording_child.hpp"
#include "recording_support.hpp"

namespace hamel::io::testing {
namespace {

// Goes on from the checkpoint for `more` rows, finishes, and counts wrong values.
std::int64_t wrong_after_resuming(const std::filesystem::path& path, std::int64_t more) {
  auto writer = RecordingWriter::reopen(path, load_checkpoint(checkpoint_path(path)));
  append_rows(writer, more);
  commit(writer);
  const auto rows = writer.rows();
  writer.close({}, true);
  RecordingReader reader(path);
  return reader.rows() == rows && reader.finished() ? wrong_values(reader, rows) : -1;
}

// HAMEL_KILLS=1000 in the environment makes it a longer test.
TEST(RecordingCrash, KilledAtAnyTimeItIsWholeUpToTheCheckpoint) {
  const char* wanted = std::getenv("HAMEL_KILLS");
  const int kills = wanted != nullptr ? std::atoi(wanted) : 20;
  const unsigned seed = seed_of_moments(20240229);
  std::mt19937 random(seed);
  int readable = 0;
  int resumed = 0;
  std::int64_t rows = 0;
  for (int i = 0; i < kills; ++i) {
    const Scratch scratch;
    const auto path = scratch / "run.h5";
    Child writer([&] { return write_forever(path); });
    wait_for(path);  // after its checkpoint
    const double moment = 1e-6 * (random() % 50000);
    ASSERT_TRUE(until([&] { return writer.worked() >= moment; }));
    ASSERT_EQ(writer.kill(), -SIGKILL);
    try {
      const auto checkpoint = load_checkpoint(checkpoint_path(path));
      RecordingReader reader(path);
      readable += reader.rows() == checkpoint.rows && wrong_values(reader, checkpoint.rows) == 0;
      rows += checkpoint.rows;
      resumed += wrong_after_resuming(path, 10000) == 0;
    } catch (const std::exception& error) {
      ADD_FAILURE() << "HAMEL_SEED " << seed << ", kill " << i << ": " << error.what();
    }
  }
  EXPECT_EQ(readable, kills) << "HAMEL_SEED " << seed;
  EXPECT_EQ(resumed, kills) << "HAMEL_SEED " << seed;
  std::printf("%d of %d killed recordings whole, %d resumed, %lld rows checked\n", readable, kills,
              resumed, static_cast<long long>(rows));
}

// All the states a kill can leave between the commit point and the end of the in-place writes:
// the patches applied from the back, the last of them perhaps in part.
TEST(RecordingCrash, EveryHalfAppliedCommitIsRepaired) {
  const Scratch scratch;
  const auto path = scratch / "run.h5";
  RecordingWriter writer(path, some_columns(), {{"scenario", "x"}}, {.expected_rows = 50});
  append_rows(writer, 3000);  // 60 chunks of 50 rows: the next ones split nodes of the index
  commit(writer);
  writer.drain();
  const auto before = contents(path);
  append_rows(writer, 3000);
  commit(writer);
  writer.drain();
  const auto after = contents(path);
  const auto sidecar = contents(checkpoint_path(path));
  const auto patches = load_checkpoint(checkpoint_path(path)).patches;
  ASSERT_GE(patches.size(), 3u);
  ASSERT_EQ(patches.front().offset, 0u);  // the superblock comes last

  const auto other = scratch / "copy.h5";
  for (std::size_t left = 0; left <= patches.size(); ++left) {
    for (const double part : {1.0, 0.5}) {
      auto bytes = after;
      for (std::size_t i = 0; i < left; ++i) {
        const auto& patch = patches[i];
        auto size = patch.bytes.size();
        if (i + 1 == left) size = static_cast<std::size_t>(static_cast<double>(size) * part);
        for (std::size_t k = patch.bytes.size() - size; k < patch.bytes.size(); ++k) {
          const auto at = patch.offset + k;
          bytes[at] = at < before.size() ? before[at] : '\0';
        }
      }
      set_contents(other, bytes);
      set_contents(checkpoint_path(other), sidecar);
      RecordingReader reader(other);
      ASSERT_EQ(reader.rows(), 6000);
      ASSERT_EQ(wrong_values(reader, 6000), 0) << left << " patches missing";
      if (part == 1.0) {
        ASSERT_EQ(wrong_after_resuming(other, 100), 0) << left << " patches missing";
      }
    }
  }
}

TEST(RecordingCrash, AFinishedRecordingWhoseCheckpointIsLeftStaysFinished) {
  const Scratch scratch;
  const auto path = scratch / "run.h5";
  RecordingWriter writer(path, some_columns(), {});
  append_rows(writer, 100);
  commit(writer);
  writer.drain();
  const auto sidecar = contents(checkpoint_path(path));
  append_rows(writer, 100);
  writer.close({}, true);
  auto checkpoint = load_checkpoint([&] {
    set_contents(checkpoint_path(path), sidecar);
    return checkpoint_path(path);
  }());
  checkpoint.patches.clear();
  save_checkpoint(checkpoint_path(path), checkpoint);
  RecordingReader reader(path);
  EXPECT_TRUE(reader.finished());
  EXPECT_EQ(reader.rows(), 200);
}

// Killed after the commit point of the end: the checkpoint still holds what makes the file whole.
TEST(RecordingCrash, AFinishedRecordingIsTidiedWithItsCheckpoint) {
  const Scratch scratch;
  const auto path = scratch / "run.h5";
  RecordingWriter writer(path, some_columns(), {});
  append_rows(writer, 100);
  commit(writer);
  writer.drain();
  auto checkpoint = load_checkpoint(checkpoint_path(path));
  const auto before = contents(path);
  append_rows(writer, 100);
  writer.close({}, true);
  const auto after = contents(path);
  // The file as it was, and a patch that brings it to the end.
  auto patch = std::vector<std::byte>(after.size());
  std::memcpy(patch.data(), after.data(), after.size());
  checkpoint.patches = {{0, patch}};
  set_contents(path, before);
  save_checkpoint(checkpoint_path(path), checkpoint);
  set_contents(scratch / "run.h5.lock", "99999");
  EXPECT_TRUE(RecordingReader(path).finished());
  tidy_finished(path);
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"run.h5"});
  EXPECT_EQ(contents(path), after);
  tidy_finished(path);  // nothing to do
  RecordingReader reader(path);
  EXPECT_EQ(wrong_values(reader, 200), 0);
}

TEST(RecordingCrash, ADamagedOrForeignCheckpointDoesNotHinderReading) {
  const Scratch scratch;
  const auto path = scratch / "run.h5";
  for (const auto* name : {"run.h5", "other.h5"}) {
    RecordingWriter writer(scratch / name, some_columns(), {});
    append_rows(writer, 100);
    commit(writer);
    writer.drain();
  }
  std::filesystem::copy_file(checkpoint_path(scratch / "other.h5"), checkpoint_path(path),
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(RecordingReader(path).rows(), 100);
  EXPECT_THROW(RecordingWriter::reopen(path, load_checkpoint(checkpoint_path(path))), IoError);
  set_contents(checkpoint_path(path), "damaged");
  EXPECT_EQ(RecordingReader(path).rows(), 100);
}

// The disk is full at `limit` bytes. 0: as expected, others: what was not.
int fill_the_disk(const std::filesystem::path& path, rlim_t limit, std::int64_t committed) {
  std::signal(SIGXFSZ, SIG_IGN);
  RecordingWriter writer(path, some_columns(), {});
  if (committed > 0) {
    append_rows(writer, committed);
    commit(writer);
    writer.drain();
  }
  const rlimit full{limit, limit};
  if (::setrlimit(RLIMIT_FSIZE, &full) != 0) return 1;
  std::string message;
  try {
    for (int block = 0; block < 1000; ++block) append_rows(writer, 4096);
    return 2;
  } catch (const IoError& error) {
    message = error.what();
  }
  const auto safe = committed > 0 ? std::to_string(committed) + " rows up to the last checkpoint"
                                  : std::string("nothing had been committed");
  if (message.find(safe) == std::string::npos || message.find(path.string()) == std::string::npos)
    return 3;
  if (message.find("File too large") == std::string::npos) return 4;
  try {
    writer.close({}, true);
    return 5;
  } catch (const IoError& error) {
    return error.what() == message ? 0 : 6;
  }
}

TEST(RecordingCrash, AFullDiskLeavesWhatWasCommitted) {
  const Scratch scratch;
  const auto path = scratch / "run.h5";
  EXPECT_EQ(exit_status([&] { return fill_the_disk(path, 5 << 20, 0); }), 0);
  EXPECT_TRUE(scratch.names().empty());
  EXPECT_EQ(exit_status([&] { return fill_the_disk(path, 5 << 20, 20000); }), 0);
  EXPECT_EQ(scratch.names(), (std::vector<std::string>{"run.h5", "run.h5.checkpoint"}));
  RecordingReader reader(path);
  EXPECT_EQ(reader.rows(), 20000);
  EXPECT_EQ(wrong_values(reader, 20000), 0);
  EXPECT_EQ(wrong_after_resuming(path, 5000), 0);
}

// The limit in steps of a few hundred bytes meets every write of creation, commit and close.
TEST(RecordingCrash, AFullDiskAtAnyWriteIsAnIoErrorAndNoDamage) {
  const Scratch scratch;
  const auto path = scratch / "run.h5";
  const auto run = [&](rlim_t limit) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit full{limit, limit};
    ::setrlimit(RLIMIT_FSIZE, &full);
    try {
      RecordingWriter writer(path, some_columns(), {}, {.expected_rows = 100});
      for (int block = 0; block < 4; ++block) {
        append_rows(writer, 100);
        commit(writer);
      }
      writer.drain();
      writer.close({{"summary", std::string(8000, 'x')}}, true);
      return 0;
    } catch (const IoError&) {
      return 1;
    }
  };
  int failed = 0;
  for (rlim_t limit = 0; limit < 80000; limit += 3877) {
    const auto status = exit_status([&] { return run(limit); });
    ASSERT_TRUE(status == 0 || status == 1) << status;
    failed += status;
    const auto names = scratch.names();
    if (names.empty()) continue;
    RecordingReader reader(path);
    ASSERT_EQ(wrong_values(reader, reader.rows()), 0);
    if (status == 1) {
      ASSERT_EQ(names, (std::vector<std::string>{"run.h5", "run.h5.checkpoint"}));
      ASSERT_EQ(wrong_after_resuming(path, 10), 0);
    }
    std::filesystem::remove(path);
  }
  EXPECT_GT(failed, 6);
  EXPECT_LT(failed, 20);
}

}  // namespace
}  // namespace hamel::io::testing
