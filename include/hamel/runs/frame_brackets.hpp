// SPDX-License-Identifier: BSD-3-Clause
// Whether the brackets of a frame are its own.
#pragma once

#include <string>
#include <vector>

#include "hamel/models/frame_model.hpp"

namespace hamel {

/// Throws InputError where the brackets that the equations of motion use, given or found by
/// projection, are not those of the fields, at q or at points that admissible motions reach from
/// there. No effect where the Lagrangian is L(q, v), which needs none.
void check_brackets(const FrameModel& model, const std::vector<double>& q);

/// What check_brackets cannot decide for brackets that it accepts; "" where it decides all.
std::string bracket_remark(const FrameModel& model, const std::vector<double>& q);

}  // namespace hamel
