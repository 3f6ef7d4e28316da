// SPDX-License-Identifier: BSD-3-Clause
// The variational step on (S²)ⁿ for uncoupled inertia in lanes: members of an ensemble with the
// same forces, each with its own constants. The operations are those of
// UncoupledVariationalStepper, lane by lane; a member whose step fails goes on alone, to the same
// end.
#pragma once

#include "hamel/expressions/instructions.hpp"
#include "hamel/kernels/lanes/ensemble_kernels.hpp"
#include "hamel/kernels/lanes/equation_lanes.hpp"
#include "hamel/kernels/spheres/uncoupled_variational.hpp"

namespace hamel::lanes {

inline void uncoupled_variational_steps(const hamel_lanes::EnsembleTask& task,
                                        hamel_lanes::EnsembleOutcome& outcome) noexcept {
  using Lists = UncoupledVariational<Solved>;
  constexpr int lanes = hamel_lanes::ensemble_lanes;
  const hamel_lanes::Equations& e = *task.equations;
  const SolverOptions solver{task.tolerance, task.max_iterations};
  const int n = task.links;
  const bool forced = e.nz > 6 * n;
  const int numbers = e.nz + 3 * n;
  auto* z = reinterpret_cast<Solved*>(task.scratch);
  Solved* before = z + e.nz;
  Solved* inverse_m = z + numbers;
  const Lists lists = Lists::in_room(n, forced, inverse_m, inverse_m + n);
  Solved* slope_slots = inverse_m + n + Lists::room(n, forced);
  Solved* force_slots = slope_slots + e.residual.slots;
  const auto slope = [&](const Solved* in, Solved* out) {
    evaluate(e.residual, in, slope_slots, out);
  };
  const auto force = [&](const Solved* in, Solved* out) {
    evaluate(e.increment, in, force_slots, out);
  };
  const auto note = [](int) {};
  const Solved h(task.h);
  for (int first = 0; first < task.members; first += equations_together) {
    for (int i = 0; i < numbers; ++i) z[i] = Solved::load(task.state + i * lanes + first);
    const double* constants = task.constants + first;
    const auto take = [&](Solved& to) {
      to = Solved::load(constants);
      constants += lanes;
    };
    for (int i = 0; i < n; ++i) take(inverse_m[i]);
    for (int i = 0; i < e.residual.constants; ++i) take(slope_slots[e.residual.constant_slots[i]]);
    for (int i = 0; i < e.increment.constants; ++i)
      take(force_slots[e.increment.constant_slots[i]]);
    MemberCount<equations_together> count;
    for (std::int64_t i = 0; i < task.steps; ++i) {
      const Solved t(static_cast<double>(task.history + i) * task.h);
      const auto report =
          lists.step(z, nullptr, before, t, h, solver, count.going(), slope, force, note);
      const auto stays = count.going() && !report.failed();
      for (int k = 0; k < e.nz; ++k) z[k] = select(stays, z[k] + lists.dz[k], z[k]);
      for (int k = 0; k < 3 * n; ++k) before[k] = select(stays, lists.slope[k], before[k]);
      if (!count.add(report)) break;
    }
    for (int i = 0; i < numbers; ++i) z[i].store(task.state + i * lanes + first);
    count.write(outcome, first);
    leave_alone_failed(outcome, first);
  }
}

}  // namespace hamel::lanes
