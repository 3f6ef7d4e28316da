// SPDX-License-Identifier: BSD-3-Clause
// SweepWorker: one thread's part of a sweep, blocks of members into rows.
#pragma once

#include "hamel/runs/batch.hpp"
#include "hamel/runs/sweep.hpp"

namespace hamel {

/// How a row of a simulation is laid out: t, state, invariants, what the solver did.
struct SweepParts {
  std::vector<OutputColumn> state, invariants;
  int state_width = 0;
  bool divisible = false;  ///< steps may be divided

  explicit SweepParts(const Simulation& simulation);
};

class SweepWorker {
 public:
  /// Task and parts must outlive it.
  SweepWorker(const SweepTask& task, const SweepParts& parts, std::unique_ptr<MemberSource> source,
              const std::atomic<bool>* stop);

  struct Result {
    std::vector<double> rows;
    std::vector<MemberFailure> failures;
    std::int64_t members = 0, steps = 0, divided = 0;
    bool in_lanes = false;
    bool complete = true;
  };

  /// Rows of the members first … first + count − 1; not complete where it was stopped.
  Result block(std::int64_t first, std::int64_t count);

 private:
  struct Member {
    std::vector<double> inputs;
    Simulation* simulation = nullptr;  // null: it could not be made
    std::string reason;
    std::vector<double> trajectory;
  };

  void batch(std::int64_t first, std::int64_t count, Result& result);
  Simulation* prepared(std::int64_t member, std::size_t slot, Member& into);
  bool stopped() const { return stop_ != nullptr && stop_->load(std::memory_order_relaxed); }
  /// Whether it began in lanes.
  bool run(const std::vector<Simulation*>& started, std::vector<Member>& members);
  /// The present state of each member into its trajectory; nothing of those that have failed.
  void keep(std::vector<Member>& members);
  static void note(std::int64_t number, Status status, const Member& member, Result& result);
  void write(Status status, const Member& member, std::vector<double>& rows);
  /// Of the invariants that the sweep has columns for. Where parameters vary, a member may have
  /// others: one that is 0 may leave a symmetry more.
  void write_drifts(Simulation& simulation, double* initial, double* largest) const;
  /// Column by column: all times, then all values of each part of the state.
  void write_trajectory(const Member& member, std::vector<double>& rows) const;

  const SweepTask& task_;
  const SweepParts& parts_;
  std::unique_ptr<MemberSource> source_;
  const std::atomic<bool>* stop_;
  std::vector<std::unique_ptr<Problem>> problems_;
  std::vector<std::unique_ptr<Simulation>> simulations_;
  Batch batch_;
  std::vector<double> row_;
};

}  // namespace hamel
