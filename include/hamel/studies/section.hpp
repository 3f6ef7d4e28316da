// SPDX-License-Identifier: BSD-3-Clause
// Poincaré sections: where a motion passes through a surface g(z) = 0 of the phase space.
//
// The motion is that of a run, node by node. Where g changes its sign between two nodes, the method
// itself makes a step of θh from the first of them, and θ in (0, 1] is found such that
//
//   g(Φ_{θh}(z_n)) = 0,
//
// by false position kept within its bracket (Anderson–Björck), to the last bits of θ. For a
// one-step method this is as exact as the run: the point has the method's own order, and its
// invariants. (M. Hénon, Physica D 5 (1982) 412 integrates the rest of the step by g itself; here g
// may be any formula, and the method stays what it is.) Two passages within one step cancel and are
// not seen.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "hamel/studies/phase_function.hpp"

namespace hamel {

struct SectionPlan {
  std::int64_t steps = 0;
  int direction = 1;  ///< 1: g rises, −1: it falls, 0: both
  const std::atomic<bool>* stop = nullptr;
  std::function<void(std::int64_t step)> progress;
};

struct Crossing {
  double t = 0.0;
  int direction = 1;      ///< of g
  std::vector<double> z;  ///< (q, velocity)
};

struct SectionOutcome {
  Status status = Status::ok;
  std::int64_t steps = 0;  ///< good ones
  std::vector<Crossing> crossings;
};

/// Throws InputError where the system depends on time, since a state alone then does not tell how
/// it moves on, and where the method's nodes do not lie at whole steps.
SectionOutcome find_crossings(const Problem& problem, const MethodSpec& method,
                              const IntegrationOptions& options, PhaseFunction& surface,
                              const SectionPlan& plan);

}  // namespace hamel
