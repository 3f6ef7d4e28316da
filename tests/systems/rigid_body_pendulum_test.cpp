// SPDX-License-Identifier: BSD-3-Clause
// The rigid body pendulum: Euler angles, the reduced body, Staude's rotations.
#include "hamel/systems/rigid_body_pendulum.hpp"

#include <cmath>

#include "catalogue.hpp"

namespace hamel {
namespace {

/// R_z(φ)R_x(θ)R_z(ψ) by rows.
std::vector<Quad> from_angles(Quad phi, Quad theta, Quad psi) {
  const Quad c = cos(phi);
  const Quad s = sin(phi);
  const Quad C = cos(theta);
  const Quad S = sin(theta);
  const Quad d = cos(psi);
  const Quad e = sin(psi);
  return {c * d - s * C * e,
          -c * e - s * C * d,
          s * S,
          s * d + c * C * e,
          c * C * d - s * e,
          -c * S,
          S * e,
          S * d,
          C};
}

// The same body as text in Euler angles, started where R is a permutation: φ = π/2, θ = π/2, ψ = 0.
TEST(RigidBodyPendulum, AgreesWithEulerAngles) {
  const io::Scenario angles = io::parse_scenario(
      R"toml([system]
coordinates = ["phi", "theta", "psi"]
lagrangian = "(1.0*a^2 + 1.4*b^2 + 0.6*c^2)/2 + 0.1*a*b + 0.2*a*c - 0.1*b*c - (0.3*sin(theta)*sin(psi) - 0.2*sin(theta)*cos(psi) + cos(theta))"
[system.let]
a = "phi_dot*sin(theta)*sin(psi) + theta_dot*cos(psi)"
b = "phi_dot*sin(theta)*cos(psi) - theta_dot*sin(psi)"
c = "phi_dot*cos(theta) + psi_dot"
[initial]
q = [1.5707963267948966, 1.5707963267948966, 0.0]
v = [0.2, 0.3, 0.5]
[integrate]
step = 0.01
)toml",
      "angles", {}, catalogue());
  const io::Scenario s = scenario_of("rigid_body_pendulum",
                                     "chi1 = 0.3\nchi2 = -0.2\n[initial]\n"
                                     "q = [0, 0, 1, 1, 0, 0, 0, 1, 0]\nxi = [0.3, 0.2, 0.5]\n");
  const EndPoint expected = run_to(angles, "gauss", 3.0, 300);
  const EndPoint end = run_to(s, "gauss", 3.0, 60);
  ASSERT_EQ(expected.status, Status::ok);
  ASSERT_EQ(end.status, Status::ok);
  EXPECT_LE(difference(end.q, from_angles(expected.q[0], expected.q[1], expected.q[2])), 1e-12);
}

// Its last row is the vertical seen from the body: the discrete steps are the same, too.
TEST(RigidBodyPendulum, LooksLikeTheHeavyTopFromWithin) {
  const std::string xi = "xi = [0.3, 0.2, 1.5]\n";
  const io::Scenario full = scenario_of(
      "rigid_body_pendulum",
      "J11 = 1.0\nJ22 = 1.5\nJ33 = 2.0\nJ12 = 0\nJ13 = 0\nJ23 = 0\nchi1 = 0.2\n[initial]\n"
      "q = [0, 0, 1, 1, 0, 0, 0, 1, 0]\n" +
          xi);
  const io::Scenario reduced = scenario_of("heavy_top", "[initial]\nq = [0, 1, 0]\n" + xi);
  const EndPoint a = run_to(full, "hamel", 20.0, 200);
  const EndPoint b = run_to(reduced, "hamel", 20.0, 200);
  ASSERT_EQ(a.status, Status::ok);
  EXPECT_LE(difference({a.q[6], a.q[7], a.q[8]}, b.q), 1e-12);
  EXPECT_LE(difference(a.velocity, b.velocity), 1e-12);
}

// A steady rotation about the vertical (Staude): ξ = ΩΓ, Ω²(J3 − J1)Γ3 = w for Γ2 = 0, χ = e3; here
// Ω = 1. Hamel keeps it and turns the body by Cayley's angle.
TEST(RigidBodyPendulum, HamelKeepsStaudesRotations) {
  const io::Scenario s =
      scenario_of("rigid_body_pendulum",
                  "J11 = 1.0\nJ22 = 2.0\nJ33 = 2.25\nJ12 = 0\nJ13 = 0\nJ23 = 0\n[initial]\n"
                  "q = [0.8, 0, -0.6, 0, 1, 0, 0.6, 0, 0.8]\nxi = [0.6, 0, 0.8]\n");
  const EndPoint end = run_to(s, "hamel", 10.0, 50);
  ASSERT_EQ(end.status, Status::ok);
  EXPECT_LE(difference(end.velocity, {0.6, 0, 0.8}), 1e-12);
  const double angle = 100 * std::atan(0.1);
  const double c = std::cos(angle);
  const double d = std::sin(angle);
  EXPECT_LE(difference(end.q, {0.8 * c, -d, -0.6 * c, 0.8 * d, c, -0.6 * d, 0.6, 0, 0.8}), 1e-12);
}

TEST(RigidBodyPendulum, HamelKeepsEveryInvariant) {
  const io::Scenario s = committed_scenario("rigid_body_pendulum");
  const auto [status, found] = drifts(s, "hamel", 2000);
  ASSERT_EQ(status, Status::ok);
  for (const char* name : {"energy", "momentum_z", "orthogonality"})
    EXPECT_LE(found.at(name).max_drift, 2e-13) << name;
}

}  // namespace
}  // namespace hamel
