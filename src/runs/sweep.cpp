// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/runs/sweep.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <thread>

#include "hamel/core/stopwatch.hpp"
#include "sweep_worker.hpp"

namespace hamel {

namespace {

constexpr std::size_t most_failures = 10;      // in the outcome
constexpr std::int64_t block_steps = 1 << 18;  // of all members of a block, about
constexpr std::int64_t most_in_block = 1024;   // members
constexpr double moment = 0.1;                 // s: what a block should take

/// Blocks of members given to threads and taken back in order.
class Pipeline {
 public:
  Pipeline(const SweepTask& task, const SweepPlan& plan, const SweepParts& parts)
      : task_(task),
        plan_(plan),
        parts_(parts),
        most_(most_in_a_block(task.steps)),
        window_(2 * static_cast<std::int64_t>(plan.threads)),
        next_member_(plan.first) {}

  SweepOutcome run() {
    Stopwatch watch;
    SweepOutcome outcome;
    outcome.done = plan_.first;
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < plan_.threads; ++i) threads.emplace_back([this] { work(); });
      try {
        while (outcome.done < plan_.members && take(outcome))
          if (plan_.progress) plan_.progress(outcome.done, watch.seconds());
      } catch (...) {
        fail(std::current_exception());
      }
      close();
    }
    if (error_) std::rethrow_exception(error_);
    outcome.seconds = watch.seconds();
    if (outcome.done < plan_.members) outcome.status = Status::interrupted;
    return outcome;
  }

 private:
  /// Not so many that rows in flight take much memory.
  static std::int64_t most_in_a_block(std::int64_t steps) {
    const std::int64_t gangs = block_steps / std::max<std::int64_t>(1, steps) / Gang::most;
    return std::clamp<std::int64_t>(gangs, 1, most_in_block / Gang::most) * Gang::most;
  }

  /// Members of the next block: what takes a moment, by those before, and no more than leaves
  /// something for all threads to the end. Full lanes. How members are put together changes neither
  /// their rows nor the file.
  std::int64_t next_size() const {
    if (!(seconds_each_ > 0.0)) return 1;  // nothing is known of them
    const std::int64_t left = plan_.members - next_member_;
    const auto in_a_moment =
        static_cast<std::int64_t>(std::min(moment / seconds_each_, static_cast<double>(most_)));
    std::int64_t size = std::min({in_a_moment, most_, left / window_ + 1});
    if (in_lanes_) size = (size + Gang::most - 1) / Gang::most * Gang::most;
    return std::clamp<std::int64_t>(size, 1, left);
  }

  void work() noexcept {
    try {
      SweepWorker worker(task_, parts_, plan_.source(), plan_.stop);
      for (;;) {
        std::int64_t number = 0;
        std::int64_t first = 0;
        std::int64_t count = 0;
        {
          std::unique_lock lock(mutex_);
          const auto all_given = [&] { return next_member_ >= plan_.members; };
          changed_.wait(lock, [&] { return closed_ || all_given() || next_ < taken_ + window_; });
          if (closed_ || all_given()) return;
          number = next_++;
          first = next_member_;
          count = next_size();
          next_member_ += count;
        }
        Stopwatch watch;
        auto result = worker.block(first, count);
        const double seconds = watch.seconds();
        result.members = count;
        const std::lock_guard lock(mutex_);
        seconds_each_ = std::max(seconds, 1e-9) / static_cast<double>(count);
        in_lanes_ = in_lanes_ || result.in_lanes;
        if (!result.complete) {
          closed_ = true;
        } else {
          ready_.emplace(number, std::move(result));
        }
        changed_.notify_all();
        if (closed_) return;
      }
    } catch (...) {
      fail(std::current_exception());
    }
  }

  /// Hands over the next block, if it comes within 50 ms; false when none will come.
  bool take(SweepOutcome& outcome) {
    SweepWorker::Result result;
    {
      std::unique_lock lock(mutex_);
      const auto here = [&] { return ready_.contains(taken_); };
      changed_.wait_for(lock, std::chrono::milliseconds(50), [&] { return closed_ || here(); });
      if (!here()) return !closed_;
      result = std::move(ready_.extract(taken_).mapped());
    }
    plan_.rows(result.rows, result.members, result.failures);
    outcome.done += result.members;
    outcome.failed += static_cast<std::int64_t>(result.failures.size());
    outcome.steps += result.steps;
    outcome.divided += result.divided;
    outcome.in_lanes = outcome.in_lanes || result.in_lanes;
    for (MemberFailure& failure : result.failures)
      if (outcome.failures.size() < most_failures) outcome.failures.push_back(std::move(failure));
    const std::lock_guard lock(mutex_);
    ++taken_;
    changed_.notify_all();
    return true;
  }

  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  void fail(std::exception_ptr error) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::move(error);
    closed_ = true;
    changed_.notify_all();
  }

  const SweepTask& task_;
  const SweepPlan& plan_;
  const SweepParts& parts_;
  std::int64_t most_;    // members of a block
  std::int64_t window_;  // blocks that may be begun beyond the one to be taken next
  std::mutex mutex_;
  std::condition_variable changed_;
  std::int64_t next_member_;
  double seconds_each_ = 0.0;  // of a member in the last block; 0: not known
  bool in_lanes_ = false;
  std::int64_t next_ = 0;
  std::int64_t taken_ = 0;
  std::map<std::int64_t, SweepWorker::Result> ready_;
  std::exception_ptr error_;
  bool closed_ = false;
};

}  // namespace

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
  return Pipeline(task, plan, parts).run();
}

}  // namespace hamel
