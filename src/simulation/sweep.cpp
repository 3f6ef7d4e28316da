#include "hamel/simulation/sweep.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <limits>
#include <map>
#include <mutex>
#include <thread>

#include "hamel/core/error.hpp"
#include "hamel/simulation/gang.hpp"

namespace hamel {

namespace {

constexpr std::size_t most_failures = 10;      // in the outcome
constexpr std::int64_t block_steps = 1 << 18;  // of all members of a block, about
constexpr std::int64_t most_in_block = 1024;   // members
constexpr double moment = 0.1;                 // s: what a block should take
constexpr std::int64_t stop_every = 512;       // steps between looks at `stop`

/// How a row of a simulation is laid out: t, state, invariants, what the solver did.
struct Parts {
  std::vector<OutputColumn> state, invariants;
  int state_width = 0;
  bool divisible = false;  ///< steps may be divided

  explicit Parts(const Simulation& simulation) {
    for (const OutputColumn& column : simulation.columns()) {
      if (column.path.starts_with("/invariants/")) {
        invariants.push_back(column);
      } else if (column.path == divided_steps_column().path) {
        divisible = true;
      } else if (column.path != "/t" && !column.path.starts_with("/solver/")) {
        state.push_back(column);
        state_width += column.width;
      }
    }
  }
};

/// One thread's part: blocks of members into rows.
class Worker {
 public:
  Worker(const SweepTask& task, const Parts& parts, std::unique_ptr<MemberSource> source,
         const std::atomic<bool>* stop)
      : task_(task),
        parts_(parts),
        source_(std::move(source)),
        stop_(stop),
        problems_(Gang::most),
        simulations_(Gang::most) {}

  struct Result {
    std::vector<double> rows;
    std::vector<MemberFailure> failures;
    std::int64_t members = 0, steps = 0, divided = 0;
    bool in_lanes = false;
    bool complete = true;
  };

  Result block(std::int64_t first, std::int64_t count) {
    Result result;
    for (std::int64_t i = 0; i < count && result.complete; i += Gang::most)
      gang(first + i, std::min<std::int64_t>(Gang::most, count - i), result);
    return result;
  }

 private:
  static constexpr double missing = std::numeric_limits<double>::quiet_NaN();

  struct Member {
    std::vector<double> inputs;
    Simulation* simulation = nullptr;  // null: it could not be made
    std::string reason;
    std::vector<double> trajectory;
  };

  void gang(std::int64_t first, std::int64_t count, Result& result) {
    std::vector<Member> members(static_cast<std::size_t>(count));
    std::vector<Simulation*> started;
    for (std::size_t i = 0; i < members.size(); ++i) {
      members[i].inputs.assign(task_.inputs.size(), missing);
      try {
        members[i].simulation = prepared(first + static_cast<std::int64_t>(i), i, members[i]);
        started.push_back(members[i].simulation);
      } catch (const InputError& error) {
        members[i].reason = error.what();
      }
    }
    if (!started.empty()) result.in_lanes |= run(started, members);
    if (stopped()) {
      result.complete = false;
      return;
    }
    std::size_t at = 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
      const Status status = members[i].simulation != nullptr ? gang_.status(at++) : Status::invalid;
      note(first + static_cast<std::int64_t>(i), status, members[i], result);
      write(status, members[i], result.rows);
    }
  }

  Simulation* prepared(std::int64_t member, std::size_t slot, Member& into) {
    problems_[slot] = source_->make(member, into.inputs.data());
    auto& simulation = simulations_[slot];
    if (!(simulation && source_->one_system() && problems_[slot]->restart(*simulation)))
      simulation = problems_[slot]->simulate(task_.method, task_.integration);
    return simulation.get();
  }

  bool stopped() const { return stop_ != nullptr && stop_->load(std::memory_order_relaxed); }

  /// Whether it began in lanes.
  bool run(const std::vector<Simulation*>& started, std::vector<Member>& members) {
    gang_.start(started);
    const bool in_lanes = gang_.in_lanes();
    const std::int64_t measure_every = task_.measure_every > 0 ? task_.measure_every
                                       : in_lanes
                                           ? std::max(started.front()->lane_measure_every(),
                                                      started.front()->suggested_measure_every())
                                           : started.front()->suggested_measure_every();
    keep(members);
    for (std::int64_t n = 0; n < task_.steps && gang_.going() && !stopped();) {
      const std::int64_t to_sample = task_.trajectory_every > 0
                                         ? task_.trajectory_every - n % task_.trajectory_every
                                         : task_.steps;
      const std::int64_t steps = std::min({stop_every, task_.steps - n, to_sample});
      gang_.advance(steps, measure_every);
      n += steps;
      if (task_.trajectory_every > 0 && n % task_.trajectory_every == 0) keep(members);
    }
    return in_lanes;
  }

  /// The present state of each member into its trajectory; nothing of those that have failed.
  void keep(std::vector<Member>& members) {
    if (task_.trajectory_every == 0) return;
    std::size_t at = 0;
    for (Member& member : members) {
      if (member.simulation == nullptr) continue;
      if (gang_.status(at++) != Status::ok) continue;
      row_.resize(static_cast<std::size_t>(member.simulation->row_width()));
      member.simulation->write_row(row_.data());
      member.trajectory.insert(member.trajectory.end(), row_.begin(),
                               row_.begin() + 1 + parts_.state_width);
    }
  }

  void note(std::int64_t number, Status status, const Member& member, Result& result) const {
    const std::int64_t steps = member.simulation != nullptr ? member.simulation->step_count() : 0;
    result.steps += steps;
    if (member.simulation != nullptr) result.divided += member.simulation->divided_steps();
    if (status == Status::ok) return;
    std::string reason =
        member.simulation != nullptr ? member.simulation->failure() : member.reason;
    if (reason.empty()) reason = meaning(status);
    result.failures.push_back(
        {number, status, member.simulation != nullptr ? steps + 1 : 0, std::move(reason)});
  }

