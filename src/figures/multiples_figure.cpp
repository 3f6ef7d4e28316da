// SPDX-License-Identifier: BSD-3-Clause
// Small multiples: panels on axes of their own, in rows by group.
#include <cmath>
#include <hamel/core/error.hpp>
#include <hamel/figures/figures.hpp>

#include "figure_script.hpp"

namespace hamel::io {

namespace {

using namespace detail;

// All lengths in pixels.
constexpr double page_width = 1200;
constexpr double left_margin = 85, right_margin = 30, legend_width = 190, column_gap = 80;
constexpr double heading_height = 34, title_height = 26, axis_height = 68;
constexpr double line_height = 26;

/// A panel that is drawn: where, and what.
struct Placed {
  const LinePlot* plot;
  const DrawnFigure* figure;
  double left, right, bottom, top;
  bool x_label;
  std::size_t first_block;
};

struct Heading {
  std::string text;
  double y;
};

struct Page {
  std::vector<Placed> panels;
  std::vector<Heading> headings;
  std::size_t columns = 1;
  double height = 0;  ///< of the panels with their headings; y counts from above
};

Page arranged(const MultiplesPlot& plot, const std::vector<std::vector<DrawnFigure>>& drawn) {
  Page page;
  std::vector<std::vector<std::size_t>> shown(drawn.size());
  std::size_t widest = 1, rows = 0, count = 0;
  for (std::size_t g = 0; g < drawn.size(); ++g) {
    for (std::size_t k = 0; k < drawn[g].size(); ++k)
      if (!drawn[g][k].curves.empty()) shown[g].push_back(k);
    widest = std::max(widest, shown[g].size());
    count += shown[g].size();
  }
  if (count > max_panels)
    throw InputError(
        fmt::format("figure {}: {} panels; at most {}", printable(plot.stem), count, max_panels));
  page.columns =
      plot.legends ? 1 : std::clamp<std::size_t>(widest, 1, std::max<std::size_t>(1, plot.columns));
  for (const auto& group : shown) rows += (group.size() + page.columns - 1) / page.columns;
  const double panel_height = page.columns > 2 ? 160
                              : page.columns > 1
                                  ? 250
                                  : std::clamp(560.0 / static_cast<double>(rows), 150.0, 540.0);
  const double right = plot.legends ? legend_width : right_margin;
  const double gaps = column_gap * static_cast<double>(page.columns - 1);
  const double width =
      (page_width - left_margin - right - gaps) / static_cast<double>(page.columns);

  std::size_t block = 0;
  for (std::size_t g = 0; g < shown.size(); ++g) {
    if (shown[g].empty()) continue;
    if (!plot.groups[g].title.empty()) {
      page.headings.push_back({plot.groups[g].title, page.height + 0.6 * heading_height});
      page.height += heading_height;
    }
    for (std::size_t i = 0; i < shown[g].size(); ++i) {
      const std::size_t column = i % page.columns;
      const double left = left_margin + static_cast<double>(column) * (width + column_gap);
      const double top = page.height + title_height;
      const auto& figure = drawn[g][shown[g][i]];
      const LinePlot& panel = plot.groups[g].panels[shown[g][i]];
      // One name below a column is enough where all are over the same.
      const bool last = i + page.columns >= shown[g].size();
      page.panels.push_back({&panel, &figure, left, left + width, top + panel_height, top,
                             last || panel.plane, block});
      block += figure.curves.size();
      if (column + 1 == page.columns || i + 1 == shown[g].size())
        page.height = top + panel_height + (last || panel.plane ? axis_height : 0.42 * axis_height);
    }
  }
  return page;
}

/// Distance of tics on an axis from low to high so wide that six at most stand on it.
std::string tics(char axis, double low, double high) {
  const double span = high - low;
  if (!(span > 0) || !std::isfinite(span)) return "";
  const double unit = std::pow(10.0, std::floor(std::log10(span / 5)));
  const double every = unit * (span <= 5 * unit    ? 1
                               : span <= 10 * unit ? 2
                               : span <= 25 * unit ? 5
                                                   : 10);
  return fmt::format("  set {}tics nomirror {:g}\n", axis, every);
}

/// The lowest power of ten of a logarithmic axis: zeros do not stretch it.
double lowest(const std::vector<Drawn>& curves) {
  double low = 1.0;
  for (const auto& curve : curves)
    for (const auto& p : curve.points)
      if (p[1] > log_floor) low = std::min(low, p[1]);
  return std::pow(10.0, std::floor(std::log10(low)));
}

std::string panel_script(const Placed& panel, double page_height,
                         const std::vector<std::string>& labels, bool legend) {
  const LinePlot& plot = *panel.plot;
  const DrawnFigure& figure = *panel.figure;
  const auto from_below = [&](double y) { return (page_height - y) / page_height; };
  std::string script = fmt::format(
      "\n  set lmargin at screen {:.4f}; set rmargin at screen {:.4f}\n"
      "  set bmargin at screen {:.4f}; set tmargin at screen {:.4f}\n"
      "  set title {} noenhanced font ',13' offset 0,-0.5\n",
      panel.left / page_width, panel.right / page_width, from_below(panel.bottom),
      from_below(panel.top), gnuplot_string(plot.title));
  script += panel.x_label ? fmt::format("  set xlabel {} noenhanced font ',12' offset 0,0.4\n",
                                        gnuplot_string(plot.x_label))
                          : "  unset xlabel\n";
  script += plot.y_label.empty() ? "  unset ylabel\n"
                                 : fmt::format("  set ylabel {} noenhanced font ',12'\n",
                                               gnuplot_string(plot.y_label));
  Box box;
  for (const auto& curve : figure.curves)
    for (const auto& p : curve.points) box.add({p[0], p[1]});
  script += "  unset logscale; set autoscale; set autoscale yfix; set format x '%h'\n";
  if (plot.plane)
    script += "  set autoscale xfix; set offsets graph 0.05, graph 0.05, graph 0.06, graph 0.06\n";
  else
    script += "  set offsets 0, 0, graph 0.06, graph 0.06\n";
  if (plot.plane && plot.equal_axes) {  // what one axis lacks is room on both sides
    const double wide = panel.right - panel.left, high = panel.bottom - panel.top;
    const double unit = 1.08 * std::max(box.size(0) / wide, box.size(1) / high);
    for (const std::size_t k : {0u, 1u}) {
      const double more = (unit * (k == 0 ? wide : high) - box.size(k)) / 2;
      box.low[k] -= more;
      box.high[k] += more;
    }
    if (unit > 0) script += "  unset offsets\n" + ranges(box);
  }
  if (!plot.plane && figure.x_min < figure.x_max)
    script += fmt::format("  set xrange [{:.17g}:{:.17g}]\n", figure.x_min, figure.x_max);
  const double x_span = plot.plane ? box.size(0) : figure.x_max - figure.x_min;
  script += plot.whole_x && x_span <= 12 ? "  set xtics nomirror 1\n" : tics('x', 0, x_span);
  // A curve that is constant but for round-off has room about it.
  const double middle = (box.low[1] + box.high[1]) / 2;
  const bool flat = !(box.size(1) > 1e-9 * std::fabs(middle));
  const double least = std::max(plot.y_least, !flat           ? 0.0
                                              : middle == 0.0 ? 1.0
                                                              : 0.1 * std::fabs(middle));
  if (plot.log_y)
    script += fmt::format(
        "  unset offsets; set logscale y; set format y '10^{{%T}}'; set ytics nomirror auto; unset "
        "mytics\n"
        "  set yrange [{0:g}:*<1e3]\n  drawn(y) = y > {0:g} ? y : {0:g}\n",
        lowest(figure.curves));
  else
    script += "  set format y '%h'; drawn(y) = y\n" + tics('y', 0, std::max(box.size(1), least));
  if (!plot.log_y && box.size(1) < least)
    script += fmt::format("  set yrange [{:.9g}:{:.9g}]\n", middle - least / 2, middle + least / 2);
  auto over = overlaps(figure.curves, likeness(plot, figure.curves));
  if (plot.shades) over.assign(figure.curves.size(), {});
  script += legend
                ? "  set key at graph 1.02, 1 left top vertical Left reverse noenhanced samplen 2\n"
                : "  unset key\n";
  for (std::size_t i = 0; i < figure.curves.size(); ++i) {
    const auto at = static_cast<std::size_t>(std::ranges::find(labels, figure.curves[i].label) -
                                             labels.begin());
    script += fmt::format(
        "{} file.'.dat' index {} using 1:(drawn($2)) with {} {} title label_{}",
        i == 0 ? "  plot" : ", \\\n      ", panel.first_block + i,
        plot.points ? "linespoints pointtype 7 pointsize 0.8" : "lines",
        plot.shades ? shade_look(i, figure.curves.size()) : look(legend ? i : at, 1.8, over[i]),
        at + 1);
  }
  return script + "\n";
}

/// What lies on one another in every panel where it is.
std::string common_remark(const Page& page, const std::vector<std::string>& labels) {
  std::vector<Overlap> common;
  for (const Placed& panel : page.panels) {
    if (panel.plot->log_y) continue;
    const auto over = overlaps(panel.figure->curves, likeness(*panel.plot, panel.figure->curves));
    if (panel.figure->curves.size() != labels.size()) return "";
    if (common.empty()) common = over;
    for (std::size_t i = 0; i < over.size(); ++i)
      if (over[i].group != common[i].group) common[i] = {i, 0, 1};
  }
  for (auto& overlap : common) overlap.size = 0;
  for (auto& overlap : common) overlap.place = common[overlap.group].size++;
  for (auto& overlap : common) overlap.size = common[overlap.group].size;
  return overlap_remark(labels, common);
}

}  // namespace

std::vector<std::filesystem::path> draw(const std::filesystem::path& directory,
                                        const MultiplesPlot& plot) {
  const auto figures = drawn(plot);
  const Page page = arranged(plot, figures);
  std::vector<std::string> labels;
  std::vector<Drawn> all, named;
  std::string note = plot.note;
  for (const Placed& panel : page.panels) {
    for (const auto& curve : panel.figure->curves) {
      all.push_back(curve);
      if (std::ranges::find(labels, curve.label) == labels.end()) labels.push_back(curve.label);
    }
    if (note.find(panel.figure->note) == std::string::npos) add_sentence(note, panel.figure->note);
  }
  if (!plot.legends) add_sentence(note, common_remark(page, labels));
  for (const auto& label : labels) named.push_back({label, {}});
  const auto notes = wrapped(note, 130);
  const bool legend = !plot.legends && labels.size() > 1;
  const std::size_t columns = legend_columns(named);
  const std::size_t legend_lines = legend ? (labels.size() + columns - 1) / columns : 0;
  constexpr double head = 48;
  const double foot = line_height * static_cast<double>(notes.size() + legend_lines) + 14;
  const double height = std::ceil(head + page.height + foot);

  std::string script = opening(plot.stem, plot.title, named, notes);
  script += loop_start_of_height(height);
  script += fmt::format(R"(  set multiplot
  set label 1000 title at screen 0.5, {:.4f} center noenhanced font ',19'
  set border 3 linecolor rgb '#444444'
  set tics nomirror out textcolor rgb '#222222' font ',11'
  set grid xtics ytics linetype 1 linecolor rgb '#dddddd' linewidth 1
)",
                        1 - 24 / height);
  for (std::size_t i = 0; i < page.headings.size(); ++i)
    script += fmt::format("  set label {} {} at screen {:.4f}, {:.4f} left noenhanced font ',14'\n",
                          1001 + i, gnuplot_string(page.headings[i].text), 20 / page_width,
                          1 - (head + page.headings[i].y) / height);
  bool first = true;
  for (Placed panel : page.panels) {
    panel.top += head;
    panel.bottom += head;
    script += panel_script(panel, height, labels, plot.legends);
    if (first) script += "  unset label\n";
    first = false;
  }
  script += fmt::format(R"(
  # The legend.
  unset title; unset xlabel; unset ylabel; unset tics; unset border; unset grid
  unset logscale; unset offsets; set xrange [0:1]; set yrange [0:1]
  set lmargin at screen 0.02; set rmargin at screen 0.98
  set bmargin at screen 0; set tmargin at screen {:.4f}
)",
                        foot / height);
  for (std::size_t i = 0; i < notes.size(); ++i)
    script += fmt::format(
        "  set label {0} note_{0} at screen 0.015, {1:.4f} noenhanced font ',11' "
        "textcolor rgb '#555555'\n",
        i + 1, (line_height * static_cast<double>(notes.size() - i) - 10) / height);
  if (legend)
    script += fmt::format(
        "  set key at screen 0.5, {:.4f} center top horizontal maxcols {} Left reverse noenhanced "
        "samplen 3\n",
        foot / height, columns);
  else
    script += "  unset key\n";
  script += "  plot 2 notitle";
  if (legend)
    for (std::size_t i = 0; i < labels.size(); ++i)
      script +=
          fmt::format(", \\\n       keyentry with lines {} title label_{}", look(i, 3), i + 1);
  script += "\n  unset multiplot\n  unset label\n  unset output\n}\n";
  return draw_by_gnuplot(directory, plot.stem, data_text(all, false), script);
}

}  // namespace hamel::io
