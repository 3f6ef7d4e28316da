// SPDX-License-Identifier: BSD-3-Clause
// SpheresModel: a system on (S²)ⁿ as the methods see it: as a chain with its O(n) kernels, as
// formulas with dense ones, or both.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "hamel/models/chain.hpp"
#include "hamel/models/spheres_formulas.hpp"

namespace hamel {

struct SpheresModel {
  int n = 0;
  SharedChain chain;  ///< null where it is none
  /// Each call gives a copy on a graph of its own; empty: there are none.
  std::function<std::shared_ptr<const SpheresFormulas>()> formulas;
  bool forced_formulas = false;
  /// G, where one sphere in the uniform field ∇U/m = G e3 is all there is: a pendulum.
  std::optional<Quad> pendulum;

  bool forced() const;
};

/// The formulas of a chain; its drive by its formulas only.
SpheresFormulas chain_formulas(const Chain& chain);

/// Formulas of more spheres than this would fill pages: n² inertia terms, each differentiated.
inline constexpr int most_for_formulas = 64;

/// A chain, with its formulas where they are short enough and say all there is to say.
SpheresModel chain_model(Chain given);
/// A system given by formulas.
SpheresModel formulas_model(SpheresFormulas formulas);

}  // namespace hamel
