// SPDX-License-Identifier: BSD-3-Clause
// One run of one method, with recording, progress and interruption, as several commands need it.
#pragma once

#include <filesystem>
#include <optional>

#include "commands.hpp"
#include "hamel/recording/checkpoint.hpp"
#include "hamel/recording/recording.hpp"
#include "hamel/scenario/result.hpp"

namespace hamel::app {

/// Where a run's rows go.
struct Destination {
  std::filesystem::path file;  ///< empty: nowhere
  bool overwrite = false;
};

/// From --out, output.file, or the default results/SCENARIO/METHOD.h5.
Destination destination_of(const Options&, const io::Scenario&, const MethodSpec&);

/// The default, in `folder`. Throws IoError where an unfinished recording of another scenario is
/// there, unless --force is given.
Destination default_destination(const Options&, const io::Scenario&, const MethodSpec&,
                                const std::filesystem::path& folder);

/// A method string as a file name: gauss(stages=3) → gauss_stages=3.
std::string file_name(const MethodSpec&);

/// The default folder of a scenario's outputs, results/NAME, created.
std::filesystem::path results_folder(const std::string& scenario_name);
/// The same, not created.
std::filesystem::path results_path(const std::string& scenario_name);
/// NAME for the scenario of a recording.
std::string results_name(const io::RecordingReader& reader, const std::filesystem::path& recording);

/// The checkpoint that `resume` goes on from. Throws IoError or InputError where it would refuse,
/// but for damaged rows, which it looks for when it begins.
io::Checkpoint checkpoint_to_resume(const std::filesystem::path& recording);

/// Runs from the start, or on from a checkpoint.
io::RunResult execute(const Options&, const io::Scenario&, const MethodSpec&, const Destination&,
                      const io::Checkpoint* resume_from = nullptr);

/// |q − q_exact| at the end of the run; nothing where there is no closed solution, NaN where it was
/// interrupted.
std::optional<double> end_error(const io::Scenario&, const io::RunResult&, bool quiet);

/// Exit code of a run by its status.
int exit_code(Status);

}  // namespace hamel::app
