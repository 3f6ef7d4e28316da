// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/kernels/lanes/lane_kernels.hpp"
#include "hamel/runs/version.hpp"

namespace hamel {

const char* isa_path() { return hamel_lanes::isa(); }
int isa_lanes() { return hamel_lanes::isa_lanes(); }

}  // namespace hamel
