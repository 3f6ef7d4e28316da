// SPDX-License-Identifier: BSD-3-Clause
// What a method whose size is known at run time is to the run loop: on frames and on many spheres.
//
// A state z = (q, P) or, with outer forces, (q, P, W): coordinates, velocities or momenta of the
// method's own kind, and the work W done by the forces since the start. All memory is taken when a
// stepper or a state is made, none in a step.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "hamel/core/status.hpp"
#include "hamel/kernels/lanes/ensemble_kernels.hpp"
#include "hamel/solve/newton.hpp"

namespace hamel_lanes {
struct ChainObservation;
}

namespace hamel {

template <class S>
struct StepperState {
  std::vector<S> z;
  std::vector<S> carry;   ///< of compensated summation; empty without it
  std::vector<S> memory;  ///< what a method knows of z, and remembers for its next guess
  std::vector<S> held;    ///< of inputs (driven_stepper.hpp); empty where none is held
  std::int64_t history = 0;

  /// The next step is of another size, or goes another way.
  void forget() { history = 0; }

  /// z and carry into a state of the same stepper.
  void keep(StepperState& to) const noexcept {
    std::ranges::copy(z, to.z.begin());
    std::ranges::copy(carry, to.carry.begin());
  }
  /// Σ|z_i|.
  S size() const noexcept {
    S sum = S(0.0);
    for (const S& x : z) sum = sum + abs(x);
    return sum;
  }

  void add(const S* dz) {
    if (carry.empty()) {
      for (std::size_t i = 0; i < z.size(); ++i) z[i] = z[i] + dz[i];
      return;
    }
    for (std::size_t i = 0; i < z.size(); ++i) {  // [MATH 8.1]
      const S y = dz[i] + carry[i];
      const S sum = z[i] + y;
      carry[i] = y - (sum - z[i]);
      z[i] = sum;
    }
  }
};

template <class S>
bool all_finite(const std::vector<S>& list) {
  return std::ranges::all_of(list, [](const S& x) { return x - x == S(0.0); });
}

/// How to build a stepper, apart from the method.
struct StepperOptions {
  SolverOptions solver = {};
  bool compensated = false;
};

/// What a kernel needs to make the steps of a stepper in one of its lanes.
struct StepperLanes {
  hamel_lanes::EnsembleKernel kernel = nullptr;
  std::vector<double> constants;                      ///< those of its system
  int links = 0;                                      ///< of a chain; or spheres
  const hamel_lanes::Equations* equations = nullptr;  ///< while the stepper lives
  const hamel_lanes::FieldPrograms* field = nullptr;  ///< likewise
  const hamel_lanes::ExplicitTable* table = nullptr;  ///< likewise
  int scratch = 0;                                    ///< numbers to work with, for each lane
  SolverOptions solver = {};
};

/// A block of steps: number `first` begins at first·h.
template <class S>
struct StepsPlan {
  std::int64_t first = 0, count = 1;
  S h = S(0.0);
  StepperState<S>* before = nullptr;  ///< gets z and carry as they were before the last step tried
};

/// What became of it.
template <class S>
struct StepsReport {
  std::int64_t done = 0;        ///< steps that were made, to a state of ordinary size
  std::int64_t iterations = 0;  ///< in all of these
  int iterations_max = 0;       ///< in one of them
  int iterations_last = 0;      ///< in the last of them
  StepReport<S> last;           ///< of the last step tried. Where fewer are done it has failed, or
  S size = S(0.0);              ///< has led to this Σ|z_i|, beyond what is ordinary
};

/// The loop of Stepper::advance: steps.keep() notes the state, steps.step(t) makes a step from it,
/// steps.size() is Σ|z_i|.
template <class S, class Steps>
HAMEL_KERNEL StepsReport<S> make_steps(Steps& steps, const StepsPlan<S>& plan) noexcept {
  StepsReport<S> report;
  for (; report.done < plan.count; ++report.done) {
    steps.keep();
    report.last = steps.step(S(static_cast<double>(plan.first + report.done)) * plan.h);
    if (report.last.failed()) return report;
    report.size = steps.size();
    if (!(report.size <= S(hamel_lanes::runaway))) return report;
    report.iterations_last = report.last.iterations;
    report.iterations += report.iterations_last;
    report.iterations_max = std::max(report.iterations_max, report.iterations_last);
  }
  return report;
}

template <class S>
class Stepper {
 public:
  Stepper() = default;
  Stepper(const Stepper&) = delete;
  Stepper& operator=(const Stepper&) = delete;
  virtual ~Stepper() = default;

  /// From now on, before the next start, with these numbers for the parameters of its model; false
  /// where another stepper has to be made for them.
  virtual bool bind(std::span<const double> /*parameters*/) { return false; }
  /// From now on with these values of the model's held inputs.
  virtual void hold(std::span<const S> /*held*/) noexcept {}
  /// The held inputs at a node.
  virtual std::span<const S> held(const StepperState<S>&, const S& /*t*/, const S& /*h*/) noexcept {
    return {};
  }
  /// The state of (q, ξ) at t = 0; false where it does not exist.
  virtual bool start(const std::vector<S>& q, const std::vector<S>& xi, const S& h,
                     StepperState<S>& state) = 0;
  /// One step from time t. A failed step leaves z and held as they were.
  virtual StepReport<S> step(StepperState<S>& state, const S& t, const S& h) noexcept = 0;
  /// Steps until one fails, or leaves the state beyond all bounds; where the stepper keeps its
  /// state finite, that is not looked for. The bits are those of step(), one by one.
  virtual StepsReport<S> advance(StepperState<S>& state, const StepsPlan<S>& plan) noexcept {
    return advance_with(*this, state, plan);
  }
  /// The configuration and the quasi-velocities of a state; false where they do not exist.
  virtual bool observe(const StepperState<S>& state, const S& t, const S& h, S* q,
                       S* xi) noexcept = 0;
  /// What is seen of a chain, where the stepper has a faster way to it than observe(): false where
  /// it has none. The lists of the observation have room.
  virtual bool observe_chain(const StepperState<S>&, hamel_lanes::ChainObservation&) noexcept {
    return false;
  }
  /// Where between nodes the states lie: 0, or ½ for half nodes.
  virtual double offset() const { return 0.0; }
  /// Whether every step that does not fail leaves a finite state.
  virtual bool keeps_finite() const { return false; }
  /// Whether a step that does not converge may be made of shorter ones: what the method keeps, it
  /// keeps at any step.
  virtual bool divisible() const { return false; }
  /// After a failed step: which part of the system is to blame, from 0; −1 where it is not known.
  virtual int worst_part() const { return -1; }
  /// The kernel that makes its steps in lanes, with what it needs; without one where there is none.
  virtual StepperLanes lanes() const { return {}; }
  /// How many steps the work W of a state lies behind what is shown of it.
  virtual double work_offset() const { return 0.0; }

 protected:
  /// advance() by the steps of `own`: of a final class, without a virtual call in each.
  template <class Own>
  static StepsReport<S> advance_with(Own& own, StepperState<S>& state,
                                     const StepsPlan<S>& plan) noexcept {
    struct {
      Own& own;
      StepperState<S>& state;
      const StepsPlan<S>& plan;
      bool finite;  // whatever the steps

      void keep() const noexcept {
        if (plan.before != nullptr) state.keep(*plan.before);
      }
      StepReport<S> step(const S& t) const noexcept { return own.step(state, t, plan.h); }
      S size() const noexcept { return finite ? S(0.0) : state.size(); }
    } steps{own, state, plan, own.keeps_finite()};
    return make_steps(steps, plan);
  }
};

}  // namespace hamel
