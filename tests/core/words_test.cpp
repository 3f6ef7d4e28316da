// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/core/words.hpp"

#include <gtest/gtest.h>

namespace hamel {
namespace {

using Words = std::vector<std::string>;

TEST(Words, TyposAreFoundAndNothingElse) {
  EXPECT_EQ(nearest_word("masss", {"mass", "length", "gravity"}), "mass");
  EXPECT_EQ(nearest_word("gravitas", {"mass", "length", "gravity"}), "gravity");
  EXPECT_EQ(nearest_word("xyz", {"mass", "length", "gravity"}), "");
  EXPECT_EQ(nearest_word("", {"mass"}), "");
}

TEST(Words, BeginningsAndPartsAreFound) {
  const Words systems = {"chaplygin_ball", "chaplygin_sleigh", "chain_pendulum", "double_pendulum"};
  EXPECT_EQ(near_words("chaplygin", systems), (Words{"chaplygin_ball", "chaplygin_sleigh"}));
  EXPECT_EQ(near_words("pendulum", systems), (Words{"chain_pendulum", "double_pendulum"}));
  EXPECT_EQ(near_words("q", {"quiet", "json"}), Words{"quiet"});
  EXPECT_EQ(near_words("ul", systems), Words{});  // two letters are in too many words
}

TEST(Words, ASlipComesBeforeABeginning) {
  EXPECT_EQ(near_words("method", {"methods", "method_list"}), Words{"methods"});
  EXPECT_EQ(near_words("x", {"y", "z"}), Words{});  // one letter is no slip of another
}

TEST(Words, CaseDoesNotCount) {
  EXPECT_EQ(near_words("GAUSS", {"gauss", "rk4"}), Words{"gauss"});
  EXPECT_EQ(near_words("gamma", {"Gamma", "Omega"}), Words{"Gamma"});
}

TEST(Words, NoMoreThanAFew) {
  Words many;
  for (int i = 0; i < 9; ++i) many.push_back("system" + std::to_string(i));
  EXPECT_EQ(near_words("system", many).size(), 4U);
}

TEST(Words, AreShownAsASentence) {
  EXPECT_EQ(did_you_mean("gaus", {"gauss", "rk4"}), "; did you mean 'gauss'?");
  EXPECT_EQ(did_you_mean("sys", {"sys_a", "sys_b", "sys_c"}),
            "; did you mean 'sys_a', 'sys_b' or 'sys_c'?");
  EXPECT_EQ(did_you_mean("xyz", {"gauss"}), "");
  EXPECT_EQ(list_of_words({"aa", "bb", "cc"}), "aa, bb, cc");
  EXPECT_EQ(list_of_words({"aa", "bb", "cc"}, 5), "aa, bb, …");
}

}  // namespace
}  // namespace hamel
