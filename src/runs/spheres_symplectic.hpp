// SPDX-License-Identifier: BSD-3-Clause
// How far a step on spheres is from keeping the symplectic form.
#pragma once

#include <optional>
#include <vector>

#include "hamel/models/spheres_model.hpp"
#include "hamel/stepping/stepper.hpp"

namespace hamel {

/// m_ij, row by row, of a model whose form can be measured: constant inertia, no forces, at most
/// 300 spheres. Else nothing.
std::optional<std::vector<Quad>> symplectic_inertia(const SpheresModel& model);

/// Central differences in Quad of the map on (q, μ), μ_i = P_i Σ m_ij q̇_j, along moves of (q, q̇) on
/// T(S²)ⁿ; the form is Σ dq_i ∧ dμ_i. Of long chains some spheres are moved, evenly spread. Nothing
/// where a step fails.
std::optional<double> spheres_symplectic_defect(const std::vector<Quad>& inertia,
                                                Stepper<Quad>& stepper, const std::vector<Quad>& q0,
                                                const std::vector<Quad>& v0, const Quad& h);

}  // namespace hamel
