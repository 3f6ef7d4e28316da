// SPDX-License-Identifier: BSD-3-Clause
// sphere_particles: particles on one sphere with a pair potential of their distance.
//
//   U = Σ_{i<j} w(d_ij),  d_ij = R |q_i − q_j|,  I = m R²;  w is a formula in d: 1/d for charges,
// −1/d for gravitation, 4((s/d)^12 − (s/d)^6) for Lennard-Jones. All of the angular momentum is
// kept.
#pragma once

#include <cmath>
#include <string>
#include <string_view>

#include "hamel/core/error.hpp"
#include "hamel/core/parameters.hpp"
#include "hamel/expressions/parse.hpp"
#include "hamel/models/spheres_initial.hpp"
#include "hamel/models/spheres_model.hpp"
#include "hamel/models/spheres_system.hpp"

namespace hamel {

struct SphereParticles {
  int n = 3;
  double mass = 1.0;
  double radius = 1.0;
  std::string pair_potential = "1/d";

  static constexpr std::string_view summary = "particles on a sphere with a pair potential";
  static constexpr std::string_view equations =
      "L = sum m R^2 |q_i'|^2/2 - sum_(i<j) w(R |q_i - q_j|)";
  static constexpr std::string_view reference = "MATH 6";
  static constexpr std::string_view recommended_method = "hamel";
  static constexpr CountParameter<SphereParticles> counts[] = {
      {"n", "number of particles", 1, 64, &SphereParticles::n}};
  static constexpr Parameter<SphereParticles> parameters[] = {
      {"mass", "kg", "of each particle", Range::positive, &SphereParticles::mass},
      {"radius", "m", "of the sphere", Range::positive, &SphereParticles::radius}};
  static constexpr TextParameter<SphereParticles> texts[] = {
      {"pair_potential", "d", "energy w(d) of two particles at distance d",
       &SphereParticles::pair_potential}};

  int spheres() const { return n; }
  double inertia(int /*i*/) const { return mass * radius * radius; }

  Expression potential(const std::vector<Vec<Expression, 3>>& q) const {
    Expression sum;
    for (std::size_t i = 0; i < q.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const Expression d = radius * norm(q[i] - q[j]);
        try {
          sum += parse_expression(pair_potential, {{"d", d}});
        } catch (const InputError& error) {
          throw InputError("system.pair_potential: " + std::string(error.what()));
        }
      }
    return sum;
  }

  SpheresModel model() const { return traced_model(*this); }

  static constexpr std::string_view default_start = "spread over the sphere, moving";
  static SpheresStart start(int count) {
    SpheresStart start;
    for (int i = 0; i < count; ++i) {  // a spiral of equal areas
      const double z = 0.9 - 1.8 * (i + 0.5) / count;
      const double r = std::sqrt(1.0 - z * z);
      const double angle = 2.4 * i;
      for (const double x : {r * std::cos(angle), r * std::sin(angle), z}) start.q.push_back(x);
      for (const double v : {-std::sin(angle), std::cos(angle), 0.0})
        start.v.push_back((0.4 + 0.1 * i) * v);
    }
    return start;
  }
  static constexpr double default_step = 0.05;
};

}  // namespace hamel
