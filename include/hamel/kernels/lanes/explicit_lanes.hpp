// SPDX-License-Identifier: BSD-3-Clause
// Explicit Runge–Kutta steps of a given size in lanes: members of an ensemble whose fields have the
// same programs, each with its own constants. The operations are those of ExplicitStepper, lane by
// lane; a member whose step fails goes on alone, where it is made again.
#pragma once

#include "hamel/kernels/lanes/equation_lanes.hpp"
#include "hamel/kernels/lanes/field_lanes.hpp"

namespace hamel::lanes {

inline void explicit_steps(const hamel_lanes::EnsembleTask& task,
                           hamel_lanes::EnsembleOutcome& outcome) noexcept {
  using Mask = LaneMask<equations_together>;
  constexpr int lanes = hamel_lanes::ensemble_lanes;
  const hamel_lanes::FieldPrograms& f = *task.field;
  const hamel_lanes::ExplicitTable& table = *task.table;
  const int n = f.numbers;
  auto* const z = reinterpret_cast<Solved*>(task.scratch);
  Solved* const stage = z + n;
  Solved* const K = stage + n;
  Solved* const room = K + table.stages * n;
  Solved* const slots = room + f.room();
  FieldLanes<equations_together> field(f, room, slots);
  const Solved h(task.h);
  for (int first = 0; first < task.members; first += equations_together) {
    for (int c = 0; c < n; ++c) z[c] = Solved::load(task.state + c * lanes + first);
    const double* constants = task.constants + first;
    Solved* into = slots;
    for (const hamel_lanes::ProgramView* program : {&f.system, &f.rates}) {
      for (int i = 0; i < program->constants; ++i, constants += lanes)
        into[program->constant_slots[i]] = Solved::load(constants);
      into += program->slots;
    }
    MemberCount<equations_together> count;
    for (std::int64_t step = 0; step < task.steps; ++step) {
      const Solved t(static_cast<double>(task.history + step) * task.h);
      Mask stays = count.going();
      const double* a = table.a;
      for (int i = 0; i < table.stages; a += i, ++i) {
        for (int c = 0; c < n; ++c) {
          Solved sum(0.0);
          for (int j = 0; j < i; ++j) sum = sum + a[j] * K[j * n + c];
          stage[c] = z[c] + h * sum;
        }
        stays = stays && field(stage, t + table.c[i] * h, K + i * n);
      }
      Solved size(0.0);
      for (int c = 0; c < n; ++c) {
        Solved sum(0.0);
        for (int i = 0; i < table.stages; ++i) sum = sum + table.b[i] * K[i * n + c];
        stage[c] = z[c] + h * sum;
        size = size + abs(stage[c]);
      }
      stays = stays && size <= Solved(hamel_lanes::runaway);
      for (int c = 0; c < n; ++c) z[c] = select(stays, stage[c], z[c]);
      StepReport<Solved> report;
      report.no_convergence = count.going() && !stays;
      if (!count.add(report)) break;
    }
    for (int c = 0; c < n; ++c) z[c].store(task.state + c * lanes + first);
    count.write(outcome, first);
    leave_alone_failed(outcome, first);
  }
}

}  // namespace hamel::lanes
