#include "hamel/simulation/convergence.hpp"

#include <algorithm>
#include <cmath>
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

}  // namespace

ConvergencePlan default_convergence_plan(double step, double until) {
  return {std::min(until, 50.0 * step), step, 6};
}

EndPoint reference_end(const Problem& problem, double horizon) {
  if (auto exact = problem.exact(Quad(horizon))) return *exact;
  const MethodSpec gauss = MethodSpec::parse("gauss(stages=8)");
  const auto steps = static_cast<std::int64_t>(std::ceil(horizon / 0.02));
  EndPoint end = problem.end_point(gauss, {}, horizon, steps, Precision::quad);
  if (end.status != Status::ok) throw NumericalError("the reference solution did not converge");
  return end;
}

ConvergenceStudy measure_order(const Problem& problem, const MethodSpec& method,
                               const IntegrationOptions& options, const ConvergencePlan& plan,
                               const EndPoint& reference) {
  ConvergenceStudy study;
  study.method = method.text;
  study.claimed_order = problem.claims(method).order;
  study.quad = study.claimed_order >= 6;
  // Halving costs high orders too many digits per level: ratio √2 there.
  const double ratio = study.claimed_order > 4 ? std::numbers::sqrt2 : 2.0;
  // Above order 8 even Quad has only a short way from the scenario's step to round-off.
  const double widened = study.claimed_order > 8 ? 4.0 * plan.step : plan.step;
  const auto coarsest = std::max(1.0, std::round(plan.horizon / widened));
  std::int64_t last_steps = 0;
  for (int level = 0; level < plan.levels; ++level) {
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
  study.fit = fit_order(study.steps, study.errors, 100.0 * eps * std::sqrt(plan.horizon / finest));
  return study;
}

}  // namespace hamel
