// SPDX-License-Identifier: BSD-3-Clause
// The equations of motion of a frame system as a vector field (see gauss_stepper.hpp).
//
//   z = (q, p) or (q, p, W):  ξ from p = μ(q, ξ, t),  q̇ = ψξ,  ṗ = F + Q,  Ẇ = ⟨f, v⟩.
//                                                                         [MATH 1.2] [MATH 1.4]
#pragma once

#include <array>
#include <optional>

#include "hamel/kernels/lanes/field_lanes.hpp"
#include "hamel/models/momentum_inverse.hpp"
#include "hamel/stepping/stepper.hpp"

namespace hamel {

template <class S>
class FrameField {
 public:
  FrameField() = default;
  FrameField(const FrameModel& model, const FrameEquations& e, bool with_derivative = false)
      : N_(model.coordinates_count()), m_(model.fields()) {
    const auto xi = model.admissible();
    const Expressions inputs = model.variables();
    Expressions rates = e.velocity;
    for (std::size_t j = 0; j < e.rate.size(); ++j) rates.push_back(e.rate[j] + e.force[j]);
    if (model.forced()) rates.push_back(e.power);
    size_ = static_cast<int>(rates.size());
    rates_ = Evaluator<S>(Program(inputs, rates));
    inverse_ = MomentumInverse<S>(model, e.momentum);
    in_.resize(inputs.size());
    if (!with_derivative) return;
    Expressions outputs = rates;
    for (const auto& part : {jacobian(rates, model.q), jacobian(rates, xi),
                             jacobian(e.momentum, model.q), jacobian(e.momentum, xi)})
      outputs.insert(outputs.end(), part.begin(), part.end());
    derivatives_ = Evaluator<S>(Program(inputs, outputs));
    out_.resize(outputs.size());
    column_.resize(index(m_));
    pivot_.resize(index(m_));
  }

  void bind(std::span<const double> parameters) {
    inverse_.bind(parameters);
    rates_.bind(parameters);
    derivatives_.bind(parameters);
  }

  void hold(std::span<const S> held) noexcept {
    inverse_.hold(held);
    rates_.hold(held);
    derivatives_.hold(held);
  }

  /// ż and ∂ż/∂z (row by row), with ∂ξ/∂p = M⁻¹, ∂ξ/∂q = −M⁻¹ μ_q. As operator() otherwise.
  bool derivative(const S* z, const S& t, S* xi, S* rate, S* matrix) noexcept {
    if (!inverse_(z, z + N_, t, xi)) return false;
    load(z, xi, t);
    derivatives_(in_.data(), out_.data());
    const S* by_q = out_.data() + size_;
    const S* by_xi = by_q + size_ * N_;
    const S* momentum_by_q = by_xi + size_ * m_;
    S* mass = out_.data() + size_ * (1 + N_ + m_) + m_ * N_;
    if (!lu_factor(mass, m_, pivot_.data())) return false;
    for (int c = 0; c < size_; ++c) {
      for (int j = 0; j < m_; ++j) {
        const S unit = c - N_ == j ? S(1.0) : S(0.0);
        column_[index(j)] = c < N_ ? -momentum_by_q[j * N_ + c] : unit;
      }
      lu_solve(mass, m_, pivot_.data(), column_.data());
      for (int i = 0; i < size_; ++i) {
        S sum = c < N_ ? by_q[i * N_ + c] : S(0.0);
        for (int j = 0; j < m_; ++j) sum = sum + by_xi[i * m_ + j] * column_[index(j)];
        matrix[i * size_ + c] = sum;
      }
    }
    for (int i = 0; i < size_; ++i) rate[i] = out_[index(i)];
    return true;
  }

  int size() const { return size_; }

  void start(const std::vector<S>& q, const std::vector<S>& xi, std::vector<S>& z) {
    z.assign(static_cast<std::size_t>(size_), S(0.0));
    for (int b = 0; b < N_; ++b) z[index(b)] = q[index(b)];
    inverse_.momentum(q.data(), xi.data(), S(0.0), z.data() + N_);
  }

  /// ż; xi holds the guess and receives the quasi-velocities. False where they do not exist.
  bool operator()(const S* z, const S& t, S* xi, S* rate) noexcept {
    if (!inverse_(z, z + N_, t, xi)) return false;
    load(z, xi, t);
    rates_(in_.data(), rate);
    return true;
  }

  bool observe(const S* z, const S& t, S* q, S* xi) noexcept {
    for (int b = 0; b < N_; ++b) q[b] = z[b];
    return inverse_(z, z + N_, t, xi);
  }

  /// As programs for many points at once: ξ from M ξ = p − μ(q, 0, t). None where that is
  /// not linear.
  std::optional<hamel_lanes::FieldPrograms> programs() const {
    if (!inverse_.affine()) return {};
    hamel_lanes::FieldPrograms f;
    f.system = inverse_.program().view();
    f.rates = rates_.program().view();
    f.numbers = size_;
    f.known = N_;
    f.x_at = N_;
    f.t_at = N_ + m_;
    f.unknowns = m_;
    f.matrix_at = m_;
    f.given = N_;
    return f;
  }
  std::array<const Program*, 2> owners() const { return {&inverse_.program(), &rates_.program()}; }

  /// ξ, where Newton finds it from the momenta.
  int guesses() const { return m_; }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  void load(const S* z, const S* xi, const S& t) noexcept {
    for (int b = 0; b < N_; ++b) in_[index(b)] = z[b];
    for (int j = 0; j < m_; ++j) in_[index(N_ + j)] = xi[j];
    in_[index(N_ + m_)] = t;
  }

  int N_ = 0;
  int m_ = 0;
  int size_ = 0;
  Evaluator<S> rates_, derivatives_;
  MomentumInverse<S> inverse_;
  std::vector<S> in_, out_, column_;
  std::vector<int> pivot_;
};

}  // namespace hamel
