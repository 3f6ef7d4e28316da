// SPDX-License-Identifier: BSD-3-Clause

#include "motion_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "hamel/core/error.hpp"
#include "hamel/recording/exports.hpp"

namespace hamel::app {

namespace {

using io::Curve;
using io::LinePlot;
using io::MultiplesPlot;

constexpr std::size_t most_coordinates = 12, most_velocities = 6;
/// A curve that turns more often is a band.
constexpr int most_turns = 60;

double span_of(const std::vector<double>& values) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double y : values) {
    if (!std::isfinite(y)) continue;
    low = std::min(low, y);
    high = std::max(high, y);
  }
  return high > low ? high - low : 0.0;
}

/// The number of points until the curve has turned most_turns times, by more than 2 % of its span.
std::size_t followable(const std::vector<double>& y) {
  const double threshold = 0.02 * span_of(y);
  if (!(threshold > 0)) return y.size();
  double extreme = y.front();
  double direction = 0;
  int turns = 0;
  for (std::size_t i = 1; i < y.size(); ++i) {
    const double way = y[i] - extreme;
    if (direction == 0 ? std::fabs(way) > threshold : direction * way > 0) {
      direction = way > 0 ? 1 : -1;
      extreme = y[i];
    } else if (direction * way < -threshold) {
      direction = -direction;
      extreme = y[i];
      if (++turns == most_turns) return i;
    }
  }
  return y.size();
}

/// Cuts all curves at the time until which each can be followed.
std::string cut_to_followable(const std::vector<LinePlot*>& panels) {
  double until = std::numeric_limits<double>::infinity(), last = 0;
  for (const LinePlot* panel : panels)
    for (const Curve& curve : panel->curves) {
      if (curve.x.empty()) continue;
      last = std::max(last, curve.x.back());
      const std::size_t points = followable(curve.y);
      if (points < curve.y.size()) until = std::min(until, curve.x[points]);
    }
  if (!(until < last)) return "";
  for (LinePlot* panel : panels)
    for (Curve& curve : panel->curves) {
      const auto points =
          static_cast<std::size_t>(std::ranges::upper_bound(curve.x, until) - curve.x.begin());
      curve.x.resize(points);
      curve.y.resize(std::min(points, curve.y.size()));
    }
  return fmt::format("Drawn: t = 0 to {:.4g} s of {:.4g} s.", until, last);
}

/// A named quantity of a frame system along its recording: t, a coordinate, xi1, p2, …
std::vector<double> quantity(DrawnRecording& recording, const std::string& name) {
  if (name == "t") return recording.column("/t");
  const auto coordinates = io::attribute_list(recording.reader, "coordinates");
  std::string path = "/q";
  std::size_t index = 0;
  const auto found = std::ranges::find(coordinates, name);
  if (found != coordinates.end()) {
    index = static_cast<std::size_t>(found - coordinates.begin());
  } else {
    const std::size_t digits = std::min(name.find_first_of("0123456789"), name.size());
    path = "/" + name.substr(0, digits);
    std::from_chars(name.data() + digits, name.data() + name.size(), index);
    --index;  // counted from 1; without a number: beyond any width
  }
  if (index >= static_cast<std::size_t>(recording.width(path)))
    recording.refuse("has no quantity '" + clipped(name) + "' to draw");
  return recording.component(path, index);
}

/// The unit of a coordinate; empty where the recording does not tell.
std::string unit_of(const DrawnRecording& recording, const std::string& name) {
  const auto coordinates = io::attribute_list(recording.reader, "coordinates");
  const auto units = io::attribute_list(recording.reader, "coordinate_units");
  const auto at =
      static_cast<std::size_t>(std::ranges::find(coordinates, name) - coordinates.begin());
  return at < units.size() && at < coordinates.size() ? units[at] : "";
}

std::vector<std::string> figure_of(const DrawnRecording& recording) {
  const auto figure = io::attribute_list(recording.reader, "figure");
  if (figure.size() != 2) recording.refuse("its attribute 'figure' does not name two quantities");
  return figure;
}

