// SPDX-License-Identifier: BSD-3-Clause
// Reading TOML safely: checks that must hold before the parser sees the bytes, and overrides.
#pragma once

#include <toml++/toml.h>

#include <string>

#include "hamel/scenario/scenario.hpp"

namespace hamel::io {

/// Parses text; throws InputError with line and column for anything that is not TOML. Refuses
/// before parsing: invalid UTF-8, NUL bytes, more than 1 MiB, nesting deeper than 32, headers
/// without a name, and characters that are not ASCII outside of texts and comments.
toml::table parse_toml(const std::string& text, const std::string& origin);

/// Applies command-line changes to the table. Returns for each changed key path ("system.mass")
/// the option it came from, for messages.
std::map<std::string, std::string> apply_overrides(toml::table& root, const Overrides& overrides);

}  // namespace hamel::io
