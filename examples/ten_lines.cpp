// SPDX-License-Identifier: BSD-3-Clause
// A million steps of the spherical pendulum with the Hamel integrator, headers only.
// Compile: g++ -std=c++20 -O2 -ffp-contract=off -I include examples/ten_lines.cpp -lquadmath
// Prints the distance of q from the unit sphere at the end, below 1e-14. (README, "Ten lines of
// C++")
#include <cstdio>
#include <hamel/methods/hamel.hpp>
#include <hamel/systems/spherical_pendulum.hpp>

int main() {
  const hamel::SphericalPendulum pendulum;  // m = 1 kg, r = 9.8 m, g = 9.8 m/s²
  const hamel::HamelStep<hamel::SphericalPendulum, double, hamel::Summation::compensated> step(
      hamel::Hamel{}, pendulum, 0.1, {});
  auto state = step.start({.q = {{0.6, 0.0, -0.8}}, .omega = {{0.0, 0.5, 0.0}}});
  for (int n = 0; n < 1'000'000 && !step.step(state).failed(); ++n) {
  }
  std::printf("|q| - 1 = %.1e\n", hamel::length_defect(state.q.value));
}
