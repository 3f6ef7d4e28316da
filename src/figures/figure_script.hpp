// SPDX-License-Identifier: BSD-3-Clause
// Looks and parts of gnuplot scripts that the figures share.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "figure_data.hpp"
#include "gnuplot.hpp"
#include "overlap.hpp"

namespace hamel::io::detail {

// ---- looks ------------------------------------------------------------------------------------

// Okabe and Ito's colours without yellow, which is too faint on white; then again, dashed.
inline constexpr std::array<std::string_view, 7> colours{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                         "#E69F00", "#56B4E9", "#000000"};
inline constexpr std::array<std::string_view, 3> dashes{"solid", "(12,5)", "(3,4)"};

inline std::string look(std::size_t i, double line_width) {
  return fmt::format("linecolor rgb '{}' dashtype {} linewidth {}", colours[i % colours.size()],
                     dashes[i / colours.size() % dashes.size()], line_width);
}

/// The same where other curves are below or above it.
inline std::string look(std::size_t i, double line_width, const Overlap& overlap) {
  if (overlap.size < 2) return look(i, line_width);
  return fmt::format("linecolor rgb '{}' dashtype {} linewidth {}", colours[i % colours.size()],
                     overlap_dashes(overlap), line_width + 1);
}

/// From light to dark as time goes on (ColorBrewer's YlGnBu, its palest steps left out).
inline std::string shade_look(std::size_t i, std::size_t count) {
  constexpr std::array<std::string_view, 8> shades{"#C7E9B4", "#7FCDBB", "#41B6C4", "#1D91C0",
                                                   "#225EA8", "#253494", "#081D58", "#000000"};
  const std::size_t shade = count > 1 ? i * (shades.size() - 2) / (count - 1) : shades.size() - 2;
  return fmt::format("linecolor rgb '{}' linewidth 2", shades[shade]);
}

inline constexpr std::string_view pivot_look =
    "pointtype 2 pointsize 1.3 linecolor rgb '#444444' linewidth 2";

inline std::vector<std::string> labels_of(const std::vector<Drawn>& curves) {
  std::vector<std::string> labels;
  for (const auto& curve : curves) labels.push_back(curve.label);
  return labels;
}

inline std::size_t longest_label(const std::vector<Drawn>& curves) {
  std::size_t longest = 0;
  for (const auto& curve : curves) longest = std::max(longest, detail::width(curve.label));
  return longest;
}

/// Columns of a legend across the figure, which is 1200 pixels wide.
inline std::size_t legend_columns(const std::vector<Drawn>& curves) {
  return std::clamp<std::size_t>(1150 / (9 * longest_label(curves) + 70), 1, 4);
}

// ---- parts of the script ----------------------------------------------------------------------

inline std::string data_text(const std::vector<Drawn>& curves, bool with_z) {
  std::string text;
  for (const auto& [label, points] : curves) {
    text += fmt::format("{}# {}\n# x y{}\n", text.empty() ? "" : "\n\n", printable(label),
                        with_z ? " z" : "");
    for (const auto& [x, y, z] : points) {
      text += fmt::format("{:.17g} {:.17g}", x, y);
      text += with_z ? fmt::format(" {:.17g}\n", z) : "\n";
    }
  }
  return text;
}

/// A sentence at the end of a note.
inline void add_sentence(std::string& note, const std::string& sentence) {
  if (!sentence.empty()) note += (note.empty() ? "" : " ") + sentence;
}

/// All texts by name, so that none stands inside the braces of the loop.
inline std::string opening(const std::string& stem, const std::string& title,
                           const std::vector<Drawn>& curves,
                           const std::vector<std::string>& notes) {
  std::string text = fmt::format(
      "# Draws {0}.svg and {0}.png from {0}.dat: run gnuplot on this file in its folder.\n"
      "reset\nset encoding utf8\nfile = {1}\ntitle = {2}\n",
      printable(stem), gnuplot_string("./" + stem), gnuplot_string(title));
  for (std::size_t i = 0; i < curves.size(); ++i)
    text += fmt::format("label_{} = {}\n", i + 1, gnuplot_string(curves[i].label));
  for (std::size_t i = 0; i < notes.size(); ++i)
    text += fmt::format("note_{} = {}\n", i + 1, gnuplot_string(notes[i]));
  return text;
}

/// The plot commands run once for each kind of picture.
inline constexpr std::string_view loop_start = R"(
do for [kind in 'svg png'] {
  if (kind eq 'svg') {
    set terminal svg size 1200,750 enhanced font 'sans-serif,12' fontscale 1.333 \
      background 'white'
  } else {
    set terminal pngcairo size 1200,750 enhanced font 'Sans,12' background 'white'
  }
  set output file.'.'.kind
)";

/// The loop for pictures of another height, in pixels.
inline std::string loop_start_of_height(double height) {
  std::string loop(loop_start);
  const std::string size = fmt::format("1200,{:.0f}", height);
  for (std::size_t at = loop.find("1200,750"); at != std::string::npos;
       at = loop.find("1200,750", at + size.size()))
    loop.replace(at, 8, size);
  return loop;
}

/// Height of the notes at the bottom, as a part of the figure's.
inline double note_height(std::size_t notes) {
  return notes == 0 ? 0 : 0.012 + 0.027 * static_cast<double>(notes);
}

inline std::string show_notes(std::size_t notes) {
  std::string text;
  for (std::size_t i = 0; i < notes; ++i)
    text += fmt::format(
        "  set label {0} note_{0} at screen 0.015, {1:.3f} noenhanced font ',11' "
        "textcolor rgb '#555555'\n",
        i + 1, note_height(notes - i) - 0.019);
  return text;
}

// ---- in space ---------------------------------------------------------------------------------

// Seen from so far to the side and above, without perspective: angles of 35° and 22°. The picture
// is drawn in the plane, where axes fill the place that they are given.
inline constexpr double turn_cos = 0.81915204428899180, turn_sin = 0.57357643635104605;
inline constexpr double tilt_cos = 0.92718385456678740, tilt_sin = 0.37460659341591201;

/// A point of space in the picture.
inline std::array<double, 2> seen(const std::array<double, 3>& p) {
  return {turn_cos * p[0] + turn_sin * p[1],
          tilt_sin * (turn_cos * p[1] - turn_sin * p[0]) + tilt_cos * p[2]};
}

/// The same in scripts: `using (sx($1,$2)):(sy($1,$2,$3))`.
inline std::string seen_functions() {
  return fmt::format(
      "sx(x,y) = {0:.6f}*x+{1:.6f}*y\nsy(x,y,z) = {2:.6f}*({0:.6f}*y-{1:.6f}*x)+{3:.6f}*z\n",
      turn_cos, turn_sin, tilt_sin, tilt_cos);
}

/// A rectangle of the plane: low and high ends of x and of y.
struct Box {
  std::array<double, 2> low{1e300, 1e300}, high{-1e300, -1e300};

  void add(const std::array<double, 2>& p) {
    for (const std::size_t k : {0u, 1u}) {
      low[k] = std::min(low[k], p[k]);
      high[k] = std::max(high[k], p[k]);
    }
  }
  double size(std::size_t k) const { return high[k] - low[k]; }
  /// Wider by `margin` on every side, and at least `least` wide.
  void widen(double margin, double least) {
    for (const std::size_t k : {0u, 1u}) {
      const double more = std::max(margin, (least - size(k)) / 2);
      low[k] -= more;
      high[k] += more;
    }
  }
  bool holds(const std::array<double, 2>& p) const {
    return p[0] > low[0] && p[0] < high[0] && p[1] > low[1] && p[1] < high[1];
  }
};

inline std::string ranges(const Box& box) {
  return fmt::format("  set xrange [{:.9g}:{:.9g}]; set yrange [{:.9g}:{:.9g}]\n", box.low[0],
                     box.high[0], box.low[1], box.high[1]);
}

/// "x, m".
inline std::string with_unit(std::string_view name, const std::string& unit) {
  return unit.empty() ? std::string(name) : fmt::format("{}, {}", name, unit);
}

}  // namespace hamel::io::detail
