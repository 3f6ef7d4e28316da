// What built this library; part of every result and recording.
#pragma once

namespace hamel {

const char* version();   ///< e.g. "0.1.0"
const char* commit();    ///< short hash of the source, or "unknown"
const char* compiler();  ///< e.g. "GNU 12.2.0"

/// The instruction-set path the kernels take. One so far: the portable baseline.
constexpr const char* isa_path() { return "baseline"; }

}  // namespace hamel
