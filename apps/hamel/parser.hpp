// SPDX-License-Identifier: BSD-3-Clause
// The parser of the command line (CLI11).
#pragma once

#include <CLI/CLI.hpp>

#include "commands.hpp"

namespace hamel::app {

using Command = int (*)(const Options&, const Registry&);

/// Commands with their arguments and examples, and where the values go.
struct Parser {
  Parser();
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  CLI::App app;
  Options options;
  Command chosen = nullptr;

 private:
  /// Examples are command lines, some with "  # " and a remark.
  CLI::App& add(const char* name, const char* summary, Command command, const char* examples);
  void add_simulations();
  void add_studies();
  void add_catalogue();
  void add_recordings();
  void add_words();
};

}  // namespace hamel::app
