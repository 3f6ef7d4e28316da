// SPDX-License-Identifier: BSD-3-Clause
// Steps that are given by equations, in lanes: members of an ensemble with the same programs, each
// with its own constants. The operations are those of EquationStepper, lane by lane.
#pragma once

#include <utility>

#include "hamel/core/lanes.hpp"
#include "hamel/expressions/instruction_lanes.hpp"
#include "hamel/kernels/lanes/ensemble_kernels.hpp"
#include "hamel/kernels/lanes/sphere_lanes.hpp"
#include "hamel/solve/dense.hpp"
#include "hamel/solve/equation_solver.hpp"

namespace hamel::lanes {

/// Stepped at once: instructions are read once for all of them, and their numbers fit the cache.
inline constexpr int equations_together = 8;
using Solved = Lanes<equations_together>;

/// Members whose step failed go on alone, where it is made again.
inline void leave_alone_failed(hamel_lanes::EnsembleOutcome& outcome, int first) {
  for (int i = first; i < first + equations_together; ++i) {
    outcome.single[i] = outcome.status[i] != static_cast<std::uint8_t>(Status::ok);
    outcome.status[i] = static_cast<std::uint8_t>(Status::ok);
  }
}

/// The programs of a step with their slots, and the factors of its matrix.
class EquationPrograms {
 public:
  EquationPrograms(const hamel_lanes::Equations& e, const Solved* in, Solved* pivot, Solved* slots)
      : e_(e),
        in_(in),
        pivot_(pivot),
        newton_(slots),
        residual_(newton_ + e.newton.slots),
        increment_(residual_ + e.residual.slots) {}

  /// The lanes from `first` on take their constants.
  void take(const double* constants, int first) {
    for (const auto& [program, slots] :
         {std::pair{&e_.newton, newton_}, std::pair{&e_.residual, residual_},
          std::pair{&e_.increment, increment_}})
      for (int i = 0; i < program->constants; ++i, constants += hamel_lanes::ensemble_lanes)
        slots[program->constant_slots[i]] = Solved::load(constants + first);
  }

  void newton(Solved* out) { evaluate(e_.newton, in_, newton_, out); }
  void residual(Solved* out) { evaluate(e_.residual, in_, residual_, out); }
  void increment(Solved* out) { evaluate(e_.increment, in_, increment_, out); }
  LaneMask<equations_together> factor(Solved* matrix) {
    return lu_factor_lanes(matrix, e_.ny, pivot_);
  }
  void solve(const Solved* matrix, Solved* x) { lu_solve_lanes(matrix, e_.ny, pivot_, x); }

 private:
  const hamel_lanes::Equations& e_;
  const Solved* in_;
  Solved* pivot_;
  Solved *newton_, *residual_, *increment_;
};

inline void equation_steps(const hamel_lanes::EnsembleTask& task,
                           hamel_lanes::EnsembleOutcome& outcome) noexcept {
  using Mask = LaneMask<equations_together>;
  constexpr int lanes = hamel_lanes::ensemble_lanes;
  const hamel_lanes::Equations& e = *task.equations;
  const SolverOptions solver{task.tolerance, task.max_iterations};
  const int remembered = 3 * e.ny;
  auto* z = reinterpret_cast<Solved*>(task.scratch);
  Solved* memory = z + e.nz;
  Solved* in = memory + remembered;
  Solved* out = in + (e.nz + e.ny + 2);
  Solved* delta = out + hamel_lanes::newton_numbers(e.ny);
  Solved* dz = delta + e.ny;
  Solved* pivot = dz + e.nz;
  const EquationWork<Solved> work{e.nz, e.ny, e.positions, in, out, delta};
  EquationPrograms programs(e, in, pivot, pivot + e.ny);
  const Solved h(task.h);
  for (int first = 0; first < task.members; first += equations_together) {
    for (int i = 0; i < e.nz + remembered; ++i) z[i] = Solved::load(task.state + i * lanes + first);
    programs.take(task.constants, first);
    MemberCount<equations_together> count;
    for (std::int64_t i = 0; i < task.steps; ++i) {
      const std::int64_t n = task.history + i;
      work.load(z, Solved(static_cast<double>(n) * task.h), h);
      const StepReport<Solved> report =
          solve_step(programs, work, solver, z, memory, n, count.going());
      programs.increment(dz);
      Solved sum(0.0);
      Solved before(0.0);  // the largest number
      for (int k = 0; k < e.nz; ++k) {
        before = max(before, abs(z[k]));
        dz[k] = z[k] + dz[k];
        sum = sum + abs(dz[k]);
      }
      const Mask failed = report.failed();
      const Mask overflows = count.going() && !failed && !(sum <= Solved(hamel_lanes::overflowing));
      // A Newton step among huge numbers means nothing.
      const Mask wild = before > Solved(hamel_lanes::runaway);
      const Mask stays = count.going() && !(failed || overflows);
      for (int k = 0; k < e.nz; ++k) z[k] = select(stays, dz[k], z[k]);
      work.remember(memory);
      if (!count.add(report, overflows, wild)) break;
    }
    for (int i = 0; i < e.nz + remembered; ++i) z[i].store(task.state + i * lanes + first);
    count.write(outcome, first);
  }
}

}  // namespace hamel::lanes