  void write(Status status, const Member& member, std::vector<double>& rows) {
    rows.insert(rows.end(), member.inputs.begin(), member.inputs.end());
    Simulation* simulation = member.simulation;
    rows.push_back(static_cast<double>(status));
    rows.push_back(simulation != nullptr ? static_cast<double>(simulation->step_count()) : 0.0);
    rows.push_back(simulation != nullptr ? simulation->iterations_mean() : missing);
    if (parts_.divisible)
      rows.push_back(simulation != nullptr ? static_cast<double>(simulation->divided_steps())
                                           : 0.0);
    const auto state_width = static_cast<std::size_t>(parts_.state_width);
    if (task_.final_state) {
      if (simulation != nullptr) {
        row_.resize(static_cast<std::size_t>(simulation->row_width()));
        simulation->write_row(row_.data());
        rows.insert(rows.end(), row_.begin() + 1, row_.begin() + 1 + parts_.state_width);
      } else {
        rows.insert(rows.end(), state_width, missing);
      }
    }
    if (task_.invariants) {
      const std::size_t count = parts_.invariants.size();
      const std::size_t at = rows.size();
      rows.resize(at + 2 * count, missing);
      if (simulation != nullptr) write_drifts(*simulation, &rows[at], &rows[at + count]);
    }
    if (task_.trajectory_every > 0) write_trajectory(member, rows);
  }

  /// Of the invariants that the sweep has columns for. Where parameters vary, a member may have
  /// others: one that is 0 may leave a symmetry more.
  void write_drifts(Simulation& simulation, double* initial, double* largest) const {
    if (source_->one_system()) {
      simulation.write_drifts(initial, largest);
      return;
    }
    for (const InvariantDrift& own : simulation.invariants()) {
      const auto column =
          std::ranges::find(parts_.invariants, "/invariants/" + own.info.name, &OutputColumn::path);
      if (column == parts_.invariants.end()) continue;
      const auto at = column - parts_.invariants.begin();
      initial[at] = own.initial;
      largest[at] = own.max_drift;
    }
  }

  /// Column by column: all times, then all values of each part of the state.
  void write_trajectory(const Member& member, std::vector<double>& rows) const {
    const auto samples = static_cast<std::size_t>(task_.samples());
    const auto stride = static_cast<std::size_t>(1 + parts_.state_width);
    const std::size_t kept = member.trajectory.size() / stride;
    const auto put = [&](std::size_t from, std::size_t width) {
      for (std::size_t s = 0; s < samples; ++s)
        for (std::size_t c = 0; c < width; ++c)
          rows.push_back(s < kept ? member.trajectory[s * stride + from + c] : missing);
    };
    put(0, 1);
    std::size_t from = 1;
    for (const OutputColumn& column : parts_.state) {
      put(from, static_cast<std::size_t>(column.width));
      from += static_cast<std::size_t>(column.width);
    }
  }

  const SweepTask& task_;
  const Parts& parts_;
  std::unique_ptr<MemberSource> source_;
  const std::atomic<bool>* stop_;
  std::vector<std::unique_ptr<Problem>> problems_;
  std::vector<std::unique_ptr<Simulation>> simulations_;
  Gang gang_;
  std::vector<double> row_;
};

/// Blocks of members given to threads and taken back in order.
class Pipeline {
 public:
  Pipeline(const SweepTask& task, const SweepPlan& plan, const Parts& parts)
      : task_(task),
        plan_(plan),
        parts_(parts),
        most_(most_in_a_block(task.steps)),
        window_(2 * static_cast<std::int64_t>(plan.threads)),
        next_member_(plan.first) {}

  SweepOutcome run() {
    const auto begin = Clock::now();
    const auto seconds = [&] {
      return std::chrono::duration<double>(Clock::now() - begin).count();
    };
    SweepOutcome outcome;
    outcome.done = plan_.first;
    {
      std::vector<std::jthread> threads;
      for (int i = 0; i < plan_.threads; ++i) threads.emplace_back([this] { work(); });
      try {
        while (outcome.done < plan_.members && take(outcome))
          if (plan_.progress) plan_.progress(outcome.done, seconds());
      } catch (...) {
        fail(std::current_exception());
      }
      close();
    }
    if (error_) std::rethrow_exception(error_);
    outcome.seconds = seconds();
    if (outcome.done < plan_.members) outcome.status = Status::interrupted;
    return outcome;
  }

 private:
  using Clock = std::chrono::steady_clock;

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
      Worker worker(task_, parts_, plan_.source(), plan_.stop);
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
        const auto begin = Clock::now();
        auto result = worker.block(first, count);
        const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
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
    Worker::Result result;
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
  const Parts& parts_;
  std::int64_t most_;    // members of a block
  std::int64_t window_;  // blocks that may be begun beyond the one to be taken next
  std::mutex mutex_;
  std::condition_variable changed_;
  std::int64_t next_member_;
  double seconds_each_ = 0.0;  // of a member in the last block; 0: not known
  bool in_lanes_ = false;
  std::int64_t next_ = 0;
  std::int64_t taken_ = 0;
  std::map<std::int64_t, Worker::Result> ready_;
  std::exception_ptr error_;
  bool closed_ = false;
};

}  // namespace

std::vector<OutputColumn> sweep_columns(const SweepTask& task, const Simulation& like) {
  const Parts parts(like);
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
  const Parts parts(like);
  return Pipeline(task, plan, parts).run();
}

}  // namespace hamel
