// SPDX-License-Identifier: BSD-3-Clause
// elastic_rod: a slender inextensible rod as a chain with bending stiffness (D3's closing remark).
//
//   n links of length l = L/n; node masses ρAl, half of it at the tip;
//   U_bend = (EI/l) Σ (1 − q_i·q_{i+1})  →  ½ EI ∫ κ² ds,
//   clamped at the base: (2EI/l)(1 − a·q_1),
// because the first half link carries the curvature of its node alone. Second order in 1/n.
#pragma once

#include <string_view>

#include "hamel/core/error.hpp"
#include "hamel/core/parameters.hpp"
#include "hamel/geometry/sphere.hpp"
#include "hamel/models/spheres_initial.hpp"
#include "hamel/models/spheres_model.hpp"

namespace hamel {

struct ElasticRod {
  int n = 4;
  int clamped = 1;
  double mass = 1.0;
  double length = 1.0;
  double stiffness = 0.2;
  double gravity = 9.81;
  double joint_damping = 0.0;
  double air_drag = 0.0;
  std::vector<double> axis;
  std::vector<std::string> base_torque, tip_force, base;

  static constexpr std::string_view summary = "slender rod or cable with bending stiffness";
  static constexpr std::string_view equations =
      "U = g sum_k m_k x_k3 + (EI/l) sum_i (1 - q_i.q_(i+1)) + (2 EI/l) (1 - a.q_1) if clamped; "
      "kinetic energy as chain_pendulum";
  static constexpr std::string_view reference = "D3 section V, closing remark; MATH 6.2";
  static constexpr std::string_view recommended_method = "variational";
  static constexpr CountParameter<ElasticRod> counts[] = {
      {"n", "number of links", 1, 10'000'000, &ElasticRod::n},
      {"clamped", "1: clamped along axis at the base; 0: hinged", 0, 1, &ElasticRod::clamped}};
  static constexpr Parameter<ElasticRod> parameters[] = {
      {"mass", "kg", "of the rod", Range::positive, &ElasticRod::mass},
      {"length", "m", "of the rod", Range::positive, &ElasticRod::length},
      {"stiffness", "N m^2", "bending stiffness EI", Range::non_negative, &ElasticRod::stiffness},
      {"gravity", "m/s^2", "acceleration along -e3", Range::non_negative, &ElasticRod::gravity},
      {"joint_damping", "N m s", "torque -c (omega_i - omega_(i-1)) in every joint",
       Range::non_negative, &ElasticRod::joint_damping},
      {"air_drag", "kg/m", "force -c |v| v on every node", Range::non_negative,
       &ElasticRod::air_drag}};
  static constexpr ListParameter<ElasticRod> lists[] = {
      {"axis", "1", "direction of the clamp; [1, 0, 0] where it is not given", Range::any,
       &ElasticRod::axis}};
  static constexpr DriveParameter<ElasticRod> drives[] = {
      {"base_torque", "N m", "torque on the first link", &ElasticRod::base_torque},
      {"tip_force", "N", "force on the tip", &ElasticRod::tip_force},
      {"base", "m", "position of the base", &ElasticRod::base}};

  Vec<double, 3> direction() const {
    if (axis.empty()) return {{1.0, 0.0, 0.0}};
    const Vec<double, 3> a = axis.size() == 3 ? Vec<double, 3>{{axis[0], axis[1], axis[2]}}
                                              : Vec<double, 3>{{0.0, 0.0, 0.0}};
    if (!(norm(a) > 0.0)) throw InputError("system.axis must be three numbers, not all zero");
    return normalised(a);
  }

  SpheresModel model() const {
    const auto links = static_cast<std::size_t>(n);
    const double l = length / n;
    Chain chain;
    chain.masses.assign(links, mass / n);
    chain.masses.back() *= 0.5;
    chain.lengths.assign(links, l);
    chain.gravity = gravity;
    if (stiffness > 0.0) {
      chain.bending.assign(links - 1, stiffness / l);
      if (clamped == 1) chain.clamp = 2.0 * stiffness / l;
      chain.axis = direction();
    }
    chain.joint_damping = joint_damping;
    chain.air_drag = air_drag;
    set_drive(chain, {base_torque, tip_force, base});
    return chain_model(std::move(chain));
  }

  static constexpr std::string_view default_start = "straight along the axis, at rest";
  SpheresStart start(int links) const {
    const Vec<double, 3> a = direction();
    return uniform_start(links, {a[0], a[1], a[2]}, {0.0, 0.0, 0.0});
  }
  static constexpr double default_step = 0.005;
};

}  // namespace hamel
