// SPDX-License-Identifier: BSD-3-Clause
// The manual page (roff, man macros), made of the parser's tables and the topics of the help.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "hamel/runs/version.hpp"
#include "manual.hpp"
#include "syntax.hpp"

namespace hamel::app {

namespace {

/// A text that roff shows as it stands, in ASCII.
std::string escaped(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x80) {
      if (byte == '\\')
        out += "\\e";
      else if (byte == '-')
        out += "\\-";
      else if (byte == '\'')
        out += "\\(aq";
      else if (byte == '"')
        out += "\\(dq";
      else if (byte == '.' && (out.empty() || out.back() == '\n'))
        out += "\\&.";
      else
        out += text[i];
      ++i;
      continue;
    }
    const std::size_t length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
    std::uint32_t code = byte & (0xFFU >> (length + 1));
    for (std::size_t k = 1; k < length && i + k < text.size(); ++k)
      code = code << 6U | (static_cast<unsigned char>(text[i + k]) & 0x3FU);
    out += fmt::format("\\[u{:04X}]", code);
    i += length;
  }
  return out;
}

std::string bold(const std::string& text) { return "\\fB" + escaped(text) + "\\fP"; }

/// Options bold, what stands for a value in italics.
std::string heading_text(const Argument& argument) {
  std::string text;
  for (const std::string& name : argument.names) text += (text.empty() ? "" : ", ") + bold(name);
  if (!argument.value.empty())
    text += (text.empty() ? "\\fI" : " \\fI") + escaped(argument.value) + "\\fP";
  return text + (argument.positional() && argument.several ? " \\[u2026]" : "");
}

std::string entry(const std::string& heading, const std::string& text) {
  return ".TP\n" + heading + "\n" + escaped(text) + "\n";
}

std::string sentence(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return escaped(text) + ".";
}

std::string capitals(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

/// The options that several commands share, a section for each group.
std::string shared_options() {
  std::vector<std::string> groups;
  for (const auto& command : syntax().commands)
    for (const Argument& argument : command.arguments)
      if (!argument.positional() && argument.group != own_options &&
          std::ranges::find(groups, argument.group) == groups.end())
        groups.push_back(argument.group);
  std::ranges::stable_partition(groups, [](const auto& group) { return group != common_options; });
  std::string text;
  for (const std::string& group : groups) {
    std::vector<Argument> arguments;
    std::string commands;
    for (const auto& command : syntax().commands) {
      bool has = false;
      for (const Argument& argument : command.arguments) {
        if (argument.positional() || argument.group != group) continue;
        has = true;
        if (std::ranges::find(arguments, argument.names, &Argument::names) == arguments.end())
          arguments.push_back(argument);
      }
      if (has) commands += (commands.empty() ? "" : ", ") + command.name;
    }
    text += ".SH " + capitals(group) + "\nOf " + escaped(commands) + ".\n";
    for (const Argument& argument : arguments) text += entry(heading_text(argument), argument.help);
  }
  return text;
}

std::string commands_text() {
  std::string text = ".SH COMMANDS\n";
  for (const auto& command : syntax().commands) {
    text += ".SS \"" + escaped(synopsis(command)) + "\"\n" + sentence(command.summary) + "\n";
    std::vector<std::string> shared;
    for (const Argument& argument : command.arguments) {
      if (argument.positional() || argument.group == own_options)
        text += entry(heading_text(argument), argument.help);
      else if (std::ranges::find(shared, argument.group) == shared.end())
        shared.push_back(argument.group);
    }
    std::string also;
    for (const std::string& group : shared) also += (also.empty() ? "" : " and ") + group;
    if (!also.empty()) text += ".PP\nAlso " + escaped(also) + ", below.\n";
  }
  return text;
}

std::string examples_text() {
  std::string text = ".SH EXAMPLES\n.nf\n";
  for (const char* first : {"describe", "run"})  // the others use what these two make
    for (const std::string& example : syntax().command(first)->examples)
      text += escaped(example) + "\n";
  for (const auto& command : syntax().commands)
    if (command.name != "describe" && command.name != "run")
      for (const std::string& example : command.examples) text += escaped(example) + "\n";
  return text + ".fi\n";
}

}  // namespace

std::string manual_page() {
  std::string text =
      fmt::format(".TH HAMEL 1 \"\" \"hamel {}\" \"User Commands\"\n.SH NAME\nhamel \\- {}\n",
                  escaped(version()), escaped(syntax().summary));
  text += ".SH SYNOPSIS\n.B hamel\n.I COMMAND\n.RI [ ARGUMENTS ]\n";
  text +=
      ".SH DESCRIPTION\nRuns mechanical systems, of its catalogue or given as text, with methods "
      "that keep\nwhat the systems keep, measures what they kept, records and draws it.\n"
      "Everything about a run stands in a scenario file.\n";
  for (const Argument& option : syntax().options) text += entry(heading_text(option), option.help);
  text += commands_text() + shared_options();
  for (const Topic& topic : topics()) {
    text += ".SH \"" + escaped(topic.title) + "\"\n" + escaped(topic.text) +
            (topic.text.empty() ? "" : "\n");
    for (const auto& [term, meaning] : topic.entries) text += entry(bold(term), meaning);
  }
  return text + examples_text() + ".SH \"SEE ALSO\"\n.BR gnuplot (1),\n.BR h5dump (1)\n";
}

}  // namespace hamel::app
