// SPDX-License-Identifier: BSD-3-Clause
// VTK's XML files: PolyData (.vtp) with base64 numbers, and collections (.pvd) that give them
// times.
//
// A number array is base64 of [u64 bytes][values], one stream (VTK File Formats, "XML File
// Formats": header_type UInt64, no compressor).
#include <fmt/format.h>

#include <array>
#include <system_error>

#include "export_slices.hpp"
#include "hamel/files/output_file.hpp"
#include "hamel/recording/exports.hpp"
#include "recorded_geometry.hpp"

namespace hamel::io {

namespace fs = std::filesystem;

namespace {

using detail::OutputFile;
using detail::RecordedGeometry;
using detail::Slices;

/// Bytes as base64 text, as they come.
class Base64 {
 public:
  explicit Base64(OutputFile& file) : file_(file) {}

  void add(std::span<const std::byte> bytes) {
    for (const std::byte b : bytes) {
      group_ = group_ << 8U | std::to_integer<std::uint32_t>(b);
      if (++held_ == 3) put(4);
    }
    file_.write(text_);
    text_.clear();
  }
  template <class T>
  void number(T value) {
    add(std::as_bytes(std::span(&value, 1)));
  }
  void finish() {
    if (held_ > 0) {
      const int letters = held_ + 1;
      group_ <<= 8U * static_cast<unsigned>(3 - held_);
      put(letters);
      text_.append(static_cast<std::size_t>(4 - letters), '=');
    }
    file_.write(text_);
    text_.clear();
  }

 private:
  void put(int letters) {
    constexpr std::string_view alphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int i = 0; i < letters; ++i)
      text_ += alphabet[group_ >> static_cast<unsigned>(18 - 6 * i) & 63U];
    group_ = 0;
    held_ = 0;
  }

  OutputFile& file_;
  std::string text_;
  std::uint32_t group_ = 0;
  int held_ = 0;
};

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&')
      safe += "&amp;";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '"')
      safe += "&quot;";
    else
      safe += c;
  }
  return safe;
}

/// An array of `count` numbers, handed over by fill(Base64&).
template <class T, class Fill>
void data_array(OutputFile& file, const std::string& name, int components, std::int64_t count,
                Fill&& fill) {
  file.write(
      fmt::format(R"(<DataArray type="{}" Name="{}" NumberOfComponents="{}" format="binary">)",
                  std::is_same_v<T, double> ? "Float64" : "Int64", escaped(name), components));
  Base64 out(file);
  out.number(static_cast<std::uint64_t>(count) * sizeof(T));
  fill(out);
  out.finish();
  file.write("</DataArray>\n");
}
template <class T>
void data_array(OutputFile& file, const std::string& name, int components,
                const std::vector<T>& values) {
  data_array<T>(file, name, components, std::ssize(values),
                [&](Base64& out) { out.add(std::as_bytes(std::span(values))); });
}

void open_piece(OutputFile& file, std::int64_t points, std::int64_t verts, std::int64_t lines) {
  file.write(fmt::format(R"(<Piece NumberOfPoints="{}" NumberOfVerts="{}" NumberOfLines="{}" )"
                         R"(NumberOfStrips="0" NumberOfPolys="0">)"
                         "\n",
                         points, verts, lines));
}

constexpr std::string_view opening =
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
    "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n";
constexpr std::string_view closing = "</Piece>\n</PolyData>\n</VTKFile>\n";

/// Lines or Verts of a piece that fits into memory.
void cells(OutputFile& file, const char* kind, const std::vector<std::vector<std::int64_t>>& list) {
  std::vector<std::int64_t> connectivity;
  std::vector<std::int64_t> offsets;
  for (const auto& cell : list) {
    connectivity.insert(connectivity.end(), cell.begin(), cell.end());
    offsets.push_back(std::ssize(connectivity));
  }
  file.write(fmt::format("<{}>\n", kind));
  data_array(file, "connectivity", 1, connectivity);
  data_array(file, "offsets", 1, offsets);
  file.write(fmt::format("</{}>\n", kind));
}

struct Scene {
  RecordingReader& reader;
  RecordedGeometry geometry;
  std::vector<Column> scalars;  // /invariants/…
  std::vector<std::string> coordinates;
  int q_width = 0;
  int tension_width = 0;

