// SPDX-License-Identifier: BSD-3-Clause
// [inputs] of a scenario, read and written.
//
//   u = 0.5                                         a number
//   u = "A*cos(w*t)"                                a formula of t
//   u = { law = "-c*theta_dot" }                    a law of the state, solved with the step
//   u = { law = "-c*theta_dot", sample = 0.1 }      the same, held for a period of 0.1 s
//   u = { file = "u.csv", column = "u" }            a table over its first column
//   u = { table = [[0, 1], [2, 3]] }                the same in place, as recordings keep it
// and hold = "linear" | "zero" for tables.
#pragma once

#include <string>
#include <vector>

#include "hamel/models/input_text.hpp"
#include "toml_reader.hpp"

namespace hamel::io {

struct Scenario;

/// origin: the scenario's file, beside which others are looked for.
std::vector<InputText> read_inputs(const toml::table& root, const std::string& origin,
                                   TomlReader& reader);

/// Problems of the inputs with the steps: periods that are no multiples, tables that are too short.
void check_inputs(const Scenario& scenario, const toml::table& root, TomlReader& reader);

std::string to_toml_text(const std::vector<InputText>& inputs);

}  // namespace hamel::io
