// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/recording/checkpoint.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "hamel/core/error.hpp"
#include "recording_support.hpp"

namespace hamel::io::testing {
namespace {

using namespace std::string_literals;

Checkpoint sample() {
  Checkpoint checkpoint;
  checkpoint.identity = "hamel 0.1 abc, GNU 12";
  checkpoint.scenario = "[system]\nname = \"π\"\n\0 and a zero"s;
  checkpoint.method = "gauss(stages=4)";
  checkpoint.step = 123456789012345;
  checkpoint.rows = 42;
  checkpoint.seconds = 0.1;
  for (int i = 0; i < 100; ++i) checkpoint.state.push_back(static_cast<std::byte>(7 * i));
  checkpoint.recording = "0123abcd";
  checkpoint.patches = {{0, {std::byte{1}, std::byte{2}}}, {4096, {}}, {1 << 20, checkpoint.state}};
  return checkpoint;
}

// The checksum of the documented layout, written down independently.
std::uint64_t fnv1a(const std::string& bytes) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211u;
  return hash;
}

template <class T>
std::string with_number(std::string bytes, std::size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof value);
  return bytes;
}

// A file that claims what it likes and has the checksum right.
std::string sealed(const std::string& bytes) {
  return with_number(bytes, bytes.size() - 8, fnv1a(bytes.substr(0, bytes.size() - 8)));
}

TEST(Checkpoint, ComesBackAsItWasSaved) {
  const Scratch scratch;
  const auto path = scratch / "run.checkpoint";
  save_checkpoint(path, sample());
  EXPECT_EQ(load_checkpoint(path), sample());
  save_checkpoint(path, Checkpoint{});
  EXPECT_EQ(load_checkpoint(path), Checkpoint{});
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"run.checkpoint"});
}

TEST(Checkpoint, HasTheDocumentedLayout) {
  const Scratch scratch;
  const auto path = scratch / "run.checkpoint";
  save_checkpoint(path, sample());
  const auto bytes = contents(path);
  EXPECT_EQ(bytes.substr(0, 8), "HAMELCKP");
  EXPECT_EQ(bytes, with_number(bytes, 16, std::uint64_t{bytes.size()}));
  EXPECT_EQ(bytes, with_number(bytes, 24, sample().step));
  EXPECT_EQ(bytes, with_number(bytes, 48, std::uint64_t{sample().identity.size()}));
  EXPECT_EQ(bytes, sealed(bytes));
}

TEST(Checkpoint, EveryChangedByteIsNoticed) {
  const Scratch scratch;
  const auto path = scratch / "run.checkpoint";
  save_checkpoint(path, sample());
  const auto good = contents(path);
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const char flip : {'\x01', '\x80', '\xff'}) {
      auto bad = good;
      bad[i] = static_cast<char>(bad[i] ^ flip);
      set_contents(path, bad);
      EXPECT_THROW(load_checkpoint(path), IoError) << "byte " << i;
    }
  }
}

TEST(Checkpoint, EveryOtherLengthIsNoticed) {
  const Scratch scratch;
  const auto path = scratch / "run.checkpoint";
  save_checkpoint(path, sample());
  const auto good = contents(path);
  for (std::size_t size = 0; size < good.size(); ++size) {
    set_contents(path, good.substr(0, size));
    EXPECT_THROW(load_checkpoint(path), IoError) << size << " bytes";
  }
  set_contents(path, good + '\0');
  EXPECT_THROW(load_checkpoint(path), IoError);
}

TEST(Checkpoint, HostileNumbersUnderARightChecksumAreRefused) {
  const Scratch scratch;
  const auto path = scratch / "run.checkpoint";
  save_checkpoint(path, sample());
  const auto good = contents(path);
  const auto size = [](std::size_t n) { return n + 8; };
  const auto c = sample();
  const std::size_t state = 48 + size(c.identity.size()) + size(c.scenario.size()) +
                            size(c.method.size()) + size(c.recording.size());
  const std::size_t patches = state + size(c.state.size());
  for (const auto length : {~std::uint64_t{0}, std::uint64_t{1} << 63, std::uint64_t{1} << 40}) {
    for (const auto offset : {std::size_t{48}, state, patches, patches + 16}) {
      set_contents(path, sealed(with_number(good, offset, length)));
      EXPECT_THROW(load_checkpoint(path), IoError) << "offset " << offset;
    }
  }
  set_contents(path, sealed(with_number(good, patches + 8, ~std::uint64_t{0} - 1)));
  EXPECT_NE(message_of<IoError>([&] { load_checkpoint(path); }).find("outside"), std::string::npos);
  set_contents(path, sealed(with_number(good, 24, std::int64_t{-1})));
  EXPECT_THROW(load_checkpoint(path), IoError);
  for (const double seconds : {std::nan(""), -1.0, std::numeric_limits<double>::infinity()}) {
    set_contents(path, sealed(with_number(good, 40, seconds)));
    EXPECT_THROW(load_checkpoint(path), IoError);
  }
}

TEST(Checkpoint, RandomBytesUnderARightChecksumNeverCrash) {
  const Scratch scratch;
  const auto path = scratch / "run.checkpoint";
  save_checkpoint(path, sample());
  const auto good = contents(path);
  std::mt19937 random(1);
  int refused = 0;
  for (int round = 0; round < 2000; ++round) {
    auto bad = good;
    for (int i = 0; i < 4; ++i)
      bad[48 + random() % (bad.size() - 56)] = static_cast<char>(random());
    set_contents(path, sealed(bad));
    try {
      load_checkpoint(path);
    } catch (const IoError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 0);
  EXPECT_LT(refused, 2000);
}

TEST(Checkpoint, MessagesSayWhatIsWrong) {
  const Scratch scratch;
  const auto path = scratch / "run.checkpoint";
  const auto says = [&](const std::string& text) {
    return message_of<IoError>([&] { load_checkpoint(path); }).find(text) != std::string::npos;
  };
  EXPECT_TRUE(says("No such file"));
  set_contents(path, "");
  EXPECT_TRUE(says("empty"));
  set_contents(path, "some text that is longer than the header of a checkpoint");
  EXPECT_TRUE(says("HAMELCKP"));
  save_checkpoint(path, sample());
  const auto good = contents(path);
  set_contents(path, good.substr(0, good.size() - 1));
  EXPECT_TRUE(says("should have"));
  set_contents(path, sealed(with_number(good, 8, std::uint32_t{2})));
  EXPECT_TRUE(says("layout version 2"));
  set_contents(path, with_number(good, 60, 'x'));
  EXPECT_TRUE(says("checksum"));
  EXPECT_TRUE(says(path.string()));
}

TEST(Checkpoint, AFailedSaveKeepsTheOldOne) {
  const Scratch scratch;
  const auto path = scratch / "run.checkpoint";
  save_checkpoint(path, sample());
  std::filesystem::create_directory(scratch / "run.checkpoint.tmp");
  EXPECT_THROW(save_checkpoint(path, Checkpoint{}), IoError);
  EXPECT_EQ(load_checkpoint(path), sample());
  EXPECT_THROW(save_checkpoint(scratch / "missing" / "x", sample()), IoError);
  EXPECT_THROW(load_checkpoint(scratch / ""), IoError);
}

}  // namespace
}  // namespace hamel::io::testing
