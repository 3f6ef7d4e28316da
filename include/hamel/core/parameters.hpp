// SPDX-License-Identifier: BSD-3-Clause
// Tables that describe what a system or a method can be given: one source for reading, checking,
// error messages, `hamel describe` and recordings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hamel {

enum class Range { any, positive, non_negative };

constexpr std::string_view to_string(Range range) {
  switch (range) {
    case Range::any: return "any finite number";
    case Range::positive: return "a finite number > 0";
    case Range::non_negative: return "a finite number ≥ 0";
  }
  return "";
}

/// True where x lies in the range; NaN and infinities lie in none.
constexpr bool contains(Range range, double x) {
  const bool finite = x - x == 0.0;
  if (!finite) return false;
  return range == Range::any || (range == Range::positive ? x > 0.0 : x >= 0.0);
}

/// One number of a system, tied to the member that holds it: a wrong name does not compile. Number:
/// double, or Expression where the system's formulas shall keep it as a symbol.
template <class System, class Number = double>
struct Parameter {
  std::string_view name;
  std::string_view unit;
  std::string_view description;
  Range range;
  Number System::*member;
};

/// A function of a system that a user gives as text, e.g. a potential U(r).
template <class System>
struct TextParameter {
  std::string_view name;
  std::string_view variables;  ///< what it may contain, e.g. "r"
  std::string_view description;
  std::string System::*member;
};

/// A whole number of a system, e.g. of links.
template <class System>
struct CountParameter {
  std::string_view name;
  std::string_view description;
  int least, most;
  int System::*member;
};

/// A list of numbers, e.g. one mass for each link; empty where it is not given.
template <class System>
struct ListParameter {
  std::string_view name;
  std::string_view unit;
  std::string_view description;
  Range range;
  std::vector<double> System::*member;
  bool sizes = false;  ///< one entry for each of the `n` parts: n need not be given then
};

/// A vector whose three components are formulas in t; empty where it is not given.
template <class System>
struct DriveParameter {
  std::string_view name;
  std::string_view unit;
  std::string_view description;
  std::vector<std::string> System::*member;
};

/// A coordinate of a system in a frame.
struct CoordinateInfo {
  std::string_view name;
  std::string_view unit;
};

/// A vector of the initial state, e.g. q (3 numbers) or Omega (2 numbers).
struct InitialField {
  std::string_view name;
  int size;  ///< 0: three for each sphere
  std::string_view unit;
  std::string_view description;
};

/// A quantity that the exact motion keeps.
struct InvariantInfo {
  std::string_view name;
  std::string_view unit;
  std::string_view description;
  /// Why the motion itself changes it, so that no method can keep it; "" where it does not.
  std::string_view not_kept = {};
};

/// A column of the output: name, width, unit.
struct OutputField {
  std::string name;
  int width;
  std::string_view unit;
  std::string_view description;
  bool per_sphere = false;  ///< three numbers for each sphere
};

/// The figure that shows a frame system best: one quantity over another, each t, a coordinate, or a
/// component of xi or p such as xi1.
struct FigureInfo {
  std::string_view x, y;
};

/// An option of a method, as `describe` shows it.
struct OptionInfo {
  std::string_view name;
  std::string_view values;
  std::string_view preset;
  std::string_view description;
};

}  // namespace hamel
