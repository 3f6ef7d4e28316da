// SPDX-License-Identifier: BSD-3-Clause
// FrameView: coordinates, quasi-velocities, momenta, reactions and invariants of a frame system.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hamel/expressions/program.hpp"
#include "hamel/models/frame_equations.hpp"
#include "hamel/runs/frame_problem.hpp"
#include "singularity_watch.hpp"
#include "state_view.hpp"

namespace hamel {

class FrameView final : public StateView {
 public:
  /// timed: whether the Lagrangian, with the numbers of the parameters, contains t.
  FrameView(std::shared_ptr<const FrameModel> model, const FrameEquations& e, bool timed);

  bool bind(std::span<const double> parameters) override;
  std::vector<OutputField> fields() const override;
  std::vector<OutputField> further_fields() const override;
  std::vector<InvariantInfo> invariants() const override { return invariants_; }
  std::string name_of(int index) const override;
  bool observe(Stepper<double>& stepper, const StepperState<double>& state, const Moment& moment,
               double* seen, double* to) noexcept override;
  /// The force of the constraints (N values), paired with q̇.
  void observe_further(const double* seen, double time, double* to) noexcept override;
  bool may_be_undefined() const override { return undefined_; }
  bool watches() const override { return true; }
  void start_watch(const double* seen, double time) noexcept override;
  bool watch(const double* seen, double time) noexcept override;
  std::string failure(Status status, const Stepper<double>& stepper,
                      const StepperState<double>& state) const override;

 private:
  void load(const double* q, double time) noexcept;  // q and the ξ behind it

  std::shared_ptr<const FrameModel> model_;
  std::vector<InvariantInfo> invariants_;
  int N_, m_;
  bool forced_;
  bool undefined_ = false;            // may be
  bool constrained_ = false;          // and the force of the constraints is known
  std::vector<std::string> columns_;  // of the inputs
  Evaluator<double> evaluate_, reaction_;
  std::vector<double> in_, out_, parts_;
  std::vector<int> pivot_;
  SingularityWatch watch_;
  SingularityWatch::Change change_ = SingularityWatch::Change::none;
};

}  // namespace hamel
