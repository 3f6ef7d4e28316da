// SPDX-License-Identifier: BSD-3-Clause
// Particles on a sphere: small oscillations of two, two that circle each other, and the momentum.
#include "hamel/systems/sphere_particles.hpp"

#include <cmath>
#include <numbers>

#include "reference.hpp"

namespace hamel {
namespace {

using Numbers = std::vector<double>;

// Two that repel each other rest at opposite points; moved to the same side, mRω² = −w'(2R).
TEST(SphereParticles, TwoChargesSwingAboutOppositePoints) {
  const double R = 1.5;
  const double m = 0.7;
  EXPECT_LE(error_of_mode("sphere_particles",
                          "n = 2\nmass = 0.7\nradius = 1.5\npair_potential = \"2.5/d\"\n",
                          {0, 0, 1, 0, 0, -1}, {0.6, 0.8, 0, 0.6, 0.8, 0},
                          std::sqrt(2.5 / (4.0 * m * R * R * R))),
            1e-5);
}

// At the minimum d0 of Lennard-Jones' potential 4e((s/d)¹² − (s/d)⁶), d0 = 2^(1/6) s, w'' =
// 72e/d0²: mω² = 2w'' cos²(γ/2), d0 = 2R sin(γ/2).
TEST(SphereParticles, TwoAtomsSwingAboutTheirDistance) {
  const double R = 0.9;
  const double m = 1.3;
  const double d = std::pow(2.0, 1.0 / 6.0) * 0.5;
  const double s = 0.5 * d / R;
  const double c = std::sqrt(1.0 - s * s);
  EXPECT_LE(error_of_mode("sphere_particles",
                          "n = 2\nmass = 1.3\nradius = 0.9\n"
                          "pair_potential = \"12*((0.5/d)^12 - (0.5/d)^6)\"\n",
                          {s, 0, c, -s, 0, c}, {c, 0, -s, -c, 0, -s},
                          std::sqrt(2.0 * 216.0 / (d * d) * c * c / m)),
            1e-5);
}

// Two that attract each other circle at a constant distance d = 2R sin θ: mRΩ² sin θ = w'(d). This
// is a relative equilibrium of hamel too, which turns by 2 atan(hΩ/2) in a step.
TEST(SphereParticles, TwoCircleEachOther) {
  const double s = 0.6;
  const double c = 0.8;
  const double R = 1.25;
  const double m = 0.5;
  const double d = 2.0 * R * s;
  const double Omega = std::sqrt(3.0 / (d * d) / (m * R * s));
  const Numbers v = {0, Omega * s, 0, 0, -Omega * s, 0};
  const io::Scenario system =
      scenario_of("sphere_particles",
                  "n = 2\nmass = 0.5\nradius = 1.25\npair_potential = \"-3/d\"\n[initial]\n"
                  "q = [0.6, 0, 0.8, -0.6, 0, 0.8]\nv = " +
                      text_of(v) + "\n");
  const auto at = [&](double angle) {
    const double x = s * std::cos(angle);
    const double y = s * std::sin(angle);
    return std::vector<Quad>{x, y, c, -x, -y, c};
  };
  EXPECT_LE(difference(run_to(system, "gauss", 2.0, 40).q, at(2.0 * Omega)), 1e-12);
  EXPECT_LE(difference(run_to(system, "hamel", 2.0, 40).q, at(80.0 * std::atan(0.025 * Omega))),
            1e-12);
}

// Two running into each other again and again.
TEST(SphereParticles, HamelKeepsEnergyAndAllOfTheMomentum) {
  const io::Scenario s =
      scenario_of("sphere_particles",
                  "n = 2\nradius = 1.5\npair_potential = \"0.05/d^2\"\n[initial]\n"
                  "q = [0.6, 0, 0.8, -0.6, 0, 0.8]\nv = [-0.8, 0.1, 0.6, 0.56, -0.05, 0.42]\n"
                  "[integrate]\nstep = 0.05\n");
  const auto [status, kept] = drifts(s, "hamel", 4000);
  const auto [other, lost] = drifts(s, "rk4", 4000);
  ASSERT_EQ(status, Status::ok);
  ASSERT_EQ(other, Status::ok);
  for (const char* name : {"energy", "momentum_x", "momentum_y", "momentum_z", "length"}) {
    EXPECT_LE(kept.at(name).max_drift, 5e-13) << name;
    EXPECT_GE(lost.at(name).max_drift, 1e-6) << name;
  }
}

}  // namespace
}  // namespace hamel
