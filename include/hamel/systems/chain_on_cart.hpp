// SPDX-License-Identifier: BSD-3-Clause
// chain_on_cart: a cart that moves freely in the horizontal plane and carries a chain of n links.
//
//   Cart M at X = (x, y, 0), bobs x_k = X + l_1 q_1 + … + l_k q_k, |q_i| = 1, A_i = Σ_{k≥i} m_k:
//   l = ½(M + A_1)|Ẋ|² + Ẋ·Σ A_i l_i q̇_i + Σ_{i<j} A_j l_i l_j q̇_i·q̇_j
//       + ½ Σ A_i l_i² |ω_i|² − g Σ A_i l_i q_i3,     q̇_i = ω_i×q_i,        (1)  [MATH 6.2]
//   ξ = (ẋ, ẏ, ω_1, …, ω_n),  u = ∂x, ∂y, e_a×q_i;  [u_a, u_b] = −ε_abc u_c on each sphere.    (2)
// Three fields on each sphere span two dimensions: the frame is redundant, its brackets are given
// [MATH 1.7]. A thin link has no inertia about its own axis, and with |q̇_i|² = |ω_i×q_i|² in place
// of |ω_i|² the kinetic matrix would be singular. (1) gives it A_i l_i². That changes no motion:
// q_i·p_i = A_i l_i² q_i·ω_i is a Casimir of (2), so a link that does not spin never will, and
// because it is quadratic in (q, p) the discrete step keeps it too.
// Also at most quadratic: |q_i|², p_x, p_y, and the vertical angular momentum
// x p_y − y p_x + Σ p_i3. The energy is not. Straight equilibria: every q_i = ±e3, 2ⁿ of them.
// Source: T. Lee, M. Leok, N. H. McClamroch, CDC 2012, 2502 (D3 [8]).
#pragma once

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "hamel/core/vec.hpp"
#include "hamel/models/chain.hpp"
#include "hamel/models/frame_system.hpp"

namespace hamel {

struct ChainOnCart {
  int n = 1;
  double cart = 1.0;
  double mass = 0.5;
  double length = 1.0;
  double gravity = 9.81;
  std::vector<double> masses, lengths;

  static constexpr std::string_view summary = "a chain on a cart that moves freely in the plane";
  static constexpr std::string_view equations =
      "L = M (x'^2 + y'^2)/2 + sum_k m_k |x_k'|^2/2 - g sum_k m_k x_k3,  x_k = (x, y, 0) + l_1 q_1 "
      "+ ... + l_k q_k;  xi = (x', y', omega_1, ..., omega_n), q_i' = omega_i x q_i";
  static constexpr std::string_view reference =
      "Lee, Leok, McClamroch, CDC 2012 (D3 [8]); MATH 1.7, 6.2";
  static constexpr std::string_view recommended_method = "hamel";
  static constexpr CountParameter<ChainOnCart> counts[] = {
      {"n", "number of links", 1, 8, &ChainOnCart::n}};
  static constexpr Parameter<ChainOnCart> parameters[] = {
      {"cart", "kg", "mass of the cart", Range::positive, &ChainOnCart::cart},
      {"mass", "kg", "of each bob", Range::positive, &ChainOnCart::mass},
      {"length", "m", "of each link", Range::positive, &ChainOnCart::length},
      {"gravity", "m/s^2", "acceleration along -e3", Range::any, &ChainOnCart::gravity}};
  static constexpr ListParameter<ChainOnCart> lists[] = {
      {"masses", "kg", "one for each link, instead of n and mass", Range::positive,
       &ChainOnCart::masses, true},
      {"lengths", "m", "one for each link, instead of n and length", Range::positive,
       &ChainOnCart::lengths, true}};

