// SPDX-License-Identifier: BSD-3-Clause
// The gearbox against Newton's equations; its reversal, and what is lost with it.
#include "hamel/systems/cvt_gearbox.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "reference.hpp"

namespace hamel {
namespace {

/// The pendulum turns over unless xi1 is small.
io::Scenario gearbox(double asymmetry, const std::vector<double>& q = {1.0, 0.0, 0.0},
                     const std::vector<double>& xi = {2.5, 0.5}) {
  return scenario_of("cvt_gearbox", fmt::format("asymmetry = {:.17g}\n[initial]\n"
                                                "q = [{:.17g}, {:.17g}, {:.17g}]\n"
                                                "xi = [{:.17g}, {:.17g}]\n",
                                                asymmetry, q[0], q[1], q[2], xi[0], xi[1]));
}

// ẍ = −kx + λ, ÿ = −ky − λ sinθ, θ̈ = −W'; λ from ẍ = cosθ θ̇ẏ + sinθ ÿ.
TEST(CvtGearbox, MovesByNewtonsEquationsWithAMultiplier) {
  using State = std::array<long double, 6>;  // x, y, θ and their velocities
  const long double epsilon = 0.3L;
  const auto rate = [&](long double, const State& s) -> State {
    const auto [x, y, theta, vx, vy, w] = s;
    const long double f = std::sin(theta);
    const long double multiplier = (x - y * f + std::cos(theta) * w * vy) / (1 + f * f);
    return {vx, vy, w, -x + multiplier, -y - multiplier * f, -f - epsilon * std::cos(2 * theta)};
  };
  const State s = by_rk4(State{1.0L, 0.0L, 0.0L, 0.0L, 0.5L, 2.5L}, 8.0L, 40000, rate);
  const EndPoint end = run_to(gearbox(0.3), "gauss", 8.0, 80);
  ASSERT_EQ(end.status, Status::ok);
  EXPECT_LE(difference(end.q, {s[0], s[1], s[2]}), 1e-12);
  EXPECT_LE(difference(end.velocity, {s[5], s[4]}), 1e-12);
  EXPECT_LE(std::fabs(static_cast<double>(s[3] - std::sin(s[2]) * s[4])), 1e-12);
}

// (x, y, θ; θ̇, ẏ) → (−x, y, −θ; θ̇, −ẏ) and the same time again: back at the start's image.
TEST(CvtGearbox, ItIsReversibleInItsSenseOfTurningOnlyWhereThePendulumIsSymmetric) {
  const auto defect = [](double asymmetry) {
    const EndPoint there = run_to(gearbox(asymmetry), "gauss", 6.0, 120);
    const auto at = [](Quad value) { return static_cast<double>(value); };
    const io::Scenario mirrored =
        gearbox(asymmetry, {-at(there.q[0]), at(there.q[1]), -at(there.q[2])},
                {at(there.velocity[0]), -at(there.velocity[1])});
    const EndPoint back = run_to(mirrored, "gauss", 6.0, 120);
    return std::max(difference(back.q, {-1, 0, 0}), difference(back.velocity, {2.5, -0.5}));
  };
  EXPECT_LE(defect(0.0), 1e-12);
  EXPECT_GE(defect(0.3), 0.1);
}

double lost(double asymmetry, const char* method, const char* what) {
  const auto [status, found] = drifts(gearbox(asymmetry), method, 20000);
  EXPECT_EQ(status, Status::ok) << method;
  return found.at(what).initial - found.at(what).final;
}

TEST(CvtGearbox, SymmetricItHasNoDrift) {
  for (const char* method : {"hamel", "dla", "dla(constraint=average)"})
    EXPECT_LE(std::fabs(lost(0.0, method, "driven_energy")), 4e-3) << method;
  EXPECT_LE(
      std::fabs(lost(0.0, "hamel(frame=kinetic,potential=discrete-gradient)", "driver_energy")),
      2e-4);
}

// Asymmetric, the shafts lose energy: DLA five times as fast as Hamel. In the kinetic frame the
// energy of the shafts is exact whatever the pendulum does; the discrete gradient keeps the sum and
// moves energy from the pendulum to the shafts.
TEST(CvtGearbox, AsymmetricItDriftsButInTheKineticFrame) {
  EXPECT_NEAR(lost(0.3, "hamel", "driven_energy"), 0.027, 0.003);
  EXPECT_NEAR(lost(0.3, "dla", "driven_energy"), 0.148, 0.004);
  EXPECT_LE(std::fabs(lost(0.3, "hamel(frame=kinetic)", "driven_energy")), 1e-12);
  const char* gradient = "hamel(frame=kinetic,potential=discrete-gradient)";
  EXPECT_LE(std::fabs(lost(0.3, gradient, "energy")), 1e-9);  // θ grows, and its round-off
  EXPECT_NEAR(lost(0.3, gradient, "driver_energy"), 0.123, 0.004);
}

}  // namespace
}  // namespace hamel
