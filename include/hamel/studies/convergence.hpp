// SPDX-License-Identifier: BSD-3-Clause
// Measured orders: runs over one horizon with ever smaller steps against a far better reference.
//
// The reference is the closed solution where there is one, else gauss with 8 stages in Quad.
// Methods of order 4 and above run in Quad, where no round-off plateau hides their law.
#pragma once

#include <string>
#include <vector>

#include "hamel/runs/problem.hpp"
#include "hamel/studies/order.hpp"

namespace hamel {

struct ConvergenceStudy {
  std::string method;
  int claimed_order = 0;
  bool quad = false;          ///< arithmetic: Quad, else double
  std::vector<double> steps;  ///< step sizes, decreasing
  std::vector<double> errors;  ///< √(|q − q_ref|² + |ω − ω_ref|²) at the horizon, ω in rad/s
  OrderFit fit;
  std::string given_up;        ///< what was not done because it would take too long, or ""
  Status status = Status::ok;  ///< of the first run that failed; such runs are left out

  /// Whether the order says something about the method.
  bool settled() const { return fit.settled(claimed_order); }
};

struct ConvergencePlan {
  double horizon = 0.0;  ///< T > 0
  double step = 0.0;     ///< the coarsest step, about
  int levels = 6;        ///< step sizes, at least 5 (four refinements)
};

/// A horizon and coarsest step that suit a scenario: 50 of its steps.
ConvergencePlan default_convergence_plan(double step, double until);

/// `given`: the reference, from reference_end(); see above.
ConvergenceStudy measure_order(const Problem& problem, const MethodSpec& method,
                               const IntegrationOptions& options, const ConvergencePlan& plan,
                               const EndPoint& given);

EndPoint reference_end(const Problem& problem, double horizon);

}  // namespace hamel
