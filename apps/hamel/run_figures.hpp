// The figures of one or several recordings of a system: the path in space, and the error of each
// invariant against time.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hamel::app {

/// Draws into `folder` (path, length, energy, momentum_z, … as .svg and .png with their scripts);
/// returns the files. The recordings must be of the same system.
std::vector<std::filesystem::path> draw_recordings(const std::filesystem::path& folder,
                                                   const std::vector<std::filesystem::path>& files);

}  // namespace hamel::app
