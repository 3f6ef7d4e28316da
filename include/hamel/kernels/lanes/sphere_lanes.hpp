// SPDX-License-Identifier: BSD-3-Clause
// Steps of pendula in lanes: any step class of a uniform field over Lanes, one member a lane, each
// with its own field strength.
#pragma once

#include <cstring>
#include <type_traits>

#include "hamel/core/lanes.hpp"
#include "hamel/core/status.hpp"
#include "hamel/core/summation.hpp"
#include "hamel/kernels/lanes/ensemble_kernels.hpp"
#include "hamel/kernels/pendulum/pendulum_field.hpp"
#include "hamel/models/sphere_system.hpp"
#include "hamel/solve/newton.hpp"

namespace hamel::lanes {

/// Stepped at once: two registers, so that one computes while the other waits for a division.
inline constexpr int together = 2 * register_lanes;
using Members = Lanes<together>;

/// Counts a step of all lanes that still go: which of them failed in it, and how.
template <int W>
class MemberCount {
 public:
  const LaneMask<W>& going() const { return going_; }

  /// False when no lane goes on. Overflows: the step left no finite state; wild: a failure from
  /// there is one of these, too.
  __attribute__((always_inline)) bool add(const StepReport<Lanes<W>>& report,
                                          const LaneMask<W>& overflows = LaneMask<W>(false),
                                          const LaneMask<W>& wild = LaneMask<W>(false)) {
    if (any(report.failed() || overflows)) [[unlikely]] {
      note_failures(report, overflows, wild);
      if (!any(going_)) return false;
    }
    iterations_ += select(going_, report.iterations, Lanes<W>(0.0));
    done_ += select(going_, Lanes<W>(1.0), Lanes<W>(0.0));
    return true;
  }

  /// For the lanes from `first` on.
  void write(hamel_lanes::EnsembleOutcome& outcome, int first) const {
    double done[W];
    double iterations[W];
    done_.store(done);
    iterations_.store(iterations);
    for (int i = 0; i < W; ++i) {
      outcome.done[first + i] = static_cast<std::int64_t>(done[i]);
      outcome.iterations[first + i] = static_cast<std::int64_t>(iterations[i]);
      outcome.status[first + i] = static_cast<std::uint8_t>(status_[i]);
    }
  }

 private:
  __attribute__((noinline)) void note_failures(const StepReport<Lanes<W>>& report,
                                               const LaneMask<W>& overflows,
                                               const LaneMask<W>& wild) {
    const auto failed = report.failed() || overflows;
    for (int i = 0; i < W; ++i)
      if (going_[i] && failed[i])
        status_[i] = overflows[i] || wild[i] ? Status::not_finite
                     : report.no_solution[i] ? Status::no_solution
                     : report.singular[i]    ? Status::singular
                                             : Status::no_convergence;
    going_ = going_ && !failed;
  }

  LaneMask<W> going_{true};
  Lanes<W> done_{0.0};
  Lanes<W> iterations_{0.0};
  Status status_[W]{};
};

template <template <class, class, Summation> class Step, Summation Mode>
void sphere_steps(const hamel_lanes::EnsembleTask& task,
                  hamel_lanes::EnsembleOutcome& outcome) noexcept {
  using MemberFields = PendulumField<Members>;
  using Stepped = Step<MemberFields, Members, Mode>;
  using State = typename Stepped::State;
  static_assert(std::is_trivially_copyable_v<State> && sizeof(State) % sizeof(Members) == 0);
  constexpr int numbers = sizeof(State) / sizeof(Members);
  constexpr int lanes = hamel_lanes::ensemble_lanes;
  for (int first = 0; first < task.members; first += together) {
    const Stepped step(0, MemberFields(Members::load(task.constants + first)), Members(task.h),
                       SolverOptions{task.tolerance, task.max_iterations});
    Members in[numbers];
    for (int i = 0; i < numbers; ++i) in[i] = Members::load(task.state + i * lanes + first);
    State state;
    std::memcpy(static_cast<void*>(&state), in, sizeof state);
    MemberCount<together> count;
    for (std::int64_t i = 0; i < task.steps; ++i)
      if (!count.add(step.step(state))) break;
    std::memcpy(static_cast<void*>(in), &state, sizeof state);
    for (int i = 0; i < numbers; ++i) in[i].store(task.state + i * lanes + first);
    count.write(outcome, first);
  }
}

}  // namespace hamel::lanes
