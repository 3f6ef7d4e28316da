// SPDX-License-Identifier: BSD-3-Clause
// The members of a sweep in blocks, and what comes of them.
#pragma once

#include <algorithm>
#include <tuple>
#include <utility>

#include "sweep_worker.hpp"

namespace hamel {

/// Which members make the next block. How they are put together changes neither their rows nor the
/// file.
class SweepBlocks {
 public:
  SweepBlocks(const SweepTask& task, const SweepPlan& plan)
      : members_(plan.members),
        most_(most_in_a_block(task.steps)),
        window_(2 * std::max<std::int64_t>(1, plan.threads)),
        next_(plan.first) {}

  /// Blocks that may be begun beyond the one to be taken next.
  std::int64_t window() const { return window_; }
  bool all_given() const { return next_ >= members_; }
  /// The first member of the next block, and how many they are.
  std::pair<std::int64_t, std::int64_t> next() {
    const std::int64_t count = next_size();
    next_ += count;
    return {next_ - count, count};
  }
  /// A block of so many took so long.
  void took(std::int64_t count, double seconds, bool in_lanes) {
    seconds_each_ = std::max(seconds, 1e-9) / static_cast<double>(count);
    in_lanes_ = in_lanes_ || in_lanes;
  }

 private:
  static constexpr std::int64_t block_steps = 1 << 18;  // of all members of a block, about
  static constexpr std::int64_t most_members = 1024;
  static constexpr double moment = 0.1;  // s: what a block should take

  /// Not so many that rows in flight take much memory.
  static std::int64_t most_in_a_block(std::int64_t steps) {
    const std::int64_t batches = block_steps / std::max<std::int64_t>(1, steps) / Batch::most;
    return std::clamp<std::int64_t>(batches, 1, most_members / Batch::most) * Batch::most;
  }
  /// What takes a moment, by those before, and no more than leaves something for all threads to the
  /// end. Full lanes.
  std::int64_t next_size() const {
    if (!(seconds_each_ > 0.0)) return 1;  // nothing is known of them
    const std::int64_t left = members_ - next_;
    const auto in_a_moment =
        static_cast<std::int64_t>(std::min(moment / seconds_each_, static_cast<double>(most_)));
    std::int64_t size =
        std::max<std::int64_t>(1, std::min({in_a_moment, most_, left / window_ + 1}));
    if (in_lanes_) size = (size + Batch::most - 1) / Batch::most * Batch::most;
    return std::min(size, left);
  }

  std::int64_t members_, most_, window_, next_;
  double seconds_each_ = 0.0;  // of a member in the last block; 0: not known
  bool in_lanes_ = false;
};

/// The rows of a block to their receiver, and into the sums.
void hand_over(SweepWorker::Result&& result, const SweepPlan& plan, SweepOutcome& outcome);

/// The members one block after the other, on the caller's thread.
void sweep_in_turn(const SweepTask& task, const SweepPlan& plan, const SweepParts& parts,
                   SweepOutcome& outcome);
/// On plan.threads threads.
void sweep_on_threads(const SweepTask& task, const SweepPlan& plan, const SweepParts& parts,
                      SweepOutcome& outcome);

}  // namespace hamel
