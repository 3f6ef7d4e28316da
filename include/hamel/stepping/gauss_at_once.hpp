// SPDX-License-Identifier: BSD-3-Clause
// The fixed points of Gauss collocation for all stages at once, on a field that programs give: what
// gauss_field_lanes.hpp needs around it.                                                 [MATH 2.7]
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "hamel/expressions/program.hpp"
#include "hamel/kernels/lanes/lane_kernels.hpp"
#include "hamel/kernels/lanes/lane_memory.hpp"
#include "hamel/stepping/lane_tableau.hpp"
#include "hamel/stepping/stepper.hpp"

namespace hamel {

class GaussAtOnce {
 public:
  /// owners: of the two programs, for their constants; they outlive this.
  GaussAtOnce(const hamel_lanes::FieldPrograms& programs,
              const std::array<const Program*, 2>& owners, int stages)
      : lanes_(stages),
        programs_(programs),
        kernel_(lanes::kernels().field_gauss[hamel_lanes::choice(stages)]),
        work_(in_lanes(hamel_lanes::gauss_field_work(programs))),
        slots_(in_lanes(programs.slots())) {
    take_constants(owners);
  }

  /// Those of the programs as they are now.
  void take_constants(const std::array<const Program*, 2>& owners) {
    double* at = slots_.data();
    for (const Program* owner : owners) {
      const hamel_lanes::ProgramView view = owner->view();
      for (int i = 0; i < view.constants; ++i)
        std::fill_n(at + in_lanes(static_cast<int>(view.constant_slots[i])), lanes_.width,
                    static_cast<double>(owner->constants()[static_cast<std::size_t>(i)]));
      at += in_lanes(view.slots);
    }
  }

  /// In all lanes, for the programs whose owners these are.
  void hold(const std::array<const Program*, 2>& owners, std::span<const double> held) noexcept {
    double* at = slots_.data();
    for (const Program* owner : owners) {
      for (const auto& [index, slot] : owner->held())
        std::fill_n(at + in_lanes(static_cast<int>(slot)), lanes_.width,
                    held[static_cast<std::size_t>(index)]);
      at += in_lanes(owner->view().slots);
    }
  }

  /// Numbers of the last step's increments, the first ones of a state's memory.
  std::size_t remembered() const { return in_lanes(programs_.numbers); }

  /// dz of the step; the memory then has its increments.
  StepReport<double> operator()(const SolverOptions& solver, StepperState<double>& state, double t,
                                double h, double* dz) noexcept {
    lanes_.weights(h);
    double times[hamel_lanes::most_lanes];
    for (int i = 0; i < lanes_.width; ++i) times[i] = t + lanes_.tableau.c[i] * h;
    hamel_lanes::GaussTask task{};
    task.tables = &lanes_.tables;
    task.z = state.z.data();
    task.L = state.memory.data();
    task.warm = state.history > 0;
    task.dz = dz;
    task.tolerance = solver.tolerance;
    task.max_iterations = 4 * solver.max_iterations;
    task.programs = &programs_;
    task.times = times;
    task.slots = slots_.data();
    task.work = work_.data();
    const hamel_lanes::GaussOutcome outcome = kernel_(task);
    StepReport<double> report;
    report.iterations = outcome.iterations;
    report.singular = outcome.singular;
    report.no_convergence = !outcome.converged && !outcome.singular;
    return report;
  }

 private:
  std::size_t in_lanes(int numbers) const {
    return static_cast<std::size_t>(numbers) * static_cast<std::size_t>(lanes_.width);
  }

  GaussLanes lanes_;
  hamel_lanes::FieldPrograms programs_;
  hamel_lanes::GaussKernel kernel_;
  LaneMemory work_, slots_;
};

}  // namespace hamel
