// SPDX-License-Identifier: BSD-3-Clause
// The figures of one or several recordings of a system: the path in space, and the error of each
// invariant against time.
#pragma once

#include <filesystem>
#include <functional>
#include <variant>
#include <vector>

#include "hamel/io/figures.hpp"

namespace hamel::app {

using Figure = std::variant<io::LinePlot, io::PathPlot, io::ShapePlot>;

/// Shows one figure after the other. Throws IoError where a file is no recording, or not one of a
/// run, and InputError where the recordings are of different systems or there is nothing to draw.
void each_figure(const std::vector<std::filesystem::path>& files,
                 const std::function<void(const Figure&)>& show);

/// Draws into `folder` (path, length, energy, momentum_z, … as .svg and .png with their scripts);
/// returns the files. The recordings must be of the same system.
std::vector<std::filesystem::path> draw_recordings(const std::filesystem::path& folder,
                                                   const std::vector<std::filesystem::path>& files);

}  // namespace hamel::app
