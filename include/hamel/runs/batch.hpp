// SPDX-License-Identifier: BSD-3-Clause
// Batch: simulations of one kind that go on together, in the lanes of one kernel where there is
// one; the others one after the other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "hamel/runs/simulation.hpp"

namespace hamel {

class Batch {
 public:
  /// The most a batch takes.
  static constexpr int most = hamel_lanes::ensemble_lanes;

  /// Members that have not been stepped yet and all have the same method and sizes; they must
  /// outlive the batch's use of them.
  void start(std::vector<Simulation*> members);

  /// Goes on by so many steps; a member that fails stays where it is. Invariants are measured at
  /// every `measure_every`-th step.
  void advance(std::int64_t steps, std::int64_t measure_every) noexcept;

  Status status(std::size_t member) const { return status_[member]; }
  bool in_lanes() const { return kernel_ != nullptr; }
  /// How many go in lanes now.
  std::int64_t lanes_taken() const {
    return in_lanes() ? std::ssize(lane_members_) - std::ranges::count(lane_members_, nobody) : 0;
  }
  /// Whether a member still goes on.
  bool going() const;

 private:
  void enter_lanes();
  void choose_lane_members();
  /// As far as the step `end`, the next measurement or the next look.
  hamel_lanes::EnsembleOutcome advance_lanes(std::int64_t end, std::int64_t measure_every) noexcept;
  /// Lanes whose members went on alone repeat another, so that they hold up nobody.
  void fill_left_lanes() noexcept;
  void advance_single(std::size_t member, std::int64_t steps, std::int64_t measure_every) noexcept;

  std::vector<Simulation*> members_;
  std::vector<Status> status_;
  std::int64_t n_ = 0;
  std::int64_t most_unseen_ = 0;  // steps in lanes between two looks at the members
  hamel_lanes::EnsembleKernel kernel_ = nullptr;
  hamel_lanes::EnsembleTask task_;
  std::vector<LaneAccess> access_;  // of all members, or none
  static constexpr std::size_t nobody = static_cast<std::size_t>(-1);
  std::vector<std::size_t> lane_members_;  // who goes in which lane; nobody: went on alone
  std::vector<double> state_, constants_, scratch_;
};

}  // namespace hamel
