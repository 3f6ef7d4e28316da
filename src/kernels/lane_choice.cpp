// SPDX-License-Identifier: BSD-3-Clause

#include <cstdlib>
#include <string_view>

#include "hamel/kernels/lanes/ensemble_kernels.hpp"
#include "hamel/kernels/lanes/lane_kernels.hpp"

// The linker is told to look for this one (hamel's interface in CMakeLists.txt, cmake/hamel.pc.in):
// nothing else makes it take this file out of a static library.
extern "C" {
extern const char hamel_lane_choice;
const char hamel_lane_choice = 1;
}

namespace hamel_lanes {

extern const Kernels kernels_baseline;
extern const EnsembleKernels ensemble_baseline;
#if defined(HAMEL_LANES_X86)
extern const Kernels kernels_avx2;
extern const Kernels kernels_avx512;
extern const EnsembleKernels ensemble_avx2;
extern const EnsembleKernels ensemble_avx512;
#endif

namespace {

bool choose(const Kernels& kernels, const EnsembleKernels& of_ensembles) {
  chosen = &kernels;
  ensemble = &of_ensembles;
  return true;
}

/// The best the processor has, or what HAMEL_ISA names if it has that.
bool choose_best() {
  const char* const asked = std::getenv("HAMEL_ISA");  // NOLINT(concurrency-mt-unsafe): before main
  const auto wanted = [&](const Kernels& set) {
    return asked == nullptr || std::string_view(asked) == set.isa;
  };
#if defined(HAMEL_LANES_X86)
  __builtin_cpu_init();
  if (wanted(kernels_avx512) && __builtin_cpu_supports("avx512f") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
    return choose(kernels_avx512, ensemble_avx512);
  if (wanted(kernels_avx2) && __builtin_cpu_supports("avx2"))
    return choose(kernels_avx2, ensemble_avx2);
#else
  (void)wanted;
#endif
  return choose(kernels_baseline, ensemble_baseline);
}

const bool set = choose_best();

}  // namespace

bool kernels_chosen() { return set; }

const char* isa() { return set ? chosen->isa : ""; }
int isa_lanes() { return set ? chosen->lanes : 1; }

}  // namespace hamel_lanes
