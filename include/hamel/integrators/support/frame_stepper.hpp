// What every method on a frame system is to the run loop.
//
// A state z = (q, P) or, with outer forces, (q, P, W): coordinates, momenta of the method's own
// kind (P = π(q, ξ)), and the work W done by the forces since the start. Sizes are known at run
// time; all memory is taken when a stepper or a state is made, none in a step.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "hamel/core/status.hpp"
#include "hamel/expressions/program.hpp"
#include "hamel/mechanics/frame_equations.hpp"
#include "hamel/solve/dense.hpp"
#include "hamel/solve/newton.hpp"

namespace hamel {

template <class S>
struct FrameState {
  std::vector<S> z;
  std::vector<S> carry;   ///< of compensated summation; empty without it
  std::vector<S> memory;  ///< what a method remembers for its next guess
  std::int64_t history = 0;

  /// The next step is of another size, or goes another way.
  void forget() { history = 0; }

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

template <class S>
class FrameStepper {
 public:
  FrameStepper() = default;
  FrameStepper(const FrameStepper&) = delete;
  FrameStepper& operator=(const FrameStepper&) = delete;
  virtual ~FrameStepper() = default;

  /// The state of (q, ξ) at t = 0; false where it does not exist.
  virtual bool start(const std::vector<S>& q, const std::vector<S>& xi, const S& h,
                     FrameState<S>& state) = 0;
  /// One step from time t. A failed step leaves z as it was.
  virtual StepReport<S> step(FrameState<S>& state, const S& t, const S& h) noexcept = 0;
  /// The configuration and the quasi-velocities of a state; false where they do not exist.
  virtual bool observe(const FrameState<S>& state, const S& t, const S& h, S* q,
                       S* xi) noexcept = 0;
  /// Where between nodes the states lie: 0, or ½ for half nodes.
  virtual double offset() const { return 0.0; }
  /// How many steps the work W of a state lies behind what is shown of it.
  virtual double work_offset() const { return 0.0; }
};

/// ξ from P = π(q, ξ, t): one linear solve where π is affine in ξ, else Newton from the given
/// guess.
template <class S>
class MomentumInverse {
 public:
  MomentumInverse() = default;
  MomentumInverse(const FrameModel& model, const Expressions& momentum)
      : N_(model.coordinates_count()), m_(model.fields()) {
    const auto xi = model.admissible();
    const Expressions inputs = model.variables();
    Expressions outputs = momentum;
    const Expressions mass = jacobian(momentum, xi);
    outputs.insert(outputs.end(), mass.begin(), mass.end());
    for (const auto& entry : mass) affine_ = affine_ && !depends_on(entry, xi);
    evaluate_ = Evaluator<S>(Program(inputs, outputs));
    in_.resize(inputs.size());
    out_.resize(outputs.size());
    delta_.resize(static_cast<std::size_t>(m_));
    pivot_.resize(static_cast<std::size_t>(m_));
  }

  /// P of (q, ξ, t).
  void momentum(const S* q, const S* xi, const S& t, S* P) noexcept {
    at(q, xi, t);
    for (int j = 0; j < m_; ++j) P[j] = out_[static_cast<std::size_t>(j)];
  }

  /// False where the kinetic matrix is singular or Newton does not converge.
  bool operator()(const S* q, const S* P, const S& t, S* xi) noexcept {
    if (affine_)
      for (int j = 0; j < m_; ++j) xi[j] = S(0.0);
    S last = S(1e300);
    for (int k = 0; k < (affine_ ? 1 : 50); ++k) {
      at(q, xi, t);
      for (int j = 0; j < m_; ++j) delta_[index(j)] = P[j] - out_[index(j)];
      S* mass = out_.data() + m_;
      if (!lu_factor(mass, m_, pivot_.data())) return false;
      lu_solve(mass, m_, pivot_.data(), delta_.data());
      S size = S(0.0);
      S scale = S(0.0);
      for (int j = 0; j < m_; ++j) {
        xi[j] = xi[j] + delta_[index(j)];
        size = max(size, abs(delta_[index(j)]));
        scale = max(scale, abs(xi[j]));
      }
      if (!(size <= S(1e300))) return false;
      if (affine_ || size == S(0.0)) return true;
      if (size <= S(1e3) * Epsilon<S>::value * scale && !(size < last)) return true;
      last = size;
    }
    return affine_;
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  void at(const S* q, const S* xi, const S& t) noexcept {
    for (int b = 0; b < N_; ++b) in_[index(b)] = q[b];
    for (int j = 0; j < m_; ++j) in_[index(N_ + j)] = xi[j];
    in_[index(N_ + m_)] = t;
    evaluate_(in_.data(), out_.data());
  }

  int N_ = 0;
  int m_ = 0;
  bool affine_ = true;
  Evaluator<S> evaluate_;
  std::vector<S> in_, out_, delta_;
  std::vector<int> pivot_;
};

}  // namespace hamel
