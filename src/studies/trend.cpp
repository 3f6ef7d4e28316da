// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/studies/trend.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace hamel {

namespace {

constexpr std::size_t parts = 32;
constexpr double student_increments = 2.040;  // 95 %, 31 degrees of freedom
constexpr double student_line = 2.042;        // 30

/// ⟨|d(t+τ) − d(t)|²⟩, the mean over 16 lags from τ to 2τ: a single one may be a period.
double structure(const std::vector<double>& d, std::size_t lag) {
  constexpr std::size_t lags = 16;
  double sum = 0.0;
  for (std::size_t i = 0; i < lags; ++i) {
    const std::size_t by = lag + i * lag / lags;
    double part = 0.0;
    for (std::size_t k = by; k < d.size(); ++k) part += (d[k] - d[k - by]) * (d[k] - d[k - by]);
    sum += part / static_cast<double>(d.size() - by);
  }
  return sum / lags;
}

struct Slope {
  double value, error;
};

Slope by_increments(const std::vector<double>& d) {
  const std::size_t each = (d.size() - 1) / parts;
  const auto length = static_cast<double>(each);
  const auto count = static_cast<double>(parts);
  const double mean = (d[each * parts] - d[0]) / count;
  double rest = 0.0;
  for (std::size_t k = 0; k < parts; ++k) {
    const double r = d[(k + 1) * each] - d[k * each] - mean;
    rest += r * r;
  }
  const double deviation = std::sqrt(rest / (count - 1.0));
  return {mean / length, student_increments * deviation / std::sqrt(count) / length};
}

Slope by_line(const std::vector<double>& d) {
  const std::size_t each = d.size() / parts;
  const auto count = static_cast<double>(parts);
  const double middle = 0.5 * (count - 1.0);
  std::vector<double> means(parts);
  double mean = 0.0;
  for (std::size_t k = 0; k < parts; ++k) {
    for (std::size_t i = k * each; i < (k + 1) * each; ++i) means[k] += d[i];
    means[k] /= static_cast<double>(each);
    mean += means[k] / count;
  }
  double xx = 0.0;
  double xy = 0.0;
  for (std::size_t k = 0; k < parts; ++k) {
    const double x = static_cast<double>(k) - middle;
    xx += x * x;
    xy += x * (means[k] - mean);
  }
  double rest = 0.0;
  for (std::size_t k = 0; k < parts; ++k) {
    const double r = means[k] - mean - xy / xx * (static_cast<double>(k) - middle);
    rest += r * r;
  }
  const auto length = static_cast<double>(each);
  return {xy / xx / length, student_line * std::sqrt(rest / (count - 2.0) / xx) / length};
}

}  // namespace

const char* to_string(TrendKind kind) {
  switch (kind) {
    case TrendKind::exact: return "exact";
    case TrendKind::bounded: return "bounded";
    case TrendKind::wandering: return "random walk";
    default: return "drift";
  }
}

Trend trend_of(const std::vector<double>& d) {
  Trend trend;
  for (const double x : d) {
    if (!(std::fabs(x) <= trend.largest)) trend.largest = std::fabs(x);
    if (std::isnan(x)) break;
  }
  if (trend.largest == 0.0) return trend;
  trend.kind = TrendKind::bounded;
  if (!std::isfinite(trend.largest) || d.size() < 512) return trend;
  const std::size_t lag = d.size() / 128;
  const double near = structure(d, lag);
  const double far = structure(d, 8 * lag);
  trend.growth = near > 0.0 ? 0.5 * std::log(far / near) / std::log(8.0) : 0.0;
  const Slope line = by_line(d);
  const Slope increments = by_increments(d);
  // A line under an oscillation that is larger between the two lags shows in the end: as a slope
  // beyond doubt that makes up a good part of all there is. A random walk looks so too, but not to
  // its increments, nor does it grow like a line from one to four sixteenths of the run.
  const bool tilted = std::fabs(line.value) > 2.0 * line.error &&
                      std::fabs(line.value) * static_cast<double>(d.size()) > 0.25 * trend.largest;
  const double later = 0.5 * std::log(structure(d, 32 * lag) / far) / std::log(4.0);
  const double certainty = std::fabs(increments.value) / increments.error;
  const bool one_way = certainty > 1.5 || (certainty > 1.0 && later > 0.85);
  if (trend.growth > 0.75)
    trend.kind = std::fabs(line.value) > line.error ? TrendKind::drifting : TrendKind::wandering;
  else if (tilted && (trend.growth <= 0.25 || one_way))
    trend.kind = TrendKind::drifting;
  else if (trend.growth > 0.25)
    trend.kind = TrendKind::wandering;
  const Slope& best = trend.kind == TrendKind::wandering ? increments : line;
  trend.slope = best.value;
  trend.error = best.error;
  return trend;
}

}  // namespace hamel
