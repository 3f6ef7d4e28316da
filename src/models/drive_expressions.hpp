// SPDX-License-Identifier: BSD-3-Clause
// The outer influences on a chain as expressions of time.
#pragma once

#include "hamel/expressions/derivatives.hpp"
#include "hamel/models/chain.hpp"

namespace hamel {

/// Three each; zeros where no formulas are given.
struct DriveExpressions {
  Expressions base_torque, tip_force, base;
};
/// Throws InputError naming the formula.
DriveExpressions drive_expressions(const DriveFormulas& formulas, const Expression& t);

}  // namespace hamel
