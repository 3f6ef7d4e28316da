// SPDX-License-Identifier: BSD-3-Clause
// Inputs of systems given as text: numbers, formulas of t, laws of the state, tables over t.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace hamel {

/// A formula and the key it was given under, for messages.
struct FormulaText {
  std::string key, text;
};

/// u over t; t rises.
struct InputTable {
  std::vector<double> t, u;
  bool linear = true;  ///< between them, or else the last value stays

  /// Before the first row its value, behind the last one its value.
  double operator()(double time) const;
};

struct InputText {
  enum class Kind { number, formula, law, table };
  std::string name;
  Kind kind = Kind::number;
  double number = 0.0;
  FormulaText formula;  ///< of t, or the law
  double sample = 0.0;  ///< s, the period for which a law is held; 0: it is not
  InputTable table;
};

}  // namespace hamel
