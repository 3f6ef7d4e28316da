// SPDX-License-Identifier: BSD-3-Clause
// What the command line takes, as plain data read from the parser: help, manual page, completions
// and the advice after a wrong option are made of it, so that nothing is said twice.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "commands.hpp"

namespace hamel::app {

struct Argument {
  std::vector<std::string> names;  ///< -h, --help; none where only its position tells
  std::string value;               ///< FILE, up|down|both: words as they stand; "" of a flag
  std::string help;
  std::string group;
  bool required = false;
  bool several = false;
  bool one_of = false;  ///< one of those of the command must be given

  bool positional() const { return names.empty(); }
  const std::string& name() const { return names.empty() ? value : names.back(); }
};

/// Titles of the options that are a command's own, and of those that all share.
inline constexpr const char* own_options = "options";
inline constexpr const char* common_options = "common options";

struct CommandSyntax {
  std::string name;
  std::string summary;
  std::vector<Argument> arguments;
  std::vector<std::string> examples;

  const Argument* option(std::string_view name) const;
};

struct Syntax {
  std::string summary;
  std::vector<Argument> options;  ///< without a command
  std::vector<CommandSyntax> commands;

  const CommandSyntax* command(std::string_view name) const;
  std::vector<std::string> command_names() const;
};

const Syntax& syntax();

/// "hamel section FILE --plane FORMULA [OPTIONS]"
std::string synopsis(const CommandSyntax& command);
/// "-h, --help", "--out FILE|none"
std::string heading(const Argument& argument);
/// The alternatives of a value: "FILE|none" is FILE and none.
std::vector<std::string> alternatives(const std::string& value);

/// What a command line asks for. Throws InputError.
struct Request {
  int (*command)(const Options&, const Registry&) = nullptr;
  Options options;
};
Request parse_command_line(int argc, const char* const* argv);

}  // namespace hamel::app
