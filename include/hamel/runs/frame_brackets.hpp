// SPDX-License-Identifier: BSD-3-Clause
// The brackets of a frame: whether they are its own, and what they are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hamel/models/frame_model.hpp"
#include "hamel/runs/problem.hpp"

namespace hamel {

/// Throws InputError where the brackets that the equations of motion use, given or found by
/// projection, are not those of the fields, at q or at points that admissible motions reach from
/// there. No effect where the Lagrangian is L(q, v), which needs none.
void check_brackets(const FrameModel& model, const std::vector<double>& q);

/// The brackets are known to be right for the nominal numbers of the parameters. Where they are not
/// for others too, the parameters in them, and in the fields, keep these.
void pin_brackets(FrameModel& model, const std::vector<double>& q);

/// What check_brackets cannot decide for brackets that it accepts; "" where it decides all.
std::string bracket_remark(const FrameModel& model, const std::vector<double>& q);

/// c_ij^k at q; nothing where the fields, dependent, do not determine them and none are given.
std::optional<FrameBrackets> bracket_values(const FrameModel& model, const std::vector<double>& q);

}  // namespace hamel
