// SPDX-License-Identifier: BSD-3-Clause
// chain_pendulum: n point masses on massless links, hanging from a fixed or moving base; a cable.
//
//   m_ij = M_ij l_i l_j,  M_ij = Σ_{k≥max(i,j)} m_k,  U = g Σ_i l_i (Σ_{k≥i} m_k) q_i3; [MATH 6.2]
//   torque τ(t) at the base and force d(t) at the tip: f_1 = l_1 d + τ×q_1, f_i = l_i d.  (D3 §V)
#pragma once

#include <string_view>

#include "hamel/core/parameters.hpp"
#include "hamel/models/spheres_initial.hpp"
#include "hamel/models/spheres_model.hpp"

namespace hamel {

struct ChainPendulum {
  int n = 3;
  double mass = 1.0;
  double length = 1.0;
  double gravity = 9.81;
  double joint_damping = 0.0;
  double air_drag = 0.0;
  std::vector<double> masses, lengths;
  std::vector<std::string> base_torque, tip_force, base;

  static constexpr std::string_view summary = "point masses on links: a pendulum, a chain, a cable";
  static constexpr std::string_view equations =
      "L = sum_k m_k |x_k'|^2/2 - g sum_k m_k x_k3,  x_k = l_1 q_1 + ... + l_k q_k,  |q_i| = 1";
  static constexpr std::string_view reference = "D2, D3 section V; MATH 6.2, 7.2";
  static constexpr std::string_view recommended_method = "variational";
  static constexpr CountParameter<ChainPendulum> counts[] = {
      {"n", "number of links", 1, 10'000'000, &ChainPendulum::n}};
  static constexpr Parameter<ChainPendulum> parameters[] = {
      {"mass", "kg", "of each bob", Range::positive, &ChainPendulum::mass},
      {"length", "m", "of each link", Range::positive, &ChainPendulum::length},
      {"gravity", "m/s^2", "acceleration along -e3", Range::non_negative, &ChainPendulum::gravity},
      {"joint_damping", "N m s", "torque -c (omega_i - omega_(i-1)) in every joint",
       Range::non_negative, &ChainPendulum::joint_damping},
      {"air_drag", "kg/m", "force -c |v| v on every bob", Range::non_negative,
       &ChainPendulum::air_drag}};
  static constexpr ListParameter<ChainPendulum> lists[] = {
      {"masses", "kg", "one for each link, instead of n and mass", Range::positive,
       &ChainPendulum::masses, true},
      {"lengths", "m", "one for each link, instead of n and length", Range::positive,
       &ChainPendulum::lengths, true}};
  static constexpr DriveParameter<ChainPendulum> drives[] = {
      {"base_torque", "N m", "torque on the first link", &ChainPendulum::base_torque},
      {"tip_force", "N", "force on the last bob", &ChainPendulum::tip_force},
      {"base", "m", "position of the base", &ChainPendulum::base}};

  SpheresModel model() const {
    const int links = n > 0 ? n : static_cast<int>(std::max(masses.size(), lengths.size()));
    Chain chain;
    chain.masses = for_each_link("masses", masses, mass, links);
    chain.lengths = for_each_link("lengths", lengths, length, links);
    chain.gravity = gravity;
    chain.joint_damping = joint_damping;
    chain.air_drag = air_drag;
    set_drive(chain, {base_torque, tip_force, base});
    return chain_model(std::move(chain));
  }

  /// The moving case on which other programs were measured.
  static constexpr std::string_view default_start = "every q (1, 0, -1)/sqrt(2), omega (.4, 0, .4)";
  static SpheresStart start(int n) { return uniform_start(n, {1.0, 0.0, -1.0}, {0.4, 0.0, 0.4}); }
  static constexpr double default_step = 0.01;
};

}  // namespace hamel
