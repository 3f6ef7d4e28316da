// FrameSimulation: the stepping loop of one method on a frame system.
#pragma once

#include "hamel/diagnostics/drift.hpp"
#include "hamel/integrators/support/frame_stepper.hpp"
#include "hamel/simulation/frame_problem.hpp"
#include "singularity_watch.hpp"

namespace hamel {

/// What is shown of a state: (q, ξ) → p, energy, invariants.
class FrameObserver {
 public:
  explicit FrameObserver(const FrameModel& model);
  int invariants() const { return invariants_; }
  /// p (m values) and the invariants, of (q, ξ) at time t; W is the work until t − dt.
  void operator()(const double* q, const double* xi, double t, double W, double dt, double* p,
                  double* invariants) noexcept;

  bool constrained() const { return constrained_; }
  /// The force of the constraints (N values), paired with q̇.
  void reaction(const double* q, const double* xi, double t, double* force) noexcept;

 private:
  int N_, m_, invariants_;
  bool forced_;
  bool constrained_ = false;  // and the force of the constraints is known
  Evaluator<double> evaluate_, reaction_;
  std::vector<double> in_, out_, parts_;
  std::vector<int> pivot_;
};

class FrameSimulation final : public Simulation {
 public:
  FrameSimulation(std::shared_ptr<const FrameModel> model,
                  std::unique_ptr<FrameStepper<double>> stepper, const FrameInitial& initial,
                  double h, std::int64_t measure_every);

  Status advance(Block& block) noexcept override;
  std::int64_t step_count() const override { return at_.n; }
  double time() const override { return (static_cast<double>(at_.n) + stepper_->offset()) * h_; }
  std::vector<NamedValues> state() const override;
  std::vector<InvariantDrift> invariants() override;
  double iterations_mean() const override {
    return at_.n > 0 ? static_cast<double>(at_.iterations_total) / static_cast<double>(at_.n) : 0.0;
  }
  std::int64_t iterations_max() const override { return at_.iterations_max; }
  std::int64_t suggested_measure_every() const override { return measure_every_; }
  std::vector<OutputColumn> columns() const override;
  int row_width() const override;
  void write_row(double* row) const override;
  std::vector<std::byte> snapshot() const override;
  void restore(const std::vector<std::byte>& bytes) override;
  std::string failure() const override;

 private:
  struct Counters {
    std::int64_t n, measured_at, iterations_total, iterations_max, iterations_last, history;
  };
  /// q, ξ, p, invariants of the present state, side by side in seen_.
  bool look() const noexcept;
  /// Measures the invariants; false where the system has become singular on the way.
  bool measure() noexcept;
  std::vector<OutputField> fields() const;

  std::shared_ptr<const FrameModel> model_;
  std::unique_ptr<FrameStepper<double>> stepper_;
  mutable FrameObserver observer_;
  SingularityWatch watch_;
  SingularityWatch::Change change_ = SingularityWatch::Change::none;
  double h_;
  std::int64_t measure_every_;
  int N_, m_;
  FrameState<double> state_, backup_;
  Counters at_{};
  std::vector<DriftSums> drift_;
  DriftCount measured_;
  Status failed_ = Status::ok;
  mutable std::vector<double> seen_;
};

}  // namespace hamel
