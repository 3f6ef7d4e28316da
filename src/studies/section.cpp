// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/studies/section.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hamel/core/error.hpp"

namespace hamel {

namespace {

/// Steps of any size of one method.
class FractionalStep {
 public:
  FractionalStep(const Problem& problem, const MethodSpec& method,
                 const IntegrationOptions& options)
      : problem_(problem),
        method_(method),
        options_(options),
        map_(problem.step_map(method, options_)) {}

  bool operator()(double h, const std::vector<double>& from, std::vector<double>& to) {
    if (!map_->resize(h)) {
      options_.step = h;
      map_ = problem_.step_map(method_, options_);
    }
    return (*map_)(from, to);
  }

 private:
  const Problem& problem_;
  const MethodSpec& method_;
  IntegrationOptions options_;
  std::unique_ptr<StepMap<double>> map_;
};

/// Where in a row the state z stands.
struct StateInRow {
  int q = 0, velocity = 0, q_width = 0, velocity_width = 0;

  explicit StateInRow(const Simulation& simulation) {
    int offset = 0;
    for (const auto& column : simulation.columns()) {
      if (column.path == "/q") {
        q = offset;
        q_width = column.width;
      } else if (column.path == "/omega" || column.path == "/xi") {
        velocity = offset;
        velocity_width = column.width;
      }
      offset += column.width;
    }
  }
  void take(const double* row, std::vector<double>& z) const {
    z.assign(row + q, row + q + q_width);
    z.insert(z.end(), row + velocity, row + velocity + velocity_width);
  }
};

/// The θ in (0, 1] at which g is zero after a step of θh from `from`, where g has the value `low`;
/// `at` becomes the state there. NaN where a step fails.
double crossing_fraction(FractionalStep& step, PhaseFunction& g, double h, double low,
                         const std::vector<double>& from, std::vector<double>& at) {
  constexpr int most = 100;
  constexpr double eps = std::numeric_limits<double>::epsilon();
  const auto value = [&](double theta) {
    return step(theta * h, from, at) ? g(at.data()) : std::numeric_limits<double>::quiet_NaN();
  };
  double a = 0.0;
  double b = 1.0;
  double fa = low;
  double fb = value(b);
  // The run ended on the other side; a map that forgets warm starts may differ by a last bit.
  if (!std::isfinite(fb) || fb == 0.0 || (fb > 0.0) == (fa > 0.0))
    return std::isfinite(fb) ? b : fb;
  double best = b;
  for (int i = 0; i < most && std::fabs(b - a) > 2.0 * eps * std::max(a, b); ++i) {
    double c = b - fb * (b - a) / (fb - fa);
    const double left = std::min(a, b);
    const double right = std::max(a, b);
    const auto inside = [&](double x) { return x > left && x < right; };  // not so: NaN
    if (!inside(c)) c = 0.5 * (a + b);
    if (!inside(c)) break;
    const double fc = value(c);
    best = c;
    if (!std::isfinite(fc)) return fc;
    if (fc == 0.0) return c;
    if ((fc > 0.0) != (fb > 0.0)) {
      a = b;
      fa = fb;
    } else {
      const double shrunk = 1.0 - fc / fb;
      fa *= shrunk > 0.0 ? shrunk : 0.5;
    }
    b = c;
    fb = fc;
  }
  return best;
}

}  // namespace

SectionOutcome find_crossings(const Problem& problem, const MethodSpec& method,
                              const IntegrationOptions& options, PhaseFunction& surface,
                              const SectionPlan& plan) {
  if (!problem.phase_space().autonomous)
    throw InputError(
        "the system depends on time: a state alone does not tell how it moves on, so the passages "
        "within a step cannot be found");
  FractionalStep step(problem, method, options);
  const auto simulation = problem.simulate(method, options);
  const StateInRow places(*simulation);
  const auto width = static_cast<std::size_t>(simulation->row_width());
  constexpr std::int64_t most_numbers = 1 << 16;
  const std::int64_t most_rows =
      std::clamp<std::int64_t>(most_numbers / simulation->row_width(), 1, 1024);
  RowTable rows(simulation->row_width(), most_rows);
  std::vector<double> row(width);
  simulation->write_row(row.data());

  SectionOutcome outcome;
  std::vector<double> from;
  std::vector<double> at(problem.phase_space().size());
  places.take(row.data(), from);
  double before = surface(from.data());
  while (outcome.steps < plan.steps && outcome.status == Status::ok) {
    if (plan.stop != nullptr && plan.stop->load(std::memory_order_relaxed)) {
      outcome.status = Status::interrupted;
      break;
    }
    Block block;
    block.steps = std::min(most_rows, plan.steps - outcome.steps);
    block.record_every = 1;
    block.measure_every = block.steps;
    rows.reset(rows.take(), most_rows);
    block.rows = &rows;
    outcome.status = simulation->advance(block);
    for (std::int64_t i = 0; i < rows.rows(); ++i) {
      std::vector<double> next;
      places.take(rows.data().data() + width * static_cast<std::size_t>(i), next);
      const double now = surface(next.data());
      // A zero belongs to the step that ends there.
      const int direction = before < 0.0 && now >= 0.0 ? 1 : before > 0.0 && now <= 0.0 ? -1 : 0;
      if (direction != 0 && (plan.direction == 0 || plan.direction == direction)) {
        const double theta = crossing_fraction(step, surface, options.step, before, from, at);
        if (std::isfinite(theta))
          outcome.crossings.push_back(
              {(static_cast<double>(outcome.steps + i) + theta) * options.step, direction, at});
      }
      before = now;
      from = std::move(next);
    }
    outcome.steps += rows.rows();
    if (plan.progress) plan.progress(outcome.steps);
  }
  return outcome;
}

}  // namespace hamel
