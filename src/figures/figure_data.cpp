// SPDX-License-Identifier: BSD-3-Clause

#include "figure_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <hamel/core/error.hpp>
#include <limits>
#include <span>
#include <utility>

#include "gnuplot.hpp"

namespace hamel::io::detail {

namespace {

using Points = std::vector<std::array<double, 3>>;

/// The finite points of a curve with the given coordinates.
template <std::size_t N>
Points finite_points(const std::string& stem, const std::string& label,
                     const std::array<const std::vector<double>*, N>& coordinates) {
  for (const auto* coordinate : coordinates)
    if (coordinate->size() != coordinates[0]->size())
      throw InputError(fmt::format(
          "figure {}: curve '{}' has {} values of one coordinate, {} of "
          "another",
          printable(stem), printable(label), coordinates[0]->size(), coordinate->size()));
  Points points;
  for (std::size_t i = 0; i < coordinates[0]->size(); ++i) {
    std::array<double, 3> point{};
    for (std::size_t k = 0; k < N; ++k) point[k] = (*coordinates[k])[i];
    if (std::all_of(point.begin(), point.end(), [](double x) { return std::isfinite(x); }))
      points.push_back(point);
  }
  return points;
}

void require_any(const std::string& stem, const std::vector<Drawn>& curves) {
  if (curves.empty())
    throw InputError(fmt::format(
        "figure {}: nothing to draw: no curve has a point that can be shown", printable(stem)));
}

/// The lowest (if asked for) and the highest point of each of `bins` equal runs, in their order.
Points extrema(const Points& points, std::size_t bins, bool lowest) {
  Points kept;
  for (std::size_t bin = 0; bin < bins; ++bin) {
    const std::size_t begin = bin * points.size() / bins, end = (bin + 1) * points.size() / bins;
    const auto run = std::span(points).subspan(begin, end - begin);
    const auto [low, high] = std::minmax_element(
        run.begin(), run.end(), [](const auto& a, const auto& b) { return a[1] < b[1]; });
    if (lowest && low < high) kept.push_back(*low);
    kept.push_back(*high);
    if (lowest && high < low) kept.push_back(*low);
  }
  return kept;
}

/// Largest stride at which no chord misses the path by more than 0.5 % of the radius: a chord over
/// s steps misses by s²/8·|second difference|.
std::size_t smooth_stride(const Points& path, double radius) {
  double bend = 0;
  for (std::size_t i = 1; i + 1 < path.size(); ++i) {
    double square = 0;
    for (std::size_t k = 0; k < 3; ++k)
      square += std::pow(path[i + 1][k] - 2 * path[i][k] + path[i - 1][k], 2);
    bend = std::max(bend, std::sqrt(square));
  }
  const double stride = std::sqrt(8 * 0.005 * radius / bend);
  return stride < 1e6 ? std::max<std::size_t>(1, static_cast<std::size_t>(stride)) : 1000000;
}

/// Number of leading points after which every path, seen from above, is longer than
/// max_path_length times its largest distance from the centre.
std::size_t followable(const std::vector<Drawn>& curves, std::size_t longest) {
  double reach = 0;
  for (const auto& curve : curves)
    for (const auto& [x, y, z] : curve.points) reach = std::max(reach, std::hypot(x, y));
  std::size_t count = longest;
  for (const auto& [label, points] : curves) {
    double length = 0;
    for (std::size_t i = 1; i < std::min(points.size(), count); ++i) {
      length += std::hypot(points[i][0] - points[i - 1][0], points[i][1] - points[i - 1][1]);
      if (length > max_path_length * reach) count = i;
    }
  }
  return count;
}

/// Number of leading points of a path in the plane before it is 25 times as long as it is wide. On
/// axes that are not equal, each is measured by its own width.
std::size_t followable(const Points& path, bool equal_axes) {
  double wide[2] = {0, 0};
  for (const auto& p : path)
    for (const std::size_t k : {0u, 1u})
      wide[k] = std::max(wide[k], std::fabs(p[k] - path.front()[k]));
  const double size = std::hypot(wide[0], wide[1]);
  const auto unit = [&](std::size_t k) { return equal_axes ? size : wide[k] > 0 ? wide[k] : 1.0; };
  double length = 0;
  for (std::size_t i = 1; i < path.size(); ++i) {
    length += std::hypot((path[i][0] - path[i - 1][0]) / unit(0),
                         (path[i][1] - path[i - 1][1]) / unit(1));
    if (length > 25) return i;
  }
  return path.size();
}

void say(std::string& note, const std::string& text) { note += (note.empty() ? "" : " ") + text; }

}  // namespace

namespace {

/// As drawn(), but without a complaint where nothing is left.
DrawnFigure points_of(const LinePlot& plot, std::size_t most_points) {
  DrawnFigure figure{{},
                     std::numeric_limits<double>::infinity(),
                     -std::numeric_limits<double>::infinity(),
                     plot.note};
  bool reduced = false;
  bool cut = false;
  std::size_t thinned = 1;
  for (const auto& curve : plot.curves) {
    auto points = finite_points<2>(plot.stem, curve.label, {&curve.x, &curve.y});
    if (plot.log_x) std::erase_if(points, [](const auto& point) { return !(point[0] > 0); });
    if (points.empty()) continue;
    for (const auto& point : points) {
      figure.x_min = std::min(figure.x_min, point[0]);
      figure.x_max = std::max(figure.x_max, point[0]);
    }
    if (plot.scatter) {
      const std::size_t stride = (points.size() + max_scatter_points - 1) / max_scatter_points;
      thinned = std::max(thinned, stride);
      for (std::size_t i = 0; i * stride < points.size(); ++i) points[i] = points[i * stride];
      points.resize((points.size() + stride - 1) / stride);
    } else if (plot.plane) {
      const std::size_t shown = followable(points, plot.equal_axes);
      cut = cut || shown < points.size();
      points.resize(shown);
      const std::size_t stride = (points.size() + most_points - 1) / most_points;
      for (std::size_t i = 0; i * stride < points.size(); ++i) points[i] = points[i * stride];
      points.resize((points.size() + stride - 1) / stride);
    } else if (points.size() > (plot.log_y ? max_log_points : most_points)) {
      reduced = true;
      points = plot.log_y ? extrema(points, max_log_points, false)
                          : extrema(points, most_points / 2, true);
    }
    figure.curves.push_back({curve.label, std::move(points)});
  }
  if (cut) say(figure.note, "Drawn: the beginning of the paths.");
  if (thinned > 1) say(figure.note, fmt::format("Drawn: one point in {}.", thinned));
  if (reduced)
    say(figure.note, plot.log_y ? fmt::format("Long series: the maximum of each of {} intervals.",
                                              max_log_points)
                                : fmt::format("Long series: minimum and maximum of each of {} "
                                              "intervals.",
                                              most_points / 2));
  return figure;
}

}  // namespace

DrawnFigure drawn(const LinePlot& plot, std::size_t most_points) {
  DrawnFigure figure = points_of(plot, most_points);
  require_any(plot.stem, figure.curves);
  return figure;
}

std::vector<std::vector<DrawnFigure>> drawn(const MultiplesPlot& plot) {
  std::vector<std::vector<DrawnFigure>> groups;
  bool any = false;
  for (const auto& group : plot.groups) {
    groups.emplace_back();
    for (const auto& panel : group.panels) {
      groups.back().push_back(points_of(panel, max_panel_points));
      any = any || !groups.back().back().curves.empty();
    }
  }
  if (!any) require_any(plot.stem, {});
  return groups;
}

DrawnFigure drawn(const PathPlot& plot) {
  DrawnFigure figure{{}, 0, 0, plot.note};
  auto& curves = figure.curves;
  std::size_t left_out = 0, longest = 0;
  for (const auto& curve : plot.curves) {
    auto points = finite_points<3>(plot.stem, curve.label, {&curve.x, &curve.y, &curve.z});
    if (points.empty()) continue;
    if (curves.size() == max_paths) {
      ++left_out;
      continue;
    }
    longest = std::max(longest, points.size());
    curves.push_back({curve.label, std::move(points)});
  }
  require_any(plot.stem, curves);

  // The same part of all, at one stride.
  std::size_t shown = followable(curves, longest);
  std::size_t stride = (shown + max_path_points - 1) / max_path_points;
  for (const auto& curve : curves)
    stride = std::min(stride, smooth_stride(curve.points, plot.radius));
  shown = std::min(shown, max_path_points * stride);
  for (auto& [label, points] : curves) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < std::min(points.size(), shown); i += stride)
      points[kept++] = points[i];
    points.resize(kept);
  }
  if (shown < longest)
    say(figure.note, fmt::format("Drawn: the first {} of {} points.", shown, longest));
  if (left_out > 0) say(figure.note, fmt::format("{} more not drawn.", left_out));
  return figure;
}

DrawnFigure drawn(const ShapePlot& plot) {
  DrawnFigure figure{{}, 0, 0, plot.note};
  std::size_t left_out = 0;
  for (const auto& curve : plot.curves) {
    auto points = finite_points<3>(plot.stem, curve.label, {&curve.x, &curve.y, &curve.z});
    if (points.empty()) continue;
    if (figure.curves.size() == max_paths) {
      ++left_out;
      continue;
    }
    const std::size_t stride = (points.size() + max_path_points - 1) / max_path_points;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < points.size(); i += stride) points[kept++] = points[i];
    if ((points.size() - 1) % stride != 0) points[kept++] = points.back();
    points.resize(kept);
    figure.curves.push_back({curve.label, std::move(points)});
  }
  require_any(plot.stem, figure.curves);
  if (left_out > 0) say(figure.note, fmt::format("{} more not drawn.", left_out));
  return figure;
}

}  // namespace hamel::io::detail
