// SPDX-License-Identifier: BSD-3-Clause
// The quasi-velocities of given momenta.
#pragma once

#include <vector>

#include "hamel/expressions/program.hpp"
#include "hamel/models/frame_equations.hpp"
#include "hamel/solve/dense.hpp"

namespace hamel {

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

  /// Whether one linear solve suffices; then π and its matrix are given by the program, from
  /// (q, 0, t).
  bool affine() const { return affine_; }
  const Program& program() const { return evaluate_.program(); }

  void bind(std::span<const double> parameters) { evaluate_.bind(parameters); }

  void hold(std::span<const S> held) noexcept { evaluate_.hold(held); }

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
