#include "run_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "hamel/core/error.hpp"
#include "hamel/io/figures.hpp"
#include "hamel/io/recording.hpp"
#include "hamel/io/scenario.hpp"

namespace hamel::app {

namespace {

constexpr std::int64_t max_rows_read = 400'000;  // per column; longer recordings are strided
constexpr std::int64_t path_rows = 360;          // more would only blacken the figure

/// One recording opened for drawing.
struct Drawn {
  io::RecordingReader reader;
  std::string method, system;
  std::int64_t stride, count;

  explicit Drawn(const std::filesystem::path& file) : reader(file) {
    const auto attribute = [&](const char* key) {
      const auto found = reader.attributes().find(key);
      if (found == reader.attributes().end())
        throw IoError(file.string() + ": has no attribute '" + key + "'; not a run of hamel");
      return found->second;
    };
    method = attribute("method");
    system = attribute("system");
    stride = std::max<std::int64_t>(1, reader.rows() / max_rows_read);
    count = (reader.rows() + stride - 1) / stride;
  }
  std::vector<double> column(const std::string& path) {
    return reader.read(path, 0, count, stride);
  }
};

/// The number after `length = ` in the recorded scenario; 1 where there is none.
double rod_length(const io::RecordingReader& reader) {
  const auto found = reader.attributes().find("scenario");
  if (found == reader.attributes().end()) return 1.0;
  const std::size_t at = found->second.find("\nlength = ");
  return at == std::string::npos ? 1.0 : std::stod(found->second.substr(at + 10));
}

io::PathPlot path_plot(std::vector<Drawn>& recordings) {
  io::PathPlot plot;
  plot.stem = "path";
  plot.radius = rod_length(recordings.front().reader);
  plot.unit = "m";
  plot.title = "Path of the bob";
  double until = 0.0;
  for (auto& recording : recordings) {
    io::PathCurve curve;
    curve.label = recording.method;
    const double radius = rod_length(recording.reader);
    const std::int64_t rows = std::min(path_rows, recording.reader.rows());
    const std::vector<double> q = recording.reader.read("/q", 0, rows);
    for (std::int64_t i = 0; i < rows; ++i) {
      const auto at = static_cast<std::size_t>(3 * i);
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
  // the more curves, the less of each can be followed
  const int n = std::min(width_of(recording.reader, "/q") / 3, 8);
  const std::int64_t rows = std::min(path_rows / n, recording.reader.rows());
  const std::vector<double> q = recording.reader.read("/q", 0, rows);
  const std::size_t width = q.size() / static_cast<std::size_t>(rows);
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

/// Splits at commas.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c == ',')
      words.emplace_back();
    else
      words.back() += c;
  }
  return words;
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
    const std::size_t digits = name.find_first_of("0123456789");
    path = "/" + name.substr(0, digits);
    index = std::stoul(name.substr(digits)) - 1;
  }
  const std::vector<double> all = recording.column(path);
  const std::size_t width = all.size() / static_cast<std::size_t>(recording.count);
  std::vector<double> one;
  for (std::size_t i = index; i < all.size(); i += width) one.push_back(all[i]);
  return one;
}

/// What a frame system shows: a path in the plane, or a quantity over time.
io::LinePlot motion_plot(std::vector<Drawn>& recordings) {
  const auto& attributes = recordings.front().reader.attributes();
  const auto coordinates = words_of(attributes.at("coordinates"));
  const auto figure = words_of(attributes.at("figure"));
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
  const auto lengths = words_of(recording.reader.attributes().at("link_lengths"));
  const bool moving = width_of(recording.reader, "/base") == 3;
  for (const std::int64_t row : shown_rows(recording.reader)) {
    const std::vector<double> q = recording.reader.read("/q", row, 1);
    const std::vector<double> base =
        moving ? recording.reader.read("/base", row, 1) : std::vector<double>(3);
    io::PathCurve curve{time_label(recording.reader, row), {base[0]}, {base[1]}, {base[2]}};
    for (std::size_t i = 0; i + 2 < q.size(); i += 3) {
      const double l = std::stod(lengths.size() > 1 ? lengths[i / 3] : lengths[0]);
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

std::vector<std::filesystem::path> draw_recordings(
    const std::filesystem::path& folder, const std::vector<std::filesystem::path>& files) {
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

  std::vector<std::filesystem::path> made;
  const auto keep = [&](const std::vector<std::filesystem::path>& files_made) {
    made.insert(made.end(), files_made.begin(), files_made.end());
  };
  const auto& attributes = recordings.front().reader.attributes();
  if (attributes.contains("coordinates")) {
    keep(io::draw(folder, motion_plot(recordings)));
  } else if (attributes.contains("link_lengths")) {
    keep(io::draw(folder, shape_plot(recordings.front())));
    if (width_of(recordings.front().reader, "/tension") > 1)
      keep(io::draw(folder, tension_plot(recordings.front())));
  } else if (width_of(recordings.front().reader, "/q") == 3) {
    keep(io::draw(folder, path_plot(recordings)));
  } else {
    keep(io::draw(folder, spheres_plot(recordings.front())));
  }
  for (const io::Column& column : recordings.front().reader.columns())
    if (column.path.starts_with("/invariants/"))
      keep(io::draw(folder, error_plot(recordings, column)));
  return made;
}

}  // namespace hamel::app
