// SPDX-License-Identifier: BSD-3-Clause
// D3's equations as printed, evaluated literally at motions of the library: those that hold, and
// for each misprint that the corrected form holds and the printed one does not.
#include <gtest/gtest.h>

#include "mechanics/spheres_test_systems.hpp"

namespace hamel {
namespace {

using namespace test;
using Matrix = std::vector<Expressions>;

std::size_t ix(int i) { return static_cast<std::size_t>(i); }

/// K⁻¹y of a positive definite K, as expressions.
Expressions solved(Matrix K, Expressions y) {
  const std::size_t n = y.size();
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = k + 1; i < n; ++i) {
      const Expression factor = K[i][k] / K[k][k];
      for (std::size_t j = k; j < n; ++j) K[i][j] -= factor * K[k][j];
      y[i] -= factor * y[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) y[k] -= K[k][j] * y[j];
    y[k] /= K[k][k];
  }
  return y;
}

/// H(q, μ) of (25) or H̃(q, π) of (34) with its derivatives by q and by the momenta.
struct Hamiltonian {
  Hamiltonian(const SpheresFormulas& s, bool angular) {
    const int n = s.spheres();
    for (int a = 0; a < 3 * n; ++a) y.push_back(s.graph->input());
    Matrix K(y.size(), Expressions(y.size()));
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        const Vector a = at(s.q, i), b = at(s.q, j);
        for (int r = 0; r < 3; ++r) {
          for (int c = 0; c < 3; ++c) {
            const Expression one = r == c ? 1.0 : 0.0;
            // S(a)ᵀS(b) = (a·b)1 − baᵀ and (1 − aaᵀ)(1 − bbᵀ); (32) and (19) have 1 for i = j
            const Expression block =
                angular ? dot(a, b) * one - b[r] * a[c]
                        : one - a[r] * a[c] - b[r] * b[c] + dot(a, b) * a[r] * b[c];
            K[ix(3 * i + r)][ix(3 * j + c)] = s.inertia[ix(i)][ix(j)] * (i == j ? one : block);
          }
        }
      }
    }
    const Expressions x = solved(K, y);  // m^I y
    Expression H = s.potential;
    for (std::size_t a = 0; a < y.size(); ++a) H += 0.5 * y[a] * x[a];
    by_q = gradient(H, s.q);
    by_y = gradient(H, y);
  }
  Expressions y, by_q, by_y;
};

struct Literal {
  Numbers y, rate, by_q, by_y;
};

Literal literal(const SpheresFormulas& s, SpheresForm form, const State<double>& state) {
  const Hamiltonian H(s, form == SpheresForm::q_pi);
  SpheresField<double> field(s, form);
  Numbers z;
  field.start(state.q, state.v, z);
  const Expressions inputs = joined({s.q, H.y});
  const std::size_t m = s.q.size();
  return {part(z, m, m), part(rate_of(field, z, {}, 0.0), m, m),
          values(inputs, H.by_q, part(z, 0, 2 * m)), values(inputs, H.by_y, part(z, 0, 2 * m))};
}

Numbers constant_forces(SpheresFormulas& s) {
  Numbers f;
  for (int a = 0; a < 3 * s.spheres(); ++a) f.push_back(std::sin(a + 1.0));
  s.force.assign(f.begin(), f.end());
  return f;
}

TEST(D3, PropositionsThreeAndFourHoldAsPrinted) {  // [D3 (23)] [D3 (31)] [D3 (32)] [MATH 6.3]
  for (const char* kind : {"conf", "chain"}) {
    SpheresFormulas s = system_of(kind, 3);
    const Numbers f = constant_forces(s);
    const State<double> state = random_state(3, 31);
    const Literal mu = literal(s, SpheresForm::q_mu, state);
    const Literal pi = literal(s, SpheresForm::q_pi, state);
    for (int i = 0; i < 3; ++i) {
      const V3 q = at(state.q, i), v = at(state.v, i);
      EXPECT_LE(norm(tangent(q, at(mu.by_y, i)) - v), tolerance);  // (22)
      const V3 mu_dot = cross(at(mu.by_y, i), cross(at(mu.y, i), q)) -
                        tangent(q, at(mu.by_q, i) - at(f, i));  // (23), (26)
      EXPECT_LE(norm(at(mu.rate, i) - mu_dot), tolerance * (1 + norm(mu_dot)));
      EXPECT_LE(norm(-cross(q, at(pi.by_y, i)) - v), tolerance);  // (30)
      const V3 pi_dot =
          cross(q, at(f, i) - at(pi.by_q, i)) + cross(at(pi.by_y, i), at(pi.y, i));  // (31), (36)
      EXPECT_LE(norm(at(pi.rate, i) - pi_dot), tolerance * (1 + norm(pi_dot)));
      // (29) prints S(ω)π_i: with the ω of another sphere it fails.
      const V3 other = pi_dot + cross(at(pi.by_y, (i + 1) % 3) - at(pi.by_y, i), at(pi.y, i));
      EXPECT_GE(norm(at(pi.rate, i) - other), 1e-3);
    }
  }
}

