// SPDX-License-Identifier: BSD-3-Clause
// What the closed solution of the spherical pendulum is tested against: a Taylor integration of the
// equations of motion in Quad that knows nothing of elliptic functions, and a catalogue of motions.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "hamel/core/quad.hpp"
#include "hamel/core/vec.hpp"
#include "hamel/systems/closed/spherical_pendulum_solution.hpp"

namespace hamel::test {

using State = SphericalPendulumSolution::State<Quad>;

inline constexpr Quad eps = Epsilon<Quad>::value;

inline Quad distance(const State& a, const State& b) {
  return max(norm(a.q - b.q), norm(a.omega - b.omega));
}

/// One step of the Taylor series of order 32 of q̇ = ω×q, ω̇ = −G q×e3, no longer than `rest`.
///
/// Coefficients: (k+1) q_{k+1} = Σ ω_i × q_{k−i},  (k+1) ω_{k+1} = −G q_k × e3. The step is 3/4
/// of what makes the last two terms ½ eps, so that the neglected ones sum to less than 1e-3 eps.
inline Quad taylor_step(Quad G, State& state, Quad rest) {
  constexpr int order = 32;
  Vec<Quad, 3> q[order + 1];
  Vec<Quad, 3> omega[order + 1];
  q[0] = state.q;
  omega[0] = state.omega;
  for (int k = 0; k < order; ++k) {
    Vec<Quad, 3> sum{{0, 0, 0}};
    for (int i = 0; i <= k; ++i) sum += cross(omega[i], q[k - i]);
    q[k + 1] = (Quad(1) / (k + 1)) * sum;
    omega[k + 1] = (-G / (k + 1)) * Vec<Quad, 3>{{q[k][1], -q[k][0], 0}};
  }
  const auto reach = [&](int k) {
    const auto size = static_cast<double>(norm(q[k]) + norm(omega[k]));
    return size > 0 ? std::pow(1e-34 / size, 1.0 / k) : 1e300;
  };
  const double length = 0.75 * std::min(reach(order), reach(order - 1));
  const Quad h = rest > 0 ? min(rest, Quad(length)) : max(rest, -Quad(length));
  Vec<Quad, 3> q_end = q[order];
  Vec<Quad, 3> omega_end = omega[order];
  for (int k = order - 1; k >= 0; --k) {
    q_end = h * q_end + q[k];
    omega_end = h * omega_end + omega[k];
  }
  state = {q_end, omega_end};
  return h;
}

inline State integrate(Quad G, State state, Quad time) {
  while (time != 0) time -= taylor_step(G, state, time);
  return state;
}

/// A motion: G, a state that lies on the sphere's tangent bundle to round-off, and a time span.
struct Motion {
  std::string name;
  Quad G;
  State start;
  Quad span;

