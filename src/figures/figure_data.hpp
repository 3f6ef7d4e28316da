// SPDX-License-Identifier: BSD-3-Clause
// What is drawn of the curves of a figure: finite points, few enough to be seen.
#pragma once

#include <array>
#include <hamel/figures/figures.hpp>
#include <string>
#include <vector>

namespace hamel::io::detail {

/// A curve as drawn; z is 0 in a LinePlot.
struct Drawn {
  std::string label;
  std::vector<std::array<double, 3>> points;
};

/// Curves, the range of x before any reduction, and the text that owns up to the reduction.
struct DrawnFigure {
  std::vector<Drawn> curves;
  double x_min = 0, x_max = 0;
  std::string note;
};

/// Throws InputError if the sizes of x, y, z differ or no curve has a point. O(points).
DrawnFigure drawn(const LinePlot& plot, std::size_t most_points = max_curve_points);
DrawnFigure drawn(const PathPlot& plot);
DrawnFigure drawn(const ShapePlot& plot);
/// The panels that have a point, group by group.
std::vector<std::vector<DrawnFigure>> drawn(const MultiplesPlot& plot);

}  // namespace hamel::io::detail
