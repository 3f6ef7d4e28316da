// SPDX-License-Identifier: BSD-3-Clause
// Systems on (S²)ⁿ, states and small helpers for the tests of their equations.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "hamel/models/spheres_model.hpp"
#include "hamel/stepping/fields/spheres_field.hpp"

namespace hamel::test {

using Numbers = std::vector<double>;
using Vector = Vec<Expression, 3>;
using V3 = Vec<double, 3>;

inline constexpr SpheresForm all_forms[] = {SpheresForm::q_qdot, SpheresForm::q_omega,
                                            SpheresForm::q_mu, SpheresForm::q_pi};
/// Relative, in every scalar: sums of some hundred terms, divided by an inertia matrix of condition
/// below 100, whose errors mostly cancel (measured: 20 eps).
template <class S>
inline constexpr double tolerance_in = 200 * static_cast<double>(Epsilon<S>::value);
inline constexpr double tolerance = tolerance_in<double>;  // 4e-14

template <class List>
auto at(const List& list, int i) {
  const auto a = static_cast<std::size_t>(3 * i);
  return Vec<typename List::value_type, 3>{{list[a], list[a + 1], list[a + 2]}};
}
inline V3 tangent(const V3& q, const V3& a) { return a - dot(q, a) * q; }
inline const V3 e3{{0, 0, 1}};

inline Expressions joined(std::initializer_list<std::span<const Expression>> lists) {
  Expressions all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

inline Numbers numbers_of(std::initializer_list<Numbers> lists) {
  Numbers all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

template <class S>
std::vector<S> values(const Expressions& inputs, const Expressions& outputs,
                      const std::vector<S>& in) {
  std::vector<S> out(outputs.size());
  Evaluator<S>(Program(inputs, outputs))(in.data(), out.data());
  return out;
}

/// The largest difference, relative to the largest number above 1.
template <class S>
double distance(const std::vector<S>& a, const std::vector<S>& b) {
  if (a.size() != b.size()) return NAN;
  S worst = 0;
  S scale = 1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(abs(a[i] - b[i]) <= worst)) worst = abs(a[i] - b[i]);
    scale = max(scale, abs(b[i]));
  }
  return static_cast<double>(worst / scale);
}

// --- systems: those of rhs_vectors.json, for any n ----------------------------------------------

inline Expression mass(int i) { return 1.0 + Expression(i) / 3.0; }
inline Expression link(int i) { return 1.0 - Expression(i) / 7.0; }

inline Chain chain_of(int n) {
  Chain chain;
  for (int i = 0; i < n; ++i) {
    chain.masses.push_back(static_cast<double>(mass(i).value()));
    chain.lengths.push_back(static_cast<double>(link(i).value()));
  }
  return chain;
}

inline SpheresFormulas system_of(const std::string& kind, int n) {
  if (kind == "chain") return chain_formulas(chain_of(n));
  SpheresFormulas s = chain_formulas(chain_of(n));
  std::vector<Expressions> m = s.inertia;
  Expression U = s.potential;
  for (int i = 0; i < n; ++i) {
    const Vector q = at(s.q, i);
    U += exp(0.3 * q[0]) * at(s.q, (i + 1) % n)[1];
    for (int j = 0; j < n; ++j) {
      Expression& m_ij = m[std::size_t(i)][std::size_t(j)];
      const Vector p = at(s.q, j);
      m_ij *= i == j ? 1.0 + 0.2 * pow(0.3 * q[0] + q[2], 2.0)
                     : 0.6 + 0.2 * dot(q, p) + 0.1 * cos(q[2] + p[2]);
      for (int k = 0; i == j && k < n; ++k) m_ij += (0.1 / n) * sin(at(s.q, k)[1]);
      if (i == j) m_ij += 0.3;
    }
  }
  s.set_quadratic(std::move(m), U);
  return s;
}

/// Forces that depend on everything.
inline void add_forces(SpheresFormulas& s) {
  for (std::size_t a = 0; a < s.q.size(); ++a)
    s.force.push_back(sin(s.q[a] + double(a)) - 0.3 * s.v[a] * abs(s.v[a]) + 0.1 * cos(s.t));
}

template <class S>
struct State {
  std::vector<S> q, v;
};

template <class S = double>
State<S> random_state(int n, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  State<S> state;
  for (int i = 0; i < n; ++i) {
    Vec<S, 3> q{{S(normal(random)), S(normal(random)), S(normal(random))}};
    Vec<S, 3> v{{S(normal(random)), S(normal(random)), S(normal(random))}};
    q = (S(1) / norm(q)) * q;
    v = v - dot(q, v) * q;
    state.q.insert(state.q.end(), q.data, q.data + 3);
    state.v.insert(state.v.end(), v.data, v.data + 3);
  }
  return state;
}

template <class S>
std::vector<S> part(const std::vector<S>& z, std::size_t from, std::size_t count) {
  const auto begin = z.begin() + static_cast<std::ptrdiff_t>(from);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

template <class S>
std::vector<S> rate_of(SpheresField<S>& field, const std::vector<S>& z, std::vector<S> guess,
                       const S& t) {
  std::vector<S> rate(z.size());
  EXPECT_TRUE(field(z.data(), t, guess.data(), rate.data()));
  return rate;
}

/// q̈, ω̇, μ̇ or π̇ at a state, by the shortest route.
inline Numbers derivative_of(const SpheresFormulas& s, SpheresForm form,
                             const State<double>& state) {
  SpheresField<double> field(s, form);
  Numbers z;
  field.start(state.q, state.v, z);
  return part(rate_of(field, z, state.v, 0.0), s.q.size(), s.q.size());
}

}  // namespace hamel::test
