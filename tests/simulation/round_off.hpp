// SPDX-License-Identifier: BSD-3-Clause
// What round-off may do to a run at most, from eps, the sizes of what is rounded, and the number of
// steps: the bounds of the laws.
#pragma once

#include <vector>

#include "hamel/runs/problem.hpp"

namespace hamel {

/// (q, velocity) as the invariants take them; empty where the simulation does not show them.
std::vector<double> phase_point(const Simulation&);

/// The largest |z_i| of a run, of each coordinate i of the points it was at. One that hardly moves
/// is computed from others: it counts with a tenth of the largest of its half, q or velocity.
std::vector<double> own_sizes(const std::vector<std::vector<double>>& points,
                              std::size_t coordinates);

/// Size of the terms that each invariant I is the sum of, Σ_i |∂I/∂z_i| m_i: what I changes by, at
/// most, when numbers of the sizes m are rounded, is eps times that. Without m: the largest |z_k|
/// of the half that z_i belongs to.
std::vector<double> term_sizes(const InvariantMap&, const std::vector<double>& z,
                               std::vector<double> m, std::size_t coordinates);

/// What has become after n steps of roundings at each of them: with D_n the derivative of n steps
/// and m as above, √Σ_n Σ_i (m_i |∂z_n/∂z_i|)² for independent ones, in units of eps.
struct Growth {
  double state;     ///< all of z
  double position;  ///< q alone, each coordinate in units of its size, of 1 at least
};
Growth growth(const Problem&, const IntegrationOptions&, int steps);

}  // namespace hamel
