// Members of an ensemble stepped together, one to a lane, for the instruction set of the processor
// that runs them. The library has the kernels for several sets, compiled and chosen as those of
// lane_kernels.hpp; here is what crosses the border, plain data only.
//
// The kernels are the steps themselves over Lanes instead of double: every lane does the operations
// of the scalar step in their order, so that its bits depend neither on its neighbours nor on the
// set.
#pragma once

#include <cstdint>

namespace hamel_lanes {

/// Members a kernel takes: two registers of the widest set. One alone would wait for its own
/// divisions.
inline constexpr int ensemble_lanes = 16;

/// Numbers a chain's kernel works with, for each link and lane.
inline constexpr int chain_scratch = 22;

/// Steps for all lanes. Lists are by number, then by lane: x[i·16 + lane].
struct EnsembleTask {
  double* state = nullptr;            ///< the numbers of a member's state
  const double* constants = nullptr;  ///< of its system
  double* scratch = nullptr;          ///< chains: chain_scratch numbers for each link and lane,
                                      ///< aligned to 64 bytes
  int links = 0;                      ///< chains
  std::int64_t history = 0;           ///< chains: good steps so far, for the guess
  double h = 0.0;
  double tolerance = 0.0;  ///< of the solver, as in SolverOptions
  int max_iterations = 0;
  std::int64_t steps = 0;
};

/// What became of them. A lane that fails keeps the state before the failed step.
struct EnsembleOutcome {
  std::int64_t done[ensemble_lanes];        ///< good steps
  std::int64_t iterations[ensemble_lanes];  ///< of the solver, in all good steps
  std::uint8_t status[ensemble_lanes];      ///< as in core/status.hpp
};

using EnsembleKernel = void (*)(const EnsembleTask&, EnsembleOutcome&) noexcept;

/// Each twice: without and with compensated summation; null where there is none.
struct EnsembleKernels {
  EnsembleKernel hamel[2];
  EnsembleKernel hamel_body[2];
  EnsembleKernel variational[2];
  EnsembleKernel chain_variational[2];
};

/// Calling it makes the linker take what sets `ensemble` out of the library.
bool kernels_chosen();

/// Set once, before main, by the library; otherwise null.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): written once
inline const EnsembleKernels* ensemble = nullptr;

}  // namespace hamel_lanes
