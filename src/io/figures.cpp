// SPDX-License-Identifier: BSD-3-Clause

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <hamel/core/error.hpp>
#include <hamel/io/figures.hpp>
#include <limits>
#include <string_view>

#include "figure_script.hpp"

namespace hamel::io {

namespace {

using namespace detail;

constexpr std::array<int, 6> markers{7, 5, 9, 11, 13, 6};

/// Paths that coincide are seen as stripes of one line: the first is the widest.
std::string path_look(std::size_t i, std::size_t curves) {
  return look(i, 1.2 + 0.4 * static_cast<double>(curves - 1 - i));
}

/// Curves that a reader could not tell apart: within 3 % of each other everywhere, or, in the
/// plane, within 1 % of the size of the path.
bool coincide(const Drawn& a, const Drawn& b, bool plane) {
  double size = 0;
  for (const auto& p : a.points) size = std::max({size, std::abs(p[0]), std::abs(p[1])});
  return std::ranges::equal(a.points, b.points, [&](const auto& p, const auto& q) {
    const double apart = std::abs(p[1] - q[1]);
    if (plane) return std::abs(p[0] - q[0]) + apart <= 0.01 * size;
    return apart <= 0.03 * std::max(std::abs(p[1]), std::abs(q[1]));
  });
}

std::string power_of_ten(int exponent) { return fmt::format("10^{{{}}}", exponent); }

/// Logarithmic axis from low to high with tics at 1, 2, 5 of each decade.
std::string short_log_axis(char axis, double low, double high) {
  std::string tics;
  for (int exponent = static_cast<int>(std::floor(std::log10(low))); exponent <= std::log10(high);
       ++exponent)
    for (const int digit : {1, 2, 5})
      tics +=
          fmt::format("{}'{}' {}e{}", tics.empty() ? "" : ", ",
                      std::abs(exponent) < 4 ? fmt::format("{:g}", digit * std::pow(10.0, exponent))
                      : digit == 1           ? power_of_ten(exponent)
                                             : fmt::format("{}·{}", digit, power_of_ten(exponent)),
                      digit, exponent);
  return fmt::format("set logscale {0}\nset {0}range [{1:.6g}:{2:.6g}]\nset {0}tics ({3})\n", axis,
                     low, high, tics);
}

/// Logarithmic axis over whole decades with at most thirteen tics. If `floored`, the first is
/// marked as standing for everything below it too, and lies a little above the end.
std::string long_log_axis(char axis, int first, int last, bool floored) {
  const int every = std::max(1, (last - first + 11) / 12);
  last = first + every * std::max(1, (last - first + every - 1) / every);
  std::string tics;
  for (int exponent = first; exponent <= last; exponent += every)
    tics += fmt::format("{}'{}{}' 1e{}", exponent == first ? "" : ", ",
                        floored && exponent == first ? "≤ " : "", power_of_ten(exponent), exponent);
  return fmt::format("set logscale {0}\nset {0}range [{1}e{2}:1e{3}]\nset {0}tics ({4})\n", axis,
                     floored ? 0.4 : 1.0, first, last, tics);
}

/// A curve's first value, when floored, is the zero error of the initial state: it does not
/// stretch the axis. Nor does one that runs away, a million times beyond 1 and beyond the lowest.
std::string log_y_axis(const std::vector<Drawn>& curves) {
  constexpr double runaway = 1e6;
  double low = std::numeric_limits<double>::infinity();
  double high = log_floor;
  double lowest_top = std::numeric_limits<double>::infinity();
  for (const auto& [label, points] : curves) {
    double top = log_floor;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double y = std::max(points[i][1], log_floor);
      if (i > 0 || points.size() == 1 || y > log_floor) low = std::min(low, y);
      top = std::max(top, y);
    }
    high = std::max(high, top);
    lowest_top = std::min(lowest_top, top);
  }
  high = std::min(high, runaway * std::max(1.0, lowest_top));
  const int first = static_cast<int>(std::floor(std::log10(low) + 1e-9));
  const int last = static_cast<int>(std::ceil(std::log10(high) - 1e-9));
  if (low > log_floor && last - first <= 1)
    return short_log_axis('y', std::pow(10, first), std::pow(10, std::max(last, first + 1)));
  return long_log_axis('y', first, last, low <= log_floor);
}

std::string x_axis(bool logarithmic, double low, double high) {
  if (!logarithmic)
    return low < high ? fmt::format("set xrange [{:.17g}:{:.17g}]\n", low, high) : "";
  if (high / low < 1000) return short_log_axis('x', low / 1.2, high * 1.2);
  return long_log_axis('x', static_cast<int>(std::floor(std::log10(low) + 1e-9)),
                       static_cast<int>(std::ceil(std::log10(high) - 1e-9)), false);
}

}  // namespace

