// SPDX-License-Identifier: BSD-3-Clause

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <hamel/core/error.hpp>
#include <hamel/figures/figures.hpp>
#include <limits>
#include <string_view>

#include "figure_script.hpp"

namespace hamel::io {

namespace {

using namespace detail;

constexpr std::array<int, 6> markers{7, 5, 9, 11, 13, 6};

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
  auto [curves, x_min, x_max, note] = detail::drawn(plot);
  const std::size_t references = std::min(plot.references, curves.size());
  auto over = overlaps(curves, likeness(plot, curves), references);
  if (plot.scatter || plot.shades) over.assign(curves.size(), {});
  add_sentence(note, overlap_remark(labels_of(curves), over));
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
    script += !plot.plane       ? x_axis(plot.log_x, x_min, x_max)
              : plot.equal_axes ? "set size ratio -1\n"
                                : "";
  const bool own_x = plot.scatter || plot.plane;
  if (plot.whole_x && x_max - x_min <= 12) script += "set xtics 1\n";
  script += plot.log_y ? log_y_axis(curves)
                       : fmt::format(
                             "{0}set autoscale yfix\n"
                             "set offsets graph {1}, graph {1}, graph 0.05, graph 0.05\n",
                             own_x ? "set autoscale xfix\n" : "", own_x ? 0.05 : 0.0);
  script += fmt::format("drawn(y) = {}\n",
                        plot.log_y ? fmt::format("y > {0:g} ? y : {0:g}", log_floor) : "y");
  if (plot.zero_line) script += "set xzeroaxis linetype 1 linecolor rgb '#444444' linewidth 1\n";
  script += loop_start;
  script += show_notes(notes.size());
  for (std::size_t i = 0; i < references; ++i)
    script += fmt::format(
        "{} file.'.dat' index {} using 1:(drawn($2)) with lines linecolor rgb '#bbbbbb' "
        "linewidth {} title label_{}",
        i == 0 ? "  plot" : ", \\\n      ", i, i == 0 ? 7 : 3, i + 1);
  for (std::size_t i = references; i < curves.size(); ++i) {
    script +=
        fmt::format("{} file.'.dat' index {} using 1:(drawn($2)) with {} {}",
                    i == 0 ? "  plot" : ", \\\n      ", i,
                    plot.scatter  ? "points"
                    : plot.points ? "linespoints"
                                  : "lines",
                    plot.shades ? shade_look(i, curves.size()) : look(i - references, 2, over[i]));
    if (plot.scatter) script += " pointtype 7 pointsize 0.35";
    if (plot.points)
      script += fmt::format(" pointtype {} pointsize 1.2", markers[i % markers.size()]);
    script += fmt::format(" title label_{}", i + 1);
  }
  script += "\n  unset output\n}\n";
  return detail::draw_by_gnuplot(directory, plot.stem, data_text(curves, false), script);
}

}  // namespace hamel::io
