// SPDX-License-Identifier: BSD-3-Clause
// The equations of motion on (S²)ⁿ as a vector field, in any of D3's four forms.
//
//   z = (q, y) or (q, y, W),  y = q̇, ω, μ or π:  x from a linear system or by Newton, q̇ and ẏ of
//   (q, y, t, x),  Ẇ = Σ f_i·q̇_i.   Equations: models/spheres_equations.hpp.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "hamel/core/vec.hpp"
#include "hamel/expressions/program.hpp"
#include "hamel/kernels/lanes/field_lanes.hpp"
#include "hamel/models/spheres_equations.hpp"
#include "hamel/solve/dense.hpp"

namespace hamel {

template <class S>
class SpheresField {
 public:
  SpheresField() = default;
  /// By the shortest route, or by the general one.
  SpheresField(const SpheresFormulas& formulas, SpheresForm form, bool general = false)
      : SpheresField(formulas, form, general ? SpheresRoute::general : shortest_route(formulas)) {}
  SpheresField(const SpheresFormulas& formulas, SpheresForm form, SpheresRoute route)
      : form_(form), m_(3 * formulas.spheres()) {
    const SpheresEquations e = spheres_equations(formulas, form, route);
    k_ = static_cast<int>(e.x.size());
    newton_ = e.newton;
    velocity_solved_ = e.velocity_solved;
    Expressions inputs = joined(formulas.q, e.y, {formulas.t});
    const Expressions known = inputs;
    inputs.insert(inputs.end(), e.x.begin(), e.x.end());
    const Expressions rates =
        joined(e.velocity, e.rate, formulas.forced() ? Expressions{e.power} : Expressions{});
    size_ = static_cast<int>(rates.size());
    system_ = Evaluator<S>(Program(newton_ ? inputs : known, joined(e.matrix, e.right, {})));
    rates_ = Evaluator<S>(Program(inputs, rates));
    velocity_ = Evaluator<S>(Program(velocity_solved_ ? inputs : known, e.velocity));
    from_velocity_ =
        Evaluator<S>(Program(joined(formulas.q, formulas.v, {formulas.t}), e.from_velocity));
    in_.resize(inputs.size());
    out_.resize(e.matrix.size() + e.right.size());
    pivot_.resize(e.x.size());
  }

  /// 6n, and one more for the work of forces.
  int size() const { return size_; }
  /// Numbers that a call remembers for the next: q̇ where Newton's method needs a guess, else none.
  int guesses() const { return newton_ ? m_ : 0; }

  /// As programs for many points at once; none where Newton's method finds the velocity.
  std::optional<hamel_lanes::FieldPrograms> programs() const {
    if (newton_) return {};
    hamel_lanes::FieldPrograms f;
    f.system = system_.program().view();
    f.rates = rates_.program().view();
    f.numbers = size_;
    f.known = 2 * m_;
    f.t_at = 2 * m_;
    f.x_at = 2 * m_ + 1;
    f.unknowns = k_;
    f.right_at = k_ * k_;
    return f;
  }
  std::array<const Program*, 2> owners() const { return {&system_.program(), &rates_.program()}; }

  /// z of (q, q̇).
  void start(const std::vector<S>& q, const std::vector<S>& v, std::vector<S>& z,
             const S& t = S(0.0)) {
    z.assign(index(size_), S(0.0));
    std::vector<S> in = q;
    in.insert(in.end(), v.begin(), v.end());
    in.push_back(t);
    from_velocity_(in.data(), z.data() + m_);
    for (int a = 0; a < m_; ++a) z[index(a)] = q[index(a)];
  }

  /// ż. guess holds a velocity near that of z and receives it; not read where guesses() is 0. False
  /// where the linear system is singular or Newton does not converge.
  bool operator()(const S* z, const S& t, S* guess, S* rate) noexcept {
    if (!solve(z, t, guess)) return false;
    rates_(in_.data(), rate);
    for (int a = 0; a < guesses(); ++a) guess[a] = rate[a];
    return true;
  }

  /// (q, q̇) of z; v is the guess where one is needed. As operator() otherwise.
  bool observe(const S* z, const S& t, S* q, S* v) noexcept {
    if (velocity_solved_) {
      if (!solve(z, t, v)) return false;
    } else {
      load(z, t);
    }
    velocity_(in_.data(), v);
    for (int a = 0; a < m_; ++a) q[a] = z[a];
    return true;
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  static Expressions joined(const Expressions& a, const Expressions& b, const Expressions& c) {
    Expressions all = a;
    all.insert(all.end(), b.begin(), b.end());
    all.insert(all.end(), c.begin(), c.end());
    return all;
  }

  void load(const S* z, const S& t) noexcept {
    for (int a = 0; a < 2 * m_; ++a) in_[index(a)] = z[a];
    in_[index(2 * m_)] = t;
  }

  /// The solution of the linear system, in `out_` behind the matrix; null where it is singular.
  S* solve_linear() noexcept {
    system_(in_.data(), out_.data());
    S* right = out_.data() + k_ * k_;
    if (!lu_factor(out_.data(), k_, pivot_.data())) return nullptr;
    lu_solve(out_.data(), k_, pivot_.data(), right);
    return right;
  }

  /// Sets in_ = (q, y, t, x).
  bool solve(const S* z, const S& t, const S* guess) noexcept {
    load(z, t);
    if (k_ == 0) return true;
    S* x = in_.data() + 2 * m_ + 1;
    if (!newton_) {
      const S* solution = solve_linear();
      if (solution == nullptr) return false;
      for (int a = 0; a < k_; ++a) x[a] = solution[a];
      return true;
    }
    unknown_of(z, guess, x);
    S last = S(1e300);
    for (int iteration = 0; iteration < 50; ++iteration) {
      const S* delta = solve_linear();
      if (delta == nullptr) return false;
      S size = S(0.0);
      S scale = S(0.0);
      for (int a = 0; a < k_; ++a) {
        x[a] = x[a] + delta[a];
        size = max(size, abs(delta[a]));
        scale = max(scale, abs(x[a]));
        if (!(abs(delta[a]) <= S(1e300))) return false;
      }
      // Corrections that no longer shrink are round-off; 1e3 allows for the matrix's condition.
      if (size == S(0.0)) return true;
      if (size <= S(1e3) * Epsilon<S>::value * scale && !(size < last)) return true;
      last = size;
    }
    return false;
  }

  /// q̇, or ω = q×q̇/|q|² where Newton solves for it.
  void unknown_of(const S* q, const S* v, S* x) const noexcept {
    for (int a = 0; a < m_; ++a) x[a] = v[a];
    if (form_ != SpheresForm::q_pi) return;
    for (int a = 0; a < m_; a += 3) {
      const Vec<S, 3> q_i{{q[a], q[a + 1], q[a + 2]}};
      const Vec<S, 3> omega = cross(q_i, Vec<S, 3>{{v[a], v[a + 1], v[a + 2]}});
      for (int c = 0; c < 3; ++c) x[a + c] = omega[c] / norm2(q_i);
    }
  }

  SpheresForm form_ = SpheresForm::q_qdot;
  int m_ = 0;     // 3n
  int k_ = 0;     // unknowns of the linear system
  int size_ = 0;  // of z
  bool newton_ = false;
  bool velocity_solved_ = false;
  Evaluator<S> system_, rates_, velocity_, from_velocity_;
  std::vector<S> in_, out_;
  std::vector<int> pivot_;
};

}  // namespace hamel
