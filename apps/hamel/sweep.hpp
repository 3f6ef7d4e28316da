// hamel sweep, and hamel resume of one.
#pragma once

#include "commands.hpp"
#include "hamel/io/checkpoint.hpp"

namespace hamel::app {

/// Goes on with the sweep recorded in `file` after the checkpoint.
int resume_sweep(const Options&, const io::Scenario&, const std::string& file,
                 const io::Checkpoint&);

}  // namespace hamel::app
