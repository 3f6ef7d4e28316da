// SPDX-License-Identifier: BSD-3-Clause
// Exact derivatives of expressions, as expressions, and substitution.
//
//   gradient      of one expression by many variables: reverse accumulation, a small multiple of
//                 the expression itself;
//   derivative    of many expressions by one variable: forward, zeros disappear;
//   substituted   the same expressions with other expressions in place of variables.
// Source: A. Griewank & A. Walther, Evaluating Derivatives, 2nd ed., SIAM 2008, ch. 3.
#pragma once

#include <span>
#include <vector>

#include "hamel/expressions/expression.hpp"

namespace hamel {

using Expressions = std::vector<Expression>;

/// ∂f/∂x_i for all i.
Expressions gradient(const Expression& f, std::span<const Expression> x);

/// Σ_i ∂f_k/∂x_i · direction_i for all k; x are variables.
Expressions directional(std::span<const Expression> f, std::span<const Expression> x,
                        std::span<const Expression> direction);

/// ∂f_k/∂x for all k.
Expressions derivative(std::span<const Expression> f, const Expression& x);

/// ∂f_k/∂x_i, row by row: [k · size(x) + i].
Expressions jacobian(std::span<const Expression> f, std::span<const Expression> x);

/// f with `to` in place of the variables `from`.
Expressions substituted(std::span<const Expression> f, std::span<const Expression> from,
                        std::span<const Expression> to);
Expression substituted(const Expression& f, std::span<const Expression> from,
                       std::span<const Expression> to);

/// Whether f contains the variable.
bool depends_on(const Expression& f, std::span<const Expression> x);

}  // namespace hamel