  SphericalPendulumSolution solution() const { return {G, start.q, start.omega}; }
};

/// q at polar angle theta from the bottom and azimuth 0.4, ω with horizontal rate `swing` (in the
/// vertical plane) and azimuthal rate such that ω3 = J.
inline State swing_state(Quad theta, Quad swing, Quad J) {
  const Quad c = cos(Quad(0.4));
  const Quad s = sin(Quad(0.4));
  const Vec<Quad, 3> q{{sin(theta) * c, sin(theta) * s, -cos(theta)}};
  const Vec<Quad, 3> across{{s, -c, 0}};  // across × q is along increasing theta
  const Vec<Quad, 3> third = cross(q, across);
  return {q, swing * across + (J == 0 ? Quad(0) : J / third[2]) * third};
}

inline Quad power_of_ten(int n) { return quad_from_string("1e" + std::to_string(n)); }

inline void add_nearly_planar(std::vector<Motion>& list) {
  for (const int n : {-1, -2, -3, -5, -10, -15, -20, -30, -100, -2000}) {
    const std::string J = "J = 1e" + std::to_string(n);
    list.push_back({"libration, " + J, 1, swing_state(1.1, 0.3, power_of_ten(n)), 12});
    list.push_back({"rotation, -" + J, 1, swing_state(1.1, 2.5, -power_of_ten(n)), 12});
  }
  list.push_back({"libration, J = 0", 1, swing_state(1.1, 0.3, 0), 12});
  list.push_back({"rotation, J = 0", 1, swing_state(1.1, 2.5, 0), 12});
  list.push_back({"from the bottom", 2, {{{0, 0, -1}}, {{0.7, -0.2, 0}}}, 12});
  list.push_back({"from the bottom over the top", 1, {{{0, 0, -1}}, {{2, 0.5, 0}}}, 12});
  list.push_back({"from the top", 1, {{{0, 0, 1}}, {{0.1, -0.5, 0}}}, 12});
}

inline void add_near_separatrix(std::vector<Motion>& list) {
  for (int n = -2; n >= -20; n -= 3) {  // ε = G(1 ± d), J = 0 or J² = d
    const Quad d = power_of_ten(n);
    const std::string name = "separatrix, distance 1e" + std::to_string(n);
    const Quad theta = 0.3;
    const Quad span = Quad(8 - 3.5 * n);
    for (const Quad J : {Quad(0), sqrt(d)}) {
      for (const Quad side : {Quad(-1), Quad(1)}) {
        State state = swing_state(theta, 0, J);
        const Quad k = 1 + side * d + cos(theta) - norm2(state.omega) / 2;
        state.omega += swing_state(theta, sqrt(2 * k), 0).omega;
        list.push_back({name, 1, state, span});
      }
    }
  }
  list.push_back({"separatrix", 1, {{{0, 0, -1}}, {{2, 0, 0}}}, 20});
}

inline void add_near_top(std::vector<Motion>& list) {
  for (const int n : {-1, -5, -10, -20}) {
    const Quad d = power_of_ten(n);
    const Quad root = sqrt(1 - d * d);
    const std::string name = "near the top, distance 1e" + std::to_string(n);
    const Quad span = Quad(6 - 2.5 * n);
    list.push_back({name + ", at rest", 1, {{{d, 0, root}}, {{0, 0, 0}}}, span});
    list.push_back(
        {name + ", turning", 1, {{{d, 0, root}}, {{-2 * d * root, 0, 2 * d * d}}}, span});
    list.push_back({name + ", climbing", 1, {{{d, 0, root}}, {{0, -d, 0}}}, span});
  }
}

/// Conical motion: ω = Ω(e3 − z q), Ω² = −G/z, with ω changed along the meridian's normal.
inline void add_near_conical(std::vector<Motion>& list) {
  for (const Quad z : {Quad(-0.96), Quad(-0.6), Quad(-0.28)}) {
    const Quad rho = sqrt(1 - z * z);
    const Quad rate = sqrt(-1 / z);
    const Vec<Quad, 3> q{{rho, 0, z}};
    const Vec<Quad, 3> omega{{-rate * z * rho, 0, rate * (1 - z * z)}};
    const std::string name = "conical, z = " + std::to_string(static_cast<double>(z));
    list.push_back({name, 1, {q, omega}, 12});
    for (const int n : {-1, -3, -6, -10, -15, -20}) {
      const Quad d = power_of_ten(n);
      const std::string off = ", perturbed by 1e" + std::to_string(n);
      list.push_back({name + off, 1, {q, omega + Vec<Quad, 3>{{0, d, 0}}}, 12});
      list.push_back({name + off + " along itself", 1, {q, (1 + d) * omega}, 12});
    }
  }
}

inline void add_generic(std::vector<Motion>& list) {
  for (const Quad J : {Quad(0.35), Quad(-0.35)}) {
    list.push_back({"generic, low", 1, swing_state(0.7, 0.2, J), 20});
    list.push_back({"generic, high", 1, swing_state(1.9, 0.4, J), 20});
    list.push_back({"generic, rotating", 3, swing_state(1.9, 4, J), 12});
    list.push_back({"fast", 1, swing_state(1.2, 40, 30 * J), 2});
    list.push_back({"no gravity", 0, swing_state(1.2, 0.8, J), 20});
    list.push_back({"gravity 1e-10", power_of_ten(-10), swing_state(1.2, 0.8, J), 20});
    list.push_back({"gravity 1e-40", power_of_ten(-40), swing_state(1.2, 0.8, J), 20});
  }
  const Quad tiny = power_of_ten(-12);
  list.push_back({"no gravity, over the poles", 0, swing_state(1.2, 0.8, 0), 20});
  list.push_back({"no gravity, equator", 0, {{{1, 0, 0}}, {{0, 0, 1}}}, 20});
  list.push_back({"small, planar", 1, swing_state(tiny, 0, 0), 20});
  list.push_back({"small, elliptic", 1, swing_state(tiny, tiny / 3, tiny * tiny / 2), 20});
  list.push_back({"at rest at the equator", 1, {{{0, 1, 0}}, {{0, 0, 0}}}, 20});
  list.push_back({"at rest at the bottom", 1, {{{0, 0, -1}}, {{0, 0, 0}}}, 5});
  list.push_back({"at rest at the top", 1, {{{0, 0, 1}}, {{0, 0, 0}}}, 5});
  list.push_back({"at rest without gravity", 0, {{{0.6, 0, 0.8}}, {{0, 0, 0}}}, 5});
}

/// Every regime of the closed solution, with data that carry round-off of Quad only.
inline std::vector<Motion> all_motions() {
  std::vector<Motion> list;
  add_generic(list);
  add_nearly_planar(list);
  add_near_separatrix(list);
  add_near_top(list);
  add_near_conical(list);
  for (Motion& motion : list) {  // project, so that the integration starts from the same state
    Vec<Quad, 3>& q = motion.start.q;
    q = (1 / norm(q)) * q;
    motion.start.omega -= dot(motion.start.omega, q) * q;
  }
  return list;
}

/// The state moved by `amount` in every component, with signs from the bits of `pattern`.
inline State perturbed(State state, unsigned pattern, Quad amount) {
  for (int i = 0; i < 3; ++i) {
    state.q[i] += (pattern >> i & 1U) != 0 ? amount : -amount;
    state.omega[i] += (pattern >> (i + 3) & 1U) != 0 ? amount : -amount;
  }
  state.q = (1 / norm(state.q)) * state.q;
  state.omega -= dot(state.omega, state.q) * state.q;
  return state;
}

}  // namespace hamel::test
