// SPDX-License-Identifier: BSD-3-Clause
// Figures of sweeps.
#pragma once

#include <filesystem>
#include <vector>

#include "commands.hpp"
#include "hamel/recording/recording.hpp"

namespace hamel::app {

bool is_sweep(const io::RecordingReader&);

/// A map over the first two numbers that vary, or those of --axes, or a plot over one: of
/// --quantity, e.g. drift/energy or final/q[2]; without it of the drift of the energy, of a final
/// value and, where members failed, of their status. A grid of more numbers is cut where --at says,
/// or in the middle of the others.
std::vector<std::filesystem::path> draw_sweep(const std::filesystem::path& folder,
                                              const std::filesystem::path& recording,
                                              const Options& options);

}  // namespace hamel::app
