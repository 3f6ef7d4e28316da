// SPDX-License-Identifier: BSD-3-Clause

#include <cmath>
#include <hamel/io/figures.hpp>

#include "figure_script.hpp"

namespace hamel::io {

namespace {

using namespace detail;

/// From light to dark as time goes on (ColorBrewer's YlGnBu, its palest steps left out).
std::string shape_look(std::size_t i, std::size_t count) {
  constexpr std::array<std::string_view, 8> shades{"#C7E9B4", "#7FCDBB", "#41B6C4", "#1D91C0",
                                                   "#225EA8", "#253494", "#081D58", "#000000"};
  const std::size_t shade = count > 1 ? i * (shades.size() - 2) / (count - 1) : shades.size() - 2;
  return fmt::format("linecolor rgb '{}' linewidth 2", shades[shade]);
}

}  // namespace

std::vector<std::filesystem::path> draw(const std::filesystem::path& directory,
                                        const ShapePlot& plot) {
  const DrawnFigure figure = drawn(plot);
  const auto& curves = figure.curves;
  const auto notes = wrapped(figure.note, 130);
  double low[3] = {0, 0, 0};
  double high[3] = {0, 0, 0};
  std::size_t longest = 0;
  for (const auto& curve : curves) {
    longest = std::max(longest, curve.points.size());
    for (const auto& p : curve.points)
      for (std::size_t c = 0; c < 3; ++c) {
        low[c] = std::min(low[c], p[c]);
        high[c] = std::max(high[c], p[c]);
      }
  }
  const double size = std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2], 1e-300});
  // Masses are shown while they can be told apart.
  const std::string with =
      longest <= 60 ? "with linespoints pointtype 7 pointsize 0.6 " : std::string("with lines ");
  const auto with_unit = [&](std::string_view axis) {
    return gnuplot_string(plot.unit.empty() ? axis : fmt::format("{} / {}", axis, plot.unit));
  };
  const auto columns = legend_columns(curves);
  const auto rows = (curves.size() + 1 + columns - 1) / columns;
  const double legend_bottom = note_height(notes.size()) + 0.005;
  const double legend_top = legend_bottom + 0.036 * static_cast<double>(rows);

  std::string script = opening(plot.stem, plot.title, curves, notes);
  script += fmt::format("x_label = {}\nz_label = {}\naxis = {:.17g}\n", with_unit("x"),
                        with_unit("z"), 0.25 * size);
  for (std::size_t c = 0; c < 3; ++c) {  // equal sides, so that equal axes fill the box
    const double middle = (low[c] + high[c]) / 2;
    script += fmt::format("low_{0} = {1:.17g}\nhigh_{0} = {2:.17g}\n", c + 1, middle - 0.53 * size,
                          middle + 0.53 * size);
  }
  script += loop_start;
  script += fmt::format(R"(  set multiplot title title noenhanced font ',19'
  unset label; unset key; unset grid; unset xlabel; unset ylabel

  # In space.
  set lmargin at screen 0.03; set rmargin at screen 0.54
  set bmargin at screen {0:.3f}; set tmargin at screen 0.86
  set label 1 'in space' at screen 0.285, 0.912 center font ',14'
  unset tics; unset border
  set label 2 'x' at 1.1*axis,0,0 center textcolor rgb '#777777'
  set label 3 'y' at 0,1.1*axis,0 center textcolor rgb '#777777'
  set label 4 'z' at 0,0,1.1*axis center textcolor rgb '#777777'
  do for [k=1:3] {{
    set arrow k from 0,0,0 to (k==1)*axis,(k==2)*axis,(k==3)*axis \
      linecolor rgb '#999999' size screen 0.008,20
  }}
  wide(low, high, end) = 0.5*(low+high) + end*0.72*(high-low)
  set xrange [wide(low_1,high_1,-1):wide(low_1,high_1,1)]
  set yrange [wide(low_2,high_2,-1):wide(low_2,high_2,1)]
  set zrange [wide(low_3,high_3,-1):wide(low_3,high_3,1)]
  set view 68, 35; set view equal xyz
  splot NaN notitle)",
                        legend_top + 0.02);
  const auto shapes = [&](std::string_view coordinates, std::string_view origin) {
    for (std::size_t i = 0; i < curves.size(); ++i)
      script += fmt::format(", \\\n       file.'.dat' index {} using {} {}{}", i, coordinates, with,
                            shape_look(i, curves.size()));
    script +=
        fmt::format(", \\\n       '+' using {} every ::0::0 with points {}\n", origin, pivot_look);
  };
  shapes("1:2:3", "(0):(0):(0)");
  script += fmt::format(R"(
  # From the side.
  unset label; unset arrow
  set lmargin at screen 0.62; set rmargin at screen 0.98
  set bmargin at screen {:.3f}; set tmargin at screen 0.86
  set label 1 'from the side' at screen 0.80, 0.912 center font ',14'
  set xlabel x_label noenhanced; set ylabel z_label noenhanced
  set xrange [low_1:high_1]; set yrange [low_3:high_3]; set size ratio -1
  set border 15 linecolor rgb '#444444'
  set xtics out nomirror textcolor rgb '#222222' font ',12'
  set ytics out nomirror textcolor rgb '#222222' font ',12'
  set grid linetype 1 linecolor rgb '#dddddd' linewidth 1
  plot NaN notitle)",
                        legend_top + 0.11);
  shapes("1:3", "(0):(0)");
  script += fmt::format(R"(
  # The legend.
  unset label; unset xlabel; unset ylabel; unset tics; unset border; unset grid
  set size noratio
  set lmargin at screen 0.02; set rmargin at screen 0.98
  set bmargin at screen {:.3f}; set tmargin at screen {:.3f}
  set key center center horizontal maxcols {} Left reverse noenhanced samplen 3
)",
                        legend_bottom, legend_top, columns);
  script += show_notes(notes.size());
  script += "  plot NaN notitle";
  for (std::size_t i = 0; i < curves.size(); ++i)
    script += fmt::format(", \\\n       keyentry with lines {} title label_{}",
                          shape_look(i, curves.size()), i + 1);
  script += fmt::format(
      ", \\\n       keyentry with points {} title 'base'\n  unset multiplot\n  unset output\n}}\n",
      pivot_look);
  return draw_by_gnuplot(directory, plot.stem, data_text(curves, true), script);
}

}  // namespace hamel::io
