// SPDX-License-Identifier: BSD-3-Clause
// What a new recording must be: its columns, its attributes, its place. Read by people and by
// programs other than this one: the reasons must be plain.
#pragma once

#include <filesystem>
#include <vector>

#include "hamel/recording/recording.hpp"

namespace hamel::io::detail {

/// Throws InputError for names the recording uses itself and for texts HDF5 cannot hold.
void check_attributes(const Attributes& attributes);

/// Throws InputError with all that is wrong with them.
void check_new_recording(const std::vector<Column>& columns, const Attributes& attributes);

/// Throws IoError where its directory is none, or cannot be written to.
void check_place(const std::filesystem::path& path);

/// Throws IoError where something is there already that must not be overwritten.
void check_free(const std::filesystem::path& path, bool overwrite);

}  // namespace hamel::io::detail