/// What coordinates of a unit are called, given the panels of all of them.
std::string kind_of(const std::string& unit, const std::vector<LinePlot>& panels) {
  if (unit == "rad") return "angles";
  if (unit == "m") return "lengths";
  bool small = unit == "1" && panels.size() > 1;
  for (const LinePlot& panel : panels)
    for (const Curve& curve : panel.curves)
      small = small && std::ranges::all_of(curve.y, [](double y) { return !(y * y > 1.0001); });
  return small ? "components of unit vectors" : "coordinates";
}

/// The claimed order, from "order 2, time-symmetric; …"; more than any for the closed solution.
int order_of(const DrawnRecording& recording) {
  if (recording.method == "exact") return 1000;
  const auto claims = recording.reader.attributes().find("method_claims");
  int order = 0;
  if (claims != recording.reader.attributes().end() && claims->second.starts_with("order "))
    std::from_chars(claims->second.data() + 6, claims->second.data() + claims->second.size(),
                    order);
  return order;
}

/// The largest differences of all curves of a kind from those of one method, over time.
LinePlot difference_plot(const std::vector<LinePlot>& panels, std::size_t best,
                         const std::string& title) {
  LinePlot plot;
  plot.title = title;
  plot.x_label = "time, s";
  plot.log_y = true;
  const std::size_t methods = panels.front().curves.size();
  for (std::size_t k = 0; k < methods; ++k) {
    if (k == best) continue;
    const std::vector<double>& t = panels.front().curves[k].x;
    const std::vector<double>& t_best = panels.front().curves[best].x;
    const std::size_t points = std::min(t.size(), t_best.size());
    bool same_times = true;
    for (std::size_t i = 0; i < points && same_times; ++i)
      same_times = std::fabs(t[i] - t_best[i]) <= 1e-9 * (1 + std::fabs(t[i]));
    if (!same_times) continue;
    Curve curve{panels.front().curves[k].label,
                {t.begin(), t.begin() + static_cast<std::ptrdiff_t>(points)},
                std::vector<double>(points, 0.0)};
    for (const LinePlot& panel : panels)
      for (std::size_t i = 0; i < points; ++i)
        curve.y[i] =
            std::fmax(curve.y[i], std::fabs(panel.curves[k].y[i] - panel.curves[best].y[i]));
    plot.curves.push_back(std::move(curve));
  }
  return plot;
}

LinePlot over_time(std::vector<DrawnRecording>& recordings, const std::string& name,
                   const std::string& title) {
  LinePlot plot;
  plot.title = title;
  plot.x_label = "time, s";
  for (auto& recording : recordings)
    plot.curves.push_back({recording.method, recording.column("/t"), quantity(recording, name)});
  return plot;
}

/// A panel of a group is not blown up beyond 1/20 of what the others need.
void level(MultiplesPlot::Group& group) {
  double widest = 0;
  for (const LinePlot& panel : group.panels)
    for (const Curve& curve : panel.curves) widest = std::max(widest, span_of(curve.y));
  for (LinePlot& panel : group.panels) panel.y_least = 0.05 * widest;
}

}  // namespace

bool has_plane(const DrawnRecording& recording) { return figure_of(recording)[0] != "t"; }

LinePlot plane_plot(std::vector<DrawnRecording>& recordings) {
  const auto figure = figure_of(recordings.front());
  const std::string x_unit = unit_of(recordings.front(), figure[0]);
  const std::string y_unit = unit_of(recordings.front(), figure[1]);
  LinePlot plot;
  plot.stem = "path";
  plot.plane = true;
  plot.equal_axes = x_unit == y_unit;
  plot.title = recordings.front().system + ": " + figure[1] + " over " + figure[0];
  plot.x_label = labelled(figure[0], x_unit);
  plot.y_label = labelled(figure[1], y_unit);
  for (auto& recording : recordings)
    plot.curves.push_back(
        {recording.method, quantity(recording, figure[0]), quantity(recording, figure[1])});
  return plot;
}

