// SPDX-License-Identifier: BSD-3-Clause

#include "systems/reference.hpp"

#include <cmath>
#include <fstream>
#include <numbers>

namespace hamel {

nlohmann::json golden_frame(const std::string& name) {
  std::ifstream file(HAMEL_GOLDEN_DIR "/frames/" + name + ".json");
  return nlohmann::json::parse(file);
}

std::vector<Quad> numbers(const nlohmann::json& list) {
  std::vector<Quad> out;
  for (const auto& x : list) out.push_back(quad_from_string(x.get<std::string>()));
  return out;
}

double error_of_mode(const std::string& system, const std::string& parameters,
                     const std::vector<double>& q, const std::vector<double>& v, double omega) {
  const double epsilon = 1e-6;
  std::vector<double> velocity;
  for (const double x : v) velocity.push_back(epsilon * x);
  const io::Scenario s = scenario_of(
      system, parameters + "[initial]\nq = " + text_of(q) + "\nv = " + text_of(velocity) + "\n");
  double worst = 0.0;
  for (const int quarters : {1, 2}) {
    const EndPoint end = run_to(s, "gauss", 0.5 * std::numbers::pi * quarters / omega, 40);
    EXPECT_EQ(end.status, Status::ok);
    for (std::size_t c = 0; c < q.size(); ++c) {
      const auto moved = static_cast<double>(end.q[c] - q[c]) * omega / epsilon;
      const double error = std::fabs(moved - (quarters == 1 ? v[c] : 0.0));
      if (!(error <= worst)) worst = error;
    }
  }
  return worst;
}

}  // namespace hamel
