// SPDX-License-Identifier: BSD-3-Clause
// What the tests of the catalogue's systems share: problems from a few lines of a scenario.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "hamel/scenario/scenario.hpp"

namespace hamel {

const Registry& catalogue();

/// The system NAME; `further` are further lines of the scenario, e.g. "mass = 2\n[initial]\n…".
io::Scenario scenario_of(const std::string& name, const std::string& further = "");

/// The scenario of the repository.
io::Scenario committed_scenario(const std::string& name);

/// Where a method is at time t after so many steps, in double unless asked otherwise.
EndPoint run_to(const io::Scenario& s, const std::string& method, double t, std::int64_t steps,
                Precision precision = Precision::double_precision);

/// Status and invariants after so many steps of the scenario's size, measured at every one.
std::pair<Status, std::map<std::string, InvariantDrift>> drifts(const io::Scenario& s,
                                                                const std::string& method,
                                                                std::int64_t steps);

/// Largest difference of two lists, relative to max(1, |expected|).
double difference(const std::vector<Quad>& found, const std::vector<Quad>& expected);

/// A list of numbers as a scenario has it.
std::string text_of(const std::vector<double>& list);

/// The closed solution; no numbers where there is none.
EndPoint exact_at(const io::Scenario& s, double t);

/// Distance of (q, ξ) from the closed solution at time t.
double error_at(const io::Scenario& s, const EndPoint& end, double t);

}  // namespace hamel
