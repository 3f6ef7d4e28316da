// SPDX-License-Identifier: BSD-3-Clause
// The figures of one or several recordings of a system: how it moves, and the error of each
// invariant against time.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "hamel/figures/figures.hpp"

namespace hamel::app {

using Figure = std::variant<io::LinePlot, io::PathPlot, io::ShapePlot, io::MultiplesPlot>;

/// What of a recording is drawn; as it stands, all.
struct FigureRequest {
  std::string show;    ///< names of numbers, "q1,xi2" or "q1:xi1"; then they alone
  double until = 0.0;  ///< rows with t ≤ until; 0: all
};

/// Shows one figure after the other. Throws IoError where a file is no recording, or not one of a
/// run, and InputError where the recordings are of different systems or there is nothing to draw.
void each_figure(const std::vector<std::filesystem::path>& files,
                 const std::function<void(const Figure&)>& show, const FigureRequest& request = {});

/// Draws into `folder` (path, motion, length, energy, momentum_z, … as .svg and .png with their
/// scripts); returns the files. The recordings must be of the same system.
std::vector<std::filesystem::path> draw_recordings(const std::filesystem::path& folder,
                                                   const std::vector<std::filesystem::path>& files,
                                                   const FigureRequest& request = {});

}  // namespace hamel::app
