// SPDX-License-Identifier: BSD-3-Clause
// Files that the program writes: under which names, and how.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace hamel::io {

/// Where a file under the name `path` is to be written: there, or where a link leads to a file, at
/// that file, so that the link stays. Throws IoError where something else is there: a directory, a
/// device, a pipe, a link to one of them or to nothing.
std::filesystem::path output_place(const std::filesystem::path& path);

/// Puts a file with this text at output_place(path), complete or not at all. Throws IoError.
void write_file(const std::filesystem::path& path, std::string_view text);

/// The file's name without its last ending, as the name of a folder: never "." or "..", which
/// "..toml" and "...toml" would give; those keep their ending.
std::string plain_stem(const std::filesystem::path& path);

}  // namespace hamel::io
