// SPDX-License-Identifier: BSD-3-Clause
// The Hamel step on (S²)ⁿ in lanes: members of an ensemble with the same forces, each with its own
// constants. The operations are those of SpheresHamelStepper, lane by lane; a member whose sweeps
// do not contract goes on alone, where Newton's method takes over.
#pragma once

#include "hamel/expressions/instructions.hpp"
#include "hamel/kernels/lanes/ensemble_kernels.hpp"
#include "hamel/kernels/lanes/equation_lanes.hpp"
#include "hamel/kernels/spheres/spheres_hamel_sweeps.hpp"

namespace hamel::lanes {

inline void spheres_hamel_steps(const hamel_lanes::EnsembleTask& task,
                                hamel_lanes::EnsembleOutcome& outcome) noexcept {
  using Sweeps = SpheresHamelSweeps<Solved>;
  using Mask = LaneMask<equations_together>;
  constexpr int lanes = hamel_lanes::ensemble_lanes;
  const hamel_lanes::Equations& e = *task.equations;
  const hamel_lanes::ProgramView& program = e.residual;
  const SolverOptions solver{task.tolerance, task.max_iterations};
  const int n = task.links;
  const bool forced = e.nz > 6 * n;
  const int numbers = e.nz + Sweeps::remembered * 3 * n;
  auto* z = reinterpret_cast<Solved*>(task.scratch);
  Solved* memory = z + e.nz;
  Solved* m = z + numbers;
  const Sweeps sweeps = Sweeps::in_room(n, forced, m, m + n);
  Solved* dz = m + n + Sweeps::room(n, forced);
  Solved* slots = dz + e.nz;
  const auto force = [&](const Solved* from, Solved* to) { evaluate(program, from, slots, to); };
  const auto note = [](int) {};
  const Solved h(task.h);
  for (int first = 0; first < task.members; first += equations_together) {
    for (int i = 0; i < numbers; ++i) z[i] = Solved::load(task.state + i * lanes + first);
    const double* constants = task.constants + first;
    for (int i = 0; i < n; ++i, constants += lanes) m[i] = Solved::load(constants);
    for (int i = 0; i < program.constants; ++i, constants += lanes)
      slots[program.constant_slots[i]] = Solved::load(constants);
    MemberCount<equations_together> count;
    for (std::int64_t i = 0; i < task.steps; ++i) {
      const std::int64_t step = task.history + i;
      StepReport<Solved> report;
      sweeps.load(z, Solved(static_cast<double>(step) * task.h), h);
      sweeps.guess(z, memory, step, h);
      Mask stays = sweeps.sweep(z, h, solver, count.going(), force, note, report.iterations);
      if (forced) stays = stays && sweeps.F[3 * n] - sweeps.F[3 * n] == Solved(0.0);
      sweeps.increments(h, dz);
      for (int k = 0; k < e.nz; ++k) z[k] = select(stays, z[k] + dz[k], z[k]);
      Solved* const torques = Sweeps::slot(memory, n, step);
      for (int k = 0; k < 3 * n; ++k) torques[k] = select(stays, sweeps.torque[k], torques[k]);
      report.no_convergence = count.going() && !stays;
      if (!count.add(report)) break;
    }
    for (int i = 0; i < numbers; ++i) z[i].store(task.state + i * lanes + first);
    count.write(outcome, first);
    leave_alone_failed(outcome, first);
  }
}

}  // namespace hamel::lanes
