// SPDX-License-Identifier: BSD-3-Clause
// Completions for bash, zsh and fish, made of the parser's tables.
#include <fmt/format.h>

#include <algorithm>

#include "manual.hpp"
#include "syntax.hpp"

namespace hamel::app {

namespace {

/// What may stand in a place: words, files, or both.
struct Offer {
  std::vector<std::string> words;
  bool list = false;  ///< several of the words, with commas
  bool files = false;
  bool folders = false;
  std::string ending;  ///< of the files

  bool nothing() const { return words.empty() && !files && !folders; }
};

class Script {
 public:
  Script(const std::vector<std::string>& systems, const std::vector<std::string>& methods)
      : systems_(systems), methods_(methods) {
    for (const Topic& topic : topics()) topics_.push_back(topic.name);
  }

  std::string bash() const;
  std::string zsh() const;
  std::string fish() const;

 private:
  Offer offer(const std::string& value) const {
    Offer out;
    const auto add = [&](const std::vector<std::string>& words) {
      out.words.insert(out.words.end(), words.begin(), words.end());
    };
    for (const std::string& each : alternatives(value)) {
      if (each == "SYSTEM") add(systems_);
      if (each == "METHOD" || each == "METHOD,…") add(methods_);
      if (each == "COMMAND") add(syntax().command_names());
      if (each == "TOPIC") add(topics_);
      if (each.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string::npos) add({each});
      out.list = out.list || each == "METHOD,…";
      out.files = out.files || each.starts_with("FILE") || each == "PATH";
      out.folders = out.folders || each == "FOLDER";
      if (each.starts_with("FILE.")) out.ending = each.substr(4);
    }
    return out;
  }

  std::string zsh_action(const Argument& argument) const;

