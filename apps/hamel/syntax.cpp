// SPDX-License-Identifier: BSD-3-Clause

#include "syntax.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "hamel/core/words.hpp"
#include "parser.hpp"

namespace hamel::app {

namespace {

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == at)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

Argument argument_of(const CLI::Option& option, const std::string& group) {
  Argument argument;
  for (const auto& name : option.get_snames()) argument.names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) argument.names.push_back("--" + name);
  if (option.get_items_expected_max() > 0) argument.value = option.get_type_name();
  argument.help = option.get_description();
  argument.group = option.get_group() == "Options" ? group : option.get_group();
  argument.required = option.get_required();
  argument.several = option.get_items_expected_max() > 1;
  return argument;
}

/// Those of option groups too, which are parts of a command without a name.
void add_arguments(const CLI::App& app, std::vector<Argument>& list) {
  const bool part_of = app.get_name().empty();
  for (const CLI::Option* option : app.get_options()) {
    if (part_of && option == app.get_help_ptr()) continue;
    list.push_back(argument_of(*option, own_options));
    list.back().one_of = part_of && app.get_require_option_min() == 1;
  }
  for (const CLI::App* part : app.get_subcommands([](const CLI::App*) { return true; }))
    if (part->get_name().empty()) add_arguments(*part, list);
}

Syntax read_syntax() {
  const Parser parser;
  Syntax out;
  out.summary = parser.app.get_description();
  add_arguments(parser.app, out.options);
  for (const CLI::App* sub : parser.app.get_subcommands([](const CLI::App*) { return true; })) {
    CommandSyntax command{sub->get_name(), sub->get_description(), {}, {}};
    add_arguments(*sub, command.arguments);
    // An option group shows its options in the command, too.
    std::ranges::stable_sort(command.arguments, std::ranges::greater(), &Argument::one_of);
    command.examples = split(sub->get_footer(), '\n');
    out.commands.push_back(std::move(command));
  }
  return out;
}

/// "'compare' and 'certify'"
std::string commands_with(const std::string& option) {
  std::vector<std::string> names;
  for (const auto& command : syntax().commands)
    if (command.option(option) != nullptr) names.push_back(command.name);
  constexpr std::size_t most = 6;
  if (names.size() > most) names.resize(most - 1), names.emplace_back("others");
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i)
    list += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return list;
}

/// What is near to an option that is not known there: of the command, or of others.
std::string advice(const CommandSyntax* command, const std::string& option) {
  // Without a command, those of commands are behind the wrong word.
  const auto belongs = [&](const std::string& name) {
    return fmt::format("; --{} {} {}", name,
                       command == nullptr ? "goes behind a command:" : "is for",
                       commands_with("--" + name));
  };
  const auto names_of = [](const std::vector<Argument>& arguments, std::vector<std::string>& into) {
    for (const Argument& argument : arguments)
      for (const std::string& name : argument.names)
        if (name.size() > 2) into.push_back(name.substr(2));  // the dashes would count as likeness
  };
  const auto with_dashes = [](std::vector<std::string> names) {
    for (std::string& name : names) name.insert(0, "--");
    return any_of_words(names, "");
  };
  const std::string word = option.substr(std::min(option.find_first_not_of('-'), option.size()));
  std::vector<std::string> own;
  names_of(command != nullptr ? command->arguments : syntax().options, own);
  std::vector<std::string> others;
  for (const auto& each : syntax().commands) names_of(each.arguments, others);
  if (command != nullptr && word == "version")
    return "; it goes without a command: hamel --version";
  std::string text;
  if (std::ranges::find(others, word) != others.end()) text = belongs(word);
  if (const auto near = near_words(word, own); !near.empty())
    text += "; did you mean " + with_dashes(near) + "?";
  else if (const auto far = near_words(word, others); text.empty() && !far.empty())
    text = belongs(far.front());
  return text;
}

[[noreturn]] void refuse(const CommandSyntax* command, const std::string& problem) {
  const std::string told = command == nullptr ? problem : command->name + ": " + problem;
  if (told.ends_with('?')) throw InputError(told);
  throw InputError(told + (command == nullptr ? "; hamel help lists commands and options"
                                              : fmt::format("; usage: {}; hamel help {} tells more",
                                                            synopsis(*command), command->name)));
}

