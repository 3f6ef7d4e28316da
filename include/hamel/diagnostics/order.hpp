// Measured order of convergence: a straight line through (log h, log error).
//
// Points on the round-off plateau are masked (they say nothing about the method), and so is the
// coarse end where the error has not reached its asymptotic law. The slope is a least-squares fit
// over what is left, with its standard error.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace hamel {

struct OrderFit {
  double order = std::numeric_limits<double>::quiet_NaN();
  double standard_error = std::numeric_limits<double>::quiet_NaN();
  std::vector<bool> used;  ///< which points entered the fit
  int points = 0;
  bool valid() const { return points >= 3; }  ///< enough for a slope with an error
};

/// `h` decreasing, `floor` the error level below which a point is round-off.
inline OrderFit fit_order(const std::vector<double>& h, const std::vector<double>& error,
                          double floor) {
  OrderFit fit;
  const std::size_t n = h.size();
  fit.used.assign(n, false);
  std::size_t end = 0;  // before the plateau, and while the error still falls
  while (end < n && error[end] > floor && (end == 0 || error[end] < error[end - 1])) ++end;
  // The last five points of that range: the finest ones, closest to the asymptotic law.
  const std::size_t begin = end > 5 ? end - 5 : 0;
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const double x = std::log(h[i]);
    const double y = std::log(error[i]);
    fit.used[i] = true;
    ++fit.points;
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  if (!fit.valid()) return fit;
  const double m = fit.points;
  fit.order = (m * sxy - sx * sy) / (m * sxx - sx * sx);
  const double intercept = (sy - fit.order * sx) / m;
  double residual2 = 0;
  for (std::size_t i = begin; i < end; ++i) {
    const double r = std::log(error[i]) - intercept - fit.order * std::log(h[i]);
    residual2 += r * r;
  }
  fit.standard_error = fit.points > 2 ? std::sqrt(residual2 / (m - 2) / (sxx - sx * sx / m)) : 0.0;
  return fit;
}

}  // namespace hamel
