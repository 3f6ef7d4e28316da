// SPDX-License-Identifier: BSD-3-Clause
// Lynch and Zenkov's example: relative equilibria and their stability, values measured elsewhere.
#include "hamel/systems/lynch_zenkov.hpp"

#include <cmath>

#include "catalogue.hpp"
#include "hamel/methods/frames/dla.hpp"
#include "hamel/methods/frames/hamel.hpp"
#include "hamel/models/frame_system.hpp"

namespace hamel {
namespace {

// [MATH 10]: example A at T = 600.
TEST(LynchZenkov, HamelReachesTheRelativeEquilibrium) {
  const io::Scenario s = scenario_of("lynch_zenkov", "[integrate]\nstep = 0.2\n");
  const auto at_600 = [&](const char* method) { return run_to(s, method, 600.0, 3000); };
  const EndPoint end = at_600("hamel");
  ASSERT_EQ(end.status, Status::ok);
  const auto r = static_cast<double>(end.q[0]);
  const auto w = static_cast<double>(end.velocity[1]);
  EXPECT_NEAR(r, 0.0943078643050, 1e-12);
  EXPECT_NEAR(4 * r + 0.5, (0.5 + 2 * r) * w * w, 1e-13);  // U' = a b w²
  const EndPoint kinetic = at_600("hamel(frame=kinetic)");
  ASSERT_EQ(kinetic.status, Status::ok);
  EXPECT_NEAR(static_cast<double>(kinetic.q[0]), 0.094335959964, 1e-11);
  // DLA has no relative equilibria: its energy has grown by 4.3. By symmetry g may start at −300,
  // so that s does not overflow.
  const io::Scenario low = scenario_of("lynch_zenkov",
                                       "[initial]\nq = [0.2, -300.0, 0.0]\nxi = [0.1, 0.9]\n"
                                       "[integrate]\nstep = 0.2\n");
  const auto [status, invariants] = drifts(low, "dla", 3000);
  ASSERT_EQ(status, Status::ok);
  const InvariantDrift& energy = invariants.at("energy");
  EXPECT_NEAR(energy.final - energy.initial, 4.3, 0.1);
}

/// Largest |multiplier| of the step in (r, p1, p2) at the relative equilibrium r = 0, ξ = (0, w) of
/// example B, by central differences in Quad; one multiplier is 1.
template <class Method>
double multiplier(const Method& method, double w) {
  const FrameModel model = frame_model(LynchZenkov{"1", "0.99*r", "6*r^2"});
  const auto stepper = method.template stepper<Quad>(model, {});
  StepperState<Quad> at;
  EXPECT_TRUE(stepper->start({0, 0, 0}, {0, Quad(w)}, Quad(0.2), at));
  const std::size_t part[] = {0, 3, 4};
  Quad J[3][3];
  const Quad d = 1e-10;
  for (int k = 0; k < 3; ++k) {
    StepperState<Quad> up = at;
    StepperState<Quad> down = at;
    up.z[part[k]] += d;
    down.z[part[k]] -= d;
    EXPECT_FALSE(stepper->step(up, 0, Quad(0.2)).failed());
    EXPECT_FALSE(stepper->step(down, 0, Quad(0.2)).failed());
    for (int i = 0; i < 3; ++i) J[i][k] = (up.z[part[i]] - down.z[part[i]]) / (2 * d);
  }
  // at r = 0 the map of p2 decouples: J = [[A, *], [0, 1]] to first order
  const Quad determinant = J[0][0] * J[1][1] - J[0][1] * J[1][0];
  const Quad trace = J[0][0] + J[1][1];
  EXPECT_LT(trace * trace, 4 * determinant);  // a complex pair
  return static_cast<double>(sqrt(determinant));
}

// [MATH 10]: example B. Hamel keeps the stability type (exact Cayley images), DLA turns it round.
TEST(LynchZenkov, StabilityOfTheRelativeEquilibria) {
  EXPECT_NEAR(multiplier(FrameHamel{}, -3.0), 0.9985239118, 1e-10);
  EXPECT_NEAR(multiplier(FrameHamel{}, 3.0), 1.00147827, 1e-8);
  EXPECT_NEAR(multiplier(FrameDla{}, -3.0), 1.00286944, 1e-8);
  EXPECT_NEAR(multiplier(FrameDla{}, 3.0), 0.99713877, 1e-8);
}

}  // namespace
}  // namespace hamel
