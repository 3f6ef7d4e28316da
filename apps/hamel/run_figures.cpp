// SPDX-License-Identifier: BSD-3-Clause

#include "run_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "hamel/core/error.hpp"
#include "hamel/io/exports.hpp"
#include "hamel/io/recording.hpp"
#include "hamel/io/scenario.hpp"

namespace hamel::app {

namespace {

constexpr std::int64_t max_rows_read = 400'000;  // per column; longer recordings are strided
constexpr std::int64_t path_rows = 360;          // more would only blacken the figure

/// One recording opened for drawing. It may come from anywhere: whatever does not fit together is
/// an IoError.
struct Drawn {
  std::string name;
  io::RecordingReader reader;
  std::string method, system;
  std::int64_t stride, count;

  explicit Drawn(const std::filesystem::path& file) : name(file.string()), reader(file) {
    method = attribute("method");
    system = attribute("system");
    stride = std::max<std::int64_t>(1, reader.rows() / max_rows_read);
    count = (reader.rows() + stride - 1) / stride;
  }
  [[noreturn]] void refuse(const std::string& why) const { throw IoError(name + ": " + why); }
  const std::string& attribute(const std::string& key) const {
    const auto found = reader.attributes().find(key);
    if (found == reader.attributes().end())
      refuse("has no attribute '" + key + "'; not a run of hamel");
    return found->second;
  }
  std::vector<double> column(const std::string& path) {
    return reader.read(path, 0, count, stride);
  }
};

io::PathPlot path_plot(std::vector<Drawn>& recordings) {
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
    const std::int64_t rows = std::min(path_rows, recording.reader.rows());
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

/// Numbers of a column in each row; 0 where there is none.
int width_of(const io::RecordingReader& reader, std::string_view path) {
  for (const io::Column& column : reader.columns())
    if (column.path == path) return column.width;
  return 0;
}

/// The paths of all unit vectors of one recording, on the unit sphere.
io::PathPlot spheres_plot(Drawn& recording) {
  io::PathPlot plot;
  plot.stem = "paths";
  plot.title = recording.system + ": paths of the unit vectors, " + recording.method;
  const auto width = static_cast<std::size_t>(width_of(recording.reader, "/q"));
  if (width == 0 || width % 3 != 0)
    recording.refuse(fmt::format("/q has {} columns, not three for each sphere", width));
  // the more curves, the less of each can be followed
  const auto n = static_cast<std::int64_t>(std::min<std::size_t>(width / 3, 8));
  const std::int64_t rows = std::min(path_rows / n, recording.reader.rows());
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

/// A named quantity of a frame system along its recording: t, a coordinate, xi1, p2, …
std::vector<double> quantity(Drawn& recording, const std::vector<std::string>& coordinates,
                             const std::string& name) {
  if (name == "t") return recording.column("/t");
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
  const auto width = static_cast<std::size_t>(width_of(recording.reader, path));
  if (index >= width) recording.refuse("has no quantity '" + clipped(name) + "' to draw");
  const std::vector<double> all = recording.column(path);
  std::vector<double> one;
  for (std::size_t i = index; i < all.size(); i += width) one.push_back(all[i]);
  return one;
}

/// What a frame system shows: a path in the plane, or a quantity over time.
io::LinePlot motion_plot(std::vector<Drawn>& recordings) {
  const auto coordinates = io::attribute_list(recordings.front().reader, "coordinates");
  const auto figure = io::attribute_list(recordings.front().reader, "figure");
  if (figure.size() != 2)
    recordings.front().refuse("its attribute 'figure' does not name two quantities");
  io::LinePlot plot;
  plot.plane = figure[0] != "t";
  plot.stem = plot.plane ? "path" : "motion";
  plot.title = recordings.front().system + ": " +
               (plot.plane ? figure[1] + " over " + figure[0] : figure[1] + " over time");
  plot.x_label = plot.plane ? figure[0] : "time, s";
  plot.y_label = figure[1];
  for (auto& recording : recordings)
    plot.curves.push_back({recording.method, quantity(recording, coordinates, figure[0]),
                           quantity(recording, coordinates, figure[1])});
  return plot;
}

constexpr std::int64_t shapes = 6;

/// Rows at equal distances, the first and the last among them.
std::vector<std::int64_t> shown_rows(const io::RecordingReader& reader) {
  std::vector<std::int64_t> rows;
  const std::int64_t last = reader.rows() - 1;
  for (std::int64_t i = 0; i < shapes; ++i) {
    const std::int64_t row = i * last / (shapes - 1);
    if (rows.empty() || row != rows.back()) rows.push_back(row);
  }
  return rows;
}

std::string time_label(io::RecordingReader& reader, std::int64_t row) {
  return fmt::format("t = {:.4g} s", reader.read("/t", row, 1).front());
}

/// A chain at several times.
io::ShapePlot shape_plot(Drawn& recording) {
  io::ShapePlot plot;
  plot.stem = "shape";
  plot.title = recording.system + ": shape of the chain, " + recording.method;
  plot.unit = "m";
  const std::vector<double> lengths = io::link_lengths(recording.reader);
  if (lengths.empty()) recording.refuse("has empty link_lengths");
  const bool moving = width_of(recording.reader, "/base") == 3;
  for (const std::int64_t row : shown_rows(recording.reader)) {
    const std::vector<double> q = recording.reader.read("/q", row, 1);
    const std::vector<double> base =
        moving ? recording.reader.read("/base", row, 1) : std::vector<double>(3);
    io::PathCurve curve{time_label(recording.reader, row), {base[0]}, {base[1]}, {base[2]}};
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

/// The tension along a chain at several times.
io::LinePlot tension_plot(Drawn& recording) {
  io::LinePlot plot;
  plot.stem = "tension";
  plot.title = recording.system + ": tension along the chain, " + recording.method;
  plot.x_label = "link";
  plot.y_label = "tension, N";
  for (const std::int64_t row : shown_rows(recording.reader)) {
    io::Curve curve{
        time_label(recording.reader, row), {}, recording.reader.read("/tension", row, 1)};
    for (std::size_t i = 0; i < curve.y.size(); ++i) curve.x.push_back(static_cast<double>(i + 1));
    plot.curves.push_back(std::move(curve));
  }
  plot.whole_x = true;
  plot.points = plot.curves.front().x.size() <= 20;
  plot.note = "Positive: the link is pulled. Negative: it is pushed; a cable would be slack.";
  return plot;
}

io::LinePlot error_plot(std::vector<Drawn>& recordings, const io::Column& column) {
  const std::string name = column.path.substr(column.path.rfind('/') + 1);
  io::LinePlot plot;
  plot.stem = name;
  plot.log_y = true;
  plot.x_label = "time, s";
  // relative to the start where all have one to speak of; lengths are relative already
  const bool defect = column.unit == "1";
  const bool relative = !defect && std::ranges::all_of(recordings, [&](Drawn& recording) {
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
                 const std::function<void(const Figure&)>& show) {
  std::vector<Drawn> recordings;
  for (const auto& file : files) {
    Drawn recording(file);
    if (recording.reader.rows() < 2) continue;  // failed at once: nothing to draw
    if (!recordings.empty() && recording.system != recordings.front().system)
      throw InputError(file.string() + ": is of system " + recording.system + ", the first is of " +
                       recordings.front().system);
    recordings.push_back(std::move(recording));
  }
  if (recordings.empty()) throw InputError("no recording has two rows: nothing to draw");

  const auto& attributes = recordings.front().reader.attributes();
  if (attributes.contains("coordinates")) {
    show(motion_plot(recordings));
  } else if (attributes.contains("link_lengths")) {
    show(shape_plot(recordings.front()));
    if (width_of(recordings.front().reader, "/tension") > 1) show(tension_plot(recordings.front()));
  } else if (width_of(recordings.front().reader, "/q") == 3) {
    show(path_plot(recordings));
  } else {
    show(spheres_plot(recordings.front()));
  }
  for (const io::Column& column : recordings.front().reader.columns())
    if (column.path.starts_with("/invariants/")) show(error_plot(recordings, column));
}

std::vector<std::filesystem::path> draw_recordings(
    const std::filesystem::path& folder, const std::vector<std::filesystem::path>& files) {
  std::vector<std::filesystem::path> made;
  each_figure(files, [&](const Figure& figure) {
    const auto drawn = std::visit([&](const auto& plot) { return io::draw(folder, plot); }, figure);
    made.insert(made.end(), drawn.begin(), drawn.end());
  });
  return made;
}

}  // namespace hamel::app
