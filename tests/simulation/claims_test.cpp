// SPDX-License-Identifier: BSD-3-Clause
// The claims of the whole catalogue are a file of the repository: one that is withdrawn, added or
// changed, and a case that drops out of the laws, shows in its diff. The laws measure what is
// claimed; this is what sees that it still is.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <new>
#include <string>
#include <vector>

#include "simulation/allocations.hpp"
#include "simulation/law_cases.hpp"

namespace hamel {
namespace {

const char* const path = HAMEL_GOLDEN_DIR "/claims.txt";

/// `SYSTEM METHOD: order 2, time-symmetric, …; keeps a, b`
std::string line_of(const LawCase& c) {
  const std::string name = c.system + (c.n > 0 ? " n=" + std::to_string(c.n) : "") + " " + c.method;
  if (c.refused) return name + ": refused";
  return name + ": " +
         text_of(
             problem_of(law_registry().system(c.system), c.n)->claims(MethodSpec::parse(c.method)));
}

std::vector<std::string> lines_of_the_catalogue() {
  std::vector<std::string> lines;
  for (const LawCase& c : all_law_cases()) lines.push_back(line_of(c));
  std::ranges::sort(lines);
  return lines;
}

TEST(ClaimsOfTheCatalogue, AreThoseOfTheFile) {
  const std::vector<std::string> lines = lines_of_the_catalogue();
  EXPECT_EQ(std::ranges::adjacent_find(lines), lines.end()) << "a case stands there twice";
  if (std::getenv("HAMEL_UPDATE_CLAIMS") != nullptr) {
    std::ofstream out(path);
    for (const std::string& line : lines) out << line << "\n";
    ASSERT_TRUE(out.good()) << path;
    GTEST_SKIP() << "written: " << path;
  }
  std::vector<std::string> expected;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) expected.push_back(line);
  std::vector<std::string> gone, come;
  std::ranges::set_difference(expected, lines, std::back_inserter(gone));
  std::ranges::set_difference(lines, expected, std::back_inserter(come));
  for (const std::string& line : gone) ADD_FAILURE() << "- " << line;
  for (const std::string& line : come) ADD_FAILURE() << "+ " << line;
  EXPECT_EQ(lines.size(), expected.size());
  EXPECT_TRUE(gone.empty() && come.empty())
      << "if that is meant: HAMEL_UPDATE_CLAIMS=1 simulation_tests "
         "--gtest_filter=ClaimsOfTheCatalogue.*, and look at the diff of tests/golden/claims.txt";
}

struct alignas(64) Wide {
  double numbers[8];
};

// What Laws.StepsDoNotAllocate rests on.
TEST(Allocations, AreSeenHoweverTheyAreMade) {
  if (!allocations_are_counted()) GTEST_SKIP() << "the sanitizers have an allocator of their own";
  const auto made = [](const auto& make) {
    const std::size_t before = allocations();
    make();
    return allocations() - before;
  };
  // NOLINTBEGIN(cppcoreguidelines-no-malloc, cppcoreguidelines-owning-memory)
  // NOLINTBEGIN(bugprone-suspicious-realloc-usage)
  void* volatile memory = nullptr;  // nothing of it is to be optimised away
  Wide* volatile wide = nullptr;
  int* volatile number = nullptr;
  EXPECT_EQ(made([&] { memory = std::malloc(8); }), 1U);
  EXPECT_EQ(made([&] { memory = std::realloc(memory, 100000); }), 1U);
  std::free(memory);
  EXPECT_EQ(made([&] { memory = std::calloc(3, 8); }), 1U);
  std::free(memory);
  EXPECT_EQ(made([&] { memory = std::aligned_alloc(64, 64); }), 1U);
  std::free(memory);
  void* aligned = nullptr;
  EXPECT_EQ(made([&] { EXPECT_EQ(posix_memalign(&aligned, 64, 64), 0); }), 1U);
  std::free(aligned);
  EXPECT_EQ(made([&] { wide = new Wide; }), 1U);
  delete wide;
  EXPECT_EQ(made([&] { number = new int; }), 1U);
  delete number;
  EXPECT_EQ(made([&] { std::vector<Wide> list(3); }), 1U);
  EXPECT_EQ(made([] {}), 0U);
  // NOLINTEND(bugprone-suspicious-realloc-usage)
  // NOLINTEND(cppcoreguidelines-no-malloc, cppcoreguidelines-owning-memory)
}

}  // namespace
}  // namespace hamel