  explicit Scene(RecordingReader& from)
      : reader(from), geometry(from), coordinates(attribute_list(from, "coordinates")) {
    for (const auto& column : from.columns()) {
      if (column.path.starts_with("/invariants/")) scalars.push_back(column);
      if (column.path == "/q") q_width = column.width;
      if (column.path == "/tension") tension_width = column.width;
    }
  }
  std::vector<double> base_of(const Slices& slices, std::int64_t first, std::int64_t rows) const {
    return geometry.has_base() ? slices.read("/base", first, rows) : std::vector<double>();
  }
};

std::string short_name(const Column& column) {
  return column.path.substr(column.path.rfind('/') + 1);
}

/// The tension at a point of a chain is that of the link which ends there, at the base that of the
/// first one.
std::vector<double> tension_at_points(const double* tension, std::size_t links) {
  std::vector<double> values(links + 1, tension[0]);
  std::copy_n(tension, links, values.begin() + 1);
  return values;
}

/// One shape, its tensions (of a chain) and coordinates (in a frame).
void write_shape(const Scene& scene, const fs::path& path, double t, const std::vector<double>& xyz,
                 const std::vector<double>& tension, std::span<const double> coordinates,
                 std::span<const double> invariants) {
  OutputFile file(path);
  file.write(opening);
  file.write("<FieldData>\n");
  const auto field = [&](const std::string& name, double value) {
    file.write(fmt::format(
        R"(<DataArray type="Float64" Name="{}" NumberOfTuples="1" format="ascii">{:.17g}</DataArray>)"
        "\n",
        escaped(name), value));
  };
  field("TimeValue", t);
  for (std::size_t i = 0; i < invariants.size(); ++i)
    field(short_name(scene.scalars[i]), invariants[i]);
  file.write("</FieldData>\n");
  const auto& lines = scene.geometry.lines();
  open_piece(file, scene.geometry.points(), lines.empty() ? 1 : 0, std::ssize(lines));
  file.write("<PointData>\n");
  if (!tension.empty()) data_array(file, "tension", 1, tension);
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    data_array(file, scene.coordinates[i], 1, std::vector<double>{coordinates[i]});
  file.write("</PointData>\n<Points>\n");
  data_array(file, "points", 3, xyz);
  file.write("</Points>\n");
  if (lines.empty())
    cells(file, "Verts", {{0}});
  else
    cells(file, "Lines", lines);
  file.write(closing);
  file.finish();
}

/// The paths of the tracked points; point i of path k is number i·tracked + k.
void write_path(const Scene& scene, const fs::path& path, std::int64_t every) {
  const Slices slices(scene.reader, every);
  const auto& geometry = scene.geometry;
  const std::int64_t tracked = geometry.tracked();
  const std::int64_t points = slices.count * tracked;
  OutputFile file(path);
  file.write(opening);
  open_piece(file, points, 0, tracked);
  file.write("<PointData>\n");
  const auto scalar = [&](const std::string& name, const std::string& column, int width, int at) {
    data_array<double>(file, name, 1, points, [&](Base64& out) {
      slices.each(width * tracked, [&](std::int64_t first, std::int64_t rows) {
        const auto values = slices.read(column, first, rows);
        for (std::int64_t i = 0; i < rows; ++i)
          for (std::int64_t k = 0; k < tracked; ++k)
            out.number(values[static_cast<std::size_t>(i * width + at)]);
      });
    });
  };
  scalar("t", "/t", 1, 0);
  for (const auto& column : scene.scalars) scalar(short_name(column), column.path, 1, 0);
  for (std::size_t i = 0; i < scene.coordinates.size(); ++i)
    scalar(scene.coordinates[i], "/q", scene.q_width, static_cast<int>(i));
  file.write("</PointData>\n<Points>\n");
  data_array<double>(file, "points", 3, 3 * points, [&](Base64& out) {
    std::vector<double> xyz(3 * static_cast<std::size_t>(geometry.points()));
    const auto width = static_cast<std::size_t>(scene.q_width);
    slices.each(scene.q_width, [&](std::int64_t first, std::int64_t rows) {
      const auto q = slices.read("/q", first, rows);
      const auto base = scene.base_of(slices, first, rows);
      for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
        geometry.place(std::span(q).subspan(i * width, width),
                       base.empty() ? nullptr : &base[3 * i], xyz.data());
        out.add(std::as_bytes(
            std::span(xyz).subspan(3 * static_cast<std::size_t>(geometry.first_tracked()))));
      }
    });
  });
  file.write("</Points>\n<Lines>\n");
  data_array<std::int64_t>(file, "connectivity", 1, points, [&](Base64& out) {
    for (std::int64_t k = 0; k < tracked; ++k)
      for (std::int64_t i = 0; i < slices.count; ++i) out.number(i * tracked + k);
  });
  data_array<std::int64_t>(file, "offsets", 1, tracked, [&](Base64& out) {
    for (std::int64_t k = 1; k <= tracked; ++k) out.number(k * slices.count);
  });
  file.write("</Lines>\n");
  file.write(closing);
  file.finish();
}

