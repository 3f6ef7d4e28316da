// SPDX-License-Identifier: BSD-3-Clause
// n_sphere_pendulum: a bob on a rod in n dimensions, on the sphere S^(n−1) in Rⁿ.
//
//   q ∈ Rⁿ, |q| = 1, gravity −g e_n;  u_ij = q_i ∂_j − q_j ∂_i, i < j: the rotations of so(n),
//   q̇ = Σ ξ_ij u_ij,  l = ½ m r² Σ ξ_ij² − m g r q_n,                                  (1)
//   [u_ij, u_jk] = u_ik,  [u_jk, u_ik] = u_ij,  [u_ik, u_ij] = u_jk  for i < j < k,     (2)
//   m r² ξ̇_ij = −u_ij[m g r q_n]:  ξ̇_in = −(g/r) q_i,  ξ̇_jn likewise, all others constant. (3)
// The n(n−1)/2 fields span n − 1 dimensions: the frame is redundant, so (2) is given [MATH 1.7].
// In (3) the brackets cancel, because c is antisymmetric in all its indices and μ = m r² ξ.
// |q|², the energy and the momenta p_ij, i < j < n, of so(n−1) are at most quadratic in (q, p): the
// discrete Hamel step keeps them. n = 3 is D0's pendulum and its integrator [MATH 5.2], with
// ω = (ξ_23, −ξ_13, ξ_12). A start that moves along the sphere has ξ = q ∧ v; it then stays in the
// span of q, v and e_n, where it is the spherical pendulum: the closed solution.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hamel/models/frame_system.hpp"
#include "hamel/systems/closed/n_sphere_pendulum_solution.hpp"

namespace hamel {

struct NSpherePendulum {
  int n = 4;
  double mass = 1.0;
  double length = 1.0;
  double gravity = 9.81;

  static constexpr std::string_view summary = "a pendulum in n dimensions, on the sphere in R^n";
  static constexpr std::string_view equations =
      "q' = sum_(i<j) xi_ij (q_i e_j - q_j e_i),  xi_in' = -(g/r) q_i, other xi_ij constant;  xi "
      "over the pairs (1,2), (1,3), ..., (n-1,n), p = m r^2 xi; e_n up";
  static constexpr std::string_view reference = "D0 section IV, MATH 5.2 (n = 3); MATH 1.7";
  static constexpr std::string_view recommended_method = "hamel";
  static constexpr CountParameter<NSpherePendulum> counts[] = {
      {"n", "dimensions", 2, 12, &NSpherePendulum::n}};
  static constexpr Parameter<NSpherePendulum> parameters[] = {
      {"mass", "kg", "mass of the bob", Range::positive, &NSpherePendulum::mass},
      {"length", "m", "length of the rod", Range::positive, &NSpherePendulum::length},
      {"gravity", "m/s^2", "gravitational acceleration, along -e_n", Range::non_negative,
       &NSpherePendulum::gravity}};
  static constexpr FigureInfo figure{"q1", "q2"};

  FrameModel model() const {
    const RotationPlanes planes(n);
    std::vector<std::string> names;
    for (int i = 1; i <= n; ++i) names.push_back("q" + std::to_string(i));
    FrameModel model = FrameModel::with_variables(names, planes.count(), planes.count());
    const auto q = [&](int i) { return model.q[static_cast<std::size_t>(i)]; };
    model.quasi = true;
    model.brackets_given = true;
    model.shortest = true;
    Expression squares;
    for (const Expression& xi : model.xi) squares += xi * xi;
    model.lagrangian =
        0.5 * mass * length * length * squares - mass * gravity * length * q(n - 1);  // (1)
    Expression size;
    for (const Expression& x : model.q) size += x * x;
    model.invariants.push_back({"length", "1", "|q|^2 - 1", size - 1.0});
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j) {
        const int ij = planes(i, j);
        Expressions& u = model.frame[static_cast<std::size_t>(ij)];
        u[static_cast<std::size_t>(j)] = q(i);
        u[static_cast<std::size_t>(i)] = -q(j);
        for (int k = j + 1; k < n; ++k) {  // (2)
          const int jk = planes(j, k);
          const int ik = planes(i, k);
          for (const auto& [a, b, c] : {std::array{ij, jk, ik}, {jk, ik, ij}, {ik, ij, jk}})
            model.brackets.push_back({a, b, c, 1.0});
        }
        if (j == n - 1) continue;
        const std::string pair = std::to_string(i + 1) + "_" + std::to_string(j + 1);
        model.invariants.push_back({"momentum_" + pair, "kg m^2/s",
                                    "angular momentum in a horizontal plane",
                                    model.p[static_cast<std::size_t>(ij)]});
      }
    model.exact = [G = Quad(gravity) / Quad(length)](std::span<const double>, const auto& q0,
                                                     const auto& xi0) {
      return [solution = NSpherePendulumSolution(G, q0, xi0)](Quad t) { return solution.at(t); };
    };
    return model;
  }

  /// From n = 4 on exact in binary: |q| = 1 and ξ = q ∧ v without rounding.
  static constexpr std::string_view default_start =
      "q = (1, 1, 1, 0, ..., -1)/2, v = (1, 1, 0, 1, ..., 2)/2; for n < 4 another";
  InitialValues start() const {
    const auto size = static_cast<std::size_t>(n);
    std::vector<double> q(size);
    std::vector<double> v(size, 0.5);
    if (n < 4) {
      q.front() = 0.6;
      v.front() = 0.4;
    } else {
      q[0] = q[1] = q[2] = 0.5;
      v[2] = 0.0;
    }
    q.back() = n < 4 ? -0.8 : -0.5;
    v.back() = n < 4 ? 0.3 : 1.0;
    return {{{"q", q}, {"xi", wedge(q, v)}}, true};
  }
  static constexpr double default_step = 0.05;
};

}  // namespace hamel
