// SPDX-License-Identifier: BSD-3-Clause
// The step for an accuracy asked for.
//
// The error of a run of n steps to t = T is estimated by one of 2n, e_n = |q_n − q_2n|/(1 − 2^−p)
// at T, p the order of the method, and n is changed by (e_n/accuracy)^(1/p) until e_n just meets
// it. It counts only if e_2n is smaller.
#pragma once

#include "hamel/runs/problem.hpp"

namespace hamel {

struct StepChoice {
  std::int64_t steps = 0;  ///< to the horizon
  double error = 0.0;      ///< of the position there, estimated
};

/// The steps to t = until that cost least, by iterations of the solver where it has one, whose end
/// is as close to the motion as asked: largest distance on a sphere, or difference of a coordinate.
/// Throws InputError where the method has no order, and NumericalError where no step reaches it.
StepChoice choose_step(const Problem& problem, const MethodSpec& method,
                       const IntegrationOptions& options, double until, double accuracy,
                       std::int64_t first_try);

/// A tolerance of the solver, the accuracy or a part of it, with which that number of steps still
/// reaches it, were twice as much left as was seen; 0, round-off, where none does. The choice's
/// error then has what is left.
double loosest_solver(const Problem& problem, const MethodSpec& method,
                      const IntegrationOptions& options, double until, StepChoice& choice,
                      double accuracy);

}  // namespace hamel