  FrameModel model() const {
    const Links links = every_link();
    const int count = 2 + 3 * links.n;
    std::vector<std::string> names = {"x", "y"};
    for (int i = 1; i <= links.n; ++i)
      for (const char* axis : {"x", "y", "z"}) names.push_back("q" + std::to_string(i) + axis);
    FrameModel model = FrameModel::with_variables(names, count, count);
    model.quasi = true;
    model.brackets_given = true;
    model.shortest = true;
    model.frame[0][0] = 1.0;
    model.frame[1][1] = 1.0;

    const V X_dot{{model.xi[0], model.xi[1], 0.0}};
    Expression l = 0.5 * (cart + links.carried(0)) * norm2(X_dot);
    Expression J = model.q[0] * model.p[1] - model.q[1] * model.p[0];
    std::vector<V> q_dot;
    std::vector<FrameInvariant> of_links;
    for (int i = 0; i < links.n; ++i) {
      const V q = part(model.q, i);
      const V p = part(model.p, i);
      const V omega = part(model.xi, i);
      const double l_i = links.length(i);
      q_dot.push_back(cross(omega, q));
      V others = X_dot;
      for (int j = 0; j < i; ++j)
        others = others + Expression(links.length(j)) * q_dot[static_cast<std::size_t>(j)];
      l += links.carried(i) * l_i *
           (dot(others, q_dot.back()) + 0.5 * l_i * norm2(omega) - gravity * q[2]);  // [MATH 6.2]
      for (int a = 0; a < 3; ++a) {
        const int b = (a + 1) % 3;
        const int c = (a + 2) % 3;
        model.frame[at(i, a)][at(i, b)] = -q[c];  // e_a×q
        model.frame[at(i, a)][at(i, c)] = q[b];
        model.brackets.push_back({2 + 3 * i + a, 2 + 3 * i + b, 2 + 3 * i + c, -1.0});  // (2)
      }
      J += p[2];
      const std::string number = std::to_string(i + 1);
      of_links.push_back({"length_" + number, "1", "|q_i|^2 - 1", norm2(q) - 1.0});
      of_links.push_back({"spin_" + number, "kg m^2/s", "q_i.p_i, about the link", dot(q, p)});
    }
    model.lagrangian = l;  // (1)
    model.invariants = {{"momentum_z", "kg m^2/s", "vertical angular momentum", J},
                        {"momentum_x", "kg m/s", "linear momentum", model.p[0]},
                        {"momentum_y", "kg m/s", "linear momentum", model.p[1]}};
    model.invariants.insert(model.invariants.end(), of_links.begin(), of_links.end());
    return model;
  }

  static constexpr std::string_view default_start =
      "every q_i (0.6, 0, -0.8) with velocity (0, 0.5, 0); linear momentum zero";
  InitialValues start() const {
    const Links links = every_link();
    double moment = 0.0;
    for (int i = 0; i < links.n; ++i) moment += links.carried(i) * links.length(i);
    std::vector<double> q = {0.0, 0.0};
    std::vector<double> xi = {0.0, -0.5 * moment / (cart + links.carried(0))};
    for (int i = 0; i < links.n; ++i) {
      q.insert(q.end(), {0.6, 0.0, -0.8});
      xi.insert(xi.end(), {0.4, 0.0, 0.3});
    }
    return {{{"q", q}, {"xi", xi}}, true};
  }
  static constexpr double default_step = 0.05;

 private:
  using V = Vec<Expression, 3>;
  struct Links {
    std::vector<double> masses, lengths;
    int n = static_cast<int>(masses.size());
    double length(int i) const { return lengths[static_cast<std::size_t>(i)]; }
    double carried(int i) const { return std::accumulate(masses.begin() + i, masses.end(), 0.0); }
  };
  Links every_link() const {
    const int listed = static_cast<int>(std::max(masses.size(), lengths.size()));
    const int count = n > 0 ? n : std::max(1, listed);
    if (count > counts[0].most)
      throw InputError("system: " + std::to_string(count) + " links, more than " +
                       std::to_string(counts[0].most));
    return {for_each_link("masses", masses, mass, count),
            for_each_link("lengths", lengths, length, count)};
  }

  static std::size_t at(int i, int a) { return static_cast<std::size_t>(2 + 3 * i + a); }
  static V part(const Expressions& list, int i) {
    return {{list[at(i, 0)], list[at(i, 1)], list[at(i, 2)]}};
  }
};

}  // namespace hamel
