// SPDX-License-Identifier: BSD-3-Clause
// Paths on a sphere: in space, where a part of the sphere's grid stands behind them, and from
// above.
#include <fmt/format.h>

#include <cmath>
#include <hamel/core/error.hpp>
#include <hamel/figures/figures.hpp>

#include "figure_script.hpp"

namespace hamel::io {

namespace {

using namespace detail;

/// Where the curves begin, each place once: the first curve that begins there.
std::vector<std::size_t> starts(const std::vector<Drawn>& curves, double radius) {
  std::vector<std::size_t> list;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const auto near = [&](std::size_t other) {
      const auto &p = curves[i].points.front(), &q = curves[other].points.front();
      return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]) <= 0.005 * radius;
    };
    if (std::ranges::none_of(list, near)) list.push_back(i);
  }
  return list;
}

/// The grid of a sphere: every 15° a circle of latitude and half a circle of longitude.
constexpr std::string_view sphere_grid = R"(  set samples 73
  set parametric; set trange [0:2*pi]
  do for [k=-5:5] {
    set table $grid append
    plot sx(radius*cos(k*pi/12)*cos(t),radius*cos(k*pi/12)*sin(t)), \
         sy(radius*cos(k*pi/12)*cos(t),radius*cos(k*pi/12)*sin(t),radius*sin(k*pi/12))
    unset table
  }
  do for [k=0:11] {
    set table $grid append
    plot sx(radius*sin(t)*cos(k*pi/12),radius*sin(t)*sin(k*pi/12)), \
         sy(radius*sin(t)*cos(k*pi/12),radius*sin(t)*sin(k*pi/12),radius*cos(t))
    unset table
  }
  unset parametric
)";

}  // namespace

std::vector<std::filesystem::path> draw(const std::filesystem::path& directory,
                                        const PathPlot& plot) {
  if (!(plot.radius > 0) || !std::isfinite(plot.radius))
    throw InputError(fmt::format("figure {}: the radius is {}, but must be positive and finite",
                                 printable(plot.stem), plot.radius));
  auto figure = detail::drawn(plot);
  const auto& curves = figure.curves;
  const double close = 0.01 * plot.radius;
  const auto over = overlaps(curves, {close, close, close, 0});
  add_sentence(figure.note, overlap_remark(labels_of(curves), over));
  const auto notes = detail::wrapped(figure.note, 130);
  const auto begins = starts(curves, plot.radius);

  Box space, above;
  for (const auto& curve : curves)
    for (const auto& p : curve.points) {
      space.add(seen(p));
      above.add({p[0], p[1]});
    }
  const bool centre = !plot.unit.empty() || space.holds({0, 0});
  const double axis = centre ? 0.25 * plot.radius : 0.0;
  if (centre) {
    above.add({0, 0});
    for (const std::size_t k : {0u, 1u, 2u}) {  // with the names at the ends
      std::array<double, 3> end{};
      space.add(seen(end));
      end[k] = 1.12 * axis;
      space.add(seen(end));
    }
  }
  space.widen(0.08 * plot.radius, 0.3 * plot.radius);
  above.widen(0.06 * std::max(above.size(0), above.size(1)), 0.04 * plot.radius);

  const auto columns = legend_columns(curves);
  const auto rows = (curves.size() + 2 + columns - 1) / columns;
  const double legend_bottom = note_height(notes.size()) + 0.005;
  const double legend_top = legend_bottom + 0.036 * static_cast<double>(rows);

  std::string script = opening(plot.stem, plot.title, curves, notes);
  script += fmt::format(
      "radius = {:.17g}\nx_label = {}\ny_label = {}\nspace = {}\n", plot.radius,
      gnuplot_string(with_unit("x", plot.unit)), gnuplot_string(with_unit("y", plot.unit)),
      gnuplot_string(plot.unit.empty() ? std::string("in space")
                                       : fmt::format("in space (sphere of radius {:g} {})",
                                                     plot.radius, plot.unit)));
  script += seen_functions() + "undefine $grid\n" + std::string(sphere_grid);
  script += loop_start;
  script += fmt::format(R"(  set multiplot title title noenhanced font ',19'
  unset label; unset key; unset tics; unset border; unset grid; unset xlabel; unset ylabel

  # In space.
  set lmargin at screen 0.01; set rmargin at screen 0.55
  set bmargin at screen {:.3f}; set tmargin at screen 0.88
  set label 1 space at screen 0.28, 0.912 center noenhanced font ',14'
{}  set size ratio -1
  axis = {:.9g}
  if (axis > 0) {{ do for [k=1:3] {{
    ax = (k==1)*axis; ay = (k==2)*axis; az = (k==3)*axis
    set arrow k from 0,0 to sx(ax,ay),sy(ax,ay,az) linecolor rgb '#999999' size screen 0.008,20
    set label k+1 word('x y z', k) at 1.09*sx(ax,ay),1.09*sy(ax,ay,az) center textcolor rgb '#777777'
  }} }}
  plot $grid using 1:2 with lines linecolor rgb '#d4d4d4' linewidth 0.7)",
                        legend_top + 0.02, ranges(space), axis);
  const auto paths = [&](std::string_view coordinates) {
    for (std::size_t i = 0; i < curves.size(); ++i)
      script += fmt::format(", \\\n       file.'.dat' index {} using {} with lines {}", i,
                            coordinates, look(i, 1.6, over[i]));
    for (const std::size_t i : begins)
      script += fmt::format(
          ", \\\n       file.'.dat' index {0} using {1} every ::0::0 with points pointtype 7 "
          "pointsize 1.2 linecolor rgb '{2}', \\\n       file.'.dat' index {0} using {1} every "
          "::0::0 with points pointtype 6 pointsize 1.2 linewidth 1.5 linecolor rgb '#000000'",
          i, coordinates, begins.size() == 1 ? "#000000" : colours[i % colours.size()]);
    script +=
        fmt::format(", \\\n       '+' using (0):(0) every ::0::0 with points {}\n", pivot_look);
  };
  paths("(sx($1,$2)):(sy($1,$2,$3))");
  script += fmt::format(R"(
  # From above.
  unset arrow; unset label
  set lmargin at screen 0.62; set rmargin at screen 0.98
  set bmargin at screen {:.3f}; set tmargin at screen 0.88
  set label 1 'from above' at screen 0.80, 0.912 center font ',14'
  set xlabel x_label noenhanced; set ylabel y_label noenhanced
{}  set border 15 linecolor rgb '#444444'
  set xtics out nomirror textcolor rgb '#222222'; set ytics out nomirror textcolor rgb '#222222'
  set format x '%h'; set format y '%h'
  set grid linetype 1 linecolor rgb '#dddddd' linewidth 1
  set object 1 circle at 0,0 size radius fillstyle empty border linecolor rgb '#bbbbbb'
  plot NaN notitle)",
                        legend_top + 0.11, ranges(above));
  paths("1:2");
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
      ", \\\n       keyentry with points pointtype 7 pointsize 1.2 linecolor rgb '#000000' title "
      "'start', \\\n       keyentry with points {} title '{}'\n  unset multiplot\n  unset output\n"
      "}}\n",
      pivot_look, plot.unit.empty() ? "centre" : "pivot");
  return detail::draw_by_gnuplot(directory, plot.stem, data_text(curves, true), script);
}

}  // namespace hamel::io
