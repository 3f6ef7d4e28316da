// SPDX-License-Identifier: BSD-3-Clause
// Points at which what must hold along all motions in a frame is looked at.
#pragma once

#include <vector>

#include "hamel/models/frame_model.hpp"

namespace hamel {

/// q and four points that admissible motions reach from there along random velocities; the way is
/// found in double with an error of 1e-10. The same points in every run.
std::vector<std::vector<double>> points_near(const FrameModel& model, const std::vector<double>& q);

}  // namespace hamel
