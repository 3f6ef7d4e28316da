// SPDX-License-Identifier: BSD-3-Clause
// Functions of a system's state, given as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hamel/expressions/program.hpp"
#include "hamel/runs/problem.hpp"

namespace hamel {

/// What the numbers of z = (q, velocity) are called in texts: q1 q2 q3 omega1 omega2 omega3 on one
/// sphere, q1_1 … q2_3 … omega2_3 (sphere, component) on several; the coordinates' own names and
/// xi1, xi2, … in a frame.
std::vector<std::string> phase_names(const PhaseSpace& space);

/// A formula in these names.
class PhaseFunction {
 public:
  /// Throws InputError, with a caret below the place, and where no name occurs in it.
  PhaseFunction(std::string_view text, const PhaseSpace& space);

  double operator()(const double* z) {
    double value = 0.0;
    evaluate_(z, &value);
    return value;
  }

 private:
  Evaluator<double> evaluate_;
};

}  // namespace hamel
