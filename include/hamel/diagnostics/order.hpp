// Measured order of convergence: a straight line through (log h, log error).
//
// Points on the round-off plateau are masked (they say nothing about the method), and so is the
// coarse end where the error has not reached its asymptotic law. The slope is a least-squares fit
// over what is left, with its standard error. Where a high order leaves only long steps above
// round-off, the next term of the error of a symmetric method still shows; it is fitted too:
//   log error = a + p log h + b h².
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

/// `h` decreasing, `floor` the error level below which a point is round-off; next_term: fit b too.
inline OrderFit fit_order(const std::vector<double>& h, const std::vector<double>& error,
                          double floor, bool next_term = false) {
  OrderFit fit;
  const std::size_t n = h.size();
  fit.used.assign(n, false);
  std::size_t end = 0;  // before the plateau, and while the error still falls
  while (end < n && error[end] > floor && (end == 0 || error[end] < error[end - 1])) ++end;
  // The last five points of that range: the finest ones, closest to the asymptotic law.
  const std::size_t begin = end > 5 ? end - 5 : 0;
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> w;
  for (std::size_t i = begin; i < end; ++i) {
    x.push_back(std::log(h[i]));
    y.push_back(std::log(error[i]));
    w.push_back(h[i] * h[i]);
    fit.used[i] = true;
    ++fit.points;
  }
  if (!fit.valid()) return fit;
  const auto product = [](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  };
  const auto without = [&](std::vector<double>& a, const std::vector<double>& b) {
    const double factor = product(a, b) / product(b, b);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] -= factor * b[i];
  };
  // What the other terms explain is taken out of x and y; the rest is a line through the origin.
  const std::vector<double> ones(x.size(), 1.0);
  for (auto* list : {&x, &y, &w}) without(*list, ones);
  int fitted = 2;
  if (next_term && fit.points > 3) {
    for (auto* list : {&x, &y}) without(*list, w);
    fitted = 3;
  }
  fit.order = product(x, y) / product(x, x);
  without(y, x);
  fit.standard_error =
      fit.points > fitted ? std::sqrt(product(y, y) / (fit.points - fitted) / product(x, x)) : 0.0;
  return fit;
}

}  // namespace hamel
