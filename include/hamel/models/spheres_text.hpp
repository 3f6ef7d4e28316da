// SPDX-License-Identifier: BSD-3-Clause
// Systems on (S²)ⁿ given as text.
//
// Names: a sphere `a` has the components a1, a2, a3 of its unit vector and a1_dot, a2_dot, a3_dot
// of its velocity; t, the parameters, the definitions of `let`.
#pragma once

#include "hamel/models/frame_text.hpp"
#include "hamel/models/spheres_formulas.hpp"

namespace hamel {

struct SpheresText {
  std::vector<std::string> spheres;
  std::vector<std::pair<std::string, double>> parameters;
  std::vector<std::pair<std::string, FormulaText>> let;
  std::vector<std::vector<FormulaText>> inertia;  ///< n×n, with `potential`
  FormulaText potential;
  FormulaText lagrangian;  ///< instead; its text is empty where inertia is given
  std::vector<std::pair<std::string, std::vector<FormulaText>>> forces;  ///< three by sphere
};

/// The formulas; problems receives everything that is wrong, and they are usable only if nothing
/// is.
SpheresFormulas spheres_formulas(const SpheresText& text, std::vector<TextProblem>& problems);

}  // namespace hamel
