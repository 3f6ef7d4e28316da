// SPDX-License-Identifier: BSD-3-Clause
// Mechanics on (S²)ⁿ in D3's four forms, as expressions. Document D3: Lee, Leok & McClamroch,
// "Global Formulations of Lagrangian and Hamiltonian Mechanics on Two-Spheres".
//
//   P_i = 1 − q_iq_iᵀ/|q_i|²,  q̇_i = ω_i×q_i,  L̃(q, ω) = L(q, ω×q),  f_i paired with δq_i;
//   (q, q̇)  P_i{d/dt L_{q̇_i} − L_{q_i} − f_i} = 0,                                     [D3 (10)]
//   (q, ω)  P_i{d/dt L̃_{ω_i} − 2ω_i×L̃_{ω_i}} − q_i×(L̃_{q_i} + f_i) = 0,              [D3 (16)]
//   (q, μ)  μ_i = P_i L_{q̇_i},  μ̇_i = P_i(L_{q_i} + f_i) − (q_i·L_{q̇_i})q̇_i − (q̇_i·μ_i)q_i,
//                                                                             [D3 (19)] [D3 (23)]
//   (q, π)  π_i = L̃_{ω_i} = q_i×L_{q̇_i},  π̇_i = q_i×(L̃_{q_i} + f_i) + ω_i×π_i. [D3 (27)] [D3 (31)]
// The last two are (23) and (31) with H_μ = q̇, P_iH_{q_i} = −P_iL_{q_i} + (q_i·L_{q̇_i})q̇_i and
// H̃_π = ω, H̃_q = −L̃_q: the derivatives of a Legendre transform, so that no inverse is
// differentiated.
//
// Routes. `general`: as above, from any L(q, q̇, t). `quadratic`: L = ½ Σ m_ij(q) q̇_i·q̇_j − U(q), by
//   m_ii q̈_i + P_iΣ_{j≠i} m_ij q̈_j + m_ii|q̇_i|²q_i + P_i{F_i + U_{q_i} − f_i} = 0,       [D3 (12)]
//   m_ii ω̇_i + Σ_{j≠i}[S(q_i)ᵀm_ij S(q_j)ω̇_j − m_ij|ω_j|²q_i×q_j] + q_i×{F_i + U_{q_i} − f_i} = 0,
//   F_i = Σ_j ṁ_ij q̇_j − ∂T/∂q_i,                                            [D3 (18)] [MATH 6.1]
//   π̇_i = q̇_i×Σ_j m_ij q̇_j + q_i×(∂T/∂q_i − U_{q_i} + f_i).                           [MATH 6.3]
// `constant`: m_ij constant and regular, W = (m_ij)⁻¹, one unknown for each sphere:
//   Σ_j m_ij q̈_j = f_i − U_{q_i} + λ_iq_i,   q_i·q̈_i = −|q̇_i|²,   or
//   Σ_j m_ij q̇_j = P_i p_i + λ_iq_i,         q_i·q̇_i = 0,          both with W_ij q_i·q_j.
// Where the spheres are uncoupled, m_ij = 0 for i ≠ j, each λ_i stands for itself in the first and
// vanishes in the second: nothing is left to solve.
//
// The linear systems are regular on R³ⁿ: (12), (18) and (32) are so as printed, because the row of
// sphere i has the part m_ii along q_i and no other; in the general route the same is reached by
// adding α_i q_iq_iᵀ/|q_i|², α_i the mean of the two tangent eigenvalues of the i-th block. It acts
// on the normal part of the unknown, which is known, and so changes the scaling only.
//
// Off the manifold the fields are continued smoothly such that |q_i|² and q_i·y_i are first
// integrals everywhere (y = q̇, ω, μ or π): errors of Runge–Kutta stages do not grow, and Gauss
// methods keep both to round-off. In (q, q̇) this takes q̇_i = P_iy_i. In (q, μ) and (q, π) an
// angular momentum that the system conserves, Σ q_i×μ_i or Σ π_i along an axis, is such an integral
// as well.
#pragma once

#include "hamel/models/spheres_formulas.hpp"

namespace hamel {

/// What a state holds beside q.
enum class SpheresForm { q_qdot, q_omega, q_mu, q_pi };

/// From which data the equations are built: constant m_ij, m_ij(q) and U, or L alone.
enum class SpheresRoute { constant, quadratic, general };

/// The cheapest route that the formulas allow.
SpheresRoute shortest_route(const SpheresFormulas& formulas);

/// ẏ and q̇ as expressions of (q, y, t, x), with x from a linear system: x = matrix⁻¹ right; where
/// `newton` is set, both contain x, and x ← x + matrix⁻¹ right is to be repeated. x is q̈, ω̇, q̇, ω
/// or λ.
struct SpheresEquations {
  Expressions y;       ///< 3n variables: q̇, ω, μ or π
  Expressions x;       ///< k variables, k = n or 3n; 0 where nothing is to be solved
  Expressions matrix;  ///< k×k, row by row
  Expressions right;   ///< k
  bool newton = false;
  bool velocity_solved = false;  ///< q̇ contains x: the Hamiltonian forms
  Expressions velocity;          ///< q̇, 3n
  Expressions rate;              ///< ẏ, 3n
  Expression power;              ///< Σ f_i·q̇_i
  Expressions from_velocity;     ///< y of (q, q̇, t), in the variables of the formulas
};

/// Adds variables to the graph of the formulas: one call at a time. Throws InputError where the
/// formulas do not allow the route.
SpheresEquations spheres_equations(const SpheresFormulas& formulas, SpheresForm form,
                                   SpheresRoute route);

}  // namespace hamel
