// SPDX-License-Identifier: BSD-3-Clause
// The kernels with lanes, for the instruction set of the processor that runs them.
//
// As headers alone they are compiled for whatever the user compiles for. The library has them for
// several instruction sets and chooses when the program starts (src/kernels/lane_choice.cpp);
// each is compiled with the namespace hamel renamed, so that no function of one can end up in
// another. Every lane does the same operations in the same order whatever the set: the bits of a
// result do not depend on the choice, except that Gauss's kernels for chains and pendula round a
// product with a sum once where the processor can (AVX2 and AVX-512, not the baseline).
#pragma once

#include "hamel/kernels/chain/chain_kernel.hpp"
#include "hamel/kernels/chain/chain_observation.hpp"
#include "hamel/kernels/lanes/gauss_chain_lanes.hpp"
#include "hamel/kernels/lanes/gauss_field_lanes.hpp"
#include "hamel/kernels/lanes/gauss_lanes.hpp"

namespace hamel_lanes {

using GaussKernel = GaussOutcome (*)(const GaussTask&) noexcept;

struct Kernels {
  const char* isa;
  int lanes;                   ///< doubles in a register
  GaussKernel chain_gauss[2];  ///< with 4 and with 8 lanes
  GaussKernel chain_momentum_gauss[2];
  GaussKernel pendulum_gauss[2];
  GaussKernel field_gauss[2];
  ChainKernel chain_variational[2];  ///< without and with compensated summation
  ChainObservationKernel chain_observation;
};

/// Set once, before main, by the library; otherwise null.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): written once
inline const Kernels* chosen = nullptr;

/// Of the kernels that the library chose: their name, and the doubles in one of their registers.
const char* isa();
int isa_lanes();

/// Index into the kernels and number of lanes for s stages.
constexpr int choice(int stages) { return stages <= 4 ? 0 : 1; }
constexpr int lanes(int stages) { return stages <= 4 ? 4 : 8; }

}  // namespace hamel_lanes

namespace hamel::lanes {

constexpr hamel_lanes::Kernels compiled(const char* isa) {
  return {isa,
          register_lanes,
          {chain_gauss<4>, chain_gauss<8>},
          {chain_momentum_gauss<4>, chain_momentum_gauss<8>},
          {pendulum_gauss<4>, pendulum_gauss<8>},
          {field_gauss<4>, field_gauss<8>},
          {chain_variational<false>, chain_variational<true>},
          chain_observation};
}

inline const hamel_lanes::Kernels& kernels() {
  static constexpr hamel_lanes::Kernels own = compiled("compiled in");
  return hamel_lanes::chosen != nullptr ? *hamel_lanes::chosen : own;
}

}  // namespace hamel::lanes
