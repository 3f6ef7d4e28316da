// SPDX-License-Identifier: BSD-3-Clause
// Kernels of gauss for one instruction set, apart from those of lane_kernels.cpp; compiled as
// these.
#include "hamel/kernels/lanes/gauss_chain_lanes.hpp"
#include "hamel/kernels/lanes/gauss_field_lanes.hpp"

namespace hamel::lanes {
template hamel_lanes::GaussOutcome chain_momentum_gauss<4>(const hamel_lanes::GaussTask&) noexcept;
template hamel_lanes::GaussOutcome chain_momentum_gauss<8>(const hamel_lanes::GaussTask&) noexcept;
template hamel_lanes::GaussOutcome field_gauss<4>(const hamel_lanes::GaussTask&) noexcept;
template hamel_lanes::GaussOutcome field_gauss<8>(const hamel_lanes::GaussTask&) noexcept;
}  // namespace hamel::lanes
