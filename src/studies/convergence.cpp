// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/studies/convergence.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "hamel/core/error.hpp"

namespace hamel {

namespace {

double distance(const EndPoint& a, const EndPoint& b) {
  Quad sum = 0;
  for (std::size_t i = 0; i < a.q.size(); ++i) sum += (a.q[i] - b.q[i]) * (a.q[i] - b.q[i]);
  for (std::size_t i = 0; i < a.velocity.size(); ++i)
    sum += (a.velocity[i] - b.velocity[i]) * (a.velocity[i] - b.velocity[i]);
  return static_cast<double>(sqrt(sum));
}

constexpr double most_quad_steps = 1000;  // of the coarsest of many runs in Quad above order 8

/// Above order 8 even Quad has only a short way from the first signs of convergence to round-off:
/// the step at which the error is about 3e-22, found along the expected power law. Where errors do
/// not follow it, as with formulas that are not smooth, steps would shrink without end.
double suitable_step(const Problem& problem, const MethodSpec& method,
                     const IntegrationOptions& options, const ConvergencePlan& plan,
                     const EndPoint& reference, std::string& given_up) {
  const int order = problem.claims(method).order;
  double step = plan.step;
  for (int attempt = 0; attempt < 8; ++attempt) {
    const auto steps = static_cast<std::int64_t>(std::max(1.0, std::round(plan.horizon / step)));
    const EndPoint end = problem.end_point(method, options, plan.horizon, steps, Precision::quad);
    const double error = end.status == Status::ok ? distance(end, reference) : 1.0;
    if (error > 1e-22 && error < 1e-21) break;
    const double factor =
        std::clamp(std::pow(3e-22 / std::max(error, 1e-40), 1.0 / order), 0.25, 4.0);
    step = std::min(plan.horizon / 3.0, step * factor);
    if (step * most_quad_steps < plan.horizon) {
      char words[120];
      std::snprintf(words, sizeof words, "no steps below %.2g s: the error is %.1e at %.2g s",
                    plan.horizon / most_quad_steps, error,
                    plan.horizon / static_cast<double>(steps));
      given_up = words;
      return plan.horizon / most_quad_steps;
    }
  }
  return step;
}

/// Above order 8 both ends of the steps are doubtful: the first are not yet asymptotic, the last
/// show the round-off of many iterations. Of all five neighbours those that lie best on a line.
OrderFit straightest_fit(const std::vector<double>& h, const std::vector<double>& error) {
  constexpr std::size_t window = 5;
  constexpr double round_off = 1e-32;
  OrderFit best;
  best.used.assign(h.size(), false);
  for (std::size_t first = 0; first + window <= h.size(); ++first) {
    const auto part = [&](const std::vector<double>& list) {
      const auto begin = list.begin() + static_cast<std::ptrdiff_t>(first);
      return std::vector<double>(begin, begin + window);
    };
    const OrderFit fit = fit_order(part(h), part(error), round_off);
    best.above = std::max(best.above, fit.above);
    if (fit.points < static_cast<int>(window)) continue;  // the error rises on the way
    if (best.valid() && !(fit.standard_error < best.standard_error)) continue;
    const int above = best.above;
    best = fit;
    best.above = above;
    best.used.assign(h.size(), false);
    std::fill_n(best.used.begin() + static_cast<std::ptrdiff_t>(first), window, true);
  }
  return best;
}

/// For orders above 8 the reference must be better than the smallest error that counts. A closed
/// solution may mend data that are given in double, such as a rotation matrix, by 1e-17, which the
/// methods take as they are; steps of a reference may be too few.
EndPoint sharpened(const Problem& problem, const IntegrationOptions& options, double horizon,
                   double step, const EndPoint& given) {
  const auto steps = static_cast<std::int64_t>(std::fmax(640.0, std::ceil(horizon / step)));
  const EndPoint fine =
      problem.end_point(MethodSpec::parse("gauss(stages=8)"), {0.0, false, {}, options.stop},
                        horizon, steps, Precision::quad);
  return fine.status == Status::ok && distance(fine, given) > 1e-28 ? fine : given;
}

}  // namespace

ConvergencePlan default_convergence_plan(double step, double until) {
  return {std::min(until, 50.0 * step), step, 6};
}

EndPoint reference_end(const Problem& problem, double horizon) {
  if (auto exact = problem.exact(Quad(horizon))) return *exact;
  const MethodSpec gauss = MethodSpec::parse("gauss(stages=8)");
  const auto steps = static_cast<std::int64_t>(std::fmax(160.0, std::ceil(horizon / 0.02)));
  EndPoint end = problem.end_point(gauss, {}, horizon, steps, Precision::quad);
  if (end.status != Status::ok) throw NumericalError("the reference solution did not converge");
  return end;
}

ConvergenceStudy measure_order(const Problem& problem, const MethodSpec& method,
                               const IntegrationOptions& options, const ConvergencePlan& plan,
                               const EndPoint& given) {
  ConvergenceStudy study;
  study.method = method.text;
  study.claimed_order = problem.claims(method).order;
  study.quad = study.claimed_order >= 4;
  // Halving costs high orders too many digits per level: ratio √2 there, 6/5 beyond order 8.
  const bool extreme = study.claimed_order > 8;
  const double ratio = extreme ? 6.0 / 5.0 : study.claimed_order > 4 ? std::numbers::sqrt2 : 2.0;
  double first = plan.step;
  EndPoint reference = given;
  if (extreme) {
    if (problem.exact(Quad(0)))
      reference = sharpened(problem, options, plan.horizon, plan.horizon, reference);
    first = suitable_step(problem, method, options, plan, reference, study.given_up);
    reference = sharpened(problem, options, plan.horizon, first / 5.0, reference);
  }
  const auto coarsest = std::max(1.0, std::round(plan.horizon / first));
  std::int64_t last_steps = 0;
  for (int level = 0; level < plan.levels + (extreme ? 4 : 0); ++level) {
    const auto steps = std::max(
        last_steps + 1, static_cast<std::int64_t>(std::round(coarsest * std::pow(ratio, level))));
    last_steps = steps;
    const EndPoint end =
        problem.end_point(method, options, plan.horizon, steps,
                          study.quad ? Precision::quad : Precision::double_precision);
    if (end.status == Status::interrupted) {
      study.status = end.status;
      return study;
    }
    const double error = end.status == Status::ok ? distance(end, reference) : NAN;
    if (!std::isfinite(error)) {
      if (study.status == Status::ok)
        study.status = end.status == Status::ok ? Status::not_finite : end.status;
      continue;
    }
    study.steps.push_back(plan.horizon / static_cast<double>(steps));
    study.errors.push_back(error);
  }
  // Round-off of a run of n steps: about eps·√n, and 100 of those to be safe; the published
  // coefficients of the compositions carry 26 digits.
  const double finest = study.steps.empty() ? plan.step : study.steps.back();
  const double eps = !study.quad                               ? 2.2e-16
                     : method.composition == Composition::none ? 2e-34
                                                               : 1e-27;
  const double floor = 100.0 * eps * std::sqrt(plan.horizon / finest);
  Quad size = 1;  // of the largest number compared
  for (const auto* list : {&reference.q, &reference.velocity})
    for (const Quad& x : *list) size = max(size, abs(x));
  study.fit = extreme ? straightest_fit(study.steps, study.errors)
                      : fit_order(study.steps, study.errors, floor * static_cast<double>(size));
  return study;
}

}  // namespace hamel
