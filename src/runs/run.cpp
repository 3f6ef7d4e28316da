// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/runs/run.hpp"

#include <algorithm>

#include "hamel/core/stopwatch.hpp"

namespace hamel {

namespace {

constexpr double block_seconds = 0.02;  // interruption and progress react within this
// Handed over to the sink at once: 2 MB, to stay in the cache; columns are an odd number of its
// lines long, so that they do not all begin at one place in it.
constexpr std::int64_t most_rows = 507 * 8;
constexpr std::int64_t most_numbers = 1 << 18;

std::vector<int> widths(const Simulation& simulation) {
  std::vector<int> list;
  for (const OutputColumn& column : simulation.columns()) list.push_back(column.width);
  return list;
}

}  // namespace

RunOutcome run(Simulation& simulation, const RunPlan& plan) {
  RunOutcome outcome;
  outcome.measured_every =
      plan.measure_every > 0 ? plan.measure_every : simulation.suggested_measure_every();
  const bool recording = plan.sink != nullptr && plan.record_every > 0;
  const std::int64_t rows_per_block =
      std::clamp<std::int64_t>(most_numbers / simulation.row_width(), 1, most_rows);
  RowTable rows(widths(simulation));
  const auto write_row = [&](double* row) { simulation.write_row(row); };
  const auto hand_over = [&] {
    if (rows.rows() == 0) return;
    const std::int64_t count = rows.rows();
    plan.sink->rows(rows.take(), count);
    if (rows_per_block == 1) plan.sink->settle();  // one row is enough memory
  };
  const auto make_room = [&] {
    if (rows.room() == 0) rows.reset(plan.sink->take_buffer(), rows_per_block);
  };

  if (recording && !plan.resumed) {
    make_room();
    rows.add(write_row);
    hand_over();
  }
  if (plan.sink != nullptr) {
    plan.sink->checkpoint(simulation, plan.seconds_before);
    plan.sink->settle();
  }

  Stopwatch watch;
  double last_checkpoint = 0.0;
  std::int64_t block_steps = 256;
  while (simulation.step_count() < plan.steps && outcome.status == Status::ok) {
    if (plan.stop != nullptr && plan.stop->load(std::memory_order_relaxed)) {
      outcome.status = Status::interrupted;
      break;
    }
    Block block;
    block.steps = std::min(block_steps, plan.steps - simulation.step_count());
    block.measure_every = outcome.measured_every;
    if (recording) {
      make_room();
      block.record_every = plan.record_every;
      block.rows = &rows;
      block.steps = std::min(block.steps, (rows_per_block - rows.rows()) * plan.record_every);
    }
    const double block_begin = watch.seconds();
    const std::int64_t from = simulation.step_count();
    outcome.status = simulation.advance(block);
    const double now = watch.seconds();
    if (outcome.status != Status::ok) outcome.failed_step = simulation.step_count() + 1;

    const auto done = static_cast<double>(simulation.step_count() - from);
    const double took = std::max(now - block_begin, 1e-9);
    const double wanted =
        std::clamp(done * block_seconds / took, 0.25 * static_cast<double>(block_steps),
                   4.0 * static_cast<double>(block_steps));
    block_steps = std::clamp<std::int64_t>(static_cast<std::int64_t>(wanted), 1, 1 << 24);

    const bool due = now - last_checkpoint >= plan.checkpoint_interval;
    if (recording && (rows.rows() == rows_per_block || due)) hand_over();
    if (plan.sink != nullptr && due) {
      plan.sink->checkpoint(simulation, plan.seconds_before + now);
      last_checkpoint = now;
    }
    if (plan.progress) plan.progress(simulation.step_count(), plan.seconds_before + now);
  }

  if (recording) {
    const std::int64_t n = simulation.step_count();
    if (n > 0 && n % plan.record_every != 0 && outcome.status != Status::interrupted) {
      make_room();
      rows.add(write_row);  // the last state, off the regular grid
    }
    hand_over();
  }
  if (plan.sink != nullptr && outcome.status == Status::interrupted)
    plan.sink->checkpoint(simulation, plan.seconds_before + watch.seconds());
  outcome.seconds = plan.seconds_before + watch.seconds();
  return outcome;
}

}  // namespace hamel
