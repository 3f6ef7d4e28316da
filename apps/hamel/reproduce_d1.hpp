// SPDX-License-Identifier: BSD-3-Clause
// What the checks of D1's claims share: formulas at random points, in Quad.
#pragma once

#include <span>
#include <vector>

#include "hamel/models/frame_equations.hpp"
#include "hamel/systems/euler_top_angles.hpp"
#include "reproduce.hpp"

namespace hamel::app {

using Numbers = std::vector<Quad>;

constexpr unsigned samples = 5;           ///< random points per system
constexpr double round_off = 1e-28;       ///< what a comparison in Quad may leave
constexpr double by_differences = 1e-16;  ///< the same with central differences of 1e-10

Expressions joined(std::initializer_list<std::span<const Expression>> lists);
Numbers values(std::span<const Expression> inputs, std::span<const Expression> outputs,
               const Numbers& in);
/// Between 0.2 and 1.
Numbers random_numbers(std::size_t count, unsigned seed);
/// matrix⁻¹ right; a singular matrix is a NumericalError.
Numbers solved(Numbers matrix, Numbers right);
/// The larger one, or NaN where there is one.
inline double larger(double a, double b) { return a != a || a >= b ? a : b; }
/// Largest |a_i − b_i|, or NaN.
double distance(const Numbers& a, const Numbers& b);

struct Motion {
  Numbers v, q_ddot, xi_dot;
};
/// Hamel's equations at (q, ξ): M ξ̇ = F − ∂μ/∂q·v, q̈ = ψξ̇ + (Dψ·v)ξ.
Motion hamel_motion(const FrameModel& model, const Numbers& at);

/// The Euler top over its angles, in D1's body frame.
inline const EulerTopAngles angles_top{1.0, 1.7, 2.4};
FrameModel euler_top_over_angles();

// reproduce_d1_equations.cpp
Finding d1_hamel_equations(const Registry&);
Finding d1_structure_functions(const Registry&);
Finding d1_implicit_hamel(const Registry&);
// reproduce_d1_integrators.cpp
Finding d1_discrete_theorem(const Registry&);
Finding d1_sleigh_spiral(const Registry&);
Finding d1_equilibria_kept(const Registry&);
Finding d1_stability_kept(const Registry&);
Finding d1_dla_corrupts(const Registry&);
Finding d1_not_symplectic(const Registry&);

}  // namespace hamel::app