// The 2 in (16) makes it independent of how L̃ is continued to ω with ω·q ≠ 0: for the library's L̃
// that term is along q. Here L̃ gets a part that vanishes on all motions.
TEST(D3, PropositionTwoHoldsForAnyContinuation) {  // [D3 (16)]
  constexpr int n = 2;
  SpheresFormulas s = system_of("conf", n);
  const Numbers f = constant_forces(s);
  const State<double> state = random_state(n, 36);
  SpheresField<double> field(s, SpheresForm::q_omega, true);
  Numbers z;
  field.start(state.q, state.v, z);
  const Numbers rate = rate_of(field, z, {}, 0.0);
  Expressions omega, velocity, direction;
  for (int a = 0; a < 3 * n; ++a) omega.push_back(s.graph->input());
  for (int a = 0; a < 6 * n; ++a) direction.push_back(s.graph->input());
  Expression extra;
  for (int i = 0; i < n; ++i) {
    const Vector v = cross(at(omega, i), at(s.q, i));
    velocity.insert(velocity.end(), v.data, v.data + 3);
    extra += dot(at(s.q, i), at(omega, i)) * (1.0 + s.q[ix(3 * i)] * omega[ix(3 * i + 1)]);
  }
  const Expression L = substituted(s.lagrangian, s.v, velocity) + extra;
  const Expressions qw = joined({s.q, omega}), L_w = gradient(L, omega);
  const Numbers in = part(z, 0, 6 * n);
  const Numbers by_w = values(qw, L_w, in), by_q = values(qw, gradient(L, s.q), in);
  const Numbers by_t = values(joined({qw, direction}), directional(L_w, qw, direction),
                              numbers_of({in, part(rate, 0, 6 * n)}));
  for (int i = 0; i < n; ++i) {
    const V3 q = at(z, i), torque = cross(q, at(by_q, i) + at(f, i));
    const V3 turning = cross(at(z, n + i), at(by_w, i));
    EXPECT_LE(norm(tangent(q, at(by_t, i) - 2.0 * turning) - torque),
              tolerance * (1 + norm(torque)));
    EXPECT_GE(norm(tangent(q, at(by_t, i) - turning) - torque), 1e-3);
  }
}

// (18) lacks the brackets around the summand: read as printed, the second term stands once, with
// whatever j.
TEST(D3, CorollaryOneHoldsAndCorollaryTwoNeedsBrackets) {  // [D3 (12)] [D3 (18)] [MATH 6.1]
  constexpr int n = 3;
  SpheresFormulas s = system_of("conf", n);
  const Numbers f = constant_forces(s);
  const State<double> state = random_state(n, 32);
  const Numbers q_ddot = derivative_of(s, SpheresForm::q_qdot, state);
  const Numbers omega_dot = derivative_of(s, SpheresForm::q_omega, state);
  Expressions m;
  for (const auto& row : s.inertia) m.insert(m.end(), row.begin(), row.end());
  const Expressions inputs = joined({s.q, s.v});
  const Numbers in = numbers_of({state.q, state.v});
  const Numbers m_ij = values(inputs, m, in);
  const Numbers m_dot = values(inputs, directional(m, s.q, s.v), in);
  const Numbers T_q = values(inputs, gradient(s.lagrangian + s.potential, s.q), in);
  const Numbers U_q = values(inputs, gradient(s.potential, s.q), in);
  for (int i = 0; i < n; ++i) {
    const V3 q = at(state.q, i);
    V3 F = -at(T_q, i);
    for (int j = 0; j < n; ++j) F += m_dot[ix(i * n + j)] * at(state.v, j);
    const V3 force = F + at(U_q, i) - at(f, i);
    V3 first = m_ij[ix(i * n + i)] * (at(q_ddot, i) + norm2(at(state.v, i)) * q) +
               tangent(q, force);  // (12)
    V3 outside = m_ij[ix(i * n + i)] * at(omega_dot, i) + cross(q, force);
    V3 inside{};
    for (int j = 0; j < n; ++j) {
      if (j == i) continue;
      const V3 p = at(state.q, j);
      first += m_ij[ix(i * n + j)] * tangent(q, at(q_ddot, j));
      outside -= m_ij[ix(i * n + j)] * cross(q, cross(p, at(omega_dot, j)));
      inside += (m_ij[ix(i * n + j)] * norm2(at(state.v, j))) * cross(q, p);
    }
    EXPECT_LE(norm(first), tolerance * (1 + norm(force)));
    EXPECT_LE(norm(outside - inside), tolerance * (1 + norm(force)));
    for (int j = 0; j < n; ++j) {
      const V3 once = (m_ij[ix(i * n + j)] * norm2(at(state.v, j))) * cross(q, at(state.q, j));
      EXPECT_GE(norm(outside - once), 1e-3);
    }
  }
}

