// SPDX-License-Identifier: BSD-3-Clause
// Measured order of convergence: a straight line through (log h, log error).
//
// Points on the round-off plateau are masked (they say nothing about the method), and so is the
// coarse end where the error has not reached its asymptotic law. The slope is a least-squares fit
// over what is left, with its standard error. Slopes between neighbours that still change show that
// no law has been reached.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace hamel {

struct OrderFit {
  double order = std::numeric_limits<double>::quiet_NaN();
  double standard_error = std::numeric_limits<double>::quiet_NaN();
  double spread = std::numeric_limits<double>::quiet_NaN();  ///< of the slopes between neighbours
  std::vector<bool> used;                                    ///< which points entered the fit
  int points = 0;
  int above = 0;  ///< round-off: errors, whether they fall with the step or not
  bool valid() const { return points >= 3; }  ///< enough for a slope with an error
  /// Whether the slopes agree with each other: where the order is not the expected one, so well
  /// that it will not become that with smaller steps.
  bool settled(double expected) const {
    const double off = std::fabs(order - expected);
    return valid() && spread <= (off <= 0.1 ? 0.1 : std::fmin(0.5, std::fmax(0.05, 0.15 * off)));
  }
};

/// `h` decreasing, `floor` the error level below which a point is round-off.
inline OrderFit fit_order(const std::vector<double>& h, const std::vector<double>& error,
                          double floor) {
  OrderFit fit;
  const std::size_t n = h.size();
  fit.used.assign(n, false);
  for (const double e : error) fit.above += e > floor ? 1 : 0;
  std::size_t end = 0;  // before the plateau, and while the error still falls
  while (end < n && error[end] > floor && (end == 0 || error[end] < error[end - 1])) ++end;
  // The last five points of that range: the finest ones, closest to the asymptotic law.
  const std::size_t begin = end > 5 ? end - 5 : 0;
  std::vector<double> x;
  std::vector<double> y;
  for (std::size_t i = begin; i < end; ++i) {
    x.push_back(std::log(h[i]));
    y.push_back(std::log(error[i]));
    fit.used[i] = true;
    ++fit.points;
  }
  if (!fit.valid()) return fit;
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  for (std::size_t i = 1; i < x.size(); ++i) {
    const double slope = (y[i] - y[i - 1]) / (x[i] - x[i - 1]);
    least = std::fmin(least, slope);
    most = std::fmax(most, slope);
  }
  fit.spread = most - least;
  const auto product = [](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  };
  const auto without = [&](std::vector<double>& a, const std::vector<double>& b) {
    const double factor = product(a, b) / product(b, b);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] -= factor * b[i];
  };
  // The means are taken out of x and y; the rest is a line through the origin.
  const std::vector<double> ones(x.size(), 1.0);
  for (auto* list : {&x, &y}) without(*list, ones);
  fit.order = product(x, y) / product(x, x);
  without(y, x);
  fit.standard_error = std::sqrt(product(y, y) / (fit.points - 2) / product(x, x));
  return fit;
}

}  // namespace hamel
