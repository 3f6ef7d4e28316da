// SPDX-License-Identifier: BSD-3-Clause
// Figures of what moves: all coordinates and quasi-velocities, a path in the plane, tensions, and
// the numbers that a user names.
#pragma once

#include "drawn_recording.hpp"
#include "hamel/figures/figures.hpp"

namespace hamel::app {

/// The two quantities that a frame system names as its path in the plane.
io::LinePlot plane_plot(std::vector<DrawnRecording>& recordings);
/// Does it name one?
bool has_plane(const DrawnRecording& recording);

/// Coordinates by kind and quasi-velocities of a frame system over time, and, of several methods,
/// how far each is from the one of the highest order.
io::MultiplesPlot motion_plot(std::vector<DrawnRecording>& recordings);

/// The tension along a chain at several times, and of some links over time.
io::MultiplesPlot tension_plot(DrawnRecording& recording, const std::vector<std::int64_t>& rows);

/// Panels of the numbers named: "q1,xi2" over time, "q1:xi1" the second over the first. Names are
/// those of `export --csv`. Throws InputError with the nearest name and the list.
io::MultiplesPlot show_plot(std::vector<DrawnRecording>& recordings, const std::string& asked);

}  // namespace hamel::app
