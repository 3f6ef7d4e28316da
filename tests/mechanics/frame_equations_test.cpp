// SPDX-License-Identifier: BSD-3-Clause
// The equations of motion in frames against Euler–Lagrange and against printed equations.
#include "hamel/models/frame_equations.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <random>

#include "hamel/core/error.hpp"
#include "hamel/expressions/program.hpp"
#include "hamel/models/frame_system.hpp"
#include "hamel/solve/dense.hpp"
#include "hamel/systems/chaplygin_sleigh.hpp"
#include "hamel/systems/euler_top.hpp"
#include "hamel/systems/euler_top_angles.hpp"
#include "hamel/systems/heavy_top.hpp"
#include "hamel/systems/suslov.hpp"

namespace hamel {
namespace {

using Numbers = std::vector<double>;

Numbers values(std::span<const Expression> inputs, std::span<const Expression> outputs,
               const Numbers& in) {
  Numbers out(outputs.size());
  Evaluator<double>(Program(inputs, outputs))(in.data(), out.data());
  return out;
}

Expressions joined(std::initializer_list<std::span<const Expression>> lists) {
  Expressions all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

Numbers random_numbers(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(0.2, 1.0);
  Numbers list(count);
  for (double& x : list) x = uniform(random);
  return list;
}

Numbers solved(Numbers matrix, Numbers right) {
  const int n = static_cast<int>(right.size());
  std::vector<int> pivot(right.size());
  EXPECT_TRUE(lu_factor(matrix.data(), n, pivot.data()));
  lu_solve(matrix.data(), n, pivot.data(), right.data());
  return right;
}

/// ξ̇ at (q, ξ): M ξ̇ = F + Q − ∂μ/∂q·v.
Numbers acceleration(const FrameModel& model, const Numbers& q, const Numbers& xi) {
  const FrameEquations e = frame_equations(model);
  const std::size_t m = model.frame.size();
  const Expressions transport = directional(e.momentum, model.q, e.velocity);
  Expressions out = jacobian(e.momentum, model.admissible());
  for (std::size_t j = 0; j < m; ++j) out.push_back(e.rate[j] + e.force[j] - transport[j]);
  Numbers in = q;
  in.insert(in.end(), xi.begin(), xi.end());
  const Numbers v = values(joined({model.q, model.admissible()}), out, in);
  return solved({v.begin(), v.begin() + static_cast<std::ptrdiff_t>(m * m)},
                {v.begin() + static_cast<std::ptrdiff_t>(m * m), v.end()});
}

/// q̈ of Euler–Lagrange: L_vv q̈ = L_q − L_vq v.
Numbers lagrangian_acceleration(const FrameModel& model, const Numbers& q, const Numbers& v) {
  const Expressions L_v = gradient(model.lagrangian, model.v);
  const Expressions L_q = gradient(model.lagrangian, model.q);
  const Expressions transport = directional(L_v, model.q, model.v);
  Expressions out = jacobian(L_v, model.v);
  for (std::size_t b = 0; b < L_q.size(); ++b) out.push_back(L_q[b] - transport[b]);
  Numbers in = q;
  in.insert(in.end(), v.begin(), v.end());
  const Numbers all = values(joined({model.q, model.v}), out, in);
  const auto split = static_cast<std::ptrdiff_t>(q.size() * q.size());
  return solved({all.begin(), all.begin() + split}, {all.begin() + split, all.end()});
}

/// |q̈ by Hamel − q̈ by Euler–Lagrange|, at a point.
double disagreement(const FrameModel& model, const FrameModel& reference, unsigned seed) {
  const std::size_t n = model.q.size();
  const Numbers q = random_numbers(n, seed);
  const Numbers xi = random_numbers(n, seed + 100);
  const Numbers xi_dot = acceleration(model, q, xi);
  const FrameEquations e = frame_equations(model);
  // q̈ = ψξ̇ + (Dψ·v)ξ
  const Expressions turning = directional(e.velocity, model.q, e.velocity);
  Expressions rates = e.velocity;
  rates.insert(rates.end(), turning.begin(), turning.end());
  const Expressions psi = jacobian(e.velocity, model.admissible());
  rates.insert(rates.end(), psi.begin(), psi.end());
  Numbers in = q;
  in.insert(in.end(), xi.begin(), xi.end());
  const Numbers out = values(joined({model.q, model.admissible()}), rates, in);
  const Numbers v(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(n));
  const Numbers expected = lagrangian_acceleration(reference, q, v);
  double worst = 0.0;
  for (std::size_t b = 0; b < n; ++b) {
    double found = out[n + b];
    for (std::size_t j = 0; j < n; ++j) found += out[2 * n + b * n + j] * xi_dot[j];
    worst =
        std::fmax(worst, std::fabs(found - expected[b]) / std::fmax(1.0, std::fabs(expected[b])));
  }
  return worst;
}

struct Example {
  const char* name;
  std::function<FrameModel()> model;
};

FrameModel kepler() {
  FrameModel m = FrameModel::with_variables({"r", "theta"}, 2, 2);
  const auto& r = m.q[0];
  m.lagrangian = 0.5 * (m.v[0] * m.v[0] + r * r * m.v[1] * m.v[1]) + 1.0 / r;
  m.frame = {{1.0, 0.0}, {0.0, 1.0 / r}};
  return m;
}
FrameModel henon_heiles() {
  FrameModel m = FrameModel::with_variables({"x", "y"}, 2, 2);
  const auto& x = m.q[0];
  const auto& y = m.q[1];
  m.lagrangian = 0.5 * (m.v[0] * m.v[0] + m.v[1] * m.v[1]) -
                 (0.5 * (x * x + y * y) + x * x * y - y * y * y / 3.0);
  const Expression a = 2.0 * x - y + x * y;
  m.frame = {{cos(a), sin(a)}, {-sin(a), cos(a)}};
  return m;
}
FrameModel free_sleigh() {  // all three fields: no constraint
  FrameModel m = FrameModel::with_variables({"x", "y", "theta"}, 3, 3);
  const ChaplyginSleigh sleigh{1.3, 0.7, 0.4};
  const auto q = detail::as_vec<3>(m.q);
  m.lagrangian = sleigh.lagrangian(q, detail::as_vec<3>(m.v));
  m.frame = detail::as_rows(sleigh.frame(q));
  m.frame.push_back(detail::as_rows(sleigh.complement(q)).front());
  return m;
}
FrameModel top_in_angles() {  // body frame over Euler angles
  FrameModel m = FrameModel::with_variables({"theta", "phi", "psi"}, 3, 3);
  const EulerTopAngles top{1.0, 1.7, 2.4};
  m.lagrangian = top.lagrangian(detail::as_vec<3>(m.q), detail::as_vec<3>(m.v));
  const Expression s = sin(m.q[2]);
  const Expression c = cos(m.q[2]);
  const Expression cosec = 1.0 / sin(m.q[0]);
  const Expression cot = cos(m.q[0]) * cosec;
  m.frame = {{c, s * cosec, -s * cot}, {-s, c * cosec, -c * cot}, {0.0, 0.0, 1.0}};
  return m;
}
FrameModel double_pendulum() {
  FrameModel m = FrameModel::with_variables({"a", "b"}, 2, 2);
  const Expression d = m.q[0] - m.q[1];
  m.lagrangian = m.v[0] * m.v[0] + 0.5 * m.v[1] * m.v[1] + m.v[0] * m.v[1] * cos(d) +
                 2.0 * cos(m.q[0]) + cos(m.q[1]);
  m.frame = {{1.0, sin(m.q[0])}, {m.q[1], 2.0 + m.q[0] * m.q[0]}};
  return m;
}
FrameModel charged_particle() {  // linear terms in the velocity
  FrameModel m = FrameModel::with_variables({"x", "y", "z"}, 3, 3);
  const auto& q = m.q;
  const auto& v = m.v;
  m.lagrangian = 0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + q[0] * v[1] * exp(q[2]) -
                 q[1] * q[2] * v[0] - log(1.0 + q[0] * q[0]);
  m.frame = {{1.0, 0.0, q[1]}, {0.0, exp(q[0]), 0.0}, {-q[2], 0.5, 1.0}};
  return m;
}
FrameModel relativistic() {  // not quadratic in the velocity
  FrameModel m = FrameModel::with_variables({"x", "y"}, 2, 2);
  m.lagrangian =
      -sqrt(4.0 - 0.3 * m.v[0] * m.v[0] - 0.2 * m.v[1] * m.v[1] * (1.0 + m.q[0])) - m.q[0] * m.q[1];
  m.frame = {{1.0, 0.3 * m.q[1]}, {0.0, 1.0 + m.q[0] * m.q[1]}};
  return m;
}

const Example examples[] = {{"kepler", kepler},
                            {"henon_heiles", henon_heiles},
                            {"free_sleigh", free_sleigh},
                            {"top_in_angles", top_in_angles},
                            {"double_pendulum", double_pendulum},
                            {"charged_particle", charged_particle},
                            {"relativistic", relativistic}};

/// The same system by l(q, ξ), its structure functions by differentiation.
FrameModel by_quasi_velocities(FrameModel model) {
  model.lagrangian = substituted(model.lagrangian, model.v, frame_equations(model).velocity);
  model.quasi = true;
  return model;
}

// [MATH 1.3]
TEST(FrameEquations, HamelIsEulerLagrange) {
  for (const auto& [name, model] : examples)
    for (unsigned seed = 1; seed <= 5; ++seed)
      EXPECT_LE(disagreement(model(), model(), seed), 1e-12) << name;
}

// [MATH 1.1] [MATH 1.2]
TEST(FrameEquations, HamelByStructureFunctionsIsEulerLagrange) {
  for (const auto& [name, model] : examples)
    for (unsigned seed = 1; seed <= 5; ++seed)
      EXPECT_LE(disagreement(by_quasi_velocities(model()), model(), seed), 1e-12) << name;
}

// [MATH 1.2]: the opposite sign of c gives other equations.
TEST(FrameEquations, TheSignOfTheStructureFunctionsMatters) {
  FrameModel model = by_quasi_velocities(henon_heiles());
  const Expressions c = structure_functions(model);
  model.brackets_given = true;
  for (int k = 0; k < 2; ++k)
    model.brackets.push_back({1, 0, k, c[static_cast<std::size_t>(2 + k)]});
  EXPECT_GE(disagreement(model, henon_heiles(), 1), 1e-2);
}

// [MATH 1.5]: at η = ξ they are Hamel's, by L(q, v) and by l(q, ξ).
TEST(FrameEquations, ImplicitHamelGivesTheFieldOfHamel) {
  for (const FrameModel& m :
       {top_in_angles(), by_quasi_velocities(top_in_angles()), henon_heiles()}) {
    const Expressions inputs = m.variables();
    const Numbers at = random_numbers(inputs.size(), 9);
    const Numbers hamel = values(inputs, frame_equations(m).rate, at);
    const Numbers implicit = values(inputs, implicit_hamel_equations(m).rate, at);
    for (std::size_t j = 0; j < hamel.size(); ++j)
      EXPECT_LE(std::fabs(implicit[j] - hamel[j]), 1e-13 * (1.0 + std::fabs(hamel[j])));
  }
}

// [MATH 1.5]: against the variation itself, its total derivative by differences in Quad.
TEST(FrameEquations, ImplicitHamelIsTheVariationOfThePontryaginAction) {
  const FrameModel m = by_quasi_velocities(top_in_angles());
  const std::size_t n = 3;
  Expressions variables = m.q;
  std::vector<Expressions> lists(4);
  for (auto& list : lists)
    for (std::size_t i = 0; i < n; ++i) {
      list.push_back(m.graph->input());
      variables.push_back(list.back());
    }
  const auto& [xi, eta, mu, mu_dot] = std::tie(lists[0], lists[1], lists[2], lists[3]);
  const Numbers at = random_numbers(variables.size(), 5);
  const Numbers found = values(variables, implicit_hamel_residual(m, xi, eta, mu, mu_dot), at);

  // u_j·(Λ_q − dp/dt), Λ = l(q, η) + ⟨p, q̇ − ψη⟩, p = μφ along q(t), μ(t)
  Evaluator<Quad> frame(Program(m.q, joined({m.frame[0], m.frame[1], m.frame[2]})));
  const Expression l = substituted(m.lagrangian, m.xi, eta);
  Evaluator<Quad> slope(Program(variables, gradient(l, m.q)));
  std::vector<Quad> point(at.begin(), at.end());
  const auto fields = [&](const std::vector<Quad>& q) {
    std::vector<Quad> u(9);
    frame(q.data(), u.data());
    return u;
  };
  const auto p_of = [&](const std::vector<Quad>& q, const std::vector<Quad>& momentum) {
    std::vector<Quad> u = fields(q);  // ψᵀ row by row: u p = μ
    std::vector<Quad> p = momentum;
    std::vector<int> pivot(3);
    EXPECT_TRUE(lu_factor(u.data(), 3, pivot.data()));
    lu_solve(u.data(), 3, pivot.data(), p.data());
    return p;
  };
  const auto part = [&](std::size_t k) {
    return std::vector<Quad>(point.begin() + static_cast<std::ptrdiff_t>(3 * k),
                             point.begin() + static_cast<std::ptrdiff_t>(3 * k + 3));
  };
  const std::vector<Quad> q = part(0);
  const std::vector<Quad> u = fields(q);
  std::vector<Quad> l_q(3);
  slope(point.data(), l_q.data());
  const auto moved = [&](Quad s) {
    std::vector<Quad> there = q;
    std::vector<Quad> momentum = part(3);
    for (std::size_t i = 0; i < n; ++i) {
      momentum[i] += s * part(4)[i];
      for (std::size_t b = 0; b < n; ++b) there[b] += s * part(1)[i] * u[3 * i + b];
    }
    return p_of(there, momentum);
  };
  const Quad d = 1e-10;
  for (std::size_t j = 0; j < n; ++j) {
    Quad sum = 0;
    for (std::size_t s = 0; s < n; ++s) {
      const Quad p_dot = (moved(d)[s] - moved(-d)[s]) / (2 * d);
      std::vector<Quad> up = q;
      std::vector<Quad> down = q;
      up[s] += d;
      down[s] -= d;
      Quad by_frame = 0;  // ⟨p, ∂_sψ η⟩
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t b = 0; b < n; ++b)
          by_frame += part(2)[i] * p_of(q, part(3))[b] *
                      (fields(up)[3 * i + b] - fields(down)[3 * i + b]) / (2 * d);
      sum += u[3 * j + s] * (l_q[s] - by_frame - p_dot);
    }
    EXPECT_NEAR(found[j], static_cast<double>(sum), 1e-12);
  }
}

// [MATH 4]: ξ = (v, ω), v̇ = aω², (I + ma²)ω̇ = −m a v ω, and the side force of the blade.
TEST(FrameEquations, ChaplyginSleigh) {
  const ChaplyginSleigh sleigh{1.3, 0.7, 0.4};
  const FrameModel model = frame_model(sleigh);
  const Numbers q = {0.3, -0.2, 0.9};
  const Numbers xi = {0.8, -1.1};
  const Numbers rate = acceleration(model, q, xi);
  EXPECT_NEAR(rate[0], 0.4 * 1.1 * 1.1, 1e-14);
  EXPECT_NEAR(rate[1], -1.3 * 0.4 * 0.8 * -1.1 / (0.7 + 1.3 * 0.16), 1e-14);

  const ReactionEquations r = reaction_equations(model, frame_equations(model));
  Numbers in = q;
  in.insert(in.end(), xi.begin(), xi.end());
  in.push_back(0.0);
  const Numbers out = values(joined({model.q, model.admissible(), {&model.t, 1}}),
                             joined({r.M, r.g, r.B, r.c}), in);
  const Numbers xi_dot = solved({out[0], out[1], out[2], out[3]}, {out[4], out[5]});
  Numbers force(3);
  for (std::size_t b = 0; b < 3; ++b)
    force[b] = out[12 + b] + out[6 + 2 * b] * xi_dot[0] + out[7 + 2 * b] * xi_dot[1];
  // mass times the sideways acceleration of the centre of mass, along u3, without torque
  const double side = 1.3 * (xi[0] * xi[1] + 0.4 * rate[1]);
  EXPECT_NEAR(force[0], -std::sin(0.9) * side, 1e-14);
  EXPECT_NEAR(force[1], std::cos(0.9) * side, 1e-14);
  EXPECT_NEAR(force[2], 0.0, 1e-14);
}

// D1's equations of the top in Euler angles with their misprints mended: in the first the sin2θ φ̇²
// term and in the second the cosθ sin2ψ θ̇² term carry ½, the third has −(J1 − J2)ξ1ξ2.
TEST(FrameEquations, EulerAnglesAsInD1Corrected) {
  const double J1 = 1.0;
  const double J2 = 1.7;
  const double J3 = 2.4;
  FrameModel model = top_in_angles();
  const auto residuals = [&](double half, double missing) {
    const Numbers q = {0.8, 0.3, 0.5};
    const Numbers v = {0.4, -0.7, 0.9};
    const Numbers a = lagrangian_acceleration(model, q, v);
    const double s = std::sin(q[0]);
    const double c = std::cos(q[0]);
    const double sp = std::sin(q[2]);
    const double cp = std::cos(q[2]);
    const double s2p = std::sin(2 * q[2]);
    const double c2p = std::cos(2 * q[2]);
    const double A = J1 * sp * sp + J2 * cp * cp;
    const double xi1 = v[0] * cp + v[1] * s * sp;
    const double xi2 = -v[0] * sp + v[1] * s * cp;
    return Numbers{
        (J1 * cp * cp + J2 * sp * sp) * a[0] + (J1 - J2) * s * sp * cp * a[1] +
            (J2 - J1) * s2p * v[0] * v[2] - half * (A - J3) * std::sin(2 * q[0]) * v[1] * v[1] +
            (J1 * c2p - J2 * c2p + J3) * s * v[1] * v[2],
        (J1 - J2) * s * sp * cp * a[0] + (A * s * s + J3 * c * c) * a[1] + J3 * c * a[2] +
            half * (J1 - J2) * c * s2p * v[0] * v[0] + (A - J3) * std::sin(2 * q[0]) * v[0] * v[1] +
            (J1 * c2p - J2 * c2p - J3) * s * v[0] * v[2] + (J1 - J2) * s * s * s2p * v[1] * v[2],
        J3 * (c * a[1] + a[2] - s * v[0] * v[1]) - missing * (J1 - J2) * xi1 * xi2};
  };
  for (const double r : residuals(0.5, 1.0)) EXPECT_NEAR(r, 0.0, 1e-13);
  for (const double r : residuals(1.0, 0.0)) EXPECT_GE(std::fabs(r), 1e-3);  // as printed
}

// [MATH 1.4]: rows 1, 2 of Jξ̇ = μ×ξ with μ3 = J13 ξ1 + J23 ξ2, which is not zero.
TEST(FrameEquations, Suslov) {
  const FrameModel model = frame_model(Suslov{2.0, 3.0, 4.0, 0.1, 0.5, 0.25});
  const Numbers R = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const Numbers xi = {1.0, 0.7};
  const double mu[] = {2.0 * xi[0] + 0.1 * xi[1], 0.1 * xi[0] + 3.0 * xi[1],
                       0.5 * xi[0] + 0.25 * xi[1]};
  const Numbers right = {-mu[2] * xi[1], mu[2] * xi[0]};  // (μ×ξ)_1, (μ×ξ)_2 with ξ3 = 0
  const Numbers expected = solved({2.0, 0.1, 0.1, 3.0}, right);
  const Numbers found = acceleration(model, R, xi);
  EXPECT_NEAR(found[0], expected[0], 1e-14);
  EXPECT_NEAR(found[1], expected[1], 1e-14);
}

// [MATH 1.6]: [u_1, u_2] = +u_3 on rotations, and Euler's equations.
TEST(FrameEquations, EulerTop) {
  const FrameModel model = frame_model(EulerTop{1.0, 2.0, 3.0});
  const Numbers R = random_numbers(9, 3);
  const Numbers u12 = values(model.q, bracket(model, 0, 1), R);
  const Numbers u3 = values(model.q, model.frame[2], R);
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(u12[i], u3[i], 1e-15);
  const Numbers rate = acceleration(model, {1, 0, 0, 0, 1, 0, 0, 0, 1}, {0.5, -0.3, 0.8});
  EXPECT_NEAR(rate[0], (2.0 - 3.0) * -0.3 * 0.8 / 1.0, 1e-15);
  EXPECT_NEAR(rate[1], (3.0 - 1.0) * 0.8 * 0.5 / 2.0, 1e-15);
  EXPECT_NEAR(rate[2], (1.0 - 2.0) * 0.5 * -0.3 / 3.0, 1e-15);

  FrameModel differentiated = model;  // the same from the frame, which is injective
  differentiated.brackets_given = false;
  const Numbers identity = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const Numbers c = values(model.q, structure_functions(differentiated), identity);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) {
        const double epsilon = (i - j) * (j - k) * (k - i) / 2.0;
        EXPECT_NEAR(c[static_cast<std::size_t>((i * 3 + j) * 3 + k)], epsilon, 1e-15);
      }
}

// [MATH 4]: the structure functions of the sleigh's frame.
TEST(FrameEquations, StructureFunctionsOfTheSleigh) {
  FrameModel model = by_quasi_velocities(free_sleigh());
  const Numbers c = values(model.q, structure_functions(model), {0.1, 0.2, 0.7});
  const auto at = [&](int i, int j, int k) {
    return c[static_cast<std::size_t>(((i - 1) * 3 + j - 1) * 3 + k - 1)];
  };
  // here the fields stand in the order u1, u2 = ∂θ, u3
  EXPECT_NEAR(at(1, 2, 3), -1.0, 1e-15);
  EXPECT_NEAR(at(2, 3, 1), -1.0, 1e-15);
  EXPECT_NEAR(at(1, 3, 2), 0.0, 1e-15);
}

// [MATH 1.7]: the pendulum's bracket is u3, not zero; its term vanishes because μ3 does.
TEST(FrameEquations, WhyThePendulumsBracketVanishes) {
  FrameModel model = frame_model(HeavyTop{1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 1.0});
  const Numbers at = {0.3, 0.2, -0.9};
  EXPECT_EQ(values(model.q, bracket(model, 0, 1), at), values(model.q, model.frame[2], at));

  FrameModel pendulum = FrameModel::with_variables({"G1", "G2", "G3"}, 3, 2);
  const auto& G = pendulum.q;
  pendulum.quasi = true;
  pendulum.lagrangian =
      0.5 * (pendulum.xi[0] * pendulum.xi[0] + pendulum.xi[1] * pendulum.xi[1]) - G[2];
  pendulum.frame = {{0.0, G[2], -G[1]}, {-G[2], 0.0, G[0]}};
  pendulum.brackets_given = true;
  const Numbers without = acceleration(pendulum, at, {0.6, 0.1});
  pendulum.brackets = {{0, 1, 2, 1.0}};
  EXPECT_EQ(acceleration(pendulum, at, {0.6, 0.1}), without);
}

// [MATH 1.7]
TEST(FrameModel, ARedundantFrameNeedsItsBrackets) {
  FrameModel model = frame_model(HeavyTop{});
  EXPECT_TRUE(model.redundant);
  EXPECT_FALSE(model.unconstrained());
  EXPECT_NO_THROW(checked_equations(model, {0.6, 0.0, 0.8}, {0.1, 0.2, 0.3}));
  model.brackets_given = false;
  EXPECT_THROW(checked_equations(model, {0.6, 0.0, 0.8}, {0.1, 0.2, 0.3}), InputError);
}

TEST(FrameModel, ASingularKineticMatrixIsRefused) {
  FrameModel model = FrameModel::with_variables({"x", "y"}, 2, 2);
  model.lagrangian = 0.5 * (model.v[0] + model.v[1]) * (model.v[0] + model.v[1]);
  model.frame = {{1.0, 0.0}, {0.0, 1.0}};
  EXPECT_THROW(checked_equations(model, {0.0, 0.0}, {1.0, 1.0}), InputError);
}

// [MATH 2.5]: in the kinetic frame the momentum is the velocity, up to what it is at rest, and the
// motion is the same.
TEST(FrameEquations, TheKineticFrameIsOrthonormal) {
  for (const auto& [name, make] : examples) {
    if (std::string(name) == "relativistic") continue;  // it has none
    for (const FrameModel& model : {make(), by_quasi_velocities(make())}) {
      const KineticFrame kinetic = kinetic_frame(model);
      const std::size_t n = model.q.size();
      const FrameEquations e = frame_equations(kinetic.model);
      const Numbers at = random_numbers(2 * n, 9);
      const Numbers p = values(joined({model.q, kinetic.model.admissible()}), e.momentum, at);
      Numbers rest = at;
      std::fill(rest.begin() + static_cast<std::ptrdiff_t>(n), rest.end(), 0.0);
      const Numbers p0 = values(joined({model.q, kinetic.model.admissible()}), e.momentum, rest);
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_NEAR(p[i] - p0[i], at[n + i], 1e-13) << name;
        if (std::string(name) != "charged_particle") {  // whose Lagrangian has linear terms
          EXPECT_EQ(p0[i], 0.0) << name;
        }
      }
      EXPECT_LE(disagreement(kinetic.model, make(), 2), 1e-12) << name;
      // ξ' = Cᵀξ and back
      const auto xi = model.admissible();
      const Expressions back = substituted(kinetic.from, xi, kinetic.to);
      const Numbers same = values(joined({model.q, xi}), back, at);
      for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(same[i], at[n + i], 1e-13) << name;
    }
  }
  EXPECT_THROW(kinetic_frame(relativistic()), InputError);
}

}  // namespace
}  // namespace hamel
