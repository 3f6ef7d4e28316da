// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/models/spheres_formulas.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "drive_expressions.hpp"
#include "hamel/core/error.hpp"
#include "hamel/core/vec.hpp"
#include "hamel/expressions/program.hpp"
#include "hamel/models/spheres_model.hpp"

namespace hamel {

namespace {

using Vector = Vec<Expression, 3>;

Vector vector_at(const Expressions& list, std::size_t i) {
  return {{list[3 * i], list[3 * i + 1], list[3 * i + 2]}};
}

/// |a|, with derivatives that exist (and vanish) at a = 0 after multiplication by a.
Expression length(const Vector& a) {
  const Expression square = norm2(a);
  return select(0.0 < square, sqrt(square), 0.0);
}

/// Forces that a chain's dampers, the air and its drive exert, paired with δq_i.
std::vector<Vector> outer_forces(const Chain& chain, const SpheresFormulas& s) {
  const std::size_t n = chain.masses.size();
  const DriveExpressions drive = drive_expressions(chain.drive_formulas, s.t);
  const Expressions base_velocity = derivative(drive.base, s.t);
  std::vector<Vector> f(n);
  std::vector<Vector> omega(n);
  for (std::size_t i = 0; i < n; ++i) omega[i] = cross(vector_at(s.q, i), vector_at(s.v, i));
  if (chain.joint_damping != 0.0) {
    const Expression c = chain.joint_damping;
    for (std::size_t i = 0; i < n; ++i) {
      Vector torque = -(c * (i == 0 ? omega[0] : omega[i] - omega[i - 1]));  // from joint i
      if (i + 1 < n) torque += c * (omega[i + 1] - omega[i]);  // its neighbour's reaction
      f[i] += cross(torque, vector_at(s.q, i));  // τ·γ = (τ×q)·(γ×q): f = τ×q [MATH 6.2]
    }
  }
  if (chain.air_drag != 0.0) {
    std::vector<Vector> drag(n);
    Vector speed = vector_at(base_velocity, 0);
    for (std::size_t k = 0; k < n; ++k) {
      speed += Expression(chain.lengths[k]) * vector_at(s.v, k);  // ẋ_k = Σ_{j≤k} l_j q̇_j
      drag[k] = -((Expression(chain.air_drag) * length(speed)) * speed);
    }
    Vector beyond{};
    for (std::size_t i = n; i-- > 0;) {
      beyond += drag[i];
      f[i] += Expression(chain.lengths[i]) * beyond;  // f_i = l_i Σ_{k≥i} F_k     [MATH 6.2]
    }
  }
  if (chain.drive_formulas.given()) {
    f[0] += cross(vector_at(drive.base_torque, 0), vector_at(s.q, 0));
    const Vector acceleration = vector_at(derivative(base_velocity, s.t), 0);
    Vector pull = vector_at(drive.tip_force, 0);  // and what an accelerated base seems to exert
    for (std::size_t i = n; i-- > 0;) {
      pull -= Expression(chain.masses[i]) * acceleration;
      f[i] += Expression(chain.lengths[i]) * pull;
    }
  }
  return f;
}

}  // namespace

SpheresFormulas SpheresFormulas::copy() const {
  SpheresFormulas own = *this;
  own.graph = std::make_shared<ExpressionGraph>(*graph);
  const auto move = [&](Expression& e) { e = e.in(*own.graph); };
  for (Expressions* list : {&own.q, &own.v, &own.force}) std::ranges::for_each(*list, move);
  for (Expressions& row : own.inertia) std::ranges::for_each(row, move);
  for (Expression* e : {&own.t, &own.lagrangian, &own.potential}) move(*e);
  return own;
}

bool SpheresFormulas::constant_inertia() const {
  return quadratic() && std::ranges::all_of(inertia, [](const Expressions& row) {
           return std::ranges::all_of(row, [](const Expression& m) { return m.is_constant(); });
         });
}

bool SpheresFormulas::diagonal_inertia() const {
  if (!constant_inertia()) return false;
  for (std::size_t i = 0; i < inertia.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (!inertia[i][j].is_constant(0) || !inertia[j][i].is_constant(0)) return false;
  return true;
}

SpheresFormulas SpheresFormulas::with_variables(std::vector<std::string> names) {
  SpheresFormulas s;
  s.graph = std::make_shared<ExpressionGraph>();
  s.names = std::move(names);
  for (Expressions* list : {&s.q, &s.v})
    for (std::size_t a = 0; a < 3 * s.names.size(); ++a) list->push_back(s.graph->input());
  s.t = s.graph->input();
  return s;
}

void SpheresFormulas::set_quadratic(std::vector<Expressions> m, const Expression& U) {
  const std::size_t n = q.size() / 3;
  if (m.size() != n || std::ranges::any_of(m, [&](const Expressions& r) { return r.size() != n; }))
    throw InputError("the inertia of " + std::to_string(n) + " spheres is a matrix of " +
                     std::to_string(n) + " rows and columns");
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) m[i][j] = m[j][i];  // one and the same node
  Expression T;
  for (std::size_t i = 0; i < n; ++i) {
    T += (0.5 * m[i][i]) * norm2(vector_at(v, i));
    for (std::size_t j = i + 1; j < n; ++j) T += m[i][j] * dot(vector_at(v, i), vector_at(v, j));
  }
  lagrangian = T - U;
  inertia = std::move(m);
  potential = U;
}

void SpheresFormulas::find_inertia() {
  if (depends_on(lagrangian, {&t, 1})) return;
  const std::size_t n = q.size() / 3;
  const Expressions slope = gradient(lagrangian, v);
  std::vector<Expressions> m(n, Expressions(n));
  for (std::size_t i = 0; i < n; ++i) {
    const Expressions row = gradient(slope[3 * i], v);
    for (std::size_t j = i; j < n; ++j) m[i][j] = m[j][i] = row[3 * j];
  }
  for (const Expressions& row : m)
    for (const Expression& entry : row)
      if (depends_on(entry, v)) return;
  const Expression U = -substituted(lagrangian, v, Expressions(v.size()));
  SpheresFormulas quadratic = *this;
  quadratic.set_quadratic(std::move(m), U);
  // The same function? Told by its values at general points.
  Expressions inputs = q;
  inputs.insert(inputs.end(), v.begin(), v.end());
  inputs.push_back(t);
  Evaluator<double> evaluate(Program(inputs, {{lagrangian, quadratic.lagrangian}}));
  std::minstd_rand random(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<double> in(inputs.size());
  for (int sample = 0; sample < 8; ++sample) {
    for (double& x : in) x = uniform(random);
    double out[2];
    evaluate(in.data(), out);
    if (!std::isfinite(out[0]) && !std::isfinite(out[1])) continue;  // outside the domain
    if (!(std::fabs(out[0] - out[1]) <= 1e-12 * (1.0 + std::fabs(out[0])))) return;
  }
  *this = std::move(quadratic);
}

SpheresFormulas chain_formulas(const Chain& chain) {
  const std::size_t n = chain.masses.size();
  if (n == 0 || chain.lengths.size() != n)
    throw InputError("a chain needs as many lengths as masses, at least one: there are " +
                     std::to_string(chain.lengths.size()) + " and " + std::to_string(n));
  if (!chain.bending.empty() && chain.bending.size() + 1 != n)
    throw InputError("a chain of " + std::to_string(n) + " links has " + std::to_string(n - 1) +
                     " joints that bend; " + std::to_string(chain.bending.size()) + " are given");
  std::vector<std::string> names;
  for (std::size_t i = 1; i <= n; ++i) names.push_back("q" + std::to_string(i));
  SpheresFormulas s = SpheresFormulas::with_variables(std::move(names));

  Expressions beyond(n);  // Σ_{k≥i} m_k
  Expression sum;
  for (std::size_t i = n; i-- > 0;) {
    sum += chain.masses[i];
    beyond[i] = sum;
  }
  std::vector<Expressions> m(n, Expressions(n));
  Expression U;
  for (std::size_t i = 0; i < n; ++i) {
    const Expression l = chain.lengths[i];
    for (std::size_t j = 0; j < n; ++j)
      m[i][j] = beyond[std::max(i, j)] * l * chain.lengths[j];  // m_ij = M_ij l_i l_j [MATH 6.2]
    U += (chain.gravity * l * beyond[i]) * s.q[3 * i + 2];
  }
  if (chain.clamp != 0.0) {
    const Vector axis{{chain.axis[0], chain.axis[1], chain.axis[2]}};
    U += chain.clamp * (1.0 - dot(axis, vector_at(s.q, 0)));
  }
  for (std::size_t i = 0; i < chain.bending.size(); ++i)
    U += chain.bending[i] * (1.0 - dot(vector_at(s.q, i), vector_at(s.q, i + 1)));
  s.set_quadratic(std::move(m), U);
  if (chain.forced())
    for (const Vector& f : outer_forces(chain, s))
      s.force.insert(s.force.end(), f.data, f.data + 3);
  return s;
}

}  // namespace hamel
