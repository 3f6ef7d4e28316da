// SPDX-License-Identifier: BSD-3-Clause
// Figures: curves against time or step size, small multiples of them, and paths and shapes in
// space, drawn by gnuplot.
//
// `draw` leaves four files in the directory: STEM.dat (what is drawn, one data block per curve, 17
// significant digits), STEM.gp (the script; `gnuplot STEM.gp` in that folder draws again), STEM.svg
// and STEM.png. They are made in a temporary folder beside and moved into place only when complete.
//
// All texts are shown literally: no character is special. Points with a value that is not finite
// are left out, and so are curves without points. Whatever is left out to keep a figure readable
// is said in the figure. Curves that cannot be told apart are drawn as one line in the colours of
// all of them, and named below it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace hamel::io {

/// Points (x[i], y[i]), drawn in this order.
struct Curve {
  std::string label{};
  std::vector<double> x{}, y{};
};

/// Curves over one pair of axes.
struct LinePlot {
  std::string stem;  ///< file name without extension
  std::string title;
  std::string x_label, y_label;  ///< with units
  bool log_y = false;            ///< y ≤ log_floor, zero included, is drawn at log_floor
  bool log_x = false;            ///< points with x ≤ 0 are left out
  std::vector<Curve> curves{};
  std::string note{};      ///< small text below
  bool points = false;     ///< mark the points too (convergence plots)
  bool plane = false;      ///< a path in the plane: points in their own order
  bool equal_axes = true;  ///< of a path in the plane
  bool whole_x = false;    ///< x counts something: no tics in between
  bool shades = false;     ///< colours from light to dark: the curves are in an order
  bool scatter = false;    ///< points only, in any order
  /// So many curves, the first ones, are what the others are compared with: in grey below them.
  std::size_t references = 0;
  bool zero_line = false;  ///< the line y = 0
  double y_least = 0;      ///< of a panel: the y axis spans at least so much
};

/// A page of line plots over logarithmic y: one panel each, three in a row, the same curves in the
/// same looks in all of them, one legend. Curves are told by their label.
struct PanelsPlot {
  std::string stem;
  std::string title;
  std::string x_label, y_label;
  struct Panel {
    std::string title;
    std::vector<Curve> curves{};
  };
  std::vector<Panel> panels{};
  std::string note{};
};

/// Small multiples: panels on axes of their own. Those of a group stand side by side, a new group
/// begins a new row. Curves are told by their label: the same look in all panels, one legend.
struct MultiplesPlot {
  std::string stem;
  std::string title;
  struct Group {
    std::string title{};
    std::vector<LinePlot> panels{};  ///< stem and references are not used; a panel's note is added
  };
  std::vector<Group> groups{};
  std::size_t columns = 3;
  bool legends = false;  ///< of each panel its own, beside it; then there is one column
  std::string note{};
};

/// A number over the plane, as colours: a grid of cells, or points where the places are no grid.
struct MapPlot {
  std::string stem;
  std::string title;
  std::string x_label, y_label, colour_label;  ///< with units
  std::vector<double> x{}, y{}, value{};       ///< one place each; not finite: left white
  bool log_colour = false;                     ///< value ≤ log_floor is drawn at log_floor
  std::string note{};
  std::vector<std::string> names{};  ///< where values are 0, 1, …: what each of them means
};

/// Points (x[i], y[i], z[i]) of a bob; the pivot is the origin.
struct PathCurve {
  std::string label{};
  std::vector<double> x{}, y{}, z{};
};

/// Paths on a sphere, in space and from above; where they begin is marked.
struct PathPlot {
  std::string stem;
  std::string title;
  double radius = 1;   ///< of the sphere, > 0
  std::string unit{};  ///< of length; with one the centre is a pivot, and always to be seen
  std::vector<PathCurve> curves{};
  std::string note{};
};

/// Shapes of a chain at several times, in space and from two sides, at one scale.
struct ShapePlot {
  std::string stem;
  std::string title;
  std::string unit{};               ///< of length
  std::vector<PathCurve> curves{};  ///< one shape each, from the base on; at most max_paths
  std::string note{};
};

/// Lowest value on a logarithmic y axis: below the round-off of anything of size one.
inline constexpr double log_floor = 1e-17;
/// On a log axis, longer series are reduced to the maximum of each of this many equal intervals.
inline constexpr std::size_t max_log_points = 500;
/// On a linear axis, longer series are reduced to minimum and maximum of half as many intervals.
inline constexpr std::size_t max_curve_points = 4000;
/// The same of a panel among others.
inline constexpr std::size_t max_panel_points = 1200;
/// More panels than these cannot be read.
inline constexpr std::size_t max_panels = 24;
/// Of longer scatters every so many points are drawn.
inline constexpr std::size_t max_scatter_points = 20000;
/// Of larger grids every so many rows and columns are drawn.
inline constexpr std::size_t max_map_side = 1000;
/// Of longer paths the beginning is drawn, with points left out while no chord misses the path by
/// more than 0.5 % of the radius.
inline constexpr std::size_t max_path_points = 3000;
/// A path is drawn up to this length from above, in units of its largest distance from the centre:
/// some 10 turns; more cannot be followed by eye.
inline constexpr double max_path_length = 60;
/// Further paths are left out.
inline constexpr std::size_t max_paths = 8;

/// Draws `plot` into `directory`, which is created if need be; returns the SVG and the PNG.
/// Throws InputError (nothing to draw, sizes that differ, unusable stem or radius) and IoError (no
/// gnuplot, gnuplot fails, a file that cannot be written); then none of the four files is new.
std::vector<std::filesystem::path> draw(const std::filesystem::path& directory,
                                        const LinePlot& plot);
std::vector<std::filesystem::path> draw(const std::filesystem::path& directory,
                                        const PanelsPlot& plot);
std::vector<std::filesystem::path> draw(const std::filesystem::path& directory,
                                        const MultiplesPlot& plot);
std::vector<std::filesystem::path> draw(const std::filesystem::path& directory,
                                        const MapPlot& plot);
std::vector<std::filesystem::path> draw(const std::filesystem::path& directory,
                                        const PathPlot& plot);
std::vector<std::filesystem::path> draw(const std::filesystem::path& directory,
                                        const ShapePlot& plot);

}  // namespace hamel::io
