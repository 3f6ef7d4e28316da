// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/models/spheres_equations.hpp"

#include <algorithm>
#include <utility>

#include "constant_inverse.hpp"
#include "hamel/core/error.hpp"
#include "hamel/core/vec.hpp"

namespace hamel {

namespace {

using Vector = Vec<Expression, 3>;
using Vectors = std::vector<Vector>;
using Matrix = ExpressionMatrix;

Vectors vectors(std::span<const Expression> list) {
  Vectors all(list.size() / 3);
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = {{list[3 * i], list[3 * i + 1], list[3 * i + 2]}};
  return all;
}

Expressions flat(const Vectors& list) {
  Expressions all;
  for (const Vector& a : list) all.insert(all.end(), a.data, a.data + 3);
  return all;
}

class Builder {
 public:
  Builder(const SpheresFormulas& s, SpheresForm form)
      : s_(s),
        n_(s.q.size() / 3),
        angular_(form == SpheresForm::q_omega || form == SpheresForm::q_pi),
        hamiltonian_(form == SpheresForm::q_mu || form == SpheresForm::q_pi),
        q_(vectors(s.q)) {
    for (const Vector& q : q_) inverse_.push_back(1.0 / norm2(q));
    e_.y = variables(s.q.size());
    e_.velocity_solved = hamiltonian_;
    y_ = vectors(e_.y);
    L_v_ = gradient(s.lagrangian, s.v);
    L_q_ = gradient(s.lagrangian, s.q);
    from_velocity();
  }

  SpheresEquations general() {
    unknown_vectors();
    const Expressions H = jacobian(L_v_, s_.v);
    e_.newton = hamiltonian_ && !s_.quadratic() &&
                std::ranges::any_of(H, [&](const Expression& h) { return depends_on(h, s_.v); });
    if (angular_) {
      general_angular();
    } else {
      e_.matrix = at(H, hamiltonian_ ? x_ : u_);
      for (std::size_t i = 0; i < n_; ++i) project_rows(i);
      const Expressions alpha = add_normal_parts();
      if (hamiltonian_) {
        general_mu(alpha);
      } else {
        general_acceleration(alpha);
      }
    }
    return finished();
  }

  SpheresEquations quadratic() {
    unknown_vectors();
    const Matrix& m = s_.inertia;
    e_.matrix.resize(9 * n_ * n_);
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < n_; ++j)
        for (int r = 0; r < 3; ++r)
          for (int c = 0; c < 3; ++c) entry(i, r, j, c) = m[i][j] * inertia_block(i, r, j, c);
    Vectors right(n_);
    if (hamiltonian_) {
      for (std::size_t i = 0; i < n_; ++i) right[i] = tangent(i, y_[i]);
    } else {
      const Vectors force = without_acceleration();
      for (std::size_t i = 0; i < n_; ++i) {
        if (angular_) {
          right[i] = cross(q_[i], force[i]);
          for (std::size_t j = 0; j < n_; ++j)
            if (j != i)  // [D3 (18)] [MATH 6.1]
              right[i] += (m[i][j] * norm2(y_[j])) * cross(q_[i], q_[j]);
        } else {  // [D3 (12)]
          right[i] = tangent(i, force[i]) - (m[i][i] * norm2(u_[i]) * inverse_[i]) * q_[i];
        }
      }
      e_.rate = e_.x;
    }
    e_.right = flat(right);
    if (hamiltonian_) momentum_rate(vectors(at(L_v_, u_)));
    return finished();
  }

