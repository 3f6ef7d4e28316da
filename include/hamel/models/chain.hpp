// SPDX-License-Identifier: BSD-3-Clause
// A chain of point masses on massless links of fixed length, in space.
//
//   links d_i = l_i q_i, |q_i| = 1;  mass k sits at x_k = x_0 + d_1 + … + d_k;  e3 is up.
//   T = ½ Σ_k m_k |ẋ_k|²,  U = g Σ_i l_i (Σ_{k≥i} m_k) q_i·e3
//                              + clamp (1 − axis·q_1) + Σ_i bending_i (1 − q_i·q_{i+1}).
//   m_ij = M_ij l_i l_j,  M_ij = Σ_{k≥max(i,j)} m_k.                                     [MATH 6.2]
// The bending terms make it a slender rod (D3's closing remark); they are bilinear, hence as cheap
// and as exactly kept as gravity.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "hamel/core/vec.hpp"

namespace hamel {

/// Outer influences at a time t; zero where there are none. The chain is seen from its base: its
/// energy, momentum and the work done on it are those of the motion relative to x_0.
struct ChainDrive {
  Vec<double, 3> base_torque{};        ///< N m, on link 1:  f_1 = τ×q_1              [MATH 6.2]
  Vec<double, 3> tip_force{};          ///< N, on the last mass
  Vec<double, 3> base_acceleration{};  ///< m/s², of x_0
  Vec<double, 3> base_velocity{};      ///< m/s, felt by the air's drag only
  Vec<double, 3> base{};               ///< m, x_0, for what is shown
};

/// Outer influences as formulas in t, three each or none: torque at the base, force at the tip, and
/// the position of the base, whose derivatives are taken.
struct DriveFormulas {
  std::vector<std::string> base_torque, tip_force, base;
  bool given() const { return !base_torque.empty() || !tip_force.empty() || !base.empty(); }
};

struct Chain {
  std::vector<double> masses;   ///< kg, n
  std::vector<double> lengths;  ///< m, n
  double gravity = 9.81;        ///< m/s²

  std::vector<double> bending;  ///< J, n − 1: between links i and i + 1; empty: none
  double clamp = 0.0;           ///< J: between `axis` and link 1; 0: a free joint
  Vec<double, 3> axis{{0.0, 0.0, -1.0}};

  std::function<ChainDrive(double t)> drive;  ///< empty: none
  DriveFormulas drive_formulas;               ///< of `drive`, where it is made of such
  double joint_damping = 0.0;  ///< N m s: torques −c(ω_i − ω_{i−1}) between neighbours, ω_0 = 0
  double air_drag = 0.0;       ///< N s²/m²: force −c|ẋ_k|ẋ_k on every mass

  int links() const { return static_cast<int>(masses.size()); }
  bool elastic() const { return !bending.empty() || clamp != 0.0; }
  /// Velocity-dependent forces.
  bool damped() const { return joint_damping != 0.0 || air_drag != 0.0; }
  /// Forces that do work.
  bool forced() const { return damped() || static_cast<bool>(drive); }
  /// Nothing acts on it but gravity and its links.
  bool gravity_alone() const { return !elastic() && !forced(); }
};

/// Long chains are read, not copied, by what works on them.
using SharedChain = std::shared_ptr<const Chain>;

/// Sets the chain's drive; none where no formulas are given. Throws InputError naming the formula.
void set_drive(Chain& chain, DriveFormulas formulas);

/// One value for each of n links: the list, or `value` n times. n = 0 stands for the size of the
/// lists. Throws InputError naming the list that does not fit.
std::vector<double> for_each_link(const char* name, const std::vector<double>& list, double value,
                                  int n);

}  // namespace hamel
