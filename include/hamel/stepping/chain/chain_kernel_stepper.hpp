// SPDX-License-Identifier: BSD-3-Clause
// D2's variational integrator for a chain that nothing but gravity acts on, in double: the kernel
// of chain_kernel.hpp behind the interface of all methods. The state is by coordinate, x of all
// links, y, z, of d and of u, each list with zeros around it. [MATH 7.2]
#pragma once

#include "hamel/kernels/lanes/lane_kernels.hpp"
#include "hamel/models/chain.hpp"
#include "hamel/stepping/stepper.hpp"

namespace hamel {

class ChainKernelStepper final : public Stepper<double> {
 public:
  /// Precondition: gravity alone acts on the chain.
  ChainKernelStepper(SharedChain chain, const StepperOptions& options)
      : chain_(std::move(chain)),
        options_(options),
        n_(chain_->links()),
        stride_(static_cast<std::size_t>(hamel_lanes::chain_stride(n_))),
        kernel_(lanes::kernels().chain_variational[options.compensated ? 1 : 0]) {
    for (auto* list : {&k_, &k_before_, &c_, &l2_, &inverse_l2_, &inverse_l_})
      list->resize(stride_);
    work_.resize(hamel_lanes::chain_lists * stride_);
    for (int i = 0; i < n_; ++i) {
      const std::size_t at = place(0, i);
      const double l = length(i);
      k_[at] = 1.0 / chain_->masses[static_cast<std::size_t>(i)];
      k_before_[at] = i > 0 ? k_[at - 1] : 0.0;
      c_[at] = k_[at] + k_before_[at];
      l2_[at] = l * l;
      inverse_l2_[at] = 1.0 / l2_[at];
      inverse_l_[at] = 1.0 / l;
    }
  }

  bool start(const std::vector<double>& q, const std::vector<double>& v, const double&,
             StepperState<double>& state) override {
    state.z.assign(6 * stride_, 0.0);
    for (int i = 0; i < n_; ++i)
      for (int c = 0; c < 3; ++c) {
        const auto from = static_cast<std::size_t>(3 * i + c);
        state.z[place(c, i)] = length(i) * q[from];
        state.z[place(3 + c, i)] = length(i) * v[from];
      }
    state.carry.assign(options_.compensated ? state.z.size() : 0, 0.0);
    state.memory.assign(4 * stride_, 0.0);  // λ/h of the last four steps
    state.history = 0;
    return all_finite(state.z);
  }

  StepReport<double> step(StepperState<double>& state, const double&,
                          const double& h) noexcept override {
    return advance(state, {0, 1, h}).last;
  }

  StepsReport<double> advance(StepperState<double>& state,
                              const StepsPlan<double>& plan) noexcept override {
    hamel_lanes::ChainTask task = lists(state.z.data());
    task.carry = state.carry.empty() ? nullptr : state.carry.data();
    task.memory = state.memory.data();
    task.h = plan.h;
    task.tolerance = options_.solver.tolerance;
    task.max_iterations = options_.solver.max_iterations;
    struct {
      ChainKernelStepper& own;
      StepperState<double>& state;
      StepperState<double>* before;
      hamel_lanes::ChainTask& task;

      void keep() const noexcept {
        if (before != nullptr) state.keep(*before);
      }
      StepReport<double> step(double) const noexcept {
        task.history = state.history;
        task.expected_iterations = own.expected_;
        const hamel_lanes::ChainOutcome outcome = own.kernel_(task);
        own.expected_ = outcome.iterations;
        StepReport<double> report;
        report.iterations = outcome.iterations;
        report.no_solution = outcome.no_solution;
        report.singular = outcome.singular;
        if (!report.failed()) ++state.history;
        return report;
      }
      static double size() noexcept { return 0.0; }  // finite where the step does not fail
    } steps{*this, state, plan.before, task};
    const StepsReport<double> report = make_steps(steps, plan);
    if (report.last.failed()) worst_ = worst_link();
    return report;
  }

  bool observe(const StepperState<double>& state, const double&, const double&, double* q,
               double* v) noexcept override {
    for (int c = 0; c < 3; ++c) {
      const double* const d = &state.z[place(c, 0)];
      const double* const u = &state.z[place(3 + c, 0)];
      for (int i = 0; i < n_; ++i) {
        q[3 * i + c] = d[i] * inverse_l_[place(0, i)];
        v[3 * i + c] = u[i] * inverse_l_[place(0, i)];
      }
    }
    return true;
  }

  bool observe_chain(const StepperState<double>& state,
                     hamel_lanes::ChainObservation& observation) noexcept override {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): only read by that kernel
    hamel_lanes::ChainTask task = lists(const_cast<double*>(state.z.data()));
    task.inverse_l = inverse_l_.data();
    task.mass = chain_->masses.data();
    task.length = chain_->lengths.data();
    lanes::kernels().chain_observation(task, observation);
    return true;
  }

  bool keeps_finite() const override { return true; }

  /// The link of the largest residual in the last failed step.
  int worst_part() const override { return worst_; }

  StepperLanes lanes() const override {
    StepperLanes own;
    if (hamel_lanes::ensemble == nullptr || n_ == 1) return own;  // one link has a closed form
    own.kernel = hamel_lanes::ensemble->chain_variational[options_.compensated ? 1 : 0];
    own.constants = chain_->masses;
    own.constants.insert(own.constants.end(), chain_->lengths.begin(), chain_->lengths.end());
    own.constants.push_back(chain_->gravity);
    own.links = n_;
    own.scratch = hamel_lanes::chain_scratch * n_;
    own.solver = options_.solver;
    return own;
  }

 private:
  hamel_lanes::ChainTask lists(double* z) {
    hamel_lanes::ChainTask task;
    task.n = n_;
    task.stride = static_cast<std::int64_t>(stride_);
    task.z = z;
    task.work = work_.data();
    task.k = k_.data();
    task.k_before = k_before_.data();
    task.c = c_.data();
    task.l2 = l2_.data();
    task.inverse_l2 = inverse_l2_.data();
    task.gravity = chain_->gravity;
    return task;
  }

  /// After a failed step.
  int worst_link() const {
    int worst = 0;
    const double* residual =
        work_.data() + hamel_lanes::chain_right * stride_ + hamel_lanes::chain_pad;
    const double* inverse = inverse_l2_.data() + hamel_lanes::chain_pad;
    for (int i = 1; i < n_; ++i)
      if (!(std::fabs(residual[i] * inverse[i]) <= std::fabs(residual[worst] * inverse[worst])))
        worst = i;
    return worst;
  }

  std::size_t place(int list, int i) const {
    return static_cast<std::size_t>(list) * stride_ + hamel_lanes::chain_pad +
           static_cast<std::size_t>(i);
  }
  double length(int i) const { return chain_->lengths[static_cast<std::size_t>(i)]; }

  SharedChain chain_;
  StepperOptions options_;
  int n_;
  std::size_t stride_;
  hamel_lanes::ChainKernel kernel_;
  std::vector<double> k_, k_before_, c_, l2_, inverse_l2_, inverse_l_, work_;
  int worst_ = 0;     // link of the last failed step
  int expected_ = 2;  // iterations of the next step
};

}  // namespace hamel
