// SPDX-License-Identifier: BSD-3-Clause
// What a key of [sweep.vary] means in a scenario; reading and writing of [sweep].
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "hamel/core/parameters.hpp"
#include "hamel/scenario/scenario.hpp"
#include "toml_reader.hpp"

namespace hamel::io {

/// A number of a scenario.
struct SweepKey {
  enum class Kind {
    number,     ///< of SystemValues::numbers
    list,       ///< an entry of SystemValues::lists
    initial,    ///< an entry of a field of the initial state
    parameter,  ///< of a system given as text
  };
  Kind kind = Kind::number;
  std::string text;  ///< as written
  std::string name;
  std::size_t index = 0;
  Range range = Range::any;
  std::string unit;
};

/// Nothing, and the reason in `problem`, where the scenario has no such number or it cannot vary.
std::optional<SweepKey> sweep_key(const std::string& text, const Scenario& scenario,
                                  std::string& problem);

/// [sweep] of a scenario whose system and initial state have been read.
/// Where [initial] gives nothing and the sweep varies directions or angular velocities on spheres:
/// the system's own start in these numbers.
void write_out_start(const toml::table& root, Scenario& scenario);

std::optional<Sweep> read_sweep(const toml::table& root, TomlReader& reader,
                                const Scenario& scenario);

/// The same as TOML.
std::string to_toml_text(const Sweep& sweep);

}  // namespace hamel::io
