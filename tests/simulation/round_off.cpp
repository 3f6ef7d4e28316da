// SPDX-License-Identifier: BSD-3-Clause

#include "simulation/round_off.hpp"

#include <algorithm>
#include <cmath>

namespace hamel {

std::vector<double> phase_point(const Simulation& simulation) {
  std::vector<double> z;
  const auto state = simulation.state();
  for (const char* name : {"q", "omega", "xi"})
    for (const auto& part : state)
      if (part.field.name == name) z.insert(z.end(), part.values.begin(), part.values.end());
  return z;
}

namespace {

double largest(const std::vector<double>& z, std::size_t begin, std::size_t end) {
  double most = 0.0;
  for (std::size_t i = begin; i < std::min(end, z.size()); ++i)
    most = std::fmax(most, std::fabs(z[i]));
  return most;
}

}  // namespace

std::vector<double> own_sizes(const std::vector<std::vector<double>>& points,
                              std::size_t coordinates) {
  std::vector<double> m(points.front().size());
  for (const auto& z : points)
    for (std::size_t i = 0; i < m.size(); ++i) m[i] = std::fmax(m[i], std::fabs(z[i]));
  const double least[] = {0.1 * largest(m, 0, coordinates),
                          0.1 * largest(m, coordinates, m.size())};
  for (std::size_t i = 0; i < m.size(); ++i) m[i] = std::fmax(m[i], least[i < coordinates ? 0 : 1]);
  return m;
}

std::vector<double> term_sizes(const InvariantMap& map, const std::vector<double>& z,
                               std::vector<double> m, std::size_t coordinates) {
  std::vector<double> here, there;
  if (z.empty() || !map(z, here)) return {};
  if (m.empty()) {
    const double most[] = {largest(z, 0, coordinates), largest(z, coordinates, z.size())};
    for (std::size_t i = 0; i < z.size(); ++i) m.push_back(most[i < coordinates ? 0 : 1]);
  }
  std::vector<double> sizes(here.size());
  std::vector<double> moved = z;
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (m[i] == 0.0) continue;
    moved[i] = z[i] + 1e-6 * m[i];
    if (map(moved, there))
      for (std::size_t k = 0; k < sizes.size(); ++k)
        sizes[k] += std::fabs(there[k] - here[k]) / 1e-6;
    moved[i] = z[i];
  }
  return sizes;
}

// By differences of a method of high order: the derivative is the flow's.
Growth growth(const Problem& problem, const IntegrationOptions& options, int steps) {
  const auto step = problem.step_map(MethodSpec::parse("gauss"), options);
  const PhaseSpace space = problem.phase_space();
  const std::size_t n = space.size();
  const std::size_t coordinates =
      space.spheres > 0 ? 3 * static_cast<std::size_t>(space.spheres) : space.coordinates.size();
  std::vector<double> next(n);
  const auto go_on = [&](std::vector<double>& z) {
    if (!(*step)(z, next)) std::ranges::fill(next, NAN);
    z = next;
  };
  std::vector<std::vector<double>> points(1);
  for (const Quad& x : space.start) points[0].push_back(static_cast<double>(x));
  constexpr double d = 1e-6;
  std::vector<std::vector<double>> up(n, points[0]);
  std::vector<std::vector<double>> down = up;
  for (std::size_t i = 0; i < n; ++i) {
    up[i][i] += d;
    down[i][i] -= d;
  }
  for (int k = 0; k < steps; ++k) go_on(points.emplace_back(points.back()));
  const std::vector<double> m = own_sizes(points, coordinates);
  Growth sum{0.0, 0.0};
  for (int k = 0; k <= steps; ++k)
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t to = 0; to < n; ++to) {
        const double moved = m[i] * (up[i][to] - down[i][to]) / (2 * d);
        const double relative = moved / std::fmax(1.0, m[to]);
        sum.state += moved * moved;
        if (to < coordinates) sum.position += relative * relative;
      }
      go_on(up[i]);
      go_on(down[i]);
    }
  return {std::sqrt(sum.state), std::sqrt(sum.position)};
}

}  // namespace hamel
