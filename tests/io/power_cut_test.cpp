// SPDX-License-Identifier: BSD-3-Clause
// What a power cut leaves of a recording: the disk has kept some of what was written since the last
// fsync, in any order, and lost the rest.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "disk_log.hpp"
#include "hamel/core/error.hpp"
#include "hamel/recording/recording.hpp"
#include "recording/journaled_file.hpp"
#include "recording_support.hpp"

namespace hamel::io::testing {
namespace {

using Kind = DiskLog::Operation::Kind;

// ---- the journal alone -------------------------------------------------------------------------

using Bytes = std::vector<std::byte>;

std::string text_of(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A journaled file driven as HDF5 drives it, beside a plain list of bytes.
class Driven {
 public:
  Driven(const std::filesystem::path& path, unsigned seed)
      : file_(path, detail::create_anew(path)), random_(seed) {}

  void meta(std::uint64_t offset, std::size_t size) { write(false, offset, size); }
  void rows(std::uint64_t offset, std::size_t size) {
    file_.rows_pass(true);
    write(true, offset, size);
    file_.rows_pass(false);
  }
  /// What HDF5 reads now is what it has written.
  bool reads_what_was_written() {
    Bytes found(seen_.size());
    return file_.read(0, found) && found == seen_;
  }
  std::uint64_t end() const { return seen_.size(); }
  detail::JournaledFile& file() { return file_; }
  const Bytes& seen() const { return seen_; }

 private:
  void write(bool raw, std::uint64_t offset, std::size_t size) {
    Bytes bytes(size);
    for (std::byte& b : bytes) b = static_cast<std::byte>(random_());
    if (file_.allocated_end() < offset + size) file_.allocate_to(offset + size);
    ASSERT_TRUE(file_.write(raw, offset, bytes)) << file_.failure();
    if (seen_.size() < offset + size) seen_.resize(offset + size);
    std::ranges::copy(bytes, seen_.begin() + static_cast<std::ptrdiff_t>(offset));
  }

  detail::JournaledFile file_;
  Bytes seen_;
  std::mt19937 random_;
};

/// A commit of the journal: from `settled` on the patches are safe elsewhere.
struct Commit {
  std::size_t settled, applied;  // operations logged by then
  std::vector<FilePatch> patches;
  Bytes content;
};

Commit committed(Driven& driven, const DiskLog& log) {
  Commit made;
  driven.file().settle();
  made.settled = log.size();
  made.patches = driven.file().pieces();
  driven.file().apply();
  made.applied = log.size();
  made.content = driven.seen();
  return made;
}

std::vector<Commit> random_commits(Driven& driven, const DiskLog& log, std::mt19937& random) {
  std::vector<Commit> commits;
  driven.meta(0, 96);
  for (int round = 0; round < 12; ++round) {
    const std::uint64_t safe = commits.empty() ? 0 : commits.back().content.size();
    for (int k = 0; k < 10; ++k) {
      const std::size_t size = 1 + random() % 900;
      // Bookkeeping is written anywhere, rows where nothing committed is: also where bookkeeping
      // was that HDF5 has given up.
      if (random() % 2 == 0)
        driven.meta(random() % (driven.end() + 200), size);
      else
        driven.rows(safe + random() % (driven.end() - safe + 200), size);
      EXPECT_TRUE(driven.reads_what_was_written());
    }
    commits.push_back(committed(driven, log));
    EXPECT_TRUE(driven.reads_what_was_written());
  }
  return commits;
}

// Rows over a piece that waits for the commit: the commit must not bring the piece back.
TEST(JournaledFile, RowsOverAPieceStay) {
  const Scratch scratch;
  Driven driven(scratch / "a", 1);
  driven.meta(0, 1000);
  driven.rows(100, 300);
  driven.rows(900, 300);  // half over it
  EXPECT_TRUE(driven.reads_what_was_written());
  driven.file().settle();
  driven.file().apply();
  EXPECT_TRUE(driven.reads_what_was_written());
  EXPECT_EQ(contents(scratch / "a"), text_of(driven.seen()));
}

// The superblock lies first and is written last.
TEST(JournaledFile, ACommitIsAppliedFromTheBack) {
  const Scratch scratch;
  std::mt19937 random(3);
  Driven driven(scratch / "a", 3);
  DiskLog log(scratch / "");
  int in_place = 0;
  for (const Commit& made : random_commits(driven, log, random)) {
    std::uint64_t last = UINT64_MAX;
    for (std::size_t i = made.settled; i < made.applied; ++i) {
      const auto& op = log.operations()[i];
      if (op.kind != Kind::write) continue;
      EXPECT_LT(op.offset, last);
      last = op.offset;
      ++in_place;
    }
  }
  EXPECT_GT(in_place, 30);
}

// Wherever the power fails, the file with the patches of the last commit laid over is what was
// committed.
TEST(JournaledFile, APowerCutLeavesTheLastCommit) {
  int checked = 0;
  const unsigned first = seed_of_moments(1);
  for (unsigned seed = first; seed < first + 4; ++seed) {
    const Scratch scratch;
    std::mt19937 random(seed);
    Driven driven(scratch / "a", seed);
    DiskLog log(scratch / "");
    const std::vector<Commit> commits = random_commits(driven, log, random);
    log.stop();
    const Scratch other;
    for (std::size_t c = 0; c < commits.size(); ++c) {
      const std::size_t end = c + 1 < commits.size() ? commits[c + 1].settled : log.size();
      for (std::size_t at = commits[c].settled; at <= end; ++at) {
        // Names are not the subject here, and nobody has synced them.
        DiskLog::Files left = log.after_cut(at, random);
        set_contents(other / "b", left.contains("a") ? left["a"] : "");
        if (!left.contains("a")) continue;
        detail::JournaledFile file(other / "b", detail::open_regular(other / "b", O_RDONLY),
                                   commits[c].patches);
        Bytes found(commits[c].content.size());
        ASSERT_TRUE(file.read(0, found));
        ASSERT_TRUE(found == commits[c].content)
            << "seed " << seed << ", commit " << c << ", operation " << at;
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 400);
}

// ---- whole recordings --------------------------------------------------------------------------

struct Promise {
  std::size_t operation;  // from here on
  std::int64_t rows;
};

/// Writes `commits` commits and finishes; what each has promised.
std::vector<Promise> written(RecordingWriter& writer, const DiskLog& log, int commits) {
  std::vector<Promise> promises;
  for (int k = 0; k < commits; ++k) {
    append_rows(writer, 40 + 290 * (k % 3));
    commit(writer);
    writer.drain();
    promises.push_back({log.size(), writer.rows()});
  }
  append_rows(writer, 70);
  const std::int64_t rows = writer.rows();
  writer.close({{"status", "ok"}}, true);
  promises.push_back({log.size(), rows});
  return promises;
}

/// Rows of what is left, all of them right; −1 where there is no recording, −2 where it is wrong.
std::int64_t rows_left(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return -1;
  RecordingReader reader(path);
  if (!reader.finished() && reader.rows() != load_checkpoint(checkpoint_path(path)).rows) return -2;
  return wrong_values(reader, reader.rows()) == 0 ? reader.rows() : -2;
}

void resume_and_finish(const std::filesystem::path& path) {
  auto writer = RecordingWriter::reopen(path, load_checkpoint(checkpoint_path(path)));
  append_rows(writer, 100);
  const std::int64_t rows = writer.rows();
  writer.close({}, true);
  RecordingReader reader(path);
  ASSERT_TRUE(reader.finished());
  ASSERT_EQ(reader.rows(), rows);
  ASSERT_EQ(wrong_values(reader, rows), 0);
}

/// After every operation, as the process was killed there and as the power failed.
void check_all(const DiskLog& log, const std::vector<Promise>& promises, std::int64_t safe_before,
               unsigned preset) {
  const unsigned seed = seed_of_moments(preset);
  SCOPED_TRACE("HAMEL_SEED " + std::to_string(seed));
  std::mt19937 random(seed);
  int resumed = 0;
  for (std::size_t at = 0; at <= log.size(); ++at) {
    std::int64_t promised = safe_before;
    for (const Promise& p : promises)
      if (p.operation <= at) promised = p.rows;
    for (int way = 0; way < 3; ++way) {
      const Scratch scratch;
      for (const auto& [name, bytes] : way == 0 ? log.after_kill(at) : log.after_cut(at, random))
        set_contents(scratch / name, bytes);
      const auto path = scratch / "run.h5";
      try {
        const std::int64_t rows = rows_left(path);
        ASSERT_NE(rows, -2) << "wrong after operation " << at << ", way " << way;
        ASSERT_GE(rows, promised) << "after operation " << at << ", way " << way;
        if (rows >= 0 && !RecordingReader(path).finished() &&
            (3 * at + static_cast<std::size_t>(way)) % 25 == 0) {
          resume_and_finish(path);
          ASSERT_FALSE(::testing::Test::HasFatalFailure()) << "after operation " << at;
          ++resumed;
        }
      } catch (const std::exception& error) {
        FAIL() << "after operation " << at << " of " << log.size() << ", way " << way << ": "
               << error.what();
      }
    }
  }
  EXPECT_GT(resumed, 5);
}

TEST(PowerCut, LeavesARecordingAsItsLastCommitHasIt) {
  const Scratch scratch;
  DiskLog log(scratch / "");
  std::vector<Promise> promises;
  {
    RecordingWriter writer(scratch / "run.h5", some_columns(), {{"scenario", "x"}},
                           {.expected_rows = 50});  // small chunks: the index splits often
    promises = written(writer, log, 6);
  }
  log.stop();
  EXPECT_GT(log.size(), 100u);
  check_all(log, promises, -1, 1);
}

// The first thing that resuming does is to repair what a cut has left.
TEST(PowerCut, WhileResumingLeavesWhatThereWas) {
  const Scratch scratch;
  DiskLog::Files half;
  std::int64_t safe = 0;
  {
    DiskLog log(scratch / "");
    std::vector<Promise> promises;
    {
      RecordingWriter writer(scratch / "run.h5", some_columns(), {}, {.expected_rows = 50});
      promises = written(writer, log, 4);
    }
    log.stop();
    // In the middle of the third commit's writes in place.
    std::mt19937 random(7);
    half = log.after_cut(promises[2].operation - 2, random);
    safe = promises[1].rows;
  }
  const Scratch other;
  for (const auto& [name, bytes] : half) set_contents(other / name, bytes);
  DiskLog log(other / "");
  std::vector<Promise> promises;
  {
    const auto path = other / "run.h5";
    auto writer = RecordingWriter::reopen(path, load_checkpoint(checkpoint_path(path)),
                                          {.expected_rows = 50});
    EXPECT_GE(writer.rows(), safe);
    promises = written(writer, log, 3);
  }
  log.stop();
  check_all(log, promises, safe, 2);
}

}  // namespace
}  // namespace hamel::io::testing
