// SPDX-License-Identifier: BSD-3-Clause
// The inverse of a matrix of constants, as formulas again.
#pragma once

#include <vector>

#include "hamel/expressions/derivatives.hpp"

namespace hamel {

using ExpressionMatrix = std::vector<Expressions>;

/// (m_ij)⁻¹ of constants; empty where a pivot has lost all digits of a double: m_ij is not positive
/// definite, or nearly so.
ExpressionMatrix constant_inverse(const ExpressionMatrix& m);

}  // namespace hamel
