// SPDX-License-Identifier: BSD-3-Clause
// The commands of the program, one function each. Each returns the exit code and throws
// InputError, IoError or NumericalError, which main() turns into messages.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hamel/catalogue/registry.hpp"
#include "hamel/scenario/scenario.hpp"

namespace hamel::app {

enum ExitCode {
  exit_ok = 0,
  exit_differs = 1,
  exit_input = 2,
  exit_numerical = 3,
  exit_io = 4,
  exit_interrupted = 130
};

/// Everything the command line can say; each command uses its part.
struct Options {
  std::vector<std::string> files;  ///< scenario or recordings
  std::string name;                ///< of a system, method, reproduced claim, command, shell
  io::Overrides overrides;
  std::optional<std::string> out;  ///< FILE or "none"
  bool force = false;
  bool json = false;
  bool quiet = false;
  bool scenario = false;                ///< describe --scenario
  bool man = false;                     ///< help --man
  int levels = 6;                       ///< converge
  std::optional<std::string> along;     ///< equilibria: what a family is followed along
  std::optional<double> from, to;       ///< equilibria
  std::optional<int> count;             ///< equilibria
  bool all = false;                     ///< equilibria: from many starts
  bool verify = false;                  ///< info --check
  std::string format;                   ///< export: csv, npz or vtk
  std::int64_t every = 0;               ///< export: rows; 0: not said
  std::string plane;                    ///< section
  std::string direction = "up";         ///< section: up, down, both
  std::optional<std::string> axes;      ///< section, plot of a sweep: of the figure
  bool lyapunov = false;                ///< run
  std::optional<std::int64_t> member;   ///< run: of the scenario's sweep
  std::optional<std::string> show;      ///< plot of runs: names
  std::optional<double> until;          ///< plot of runs, s
  std::optional<std::string> quantity;  ///< plot of a sweep
  std::vector<std::string> at;          ///< plot of a sweep: KEY=VALUE
  int threads = 0;                      ///< accepted everywhere, used by sweep; 0: all processors
};

int run_command(const Options&, const Registry&);
int compare_command(const Options&, const Registry&);
int converge_command(const Options&, const Registry&);
int certify_command(const Options&, const Registry&);
int equilibria_command(const Options&, const Registry&);
int check_command(const Options&, const Registry&);
int list_command(const Options&, const Registry&);
int describe_command(const Options&, const Registry&);
int plot_command(const Options&, const Registry&);
int info_command(const Options&, const Registry&);
int export_command(const Options&, const Registry&);
int section_command(const Options&, const Registry&);
int sweep_command(const Options&, const Registry&);
int resume_command(const Options&, const Registry&);
int reproduce_command(const Options&, const Registry&);
int help_command(const Options&, const Registry&);
int completion_command(const Options&, const Registry&);
int version_command(const Options&, const Registry&);

}  // namespace hamel::app
