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

inline constexpr std::string_view start_look = "pointtype 7 pointsize 1.1 linecolor rgb '#000000'";
inline constexpr std::string_view pivot_look =
    "pointtype 2 pointsize 1.3 linecolor rgb '#444444' linewidth 2";

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

}  // namespace hamel::io::detail
