// What built this library; part of every result and recording.
#pragma once

namespace hamel {

const char* version();   ///< e.g. "0.1.0"
const char* commit();    ///< short hash of the source, or "unknown"
const char* compiler();  ///< e.g. "GNU 12.2.0"

/// The instruction set of the kernels with lanes: "baseline", "avx2" or "avx512", the best that the
/// processor has, or the one that HAMEL_ISA in the environment names. Results do not depend on it,
/// except that `gauss` on chains and pendula rounds products and sums apart in the baseline.
const char* isa_path();
/// Doubles in one of its registers.
int isa_lanes();

}  // namespace hamel
