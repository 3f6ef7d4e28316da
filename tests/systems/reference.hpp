// References for the tests of systems: golden files, and plain motions by RK4 with many steps.
#pragma once

#include <cmath>
#include <cstddef>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>
#include <vector>

#include "catalogue.hpp"

namespace hamel {

/// golden/frames/NAME.json.
inline nlohmann::json golden_frame(const std::string& name) {
  std::ifstream file(HAMEL_GOLDEN_DIR "/frames/" + name + ".json");
  return nlohmann::json::parse(file);
}

/// Numbers that a golden file holds as texts.
inline std::vector<Quad> numbers(const nlohmann::json& list) {
  std::vector<Quad> out;
  for (const auto& x : list) out.push_back(quad_from_string(x.get<std::string>()));
  return out;
}

/// z' = rate(t, z) from t = 0 on, for a list z of numbers.
template <class State, class Real, class Rate>
State by_rk4(State z, Real until, int steps, Rate&& rate) {
  const Real h = until / steps;
  const auto moved = [&](const State& k, Real by) {
    State to = z;
    for (std::size_t i = 0; i < z.size(); ++i) to[i] += by * k[i];
    return to;
  };
  for (int n = 0; n < steps; ++n) {
    const Real t = n * h;
    const State a = rate(t, z);
    const State b = rate(t + h / 2, moved(a, h / 2));
    const State c = rate(t + h / 2, moved(b, h / 2));
    const State d = rate(t + h, moved(c, h));
    for (std::size_t i = 0; i < z.size(); ++i)
      z[i] += h / 6 * (a[i] + Real(2) * b[i] + Real(2) * c[i] + d[i]);
  }
  return z;
}

/// A system of spheres through its equilibrium q with velocities εv: the error of
/// q + (ε/ω) sin(ωt) v after a quarter and half a period, in units of ε/ω.
inline double error_of_mode(const std::string& system, const std::string& parameters,
                            const std::vector<double>& q, const std::vector<double>& v,
                            double omega) {
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
