// SPDX-License-Identifier: BSD-3-Clause
// Simulation: one method on one problem, stepped in blocks behind a small interface.
//
// The loop over steps is compiled per (system, method), so a step costs no indirect call; the
// interface is crossed once per block of thousands of steps.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hamel/core/error.hpp"
#include "hamel/core/parameters.hpp"
#include "hamel/core/status.hpp"
#include "hamel/runs/row_table.hpp"
#include "hamel/solve/newton.hpp"
#include "hamel/stepping/method.hpp"
#include "hamel/stepping/stepper.hpp"

namespace hamel {

/// How to integrate, apart from the method.
struct IntegrationOptions {
  double step = 0.0;
  bool compensated = false;
  SolverOptions solver = {};
  const std::atomic<bool>* stop = nullptr;  ///< set from outside to interrupt a bare integration
};

/// The texts of an InvariantInfo, kept: results outlive the system they come from.
struct InvariantText {
  std::string name, unit, description, not_kept;

  InvariantText() = default;
  explicit InvariantText(const InvariantInfo& info)
      : name(info.name), unit(info.unit), description(info.description), not_kept(info.not_kept) {}
};

/// What became of one invariant.
struct InvariantDrift {
  InvariantText info;
  double initial, final, max_drift, drift_per_step;
};

/// A named part of a state, e.g. q = (q1, q2, q3).
struct NamedValues {
  OutputField field;
  std::vector<double> values;
};

/// One quantity of every row, e.g. {"/invariants/energy", 1, "J", "…"}.
struct OutputColumn {
  std::string path;
  int width = 1;
  std::string unit;
  std::string description;
};

/// A request to go on, and what came of it.
struct Block {
  std::int64_t steps = 0;          ///< at most this many
  std::int64_t record_every = 0;   ///< 0: no rows
  std::int64_t measure_every = 1;  ///< invariants every so many steps
  RowTable* rows = nullptr;        ///< gets them; has room for ⌈steps/record_every⌉ more
};

/// What a kernel needs to step a simulation in one of its lanes.
struct LaneAccess {
  StepperLanes steps;
  std::span<double> state, memory;  ///< its numbers, one list after the other
  double h = 0.0;
};

/// Steps made elsewhere.
struct LaneSteps {
  std::int64_t done = 0, iterations = 0;
  Status status = Status::ok;
  bool measured = true;  ///< invariants are due after the last of them
  bool between = false;  ///< others follow at once; only what must be looked at often is
};

class Simulation {
 public:
  virtual ~Simulation() = default;

  /// Goes on by block.steps, or to the first failed step, whose predecessor stays the state.
  virtual Status advance(Block& block) noexcept = 0;

  virtual std::int64_t step_count() const = 0;
  virtual double time() const = 0;
  virtual std::vector<NamedValues> state() const = 0;
  /// Invariants so far. The present state is measured first if it was not yet.
  virtual std::vector<InvariantDrift> invariants() = 0;
  /// The same without texts: at the start, and how far from that at most.
  virtual void write_drifts(double* initial, double* largest) = 0;
  virtual double iterations_mean() const = 0;
  virtual std::int64_t iterations_max() const = 0;
  /// Steps that did not converge and were made of shorter ones.
  virtual std::int64_t divided_steps() const { return 0; }
  /// How often invariants should be measured so that they cost < 5 % of stepping.
  virtual std::int64_t suggested_measure_every() const = 0;
  /// The same for members in lanes, for whom a step costs less.
  virtual std::int64_t lane_measure_every() const { return 64; }
  /// How often members in lanes must be looked at, whether invariants are measured or not; 0:
  /// never.
  virtual std::int64_t lane_observe_every() const { return 0; }

  /// After a failed step: what failed, as far as is known beyond the status.
  virtual std::string failure() const { return {}; }
  /// After a failed step: a smaller one with which it went on from there for some time; 0 where
  /// none was found, nothing where none was tried.
  virtual std::optional<double> working_step() const { return std::nullopt; }

  /// What the user should be told of the run so far besides its invariants.
  virtual std::vector<std::string> remarks() const { return {}; }

  /// Columns of a row: /t, the state, /invariants/NAME, /solver/iterations, and /solver/divided of
  /// methods whose steps may be divided.
  virtual std::vector<OutputColumn> columns() const = 0;
  virtual int row_width() const = 0;
  /// Writes the row of the present state.
  virtual void write_row(double* row) const = 0;

  /// Nothing where there is no kernel for it.
  virtual std::optional<LaneAccess> lane_access() { return std::nullopt; }
  /// The numbers of lane_access() are those after more steps: counts these, and measures
  /// where that is due. How it goes on from there.
  virtual Status stepped(const LaneSteps& steps) noexcept { return steps.status; }

  /// The complete state bit by bit (compensation, warm starts, drift sums), for checkpoints.
  virtual std::vector<std::byte> snapshot() const = 0;
  /// Throws InputError if the bytes are not a snapshot of this very kind of simulation.
  virtual void restore(const std::vector<std::byte>& bytes) = 0;
};

/// A step that does not converge is made of 2, 4, … this many, where the method allows.
inline constexpr int most_divisions = 64;

/// That step: begin(parts) goes back to its start and returns what makes part k of so many.
template <class Begin>
StepReport<double> divide(StepReport<double> failed, Begin&& begin) {
  for (int parts = 2; parts <= most_divisions; parts *= 2) {
    const auto part = begin(parts);
    StepReport<double> report;
    for (int k = 0; k < parts && !report.failed(); ++k) {
      const int before = report.iterations;
      report = part(k);
      report.iterations += before;
    }
    failed.iterations += report.iterations;
    if (report.failed()) continue;
    report.iterations = failed.iterations;
    return report;
  }
  return failed;
}

inline OutputColumn solver_iterations_column() {
  return {"/solver/iterations", 1, "1", "solver iterations of the step"};
}
inline OutputColumn divided_steps_column() {
  return {"/solver/divided", 1, "1", "steps so far that were made of shorter ones"};
}

inline std::string division_remark(std::int64_t divided) {
  return std::to_string(divided) + (divided == 1 ? " step" : " steps") +
         " did not converge and went in shorter ones; a smaller step would be faster";
}

/// Throws InputError unless these counts of a snapshot, some of which serve as indices, are such
/// that a run can reach them.
inline void check_counts(std::initializer_list<std::int64_t> counts) {
  constexpr std::int64_t most = std::int64_t{1} << 60U;
  for (const std::int64_t count : counts)
    if (count < 0 || count > most)
      throw InputError("the state in the checkpoint is damaged: it counts " +
                       std::to_string(count) + " steps or iterations");
}

}  // namespace hamel
