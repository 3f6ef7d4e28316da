// SPDX-License-Identifier: BSD-3-Clause

#include "scenario_choices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hamel/studies/step_choice.hpp"

namespace hamel::io {

void choose_every(Scenario& scenario) {
  constexpr std::int64_t most_numbers = std::int64_t{1} << 25U;
  constexpr std::int64_t long_row = 300;
  if (scenario.every_given || scenario.sweep) return;  // a sweep records otherwise
  if (scenario.row_width == 0)
    scenario.row_width =
        scenario.problem->simulate(scenario.method, scenario.integration)->row_width();
  const std::int64_t width = scenario.row_width;
  if (width < long_row || scenario.steps <= most_numbers / width) return;
  scenario.every = scenario.steps / std::max<std::int64_t>(1, most_numbers / width) + 1;
  scenario.notes.push_back(
      fmt::format("a row has {} numbers: recorded every {} steps (output.every sets it)", width,
                  scenario.every));
}

void choose_step(Scenario& scenario) {
  if (!(scenario.accuracy > 0.0)) return;
  constexpr double most_default_steps = 2000.0;  // longer motion is judged by its beginning
  const double step = scenario.system->default_step;
  const double judged = std::min(scenario.horizon, most_default_steps * step);
  const auto order = static_cast<double>(scenario.problem->claims(scenario.method).order);
  const double first_try = judged / step / std::max(1.0, order);
  if (scenario.tolerance_chosen) scenario.integration.solver.tolerance = 0.0;
  StepChoice choice =
      hamel::choose_step(*scenario.problem, scenario.method, scenario.integration, judged,
                         scenario.accuracy, static_cast<std::int64_t>(first_try));
  // The method iterates as far as the accuracy needs, and no further.
  scenario.tolerance_chosen =
      scenario.integration.solver.tolerance == 0.0 && scenario.method.name == "gauss";
  if (scenario.tolerance_chosen)
    scenario.integration.solver.tolerance =
        loosest_solver(*scenario.problem, scenario.method, scenario.integration, judged, choice,
                       scenario.accuracy);
  scenario.steps = static_cast<std::int64_t>(
      std::ceil(static_cast<double>(choice.steps) * (scenario.horizon / judged) * (1.0 - 1e-12)));
  scenario.integration.step = scenario.horizon / static_cast<double>(scenario.steps);
  scenario.notes.push_back(fmt::format(
      "accuracy = {}: step = {:.6g} s for {}, {} steps; estimated error {:.2g} at t = {:.6g} s{}",
      scenario.accuracy, scenario.integration.step, scenario.method.text, scenario.steps,
      choice.error, judged, judged < scenario.horizon ? ", beyond it grows with the motion" : ""));
  choose_every(scenario);
}

}  // namespace hamel::io
