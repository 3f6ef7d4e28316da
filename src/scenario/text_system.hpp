// SPDX-License-Identifier: BSD-3-Clause
// Systems given as text in a scenario.
#pragma once

#include <memory>
#include <string>

#include "hamel/models/frame_text.hpp"
#include "hamel/models/spheres_text.hpp"
#include "hamel/runs/problem.hpp"
#include "toml_reader.hpp"

namespace hamel::io {

/// Whether [system] defines a system instead of naming one.
bool is_text_system(const toml::table& system);

/// The texts of [system]; what is wrong with their shape goes to the reader.
FrameText read_text_system(const toml::table& system, TomlReader& reader);

/// A catalogue entry of that system; empty, with all problems in the reader, where it has any.
std::shared_ptr<const SystemEntry> text_system_entry(const std::string& name, const FrameText& text,
                                                     const toml::table& root, TomlReader& reader);

/// [system] again, as TOML.
std::string to_toml_text(const FrameText& text);

/// The same for systems on spheres: `spheres` instead of `coordinates`.
bool is_spheres_text(const toml::table& system);
SpheresText read_spheres_text(const toml::table& system, TomlReader& reader);
std::shared_ptr<const SystemEntry> spheres_text_entry(const std::string& name,
                                                      const SpheresText& text,
                                                      const toml::table& root, TomlReader& reader);
std::string to_toml_text(const SpheresText& text);

}  // namespace hamel::io
