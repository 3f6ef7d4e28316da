// SPDX-License-Identifier: BSD-3-Clause
// Drawing by gnuplot: texts that it takes literally, and a run of it that leaves all files or none.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace hamel::io::detail {

/// `text` on one line, fit for XML: control characters become blanks, stray bytes U+FFFD.
std::string printable(std::string_view text);

/// An expression of gnuplot that is this text, whatever is in it.
std::string gnuplot_string(std::string_view text);

/// Characters (not bytes) of UTF-8 text.
std::size_t width(std::string_view text);

/// Words of `text` in lines of at most `columns` characters, where the words allow it.
std::vector<std::string> wrapped(std::string_view text, std::size_t columns);

/// Writes STEM.dat and STEM.gp, runs the script, which makes ./STEM.svg and ./STEM.png from
/// ./STEM.dat in its working folder, and moves the four files into `directory`; returns the last
/// two. Throws InputError (a stem that is not a file name) and IoError; then no file is new.
std::vector<std::filesystem::path> draw_by_gnuplot(const std::filesystem::path& directory,
                                                   const std::string& stem, std::string_view data,
                                                   std::string_view script);

}  // namespace hamel::io::detail
