// How far a step on spheres is from keeping the symplectic form.
#pragma once

#include <optional>
#include <vector>

#include "hamel/integrators/support/stepper.hpp"
#include "hamel/mechanics/spheres_model.hpp"

namespace hamel {

/// Central differences in Quad of the map on (q, μ), μ_i = P_i Σ m_ij q̇_j, along moves of (q, q̇) on
/// T(S²)ⁿ; the form is Σ dq_i ∧ dμ_i. Of long chains some spheres are moved, evenly spread. Nothing
/// where forces act, the inertia is not constant, or a step fails.
std::optional<double> spheres_symplectic_defect(const SpheresModel& model, Stepper<Quad>& stepper,
                                                const std::vector<Quad>& q0,
                                                const std::vector<Quad>& v0, const Quad& h);

}  // namespace hamel
