// SPDX-License-Identifier: BSD-3-Clause
// What `hamel equilibria` found, and how it is shown.
#pragma once

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "hamel/scenario/scenario.hpp"
#include "hamel/studies/equilibria.hpp"

namespace hamel::app {

/// A range of a parameter.
struct Along {
  std::string name;
  double from = 0.0;
  double to = 0.0;
  int count = 0;
};

struct EquilibriaFindings {
  enum class Kind {
    one,     ///< near the initial state
    family,  ///< along a parameter
    all      ///< that were found from many starts
  };
  Kind kind = Kind::one;
  std::string system;
  double step = 0.0;
  bool spheres = false;
  std::vector<std::string> coordinates;  ///< in frames
  std::vector<std::string> cyclic;
  std::vector<std::vector<double>> axes;  ///< of rotations that are symmetries
  Along along;                            ///< of a family
  std::vector<double> values;             ///< of the parameter, one for each
  std::vector<Equilibrium> equilibria;
  std::vector<std::string> ends;

  /// The diagram; of a family through a single one it holds more than `equilibria`.
  Along drawn_along;
  EquilibriumFamily drawn;
};

/// Below this a number is the round-off of quadruple precision, not a value.
inline constexpr double quad_round_off = 1e-16;
inline double cleaned(double x) { return std::fabs(x) < quad_round_off ? 0.0 : x; }
/// Rates below this are zero, where `scale` is the largest.
inline double zero_rate(double scale) { return std::fmax(1e-8 * scale, 1e-12); }

nlohmann::ordered_json equilibria_json(const EquilibriaFindings&);
void print_equilibria(const EquilibriaFindings&);
/// SVG and PNG; empty where there is nothing to draw.
std::vector<std::filesystem::path> draw_equilibria(const EquilibriaFindings&,
                                                   const std::filesystem::path& folder);

}  // namespace hamel::app
