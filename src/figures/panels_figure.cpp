// SPDX-License-Identifier: BSD-3-Clause

#include <cmath>
#include <hamel/core/error.hpp>
#include <hamel/figures/figures.hpp>

#include "figure_script.hpp"

namespace hamel::io {

namespace {

using namespace detail;

constexpr std::size_t columns = 3;
constexpr double panel_height = 320.0;  // pixels

/// A panel on axes of its own; its curves follow one another in the data file from `first` on.
std::string panel_script(const LinePlot& plot, const DrawnFigure& figure,
                         const std::vector<std::string>& labels, std::size_t first) {
  std::string script = fmt::format("  set title {} noenhanced font ',13' offset 0,-0.5\n",
                                   gnuplot_string(plot.title));
  if (figure.curves.empty()) return script + "  plot NaN notitle\n";
  // Four tics at most: numbers in narrow panels are long.
  const double span = figure.x_max - figure.x_min;
  const double unit = std::pow(10.0, std::floor(std::log10(span / 4)));
  const double every = unit * (span <= 8 * unit ? 2 : span <= 20 * unit ? 5 : 10);
  script += fmt::format("  set xrange [{:.17g}:{:.17g}]\n  set xtics {:g} nomirror\n", figure.x_min,
                        figure.x_max, every);
  for (std::size_t i = 0; i < figure.curves.size(); ++i) {
    const auto at = std::ranges::find(labels, figure.curves[i].label) - labels.begin();
    script += fmt::format("{} file.'.dat' index {} using 1:(drawn($2)) with lines {}",
                          i == 0 ? "  plot" : ", \\\n      ", first + i,
                          look(static_cast<std::size_t>(at), 1.5));
  }
  return script + "\n";
}

}  // namespace

std::vector<std::filesystem::path> draw(const std::filesystem::path& directory,
                                        const PanelsPlot& plot) {
  if (plot.panels.empty()) throw InputError("figure " + printable(plot.stem) + ": no panels");
  std::vector<std::string> labels;
  std::vector<Drawn> all;
  std::string panels;
  std::string note = plot.note;
  for (const auto& panel : plot.panels) {
    for (const auto& curve : panel.curves)
      if (std::ranges::find(labels, curve.label) == labels.end()) labels.push_back(curve.label);
    LinePlot single{plot.stem, panel.title, plot.x_label, plot.y_label, true};
    single.curves = panel.curves;
    const DrawnFigure figure = drawn(single);
    if (note == plot.note && !figure.note.empty()) note += (note.empty() ? "" : " ") + figure.note;
    panels += panel_script(single, figure, labels, all.size());
    all.insert(all.end(), figure.curves.begin(), figure.curves.end());
  }
  const auto notes = wrapped(note, 130);
  const std::size_t rows = (plot.panels.size() + columns - 1) / columns;
  std::vector<Drawn> named;
  for (const auto& label : labels) named.push_back({label, {}});
  const std::size_t legend_lines = (labels.size() + 2) / 3;
  const double height = panel_height * static_cast<double>(rows) + 110.0 +
                        26.0 * static_cast<double>(notes.size() + legend_lines);
  const double bottom = (26.0 * static_cast<double>(notes.size() + legend_lines) + 24.0) / height;

  std::string script = opening(plot.stem, plot.title, named, notes);
  script += fmt::format("drawn(y) = y > {0:g} ? y : {0:g}\n", log_floor);
  script += loop_start_of_height(height);
  script += fmt::format(R"(  set multiplot layout {},{} title title noenhanced font ',19' \
    margins screen 0.075, 0.965, {:.4f}, {:.4f} spacing screen 0.065, {:.4f}
  unset key
  set border 3 linecolor rgb '#444444'
  set tics nomirror out textcolor rgb '#222222' font ',10'
  set logscale y; set format y '10^{{%T}}'; set format x '%h'
  set xtics nomirror; set ytics nomirror; unset mytics
  set yrange [{:g}:*<1e3]
  set grid xtics ytics linetype 1 linecolor rgb '#dddddd' linewidth 1
)",
                        rows, columns, bottom + 0.05, 1 - 70.0 / height, 78.0 / height, log_floor);
  script += panels;
  script += "  unset title; unset xlabel; unset ylabel; unset tics; unset border; unset grid\n";
  script += "  unset logscale; set xrange [0:1]; set yrange [0:1]\n";
  script += fmt::format(
      "  set lmargin at screen 0.05; set rmargin at screen 0.98\n"
      "  set bmargin at screen 0; set tmargin at screen {:.4f}\n"
      "  set label 100 {} at screen 0.015, {:.4f} rotate by 90 center noenhanced\n"
      "  set label 101 {} at screen 0.53, {:.4f} center noenhanced\n",
      bottom, gnuplot_string(plot.y_label), 0.5 * (1 + bottom), gnuplot_string(plot.x_label),
      bottom + 8.0 / height);
  for (std::size_t i = 0; i < notes.size(); ++i)
    script += fmt::format(
        "  set label {0} note_{0} at screen 0.015, {1:.4f} noenhanced font ',11' "
        "textcolor rgb '#555555'\n",
        i + 1, (26.0 * static_cast<double>(notes.size() - i) - 12.0) / height);
  script += fmt::format(
      "  set key at screen 0.5, {:.4f} center top maxrows {} horizontal Left reverse noenhanced "
      "samplen 3\n",
      bottom - 6.0 / height, legend_lines);
  for (std::size_t i = 0; i < labels.size(); ++i)
    script += fmt::format("{} 2 with lines {} title label_{}", i == 0 ? "  plot" : ", \\\n      ",
                          look(i, 2), i + 1);
  script += "\n  unset multiplot\n  unset label\n  unset output\n}\n";
  return draw_by_gnuplot(directory, plot.stem, data_text(all, false), script);
}

}  // namespace hamel::io
