// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/scenario/scenario.hpp"

#include <gtest/gtest.h>

#include "hamel/core/error.hpp"

namespace hamel::io {
namespace {

const Registry& registry() {
  static const Registry all = builtin_registry();
  return all;
}

const std::string base = R"([system]
name = "spherical_pendulum"
mass = 2.0
[initial]
q = [1.0, 0.0, 0.0]
omega = [0.0, 0.5, 0.1]
[integrate]
method = "hamel"
step = 0.1
steps = 50
)";

Scenario parse(const std::string& text, const Overrides& overrides = {}) {
  return parse_scenario(text, "test.toml", overrides, registry());
}

/// All problems of a text, one per line.
std::string problems(const std::string& text, const Overrides& overrides = {}) {
  try {
    parse(text, overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string with(const std::string& from, const std::string& to) {
  std::string text = base;
  text.replace(text.find(from), from.size(), to);
  return text;
}

TEST(Scenario, ReadsWhatItIsGiven) {
  const Scenario s = parse(base);
  EXPECT_EQ(s.system->name, "spherical_pendulum");
  EXPECT_EQ(s.parameters.numbers.at("mass"), 2.0);
  EXPECT_EQ(s.parameters.numbers.at("length"), 9.8);
  EXPECT_EQ(s.steps, 50);
  EXPECT_EQ(s.method.text, "hamel");
  EXPECT_TRUE(s.notes.empty());
}

TEST(Scenario, RoundTripsThroughItsOwnText) {
  Scenario s = parse(base);
  s.integration.step = 1.0 / 3.0;
  const Scenario again = parse(s.to_toml(s.method));
  EXPECT_EQ(again.to_toml(again.method), s.to_toml(s.method));
  EXPECT_EQ(again.integration.step, 1.0 / 3.0);
}

TEST(Scenario, StartFilesOfAllSystemsAreValid) {
  for (const auto& system : registry().systems())
    EXPECT_EQ(problems(scenario_template(system)), "") << system.name;
}

TEST(Scenario, UnknownKeysNameTheNearestWithLineAndColumn) {
  const std::string text = problems(with("mass = 2.0", "masss = 2.0"));
  EXPECT_NE(text.find("test.toml:3:"), std::string::npos) << text;
  EXPECT_NE(text.find("system.mass?"), std::string::npos) << text;
  EXPECT_NE(problems(with("[integrate]", "[integrat]")).find("integrate"), std::string::npos);
}

TEST(Scenario, ReportsAllProblemsAtOnce) {
  const std::string text = problems(
      "[system]\nname = \"spherical_pendulum\"\nmass = -1\nlength = \"long\"\ngravity = nan\n"
      "[integrate]\nstep = 0\nsteps = -5\nmethod = 7\n[output]\nevery = 0.5\n");
  for (const char* key : {"mass", "length", "gravity", "step", "steps", "method", "every"})
    EXPECT_NE(text.find(key), std::string::npos) << key << " missing in\n" << text;
}

TEST(Scenario, RangesTypesAndSizesAreChecked) {
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"mass = 2.0", "mass = 0"},
           {"mass = 2.0", "mass = inf"},
           {"mass = 2.0", "mass = \"two\""},
           {"mass = 2.0", "mass = [1.0]"},
           {"mass = 2.0", "mass = 1979-05-27"},
           {"q = [1.0, 0.0, 0.0]", "q = [1.0, 0.0]"},
           {"q = [1.0, 0.0, 0.0]", "q = [1.0, 0.0, nan]"},
           {"q = [1.0, 0.0, 0.0]", "q = [1.0, 0.0, \"x\"]"},
           {"q = [1.0, 0.0, 0.0]", "q = 1.0"},
           {"q = [1.0, 0.0, 0.0]", "q = [2.0, 0.0, 0.0]"},
           {"q = [1.0, 0.0, 0.0]", "Gamma = [1.0, 0.0, 0.0]"},
           {"omega = [0.0, 0.5, 0.1]", "omega = [0.5, 0.5, 0.1]"},
           {"step = 0.1", "step = -0.1"},
           {"step = 0.1", "step = nan"},
           {"steps = 50", "steps = 0"},
           {"steps = 50", "steps = 2.5"},
           {"steps = 50", "steps = 1e30"},
           {"steps = 50", "steps = 50\nuntil = 3.0"},
           {"steps = 50", "steps = 50\ntolerance = -1.0"},
           {"method = \"hamel\"", "method = \"rungekutta99\""},
           {"method = \"hamel\"", "method = \"hamel(form=body)\""},
           {"method = \"hamel\"", "methods = []"},
           {"name = \"spherical_pendulum\"", "name = \"spherical_pendulumm\""},
           {"name = \"spherical_pendulum\"", ""}})
    EXPECT_NE(problems(with(from, to)), "") << to;
}

TEST(Scenario, OneSphereMayBeNested) {
  EXPECT_EQ(problems(with("q = [1.0, 0.0, 0.0]", "q = [[1.0, 0.0, 0.0]]")), "");
}

TEST(Scenario, UntilBecomesSteps) {
  EXPECT_EQ(parse(with("steps = 50", "until = 7.0")).steps, 70);
  const Scenario odd = parse(with("steps = 50", "until = 7.05"));
  EXPECT_EQ(odd.steps, 71);
  EXPECT_EQ(odd.notes.size(), 1U);
}

TEST(Scenario, OverridesReplaceAndCreate) {
  Overrides o;
  o.set = {"system.length=3", "output.every=7", "integrate.compensated=true"};
  o.until = "2.0";
  o.method = "gauss(stages=3)";
  const Scenario s = parse(base, o);
  EXPECT_EQ(s.parameters.numbers.at("length"), 3.0);
  EXPECT_EQ(s.every, 7);
  EXPECT_TRUE(s.integration.compensated);
  EXPECT_EQ(s.steps, 20);
  EXPECT_EQ(s.method.text, "gauss(stages=3)");
  Overrides bad;
  bad.set = {"system.mass=-1"};
  EXPECT_NE(problems(base, bad).find("--set system.mass=-1"), std::string::npos);
  bad.set = {"system.mass=two"};
  EXPECT_NE(problems(base, bad).find("quotes"), std::string::npos);
  bad.set = {"nonsense"};
  EXPECT_NE(problems(base, bad).find("KEY=VALUE"), std::string::npos);
}

TEST(Scenario, HostileTextIsRefusedBeforeParsing) {
  EXPECT_NE(problems("[system\nname="), "");
  EXPECT_NE(problems(""), "");
  EXPECT_NE(problems(std::string("\0\1", 2)).find("NUL"), std::string::npos);
  EXPECT_NE(problems("\xEF\xBB\xBB"), "");
  EXPECT_NE(problems("\xEF\xBB\xBBX = 1"), "");
  EXPECT_NE(problems("a = \"\xFF\"").find("UTF-8"), std::string::npos);
  EXPECT_NE(problems("a = \"\xC0\x80\"").find("UTF-8"), std::string::npos);
  EXPECT_NE(problems("a = " + std::string(2000, '[')).find("nested"), std::string::npos);
  EXPECT_NE(problems(std::string((1U << 20U) + 1, '#')).find("1 MiB"), std::string::npos);
  EXPECT_NE(problems("[\n"), "");
}

TEST(Scenario, OnlyTextsAndCommentsHaveOtherLettersThanAscii) {
  // toml++ looks them up in a table of blanks that has no answer.
  const std::string refusal = "not ASCII";
  for (const char* text : {"Ω = 1",
                           "a = é",
                           "a = 1 é",
                           "a = [é]",
                           "[é]",
                           "a = { é = 1 }",
                           "a = \"x\" ﻻ",
                           "#\nﻻ",
                           "a = \"\"\"\"\"\"é",
                           "a = \"\"\"\\\n é\"\"\"",
                           "a = \"\"\"\\ é\"\"\"",
                           "a = \"\\é\"",
                           "a = '''\n''' é",
                           "a = 'x\né'",
                           "a = \"x\né\"",
                           "a = 07:32\"é\"",
                           "a = +'é'",
                           "a = 1.\"é\"",
                           "a = [0b.c=\"é\"]",
                           "a = 0[\"é\"",
                           "a = { b = 0=\"é\" }",
                           "a = 1 \"é\"",
                           "a = 2000-01-01 'é'",
                           "a = [1\n\"é\"]",
                           "a = \"x\"'é'"})
    EXPECT_NE(problems(text).find(refusal), std::string::npos) << text;
  for (const char* text :
       {"# Ω", "a = \"é\"", "a = 'é'", "a = \"\"\"\"é\"\"é\"\"\"\"\"", "a = '''\né''' # é",
        "\"é\" = 1", "a = \"\\\"é\"", "a = 'x\\' # é", "a = \"\"\"\\\n x é\"\"\"", "a=\"é\"",
        "a=[\"é\",'é']", "a = {b=\"é\",\"é\" = 'é'}", "a = [ # é\n\"é\", # é\n]", "b.\"é\".c = 1"})
    EXPECT_EQ(problems(text).find(refusal), std::string::npos) << text;
  EXPECT_EQ(problems("\xEF\xBB\xBF# größer\n" + base), "");
}

TEST(Scenario, HeadersNeedAName) {
  for (const char* text : {"[\n", "[ \t\n]", "[[\n", "[.a]", "[=]", "  [ # \n"})
    EXPECT_NE(problems(text).find("header without a name"), std::string::npos) << text;
  EXPECT_EQ(problems("a = [\n[\n1]]\n").find("header"), std::string::npos);
}

TEST(Scenario, BracketsInTextsDoNotCloseOthers) {
  std::string text = "a = ";
  for (int i = 0; i < 40; ++i) text += "[\"]\", ";
  EXPECT_NE(problems(text).find("nested"), std::string::npos);
  EXPECT_EQ(problems("a = \"" + std::string(40, '[') + "\"\n").find("nested"), std::string::npos);
}

TEST(Scenario, SyntaxErrorsCarryLineAndColumn) {
  EXPECT_NE(problems("[system]\nname = = 3\n").find("test.toml:2:"), std::string::npos);
}

TEST(Shortest, ReadsBackAsTheSameNumber) {
  for (const double x : {0.1, 1.0 / 3.0, 1e300, -2.5e-17, 3.0})
    EXPECT_EQ(std::stod(shortest(x)), x);
  EXPECT_EQ(shortest(3.0), "3.0");
}

}  // namespace
}  // namespace hamel::io
