// SPDX-License-Identifier: BSD-3-Clause
// A chain at several times: in space, from the side and from the front, at one scale.
#include <cmath>
#include <hamel/figures/figures.hpp>

#include "figure_script.hpp"

namespace hamel::io {

namespace {

using namespace detail;

constexpr double page_width = 1200, most_height = 750;  // pixels

/// One look at the chain.
struct View {
  std::string title, x, y;  // of the scripts: names of the axes, empty in space
  std::string points, base;
  Box box{};
};

/// A place on the page, in pixels from the left and from below.
struct Place {
  double left, right, bottom, top;
};

/// The views side by side at the largest scale at which all have room below `head` and above
/// `foot`, and the height of the page that they need.
struct Layout {
  std::vector<Place> places;
  double height;
};

Layout layout(const std::vector<View>& views, double head, double foot) {
  const auto before = [](const View& view) { return view.x.empty() ? 25.0 : 85.0; };
  const double tics = 60.0;
  double wide = 0, high = 0, margins = 30.0;
  for (const View& view : views) {
    wide += view.box.size(0);
    high = std::max(high, view.box.size(1));
    margins += before(view);
  }
  const double room = most_height - head - foot - tics;
  const double scale = std::min((page_width - margins) / wide, room / high);
  const double spare =
      (page_width - margins - scale * wide) / static_cast<double>(views.size() + 1);
  const double base = foot + tics;
  Layout page{{}, std::ceil(base + scale * high + head)};
  double at = 0;
  for (const View& view : views) {
    at += spare + before(view);
    const double right = at + scale * view.box.size(0);
    page.places.push_back({at, right, base, base + scale * view.box.size(1)});
    at = right;
  }
  return page;
}

}  // namespace

std::vector<std::filesystem::path> draw(const std::filesystem::path& directory,
                                        const ShapePlot& plot) {
  const DrawnFigure figure = drawn(plot);
  const auto& curves = figure.curves;
  const auto notes = wrapped(figure.note, 130);
  std::array<View, 3> all{
      View{"in space", "", "", "(sx($1,$2)):(sy($1,$2,$3))", "(sx($1,$2)):(sy($1,$2,$3))"},
      View{"from the side", "x", "z", "1:3", "1:3"},
      View{"from the front", "y", "z", "2:3", "2:3"}};
  std::size_t longest = 0;
  for (const auto& curve : curves) {
    longest = std::max(longest, curve.points.size());
    for (const auto& p : curve.points) {
      all[0].box.add(seen(p));
      all[1].box.add({p[0], p[2]});
      all[2].box.add({p[1], p[2]});
    }
  }
  const double size =
      std::max({all[1].box.size(0), all[1].box.size(1), all[2].box.size(0), 1e-300});
  const double axis = 0.2 * size;
  for (const std::size_t k : {0u, 1u, 2u}) {  // with the names at the ends
    std::array<double, 3> end{};
    end[k] = 1.2 * axis;
    all[0].box.add(seen(end));
  }
  std::vector<View> views{all[0]};
  for (const std::size_t k : {1u, 2u})  // a plane motion is seen from one side
    if (all[k].box.size(0) > 0.01 * size || (k == 1 && all[2].box.size(0) <= 0.01 * size))
      views.push_back(all[k]);
  for (View& view : views) view.box.widen(0.04 * size, 0.3 * size);

  // Masses are shown while they can be told apart.
  const std::string with =
      longest <= 60 ? "with linespoints pointtype 7 pointsize 0.6 " : std::string("with lines ");
  const auto columns = legend_columns(curves);
  const auto rows = (curves.size() + 1 + columns - 1) / columns;
  const double legend_bottom = 21.0 * static_cast<double>(notes.size()) + 12;
  const double legend_top = legend_bottom + 27.0 * static_cast<double>(rows);
  const Layout page = layout(views, 92.0, legend_top + 8.0);

  std::string script = opening(plot.stem, plot.title, curves, notes);
  script += seen_functions();
  for (const auto* name : {"x", "y", "z"})
    script += fmt::format("{}_label = {}\n", name, gnuplot_string(with_unit(name, plot.unit)));
  script += loop_start_of_height(page.height);
  script += "  set multiplot title title noenhanced font ',19'\n  unset key; set size noratio\n";
  for (std::size_t v = 0; v < views.size(); ++v) {
    const View& view = views[v];
    const Place& at = page.places[v];
    script += fmt::format(R"(
  # {}
  unset label; unset arrow; unset tics; unset border; unset grid; unset xlabel; unset ylabel
  set lmargin at screen {:.4f}; set rmargin at screen {:.4f}
  set bmargin at screen {:.4f}; set tmargin at screen {:.4f}
  set label 1 '{}' at graph 0.5, screen {:.4f} center font ',14'
)",
                          view.title, at.left / page_width, at.right / page_width,
                          at.bottom / page.height, at.top / page.height, view.title,
                          1 - 66 / page.height);
    script += ranges(view.box);
    if (view.x.empty()) {
      script += fmt::format(R"(  axis = {:.9g}
  do for [k=1:3] {{
    ax = (k==1)*axis; ay = (k==2)*axis; az = (k==3)*axis
    set arrow k from 0,0 to sx(ax,ay),sy(ax,ay,az) linecolor rgb '#999999' size screen 0.008,20
    set label k+1 word('x y z', k) at 1.15*sx(ax,ay),1.15*sy(ax,ay,az) center textcolor rgb '#777777'
  }}
)",
                            axis);
    } else {
      script += fmt::format(R"(  set xlabel {}_label noenhanced; set ylabel {}_label noenhanced
  set border 15 linecolor rgb '#444444'
  set xtics out nomirror textcolor rgb '#222222' font ',11'
  set ytics out nomirror textcolor rgb '#222222' font ',11'
  set format x '%h'; set format y '%h'
  set grid linetype 1 linecolor rgb '#dddddd' linewidth 1
)",
                            view.x, view.y);
    }
    script += "  plot NaN notitle";
    for (std::size_t i = 0; i < curves.size(); ++i)
      script += fmt::format(", \\\n       file.'.dat' index {} using {} {}{}", i, view.points, with,
                            shade_look(i, curves.size()));
    // Where the base is at those times: one place, or as many as it moved to.
    for (std::size_t i = 0; i < curves.size(); ++i)
      if (i == 0 || curves[i].points.front() != curves[i - 1].points.front())
        script +=
            fmt::format(", \\\n       file.'.dat' index {} using {} every ::0::0 with points {}", i,
                        view.base, pivot_look);
    script += "\n";
  }
  script += fmt::format(R"(
  # The legend.
  unset label; unset arrow; unset xlabel; unset ylabel; unset tics; unset border; unset grid
  set lmargin at screen 0.02; set rmargin at screen 0.98
  set bmargin at screen {:.3f}; set tmargin at screen {:.3f}
  set key center center horizontal maxcols {} Left reverse noenhanced samplen 3
)",
                        legend_bottom / page.height, legend_top / page.height, columns);
  for (std::size_t i = 0; i < notes.size(); ++i)
    script += fmt::format(
        "  set label {0} note_{0} at screen 0.015, {1:.4f} noenhanced font ',11' "
        "textcolor rgb '#555555'\n",
        i + 1, (21.0 * static_cast<double>(notes.size() - i) - 6) / page.height);
  script += "  plot NaN notitle";
  for (std::size_t i = 0; i < curves.size(); ++i)
    script += fmt::format(", \\\n       keyentry with lines {} title label_{}",
                          shade_look(i, curves.size()), i + 1);
  script += fmt::format(
      ", \\\n       keyentry with points {} title 'base'\n  unset multiplot\n  unset output\n}}\n",
      pivot_look);
  return draw_by_gnuplot(directory, plot.stem, data_text(curves, true), script);
}

}  // namespace hamel::io
