// SPDX-License-Identifier: BSD-3-Clause
// StateView: what is shown of the states of a Stepper, and what is watched.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "hamel/core/parameters.hpp"
#include "hamel/stepping/stepper.hpp"

namespace hamel {

/// The energy, and where forces act its balance. timed: the Lagrangian contains t.
inline std::vector<InvariantInfo> energy_invariants(bool forced, bool timed) {
  const std::string_view not_kept = timed ? "depends on time" : "";
  std::vector<InvariantInfo> list = {{"energy", "J", "kinetic plus potential energy", not_kept}};
  if (forced)
    list.push_back({"energy_balance", "J", "energy less the work done by the forces", not_kept});
  return list;
}

/// Where a state stands: `t` is the time of its node, `time` that of what is shown of it.
struct Moment {
  double t, time, h;
};

class StateView {
 public:
  StateView() = default;
  StateView(const StateView&) = delete;
  StateView& operator=(const StateView&) = delete;
  virtual ~StateView() = default;

  /// From now on with these numbers for the parameters; false where another has to be made.
  virtual bool bind(std::span<const double> /*parameters*/) { return false; }
  /// Parts of a state that every look gives, one after the other.
  virtual std::vector<OutputField> fields() const = 0;
  /// Parts that cost more: only for rows and final states.
  virtual std::vector<OutputField> further_fields() const { return {}; }
  /// The texts live as long as the view.
  virtual std::vector<InvariantInfo> invariants() const = 0;

  /// Of a number of the fields, counted through all of them.
  virtual std::string name_of(int index) const {
    for (const OutputField& field : fields()) {
      if (index < field.width)
        return std::string(field.name) + (field.width > 1 ? std::to_string(index + 1) : "");
      index -= field.width;
    }
    return "";
  }

  /// Writes fields and invariants; false where the state cannot be shown. No allocation.
  virtual bool observe(Stepper<double>& stepper, const StepperState<double>& state,
                       const Moment& moment, double* seen, double* invariants) noexcept = 0;
  /// Writes the further fields, of what was seen last.
  virtual void observe_further(const double* /*seen*/, double /*time*/, double* /*to*/) noexcept {}

  /// Whether fields or invariants of a finite state may not be finite.
  virtual bool may_be_undefined() const { return false; }

  /// Whether there is anything that may become singular.
  virtual bool watches() const { return false; }
  /// From this state on nothing may become singular.
  virtual void start_watch(const double* /*seen*/, double /*time*/) noexcept {}
  /// Of what was seen last, at a measured step at least; false where the system was singular on
  /// the way.
  virtual bool watch(const double* /*seen*/, double /*time*/) noexcept { return true; }

  /// What failed, in words, from the last good state.
  virtual std::string failure(Status status, const Stepper<double>& stepper,
                              const StepperState<double>& state) const = 0;
  /// What a user should be told of a run besides its invariants.
  virtual std::vector<std::string> remarks() const { return {}; }
  /// Values that `remarks` needs after a resumed run.
  virtual std::vector<double> memory() const { return {}; }
  virtual void remember(const double* /*values*/) {}
};

}  // namespace hamel
