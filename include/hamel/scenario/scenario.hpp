// SPDX-License-Identifier: BSD-3-Clause
// Scenario files (TOML): what to simulate, how, and what to keep.
//
//   [system]     name and parameters of a catalogue system; or, without a name, a system of one's
//                own: coordinates, parameters, lagrangian or quasi_lagrangian, frame, complement,
//                brackets, forces, symmetry, [system.let], [system.invariants]
//   [inputs]     of a system of one's own: numbers, formulas of t, laws of the state, tables
//   [initial]    the fields of one of the system's initial forms; normalise = true|false
//   [integrate]  method or methods, step, until or steps, compensated, tolerance
//   [output]     file, every, invariants_every
//   [sweep]      samples, seed, [sweep.vary], [sweep.output]: see scenario/sweep.hpp
//
// A reader collects every problem of a file (unknown keys with the nearest valid one, wrong types,
// sizes, ranges), each with line and column, and throws them together.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hamel/catalogue/registry.hpp"
#include "hamel/models/frame_text.hpp"
#include "hamel/models/spheres_text.hpp"
#include "hamel/scenario/sweep.hpp"

namespace hamel::io {

/// Changes to a scenario from the command line; each text is a TOML value or a method string.
struct Overrides {
  std::vector<std::string> set;  ///< KEY=VALUE
  std::optional<std::string> method, methods, step, accuracy, steps, until;
};

struct Scenario {
  std::string name;  ///< stem of the file; names the default output folder
  const SystemEntry* system = nullptr;
  std::shared_ptr<const SystemEntry> own_system;  ///< owns *system where it is text, or sized
  std::optional<FrameText> text_system;           ///< the definition then, in a frame
  std::optional<SpheresText> spheres_text;        ///< or on spheres
  SystemValues parameters;                        ///< all of them, presets included
  int initial_form = 0;
  InitialValues initial;
  MethodSpec method;                ///< for `run`: method, else the first of methods, else preset
  std::vector<MethodSpec> methods;  ///< for `compare`: methods, else method, else all that fit
  IntegrationOptions integration;
  std::int64_t steps = 0;
  double accuracy = 0.0;  ///< of the end position, instead of a step; 0: the step is given
  double horizon = 0.0;   ///< s, with accuracy: the time to reach
  std::int64_t every = 1;
  bool every_given = false;           ///< or else chosen
  int row_width = 0;                  ///< numbers in a row of `method`; 0: not known
  std::int64_t invariants_every = 0;  ///< 0: as the method suggests
  std::optional<std::string> file;
  bool tolerance_chosen = false;  ///< that of the solver, by choose_step
  std::optional<Sweep> sweep;
  std::vector<std::string> notes;  ///< what was mended or rounded; shown to the user
  std::shared_ptr<const Problem> problem;

  double until() const { return static_cast<double>(steps) * integration.step; }
  /// The scenario in force, with one method, as TOML: stored in recordings, enough to repeat it.
  std::string to_toml(const MethodSpec& method) const;
};

struct ScenarioFile {
  std::string text;
  std::string origin;  ///< names it in messages; its stem names the results
};

/// Reads a file, or standard input where `path` is "-"; it is called "stdin" then. Throws
/// InputError where there is no such file, IoError where reading it fails.
ScenarioFile read_scenario_file(const std::filesystem::path& path);

/// Throws InputError with all problems.
Scenario load_scenario(const ScenarioFile& file, const Overrides& overrides,
                       const Registry& registry);
inline Scenario load_scenario(const std::filesystem::path& path, const Overrides& overrides,
                              const Registry& registry) {
  return load_scenario(read_scenario_file(path), overrides, registry);
}

/// Where an accuracy is given: the step that reaches it with the scenario's method, and a note of
/// it. Throws NumericalError where none does.
void choose_step(Scenario& scenario);

/// The same without choosing a step, from text; `origin` names it in messages.
Scenario parse_scenario(const std::string& text, const std::string& origin,
                        const Overrides& overrides, const Registry& registry);

/// A start file for a system, with comments.
std::string scenario_template(const SystemEntry& system);

/// The shortest decimal that reads back as x.
std::string shortest(double x);

}  // namespace hamel::io
