// SPDX-License-Identifier: BSD-3-Clause
// Members of an ensemble stepped together, one to a lane, for the instruction set of the processor
// that runs them. The library has the kernels for several sets, compiled and chosen as those of
// lane_kernels.hpp; here is what crosses the border, plain data only.
//
// The kernels are the steps themselves over Lanes instead of double: every lane does the operations
// of the scalar step in their order, so that its bits depend neither on its neighbours nor on the
// set.
#pragma once

#include <algorithm>
#include <cstdint>

#include "hamel/expressions/instructions.hpp"

namespace hamel_lanes {

/// Members a kernel takes: two registers of the widest set. One alone would wait for its own
/// divisions.
inline constexpr int ensemble_lanes = 16;

/// Numbers a chain's kernel works with, for each link and lane.
inline constexpr int chain_scratch = 31;

/// Sizes of a state that is not finite, and of one whose powers overflow.
inline constexpr double overflowing = 1e300;
inline constexpr double runaway = 1e50;

/// A step given by equations (step_equations.hpp) as plain data. Of a step on spheres `residual`
/// are the forces, or those of the potential with the others in `increment`; nz its numbers.
struct Equations {
  ProgramView newton, residual, increment;
  int nz = 0, ny = 0, positions = 0;
};

/// Whether both do the same with their constants.
inline bool same_programs(const ProgramView& a, const ProgramView& b) {
  return a.inputs == b.inputs && a.slots == b.slots &&
         std::equal(a.code, a.code + a.instructions, b.code, b.code + b.instructions) &&
         std::equal(a.outputs, a.outputs + a.output_count, b.outputs, b.outputs + b.output_count) &&
         std::equal(a.constant_slots, a.constant_slots + a.constants, b.constant_slots,
                    b.constant_slots + b.constants);
}
inline bool same_programs(const Equations& a, const Equations& b) {
  return a.nz == b.nz && a.ny == b.ny && a.positions == b.positions &&
         same_programs(a.newton, b.newton) && same_programs(a.residual, b.residual) &&
         same_programs(a.increment, b.increment);
}

/// Numbers of a residual and its matrix, in whose place two more residuals must fit.
constexpr int newton_numbers(int ny) { return ny + ny * (ny > 2 ? ny : 2); }
/// Numbers their kernel works with, for each lane: the state with what it remembers, inputs and
/// results of the programs, what is made of these, and the programs' own.
constexpr int equation_scratch(const Equations& e) {
  return (e.nz + 3 * e.ny) + (e.nz + e.ny + 2) + newton_numbers(e.ny) + (e.ny + e.nz + e.ny) +
         (e.newton.slots + e.residual.slots + e.increment.slots);
}

/// A field (field_lanes.hpp) as plain data. Inputs of its programs are the first numbers of z, and
/// t and x where it is said; `system` is run with x = 0, as far as it reads it.
struct FieldPrograms {
  ProgramView system;  ///< gives A, row by row, and r
  ProgramView rates;   ///< gives ż
  int numbers = 0;     ///< of z
  int known = 0;       ///< of these, inputs
  int t_at = 0, x_at = 0;
  int unknowns = 0;  ///< x; 0: no system to solve
  int matrix_at = 0, right_at = 0;
  int given = -1;  ///< where not negative: r is z from there on, less what the program gives

  int slots() const { return system.slots + rates.slots; }
  /// Numbers to work with, for each lane, besides the slots.
  int room() const { return rates.inputs + (unknowns + 1) * unknowns + unknowns; }
};

/// Whether both do the same with their constants.
inline bool same_programs(const FieldPrograms& a, const FieldPrograms& b) {
  return a.numbers == b.numbers && a.known == b.known && a.unknowns == b.unknowns &&
         same_programs(a.system, b.system) && same_programs(a.rates, b.rates);
}

/// An explicit method as plain data: a_ij row after row, j < i.
struct ExplicitTable {
  int stages = 0;
  const double *a = nullptr, *b = nullptr, *c = nullptr;
};

/// Numbers its kernel works with, for each lane.
inline int explicit_scratch(const FieldPrograms& f, const ExplicitTable& table) {
  return (2 + table.stages) * f.numbers + f.room() + f.slots();
}

/// Steps for all lanes. Lists are by number, then by lane: x[i·16 + lane].
struct EnsembleTask {
  int members = ensemble_lanes;       ///< lanes that count, the first ones
  double* state = nullptr;            ///< the numbers of a member's state
  const double* constants = nullptr;  ///< of its system
  double* scratch = nullptr;          ///< numbers to work with, aligned to 64 bytes
  int links = 0;                      ///< of a chain; or spheres
  const Equations* equations = nullptr;
  const FieldPrograms* field = nullptr;  ///< where it is stepped by an explicit method …
  const ExplicitTable* table = nullptr;  ///< … that is given by this
  std::int64_t history = 0;              ///< good steps so far
  double h = 0.0;
  double tolerance = 0.0;  ///< of the solver, as in SolverOptions
  int max_iterations = 0;
  std::int64_t steps = 0;
};

/// What became of them. A lane that fails keeps the state before the failed step.
struct EnsembleOutcome {
  std::int64_t done[ensemble_lanes];        ///< good steps
  std::int64_t iterations[ensemble_lanes];  ///< of the solver, in all good steps
  std::uint8_t status[ensemble_lanes];      ///< as in core/status.hpp
  /// Whether the next step is one that the kernel cannot make, but the member's own stepper may.
  std::uint8_t single[ensemble_lanes];
};

using EnsembleKernel = void (*)(const EnsembleTask&, EnsembleOutcome&) noexcept;

/// Each twice: without and with compensated summation; null where there is none.
struct EnsembleKernels {
  EnsembleKernel hamel[2];
  EnsembleKernel hamel_body[2];
  EnsembleKernel variational[2];
  EnsembleKernel chain_variational[2];
  EnsembleKernel equations[2];
  EnsembleKernel spheres_hamel[2];
  EnsembleKernel uncoupled_variational[2];
  EnsembleKernel explicit_field[2];
};

/// Calling it makes the linker take what sets `ensemble` out of the library.
bool kernels_chosen();

/// Set once, before main, by the library; otherwise null.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): written once
inline const EnsembleKernels* ensemble = nullptr;

}  // namespace hamel_lanes
