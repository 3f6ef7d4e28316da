// SPDX-License-Identifier: BSD-3-Clause
// SpheresProblem: a system on (S²)ⁿ from an initial state, with every method that fits it.
#pragma once

#include "hamel/models/spheres_initial.hpp"
#include "hamel/models/spheres_model.hpp"
#include "hamel/runs/problem.hpp"

namespace hamel {

/// Throws InputError with the reason where the system cannot be simulated from there.
std::unique_ptr<Problem> make_spheres_problem(SpheresModel model, SpheresStart start);

/// Energy, lengths, tangency, and the momenta that the symmetry of the system keeps.
std::vector<InvariantInfo> spheres_invariants(const SpheresModel& model);
/// Every method on many spheres that fits.
std::vector<MethodInfo> spheres_methods(const SpheresModel& model);

}  // namespace hamel
