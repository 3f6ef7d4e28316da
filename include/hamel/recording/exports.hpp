// SPDX-License-Identifier: BSD-3-Clause
// Recordings in the formats of other programs: CSV (spreadsheets, anything), NPZ (numpy), VTK
// (ParaView).
//
// Rows 0, every, 2·every, … are written, read in slices: memory does not grow with the recording.
// Files are made beside their place and put there when complete. All functions throw IoError where
// a file cannot be read or written, InputError where the recording has nothing to write.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "hamel/recording/recording.hpp"

namespace hamel::io {

/// What a number of a row is called and measured in; no unit where the recording knows none.
struct ValueName {
  std::string name, unit;
};

/// The names of all numbers of a row, in order: t; q1 q2 q3 on one sphere,
/// q1_1 q1_2 q1_3 q2_1 … (sphere, component) on several; the coordinates' own names in a frame;
/// xi1, p1, tension1, …; energy and the other invariants; iterations. A name that would occur twice
/// gets its group in front: q_energy, invariants_energy.
/// coordinates: of a system in a frame, else empty.
std::vector<ValueName> value_names(const std::vector<Column>& columns,
                                   const std::vector<std::string>& coordinates);

/// The same of a recording.
std::vector<ValueName> value_names(const RecordingReader& reader);

/// The length of a single pendulum's rod, m, from the recorded scenario; 1 where there is none.
double rod_length(const RecordingReader& reader);

/// The lengths of a chain's links, m, one for each of the unit vectors in /q; empty where the
/// system is no chain. Throws IoError where they do not fit.
std::vector<double> link_lengths(const RecordingReader& reader);

/// The texts of a list that an attribute holds, split at commas.
std::vector<std::string> attribute_list(const RecordingReader& reader, const std::string& name);

/// A line "t [s],q1 [1],…", then one line a row; numbers of 17 digits, which read back exactly.
/// Returns the number of rows.
std::int64_t write_csv(RecordingReader& reader, const std::filesystem::path& path,
                       std::int64_t every);
std::int64_t write_csv(RecordingReader& reader, std::FILE* out, std::int64_t every);

/// One array of doubles a dataset, [rows] or [rows, width], named by its path without the leading
/// slash: numpy.load(path)["invariants/energy"]. Not compressed; zip64, so of any size.
std::int64_t write_npz(RecordingReader& reader, const std::filesystem::path& path,
                       std::int64_t every);

struct VtkOptions {
  std::int64_t path_every = 1;   ///< rows of the path
  std::int64_t shape_every = 1;  ///< rows with a shape, each a file of its own
};
struct VtkFiles {
  std::filesystem::path collection;  ///< STEM.pvd: the shapes with their times
  std::filesystem::path path;        ///< STEM_path.vtp
  std::int64_t shapes = 0;
};

/// STEM.pvd and STEM_000000.vtp, …: a chain's polyline with its tensions, the rods from the centre
/// to q_i of other systems on spheres, the point (x, y, z) of a system in a frame that has such
/// coordinates. STEM_path.vtp: the path of a chain's tip, of the q_i, of the point, with t, the
/// invariants and the coordinates as point data. Old files of these names in the folder go.
VtkFiles write_vtk(RecordingReader& reader, const std::filesystem::path& folder,
                   const std::string& stem, const VtkOptions& options);

/// Throws InputError, with the reason, where the system has no place in space.
void check_vtk(const RecordingReader& reader);

}  // namespace hamel::io
