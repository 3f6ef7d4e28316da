// SPDX-License-Identifier: BSD-3-Clause
// A method as its equations: a residual in the unknowns of a step, and the increments of the state.
//
// The method writes both as expressions; the Newton matrix is their exact derivative. Solved by
// Newton from the extrapolated unknowns of the last steps (equation_solver.hpp).
#pragma once

#include <memory>
#include <type_traits>

#include "hamel/models/momentum_inverse.hpp"
#include "hamel/solve/equation_solver.hpp"
#include "hamel/stepping/stepper.hpp"

namespace hamel {

struct StepEquations {
  // Variables.
  Expressions state;     ///< q (N), P (m), and W where there are forces
  Expressions unknowns;  ///< guessed by q as far as `positions` goes, then by velocities
  int positions = 0;
  Expression h, t;  ///< step and time at its beginning

  Expressions residual;   ///< as many as unknowns
  Expressions increment;  ///< of the state

  // At a node, in the variables of the model:
  Expressions momentum;    ///< P = π(q, ξ, t)
  Expressions velocities;  ///< guess of the unknowns behind the positions
  /// What a half node shows: the unknowns (q̄, ξ) of the step that begins at the state, or, with
  /// `startup`, the state (q̄, ξ) itself, whose first value is the unknowns of that step.
  bool half = false;
  std::shared_ptr<const StepEquations> startup;
  /// The model's ξ from the unknowns or the state of a half node (they differ in a kinetic frame).
  Expressions half_xi;

  /// With state, unknowns, h and t as fresh variables: N + m (+ 1) and `positions` + `velocities`.
  static StepEquations of(const FrameModel& model, int positions, int velocities) {
    StepEquations e;
    const int size = model.coordinates_count() + model.fields() + (model.forced() ? 1 : 0);
    for (int i = 0; i < size; ++i) e.state.push_back(model.graph->input());
    for (int i = 0; i < positions + velocities; ++i) e.unknowns.push_back(model.graph->input());
    e.positions = positions;
    e.h = model.graph->input();
    e.t = model.graph->input();
    return e;
  }
  std::span<const Expression> q(const FrameModel& model) const {
    return std::span(state).first(model.q.size());
  }
  std::span<const Expression> P(const FrameModel& model) const {
    return std::span(state).subspan(model.q.size(), model.frame.size());
  }
};

template <class S>
class EquationStepper final : public Stepper<S> {
 public:
  EquationStepper(const FrameModel& model, const StepEquations& equations,
                  const StepperOptions& options)
      : options_(options),
        N_(model.coordinates_count()),
        m_(model.fields()),
        nz_(static_cast<int>(equations.state.size())),
        ny_(static_cast<int>(equations.unknowns.size())),
        positions_(equations.positions),
        half_(equations.half),
        direct_(equations.startup != nullptr),
        inverse_(model, equations.momentum) {
    Expressions inputs = equations.state;
    inputs.insert(inputs.end(), equations.unknowns.begin(), equations.unknowns.end());
    inputs.push_back(equations.h);
    inputs.push_back(equations.t);
    residual_ = Evaluator<S>(Program(inputs, equations.residual));
    Expressions both = equations.residual;
    const Expressions matrix = jacobian(equations.residual, equations.unknowns);
    both.insert(both.end(), matrix.begin(), matrix.end());
    newton_ = Evaluator<S>(Program(inputs, both));
    increment_ = Evaluator<S>(Program(inputs, equations.increment));
    const auto admissible = model.admissible();
    Expressions node = model.q;
    node.insert(node.end(), admissible.begin(), admissible.end());
    velocities_ = Evaluator<S>(Program(node, equations.velocities));
    if (half_) half_xi_ = Evaluator<S>(Program(inputs, equations.half_xi));
    if (direct_)
      startup_ = std::make_unique<EquationStepper<S>>(model, *equations.startup, options);
    in_.resize(inputs.size());
    out_.resize(index(hamel_lanes::newton_numbers(ny_)));
    dz_.resize(static_cast<std::size_t>(nz_));
    delta_.resize(static_cast<std::size_t>(ny_));
    pivot_.resize(static_cast<std::size_t>(ny_));
    plain_ = {newton_.program().view(),
              residual_.program().view(),
              increment_.program().view(),
              nz_,
              ny_,
              positions_};
  }

  bool bind(std::span<const double> parameters) override {
    inverse_.bind(parameters);
    for (auto* evaluator : {&residual_, &newton_, &increment_, &velocities_, &half_xi_})
      evaluator->bind(parameters);
    return startup_ == nullptr || startup_->bind(parameters);
  }

