// SPDX-License-Identifier: BSD-3-Clause
// What counts as a quadratic invariant: the same for every size, and nothing that a kink hides.
#include <gtest/gtest.h>

#include <algorithm>

#include "hamel/methods/frames/hamel.hpp"
#include "hamel/models/frame_text.hpp"
#include "hamel/runs/frame_problem.hpp"
#include "hamel/systems/n_sphere_pendulum.hpp"

namespace hamel {
namespace {

std::vector<std::string> found(const FrameModel& model, const FrameInitial& at) {
  return quadratic_invariants(model, frame_equations(model).momentum, at);
}

// |q|² is kept on every sphere; its rate is a sum whose terms cancel.
TEST(QuadraticInvariants, AreTheSameForEverySize) {
  for (int n = 2; n <= 9; ++n) {
    NSpherePendulum system;
    system.n = n;
    const FrameModel model = frame_model(system);
    const InitialValues start = system.start();
    const auto kept = found(model, {start.values.at("q"), start.values.at("xi")});
    for (const char* name : {"energy", "length"})
      EXPECT_NE(std::ranges::find(kept, name), kept.end()) << n << " " << name;
  }
}

using Named = std::vector<std::pair<std::string, std::string>>;

std::vector<std::string> of_text(const std::string& lagrangian, const Named& invariants,
                                 const std::vector<double>& q) {
  FrameText text;
  text.coordinates = {"x", "y"};
  text.lagrangian = {"lagrangian", lagrangian};
  for (const auto& [name, formula] : invariants)
    text.invariants.push_back({name, {"invariants", formula}});
  std::vector<TextProblem> problems;
  const FrameModel model = frame_model(text, problems);
  EXPECT_TRUE(problems.empty());
  return found(model, {q, {0.3, 0.5}});
}

using List = std::vector<std::string>;

TEST(QuadraticInvariants, NotWhatChangesNorWhatIsNotQuadratic) {
  const std::string plane = "(x_dot^2 + y_dot^2)/2 - (x^2 + y^2)/2";
  EXPECT_EQ(of_text(plane,
                    {{"J", "x*p2 - y*p1"},
                     {"half", "(p1^2 + x^2)/2"},
                     {"position", "x"},
                     {"kinetic", "(p1^2 + p2^2)/2"},
                     {"almost", "x*p2 - 1.000001*y*p1"},
                     {"square", "(x*p2 - y*p1)^2"}},
                    {1.0, 0.2}),
            (List{"energy", "J", "half"}));
}

// On one side of a kink the energy is quadratic; what no kink enters stays.
TEST(QuadraticInvariants, KinksAreSeenFromBothSides) {
  const Named momenta = {{"px", "p1"}, {"py", "p2"}, {"size", "abs(p2)"}};
  for (const char* potential : {"abs(x)", "max(x, 0)", "min(3*x, x)", "max(x, 0)*0.5 + min(x, 2)"})
    for (const double x : {1.0, -1.0})
      EXPECT_EQ(of_text("(x_dot^2 + y_dot^2)/2 - " + std::string(potential), momenta, {x, 0.0}),
                List{"py"})
          << potential << " " << x;
}

}  // namespace
}  // namespace hamel