  SpheresEquations constant(const Matrix& W) {
    const bool uncoupled = s_.diagonal_inertia();
    if (!uncoupled) {
      e_.x = variables(n_);
      for (std::size_t i = 0; i < n_; ++i)
        for (std::size_t j = 0; j < n_; ++j) e_.matrix.push_back(W[i][j] * dot(q_[i], q_[j]));
    }
    // What W acts on: b_i + λ_iq_i.
    Vectors b(n_);
    if (hamiltonian_) {
      for (std::size_t i = 0; i < n_; ++i)
        b[i] = angular_ ? inverse_[i] * cross(y_[i], q_[i]) : tangent(i, y_[i]);
    } else {
      u_ = velocity_of(y_);
      b = force();
    }
    if (!uncoupled || !hamiltonian_) {  // uncoupled, W_ii b_i is tangent as b_i is: λ = 0
      const Vectors Wb = product(W, b);
      for (std::size_t i = 0; i < n_; ++i) {
        Expression right = -dot(q_[i], Wb[i]);
        if (!hamiltonian_) right -= norm2(u_[i]);
        if (!uncoupled) e_.right.push_back(right);
        b[i] += (uncoupled ? right * inverse_[i] / W[i][i] : e_.x[i]) * q_[i];
      }
    }
    const Vectors solved = product(W, b);  // q̇ or q̈
    if (hamiltonian_) {
      u_ = solved;
      if (!uncoupled)
        for (std::size_t i = 0; i < n_; ++i) u_[i] = tangent(i, solved[i]);
      momentum_rate(b, uncoupled);  // Σ_j m_ij q̇_j = b_i [MATH 6.3]
    } else {
      Vectors rate(n_);
      for (std::size_t i = 0; i < n_; ++i)
        rate[i] = angular_ ? inverse_[i] * cross(q_[i], solved[i]) : solved[i];  // ω̇ = q×q̈
      e_.rate = flat(rate);
    }
    return finished();
  }

 private:
  // --- building blocks ---------------------------------------------------------------------------

  Expressions variables(std::size_t count) const {
    Expressions list(count);
    for (auto& e : list) e = s_.graph->input();
    return list;
  }

  Expression& entry(std::size_t i, int r, std::size_t j, int c) {
    return e_.matrix[(3 * i + static_cast<std::size_t>(r)) * 3 * n_ + 3 * j +
                     static_cast<std::size_t>(c)];
  }

  /// P_i a.
  Vector tangent(std::size_t i, const Vector& a) const {
    return a - (dot(q_[i], a) * inverse_[i]) * q_[i];
  }

  /// q̇ of q̇ or ω, tangent whatever its argument.
  Vectors velocity_of(const Vectors& w) const {
    Vectors u(n_);
    for (std::size_t i = 0; i < n_; ++i) u[i] = angular_ ? cross(w[i], q_[i]) : tangent(i, w[i]);
    return u;
  }

  /// Expressions of (q, q̇, t) at the velocities given.
  Expressions at(std::span<const Expression> f, const Vectors& velocity) const {
    return substituted(f, s_.v, flat(velocity));
  }

  Vectors product(const Matrix& W, const Vectors& b) const {
    Vectors sum(n_);
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < n_; ++j)
        if (!W[i][j].is_constant(0)) sum[i] += W[i][j] * b[j];
    return sum;
  }

  /// x is a velocity or an acceleration: 3n.
  void unknown_vectors() {
    e_.x = variables(3 * n_);
    x_ = vectors(e_.x);
    u_ = velocity_of(hamiltonian_ ? x_ : y_);
  }

  /// S(q_i)ᵀS(q_j) or P_i, for i = j with the normal part added, which leaves |q_i|² or 1 times the
  /// identity: entry (r, c).                                          [D3 (12)] [D3 (18)] [D3 (32)]
  Expression inertia_block(std::size_t i, int r, std::size_t j, int c) const {
    const Expression one = r == c ? 1.0 : 0.0;
    if (i == j) return angular_ ? norm2(q_[i]) * one : one;
    if (angular_) return dot(q_[i], q_[j]) * one - q_[j][r] * q_[i][c];
    return one - q_[i][r] * q_[i][c] * inverse_[i];
  }

