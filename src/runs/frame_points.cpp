// SPDX-License-Identifier: BSD-3-Clause

#include "frame_points.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "hamel/expressions/program.hpp"

namespace hamel {

namespace {
constexpr int most_points = 5;
}

std::vector<std::vector<double>> points_near(const FrameModel& model,
                                             const std::vector<double>& q) {
  const std::size_t N = q.size();
  Expressions flat;
  for (const auto& row : model.frame) flat.insert(flat.end(), row.begin(), row.end());
  Evaluator<double> fields(Program(model.q, flat));
  std::vector<double> u(flat.size());
  std::vector<double> xi(model.frame.size());
  const auto velocity = [&](const std::vector<double>& x, std::vector<double>& v) {
    fields(x.data(), u.data());
    std::ranges::fill(v, 0.0);
    for (std::size_t k = 0; k < u.size(); ++k) v[k % N] += xi[k / N] * u[k];
  };
  const auto moved = [&](std::vector<double> x, double time, int steps) {  // the classical RK4
    std::array<std::vector<double>, 4> k;
    k.fill(std::vector<double>(N));
    std::vector<double> there(N);
    const double h = time / steps;
    for (int step = 0; step < steps; ++step) {
      for (std::size_t stage = 0; stage < 4; ++stage) {
        const double part = stage == 0 ? 0.0 : stage == 3 ? h : 0.5 * h;
        for (std::size_t b = 0; b < N; ++b)
          there[b] = x[b] + (stage == 0 ? 0.0 : part * k[stage - 1][b]);
        velocity(there, k[stage]);
      }
      for (std::size_t b = 0; b < N; ++b)
        x[b] += h / 6.0 * (k[0][b] + 2.0 * k[1][b] + 2.0 * k[2][b] + k[3][b]);
    }
    return x;
  };
  const auto distance = [](const std::vector<double>& x, const std::vector<double>& y) {
    double largest = 0.0;
    for (std::size_t b = 0; b < x.size(); ++b) {
      const double d = std::fabs(x[b] - y[b]) / (1.0 + std::fabs(x[b]));
      if (!(d <= largest)) largest = d;
    }
    return largest;
  };
  std::minstd_rand random(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<std::vector<double>> points = {q};
  while (points.size() < most_points) {
    std::vector<double> x = q;
    for (int leg = 0; leg < 2; ++leg) {
      for (double& component : xi) component = uniform(random);
      double time = 0.5;
      for (int halving = 0; halving < 10; ++halving, time *= 0.5) {
        const std::vector<double> coarse = moved(x, time, 16);
        const std::vector<double> fine = moved(x, time, 32);
        if (!(distance(coarse, fine) <= 1e-9)) continue;  // then `fine` is 1e-10 off
        x = fine;
        break;
      }
    }
    points.push_back(std::move(x));
  }
  return points;
}

}  // namespace hamel
