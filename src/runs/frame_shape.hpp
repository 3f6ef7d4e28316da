// SPDX-License-Identifier: BSD-3-Clause
// Which coordinates of a frame system matter, and where its configurations can go.
#pragma once

#include "hamel/models/frame_model.hpp"

namespace hamel {

struct FrameShape {
  /// One for each coordinate: true for the shape r, the smallest set that the equations for ξ̇ and
  /// for ṙ contain on the leaf through the start.
  std::vector<bool> in_shape;
  /// The frame's fields, then brackets of them until no new field appears: at every point they span
  /// what can be reached (Hermann and Nagano, for analytic fields).
  std::vector<Expressions> fields;
};

/// Probed numerically at points of the leaf near (q, ξ).
FrameShape frame_shape(const FrameModel& model, const std::vector<double>& q,
                       const std::vector<double>& xi);

}  // namespace hamel
