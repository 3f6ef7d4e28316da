// SPDX-License-Identifier: BSD-3-Clause
// Discrete gradients of expressions, as expressions: the mean value theorem without a remainder.
//
//   Σ_i D_i (to_i − from_i) = f(to) − f(from)  exactly, symmetric in both ends,
//   D = ∇f(midpoint) + O(|to − from|²);  D = ∇f(midpoint) where f is at most quadratic.  [MATH 7.3]
// The chain rule over the graph of f in reverse, each operation with slopes between its two ends in
// place of its partial derivatives (Δ difference, bar mean of the two ends):
//   Δ(ab) = b̄ Δa + ā Δb,   Δ(a/b) = (b̄ Δa − ā Δb)/(b⁰b¹),   Δg(s) = g[s⁰, s¹] Δs.
// Divided differences g[s⁰, s¹] are in closed form and keep all digits as the ends meet. Products
// and sums treat all components alike: where f is a function of dot products, rotating both ends
// rotates D, so that the angular momentum which f conserves is conserved by D. That does not hold
// for triple products.
//
// Not every function has one: atan2 jumps by 2π, a condition that moves with x has no slope.
#pragma once

#include <string>

#include "hamel/expressions/derivatives.hpp"

namespace hamel {

/// D_i, in the variables of `from` and `to`; f is a function of the variables x and perhaps of
/// others, which stay. A small multiple of f at both ends. Throws InputError naming a function that
/// has no discrete gradient.
Expressions discrete_gradient(const Expression& f, std::span<const Expression> x,
                              std::span<const Expression> from, std::span<const Expression> to);

/// A function in f, of an argument that moves with x, that has no discrete gradient; "" where all
/// have.
std::string without_discrete_gradient(const Expression& f, std::span<const Expression> x);

}  // namespace hamel
