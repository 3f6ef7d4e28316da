// SPDX-License-Identifier: BSD-3-Clause
// hamel::core alone: headers, no compiled part.
#include <hamel/methods/hamel.hpp>
#include <hamel/systems/spherical_pendulum.hpp>

int main() {
  const hamel::SphericalPendulum pendulum;
  const hamel::HamelStep<hamel::SphericalPendulum, double, hamel::Summation::plain> step(
      hamel::Hamel{}, pendulum, 0.1, {});
  auto state = step.start({{{0.6, 0.0, -0.8}}, {{0.0, 0.5, 0.0}}});
  for (int n = 0; n < 1000; ++n)
    if (step.step(state).failed()) return 1;
  return hamel::abs(hamel::length_defect(state.q.value)) <= 1e-14 ? 0 : 1;
}
