// A method as its equations: a residual in the unknowns of a step, and the increments of the state.
//
// The method writes both as expressions; the Newton matrix is their exact derivative. Solved by
// Newton from the extrapolated unknowns of the last steps, stopped when the estimated error left is
// below tolerance · scale in every unknown, scale_i = |y_i| + min(1, max_k |y_k|), or when the
// corrections have stagnated at round-off [MATH 2.8]. The matrix of the guess serves the first two
// corrections.
#pragma once

#include <memory>

#include "hamel/integrators/support/momentum_inverse.hpp"
#include "hamel/integrators/support/stepper.hpp"

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
    out_.resize(both.size());
    dz_.resize(static_cast<std::size_t>(nz_));
    delta_.resize(static_cast<std::size_t>(ny_));
    pivot_.resize(static_cast<std::size_t>(ny_));
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
      startup_->load(first, S(0.0), h);
      if (startup_->solve(first).failed()) return false;
      for (int i = 0; i < N_ + m_; ++i) state.z[index(i)] = startup_->unknown(i);
      return true;
    }
    inverse_.momentum(q.data(), xi.data(), S(0.0), state.z.data() + N_);
    return all_finite(state.z);
  }

  StepReport<S> step(StepperState<S>& state, const S& t, const S& h) noexcept override {
    load(state, t, h);
    const StepReport<S> report = solve(state);
    if (report.failed()) return report;
    increment_(in_.data(), dz_.data());
    state.add(dz_.data());
    for (int i = 0; i < ny_; ++i) {  // last, before, before that
      state.memory[index(2 * ny_ + i)] = state.memory[index(ny_ + i)];
      state.memory[index(ny_ + i)] = state.memory[index(i)];
      state.memory[index(i)] = unknown(i);
    }
    ++state.history;
    return report;
  }

  bool observe(const StepperState<S>& state, const S& t, const S& h, S* q,
               S* xi) noexcept override {
    if (half_) {
      load(state, t, h);
      if (!direct_ && solve(state).failed()) return false;
      half_xi_(in_.data(), xi);
      for (int b = 0; b < N_; ++b) q[b] = direct_ ? state.z[index(b)] : unknown(b);
      return true;
    }
    for (int b = 0; b < N_; ++b) q[b] = state.z[index(b)];
    for (int j = 0; j < m_; ++j)  // a guess, where one is needed
      xi[j] = ny_ == positions_ + m_ ? state.memory[index(positions_ + j)] : S(0.0);
    return inverse_(q, state.z.data() + N_, t, xi);
  }

  double offset() const override { return half_ ? 0.5 : 0.0; }
  double work_offset() const override { return half_ && !direct_ ? 0.5 : 0.0; }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  const S& unknown(int i) const { return in_[index(nz_ + i)]; }

  void load(const StepperState<S>& state, const S& t, const S& h) noexcept {
    for (int i = 0; i < nz_; ++i) in_[index(i)] = state.z[index(i)];
    in_[index(nz_ + ny_)] = h;
    in_[index(nz_ + ny_ + 1)] = t;
  }

  void guess(const StepperState<S>& state) noexcept {
    S* y = in_.data() + nz_;
    const S* last = state.memory.data();
    const S* before = last + ny_;
    const S* older = before + ny_;
    for (int i = 0; i < ny_; ++i) {
      if (state.history >= 3)
        y[i] = S(3.0) * (last[i] - before[i]) + older[i];
      else if (state.history == 2)
        y[i] = S(2.0) * last[i] - before[i];
      else
        y[i] = i < positions_ ? state.z[index(i)] : last[i];
    }
  }

  StepReport<S> solve(const StepperState<S>& state) noexcept {
    guess(state);
    StepReport<S> report = iterate();
    if (report.failed() && state.history >= 2) {  // an extrapolation may lead astray
      S* y = in_.data() + nz_;
      for (int i = 0; i < ny_; ++i)
        y[i] = i < positions_ ? state.z[index(i)] : state.memory[index(i)];
      const int before = report.iterations;
      report = iterate();
      report.iterations += before;
    }
    return report;
  }

  StepReport<S> iterate() noexcept {
    StepReport<S> report;
    S* y = in_.data() + nz_;
    const S tolerance = S(options_.solver.template effective<S>());
    const S round_off = S(256.0) * Epsilon<S>::value;
    const S own_round_off = S(1e6) * Epsilon<S>::value;
    S previous = S(1.0);
    int idle = 0;  // corrections in a row that did not shrink
    report.no_convergence = true;
    for (int k = 0; k < options_.solver.max_iterations; ++k) {
      S* matrix = out_.data() + ny_;
      if (k == 0 || k >= 2) {
        newton_(in_.data(), out_.data());
        if (!lu_factor(matrix, ny_, pivot_.data())) {
          report.singular = finite(out_.data(), ny_);
          report.no_convergence = !report.singular;
          return report;
        }
      } else {
        residual_(in_.data(), out_.data());
      }
      for (int i = 0; i < ny_; ++i) delta_[index(i)] = out_[index(i)];
      lu_solve(matrix, ny_, pivot_.data(), delta_.data());
      S floor = S(0.0);
      for (int i = 0; i < ny_; ++i) floor = max(floor, abs(y[i]));
      floor = min(floor, S(1.0));
      S size = S(0.0);
      bool settled = true;  // every change is a rounding of its unknown
      for (int i = 0; i < ny_; ++i) {
        const S d = abs(delta_[index(i)]);
        y[i] = y[i] - delta_[index(i)];
        if (!(d <= S(1e305))) return report;  // ran away, or NaN
        if (d > S(0.0)) size = max(size, d / (abs(y[i]) + floor));
        settled = settled && d <= S(2.0) * Epsilon<S>::value * abs(y[i]);
      }
      ++report.iterations;
      const bool small = size * size <= tolerance * previous;
      idle = S(2.0) * size >= previous ? idle + 1 : 0;
      // Equations with cancellation in them stagnate at a round-off of their own.
      const bool stagnant = (size <= round_off && idle > 0) || (size <= own_round_off && idle > 2);
      if (size == S(0.0) || small || stagnant || (settled && k > 0)) {
        report.no_convergence = false;
        return report;
      }
      previous = size;
    }
    return report;
  }

  static bool finite(const S* x, int n) {
    for (int i = 0; i < n; ++i)
      if (!(x[i] - x[i] == S(0.0))) return false;
    return true;
  }

  StepperOptions options_;
  int N_, m_, nz_, ny_, positions_;
  bool half_, direct_;
  MomentumInverse<S> inverse_;
  Evaluator<S> residual_, newton_, increment_, velocities_, half_xi_;
  std::unique_ptr<EquationStepper<S>> startup_;
  std::vector<S> in_, out_, dz_, delta_;
  std::vector<int> pivot_;
};

}  // namespace hamel