// (37) has the factor M_ij l_i l_j twice.
TEST(D3, KineticEnergyHasItsInertiaOnce) {  // [MATH 6.2]
  const SpheresFormulas s = system_of("chain", 3);
  const Chain chain = chain_of(3);
  const State<double> state = random_state(3, 33);
  double T = 0, once = 0, twice = 0;
  V3 speed{};
  for (int i = 0; i < 3; ++i) {
    speed += chain.lengths[ix(i)] * at(state.v, i);
    T += 0.5 * chain.masses[ix(i)] * norm2(speed);
    for (int j = 0; j < 3; ++j) {
      const auto m = static_cast<double>(s.inertia[ix(i)][ix(j)].value());
      const V3 omega_i = cross(at(state.q, i), at(state.v, i));
      const V3 omega_j = cross(at(state.q, j), at(state.v, j));
      const double product = dot(cross(at(state.q, i), omega_i), cross(at(state.q, j), omega_j));
      once += 0.5 * m * product;
      twice += 0.5 * m * m * product;
    }
  }
  EXPECT_LE(std::abs(once - T), tolerance * T);
  EXPECT_GE(std::abs(twice - T), 1e-3);
}

// A base torque τ and a tip force d: f_1 = l_1 d + τ×q_1, f_i = l_i d. D3 prints S(q_i)f_i for f_i,
// does not project τ, and applies S(q_i) once more in (39).
TEST(D3, ChainEquationsTakeTheProjectedTorque) {  // [D3 (18)] [MATH 6.2]
  constexpr int n = 3;
  SpheresFormulas s = system_of("chain", n);
  const Chain chain = chain_of(n);
  const V3 tau{{0.7, -1.1, 0.4}}, d{{-0.5, 0.8, 1.2}};
  const Vector torque{{tau[0], tau[1], tau[2]}}, tip{{d[0], d[1], d[2]}};
  for (int i = 0; i < n; ++i) {
    Vector f = Expression(chain.lengths[ix(i)]) * tip;
    if (i == 0) f += cross(torque, at(s.q, 0));
    s.force.insert(s.force.end(), f.data, f.data + 3);
  }
  const State<double> state = random_state(n, 34);
  const Numbers omega_dot = derivative_of(s, SpheresForm::q_omega, state);
  for (int i = 0; i < n; ++i) {
    const V3 q = at(state.q, i);
    const double l = chain.lengths[ix(i)];
    double beyond = 0;
    for (int k = i; k < n; ++k) beyond += chain.masses[ix(k)];
    V3 left = -(9.81 * l * beyond) * cross(e3, q);
    for (int j = 0; j < n; ++j) {
      const auto m = static_cast<double>(s.inertia[ix(i)][ix(j)].value());
      const V3 p = at(state.q, j);
      left -= i == j ? -m * at(omega_dot, i)
                     : m * cross(q, cross(p, at(omega_dot, j))) +
                           (m * norm2(at(state.v, j))) * cross(q, p);
    }
    const V3 tau_i = i == 0 ? tau : V3{};
    const V3 printed_force = tau_i + l * cross(q, d);
    EXPECT_LE(norm(left - (tangent(q, tau_i) + l * cross(q, d))), tolerance * (1 + norm(left)));
    EXPECT_GE(norm(left - cross(q, printed_force)), 1e-3);
    if (i == 0) {  // τ not projected
      EXPECT_GE(norm(left - printed_force), 1e-3);
    }
  }
}

// The potential term of (41) is g l_i (Σ_{j≥i} m_j) e3, not Σ_j m_j g l_j e3.
TEST(D3, HamiltonsEquationsOfTheChainHaveThePotentialOfTheirOwnLink) {  // [D3 (31)] [MATH 6.3]
  constexpr int n = 3;
  const SpheresFormulas s = system_of("chain", n);
  const Chain chain = chain_of(n);
  const State<double> state = random_state(n, 35);
  const Literal pi = literal(s, SpheresForm::q_pi, state);
  double all = 0;
  for (int j = 0; j < n; ++j) all += 9.81 * chain.masses[ix(j)] * chain.lengths[ix(j)];
  for (int i = 0; i < n; ++i) {
    double own = 0;
    for (int j = i; j < n; ++j) own += 9.81 * chain.masses[ix(j)] * chain.lengths[ix(i)];
    const V3 q = at(state.q, i);
    const V3 kinetic = at(pi.by_q, i) - own * e3;  // ½ ∂/∂q_i Σ π·M^I π
    const V3 turning = cross(at(pi.by_y, i), at(pi.y, i));
    const V3 rate = at(pi.rate, i);
    EXPECT_LE(norm(rate - (turning - cross(q, kinetic + own * e3))), tolerance * (1 + norm(rate)));
    EXPECT_GE(norm(rate - (turning - cross(q, kinetic + all * e3))), 1e-3);
    // [MATH 6.3] without the derivative of an inverse
    V3 p{};
    for (int j = 0; j < n; ++j)
      p += static_cast<double>(s.inertia[ix(i)][ix(j)].value()) * at(state.v, j);
    EXPECT_LE(norm(at(pi.y, i) - cross(q, p)), tolerance * (1 + norm(p)));
    EXPECT_LE(norm(rate - (cross(at(state.v, i), p) - own * cross(q, e3))),
              tolerance * (1 + norm(rate)));
  }
}

}  // namespace
}  // namespace hamel
