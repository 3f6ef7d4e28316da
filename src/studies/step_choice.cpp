// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/studies/step_choice.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "hamel/core/error.hpp"

namespace hamel {

namespace {

constexpr std::int64_t most_steps = 20'000'000;
constexpr int most_tries = 40;
constexpr double spare = 1.05;  // more steps than the estimate says
constexpr double round_off = 1e-13;
constexpr double worthwhile = 0.8;  // fewer steps than this part are tried

/// Between steps that do not suffice and steps that do.
std::int64_t between(std::int64_t few, std::int64_t many) {
  return static_cast<std::int64_t>(
      std::ceil(std::sqrt(static_cast<double>(few) * static_cast<double>(many))));
}

std::string number(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.2g", x);
  return text;
}

/// The largest distance on a sphere, or difference of a coordinate.
double distance(const Problem& problem, const EndPoint& a, const EndPoint& b) {
  Quad largest = 0;
  const std::size_t together = problem.phase_space().spheres > 0 ? 3 : 1;
  for (std::size_t i = 0; i < a.q.size(); i += together) {
    Quad sum = 0;
    for (std::size_t c = i; c < i + together; ++c) sum += (a.q[c] - b.q[c]) * (a.q[c] - b.q[c]);
    if (!(sum <= largest)) largest = sum;
  }
  const auto found = static_cast<double>(sqrt(largest));
  return std::isfinite(found) ? found : INFINITY;
}

/// Ends of runs, each made once.
class Ends {
 public:
  Ends(const Problem& problem, const MethodSpec& method, const IntegrationOptions& options,
       double until, int order)
      : problem_(problem),
        method_(method),
        options_(options),
        until_(until),
        // q_n − q_2n = E_n − E_2n, and E_2n is a 2^p-th of E_n
        part_(1.0 - std::pow(0.5, order)) {}

  /// The estimated error of n steps; infinite where a run fails.
  double error(std::int64_t n) {
    const EndPoint& coarse = at(n);
    const EndPoint& fine = at(2 * n);
    if (coarse.status == Status::interrupted || fine.status == Status::interrupted)
      throw InputError("interrupted while choosing the step");
    if (coarse.status != Status::ok || fine.status != Status::ok) return INFINITY;
    return distance(problem_, coarse, fine) / part_;
  }

  /// What n steps cost: iterations of the solver, or the steps themselves.
  std::int64_t cost(std::int64_t n) { return std::max(at(n).iterations, n); }

  /// What may be left of an error by rounding.
  double rounding(std::int64_t n) {
    Quad size = 1;
    for (const Quad& x : at(n).q) size = max(size, abs(x));
    return round_off * static_cast<double>(size);
  }

 private:
  const EndPoint& at(std::int64_t n) {
    const auto found = known_.find(n);
    if (found != known_.end()) return found->second;
    return known_[n] =
               problem_.end_point(method_, options_, until_, n, Precision::double_precision);
  }

  const Problem& problem_;
  const MethodSpec& method_;
  const IntegrationOptions& options_;
  double until_;
  double part_;
  std::map<std::int64_t, EndPoint> known_;
};

}  // namespace

StepChoice choose_step(const Problem& problem, const MethodSpec& method,
                       const IntegrationOptions& options, double until, double accuracy,
                       std::int64_t first_try) {
  const int order = problem.claims(method).order;
  if (order < 1) throw InputError("method '" + method.text + "' has no step to choose");
  Ends ends(problem, method, options, until, order);
  std::int64_t n = std::max<std::int64_t>(2, first_try);
  std::int64_t too_few = 0;  // the most that did not suffice
  double smallest = INFINITY;
  StepChoice best;
  for (int i = 0; i < most_tries && n <= most_steps; ++i) {
    double error = ends.error(n);
    // Two ends that agree by chance, or both far off, do not come closer with twice the steps.
    if (error <= accuracy && !(ends.error(2 * n) <= std::max(0.75 * error, ends.rounding(n))))
      error = INFINITY;
    // More steps that are no better: round-off is all that is left.
    if (error > accuracy && error <= 1e3 * ends.rounding(n) && !(error <= 0.7 * smallest)) {
      smallest = std::min(smallest, error);
      break;
    }
    smallest = std::min(smallest, error);
    const double part = error / accuracy;
    const auto predicted = static_cast<double>(n) * spare * std::pow(part, 1.0 / order);
    if (error <= accuracy) {
      // Long steps take more iterations: fewer of them may cost more.
      if (best.steps > 0 && ends.cost(n) > ends.cost(best.steps)) return best;
      best = {n, error};
      auto fewer = std::max<std::int64_t>(2, static_cast<std::int64_t>(std::ceil(predicted)));
      if (fewer <= too_few) fewer = between(too_few, n);
      if (static_cast<double>(fewer) > worthwhile * static_cast<double>(n)) return best;
      n = fewer;
    } else {
      too_few = std::max(too_few, n);
      if (best.steps > 0) {
        n = between(too_few, best.steps);
        if (static_cast<double>(n) > worthwhile * static_cast<double>(best.steps)) return best;
        continue;
      }
      // Far from the limit h → 0 the power law says too much.
      const auto now = static_cast<double>(n);
      n = static_cast<std::int64_t>(std::ceil(
          std::isfinite(predicted) ? std::clamp(predicted, 1.1 * now, 4.0 * now) : 2.0 * now));
    }
  }
  if (best.steps > 0) return best;
  throw NumericalError("method " + method.text + ": no step gives an accuracy of " +
                       number(accuracy) + " at t = " + number(until) + "; the best was " +
                       number(smallest));
}

double loosest_solver(const Problem& problem, const MethodSpec& method,
                      const IntegrationOptions& options, double until, StepChoice& choice,
                      double accuracy) {
  const auto end = [&](double tolerance) {
    IntegrationOptions with = options;
    with.solver.tolerance = tolerance;
    return problem.end_point(method, with, until, choice.steps, Precision::double_precision);
  };
  const EndPoint best = end(0.0);
  for (const double part : {1.0, 1e-1, 1e-2, 1e-3, 1e-4}) {
    const EndPoint found = end(part * accuracy);
    const double left = distance(problem, best, found);  // by iterations that ended earlier
    if (found.status != Status::ok || !(choice.error + 2.0 * left <= accuracy)) continue;
    choice.error += left;
    return part * accuracy;
  }
  return 0.0;
}

}  // namespace hamel
