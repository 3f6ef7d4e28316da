// SPDX-License-Identifier: BSD-3-Clause
// The equations of motion in a frame, as expressions of (q, ξ, t).
//
//   v = ψξ,  μ_j = ∂l/∂ξ^j,  μ̇_j = F_j + Q_j,  Q_j = ⟨f, u_j⟩,  E = ⟨μ, ξ⟩ − l;
//   from L(q, v), without inverse and c:
//     F_j = ⟨L_q, u_j⟩ + ⟨L_v, Du_j·v⟩,                                     [MATH 1.3]
//   from l(q, ξ), with i ≤ m and a = 1 … n:
//     F_j = u_j[l] + c_ij^a ξ^i μ_a.                                [MATH 1.2] [MATH 1.4]
// The kinetic frame ψ' = ψC⁻ᵀ, ψᵀGψ = CCᵀ, turns the kinetic energy into |ξ'|²/2. [MATH 2.5]
#pragma once

#include "hamel/models/frame_model.hpp"

namespace hamel {

struct FrameEquations {
  Expressions velocity;  ///< v, N
  Expressions momentum;  ///< μ, m
  Expressions rate;      ///< F, m
  Expressions force;     ///< Q, m; zeros where the system is not forced
  Expression power;      ///< ⟨f, v⟩
  Expression energy;
};

FrameEquations frame_equations(const FrameModel& model);

/// The same, of a system that can be simulated from (q, ξ). Throws InputError with the reason where
/// it cannot: frame redundant without brackets, kinetic matrix singular, values that are not
/// finite.
FrameEquations checked_equations(const FrameModel& model, const std::vector<double>& q,
                                 const std::vector<double>& xi);

/// The energy and the model's invariants, as expressions of (q, ξ, t).
Expressions watched_quantities(const FrameModel& model, const FrameEquations& equations);

/// −L(q, 0): the potential energy where the kinetic energy is homogeneous.
Expression potential_energy(const FrameModel& model);

/// The coordinate Lagrangian L(q, v); from l(q, ξ) by ξ = φ(q)v. Throws InputError where the
/// quasi-velocities are not functions of the velocities.
Expression coordinate_lagrangian(const FrameModel& model);

/// c_ij^k(q) for all i, j, k < n, [(i·n + j)·n + k]: as given, or by differentiation from the frame
/// with its complement. Throws InputError where neither is possible.             [MATH 1.1]
/// [MATH 1.7]
Expressions structure_functions(const FrameModel& model);

/// [u_i, u_j] = u_i·∂u_j − u_j·∂u_i for rows i, j of the frame and its complement.
Expressions bracket(const FrameModel& model, int i, int j);

/// The same system in its kinetic-orthonormal frame, with the change of quasi-velocities.
struct KineticFrame {
  FrameModel model;
  Expressions to;    ///< ξ' = Cᵀξ, in the variables ξ of the model as given
  Expressions from;  ///< ξ = C⁻ᵀξ', in the variables of `model`
};
/// Throws InputError where the kinetic energy is not quadratic in the velocities.
KineticFrame kinetic_frame(const FrameModel& model);

/// The implicit Hamel equations: the variation of ∫ l(q, η) + ⟨p, q̇ − ψη⟩ dt by q, paired with u_j,
///   u_j[l](q, η) − μ̇_j − ψ_i^r ∂_rφ^a_b ψ_j^b μ_a ξ^i − ψ_j^r ∂_rψ_i^b φ^a_b μ_a η^i,   p = μφ,
/// which vanishes along a motion, with ξ = φq̇ not yet equal to η. In q and the lists given (n each,
/// variables or not). Needs as many independent fields as coordinates.               [MATH 1.5]
Expressions implicit_hamel_residual(const FrameModel& model, const Expressions& xi,
                                    const Expressions& eta, const Expressions& mu,
                                    const Expressions& mu_dot);

/// frame_equations with F from the implicit Hamel equations at η = ξ, without c: the same field by
/// another formula. Needs as many independent fields as coordinates.                 [MATH 1.5]
FrameEquations implicit_hamel_equations(const FrameModel& model);

/// One-forms that vanish on the frame's fields, N − m rows: by cofactors for one constraint, else
/// by elimination with fixed pivots, else from the complement. Throws InputError where none of
/// them serves.
std::vector<Expressions> annihilating_forms(const FrameModel& model);

/// The force of the constraints, R = d/dt L_v − L_q − f, as B ξ̇ + c with M ξ̇ = g:
/// expressions of (q, ξ, t). From L(q, v) only.
struct ReactionEquations {
  Expressions M;  ///< m×m
  Expressions g;  ///< m
  Expressions B;  ///< N×m
  Expressions c;  ///< N
};
ReactionEquations reaction_equations(const FrameModel& model, const FrameEquations& equations);

}  // namespace hamel
