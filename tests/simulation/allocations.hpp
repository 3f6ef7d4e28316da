// SPDX-License-Identifier: BSD-3-Clause
// Counts what a step must not do: every allocation of this thread, whatever makes it. Programs that
// link allocations.cpp have malloc and its relatives replaced; operator new, aligned or not, ends
// there too.
#pragma once

#include <cstddef>

namespace hamel {

/// Allocations of this thread so far.
std::size_t allocations();

/// False in programs with sanitizers, which replace the allocator themselves.
bool allocations_are_counted();

}  // namespace hamel
