// SPDX-License-Identifier: BSD-3-Clause
// The comparison of integrators on nonholonomic systems: `hamel reproduce nonholonomic`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "hamel/studies/trend.hpp"

namespace hamel::app {

/// A scenario compiled into the program: scenarios/nonholonomic/NAME.toml.
struct EmbeddedScenario {
  const char* name;
  const char* text;
};
const std::vector<EmbeddedScenario>& nonholonomic_scenarios();  // generated

/// What one method did to one system.
struct MethodStudy {
  std::string method;
  double step = 0.0;
  std::int64_t steps = 0;  ///< good ones
  Status status = Status::ok;
  std::string trouble;  ///< why it could not be measured; empty: it was
  double cost = 0.0;    ///< s of computing per s of motion
  Trend energy;         ///< relative to its initial value; slope in 1/s
  std::vector<std::pair<std::string, double>> others;  ///< drift of the other invariants
  std::optional<double> chord;                         ///< Problem::chord_defect
  /// Near the scenario's relative equilibrium, where there is one: how far ξ leaves it, and the
  /// rate at which a small disturbance grows, 1/s.
  std::optional<double> equilibrium, growth;
  std::vector<double> t, error;  ///< the energy's curve
};

struct SystemStudy {
  std::string name, summary;
  double step = 0.0;
  bool has_equilibrium = false;
  std::vector<MethodStudy> methods;
};

/// Runs every method of every scenario, `steps` steps each, on all processors. Nothing where it was
/// interrupted.
std::optional<std::vector<SystemStudy>> study_nonholonomic(const Registry&, std::int64_t steps,
                                                           bool quiet);

/// Whether the method and the reference agree on a disturbance growing, fading or neither within
/// the time it was watched.
const char* stability_of(double growth);

int nonholonomic_command(const Options&, const Registry&);

}  // namespace hamel::app