  const std::vector<std::string>& systems_;
  const std::vector<std::string>& methods_;
  std::vector<std::string> topics_;
};

std::string joined(const std::vector<std::string>& words, const char* between = " ") {
  return fmt::format("{}", fmt::join(words, between));
}

std::vector<std::string> option_names(const std::vector<Argument>& arguments) {
  std::vector<std::string> names;
  for (const Argument& argument : arguments)
    names.insert(names.end(), argument.names.begin(), argument.names.end());
  return names;
}

/// In single quotes of a shell; `escape` is how it writes a quote within them.
std::string quoted(const std::string& text, const char* escape = "'\\''") {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? escape : std::string(1, c);
  return out + "'";
}

std::string Script::bash() const {
  const auto calls = [](const Offer& offer) {
    std::string text;
    if (!offer.words.empty())
      text += fmt::format(" {} '{}';", offer.list ? "_hamel_list" : "_hamel_words",
                          joined(offer.words));
    if (offer.files) text += fmt::format(" _hamel_files '{}';", offer.ending);
    if (offer.folders) text += " _hamel_folders;";
    return text;
  };
  std::string values;
  std::string options =
      fmt::format("      '') _hamel_words '{}' ;;\n", joined(option_names(syntax().options)));
  std::string words =
      fmt::format("      '') _hamel_words '{}' ;;\n", joined(syntax().command_names()));
  for (const auto& command : syntax().commands) {
    options += fmt::format("      {}) _hamel_words '{}' ;;\n", command.name,
                           joined(option_names(command.arguments)));
    for (const Argument& argument : command.arguments) {
      if (argument.value.empty()) continue;
      const std::string offered = calls(offer(argument.value));
      if (!argument.positional())
        values += fmt::format("    {}:{}){} return ;;\n", command.name, argument.name(), offered);
      else if (!offered.empty())  // without its last semicolon
        words +=
            fmt::format("      {}){} ;;\n", command.name, offered.substr(0, offered.size() - 1));
    }
  }
  return "# Completion of hamel in bash, written by: hamel completion bash\n"
         "_hamel_words() { mapfile -O \"${#COMPREPLY[@]}\" -t COMPREPLY < <(compgen -W \"$1\" -- "
         "\"$current\"); }\n"
         "_hamel_list() { # behind the last comma\n"
         "  local before=''\n"
         "  if [[ $current == *,* ]]; then before=${current%,*},; fi\n"
         "  mapfile -t COMPREPLY < <(compgen -P \"$before\" -W \"$1\" -- \"${current##*,}\")\n"
         "  compopt -o nospace 2>/dev/null\n"
         "}\n"
         "_hamel_files() {\n"
         "  compopt -o filenames 2>/dev/null\n"
         "  mapfile -O \"${#COMPREPLY[@]}\" -t COMPREPLY < <(compgen -f -X \"!*$1\" -- "
         "\"$current\")\n"
         "  if [[ $1 ]]; then _hamel_folders; fi\n"
         "}\n"
         "_hamel_folders() {\n"
         "  compopt -o filenames 2>/dev/null\n"
         "  mapfile -O \"${#COMPREPLY[@]}\" -t COMPREPLY < <(compgen -d -- \"$current\")\n"
         "}\n"
         "_hamel() {\n"
         "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
         "  local command='' i\n"
         "  COMPREPLY=()\n"
         "  if [[ $current == '=' ]]; then\n"
         "    current=''\n"
         "  elif [[ $before == '=' ]]; then\n"
         "    before=${COMP_WORDS[COMP_CWORD - 2]}\n"
         "  fi\n"
         "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
         "    if [[ ${COMP_WORDS[i]} != -* ]]; then command=${COMP_WORDS[i]} && break; fi\n"
         "  done\n"
         "  case $command:$before in\n" +
         values +
         "  esac\n"
         "  if [[ $current == -* ]]; then\n"
         "    case $command in\n" +
         options +
         "    esac\n"
         "  else\n"
         "    case $command in\n" +
         words +
         "    esac\n"
         "  fi\n"
         "}\n"
         "complete -F _hamel hamel\n";
}

std::string Script::zsh_action(const Argument& argument) const {
  const Offer what = offer(argument.value);
  std::string action;
  if (what.list)
    action = "_sequence compadd - " + joined(what.words);
  else if (!what.words.empty() && what.files)
    action = "{ compadd - " + joined(what.words) + "; _files }";
  else if (!what.words.empty())
    action = "(" + joined(what.words) + ")";
  else if (what.files)
    action = what.ending.empty() ? "_files" : "_files -g \"*" + what.ending + "\"";
  else if (what.folders)
    action = "_files -/";
  std::string value = argument.value;
  std::ranges::replace(value, ':', ' ');
  return ":" + value + ":" + (action.empty() ? " " : action);
}

std::string Script::zsh() const {
  const auto help = [](const std::string& text) {
    std::string out;
    for (const char c : text) {
      if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
      out += c;
    }
    return out;
  };
  const auto specs = [&](const std::vector<Argument>& arguments, const std::string& indent) {
    std::string text;
    for (const Argument& argument : arguments) {
      if (argument.positional()) {
        text += " \\\n" + indent +
                quoted((argument.several    ? "*"
                        : argument.required ? "1"
                                            : "1:") +
                       zsh_action(argument));
        continue;
      }
      for (const std::string& name : argument.names)
        text += " \\\n" + indent +
                quoted((argument.several ? "*" : "") + name + "[" + help(argument.help) + "]" +
                       (argument.value.empty() ? "" : zsh_action(argument)));
    }
    return text;
  };
  std::string commands;
  std::string cases;
  for (const auto& command : syntax().commands) {
    commands += "    " + quoted(command.name + ":" + help(command.summary)) + "\n";
    cases += "      " + command.name + ")\n        _arguments" +
             specs(command.arguments, "          ") + "\n        ;;\n";
  }
  return "#compdef hamel\n"
         "# Completion of hamel in zsh, written by: hamel completion zsh\n"
         "_hamel() {\n"
         "  local context state state_descr line\n"
         "  typeset -A opt_args\n"
         "  local -a commands\n"
         "  commands=(\n" +
         commands + "  )\n  _arguments -C" + specs(syntax().options, "    ") +
         " \\\n    '1: :->command' '*:: :->arguments'\n"
         "  case $state in\n"
         "    command) _describe command commands ;;\n"
         "    arguments)\n"
         "      case $words[1] in\n" +
         cases +
         "      esac\n"
         "      ;;\n"
         "  esac\n"
         "}\n"
         "if [[ $funcstack[1] == _hamel ]]; then _hamel \"$@\"; else compdef _hamel hamel; fi\n";
}

std::string Script::fish() const {
  const auto in_fish = [](const std::string& text) {
    std::string out;
    for (const char c : text) out += c == '\\' ? "\\\\" : std::string(1, c);
    return quoted(out, "\\'");
  };
  const auto offers = [&](const Offer& what) {
    std::string text;
    if (what.list)
      text += " -a " +
              in_fish("(__fish_complete_list , 'printf \"%s\\n\" " + joined(what.words) + "')");
    else if (!what.words.empty())
      text += " -a " + in_fish(joined(what.words));
    if (what.files && what.ending.empty()) text += " -F";
    if (!what.ending.empty())
      text += " -k -a " + in_fish("(__fish_complete_suffix " + what.ending + ")");
    if (what.folders) text += " -a " + in_fish("(__fish_complete_directories)");
    return text;
  };
  std::string text =
      "# Completion of hamel in fish, written by: hamel completion fish\ncomplete -c hamel -f\n";
  const auto lines = [&](const std::vector<Argument>& arguments, const std::string& where) {
    for (const Argument& argument : arguments) {
      text += "complete -c hamel -n " + in_fish(where);
      for (const std::string& name : argument.names)
        text += name.size() == 2 ? " -s " + name.substr(1) : " -l " + name.substr(2);
      const Offer what = offer(argument.value);
      if (!argument.value.empty()) text += (argument.positional() ? "" : " -r") + offers(what);
      text += " -d " + in_fish(argument.help) + "\n";
    }
  };
  lines(syntax().options, "__fish_use_subcommand");
  for (const auto& command : syntax().commands) {
    text += "complete -c hamel -n __fish_use_subcommand -a " + command.name + " -d " +
            in_fish(command.summary) + "\n";
    lines(command.arguments, "__fish_seen_subcommand_from " + command.name);
  }
  return text;
}

}  // namespace

std::string completion_script(const std::string& shell, const std::vector<std::string>& systems,
                              const std::vector<std::string>& methods) {
  const Script script(systems, methods);
  return shell == "bash" ? script.bash() : shell == "zsh" ? script.zsh() : script.fish();
}

}  // namespace hamel::app
