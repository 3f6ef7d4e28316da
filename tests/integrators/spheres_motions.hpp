// SPDX-License-Identifier: BSD-3-Clause
// Systems on (S²)ⁿ that are no chains, and their motions, for the tests of the steppers.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "hamel/core/vec.hpp"
#include "hamel/stepping/fields/spheres_field.hpp"
#include "hamel/stepping/gauss_stepper.hpp"
#include "hamel/stepping/spheres/spheres_hamel_stepper.hpp"
#include "hamel/stepping/spheres/spheres_variational_stepper.hpp"
#include "hamel/studies/order.hpp"

namespace hamel::many_spheres {

using Vector = Vec<Expression, 3>;
inline double size(Quad x) { return static_cast<double>(abs(x)); }

template <class List>
auto at(const List& list, int i) {
  const auto a = static_cast<std::size_t>(3 * i);
  return Vec<typename List::value_type, 3>{{list[a], list[a + 1], list[a + 2]}};
}

// --- systems ------------------------------------------------------------------------------------

inline SpheresFormulas spheres(int n) {
  return SpheresFormulas::with_variables(
      std::vector<std::string>(static_cast<std::size_t>(n), "s"));
}
inline double mass(int i) { return 1.0 + 0.4 * (i % 3); }

/// Uncoupled masses, or a full matrix.
inline std::vector<Expressions> inertia(int n, bool full) {
  const auto size = static_cast<std::size_t>(n);
  std::vector<Expressions> m(size, Expressions(size));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (full || i == j)
        m[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] =
            i == j ? mass(i) : 0.3 - 0.1 * std::abs(i - j);
  return m;
}

/// Pendula in a row, 2 apart, their bobs joined by springs of rest length 2.
inline SpheresFormulas pendula(int n, bool full = false, double stiffness = 8.0) {
  SpheresFormulas s = spheres(n);
  Expression U;
  for (int i = 0; i < n; ++i) U += (2.0 * mass(i)) * at(s.q, i)[2];
  for (int i = 0; i + 1 < n; ++i) {
    Vector apart = at(s.q, i + 1) - at(s.q, i);
    apart[0] += 2.0;
    U += (0.5 * stiffness) * pow(sqrt(norm2(apart)) - 2.0, 2.0);
  }
  s.set_quadratic(inertia(n, full), U);
  return s;
}

/// Magnetic dipoles on the vertical axis: bilinear, symmetric about it.
inline SpheresFormulas dipoles(int n) {
  SpheresFormulas s = spheres(n);
  Expression U;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j)
      U += std::pow(i - j, -3.0) *
           (dot(at(s.q, i), at(s.q, j)) - 3.0 * at(s.q, i)[2] * at(s.q, j)[2]);
  s.set_quadratic(inertia(n, false), U);
  return s;
}

/// Particles on one sphere that attract and repel each other: all rotations are symmetries.
inline SpheresFormulas particles(int n, bool full = false) {
  SpheresFormulas s = spheres(n);
  Expression U;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      const Expression near = 0.5 / (1.0 - dot(at(s.q, i), at(s.q, j)));  // (1/distance)²
      U += pow(near, 6.0) - pow(near, 3.0);
    }
  s.set_quadratic(inertia(n, full), U);
  return s;
}

/// Forces that depend on everything.
inline void add_forces(SpheresFormulas& s) {
  for (std::size_t a = 0; a < s.q.size(); ++a)
    s.force.push_back(0.4 * sin(s.q[a] + 2.0 * s.t) - 0.3 * s.v[a] +
                      0.1 * s.v[(a + 4) % s.v.size()]);
}

// --- motions ------------------------------------------------------------------------------------

template <class S>
using Numbers = std::vector<S>;

/// Apart from each other and moving in all directions.
template <class S>
void initial(int n, Numbers<S>& q, Numbers<S>& v) {
  for (int i = 0; i < n; ++i) {
    const Vec<S, 3> a{{S(std::cos(2.1 * i) + 0.2), S(std::sin(2.1 * i)), S(0.4 * i - 0.9)}};
    const Vec<S, 3> q_i = (S(1.0) / norm(a)) * a;
    const Vec<S, 3> v_i = cross(Vec<S, 3>{{S(0.7 - 0.3 * i), S(0.4 * i), S(0.9)}}, q_i);
    q.insert(q.end(), q_i.data, q_i.data + 3);
    v.insert(v.end(), v_i.data, v_i.data + 3);
  }
}

template <class S, class Made>
struct Motion {
  std::unique_ptr<Made> stepper;
  StepperState<S> state;
  Numbers<S> q, v;
  S h;
  Evaluator<S> potential;
  Numbers<S> m;
  std::int64_t done = 0;
  int iterations = 0;

