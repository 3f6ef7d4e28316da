// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/studies/lyapunov.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "hamel/core/error.hpp"

namespace hamel {

namespace {

using State = std::vector<double>;

double length_of(const State& x, std::size_t from = 0) {
  double sum = 0.0;
  for (std::size_t i = from; i < x.size(); ++i) sum += x[i] * x[i];
  return std::sqrt(sum);
}

/// Onto |q_i| = 1, q_i·ω_i = 0.
void put_on_spheres(int spheres, State& z) {
  const std::size_t half = z.size() / 2;
  for (std::size_t i = 0; i < 3 * static_cast<std::size_t>(spheres); i += 3) {
    double* q = &z[i];
    double* omega = &z[half + i];
    const double r = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
    for (int c = 0; c < 3; ++c) q[c] /= r;
    const double along = q[0] * omega[0] + q[1] * omega[1] + q[2] * omega[2];
    for (int c = 0; c < 3; ++c) omega[c] -= along * q[c];
  }
}

/// The derivative of a step along a direction.
class TangentStep {
 public:
  TangentStep(const PhaseSpace& space, StepMap<double>& map)
      : spheres_(space.spheres),
        velocities_(space.spheres > 0 ? space.size() / 2 : space.coordinates.size()),
        map_(map),
        from_(space.size()),
        plus_(space.size()),
        minus_(space.size()) {}

  /// Velocities in z begin here.
  std::size_t velocities() const { return velocities_; }

  /// v := DΦ(z) v; false where a step fails.
  bool operator()(const State& z, State& v) {
    const double size = std::cbrt(std::numeric_limits<double>::epsilon()) *
                        std::fmax(1.0, length_of(z, velocities_));
    if (!moved(z, v, size, plus_) || !moved(z, v, -size, minus_)) return false;
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = (plus_[i] - minus_[i]) / (2.0 * size);
    return true;
  }

 private:
  bool moved(const State& z, const State& v, double size, State& to) {
    for (std::size_t i = 0; i < z.size(); ++i) from_[i] = z[i] + size * v[i];
    put_on_spheres(spheres_, from_);
    return map_(from_, to);
  }

  int spheres_;
  std::size_t velocities_;
  StepMap<double>& map_;
  State from_, plus_, minus_;
};

/// A change of the velocities of length 1, the same in every run.
State some_direction(const PhaseSpace& space, const State& z, std::size_t velocities) {
  std::minstd_rand random(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  State v(z.size());
  for (std::size_t i = velocities; i < v.size(); ++i) v[i] = uniform(random);
  if (space.spheres > 0) {  // normal to q
    State there = z;
    for (std::size_t i = velocities; i < v.size(); ++i) there[i] = v[i];
    put_on_spheres(space.spheres, there);
    for (std::size_t i = velocities; i < v.size(); ++i) v[i] = there[i];
  }
  const double length = length_of(v);
  for (double& x : v) x /= length;
  return v;
}

}  // namespace

std::unique_ptr<StepMap<double>> check_lyapunov(const Problem& problem, const MethodSpec& method,
                                                const IntegrationOptions& options,
                                                std::int64_t steps) {
  if (!problem.phase_space().autonomous)
    throw InputError(
        "no Lyapunov exponent: the system depends on time, the step from a state is not always the "
        "same");
  if (steps < 2 * lyapunov_blocks)
    throw InputError(std::to_string(steps) + " steps: a Lyapunov exponent needs at least " +
                     std::to_string(2 * lyapunov_blocks));
  return problem.step_map(method, options);
}

MeanOfBlocks mean_of_blocks(std::span<const double> blocks) {
  const auto mean_of = [](std::span<const double> list) {
    double sum = 0.0;
    for (const double x : list) sum += x;
    return sum / static_cast<double>(list.size());
  };
  MeanOfBlocks found{mean_of(blocks), 0.0};
  for (std::size_t together = 1; together <= 4; ++together) {
    const std::size_t count = blocks.size() / together;
    if (count < 4) break;
    std::vector<double> means;  // of the last ones: the start is the least typical
    for (std::size_t k = 0; k < count; ++k)
      means.push_back(mean_of(blocks.subspan(blocks.size() - (count - k) * together, together)));
    const double mean = mean_of(means);
    double square = 0.0;
    for (const double x : means) square += (x - mean) * (x - mean);
    const auto n = static_cast<double>(count);
    // Student's quantile of 68.3 %, to 2 parts in 1000 from three degrees of freedom on.
    const double student = 1.0 + 0.5 / (n - 1.0) + 0.28 / ((n - 1.0) * (n - 1.0));
    found.standard_error =
        std::fmax(found.standard_error, student * std::sqrt(square / (n - 1.0) / n));
  }
  return found;
}

LyapunovResult largest_lyapunov_exponent(const Problem& problem, const MethodSpec& method,
                                         const IntegrationOptions& options,
                                         const LyapunovPlan& plan) {
  const auto map = check_lyapunov(problem, method, options, plan.steps);
  const PhaseSpace space = problem.phase_space();
  const std::int64_t in_block = plan.steps / lyapunov_blocks;
  TangentStep tangent(space, *map);
  State z;
  for (const Quad& x : space.start) z.push_back(static_cast<double>(x));
  State next(z.size());
  State v = some_direction(space, z, tangent.velocities());

  LyapunovResult result;
  double grown = 0.0;
  for (std::int64_t n = 1; n <= lyapunov_blocks * in_block; ++n) {
    if (plan.stop != nullptr && plan.stop->load(std::memory_order_relaxed)) {
      result.status = Status::interrupted;
      break;
    }
    if (!tangent(z, v) || !(*map)(z, next)) {
      result.status = Status::no_solution;
      break;
    }
    const double factor = length_of(v);
    if (!std::isfinite(factor) || factor == 0.0) {
      result.status = Status::not_finite;
      break;
    }
    for (double& x : v) x /= factor;
    z.swap(next);
    grown += std::log(factor);
    result.steps = n;
    if (n % in_block == 0) {
      result.blocks.push_back(grown / (static_cast<double>(in_block) * options.step));
      grown = 0.0;
      if (plan.progress) plan.progress(n);
    }
  }
  result.exponent = result.standard_error = std::numeric_limits<double>::quiet_NaN();
  if (result.status != Status::ok) return result;
  const MeanOfBlocks found = mean_of_blocks(std::span(result.blocks).subspan(1));
  result.exponent = found.mean;
  result.standard_error = found.standard_error;
  return result;
}

}  // namespace hamel
