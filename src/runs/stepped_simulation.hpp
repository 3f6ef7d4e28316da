// SPDX-License-Identifier: BSD-3-Clause
// SteppedSimulation: the stepping loop of a Stepper, seen through a StateView.
#pragma once

#include <functional>
#include <memory>

#include "hamel/core/quad.hpp"
#include "hamel/runs/drift.hpp"
#include "hamel/runs/simulation.hpp"
#include "state_view.hpp"

namespace hamel {

/// Position and velocity from which a Stepper starts.
struct StartValues {
  const std::vector<double>& q;
  const std::vector<double>& velocity;
};

class SteppedSimulation final : public Simulation {
 public:
  /// Throws InputError where the method cannot start there.
  SteppedSimulation(std::unique_ptr<StateView> view, std::unique_ptr<Stepper<double>> stepper,
                    const StartValues& start, double h, std::int64_t measure_every);

  /// Begins anew from there, as if just made.
  void restart(const StartValues& start);
  /// With these numbers for the parameters; false where that takes another simulation.
  bool restart(const StartValues& start, std::span<const double> parameters);

  Status advance(Block& block) noexcept override;
  std::int64_t step_count() const override { return at_.n; }
  double time() const override { return (static_cast<double>(at_.n) + stepper_->offset()) * h_; }
  std::vector<NamedValues> state() const override;
  std::vector<InvariantDrift> invariants() override;
  void write_drifts(double* initial, double* largest) override;
  double iterations_mean() const override {
    return at_.n > 0 ? static_cast<double>(at_.iterations_total) / static_cast<double>(at_.n) : 0.0;
  }
  std::int64_t iterations_max() const override { return at_.iterations_max; }
  std::int64_t suggested_measure_every() const override { return measure_every_; }
  /// What crosses a singularity and comes back in between is not noticed.
  std::int64_t lane_measure_every() const override { return view_->watches() ? 16 : 64; }
  std::int64_t lane_observe_every() const override { return view_->may_be_undefined() ? 1 : 0; }
  std::vector<OutputColumn> columns() const override;
  int row_width() const override;
  void write_row(double* row) const override;
  std::vector<std::byte> snapshot() const override;
  void restore(const std::vector<std::byte>& bytes) override;
  std::string failure() const override;
  std::optional<double> working_step() const override;
  std::optional<LaneAccess> lane_access() override;
  Status stepped(const LaneSteps& steps) noexcept override;
  std::vector<std::string> remarks() const override;

  std::int64_t divided_steps() const override { return at_.divided; }

 private:
  struct Counters {
    std::int64_t n, measured_at, iterations_total, iterations_max, iterations_last, history;
    std::int64_t divided;  // steps made of shorter ones
  };
  /// So many steps, to the first that fails; that leaves the state as it was.
  Status go_on(std::int64_t steps) noexcept;
  void count(const StepsReport<double>& made) noexcept;
  /// The step that did not converge, made of shorter ones.
  StepReport<double> divided(const StepReport<double>& failed) noexcept;
  /// The present state into seen_.
  bool observe() const noexcept;
  bool observe(double* shown, double* invariants) const noexcept;
  /// `observed`: at the present state.
  void measure(bool observed = false) noexcept;
  /// The first that is no number, or infinite, of what was seen last; −1 where all are finite.
  int undefined() const noexcept;
  /// Whether the state before a step is kept, because it may be the last good one.
  bool keeps_backup() const { return !stepper_->keeps_finite() || view_->may_be_undefined(); }
  bool guarded() const { return view_->watches() || view_->may_be_undefined(); }
  void return_to_backup() noexcept { backup_.keep(state_); }
  std::string seen_name(int index) const;
  /// To this state, which was observed at, nothing was singular.
  void mark() noexcept;
  void return_to_mark() noexcept;
  /// Whether something was singular since the mark; if so, failed_ says it, and the state is the
  /// last one before. `observed`: at the present state.
  bool crossed(bool observed) noexcept;
  bool runs_away() const noexcept;
  std::size_t snapshot_size() const;

  std::unique_ptr<StateView> view_;
  std::unique_ptr<Stepper<double>> stepper_;
  double h_;
  std::int64_t measure_every_;
  StepperState<double> state_, backup_;
  Counters at_{};
  std::size_t shown_ = 0;    // values of the fields, before the invariants
  std::size_t further_ = 0;  // values of the further fields
  std::vector<DriftSums> drift_;
  DriftCount measured_;
  Status failed_ = Status::ok;
  int undefined_ = -1;  // which of what was seen had no value after the failed step
  int far_ = -1;        // which of the state was beyond all bounds then
  struct Mark {
    StepperState<double> state;
    Counters at{};
    std::vector<DriftSums> drift;
    DriftCount measured;
  } mark_;
  std::unique_ptr<std::vector<double>> seen_;  // a look changes it, not the simulation
};

/// (q, velocity) ↦ the invariants that the view sees of it, at t = 0; the stepper translates.
std::function<bool(const std::vector<double>& z, std::vector<double>& values)> viewed(
    std::shared_ptr<StateView> view, std::shared_ptr<Stepper<double>> stepper,
    std::size_t coordinates);

/// Problem::reversal_defect of a stepper from (q, velocity).
double reversal_defect_of(Stepper<Quad>& stepper, const std::vector<Quad>& q,
                          const std::vector<Quad>& velocity, double step, std::int64_t steps);

}  // namespace hamel