/// Whether a file is one that an export of this stem makes.
bool is_ours(const std::string& name, const std::string& stem) {
  if (name == stem + ".pvd" || name == stem + "_path.vtp") return true;
  if (!name.starts_with(stem + "_") || !name.ends_with(".vtp")) return false;
  const std::string middle = name.substr(stem.size() + 1, name.size() - stem.size() - 5);
  return middle.size() >= 6 && middle.find_first_not_of("0123456789") == std::string::npos;
}

void remove_old(const fs::path& folder, const std::string& stem) {
  std::error_code error;
  std::vector<fs::path> old;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (is_ours(entry.path().filename().string(), stem)) old.push_back(entry.path());
  for (const auto& path : old)
    if (!fs::remove(path, error))
      throw IoError(path.string() + ": cannot be replaced: " + error.message());
}

/// The shapes, row by row; returns the entries of the collection.
std::string write_shapes(const Scene& scene, const fs::path& folder, const std::string& stem,
                         const Slices& slices) {
  std::string collection;
  const auto width = static_cast<std::size_t>(scene.q_width);
  const auto links = static_cast<std::size_t>(scene.tension_width);
  std::vector<double> xyz(3 * static_cast<std::size_t>(scene.geometry.points()));
  slices.each(2 * scene.q_width, [&](std::int64_t first, std::int64_t rows) {
    const auto t = slices.read("/t", first, rows);
    const auto q = slices.read("/q", first, rows);
    const auto base = scene.base_of(slices, first, rows);
    const auto tension = links > 0 ? slices.read("/tension", first, rows) : std::vector<double>();
    std::vector<std::vector<double>> scalars;
    for (const auto& column : scene.scalars)
      scalars.push_back(slices.read(column.path, first, rows));
    for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
      const auto row = std::span(q).subspan(i * width, width);
      scene.geometry.place(row, base.empty() ? nullptr : &base[3 * i], xyz.data());
      std::vector<double> invariants;
      for (const auto& values : scalars) invariants.push_back(values[i]);
      const std::string name =
          fmt::format("{}_{:06}.vtp", stem, first + static_cast<std::int64_t>(i));
      write_shape(scene, folder / name, t[i], xyz,
                  links > 0 && scene.geometry.is_chain()
                      ? tension_at_points(&tension[i * links], links)
                      : std::vector<double>(),
                  scene.coordinates.empty() ? std::span<const double>() : row, invariants);
      collection +=
          fmt::format("<DataSet timestep=\"{:.17g}\" group=\"\" part=\"0\" file=\"{}\"/>\n", t[i],
                      escaped(name));
    }
  });
  return collection;
}

}  // namespace

void check_vtk(const RecordingReader& reader) { const RecordedGeometry check(reader); }

VtkFiles write_vtk(RecordingReader& reader, const fs::path& folder, const std::string& stem,
                   const VtkOptions& options) {
  const Scene scene(reader);
  const Slices slices(reader, options.shape_every);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw IoError(folder.string() + ": cannot be created: " + error.message());
  remove_old(folder, stem);
  try {
    VtkFiles made{folder / (stem + ".pvd"), folder / (stem + "_path.vtp"), slices.count};
    const std::string collection = write_shapes(scene, folder, stem, slices);
    write_path(scene, made.path, options.path_every);
    OutputFile file(made.collection);  // last: it names the others
    file.write(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
        "byte_order=\"LittleEndian\">\n<Collection>\n");
    file.write(collection);
    file.write("</Collection>\n</VTKFile>\n");
    file.finish();
    return made;
  } catch (...) {
    try {
      remove_old(folder, stem);
    } catch (const IoError&) {  // NOLINT(bugprone-empty-catch): the first fault is what is told
    }
    throw;
  }
}

}  // namespace hamel::io
