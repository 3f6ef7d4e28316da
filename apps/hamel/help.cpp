// SPDX-License-Identifier: BSD-3-Clause
// hamel help, hamel completion.
#include <fmt/format.h>

#include <algorithm>

#include "commands.hpp"
#include "console.hpp"
#include "hamel/core/error.hpp"
#include "hamel/core/words.hpp"
#include "manual.hpp"
#include "syntax.hpp"

namespace hamel::app {

namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

constexpr std::size_t widest_term = 20;

/// A term and what it means in two columns; long terms have a line of their own.
std::string two_columns(const Entries& entries) {
  std::size_t width = 0;
  for (const auto& [term, text] : entries)
    if (display_width(term) <= widest_term) width = std::max(width, display_width(term));
  std::string out;
  for (const auto& [term, text] : entries) {
    const std::size_t own = display_width(term);
    std::string line = term;
    if (own > width) {
      out += "  " + term + "\n";
      line.clear();
    }
    line += std::string(width - std::min(own > width ? 0 : own, width), ' ');
    out += wrapped(line + "  " + text, 2, width + 4);
  }
  return out;
}

std::string titled(const std::string& title, const std::string& text) {
  return text.empty() ? "" : "\n" + title + "\n" + text;
}

std::string arguments_text(const std::vector<Argument>& arguments) {
  std::vector<std::string> groups = {"arguments"};
  for (const Argument& argument : arguments)
    if (std::ranges::find(groups, argument.group) == groups.end() && !argument.positional())
      groups.push_back(argument.group);
  // Its own options first, those that all share last.
  std::ranges::stable_sort(groups, {}, [](const std::string& group) {
    return group == "arguments" ? 0 : group == own_options ? 1 : group == common_options ? 3 : 2;
  });
  std::string text;
  for (const std::string& group : groups) {
    Entries entries;
    for (const Argument& argument : arguments)
      if (argument.positional() ? group == "arguments" : argument.group == group)
        entries.emplace_back(heading(argument), argument.help);
    text += titled(group, two_columns(entries));
  }
  return text;
}

std::string command_help(const CommandSyntax& command) {
  std::string text = "usage: " + synopsis(command) + "\n\n" + command.summary + "\n" +
                     arguments_text(command.arguments);
  std::string examples;
  for (const std::string& example : command.examples) {
    const std::size_t remark = example.find("  # ");
    if (remark == std::string::npos || display_width(example) <= 78)
      examples += "  " + example + "\n";
    else
      examples += "  " + example.substr(remark + 2) + "\n  " + example.substr(0, remark) + "\n";
  }
  return text + titled("examples", examples);
}

std::string overview() {
  Entries commands;
  for (const auto& command : syntax().commands)
    commands.emplace_back(command.name, command.summary);
  Entries about;
  for (const Topic& topic : topics()) about.emplace_back(topic.name, topic.summary);
  return "usage: hamel COMMAND [ARGUMENTS]\n\n" + syntax().summary + "\n" +
         titled("commands", two_columns(commands)) + arguments_text(syntax().options) +
         titled("topics", two_columns(about)) +
         titled("examples",
                "  hamel describe spherical_pendulum --scenario > pendulum.toml\n"
                "  hamel compare pendulum.toml\n"
                "  hamel help run\n") +
         "\nhamel help COMMAND and hamel help TOPIC tell more; hamel help --man is the\n"
         "manual page, hamel completion SHELL completes commands, options and names.\n";
}

std::string topic_help(const Topic& topic) {
  return topic.name + ": " + topic.summary + "\n" +
         (topic.text.empty() ? "" : "\n" + wrapped(topic.text, 0)) + "\n" +
         two_columns(topic.entries);
}

}  // namespace

int help_command(const Options& options, const Registry&) {
  std::string text;
  if (options.man) {
    text = manual_page();
  } else if (options.name.empty()) {
    text = overview();
  } else if (const CommandSyntax* command = syntax().command(options.name)) {
    text = command_help(*command);
  } else {
    std::vector<std::string> names = syntax().command_names();
    for (const Topic& topic : topics()) {
      names.push_back(topic.name);
      if (topic.name == options.name) text = topic_help(topic);
    }
    if (text.empty())
      throw InputError("no help on '" + clipped(options.name) + "'" +
                       did_you_mean(options.name, names));
  }
  fmt::print("{}", text);
  return exit_ok;
}

int completion_command(const Options& options, const Registry& registry) {
  std::vector<std::string> systems;
  for (const auto& entry : registry.systems()) systems.push_back(entry.name);
  std::vector<std::string> methods;
  for (const auto& method : registry.methods()) methods.emplace_back(method.name);
  fmt::print("{}", completion_script(options.name, systems, methods));
  return exit_ok;
}

}  // namespace hamel::app
