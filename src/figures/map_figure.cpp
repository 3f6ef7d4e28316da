// SPDX-License-Identifier: BSD-3-Clause

#include <cmath>
#include <hamel/core/error.hpp>
#include <hamel/figures/figures.hpp>

#include "figure_script.hpp"

namespace hamel::io {

namespace {

using namespace detail;

/// The different values of a list, in order.
std::vector<double> levels(const std::vector<double>& list) {
  std::vector<double> sorted = list;
  std::ranges::sort(sorted);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

bool evenly_spaced(const std::vector<double>& sorted) {
  if (sorted.size() < 2) return false;
  const double whole = sorted.back() - sorted.front();
  const double step = whole / static_cast<double>(sorted.size() - 1);
  for (std::size_t i = 0; i < sorted.size(); ++i)
    if (std::fabs(sorted[i] - sorted.front() - static_cast<double>(i) * step) > 1e-6 * whole)
      return false;
  return true;
}

std::size_t place(const std::vector<double>& sorted, double x) {
  return static_cast<std::size_t>(std::ranges::lower_bound(sorted, x) - sorted.begin());
}

/// The palette cividis (Nuñez, Anderton, Renslow 2018), which looks the same to everybody.
constexpr std::string_view colours[] = {"#00224e", "#123570", "#3b496c", "#575d6d", "#707173",
                                        "#8a8678", "#a59c74", "#c3b369", "#fee838"};
constexpr std::size_t last_colour = std::size(colours) - 1;

std::string palette() {
  std::string list;
  for (std::size_t k = 0; k <= last_colour; ++k)
    list += fmt::format("{}{} '{}'", k == 0 ? "" : ", ", k, colours[k]);
  return "  set palette defined (" + list + ")\n";
}

/// One colour for each name, of values 0, 1, …
std::string palette(const std::vector<std::string>& names) {
  std::string list;
  std::string tics;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto& colour = colours[k * last_colour / std::max<std::size_t>(1, names.size() - 1)];
    list += fmt::format("{0}{1} '{3}', {2} '{3}'", k == 0 ? "" : ", ", k, k + 1, colour);
    std::string name;
    for (const char c : names[k]) name += c == '_' ? "\\_" : std::string(1, c);
    tics += fmt::format("{}{} {}", k == 0 ? "" : ", ", gnuplot_string(name), k);
  }
  return fmt::format("  set palette defined ({})\n  set cbtics ({}) scale 0\n", list, tics);
}

}  // namespace

std::vector<std::filesystem::path> draw(const std::filesystem::path& directory,
                                        const MapPlot& plot) {
  const std::size_t count = plot.value.size();
  if (count == 0 || plot.x.size() != count || plot.y.size() != count)
    throw InputError("figure " + printable(plot.stem) + ": no places, or not one value for each");
  const std::vector<double> xs = levels(plot.x);
  const std::vector<double> ys = levels(plot.y);
  const bool grid = xs.size() * ys.size() == count && evenly_spaced(xs) && evenly_spaced(ys);
  const std::size_t skip_x = grid ? (xs.size() - 1) / max_map_side + 1 : 1;
  const std::size_t skip_y = grid ? (ys.size() - 1) / max_map_side + 1 : 1;
  const std::size_t skip = grid ? 1 : (count - 1) / max_scatter_points + 1;

  std::string data = "# x y value\n";
  std::size_t missing = 0;
  double low = INFINITY;
  double high = -INFINITY;
  for (std::size_t i = 0; i < count; i += skip) {
    if (grid && (place(xs, plot.x[i]) % skip_x != 0 || place(ys, plot.y[i]) % skip_y != 0))
      continue;
    double value = plot.value[i];
    if (!std::isfinite(value)) {
      ++missing;
      data += fmt::format("{:.17g} {:.17g} NaN\n", plot.x[i], plot.y[i]);
      continue;
    }
    if (plot.log_colour) value = std::max(value, log_floor);
    low = std::min(low, value);
    high = std::max(high, value);
    data += fmt::format("{:.17g} {:.17g} {:.17g}\n", plot.x[i], plot.y[i], value);
  }
  if (!(low <= high)) low = high = plot.log_colour ? 1.0 : 0.0;
  if (low == high) {  // one colour: a range around it
    low = plot.log_colour ? 0.5 * low : low - 0.5 * std::max(std::fabs(low), 1e-300);
    high = plot.log_colour ? 2.0 * high : high + 0.5 * std::max(std::fabs(high), 1e-300);
  }
  std::string note = plot.note;
  const auto add = [&](const std::string& text) { note += (note.empty() ? "" : " ") + text; };
  if (missing > 0) add("White: no value.");
  if (skip_x > 1 || skip_y > 1)
    add(fmt::format("Every {} column and every {} row is drawn.", skip_x, skip_y));
  if (skip > 1) add(fmt::format("One point in {} is drawn.", skip));
  const auto notes = wrapped(note, 130);

  std::string script = opening(plot.stem, plot.title, {}, notes);
  script +=
      fmt::format("x_label = {}\ny_label = {}\ncolour_label = {}\n", gnuplot_string(plot.x_label),
                  gnuplot_string(plot.y_label), gnuplot_string(plot.colour_label));
  script += loop_start;
  script += plot.names.empty() ? palette() : palette(plot.names);
  const auto range = [](const char* axis, const std::vector<double>& at, bool cells) {
    const double pad = at.size() < 2 ? 0.5 * std::max(std::fabs(at[0]), 1e-300)
                       : cells       ? 0.5 * (at[1] - at[0])
                                     : 0.02 * (at.back() - at.front());
    return fmt::format("  set {}range [{:.17g}:{:.17g}]\n", axis, at.front() - pad,
                       at.back() + pad);
  };
  script += range("x", xs, grid) + range("y", ys, grid);
  if (plot.log_colour) script += "  set logscale cb; set format cb '10^{%T}'\n";
  if (!plot.names.empty()) {
    low = -0.5;
    high = static_cast<double>(plot.names.size()) - 0.5;
  }
  script += fmt::format(
      "  set cbrange [{:.17g}:{:.17g}]\n"
      "  set title title noenhanced font ',19'\n"
      "  set xlabel x_label noenhanced; set ylabel y_label noenhanced\n"
      "  set cblabel colour_label noenhanced offset 1\n"
      "  set lmargin at screen 0.09; set rmargin at screen {}\n"
      "  set bmargin at screen {:.3f}; set tmargin at screen 0.9\n"
      "  set border 15 linecolor rgb '#444444'; set tics out nomirror textcolor rgb '#222222'\n",
      low, high, plot.names.empty() ? 0.84 : 0.8, note_height(notes.size()) + 0.12);
  script += show_notes(notes.size());
  script += grid ? "  plot file.'.dat' using 1:2:3 with image notitle\n"
                 : "  plot file.'.dat' using 1:2:3 with points pointtype 7 pointsize 0.6 palette "
                   "notitle\n";
  script += "  unset output\n  unset label\n}\n";
  return draw_by_gnuplot(directory, plot.stem, data, script);
}

}  // namespace hamel::io
