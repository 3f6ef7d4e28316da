// SPDX-License-Identifier: BSD-3-Clause
// What built this library; part of every result and recording.
#pragma once

namespace hamel {

const char* version();   ///< e.g. "0.2.0"
const char* commit();    ///< short hash of the source, or "unknown"
const char* compiler();  ///< e.g. "GNU 12.2.0"

/// The instruction set of the kernels with lanes: "baseline", "avx2" or "avx512", the best that the
/// processor has, or the one that HAMEL_ISA in the environment names. Results do not depend on it.
const char* isa_path();
/// What the C library makes of sin, exp, pow, …, as a number of 8 hexadecimal digits: it has
/// variants of them by processor and version, whose last bits differ. Formulas in text and in the
/// catalogue call these, so runs go on bit by bit only where it is the same.
const char* mathematics();
/// Doubles in one of its registers.
int isa_lanes();

}  // namespace hamel