MultiplesPlot motion_plot(std::vector<DrawnRecording>& recordings) {
  const DrawnRecording& first = recordings.front();
  const auto coordinates = io::attribute_list(first.reader, "coordinates");
  MultiplesPlot plot;
  plot.stem = "motion";
  plot.title = first.system + ": motion";
  if (recordings.size() == 1) plot.title += ", " + first.method;
  const std::size_t shown = std::min(coordinates.size(), most_coordinates);
  std::vector<std::string> units;
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string unit = unit_of(first, coordinates[i]);
    auto at = static_cast<std::size_t>(std::ranges::find(units, unit) - units.begin());
    if (at == units.size()) {
      units.push_back(unit);
      plot.groups.emplace_back();
    }
    plot.groups[at].panels.push_back(
        over_time(recordings, coordinates[i], labelled(coordinates[i], unit)));
  }
  MultiplesPlot::Group differences;
  if (recordings.size() > 1) {
    std::size_t best = 0;
    for (std::size_t k = 1; k < recordings.size(); ++k)
      if (order_of(recordings[k]) > order_of(recordings[best])) best = k;
    differences.title = "largest difference from " + recordings[best].method;
    for (std::size_t g = 0; g < plot.groups.size(); ++g)
      differences.panels.push_back(
          difference_plot(plot.groups[g].panels, best,
                          labelled(kind_of(units[g], plot.groups[g].panels), units[g])));
  }
  for (std::size_t g = 0; g < plot.groups.size(); ++g)
    plot.groups[g].title = kind_of(units[g], plot.groups[g].panels);
  const auto velocities = static_cast<std::size_t>(first.width("/xi"));
  MultiplesPlot::Group frame{"quasi-velocities", {}};
  for (std::size_t i = 1; i <= std::min(velocities, most_velocities); ++i)
    frame.panels.push_back(over_time(recordings, fmt::format("xi{}", i), fmt::format("xi{}", i)));
  if (!frame.panels.empty()) plot.groups.push_back(std::move(frame));
  std::vector<LinePlot*> panels;
  for (auto& group : plot.groups) {
    level(group);
    for (auto& panel : group.panels) panels.push_back(&panel);
  }
  plot.note = cut_to_followable(panels);
  if (!differences.panels.empty()) plot.groups.push_back(std::move(differences));
  const std::size_t left_out =
      coordinates.size() - shown + velocities - std::min(velocities, most_velocities);
  if (left_out > 0)
    plot.note +=
        fmt::format("{}{} more: hamel plot --show NAME.", plot.note.empty() ? "" : " ", left_out);
  return plot;
}

MultiplesPlot tension_plot(DrawnRecording& recording, const std::vector<std::int64_t>& rows) {
  MultiplesPlot plot;
  plot.stem = "tension";
  plot.title = recording.system + ": tension of the links, " + recording.method;
  plot.legends = true;
  plot.note = "Positive: the link is pulled. Negative: it is pushed; a cable would be slack.";
  const auto links = static_cast<std::size_t>(recording.width("/tension"));
  LinePlot along;
  along.title = "along the chain";
  along.x_label = "link";
  along.y_label = "tension, N";
  along.whole_x = along.shades = true;
  along.points = links <= 20;
  for (const std::int64_t row : rows) {
    Curve curve{recording.time_label(row), {}, recording.reader.read("/tension", row, 1)};
    for (std::size_t i = 1; i <= curve.y.size(); ++i) curve.x.push_back(static_cast<double>(i));
    along.curves.push_back(std::move(curve));
  }
  LinePlot over;
  over.title = "over time";
  over.x_label = "time, s";
  over.y_label = "tension, N";
  std::vector<std::size_t> some;
  if (links <= 4)
    for (std::size_t i = 0; i < links; ++i) some.push_back(i);
  else
    some = {0, links / 2, links - 1};
  const std::vector<double> t = recording.column("/t");
  for (const std::size_t i : some)
    over.curves.push_back({fmt::format("link {}", i + 1), t, recording.component("/tension", i)});
  if (links > 4) {
    auto least = recording.of_rows("/tension", [](std::span<const double> row) {
      return *std::min_element(row.begin(), row.end());
    });
    if (least != over.curves.back().y)  // else the last link says it
      over.curves.push_back({"least of all", t, std::move(least)});
  }
  if (const std::string cut = cut_to_followable({&over}); !cut.empty())
    plot.note += " Over time: " + cut;
  if (links > 2) plot.groups.push_back({"", {along}});
  plot.groups.push_back({"", {over}});
  return plot;
}

}  // namespace hamel::app