  void hold(std::span<const S> held) noexcept override {
    inverse_.hold(held);
    for (auto* evaluator : {&residual_, &newton_, &increment_, &velocities_, &half_xi_})
      evaluator->hold(held);
    if (startup_ != nullptr) startup_->hold(held);
  }

  bool start(const std::vector<S>& q, const std::vector<S>& xi, const S& h,
             StepperState<S>& state) override {
    state.z.assign(index(nz_), S(0.0));
    state.carry.assign(options_.compensated ? index(nz_) : 0, S(0.0));
    state.memory.assign(index(3 * ny_), S(0.0));
    state.history = 0;
    std::vector<S> node = q;
    node.insert(node.end(), xi.begin(), xi.end());
    velocities_(node.data(), state.memory.data() + positions_);
    for (int b = 0; b < N_; ++b) state.z[index(b)] = q[index(b)];
    if (direct_) {
      StepperState<S> first;
      if (!startup_->start(q, xi, h, first)) return false;
      if (startup_->solve(first, S(0.0), h).failed()) return false;
      for (int i = 0; i < N_ + m_; ++i) state.z[index(i)] = startup_->unknown(i);
      return true;
    }
    inverse_.momentum(q.data(), xi.data(), S(0.0), state.z.data() + N_);
    return all_finite(state.z);
  }

  StepReport<S> step(StepperState<S>& state, const S& t, const S& h) noexcept override {
    const StepReport<S> report = solve(state, t, h);
    if (report.failed()) return report;
    increment_(in_.data(), dz_.data());
    state.add(dz_.data());
    work().remember(state.memory.data());
    ++state.history;
    return report;
  }

  StepsReport<S> advance(StepperState<S>& state, const StepsPlan<S>& plan) noexcept override {
    return Stepper<S>::advance_with(*this, state, plan);
  }

  bool observe(const StepperState<S>& state, const S& t, const S& h, S* q,
               S* xi) noexcept override {
    if (half_) {
      if (direct_)
        work().load(state.z.data(), t, h);
      else if (solve(state, t, h).failed())
        return false;
      half_xi_(in_.data(), xi);
      for (int b = 0; b < N_; ++b) q[b] = direct_ ? state.z[index(b)] : unknown(b);
      return true;
    }
    for (int b = 0; b < N_; ++b) q[b] = state.z[index(b)];
    for (int j = 0; j < m_; ++j)  // a guess, where one is needed
      xi[j] = ny_ == positions_ + m_ ? state.memory[index(positions_ + j)] : S(0.0);
    return inverse_(q, state.z.data() + N_, t, xi);
  }

  StepperLanes lanes() const override {
    StepperLanes own;
    if constexpr (std::is_same_v<S, double>) {
      if (hamel_lanes::ensemble == nullptr) return own;
      own.kernel = hamel_lanes::ensemble->equations[options_.compensated ? 1 : 0];
      for (const auto* evaluator : {&newton_, &residual_, &increment_})
        for (const Quad& value : evaluator->program().constants())
          own.constants.push_back(static_cast<double>(value));
      own.equations = &plain_;
      own.scratch = hamel_lanes::equation_scratch(plain_);
      own.solver = options_.solver;
    }
    return own;
  }

  double offset() const override { return half_ ? 0.5 : 0.0; }
  double work_offset() const override { return half_ && !direct_ ? 0.5 : 0.0; }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  const S& unknown(int i) const { return in_[index(nz_ + i)]; }

  EquationWork<S> work() noexcept {
    return {nz_, ny_, positions_, in_.data(), out_.data(), delta_.data()};
  }

  /// As equation_solver.hpp wants it.
  struct System {
    EquationStepper& own;
    void newton(S* out) { own.newton_(own.in_.data(), out); }
    void residual(S* out) { own.residual_(own.in_.data(), out); }
    bool factor(S* matrix) { return lu_factor(matrix, own.ny_, own.pivot_.data()); }
    void solve(const S* matrix, S* x) { lu_solve(matrix, own.ny_, own.pivot_.data(), x); }
  };

  StepReport<S> solve(const StepperState<S>& state, const S& t, const S& h) noexcept {
    const EquationWork<S> lists = work();
    lists.load(state.z.data(), t, h);
    System system{*this};
    return solve_step(system, lists, options_.solver, state.z.data(), state.memory.data(),
                      state.history, true);
  }

  StepperOptions options_;
  int N_, m_, nz_, ny_, positions_;
  bool half_, direct_;
  MomentumInverse<S> inverse_;
  Evaluator<S> residual_, newton_, increment_, velocities_, half_xi_;
  hamel_lanes::Equations plain_;  // the first three
  std::unique_ptr<EquationStepper<S>> startup_;
  std::vector<S> in_, out_, dz_, delta_;
  std::vector<int> pivot_;
};

}  // namespace hamel
