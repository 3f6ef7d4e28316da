// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/runs/sweep.hpp"

#include "hamel/core/stopwatch.hpp"
#include "sweep_blocks.hpp"

namespace hamel {

namespace {
constexpr std::size_t most_failures = 10;  // in the outcome
}  // namespace

void hand_over(SweepWorker::Result&& result, const SweepPlan& plan, SweepOutcome& outcome) {
  plan.rows(result.rows, result.members, result.failures);
  outcome.done += result.members;
  outcome.failed += static_cast<std::int64_t>(result.failures.size());
  outcome.steps += result.steps;
  outcome.divided += result.divided;
  outcome.in_lanes = outcome.in_lanes || result.in_lanes;
  for (MemberFailure& failure : result.failures)
    if (outcome.failures.size() < most_failures) outcome.failures.push_back(std::move(failure));
}

void sweep_in_turn(const SweepTask& task, const SweepPlan& plan, const SweepParts& parts,
                   SweepOutcome& outcome) {
  Stopwatch whole;
  SweepBlocks blocks(task, plan);
  SweepWorker worker(task, parts, plan.source(), plan.stop);
  while (!blocks.all_given()) {
    const auto [first, count] = blocks.next();
    Stopwatch watch;
    SweepWorker::Result result = worker.block(first, count);
    if (!result.complete) return;
    result.members = count;
    blocks.took(count, watch.seconds(), result.in_lanes);
    hand_over(std::move(result), plan, outcome);
    if (plan.progress) plan.progress(outcome.done, whole.seconds());
  }
}

std::vector<OutputColumn> sweep_columns(const SweepTask& task, const Simulation& like) {
  const SweepParts parts(like);
  std::vector<OutputColumn> columns;
  for (std::size_t k = 0; k < task.inputs.size(); ++k)
    columns.push_back(
        {"/inputs/" + task.inputs[k], 1, task.units[k], "what varies among the members"});
  std::string codes;
  for (const Status status : {Status::ok, Status::no_convergence, Status::no_solution,
                              Status::singular, Status::not_finite, Status::invalid})
    codes += (codes.empty() ? "" : ", ") + std::to_string(static_cast<int>(status)) + " " +
             to_string(status);
  columns.push_back({"/status", 1, "", codes});
  columns.push_back({"/steps", 1, "1", "good steps"});
  columns.push_back({"/iterations", 1, "1", "solver iterations of a step, on average"});
  if (parts.divisible)
    columns.push_back({"/divided", 1, "1", "steps that were made of shorter ones"});
  if (task.final_state)
    for (const OutputColumn& c : parts.state)
      columns.push_back({"/final" + c.path, c.width, c.unit, c.description});
  if (task.invariants) {
    for (const OutputColumn& c : parts.invariants)
      columns.push_back({c.path, 1, c.unit, c.description + ", at the start"});
    for (const OutputColumn& c : parts.invariants)
      columns.push_back({"/drift/" + c.path.substr(std::string("/invariants/").size()), 1, c.unit,
                         "largest distance from the start's value: " + c.description});
  }
  if (task.trajectory_every > 0) {
    const auto samples = static_cast<int>(task.samples());
    columns.push_back({"/trajectory/t", samples, "s", "times of the states kept"});
    for (const OutputColumn& c : parts.state)
      columns.push_back({"/trajectory" + c.path, samples * c.width, c.unit,
                         c.description + ", one state after the other"});
  }
  return columns;
}

SweepOutcome sweep(const SweepTask& task, const Simulation& like, const SweepPlan& plan) {
  const SweepParts parts(like);
  Stopwatch watch;
  SweepOutcome outcome;
  outcome.done = plan.first;
#ifdef HAMEL_THREADS
  if (plan.threads > 0)
    sweep_on_threads(task, plan, parts, outcome);
  else
#endif
    sweep_in_turn(task, plan, parts, outcome);
  outcome.seconds = watch.seconds();
  if (outcome.done < plan.members) outcome.status = Status::interrupted;
  return outcome;
}

}  // namespace hamel
