// SPDX-License-Identifier: BSD-3-Clause
// magnetic_dipoles: a lattice of dipoles with rotational inertia, dipole–dipole forces and a field.
//
//   U = J Σ_{i<j} (q_i·q_j − 3 (q_i·r)(q_j·r))/d³ − B·Σ q_i,
// r, d the direction and the distance of the sites in lattice constants; J = μ0 μ²/(4π a³). Every
// term is bilinear.
#pragma once

#include <cmath>
#include <string_view>

#include "hamel/core/parameters.hpp"
#include "hamel/models/spheres_initial.hpp"
#include "hamel/models/spheres_model.hpp"
#include "hamel/models/spheres_system.hpp"

namespace hamel {

struct MagneticDipoles {
  int n = 3;
  int rows = 1;
  double moment_of_inertia = 1.0;
  double coupling = 1.0;
  double field_x = 0.0;
  double field_y = 0.0;
  double field_z = 0.0;

  static constexpr std::string_view summary = "lattice of magnetic dipoles with inertia";
  static constexpr std::string_view equations =
      "U = J sum_(i<j) (q_i.q_j - 3 (q_i.r)(q_j.r))/d^3 - B.sum q_i";
  static constexpr std::string_view reference = "MATH 6";
  static constexpr std::string_view recommended_method = "hamel";
  static constexpr CountParameter<MagneticDipoles> counts[] = {
      {"n", "dipoles in a row, along e1", 1, 64, &MagneticDipoles::n},
      {"rows", "rows of the lattice, along e2", 1, 64, &MagneticDipoles::rows}};
  static constexpr Parameter<MagneticDipoles> parameters[] = {
      {"moment_of_inertia", "kg m^2", "of each dipole", Range::positive,
       &MagneticDipoles::moment_of_inertia},
      {"coupling", "J", "mu0 mu^2/(4 pi a^3)", Range::any, &MagneticDipoles::coupling},
      {"field_x", "J", "moment times outer field, along e1", Range::any, &MagneticDipoles::field_x},
      {"field_y", "J", "moment times outer field, along e2", Range::any, &MagneticDipoles::field_y},
      {"field_z", "J", "moment times outer field, along e3", Range::any,
       &MagneticDipoles::field_z}};

  int spheres() const { return n * rows; }
  double inertia(int /*i*/) const { return moment_of_inertia; }

  template <class S>
  S potential(const std::vector<Vec<S, 3>>& q) const {
    S sum = S(0.0);
    for (int i = 0; i < spheres(); ++i) {
      const Vec<S, 3>& a = q[static_cast<std::size_t>(i)];
      sum = sum - (S(field_x) * a[0] + S(field_y) * a[1] + S(field_z) * a[2]);
      for (int j = 0; j < i; ++j) {
        const Vec<S, 3>& b = q[static_cast<std::size_t>(j)];
        const int columns = i % n - j % n;
        const int rows = i / n - j / n;
        const double x = columns;
        const double y = rows;
        const double d = std::hypot(x, y);
        const auto along = [&](const Vec<S, 3>& p) { return S(x / d) * p[0] + S(y / d) * p[1]; };
        sum = sum + S(coupling / (d * d * d)) * (dot(a, b) - S(3.0) * along(a) * along(b));
      }
    }
    return sum;
  }

  SpheresModel model() const { return traced_model(*this); }

  static constexpr std::string_view default_start = "fanned out, turning";
  static SpheresStart start(int count) {
    SpheresStart start;
    for (int i = 0; i < count; ++i) {
      const double angle = 0.4 + 0.7 * i;
      for (const double x : {std::cos(angle), 0.6 * std::sin(angle), 0.8 * std::sin(angle)})
        start.q.push_back(x);
      for (const double v : {-std::sin(angle), 0.6 * std::cos(angle), 0.8 * std::cos(angle)})
        start.v.push_back(0.5 * v);
    }
    return start;
  }
  static constexpr double default_step = 0.05;
};

}  // namespace hamel
