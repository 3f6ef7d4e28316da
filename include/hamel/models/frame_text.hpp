// SPDX-License-Identifier: BSD-3-Clause
// Systems given as text: the same FrameModel that a compiled system leaves, from formulas.
//
// Names: the coordinates, NAME_dot for their velocities, xi1 … xin for quasi-velocities, p1 … pm
// for momenta (in invariants), t, the parameters, the inputs and the definitions of `let`, in any
// order.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "hamel/models/frame_model.hpp"
#include "hamel/models/input_text.hpp"

namespace hamel {

/// c_ij^k, indices from 1.
struct BracketText {
  int i, j, k;
  FormulaText value;
};

struct FrameText {
  std::vector<std::string> coordinates;
  std::vector<std::pair<std::string, double>> parameters;
  std::vector<InputText> inputs;
  std::vector<std::pair<std::string, FormulaText>> let;
  bool quasi = false;
  FormulaText lagrangian;
  std::vector<std::vector<FormulaText>> frame;  ///< empty: the coordinate frame
  std::vector<std::vector<FormulaText>> complement;
  bool brackets_given = false;
  std::vector<BracketText> brackets;
  std::vector<std::pair<std::string, FormulaText>> forces;  ///< by coordinate
  std::vector<std::pair<std::string, FormulaText>> invariants;
  std::vector<std::string> symmetry;  ///< coordinates that the equations must not contain
};

/// What is wrong with the text under a key.
struct TextProblem {
  std::string key, text;
};

/// The model; problems receives everything that is wrong, and the model is usable only if nothing
/// is.
FrameModel frame_model(const FrameText& text, std::vector<TextProblem>& problems);

}  // namespace hamel
