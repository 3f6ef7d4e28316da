// SPDX-License-Identifier: BSD-3-Clause
// hamel export: a recording in the formats of other programs.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "console.hpp"
#include "execute.hpp"
#include "hamel/core/error.hpp"
#include "hamel/files/files.hpp"
#include "hamel/recording/exports.hpp"
#include "hamel/scenario/result.hpp"

namespace hamel::app {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t most_shapes = 1000;  // files; more than anybody looks through

/// Where the export goes: --out, else results/SCENARIO/STEM and the ending.
fs::path place_of(const Options& options, const io::RecordingReader& reader,
                  const std::string& ending) {
  const fs::path recording = options.files.front();
  if (!options.out)
    return results_folder(results_name(reader, recording)) / (io::plain_stem(recording) + ending);
  if (options.out->empty()) throw InputError("--out is empty; give a path");
  const fs::path place = *options.out;
  std::error_code ignored;
  if (fs::equivalent(place, recording, ignored))
    throw InputError(place.string() + " is the recording itself; the export needs another name");
  if (ending != "_vtk") io::output_place(place);  // what is no file is refused, with --force too
  const bool taken =
      fs::is_directory(place, ignored) ? !fs::is_empty(place, ignored) : fs::exists(place, ignored);
  if (taken && !options.force)
    throw IoError(place.string() + ": exists already; --force overwrites it");
  return place;
}

void report(const Options& options, const fs::path& file, std::int64_t rows) {
  if (options.json)
    fmt::print("{}\n",
               io::json_text({{"format_version", 1}, {"file", file.string()}, {"rows", rows}}));
  else
    fmt::print("{}\n", file.string());
}

void export_vtk(const Options& options, io::RecordingReader& reader) {
  io::check_vtk(reader);  // before making folders
  io::VtkOptions choice{options.every, options.every};
  if (options.every == 0) {
    choice.path_every = 1;
    choice.shape_every = std::max<std::int64_t>(1, (reader.rows() + most_shapes - 1) / most_shapes);
    if (choice.shape_every > 1)
      note(fmt::format("a shape every {} rows; --every N sets another number", choice.shape_every),
           options.quiet);
  }
  const fs::path folder = place_of(options, reader, "_vtk");
  const std::string stem = io::plain_stem(options.files.front());
  const io::VtkFiles made = io::write_vtk(reader, folder, stem, choice);
  if (options.json)
    fmt::print("{}\n", io::json_text({{"format_version", 1},
                                      {"file", made.collection.string()},
                                      {"path", made.path.string()},
                                      {"shapes", made.shapes}}));
  else
    fmt::print("{}\n{}\n", made.collection.string(), made.path.string());
}

}  // namespace

int export_command(const Options& options, const Registry&) {
  io::RecordingReader reader(options.files.front());
  if (reader.rows() == 0) throw InputError(options.files.front() + ": has no rows yet");
  const std::int64_t every = std::max<std::int64_t>(1, options.every);
  if (options.format == "vtk") {
    export_vtk(options, reader);
  } else if (options.format == "npz") {
    const fs::path file = place_of(options, reader, ".npz");
    report(options, file, io::write_npz(reader, file, every));
  } else if (options.out == "-") {
    if (options.json) throw InputError("--out - and --json: only one of them can have stdout");
    io::write_csv(reader, stdout, every);
  } else {
    const fs::path file = place_of(options, reader, ".csv");
    report(options, file, io::write_csv(reader, file, every));
  }
  return exit_ok;
}

}  // namespace hamel::app
