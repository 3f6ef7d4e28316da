// SPDX-License-Identifier: BSD-3-Clause
// The rod against Euler and Bernoulli's beam: how far it bends under its weight and under a force
// at the tip, and its lowest frequency; all approached as 1/n².
#include "hamel/systems/elastic_rod.hpp"

#include <cmath>
#include <numbers>

#include "catalogue.hpp"

namespace hamel {
namespace {

using Numbers = std::vector<double>;

/// n links with EI = m L³, so that times are in units of √(mL³/EI).
std::string rod(int n) {
  return "n = " + std::to_string(n) + "\nmass = 2\nlength = 0.5\nstiffness = 0.25\n";
}

// The beam's deflections are m g L³/(8EI) and P L³/(3EI). The rod has the beam's moments M at the
// nodes, and its tip moves by the trapezoidal rule for ∫ (L − x) M/EI dx: by (1 + 1/n²) and by
// (1 + 1/2n²) of those. Damped to rest by the joints.
TEST(ElasticRod, BendsLikeTheBeam) {
  const double L = 0.5;
  const double weight = 2.0 * 1e-3 * L * L * L / (8.0 * 0.25);
  const double force = 5e-4 * L * L * L / (3.0 * 0.25);
  for (const int n : {2, 3, 5}) {
    const io::Scenario s = scenario_of(
        "elastic_rod", rod(n) + "gravity = 1e-3\ntip_force = [\"0\", \"5e-4\", \"0\"]\n" +
                           "joint_damping = " + io::shortest(0.1 * n) + "\n");
    const EndPoint end = run_to(s, "rk4", 40.0, 160 * n * n * n * n);  // stiff as n⁴
    ASSERT_EQ(end.status, Status::ok);
    double y = 0.0;
    double z = 0.0;
    for (std::size_t i = 0; i < end.q.size(); i += 3) {
      y += L / n * static_cast<double>(end.q[i + 1]);
      z += L / n * static_cast<double>(end.q[i + 2]);
    }
    EXPECT_NEAR(-z / weight, 1.0 + 1.0 / (n * n), 1e-5) << n;
    EXPECT_NEAR(y / force, 1.0 + 0.5 / (n * n), 1e-5) << n;
  }
}

/// The lowest ω over √(EI/(mL³)). Started in the beam's mode, the rod tells it by how much of that
/// mode is left after a quarter of the beam's period, up to the square of the error of the mode.
double lowest_frequency(int n) {
  const double beta = 1.8751040687119611;  // cos β cosh β = −1
  const double sigma = (std::cos(beta) + std::cosh(beta)) / (std::sin(beta) + std::sinh(beta));
  const auto mode = [&](int i) {
    const double x = beta * i / n;
    return std::cosh(x) - std::cos(x) - sigma * (std::sinh(x) - std::sin(x));
  };
  Numbers q;
  for (int i = 1; i <= n; ++i) {
    const double slope = 1e-4 * n * (mode(i) - mode(i - 1));
    q.insert(q.end(), {std::sqrt(1.0 - slope * slope), 0.0, slope});
  }
  const io::Scenario s =
      scenario_of("elastic_rod", rod(n) + "gravity = 0\n[initial]\nq = " + text_of(q) +
                                     "\nv = " + text_of(Numbers(q.size(), 0.0)) + "\n");
  const double quarter = 0.5 * std::numbers::pi / (beta * beta);
  const EndPoint end = run_to(s, "rk4", quarter, 2 * n * n);
  EXPECT_EQ(end.status, Status::ok);
  double deflection = 0.0;
  double part = 0.0;
  double whole = 0.0;
  for (int i = 1; i <= n; ++i) {
    deflection += static_cast<double>(end.q[static_cast<std::size_t>(3 * i - 1)]);
    const double weight = (i == n ? 0.5 : 1.0) * mode(i);
    part += weight * deflection;
    whole += weight * 1e-4 * n * mode(i);
  }
  return std::acos(part / whole) / quarter;
}

// ω = β² √(EI/(mL³)), β² = 3.5160.
TEST(ElasticRod, SwingsLikeTheBeam) {
  const double beam = 3.5160152685;
  double error = beam - lowest_frequency(4);
  double last = 0.0;
  for (const int n : {8, 16, 32}) {
    last = error;
    error = beam - lowest_frequency(n);
    EXPECT_NEAR(std::log2(last / error), 2.0, 0.1) << n;
  }
  EXPECT_NEAR((4.0 * error - last) / 3.0, 0.0, 3e-5);  // extrapolated to n = ∞
}

// Nothing prefers a direction about e3 where the clamp is vertical, nor where there is none.
TEST(ElasticRod, KeepsTheMomentumAboutAVerticalClampAndAHinge) {
  for (const char* base : {"axis = [0, 0, -2]\n", "clamped = 0\n"}) {
    const io::Scenario s = scenario_of(
        "elastic_rod", std::string("n = 3\n") + base +
                           "[initial]\nq = [0.6, 0, -0.8, 0, 0.6, -0.8, 0.6, 0, -0.8]\n"
                           "omega = [0, 1, 0, 1, 0, 0, 0.8, 0, 0.6]\n[integrate]\nstep = 0.002\n");
    for (const char* method : {"hamel", "variational"}) {
      const auto [status, found] = drifts(s, method, 2000);
      ASSERT_EQ(status, Status::ok);
      EXPECT_LE(found.at("momentum_z").max_drift, 1e-13) << base << method;
      EXPECT_LE(found.at("energy").max_drift, method[0] == 'h' ? 1e-12 : 2e-3) << base << method;
    }
  }
}

}  // namespace
}  // namespace hamel
