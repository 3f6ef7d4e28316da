// SPDX-License-Identifier: BSD-3-Clause
// What a scenario leaves to the program.
#pragma once

#include "hamel/scenario/scenario.hpp"

namespace hamel::io {

/// Where a row is long and nobody said how often to record: as often as 256 MB allow, with a note.
void choose_every(Scenario& scenario);

}  // namespace hamel::io
