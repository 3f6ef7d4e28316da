// SPDX-License-Identifier: BSD-3-Clause
// Where expressions have a value, and where they are smooth.
#pragma once

#include <span>

#include "hamel/expressions/expression.hpp"

namespace hamel {

/// Whether f may be infinite, or no number, at finite arguments up to 1e50: where it contains a
/// root, a logarithm, a division by what is not constant, a power, a function of limited domain or
/// exponential growth, or is a polynomial of more than fourth degree. Sines, absolute values,
/// choices and their like are of the degree of what they lie between.
bool may_be_undefined(std::span<const Expression> f);

/// Whether f is made of several formulas that meet in kinks or steps: abs, min, max, select.
bool may_have_kinks(std::span<const Expression> f);

}  // namespace hamel
