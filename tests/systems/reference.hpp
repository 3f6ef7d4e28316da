// SPDX-License-Identifier: BSD-3-Clause
// References for the tests of systems: golden files, and plain motions by RK4 with many steps.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "catalogue.hpp"

namespace hamel {

/// golden/frames/NAME.json.
nlohmann::json golden_frame(const std::string& name);

/// Numbers that a golden file holds as texts.
std::vector<Quad> numbers(const nlohmann::json& list);

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
double error_of_mode(const std::string& system, const std::string& parameters,
                     const std::vector<double>& q, const std::vector<double>& v, double omega);

}  // namespace hamel
