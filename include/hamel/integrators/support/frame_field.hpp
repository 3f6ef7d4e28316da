// The equations of motion of a frame system as a vector field, for the explicit and Gauss methods.
//
//   z = (q, p) or (q, p, W):  ξ from p = μ(q, ξ, t),  q̇ = ψξ,  ṗ = F + Q,  Ẇ = ⟨f, v⟩.
//                                                                         [MATH 1.2] [MATH 1.4]
#pragma once

#include "hamel/integrators/support/frame_stepper.hpp"

namespace hamel {

template <class S>
class FrameField {
 public:
  FrameField() = default;
  explicit FrameField(const FrameModel& model) : N_(model.coordinates_count()), m_(model.fields()) {
    const FrameEquations e = frame_equations(model);
    const auto xi = model.admissible();
    const Expressions inputs = model.variables();
    Expressions rates = e.velocity;
    for (std::size_t j = 0; j < e.rate.size(); ++j) rates.push_back(e.rate[j] + e.force[j]);
    if (model.forced()) rates.push_back(e.power);
    size_ = static_cast<int>(rates.size());
    rates_ = Evaluator<S>(Program(inputs, rates));
    inverse_ = MomentumInverse<S>(model, e.momentum);
    in_.resize(inputs.size());
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
    for (int b = 0; b < N_; ++b) in_[index(b)] = z[b];
    for (int j = 0; j < m_; ++j) in_[index(N_ + j)] = xi[j];
    in_[index(N_ + m_)] = t;
    rates_(in_.data(), rate);
    return true;
  }

  bool observe(const S* z, const S& t, S* q, S* xi) noexcept {
    for (int b = 0; b < N_; ++b) q[b] = z[b];
    return inverse_(z, z + N_, t, xi);
  }

  int fields() const { return m_; }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  int N_ = 0;
  int m_ = 0;
  int size_ = 0;
  Evaluator<S> rates_;
  MomentumInverse<S> inverse_;
  std::vector<S> in_;
};

}  // namespace hamel
