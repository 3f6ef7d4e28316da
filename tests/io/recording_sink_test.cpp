// SPDX-License-Identifier: BSD-3-Clause
// What a recording says of the run it holds.
#include "hamel/recording/recording_sink.hpp"

#include <gtest/gtest.h>

#include "hamel/recording/recording.hpp"
#include "recording_support.hpp"
#include "text_system_support.hpp"

namespace hamel::io::testing {
namespace {

/// The attributes of a recording of the scenario that has its start only.
Attributes attributes_of(const std::string& text) {
  const Scratch scratch;
  const Scenario scenario = parsed(text);
  const auto simulation = scenario.problem->simulate(scenario.method, scenario.integration);
  {
    RecordingSink sink(scratch / "a.h5", false, scenario, scenario.method, *simulation);
    sink.checkpoint(*simulation, 0.0);
    sink.settle();
  }
  return RecordingReader(scratch / "a.h5").attributes();
}

// Figures and exports draw links by them: one number where all are equal, else every one.
TEST(RecordingSink, TellsTheLengthsOfAllLinks) {
  const auto lengths = [](const std::string& list) {
    return attributes_of("[system]\nname = \"chain_pendulum\"\nlengths = " + list +
                         "\nmasses = " + list + "\n[integrate]\nstep = 0.01\n")["link_lengths"];
  };
  EXPECT_EQ(lengths("[0.5]"), "0.5");
  EXPECT_EQ(lengths("[0.5, 0.5, 0.5]"), "0.5");
  EXPECT_EQ(lengths("[0.5, 0.25, 0.5]"), "0.5,0.25,0.5");
  EXPECT_EQ(lengths("[0.5, 0.5, 0.25]"), "0.5,0.5,0.25");
  EXPECT_EQ(lengths("[0.25, 0.5, 0.5, 0.25]"), "0.25,0.5,0.5,0.25");
}

TEST(RecordingSink, TellsWhatItIsOf) {
  Attributes of = attributes_of(
      "[system]\nname = \"chaplygin_sleigh\"\n[integrate]\nmethod = \"dla(alpha=0)\"\nstep = "
      "0.01\n");
  EXPECT_EQ(of["system"], "chaplygin_sleigh");
  EXPECT_EQ(of["method"], "dla(alpha=0)");
  EXPECT_EQ(of["units"], "SI");
  EXPECT_EQ(of["coordinates"], "x,y,theta");
  EXPECT_FALSE(of.contains("link_lengths"));
  EXPECT_FALSE(of.contains("finished"));
  // What it says is enough to begin again.
  const Scenario again = parsed(of["scenario"]);
  EXPECT_EQ(again.to_toml(again.method), of["scenario"]);
  EXPECT_EQ(again.method.text, "dla(alpha=0)");
}

}  // namespace
}  // namespace hamel::io::testing