std::vector<std::filesystem::path> draw(const std::filesystem::path& directory,
                                        const LinePlot& plot) {
  const auto [curves, x_min, x_max, note] = detail::drawn(plot);
  const auto notes = detail::wrapped(note, 130);

  std::string script = opening(plot.stem, plot.title, curves, notes);
  script += fmt::format(R"(set title title noenhanced font ',19'
set xlabel {} noenhanced
set ylabel {} noenhanced
set origin 0, {:.3f}
set size 1, {:.3f}
set border 3 linecolor rgb '#444444'
set tics nomirror out textcolor rgb '#222222'
set format x '%h'
set format y '%h'
set grid xtics ytics linetype 1 linecolor rgb '#dddddd' linewidth 1
)",
                        gnuplot_string(plot.x_label), gnuplot_string(plot.y_label),
                        note_height(notes.size()), 1 - note_height(notes.size()));
  // Short labels stand beside the data, long ones below it in as many columns as fit.
  script +=
      longest_label(curves) <= 28
          ? "set key outside right top vertical"
          : fmt::format("set key bmargin center horizontal maxcols {}", legend_columns(curves));
  script += " Left reverse noenhanced samplen 3 spacing 1.3\n";
  if (!plot.scatter)
    script += plot.plane ? "set size ratio -1\n" : x_axis(plot.log_x, x_min, x_max);
  if (plot.whole_x && x_max - x_min <= 12) script += "set xtics 1\n";
  script += plot.log_y ? log_y_axis(curves)
                       : fmt::format("set offsets graph {0}, graph {0}, graph 0.05, graph 0.05\n",
                                     plot.scatter ? 0.05 : 0.0);
  script += fmt::format("drawn(y) = {}\n",
                        plot.log_y ? fmt::format("y > {0:g} ? y : {0:g}", log_floor) : "y");
  if (plot.zero_line) script += "set xzeroaxis linetype 1 linecolor rgb '#444444' linewidth 1\n";
  script += loop_start;
  script += show_notes(notes.size());
  const std::size_t references = std::min(plot.references, curves.size());
  for (std::size_t i = 0; i < references; ++i)
    script += fmt::format(
        "{} file.'.dat' index {} using 1:(drawn($2)) with lines linecolor rgb '#bbbbbb' "
        "linewidth {} title label_{}",
        i == 0 ? "  plot" : ", \\\n      ", i, i == 0 ? 7 : 3, i + 1);
  for (std::size_t i = references; i < curves.size(); ++i) {
    // Of curves that lie on one another the earlier is drawn wider: all of them show.
    const auto covering =
        std::count_if(curves.begin() + static_cast<std::ptrdiff_t>(i) + 1, curves.end(),
                      [&](const auto& later) { return coincide(curves[i], later, plot.plane); });
    script += fmt::format("{} file.'.dat' index {} using 1:(drawn($2)) with {} {}",
                          i == 0 ? "  plot" : ", \\\n      ", i,
                          plot.scatter  ? "points"
                          : plot.points ? "linespoints"
                                        : "lines",
                          look(i - references, 2 + 3 * static_cast<double>(covering)));
    if (plot.scatter) script += " pointtype 7 pointsize 0.35";
    if (plot.points)
      script += fmt::format(" pointtype {} pointsize 1.2", markers[i % markers.size()]);
    script += fmt::format(" title label_{}", i + 1);
  }
  script += "\n  unset output\n}\n";
  return detail::draw_by_gnuplot(directory, plot.stem, data_text(curves, false), script);
}

