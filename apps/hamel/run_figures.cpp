// SPDX-License-Identifier: BSD-3-Clause

#include "run_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hamel/core/error.hpp"
#include "hamel/recording/exports.hpp"
#include "motion_figures.hpp"

namespace hamel::app {

namespace {

constexpr std::int64_t path_rows = 360;  // more would only blacken the figure

io::PathPlot path_plot(std::vector<DrawnRecording>& recordings) {
  io::PathPlot plot;
  plot.stem = "path";
  plot.radius = io::rod_length(recordings.front().reader);
  plot.unit = "m";
  plot.title = "Path of the bob";
  double until = 0.0;
  for (auto& recording : recordings) {
    io::PathCurve curve;
    curve.label = recording.method;
    const double radius = io::rod_length(recording.reader);
    const std::int64_t rows = std::min(path_rows, recording.rows);
    const std::vector<double> q = recording.reader.read("/q", 0, rows);
    for (std::size_t at = 0; at + 2 < q.size(); at += 3) {
      curve.x.push_back(radius * q[at]);
      curve.y.push_back(radius * q[at + 1]);
      curve.z.push_back(radius * q[at + 2]);
    }
    until = std::max(until, recording.reader.read("/t", rows - 1, 1).front());
    plot.curves.push_back(std::move(curve));
  }
  plot.note = fmt::format("t = 0 to {:.4g} s.", until);
  return plot;
}

/// The paths of all unit vectors of one recording, on the unit sphere.
io::PathPlot spheres_plot(DrawnRecording& recording) {
  io::PathPlot plot;
  plot.stem = "paths";
  plot.title = recording.system + ": paths of the unit vectors, " + recording.method;
  const auto width = static_cast<std::size_t>(recording.width("/q"));
  if (width == 0 || width % 3 != 0)
    recording.refuse(fmt::format("/q has {} columns, not three for each sphere", width));
  // the more curves, the less of each can be followed
  const auto n = static_cast<std::int64_t>(std::min<std::size_t>(width / 3, 8));
  const std::int64_t rows = std::min(path_rows / n, recording.rows);
  const std::vector<double> q = recording.reader.read("/q", 0, rows);
  for (std::size_t i = 0; i < width; i += 3) {
    io::PathCurve curve;
    curve.label = fmt::format("q{}", i / 3 + 1);
    for (std::size_t at = i; at < q.size(); at += width) {
      curve.x.push_back(q[at]);
      curve.y.push_back(q[at + 1]);
      curve.z.push_back(q[at + 2]);
    }
    plot.curves.push_back(std::move(curve));
  }
  plot.note = fmt::format("t = 0 to {:.4g} s.", recording.reader.read("/t", rows - 1, 1).front());
  return plot;
}

constexpr std::int64_t shapes = 6;

/// Rows at equal distances, the first and the last among them.
std::vector<std::int64_t> shown_rows(const DrawnRecording& recording) {
  std::vector<std::int64_t> rows;
  const std::int64_t last = recording.rows - 1;
  for (std::int64_t i = 0; i < shapes; ++i) {
    const std::int64_t row = i * last / (shapes - 1);
    if (rows.empty() || row != rows.back()) rows.push_back(row);
  }
  return rows;
}

/// A chain at several times.
io::ShapePlot shape_plot(DrawnRecording& recording) {
  io::ShapePlot plot;
  plot.stem = "shape";
  plot.title = recording.system + ": shape of the chain, " + recording.method;
  plot.unit = "m";
  const std::vector<double> lengths = io::link_lengths(recording.reader);
  if (lengths.empty()) recording.refuse("has empty link_lengths");
  const bool moving = recording.width("/base") == 3;
  for (const std::int64_t row : shown_rows(recording)) {
    const std::vector<double> q = recording.reader.read("/q", row, 1);
    const std::vector<double> base =
        moving ? recording.reader.read("/base", row, 1) : std::vector<double>(3);
    io::PathCurve curve{recording.time_label(row), {base[0]}, {base[1]}, {base[2]}};
    for (std::size_t i = 0; i + 2 < q.size(); i += 3) {
      const double l = lengths[i / 3];
      curve.x.push_back(curve.x.back() + l * q[i]);
      curve.y.push_back(curve.y.back() + l * q[i + 1]);
      curve.z.push_back(curve.z.back() + l * q[i + 2]);
    }
    plot.curves.push_back(std::move(curve));
  }
  return plot;
}

io::LinePlot error_plot(std::vector<DrawnRecording>& recordings, const io::Column& column) {
  const std::string name = column.path.substr(column.path.rfind('/') + 1);
  io::LinePlot plot;
  plot.stem = name;
  plot.log_y = true;
  plot.x_label = "time, s";
  // relative to the start where all have one to speak of; lengths are relative already
  const bool defect = column.unit == "1";
  const bool relative = !defect && std::ranges::all_of(recordings, [&](DrawnRecording& recording) {
    return std::fabs(recording.reader.read(column.path, 0, 1).front()) > 1e-9;
  });
  for (auto& recording : recordings) {
    io::Curve curve;
    curve.label = recording.method;
    curve.x = recording.column("/t");
    curve.y = recording.column(column.path);
    const double first = curve.y.front();
    const double scale = relative ? std::fabs(first) : 1.0;
    for (double& y : curve.y) y = std::fabs(y - (defect ? 0.0 : first)) / scale;
    plot.curves.push_back(std::move(curve));
  }
  const std::string what = name == "momentum_z" ? "vertical angular momentum" : name;
  plot.title = "Error of the " + what;
  plot.y_label = relative              ? "relative error"
                 : defect              ? "defect"
                 : column.unit.empty() ? "error"
                                       : "error, " + column.unit;
  return plot;
}

}  // namespace

void each_figure(const std::vector<std::filesystem::path>& files,
                 const std::function<void(const Figure&)>& show, const FigureRequest& request) {
  std::vector<DrawnRecording> recordings;
  for (const auto& file : files) {
    DrawnRecording recording(file, request.until);
    if (recording.rows < 2) continue;  // failed at once: nothing to draw
    if (!recordings.empty() && recording.system != recordings.front().system)
      throw InputError(file.string() + ": is of system " + recording.system + ", the first is of " +
                       recordings.front().system);
    recordings.push_back(std::move(recording));
  }
  if (recordings.empty()) throw InputError("no recording has two rows: nothing to draw");

  if (!request.show.empty()) {
    show(show_plot(recordings, request.show));
    return;
  }
  DrawnRecording& first = recordings.front();
  const auto& attributes = first.reader.attributes();
  if (attributes.contains("coordinates")) {
    if (has_plane(first)) show(plane_plot(recordings));
    show(motion_plot(recordings));
  } else if (attributes.contains("link_lengths")) {
    show(shape_plot(first));
    if (first.width("/tension") > 1) show(tension_plot(first, shown_rows(first)));
  } else if (first.width("/q") == 3) {
    show(path_plot(recordings));
  } else {
    show(spheres_plot(first));
  }
  for (const io::Column& column : first.reader.columns())
    if (column.path.starts_with("/invariants/")) show(error_plot(recordings, column));
}

std::vector<std::filesystem::path> draw_recordings(const std::filesystem::path& folder,
                                                   const std::vector<std::filesystem::path>& files,
                                                   const FigureRequest& request) {
  std::vector<std::filesystem::path> made;
  const auto draw_one = [&](const Figure& figure) {
    const auto drawn = std::visit([&](const auto& plot) { return io::draw(folder, plot); }, figure);
    made.insert(made.end(), drawn.begin(), drawn.end());
  };
  each_figure(files, draw_one, request);
  return made;
}

}  // namespace hamel::app