  void project_rows(std::size_t i) {
    for (std::size_t j = 0; j < n_; ++j) {
      for (int c = 0; c < 3; ++c) {
        const Vector column =
            tangent(i, {{entry(i, 0, j, c), entry(i, 1, j, c), entry(i, 2, j, c)}});
        for (int r = 0; r < 3; ++r) entry(i, r, j, c) = column[r];
      }
    }
  }

  /// Adds α_i q_iq_iᵀ/|q_i|² to blocks whose rows are tangent; returns α.
  Expressions add_normal_parts() {
    Expressions alpha(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      alpha[i] = 0.5 * (entry(i, 0, i, 0) + entry(i, 1, i, 1) + entry(i, 2, i, 2));
      const Expression factor = alpha[i] * inverse_[i];
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) entry(i, r, i, c) += factor * (q_[i][r] * q_[i][c]);
    }
    return alpha;
  }

  // --- equations ---------------------------------------------------------------------------------

  void from_velocity() {
    const Vectors v = vectors(s_.v);
    const Vectors p = vectors(L_v_);
    Vectors y(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      if (hamiltonian_)
        y[i] = angular_ ? cross(q_[i], p[i]) : tangent(i, p[i]);  // [D3 (19)] [D3 (27)] [MATH 6.3]
      else
        y[i] = angular_ ? inverse_[i] * cross(q_[i], v[i]) : v[i];
    }
    e_.from_velocity = flat(y);
  }

  /// f at u; zero where there is none.
  Vectors outer_force() const {
    return s_.forced() ? vectors(at(s_.force, u_)) : Vectors(n_, Vector{});
  }

  /// L_q + f at u.
  Vectors force() const {
    Vectors sum = vectors(at(L_q_, u_));
    const Vectors f = outer_force();
    for (std::size_t i = 0; i < n_; ++i) sum[i] += f[i];
    return sum;
  }

  /// −F − U_q + f at u, F_i = Σ_j ṁ_ij q̇_j − ∂T/∂q_i.                                    [MATH 6.1]
  Vectors without_acceleration() const {
    Vectors sum = force();
    for (std::size_t i = 0; i < n_; ++i) {
      const Expressions m_dot = at(directional(s_.inertia[i], s_.q, s_.v), u_);
      for (std::size_t j = 0; j < n_; ++j) sum[i] -= m_dot[j] * u_[j];
    }
    return sum;
  }

  /// P_i{Σ_j L_{q̇_iq̇_j} q̈_j + …} = 0 with q_i·q̈_i = −|q̇_i|².                             [D3 (10)]
  void general_acceleration(const Expressions& alpha) {
    const Vectors along_q = vectors(at(directional(L_v_, s_.q, s_.v), u_));
    const Vectors along_t = vectors(at(derivative(L_v_, s_.t), u_));
    const Vectors total = force();
    Vectors right(n_);
    for (std::size_t i = 0; i < n_; ++i)
      right[i] = tangent(i, total[i] - along_q[i] - along_t[i]) -  // [D3 (10)]
                 (alpha[i] * norm2(u_[i]) * inverse_[i]) * q_[i];
    e_.right = flat(right);
    e_.rate = e_.x;
  }

  /// q̇ = x from P_i L_{q̇_i} = P_i μ_i.                                                   [D3 (19)]
  void general_mu(const Expressions& alpha) {
    const Vectors p = vectors(at(L_v_, x_));
    Vectors right(n_);
    for (std::size_t i = 0; i < n_; ++i)
      right[i] = tangent(i, y_[i] - p[i]) - (alpha[i] * inverse_[i] * dot(q_[i], x_[i])) * q_[i];
    e_.right = flat(right);
    momentum_rate(vectors(at(L_v_, u_)));
  }

  /// With L̃(q, ω) and its derivatives. L̃_ω = q×L_q̇ is tangent, and so are the rows of L̃_ωω.
  void general_angular() {
    const Vectors& omega = hamiltonian_ ? x_ : y_;
    const Expressions w = flat(omega);
    const Expression L = at({&s_.lagrangian, 1}, u_).front();
    const Expressions L_w = gradient(L, w);
    const Vectors by_q = vectors(gradient(L, s_.q));
    const Vectors by_w = vectors(L_w);
    const Vectors f = outer_force();
    e_.matrix = jacobian(L_w, w);
    const Expressions alpha = add_normal_parts();
    Vectors right(n_);
    Vectors rate = x_;
    const Vectors along_q = vectors(directional(L_w, s_.q, flat(u_)));
    const Vectors along_t = vectors(derivative(L_w, s_.t));
    for (std::size_t i = 0; i < n_; ++i) {
      const Vector torque = cross(q_[i], by_q[i] + f[i]);
      if (hamiltonian_) {  // ω = x from L̃_ω = π; then π̇          [D3 (31)]
        right[i] =
            tangent(i, y_[i]) - by_w[i] - (alpha[i] * inverse_[i] * dot(q_[i], x_[i])) * q_[i];
        rate[i] = torque + cross(x_[i], by_w[i]);
      } else {  // 2ω×L̃_ω is along q                              [D3 (16)]
        right[i] = torque - tangent(i, along_q[i] + along_t[i]);
      }
    }
    e_.right = flat(right);
    e_.rate = flat(rate);
  }

  /// μ̇ or π̇ from q̇ = u and p = L_q̇; parallel: each u_i to its p_i.
  void momentum_rate(const Vectors& p, bool parallel = false) {
    const Vectors total = force();
    Vectors rate(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      if (angular_) {
        rate[i] = cross(q_[i], total[i]);
        if (!parallel) rate[i] += cross(u_[i], p[i]);  // [MATH 6.3]
      } else {
        const Expression nu = dot(q_[i], y_[i] - p[i]) * inverse_[i];
        rate[i] = tangent(i, total[i]) + nu * u_[i] -  // [D3 (23)]
                  (dot(u_[i], y_[i]) * inverse_[i]) * q_[i];
      }
    }
    e_.rate = flat(rate);
  }

  SpheresEquations finished() {
    e_.velocity = flat(u_);
    const Vectors f = outer_force();
    for (std::size_t i = 0; i < n_; ++i) e_.power += dot(f[i], u_[i]);
    if (hamiltonian_ && !e_.newton)  // affine in x: one solution, whatever the guess
      for (Expressions* list : {&e_.matrix, &e_.right})
        *list = substituted(*list, e_.x, Expressions(e_.x.size()));
    return std::move(e_);
  }

  const SpheresFormulas& s_;
  std::size_t n_;
  bool angular_, hamiltonian_;
  Vectors q_;
  Expressions inverse_;  // 1/|q_i|²
  Vectors y_, x_, u_;    // u: q̇ as an expression
  Expressions L_v_, L_q_;
  SpheresEquations e_;
};

}  // namespace

SpheresRoute shortest_route(const SpheresFormulas& formulas) {
  if (!formulas.quadratic()) return SpheresRoute::general;
  if (!formulas.constant_inertia() || constant_inverse(formulas.inertia).empty())
    return SpheresRoute::quadratic;
  return SpheresRoute::constant;
}

SpheresEquations spheres_equations(const SpheresFormulas& formulas, SpheresForm form,
                                   SpheresRoute route) {
  Builder builder(formulas, form);
  if (route == SpheresRoute::general) return builder.general();
  if (!formulas.quadratic())
    throw InputError("a Lagrangian that is not quadratic in the velocities has no inertia matrix");
  if (route == SpheresRoute::quadratic) return builder.quadratic();
  const Matrix W = formulas.constant_inertia() ? constant_inverse(formulas.inertia) : Matrix();
  if (W.empty()) throw InputError("the inertia matrix is not constant, or not positive definite");
  return builder.constant(W);
}

}  // namespace hamel
