// SPDX-License-Identifier: BSD-3-Clause
// Initial data on (S²)ⁿ as a user writes them, checked and completed.
//
//   q, omega   unit vectors and angular velocities, ω_i·q_i = 0;
//   q, v       unit vectors and their velocities, q_i·v_i = 0.
#pragma once

#include <string>
#include <vector>

#include "hamel/core/parameters.hpp"
#include "hamel/models/initial_values.hpp"

namespace hamel {

/// Position and velocity: 3n numbers each.
struct SpheresStart {
  std::vector<double> q, v;
};

/// The two forms above.
std::vector<std::vector<InitialField>> spheres_initial_forms();

/// From one of those forms for n spheres: small defects are mended with a note, larger ones and
/// other sizes are refused with an InputError naming the sphere.
SpheresStart spheres_start(int n, int form, const InitialValues& given,
                           std::vector<std::string>& notes);

/// Every sphere at the same q with the same ω.
SpheresStart uniform_start(int n, const double (&q)[3], const double (&omega)[3]);

}  // namespace hamel
