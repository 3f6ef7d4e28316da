// SPDX-License-Identifier: BSD-3-Clause
// [sweep] of a scenario: which numbers vary among many members, and how.
//
//   [sweep]
//   samples = 1000          # members drawn at random; without it, all combinations of the values
//   seed = 1
//   [sweep.vary]
//   "system.length" = { from = 0.5, to = 1.5, count = 101 }   # or a list, [1.0, 2.0]
//   "initial.omega[1]" = { normal = [0.0, 0.2] }              # or uniform = [a, b]; with samples
//   [sweep.output]
//   final = true            # the final state of each member
//   invariants = true       # their values at the start, and how far they drifted
//   trajectory_every = 0    # steps between states kept of each member; 0: none
//
// Indices count from 0, as in the list: initial.omega[0][1] is the second component of the first
// vector.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "hamel/runs/sweep.hpp"

namespace hamel::io {

struct Scenario;

/// How one number varies.
struct Variation {
  enum class Law { range, list, normal, uniform };
  std::string key;
  Law law = Law::list;
  double a = 0.0, b = 0.0;     ///< ends, or mean and standard deviation
  std::int64_t count = 0;      ///< of a range
  std::vector<double> values;  ///< of a list

  bool random() const { return law == Law::normal || law == Law::uniform; }
  /// Values it takes; not for random ones.
  std::int64_t size() const {
    return law == Law::range ? count : static_cast<std::int64_t>(values.size());
  }
  double at(std::int64_t i) const;
};

struct Sweep {
  std::int64_t samples = 0;  ///< 0: all combinations
  std::uint64_t seed = 1;
  std::vector<Variation> vary;
  bool final_state = true;
  bool invariants = true;
  std::int64_t trajectory_every = 0;

  std::int64_t members() const;
  /// The numbers of one member, in the order of `vary`. Of combinations the last varies fastest;
  /// a random member depends on its number and the seed alone.
  void inputs(std::int64_t member, double* values) const;
};

/// [sweep] of a scenario; throws where it has none.
const Sweep& sweep_of(const Scenario& scenario);

/// Members of the scenario's sweep, for one thread. The scenario must outlive it.
std::unique_ptr<MemberSource> member_source(const Scenario& scenario);

/// One member as a scenario of its own, without a sweep and an output file. Throws InputError where
/// its values make no sense. Precondition: 0 ≤ member < members().
Scenario member_scenario(const Scenario& scenario, std::int64_t member);

/// What sweep() needs of the scenario.
SweepTask sweep_task(const Scenario& scenario);

}  // namespace hamel::io
