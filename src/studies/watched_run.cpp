// SPDX-License-Identifier: BSD-3-Clause

#include "watched_run.hpp"

#include <algorithm>
#include <cmath>

namespace hamel {

namespace {

constexpr std::int64_t samples = 4096;
constexpr std::int64_t looks = 64;  // at the sensitivity of the invariants

/// (q, velocity) of a simulation; empty where it does not show them.
std::vector<double> phase_point(const Simulation& simulation) {
  std::vector<double> z;
  const auto take = [&](std::string_view name, const std::vector<NamedValues>& state) {
    for (const auto& part : state)
      if (part.field.name == name) z.insert(z.end(), part.values.begin(), part.values.end());
  };
  const auto state = simulation.state();
  take("q", state);
  take("omega", state);
  take("xi", state);
  return z;
}

/// Σ_i |z_i ∂I/∂z_i| of every invariant at z. Numbers that happen to be small count as large as
/// their part of z: they will not stay small.
void add_sensitivity(const InvariantMap& map, const std::vector<double>& z, std::size_t half,
                     std::vector<double>& scale) {
  std::vector<double> here;
  std::vector<double> there;
  if (z.empty() || !map(z, here)) return;
  std::vector<double> sum(here.size());
  std::vector<double> moved = z;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const std::size_t begin = i < half ? 0 : half;
    const std::size_t end = i < half ? half : z.size();
    double size = 0.0;
    for (std::size_t k = begin; k < end; ++k) size += z[k] * z[k];
    size = std::sqrt(size / static_cast<double>(end - begin));
    if (size == 0.0) continue;
    const double d = 1e-6 * size;
    for (const double by : {d, -d}) {
      moved[i] = z[i] + by;
      if (!map(moved, there)) continue;
      for (std::size_t k = 0; k < sum.size(); ++k)
        sum[k] += 0.5 * std::fabs(there[k] - here[k]) / d * std::max(size, std::fabs(z[i]));
    }
    moved[i] = z[i];
  }
  for (std::size_t k = 0; k < scale.size() && k < sum.size(); ++k)
    if (std::isfinite(sum[k])) scale[k] = std::max(scale[k], sum[k]);
}

}  // namespace

WatchedRun watch(const Problem& problem, const MethodSpec& method,
                 const IntegrationOptions& options, std::int64_t steps, bool with_scale) {
  WatchedRun seen;
  const auto simulation = problem.simulate(method, options);
  seen.drifts = simulation->invariants();
  seen.changes.resize(seen.drifts.size());
  seen.scale.assign(seen.drifts.size(), 0.0);
  seen.every = std::max<std::int64_t>(1, steps / samples);
  const auto columns = simulation->columns();
  std::vector<std::size_t> offsets;
  std::size_t offset = 0;
  for (const auto& column : columns) {
    if (column.path.starts_with("/invariants/")) offsets.push_back(offset);
    offset += static_cast<std::size_t>(column.width);
  }
  std::vector<double> row(static_cast<std::size_t>(simulation->row_width()));
  const InvariantMap map = with_scale ? problem.invariant_map() : InvariantMap{};
  const std::size_t coordinates = [&] {
    for (const auto& part : simulation->state())
      if (part.field.name == "q") return part.values.size();
    return std::size_t{0};
  }();
  const std::int64_t look_every = std::max<std::int64_t>(1, steps / seen.every / looks);
  const auto sample = [&](std::int64_t count) {
    simulation->write_row(row.data());
    for (std::size_t i = 0; i < offsets.size(); ++i)
      seen.changes[i].push_back(row[offsets[i]] - seen.drifts[i].initial);
    if (!with_scale || count % look_every != 0) return;
    const std::vector<double> z = phase_point(*simulation);
    for (std::size_t i = 0; i < coordinates; ++i)
      seen.largest_q = std::max(seen.largest_q, std::fabs(z[i]));
    add_sensitivity(map, z, coordinates, seen.scale);
  };
  sample(0);
  for (std::int64_t count = 1; simulation->step_count() < steps; ++count) {
    Block block;
    block.steps = std::min(seen.every, steps - simulation->step_count());
    block.measure_every = simulation->suggested_measure_every();
    seen.status = simulation->advance(block);
    if (seen.status == Status::ok && options.stop != nullptr && options.stop->load())
      seen.status = Status::interrupted;
    if (seen.status != Status::ok) break;
    sample(count);
  }
  seen.steps = simulation->step_count();
  seen.iterates = simulation->iterations_mean() > 0.0;
  seen.drifts = simulation->invariants();
  return seen;
}

}  // namespace hamel
