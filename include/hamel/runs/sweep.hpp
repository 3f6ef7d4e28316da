// SPDX-License-Identifier: BSD-3-Clause
// Sweeps: many members of one scenario, which differ by some of its numbers, on several threads.
//
// A member becomes one row:
//   inputs …, status, steps, iterations, [final state …], [invariants …, drift …], [trajectory …].
// Threads take blocks of members; the rows leave in the order of the members, from the caller's
// thread, so that neither their values nor their order depend on the number of threads. Memory: the
// blocks in flight, two for each thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hamel/runs/problem.hpp"

namespace hamel {

/// What is swept, apart from the variation itself.
struct SweepTask {
  MethodSpec method;
  IntegrationOptions integration;
  std::int64_t steps = 0;           ///< of each member
  std::int64_t measure_every = 0;   ///< of invariants; 0: 64 in lanes, else as the method suggests
  std::vector<std::string> inputs;  ///< names of what varies
  std::vector<std::string> units;   ///< theirs
  bool final_state = true;
  bool invariants = true;
  std::int64_t trajectory_every = 0;  ///< steps between the states kept of each member; 0: none

  /// States kept of each member.
  std::int64_t samples() const { return trajectory_every > 0 ? steps / trajectory_every + 1 : 0; }
};

/// Makes members; each thread has one of its own.
class MemberSource {
 public:
  virtual ~MemberSource() = default;

  /// Writes the inputs of a member and returns its problem. Throws InputError where its values make
  /// no sense; the inputs are written then too.
  virtual std::unique_ptr<Problem> make(std::int64_t member, double* inputs) = 0;
  /// Whether all members are one system from different starts, or with different numbers for its
  /// parameters: Problem::restart applies.
  virtual bool one_system() const = 0;
};

/// The columns of a member's row; `like` is any member.
std::vector<OutputColumn> sweep_columns(const SweepTask& task, const Simulation& like);

/// A member that did not come to its end.
struct MemberFailure {
  std::int64_t member = 0;
  Status status = Status::ok;
  std::int64_t step = 0;  ///< that failed, from 1; 0: it could not start
  std::string reason;
};

struct SweepPlan {
  std::int64_t first = 0;    ///< member to begin with: those before are done
  std::int64_t members = 0;  ///< in all
  int threads = 1;           ///< 0, or a library without threads: that of the caller
  std::function<std::unique_ptr<MemberSource>()> source;
  /// Rows of the next members, and which of them failed; called by the thread that called sweep().
  std::function<void(const std::vector<double>& rows, std::int64_t count,
                     const std::vector<MemberFailure>& failures)>
      rows;
  const std::atomic<bool>* stop = nullptr;
  std::function<void(std::int64_t done, double seconds)> progress;
};

struct SweepOutcome {
  Status status = Status::ok;  ///< ok or interrupted
  std::int64_t done = 0;       ///< members with a row, those before included
  std::int64_t failed = 0;     ///< of those made now
  std::int64_t steps = 0;      ///< good steps of all made now
  std::int64_t divided = 0;    ///< of them, those made of shorter ones
  double seconds = 0.0;
  bool in_lanes = false;
  std::vector<MemberFailure> failures;  ///< the first few
};

/// Runs the members; `like` is a simulation of any of them. What a source or `rows` throws, besides
/// the InputError of a member, ends it.
SweepOutcome sweep(const SweepTask& task, const Simulation& like, const SweepPlan& plan);

}  // namespace hamel
