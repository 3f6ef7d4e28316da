// SPDX-License-Identifier: BSD-3-Clause
// Scenarios as files.
#include <filesystem>
#include <fstream>
#include <iostream>

#include "hamel/core/error.hpp"
#include "hamel/scenario/scenario.hpp"

namespace hamel::io {

ScenarioFile read_scenario_file(const std::filesystem::path& path) {
  std::error_code ignored;
  const bool standard_input = path == "-";
  if (!standard_input && std::filesystem::is_directory(path, ignored))
    throw InputError(path.string() + ": is a directory, not a scenario file");
  std::ifstream opened;
  if (!standard_input) opened.open(path, std::ios::binary);
  std::istream& stream = standard_input ? std::cin : opened;
  if (!stream) throw InputError(path.string() + ": no such scenario file, or it cannot be read");
  // One byte more than a scenario may have: the rest of something huge is not even read.
  ScenarioFile file{std::string((std::size_t{1} << 20U) + 1, '\0'),
                    standard_input ? "stdin" : path.string()};
  stream.read(file.text.data(), static_cast<std::streamsize>(file.text.size()));
  if (stream.bad()) throw IoError(file.origin + ": cannot be read");
  file.text.resize(static_cast<std::size_t>(stream.gcount()));
  return file;
}

Scenario load_scenario(const ScenarioFile& file, const Overrides& overrides,
                       const Registry& registry) {
  Scenario scenario = parse_scenario(file.text, file.origin, overrides, registry);
  choose_step(scenario);
  return scenario;
}

}  // namespace hamel::io
