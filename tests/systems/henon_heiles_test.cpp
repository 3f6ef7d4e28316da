// SPDX-License-Identifier: BSD-3-Clause
// Hénon–Heiles in a turning frame: symplectic in the coordinate frame only, as measured elsewhere.
#include "hamel/systems/henon_heiles.hpp"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "catalogue.hpp"

namespace hamel {
namespace {

io::Scenario star(const std::string& rotation, double step) {
  return scenario_of("henon_heiles", "rotation = " + rotation +
                                         "\n[initial]\nq = [0.1, -0.2]\nv = [0.3, 0.25]\n"
                                         "[integrate]\nstep = " +
                                         std::to_string(step) + "\n");
}
double defect(const io::Scenario& s, const char* method) {
  return s.problem->symplectic_defect(MethodSpec::parse(method), s.integration).value_or(NAN);
}

// [MATH 2.4]: the defects printed there; the momenta in the frame are (0.3, 0.25).
TEST(HenonHeiles, HamelIsSymplecticInTheCoordinateFrameOnly) {
  const auto star = [](const std::string& rotation, double step) {
    return scenario_of("henon_heiles", "rotation = " + rotation +
                                           "\n[initial]\nq = [0.1, -0.2]\np = [0.3, 0.25]\n"
                                           "[integrate]\nstep = " +
                                           std::to_string(step) + "\n");
  };
  EXPECT_NEAR(defect(star("1", 0.2), "hamel"), 2.5e-4, 0.05e-4);
  EXPECT_NEAR(defect(star("1", 0.1), "hamel"), 3.2e-5, 0.05e-5);
  EXPECT_NEAR(defect(star("1", 0.05), "hamel"), 4.1e-6, 0.05e-6);
  EXPECT_LE(defect(star("0", 0.2), "hamel"), 1e-13);
  EXPECT_LE(defect(star("1", 0.2), "hamel(principle=pontryagin)"), 1e-13);
}

// golden/frames: discrete Euler–Lagrange equations, state (x, y, px, py); here v = p.
TEST(HenonHeiles, PontryaginInTheTurningFrameGivesTheGoldenSequence) {
  std::ifstream file(HAMEL_GOLDEN_DIR "/frames/discrete_dla_del_half.json");
  const auto golden =
      nlohmann::json::parse(file).at("HenonHeiles DEL midpoint h=0.1 state (x,y,px,py)");
  const auto away = [&](const char* rotation, const char* method) {
    double worst = 0.0;
    for (const auto& [count, state] : golden.items()) {
      const int n = std::stoi(count);
      const EndPoint end = run_to(star(rotation, 0.1), method, 0.1 * n, n);
      std::vector<Quad> expected;
      for (const auto& x : state) expected.push_back(quad_from_string(x.get<std::string>()));
      const Quad alpha =
          std::string(rotation) == "0" ? Quad(0) : 2 * end.q[0] - end.q[1] + end.q[0] * end.q[1];
      const Quad c = cos(alpha);
      const Quad s = sin(alpha);
      worst =
          std::max(worst, difference({end.q[0], end.q[1], c * end.velocity[0] - s * end.velocity[1],
                                      s * end.velocity[0] + c * end.velocity[1]},
                                     expected));
    }
    return worst;
  };
  EXPECT_LE(away("1", "hamel(principle=pontryagin)"), 1e-12);
  EXPECT_LE(away("0", "hamel"), 1e-12);
  EXPECT_GE(away("1", "hamel"), 1e-5);  // another map
}

// Over 50,000 steps the energy leaves its band only where the step is not symplectic.
TEST(HenonHeiles, TheEnergyDriftsOnlyInTheTurningFrame) {
  const auto energy = [](const char* rotation, const char* method) {
    const auto [status, found] = drifts(star(rotation, 0.4), method, 50000);
    EXPECT_EQ(status, Status::ok);
    return found.at("energy").max_drift / found.at("energy").initial;
  };
  EXPECT_NEAR(energy("1", "hamel"), 5.2e-2, 0.1e-2);
  EXPECT_LE(energy("1", "hamel(principle=pontryagin)"), 4e-3);
  EXPECT_LE(energy("0", "hamel"), 4e-3);
}

}  // namespace
}  // namespace hamel
