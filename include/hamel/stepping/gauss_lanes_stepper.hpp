// SPDX-License-Identifier: BSD-3-Clause
// Gauss collocation of a chain or a pendulum, all stages at once, in double: gauss_lanes.hpp has
// the iteration.
//
// The same equations as GaussStepper with ChainField or ChainMomentumField, for chains that nothing
// but gravity acts on, or with PendulumField.                                            [MATH 7.6]
#pragma once

#include <type_traits>
#include <vector>

#include "hamel/kernels/lanes/lane_kernels.hpp"
#include "hamel/kernels/lanes/lane_memory.hpp"
#include "hamel/kernels/pendulum/pendulum_field.hpp"
#include "hamel/stepping/fields/chain_field.hpp"
#include "hamel/stepping/fields/chain_momentum_field.hpp"
#include "hamel/stepping/lane_tableau.hpp"
#include "hamel/stepping/stepper.hpp"

namespace hamel {

template <class Field>
class GaussLanesStepper final : public Stepper<double> {
 public:
  /// Of: what the field is of. Precondition: gravity alone acts on a chain.
  template <class Of>
  GaussLanesStepper(const Of& of, int stages, const StepperOptions& options)
      : options_(options), field_(of), lanes_(stages) {
    const int w = hamel_lanes::choice(stages);
    const hamel_lanes::Kernels& kernels = lanes::kernels();
    if constexpr (pendulum) {
      kernel_ = kernels.pendulum_gauss[w];
      strength_ = of;
      components_ = hamel_lanes::pendulum_increments;
    } else {
      n_ = of->links();
      for (const double m : of->masses) k_.push_back(1.0 / m);
      kernel_ = momenta ? kernels.chain_momentum_gauss[w] : kernels.chain_gauss[w];
      strength_ = of->gravity;
      components_ = momenta ? 6 * n_ : 3 * n_;
      const int numbers = momenta ? hamel_lanes::momentum_work : hamel_lanes::links_work;
      work_ = LaneMemory(index(numbers * n_ * lanes_.width));
    }
    dz_.resize(index(6 * n_));
  }

  bool start(const std::vector<double>& q, const std::vector<double>& v, const double&,
             StepperState<double>& state) override {
    field_.start(q, v, state.z);
    state.carry.assign(options_.compensated ? state.z.size() : 0, 0.0);
    state.memory.assign(index(components_ * lanes_.width), 0.0);
    state.history = 0;
    return all_finite(state.z);
  }

  StepReport<double> step(StepperState<double>& state, const double&,
                          const double& h) noexcept override {
    lanes_.weights(h);
    hamel_lanes::GaussTask task{};
    task.tables = &lanes_.tables;
    task.z = state.z.data();
    task.L = state.memory.data();
    task.warm = state.history > 0;
    task.dz = dz_.data();
    task.tolerance = options_.solver.tolerance;
    task.max_iterations = 4 * options_.solver.max_iterations;
    task.field = strength_;
    task.links = n_;
    task.k = k_.data();
    if constexpr (momenta) {
      task.inverse_l = field_.inverse_lengths().data();
      task.weight = field_.weights().data();
    }
    task.work = work_.data();
    const hamel_lanes::GaussOutcome outcome = kernel_(task);
    StepReport<double> report;
    report.iterations = outcome.iterations;
    if (!outcome.converged) {
      report.no_convergence = true;
      state.history = 0;
      return report;
    }
    state.add(dz_.data());
    if constexpr (requires { field_.settle(state.z.data()); }) field_.settle(state.z.data());
    ++state.history;
    return report;
  }

  StepsReport<double> advance(StepperState<double>& state,
                              const StepsPlan<double>& plan) noexcept override {
    return Stepper<double>::advance_with(*this, state, plan);
  }

  bool observe(const StepperState<double>& state, const double& t, const double&, double* q,
               double* v) noexcept override {
    return field_.observe(state.z.data(), t, q, v);
  }

  bool divisible() const override { return true; }

 private:
  static constexpr bool pendulum = std::is_same_v<Field, PendulumField<double>>;
  static constexpr bool momenta = std::is_same_v<Field, ChainMomentumField<double>>;

  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  StepperOptions options_;
  Field field_;
  GaussLanes lanes_;
  int n_ = 1;
  int components_ = 0;     // whose increments are remembered
  double strength_ = 0.0;  // g, or G of a pendulum
  hamel_lanes::GaussKernel kernel_ = nullptr;
  std::vector<double> k_, dz_;
  LaneMemory work_;
};

}  // namespace hamel
