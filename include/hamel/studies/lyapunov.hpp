// SPDX-License-Identifier: BSD-3-Clause
// The largest Lyapunov exponent of a method's motion, from the derivative of its step.
//
// With z_{n+1} = Φ(z_n) and v_{n+1} = DΦ(z_n) v_n made of length 1 again after every step,
//
//   λ = lim (1/nh) Σ log |DΦ(z_k) v_k|
//
// (G. Benettin, L. Galgani, J.-M. Strelcyn, Phys. Rev. A 14 (1976) 2338). DΦ v is the central
// difference of the step along v over ±ε, ε = eps^(1/3) times the size of the velocities: an error
// of eps^(2/3), some 1e-10, in each factor. v begins as a change of the velocities alone, which
// every constraint allows; on spheres the two points are put back onto q·q = 1, q·ω = 0.
//
// The time is cut into 20 equal blocks. The first one is left to v to turn into the direction that
// grows most; λ is the mean of the others. A motion that stays for long near islands makes blocks
// that are not independent: the standard error is the largest of those of the mean of single blocks
// and of two, three and four neighbours taken together, each widened by Student's factor for its
// number (H. Flyvbjerg, H. G. Petersen, J. Chem. Phys. 91 (1989) 461: blocks become independent
// when they are long enough). Where blocks are independent that is a third too much; correlations
// between neighbours of ½ are covered. Of a regular motion λ falls like log(T)/T: zero is what it
// tends to, not what is measured.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "hamel/runs/problem.hpp"

namespace hamel {

inline constexpr int lyapunov_blocks = 20;

struct LyapunovPlan {
  std::int64_t steps = 0;  ///< at least two a block
  const std::atomic<bool>* stop = nullptr;
  std::function<void(std::int64_t step)> progress;
};

struct LyapunovResult {
  Status status = Status::ok;
  std::int64_t steps = 0;       ///< used, a multiple of the blocks where the status is ok
  double exponent = 0.0;        ///< 1/s; NaN unless the status is ok
  double standard_error = 0.0;  ///< 1/s
  std::vector<double> blocks;   ///< the mean growth rate of each block, 1/s
};

struct MeanOfBlocks {
  double mean, standard_error;
};
/// Of a series of at least four; neighbours may be correlated.
MeanOfBlocks mean_of_blocks(std::span<const double> blocks);

/// Throws InputError where the system depends on time, where the method has no step map, and where
/// the steps are too few. Returns the map.
std::unique_ptr<StepMap<double>> check_lyapunov(const Problem& problem, const MethodSpec& method,
                                                const IntegrationOptions& options,
                                                std::int64_t steps);

/// Throws as check_lyapunov does.
LyapunovResult largest_lyapunov_exponent(const Problem& problem, const MethodSpec& method,
                                         const IntegrationOptions& options,
                                         const LyapunovPlan& plan);

}  // namespace hamel