/// CLI11's words in ours, where they are more than a remark.
std::string in_our_words(const CLI::ParseError& error, const CommandSyntax* command) {
  std::string text = error.what();
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) {
    constexpr std::string_view prefix = "Could not convert: ";
    if (text.starts_with(prefix)) return text.substr(prefix.size()) + " is not a number it takes";
  }
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr && command != nullptr) {
    for (const Argument& argument : command->arguments)
      if (argument.required && text.ends_with(" is required") &&
          (argument.positional() ? !text.starts_with('-') : text.starts_with(argument.name())))
        return heading(argument) + " is missing: " + argument.help;
  }
  if (dynamic_cast<const CLI::ValidationError*>(&error) != nullptr && !text.starts_with('-'))
    return text.substr(text.find(": ") + 2);  // CLI11's name of a place
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr && command != nullptr) {
    const Argument* option = command->option(text.substr(0, text.find_first_of(": ")));
    if (option != nullptr && !option->value.empty())
      return option->name() + " needs a value: " + heading(*option);
  }
  return text;
}

/// Turns what CLI11 throws into a message.
[[noreturn]] void refuse(const CLI::App& app, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  const CommandSyntax* command = chosen.empty() ? nullptr : syntax().command(chosen[0]->get_name());
  // First what is not known: a word that is missing may stand behind it.
  const auto refuse_unknown = [](const CommandSyntax* of, const std::vector<std::string>& rest) {
    for (const std::string& word : rest)
      if (word.size() > 1 && word[0] == '-') {
        const std::string option = word.substr(0, word.find('='));
        refuse(of, fmt::format("unknown option '{}'{}", clipped(option), advice(of, option)));
      }
    if (!rest.empty()) refuse(of, fmt::format("unexpected argument '{}'", clipped(rest.front())));
  };
  refuse_unknown(nullptr, app.remaining());
  if (!chosen.empty()) refuse_unknown(command, chosen[0]->remaining());
  if (command == nullptr)
    throw InputError({"which command? usage: hamel COMMAND [ARGUMENTS]",
                      "commands: " + list_of_words(syntax().command_names()),
                      "hamel help tells more"});
  refuse(command, in_our_words(error, command));
}

}  // namespace

const Syntax& syntax() {
  static const Syntax syntax = read_syntax();
  return syntax;
}

const CommandSyntax* Syntax::command(std::string_view name) const {
  const auto found = std::ranges::find(commands, name, &CommandSyntax::name);
  return found == commands.end() ? nullptr : &*found;
}

std::vector<std::string> Syntax::command_names() const {
  std::vector<std::string> names;
  for (const auto& command : commands) names.push_back(command.name);
  return names;
}

const Argument* CommandSyntax::option(std::string_view name) const {
  for (const auto& argument : arguments)
    if (std::ranges::find(argument.names, name) != argument.names.end()) return &argument;
  return nullptr;
}

std::vector<std::string> alternatives(const std::string& value) { return split(value, '|'); }

std::string heading(const Argument& argument) {
  std::string text;
  for (const std::string& name : argument.names) text += (text.empty() ? "" : ", ") + name;
  if (!argument.value.empty()) text += (text.empty() ? "" : " ") + argument.value;
  if (argument.positional() && argument.several) text += " …";
  return text;
}

std::string synopsis(const CommandSyntax& command) {
  std::string text = "hamel " + command.name;
  std::string choice;
  bool options = false;
  for (const Argument& argument : command.arguments) {
    if (argument.one_of)
      choice += (choice.empty() ? " " : "|") + argument.name();
    else if (argument.positional())
      text += argument.required ? " " + heading(argument) : " [" + heading(argument) + "]";
    else
      options = options || !argument.required;
  }
  for (const Argument& argument : command.arguments)
    if (argument.required && !argument.positional()) text += " " + heading(argument);
  return text + choice + (options ? " [OPTIONS]" : "");
}

Request parse_command_line(int argc, const char* const* argv) {
  if (argc > 1 && argv[1][0] != '-' && syntax().command(argv[1]) == nullptr)
    refuse(nullptr, fmt::format("unknown command '{}'{}", clipped(argv[1]),
                                did_you_mean(argv[1], syntax().command_names())));
  Parser parser;
  try {
    parser.app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const auto chosen = parser.app.get_subcommands();
    parser.options = {};
    if (!chosen.empty()) parser.options.name = chosen[0]->get_name();
    parser.chosen = help_command;
  } catch (const CLI::CallForVersion&) {
    parser.chosen = version_command;
  } catch (const CLI::ParseError& error) {
    refuse(parser.app, error);
  }
  return {parser.chosen, std::move(parser.options)};
}

}  // namespace hamel::app
