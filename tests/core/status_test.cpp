// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/core/status.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace hamel {
namespace {

TEST(Status, EveryFailureHasAWordAndAMeaning) {
  std::set<std::string> words;
  std::set<std::string> sentences;
  for (const Status status :
       {Status::no_convergence, Status::no_solution, Status::singular, Status::not_finite}) {
    words.insert(to_string(status));
    sentences.insert(meaning(status));
  }
  EXPECT_EQ(words.size(), 4U);
  EXPECT_EQ(sentences.size(), 4U);
  EXPECT_FALSE(sentences.contains(""));
  for (const Status status : {Status::ok, Status::interrupted, Status::invalid})
    EXPECT_STREQ(meaning(status), "");
}

}  // namespace
}  // namespace hamel
