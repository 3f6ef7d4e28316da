// SPDX-License-Identifier: BSD-3-Clause
// The figures of `hamel equilibria`: stability along a family, and drift.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "equilibria.hpp"
#include "hamel/figures/figures.hpp"

namespace hamel::app {

namespace {

/// The real parts other than zero, largest first, each once.
std::vector<double> real_parts(const Equilibrium& e) {
  double scale = 0.0;
  for (const auto& x : e.eigenvalues) scale = std::fmax(scale, std::abs(x));
  const double zero = zero_rate(scale);
  std::vector<double> parts;
  for (const auto& x : e.eigenvalues) {
    if (std::abs(x) <= zero) continue;
    const double re = std::fabs(x.real()) <= zero ? 0.0 : x.real();
    if (parts.empty() || parts.back() - re > zero) parts.push_back(re);
  }
  return parts;
}

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

template <class Value>
io::Curve curve_of(const EquilibriumFamily& family, std::string label, const Value& value) {
  io::Curve curve{std::move(label), family.values, {}};
  for (const Equilibrium& e : family.points) curve.y.push_back(value(e));
  return curve;
}

bool any_point(const io::Curve& curve) {
  return std::ranges::any_of(curve.y, [](double y) { return std::isfinite(y); });
}

io::LinePlot stability_plot(const EquilibriaFindings& found) {
  io::LinePlot plot;
  plot.stem = "stability";
  plot.title = fmt::format("Stability of relative equilibria of {}", found.system);
  plot.x_label = found.drawn_along.name;
  plot.y_label = "growth rate, 1/s";
  plot.zero_line = true;
  plot.note = fmt::format(
      "system: real parts of the eigenvalues; methods: largest (|multiplier| - 1)/h at h = {} s. "
      "Above zero unstable. Eigenvalues 0 and multipliers 1, which go along the family, are left "
      "out.",
      found.step);
  std::size_t parts = 1;
  for (const Equilibrium& e : found.drawn.points)
    parts = std::max(parts, std::min<std::size_t>(4, real_parts(e).size()));
  for (std::size_t k = 0; k < parts; ++k)
    plot.curves.push_back(
        curve_of(found.drawn,
                 k == 0   ? "system"
                 : k == 1 ? "system, others"
                          : "",
                 [k](const Equilibrium& e) {
                   const auto list = real_parts(e);
                   return k < list.size() ? list[k] : list.empty() ? 0.0 : nothing;
                 }));
  plot.references = parts;
  const auto& methods = found.drawn.points.front().methods;
  for (std::size_t k = 0; k < methods.size(); ++k)
    plot.curves.push_back(curve_of(found.drawn, methods[k].method, [k](const Equilibrium& e) {
      return e.methods[k].failure.empty() ? cleaned(e.methods[k].growth) : nothing;
    }));
  return plot;
}

/// How fast methods without equilibria of their own go along the family.
io::LinePlot drift_plot(const EquilibriaFindings& found) {
  io::LinePlot plot;
  plot.stem = "drift";
  plot.title = fmt::format("Drift of methods along relative equilibria of {}", found.system);
  plot.x_label = found.drawn_along.name;
  plot.y_label = fmt::format("rate of {}, per s", found.drawn_along.name);
  plot.zero_line = true;
  plot.note = fmt::format("Methods that have no equilibria at h = {} s.", found.step);
  const auto& methods = found.drawn.points.front().methods;
  for (std::size_t k = 0; k < methods.size(); ++k) {
    io::Curve curve = curve_of(found.drawn, methods[k].method, [&](const Equilibrium& e) {
      if (e.methods[k].drift > quad_round_off)
        for (const auto& [name, value] : e.methods[k].rates)
          if (name == found.drawn_along.name) return value;
      return nothing;
    });
    if (any_point(curve)) plot.curves.push_back(std::move(curve));
  }
  return plot;
}

}  // namespace

std::vector<std::filesystem::path> draw_equilibria(const EquilibriaFindings& found,
                                                   const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files = io::draw(folder, stability_plot(found));
  if (const io::LinePlot drift = drift_plot(found); !drift.curves.empty())
    for (auto& path : io::draw(folder, drift)) files.push_back(std::move(path));
  return files;
}

}  // namespace hamel::app
