// SPDX-License-Identifier: BSD-3-Clause

#include "recording/failure_list.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "recording_support.hpp"

namespace hamel::io::testing {
namespace {

using detail::FailureList;

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

const std::string first = "member,status,step,reason\n";
const std::string lines =
    "3,no_convergence,17,\"it \"\"ran\"\" away, far\"\n8,invalid,0,\"two lines\"\n";

std::vector<MemberFailure> two() {
  return {{3, Status::no_convergence, 17, "it \"ran\" away, far"},
          {8, Status::invalid, 0, "two\nlines"}};
}

TEST(FailureList, IsThereOnceAMemberHasFailed) {
  const Scratch scratch;
  const auto recording = scratch / "a.h5";
  FailureList list(recording, 0);
  EXPECT_EQ(list.path(), scratch / "a.h5.failures.csv");
  list.add({});
  list.commit();
  EXPECT_FALSE(std::filesystem::exists(list.path()));
  list.add(two());
  list.commit();
  EXPECT_EQ(contents(list.path()), first + lines);
  EXPECT_EQ(list.size(), 2);
  list.add({{9, Status::singular, 1, ""}});
  list.commit();
  EXPECT_EQ(contents(list.path()), first + lines + "9,singular,1,\"\"\n");
  // A new recording begins without one.
  EXPECT_EQ(FailureList(recording, 0).size(), 0);
  EXPECT_FALSE(std::filesystem::exists(list.path()));
}

TEST(FailureList, GoesOnAfterTheMembersThatAreRecorded) {
  struct Case {
    std::string found;
    std::int64_t members;
    std::string kept;  // without the header; none: no file
  };
  const std::string of_3 = lines.substr(0, lines.find('\n') + 1);
  for (const Case& c : {Case{first + lines, 20, lines}, Case{first + lines, 9, lines},
                        Case{first + lines, 8, of_3}, Case{first + lines, 3, ""},
                        Case{first + lines.substr(0, lines.size() - 1), 20, of_3},  // torn
                        Case{first + of_3 + "x\n" + lines, 20, of_3},
                        Case{"some other file\n" + lines, 20, ""}, Case{"", 20, ""}}) {
    const Scratch scratch;
    const auto path = scratch / "a.h5.failures.csv";
    std::ofstream(path, std::ios::binary) << c.found;
    FailureList list(scratch / "a.h5", c.members);
    EXPECT_EQ(std::filesystem::exists(path), !c.kept.empty()) << c.found;
    EXPECT_EQ(contents(path), c.kept.empty() ? "" : first + c.kept);
    EXPECT_EQ(list.size(), std::count(c.kept.begin(), c.kept.end(), '\n'));
    list.add({{30, Status::not_finite, 5, "far"}});
    list.commit();
    EXPECT_EQ(contents(path), first + c.kept + "30,not_finite,5,\"far\"\n");
  }
}

// What is pending is written when it grows, not only at a commit.
TEST(FailureList, DoesNotGrowInMemory) {
  const Scratch scratch;
  FailureList list(scratch / "a.h5", 0);
  for (std::int64_t i = 0; i < 1000; ++i)
    list.add({{i, Status::no_solution, 1, std::string(100, 'x')}});
  EXPECT_GT(std::filesystem::file_size(list.path()), 60'000U);
}

}  // namespace
}  // namespace hamel::io::testing
