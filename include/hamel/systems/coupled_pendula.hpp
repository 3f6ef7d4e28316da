// SPDX-License-Identifier: BSD-3-Clause
// coupled_pendula: spherical pendula on a line or a lattice, neighbouring bobs joined by springs.
//
//   U = Σ m g l q_i3 + Σ_{neighbours} ½ k (|p_j − p_i + l(q_j − q_i)| − L_0)²,   I = m l²,
// p_i the pivots, a distance apart.
#pragma once

#include <cmath>
#include <string_view>

#include "hamel/core/parameters.hpp"
#include "hamel/models/spheres_initial.hpp"
#include "hamel/models/spheres_model.hpp"
#include "hamel/models/spheres_system.hpp"

namespace hamel {

struct CoupledPendula {
  int n = 3;
  int rows = 1;
  double mass = 1.0;
  double length = 1.0;
  double gravity = 9.81;
  double distance = 1.0;
  double stiffness = 1.0;
  double rest_length = 0.8;

  static constexpr std::string_view summary = "spherical pendula with springs between the bobs";
  static constexpr std::string_view equations =
      "U = sum m g l q_i3 + sum over neighbours k (|x_j - x_i| - L0)^2/2,  x_i = p_i + l q_i";
  static constexpr std::string_view reference = "MATH 6";
  static constexpr std::string_view recommended_method = "hamel";
  static constexpr CountParameter<CoupledPendula> counts[] = {
      {"n", "pendula in a row", 1, 4096, &CoupledPendula::n},
      {"rows", "rows of the lattice", 1, 4096, &CoupledPendula::rows}};
  static constexpr Parameter<CoupledPendula> parameters[] = {
      {"mass", "kg", "of each bob", Range::positive, &CoupledPendula::mass},
      {"length", "m", "of each rod", Range::positive, &CoupledPendula::length},
      {"gravity", "m/s^2", "acceleration along -e3", Range::any, &CoupledPendula::gravity},
      {"distance", "m", "of neighbouring pivots", Range::positive, &CoupledPendula::distance},
      {"stiffness", "N/m", "of the springs", Range::non_negative, &CoupledPendula::stiffness},
      {"rest_length", "m", "of the springs", Range::non_negative, &CoupledPendula::rest_length}};

  int spheres() const { return n * rows; }
  double inertia(int /*i*/) const { return mass * length * length; }

  template <class S>
  S potential(const std::vector<Vec<S, 3>>& q) const {
    S sum = S(0.0);
    for (const auto& qi : q) sum = sum + S(mass * gravity * length) * qi[2];
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < n; ++column) {
        const int i = row * n + column;
        if (column + 1 < n) sum = sum + spring(q, i, i + 1, {{S(distance), S(0.0), S(0.0)}});
        if (row + 1 < rows) sum = sum + spring(q, i, i + n, {{S(0.0), S(distance), S(0.0)}});
      }
    return sum;
  }

  SpheresModel model() const { return traced_model(*this); }

  static constexpr std::string_view default_start =
      "the first pendulum lifted away from the others and pushed aside";
  static SpheresStart start(int count) {
    SpheresStart start = uniform_start(count, {0.0, 0.0, -1.0}, {0.0, 0.0, 0.0});
    start.q[0] = -std::sin(0.4);
    start.q[2] = -std::cos(0.4);
    start.v[1] = 0.3;
    return start;
  }
  static constexpr double default_step = 0.02;

 private:
  template <class S>
  S spring(const std::vector<Vec<S, 3>>& q, int i, int j, const Vec<S, 3>& pivots) const {
    const Vec<S, 3> apart =
        pivots + S(length) * (q[static_cast<std::size_t>(j)] - q[static_cast<std::size_t>(i)]);
    if (rest_length == 0.0) return S(0.5 * stiffness) * norm2(apart);
    const S stretch = norm(apart) - S(rest_length);
    return S(0.5 * stiffness) * stretch * stretch;
  }
};

}  // namespace hamel
