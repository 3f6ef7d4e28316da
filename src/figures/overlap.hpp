// SPDX-License-Identifier: BSD-3-Clause
// Curves that lie on one another: which they are, and how all of them are seen.
#pragma once

#include <string>
#include <vector>

#include "figure_data.hpp"

namespace hamel::io::detail {

/// A curve is the place-th of `size` curves on one another, all of the same `group`.
struct Overlap {
  std::size_t group = 0, place = 0, size = 1;
};

/// What a reader cannot tell apart, from point to point.
struct Likeness {
  double x = 0, y = 0, z = 0;  ///< largest difference of the coordinates
  double ratio = 0;            ///< in place of y: of the larger to the smaller, less 1
};

/// Within 3 % of each other over a logarithmic axis; else within 1/150 of what the axes span.
Likeness likeness(const LinePlot& plot, const std::vector<Drawn>& curves);

/// For each curve from `first` on; those before it overlap nothing. O(curves² · points).
std::vector<Overlap> overlaps(const std::vector<Drawn>& curves, const Likeness& like,
                              std::size_t first = 0);

/// The dashes of a curve: of three on one another the first is solid, the next has dashes over two
/// thirds of a period, the last over one third, so that the line shows their colours in turns.
/// Empty where nothing is overlapped.
std::string overlap_dashes(const Overlap& overlap);

/// "On one another: a, b; c, d." Empty where none are.
std::string overlap_remark(const std::vector<std::string>& labels,
                           const std::vector<Overlap>& overlaps);

}  // namespace hamel::io::detail