  Motion(const SpheresFormulas& s, std::unique_ptr<Made> made, S step)
      : stepper(std::move(made)), h(step) {
    initial(s.spheres(), q, v);
    EXPECT_TRUE(stepper->start(q, v, h, state));
    potential = Evaluator<S>(Program(s.q, {{s.potential}}));
    for (const auto& row : s.inertia)
      for (const auto& entry : row) m.push_back(static_cast<S>(entry.value()));
  }
  void go(int steps) {
    for (int k = 0; k < steps; ++k, ++done) {
      const StepReport<S> report = stepper->step(state, S(static_cast<double>(done)) * h, h);
      iterations = report.iterations;
      ASSERT_FALSE(report.failed()) << done << " " << to_string(report.status());
    }
    ASSERT_TRUE(stepper->observe(state, S(0.0), h, q.data(), v.data()));
  }
  int n() const { return static_cast<int>(q.size()) / 3; }
  S inertia(int i, int j) const { return m[static_cast<std::size_t>(i * n() + j)]; }
  S energy() {
    S sum;
    potential(q.data(), &sum);
    for (int i = 0; i < n(); ++i)
      for (int j = 0; j < n(); ++j) sum = sum + S(0.5) * inertia(i, j) * dot(at(v, i), at(v, j));
    return sum;
  }
  Vec<S, 3> momentum() const {  // Σ q_i×Σ m_ij q̇_j
    Vec<S, 3> sum{{S(0.0), S(0.0), S(0.0)}};
    for (int i = 0; i < n(); ++i)
      for (int j = 0; j < n(); ++j) sum += inertia(i, j) * cross(at(q, i), at(v, j));
    return sum;
  }
  double off_length() const {
    double worst = 0.0;
    for (int i = 0; i < n(); ++i) worst = std::fmax(worst, size(norm(at(q, i)) - S(1.0)));
    return worst;
  }
  double off_tangency() const {  // of π
    double worst = 0.0;
    for (int i = 0; i < n(); ++i)
      worst = std::fmax(worst, size(dot(at(state.z, i), at(state.z, n() + i))));
    return worst;
  }
};

template <class S>
using Variational = Motion<S, SpheresVariationalStepper<S>>;
template <class S>
using Conserving = Motion<S, SpheresHamelStepper<S>>;
using Gauss = Motion<double, GaussStepper<double, SpheresField<double>>>;

template <class S>
Variational<S> variational(const SpheresFormulas& s, double h, bool compensated = false) {
  return {s, std::make_unique<SpheresVariationalStepper<S>>(s, StepperOptions{{}, compensated}),
          S(h)};
}
template <class S>
Conserving<S> conserving(const SpheresFormulas& s, double h, bool compensated = false) {
  return {s, std::make_unique<SpheresHamelStepper<S>>(s, StepperOptions{{}, compensated}), S(h)};
}
inline Gauss gauss(const SpheresFormulas& s, double h) {
  return {s,
          std::make_unique<GaussStepper<double, SpheresField<double>>>(
              SpheresField<double>(s, SpheresForm::q_pi), 8, StepperOptions{{}, true}),
          h};
}

template <class S>
double distance(const Numbers<S>& a, const Numbers<S>& b) {
  double worst = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(size(a[i] - b[i]) <= worst)) worst = size(a[i] - b[i]);
  return worst;
}

/// Compensated summation leaves no more than `share` of the round-off after 10 s.
template <class Exact, class Make>
void expect_compensation(const SpheresFormulas& s, double h, double share, const Exact& exact_run,
                         const Make& make) {
  const int steps = static_cast<int>(std::lround(10.0 / h));
  auto exact = exact_run(s, h, false);
  auto plain = make(s, h, false);
  auto compensated = make(s, h, true);
  exact.go(steps);
  plain.go(steps);
  compensated.go(steps);
  const Numbers<double> q(exact.q.begin(), exact.q.end());
  EXPECT_LE(distance(compensated.q, q), share * distance(plain.q, q));
}

/// The order of q and q̇ at t = 1, over four halvings of the step.
template <class Make>
OrderFit measured_order(const SpheresFormulas& s, const Make& make) {
  Gauss exact = gauss(s, 0.01);
  exact.go(100);
  std::vector<double> steps, errors;
  for (int level = 0; level < 5; ++level) {
    auto run = make(s, 0.02 / (1 << level), false);
    run.go(50 << level);
    steps.push_back(0.02 / (1 << level));
    errors.push_back(distance(run.q, exact.q) + distance(run.v, exact.v));
  }
  return fit_order(steps, errors, 1e-11);
}

template <class Run>
void expect_reversible(Run run, double tolerance) {
  const auto q = run.q, v = run.v;
  run.go(5);
  run.state.forget();
  run.h = -run.h;
  run.go(5);
  EXPECT_LE(distance(q, run.q), tolerance);
  EXPECT_LE(distance(v, run.v), tolerance);
}

}  // namespace hamel::many_spheres