std::vector<std::filesystem::path> draw(const std::filesystem::path& directory,
                                        const PathPlot& plot) {
  if (!(plot.radius > 0) || !std::isfinite(plot.radius))
    throw InputError(fmt::format("figure {}: the radius is {}, but must be positive and finite",
                                 printable(plot.stem), plot.radius));
  const auto figure = detail::drawn(plot);
  const auto& curves = figure.curves;
  const auto notes = detail::wrapped(figure.note, 130);
  double reach = 0.02 * plot.radius;
  for (const auto& curve : curves)
    for (const auto& [x, y, z] : curve.points) reach = std::max({reach, std::abs(x), std::abs(y)});

  const auto with_unit = [&](std::string_view axis) {
    return gnuplot_string(plot.unit.empty() ? axis : fmt::format("{} / {}", axis, plot.unit));
  };
  const auto columns = legend_columns(curves);
  const auto rows = (curves.size() + 2 + columns - 1) / columns;
  const double legend_bottom = note_height(notes.size()) + 0.005;
  const double legend_top = legend_bottom + 0.036 * static_cast<double>(rows);

  std::string script = opening(plot.stem, plot.title, curves, notes);
  script += fmt::format(
      "radius = {:.17g}\nreach = {:.17g}\nx_label = {}\ny_label = {}\nspace = {}\n", plot.radius,
      1.06 * reach, with_unit("x"), with_unit("y"),
      gnuplot_string(plot.unit.empty() ? std::string("in space")
                                       : fmt::format("in space (sphere of radius {:g} {})",
                                                     plot.radius, plot.unit)));
  script += loop_start;
  script += fmt::format(R"(  set multiplot title title noenhanced font ',19'
  unset label; unset key; unset tics; unset border; unset grid; unset xlabel; unset ylabel

  # In space: a light sphere about the pivot.
  set lmargin at screen 0.01; set rmargin at screen 0.52
  set bmargin at screen {:.3f}; set tmargin at screen 0.84
  set label 1 space at screen 0.265, 0.912 center noenhanced font ',14'
  set label 2 'x' at 1.22*radius,0,0 center textcolor rgb '#777777'
  set label 3 'y' at 0,1.22*radius,0 center textcolor rgb '#777777'
  set label 4 'z' at 0,0,1.19*radius center textcolor rgb '#777777'
  do for [k=1:3] {{
    set arrow k from 0,0,0 to (k==1)*1.13*radius,(k==2)*1.13*radius,(k==3)*1.13*radius \
      linecolor rgb '#999999' size screen 0.008,20
  }}
  set xrange [-radius:radius]; set yrange [-radius:radius]; set zrange [-radius:radius]
  set view 68, 35, 1.52; set view equal xyz; set xyplane at -radius
  set parametric
  set urange [0:2*pi]; set vrange [0:pi]; set isosamples 13, 13; set samples 73
  splot radius*sin(v)*cos(u), radius*sin(v)*sin(u), radius*cos(v) \
          with lines linecolor rgb '#d4d4d4' linewidth 0.7)",
                        legend_top + 0.02);
  const auto paths = [&](std::string_view coordinates, std::string_view origin) {
    for (std::size_t i = 0; i < curves.size(); ++i)
      script += fmt::format(", \\\n       file.'.dat' index {} using {} with lines {}", i,
                            coordinates, path_look(i, curves.size()));
    script += fmt::format(
        ", \\\n       file.'.dat' index 0 using {} every ::0::0 with points {}"
        ", \\\n       '+' using {} every ::0::0 with points {}\n",
        coordinates, start_look, origin, pivot_look);
  };
  paths("1:2:3", "(0):(0):(0)");
  script += fmt::format(R"(
  # From above.
  unset parametric; unset arrow; unset label
  set lmargin at screen 0.60; set rmargin at screen 0.98
  set bmargin at screen {:.3f}; set tmargin at screen 0.86
  set label 1 'from above' at screen 0.79, 0.912 center font ',14'
  set xlabel x_label noenhanced; set ylabel y_label noenhanced
  set xrange [-reach:reach]; set yrange [-reach:reach]; set size ratio -1
  set border 15 linecolor rgb '#444444'
  set xtics out nomirror textcolor rgb '#222222'; set ytics out nomirror textcolor rgb '#222222'
  set format x '%h'; set format y '%h'
  set grid linetype 1 linecolor rgb '#dddddd' linewidth 1
  set object 1 circle at 0,0 size radius fillstyle empty border linecolor rgb '#bbbbbb'
  plot NaN notitle)",
                        legend_top + 0.11);
  paths("1:2", "(0):(0)");
  script += fmt::format(R"(
  # The legend.
  unset object; unset label; unset xlabel; unset ylabel; unset tics; unset border; unset grid
  set size noratio
  set lmargin at screen 0.02; set rmargin at screen 0.98
  set bmargin at screen {:.3f}; set tmargin at screen {:.3f}
  set key center center horizontal maxcols {} Left reverse noenhanced samplen 3
)",
                        legend_bottom, legend_top, columns);
  script += show_notes(notes.size());
  script += "  plot NaN notitle";
  for (std::size_t i = 0; i < curves.size(); ++i)
    script += fmt::format(", \\\n       keyentry with lines {} title label_{}", look(i, 3), i + 1);
  script += fmt::format(
      ", \\\n       keyentry with points {} title 'start', \\\n"
      "       keyentry with points {} title '{}'\n  unset multiplot\n  unset output\n}}\n",
      start_look, pivot_look, plot.unit.empty() ? "centre" : "pivot");
  return detail::draw_by_gnuplot(directory, plot.stem, data_text(curves, true), script);
}

}  // namespace hamel::io
