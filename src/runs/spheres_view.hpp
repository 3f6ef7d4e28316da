// SPDX-License-Identifier: BSD-3-Clause
// SpheresView: positions, angular velocities, tensions and invariants on (S²)ⁿ.
#pragma once

#include <memory>
#include <optional>

#include "hamel/expressions/program.hpp"
#include "hamel/kernels/chain/chain_links.hpp"
#include "hamel/models/spheres_model.hpp"
#include "state_view.hpp"

namespace hamel {

/// Which components of the angular momentum the system keeps: e1, e2, e3.
struct RotationSymmetry {
  bool about[3] = {false, false, false};
};
RotationSymmetry rotation_symmetry(const SpheresModel& model);

/// A pendulum that formulas give, looked at without them: E = ½ m |q̇|² + weight q·e3 + base.
struct PendulumObservation {
  double m, weight, base;
};
/// Nothing where the model is none, or a number of it is not finite.
std::optional<PendulumObservation> pendulum_observation(const SpheresModel& model);

/// The first row of a symmetric matrix whose Cholesky pivot is not positive; −1 where all are. The
/// matrix is overwritten.
int first_indefinite(double* m, int size);

class SpheresView final : public StateView {
 public:
  SpheresView(const SpheresModel& model, const RotationSymmetry& symmetry,
              const std::optional<PendulumObservation>& pendulum);

  std::vector<OutputField> fields() const override;
  /// The tension of every link of a chain, and where its base is if that moves.
  std::vector<OutputField> further_fields() const override;
  std::vector<InvariantInfo> invariants() const override;
  bool observe(Stepper<double>& stepper, const StepperState<double>& state, const Moment& moment,
               double* seen, double* to) noexcept override;
  void observe_further(const double* seen, double time, double* to) noexcept override;
  bool may_be_undefined() const override { return undefined_; }
  bool watches() const override { return !matrix_.empty(); }
  bool watch(const double* seen, double time) noexcept override;
  std::string failure(Status status, const Stepper<double>& stepper,
                      const StepperState<double>& state) const override;
  std::vector<std::string> remarks() const override;
  std::vector<double> memory() const override;
  void remember(const double* values) override;

 private:
  /// A step that should work where `h_` did not, s.
  double advised_step() const;
  /// Which outer influence is not finite between the last state and the next; "" where none is.
  std::string infinite_drive() const;
  /// The sphere whose row of the inertia is not positive at q; −1 where all are.
  int indefinite(const double* q) noexcept;
  /// Tensions of what was seen last into tension_; false where they do not exist.
  bool find_tensions(const double* q, const double* omega, double time) noexcept;

  int n_;
  bool forced_;
  bool timed_ = false;  // the Lagrangian contains t; the drives of a chain are forces
  RotationSymmetry symmetry_;
  std::optional<PendulumObservation> pendulum_;
  std::unique_ptr<ChainLinks<double>> chain_;  // null where it is none
  Evaluator<double> evaluate_;                 // energy and momentum, where it is none
  bool undefined_ = false;                     // these may be
  bool moving_base_ = false;
  double stiffest_ = 0.0;  // 1/s: of gravity along the chain, or of bending
  double fastest_ = 0.0;   // largest |ω_i| of the last state seen, 1/s
  double h_ = 0.0;         // and its step and time, s
  double time_ = 0.0;
  Evaluator<double> inertia_;  // where it changes with q
  std::vector<double> matrix_;
  std::vector<std::string> names_;  // of the spheres
  int lost_ = -1;                   // whose inertia was found not to be positive
  std::vector<double> inputs_;      // of evaluate_
  std::vector<double> acceleration_, tension_;
  enum class Tensions { unknown, known, none } tensions_ = Tensions::unknown;  // seen last
  struct Slack {
    double first_time = -1.0;  // of the first compression
    double first_link = 0.0;
    double least = 0.0;  // N
    double least_link = 0.0;
    double least_time = 0.0;
  } slack_;
};

}  // namespace hamel
