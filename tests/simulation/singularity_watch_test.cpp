// SPDX-License-Identifier: BSD-3-Clause
// A frame that turns is told from one that becomes singular, however far it has turned between two
// looks.
#include "runs/singularity_watch.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numbers>

#include "hamel/models/frame_text.hpp"

namespace hamel {
namespace {

using Change = SingularityWatch::Change;

/// Two fields in three coordinates: one along (c, s) of the plane, and the turn.
FrameModel edge(const std::string& c, const std::string& s) {
  FrameText text;
  text.coordinates = {"x", "y", "phi"};
  text.lagrangian = {"lagrangian", "(x_dot^2 + y_dot^2 + phi_dot^2)/2"};
  text.frame = {{{"frame", c}, {"frame", s}, {"frame", "0"}},
                {{"frame", "0"}, {"frame", "0"}, {"frame", "1"}}};
  std::vector<TextProblem> problems;
  FrameModel model = frame_model(text, problems);
  EXPECT_TRUE(problems.empty()) << (problems.empty() ? "" : problems.front().text);
  return model;
}

Change between(const FrameModel& model, std::array<double, 3> a, std::array<double, 3> b) {
  const FrameEquations e = frame_equations(model);
  SingularityWatch watch(model, e);
  const double xi[2] = {0.3, 0.5};
  watch.start(a.data(), xi, 0.0);
  return watch(b.data(), xi, 0.1);
}

// Up to many turns: in 2^10 halves a turn of a thousand radians is one of less than 60°.
TEST(SingularityWatch, AFrameMayTurnAsFarAsItLikes) {
  const FrameModel model = edge("cos(phi)", "sin(phi)");
  for (const double degrees : {1.0, 59.0, 61.0, 89.0, 91.0, 120.0, 179.0, 181.0, 270.0, 350.0,
                               1000.0, -100.0, -200.0, 20000.0}) {
    const double by = degrees * std::numbers::pi / 180.0;
    EXPECT_EQ(between(model, {0.0, 0.0, 0.2}, {1.0, 2.0, 0.2 + by}), Change::none) << degrees;
  }
}

// A field that vanishes on the way and comes back the other way round, whether it turns besides or
// not. (Where the turn hides it, nearly 180°, one look is not enough.)
TEST(SingularityWatch, AFieldThatVanishesOnTheWayIsSeen) {
  const FrameModel model = edge("x*cos(phi)", "x*sin(phi)");
  for (const double degrees : {0.0, 10.0, 59.0, 80.0, 100.0, -110.0}) {
    const double by = degrees * std::numbers::pi / 180.0;
    EXPECT_EQ(between(model, {1.0, 0.0, 0.2}, {-0.7, 0.0, 0.2 + by}), Change::frame) << degrees;
    EXPECT_EQ(between(model, {1.0, 0.0, 0.2}, {0.1, 0.0, 0.2 + by}), Change::none) << degrees;
  }
}

}  // namespace
}  // namespace hamel
