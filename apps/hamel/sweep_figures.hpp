// Figures of sweeps.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "hamel/io/recording.hpp"

namespace hamel::app {

bool is_sweep(const io::RecordingReader&);

/// A map over the first two numbers that vary, or a plot over the only one: of the quantity, e.g.
/// drift/energy or final/q[2]; without one, of the drift of the energy and of a final value.
std::vector<std::filesystem::path> draw_sweep(const std::filesystem::path& folder,
                                              const std::filesystem::path& recording,
                                              const std::optional<std::string>& quantity);

}  // namespace hamel::app
