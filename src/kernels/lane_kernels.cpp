// SPDX-License-Identifier: BSD-3-Clause
// The kernels with lanes for one instruction set. Compiled once for each, with
// -Dhamel=hamel_HAMEL_ISA and the compiler's options for it (cmake/HamelLanes.cmake).
#include "hamel/kernels/lanes/lane_kernels.hpp"

// Those of gauss_kernels.cpp: what the compiler inlines into one kernel depends on how large all of
// a file are, and chains would take a fifth longer.
namespace hamel::lanes {
extern template hamel_lanes::GaussOutcome chain_momentum_gauss<4>(
    const hamel_lanes::GaussTask&) noexcept;
extern template hamel_lanes::GaussOutcome chain_momentum_gauss<8>(
    const hamel_lanes::GaussTask&) noexcept;
extern template hamel_lanes::GaussOutcome field_gauss<4>(const hamel_lanes::GaussTask&) noexcept;
extern template hamel_lanes::GaussOutcome field_gauss<8>(const hamel_lanes::GaussTask&) noexcept;
}  // namespace hamel::lanes

#define HAMEL_NAME_OF(isa) kernels_##isa
#define HAMEL_NAME(isa) HAMEL_NAME_OF(isa)
#define HAMEL_TEXT_OF(isa) #isa
#define HAMEL_TEXT(isa) HAMEL_TEXT_OF(isa)

namespace hamel_lanes {

extern const Kernels HAMEL_NAME(HAMEL_ISA);
constinit const Kernels HAMEL_NAME(HAMEL_ISA) = hamel::lanes::compiled(HAMEL_TEXT(HAMEL_ISA));

}  // namespace hamel_lanes
