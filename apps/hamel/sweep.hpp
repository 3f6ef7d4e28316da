// SPDX-License-Identifier: BSD-3-Clause
// hamel sweep, and hamel resume of one.
#pragma once

#include "commands.hpp"
#include "hamel/recording/checkpoint.hpp"

namespace hamel::app {

/// What is said of a step that `accuracy` chose.
inline constexpr const char* one_step_for_all =
    "this step for all members: the error of one with other numbers may be larger";

/// Goes on with the sweep recorded in `file` after the checkpoint.
int resume_sweep(const Options&, const io::Scenario&, const std::string& file,
                 const io::Checkpoint&);

}  // namespace hamel::app
