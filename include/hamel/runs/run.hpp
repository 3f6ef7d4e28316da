// SPDX-License-Identifier: BSD-3-Clause
// The run loop: blocks of steps, rows to a sink, checkpoints, progress, interruption.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "hamel/runs/simulation.hpp"

namespace hamel {

/// Takes rows as they come. Implementations write them to a recording or keep them in memory.
class RowSink {
 public:
  virtual ~RowSink() = default;
  /// A buffer to write over, of any size; the sink may hand back one it has finished with.
  virtual std::vector<double> take_buffer() { return {}; }
  /// The data of a RowTable of the simulation's columns, `count` rows in it.
  virtual void rows(std::vector<double>&& data, std::int64_t count) = 0;
  /// The state after all rows so far; called every half second or so of a long run.
  virtual void checkpoint(const Simulation&, double /*seconds*/) {}
  /// Returns when everything handed over is safe; called before the first step, and
  /// after each row where rows are very long.
  virtual void settle() {}
};

struct RunPlan {
  std::int64_t steps = 0;          ///< total, counted from the start of the run
  std::int64_t record_every = 0;   ///< 0: no rows
  std::int64_t measure_every = 0;  ///< 0: as the simulation suggests
  bool resumed = false;            ///< goes on after a checkpoint: the start row exists already
  double seconds_before = 0.0;     ///< of the interrupted run
  double checkpoint_interval = 0.5;
  RowSink* sink = nullptr;
  const std::atomic<bool>* stop = nullptr;  ///< set from outside to interrupt
  std::function<void(std::int64_t step, double seconds)> progress;
};

struct RunOutcome {
  Status status = Status::ok;
  std::int64_t failed_step = -1;  ///< number of the step that failed, from 1
  double seconds = 0.0;           ///< wall time of the step loop, with invariants and recording
  std::int64_t measured_every = 1;
};

/// Steps the simulation to plan.steps. The first row is the start state, the last one the last
/// state, on the grid of record_every or not.
RunOutcome run(Simulation& simulation, const RunPlan& plan);

}  // namespace hamel
