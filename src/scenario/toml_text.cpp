// SPDX-License-Identifier: BSD-3-Clause

#include "toml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>

#include "hamel/core/error.hpp"

namespace hamel::io {

namespace {

constexpr std::size_t max_bytes = std::size_t{1} << 20U;
constexpr std::size_t max_depth = 32;

struct Position {
  std::size_t line = 1, column = 1;
};

[[noreturn]] void refuse(const std::string& origin, Position at, const std::string& why) {
  throw InputError(fmt::format("{}:{}:{}: {}", origin, at.line, at.column, why));
}

/// Length of the valid UTF-8 sequence at text[i], or 0.
std::size_t utf8_length(const std::string& text, std::size_t i) {
  const auto byte = [&](std::size_t k) {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U;
  };
  const unsigned first = byte(i);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4) return 0;
  std::uint32_t code = first & (0xFFU >> (length + 1));
  for (std::size_t k = 1; k < length; ++k) {
    const unsigned next = byte(i + k);
    if ((next & 0xC0U) != 0x80U) return 0;
    code = (code << 6U) | (next & 0x3FU);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return overlong || surrogate || code > 0x10FFFF ? 0 : length;
}

/// Reads TOML as far as it takes to know what is a text, a comment or neither, and refuses what
/// toml++ 3.3 must not be given: a character that is not ASCII where it looks for blanks (its table
/// of blanks runs into an unreachable point), a header without a name (it asserts that there is
/// one), absurd nesting. Whatever else is wrong it reports itself, at once: behind that, nothing is
/// read any more.
class Scanner {
 public:
  Scanner(const std::string& text, const std::string& origin) : text_(text), origin_(origin) {}

  void run() {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (text_.starts_with(byte_order_mark)) advance();
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const bool blank = c == ' ' || c == '\t' || c == '\r';
      const bool fresh_line = fresh_line_;
      fresh_line_ = c == '\n' || (fresh_line && blank);
      if (c == '"' || c == '\'') {
        skip_text(c, in_value_ && value_ended_);
        value_ended_ = true;
      } else if (c == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') advance();
      } else if (blank || c == '\n') {
        if (c == '\n' && open_.empty()) in_value_ = false;
        advance();
      } else if (in_value_) {
        read_value(c);
      } else {
        read_key(c, fresh_line);
      }
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { hamel::io::refuse(origin_, pos_, why); }

  char ahead(std::size_t n = 0) const { return at_ + n < text_.size() ? text_[at_ + n] : '\0'; }

  /// To the next character.
  void advance() {
    const std::size_t length = utf8_length(text_, at_);
    if (length == 0) refuse("not valid UTF-8");
    if (text_[at_] == '\0') refuse("a NUL byte: this is not a text file");
    if (text_[at_] == '\n') {
      ++pos_.line;
      pos_.column = 1;
    } else {
      ++pos_.column;
    }
    at_ += length;
  }

  void ascii_only() const {
    if (static_cast<unsigned char>(ahead()) < 0x80) return;
    refuse(utf8_length(text_, at_) == 0
               ? "not valid UTF-8"
               : "only texts in quotes and comments may have letters that are not ASCII");
  }

  /// A character where a value stands, or behind one. Whatever begins as a number or a word goes on
  /// to the next of these ends, and toml++ looks through all of it.
  void read_value(char c) {
    constexpr std::string_view ends = " \t\r\n,]}#";
    if (c == '[' || c == '{') {
      open(c);
      in_value_ = c == '[';
    } else if (c == ']' || c == '}') {
      close();
    } else if (c == ',') {
      in_value_ = !open_.empty() && open_.back() == '[';
      value_ended_ = false;
    } else {
      for (; at_ < text_.size() && ends.find(text_[at_]) == std::string_view::npos; advance())
        ascii_only();
      value_ended_ = true;
      return;
    }
    advance();
  }

  /// A character of a key, or of a header.
  void read_key(char c, bool fresh_line) {
    ascii_only();
    if (c == '[' && fresh_line && open_.empty()) check_header();
    if (c == '=' || c == ',' || fresh_line) dots_ = 0;
    if (c == '.') ++dots_;
    if (dots_ > max_depth) refuse_depth();
    if (c == '=') {
      in_value_ = true;
      value_ended_ = false;
    } else if (c == '}') {
      close();
    }
    advance();
  }

  void open(char bracket) {
    open_ += bracket;
    value_ended_ = false;
    if (open_.size() > max_depth) refuse_depth();
  }
  void close() {
    if (!open_.empty()) open_.pop_back();
    in_value_ = true;
    value_ended_ = true;
  }
  [[noreturn]] void refuse_depth() const { refuse("brackets or keys nested more than 32 deep"); }

  /// From the opening quotes to behind the closing ones, or to the end of a line or of the file
  /// where they are missing. Behind a value there should be none: it may be looked through too.
  void skip_text(char quote, bool misplaced) {
    const bool is_long = ahead(1) == quote && ahead(2) == quote;
    for (int i = 0; i < (is_long ? 3 : 1); ++i) advance();
    while (at_ < text_.size() && (is_long || text_[at_] != '\n')) {
      if (misplaced) ascii_only();
      if (text_[at_] == '\\' && quote == '"') {
        skip_escape(is_long);
      } else if (text_[at_] != quote || (is_long && (ahead(1) != quote || ahead(2) != quote))) {
        advance();
      } else {  // up to two more quotes belong to a long text
        for (int i = 0; i < (is_long ? 5 : 1) && ahead() == quote; ++i) advance();
        return;
      }
    }
  }

  /// A backslash and what it stands before. One at the end of a line drops the blanks that follow.
  void skip_escape(bool is_long) {
    const auto dropped = [&] {
      const char c = ahead();
      return c == ' ' || c == '\t' || c == '\r' || (is_long && c == '\n');
    };
    advance();
    const bool escape = !dropped();
    while (dropped()) advance();
    ascii_only();
    if (escape && at_ < text_.size() && ahead() != '\n') advance();
  }

  void check_header() const {
    std::size_t next = ahead(1) == '[' ? 2 : 1;
    while (ahead(next) == ' ' || ahead(next) == '\t') ++next;
    const char c = ahead(next);
    const bool name = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' ||
                      c == '"' || c == '\'' || c == ']' || static_cast<unsigned char>(c) >= 0x80;
    if (!name && at_ + next < text_.size()) refuse("a table header without a name, e.g. [system]");
  }

  const std::string& text_;
  const std::string& origin_;
  std::size_t at_ = 0;
  Position pos_;
  bool fresh_line_ = true;    // nothing but blanks so far
  bool in_value_ = false;     // behind an = or in a list
  bool value_ended_ = false;  // and behind its value
  std::string open_;          // the brackets around, of values
  std::size_t dots_ = 0;      // of a dotted key; its tables nest like brackets
};

void check_bytes(const std::string& text, const std::string& origin) {
  if (text.size() > max_bytes)
    throw InputError(
        fmt::format("{}: {} bytes; a scenario has at most 1 MiB", origin, text.size()));
  Scanner(text, origin).run();
}

/// A value given on the command line.
toml::table parse_value(const std::string& option, const std::string& value) {
  try {
    toml::table parsed = parse_toml("value = " + value + "\n", option);
    if (parsed.size() == 1) return parsed;
  } catch (const InputError& error) {
    const std::string why = error.what();  // "ORIGIN:LINE:COLUMN: reason"
    const bool word =
        value.find_first_not_of("abcdefghijklmnopqrstuvwxyz_ABCDEFGHIJKLMNOPQRSTUVWXYZ") ==
        std::string::npos;
    if (!word)
      throw InputError(fmt::format("{}: '{}' is not a TOML value: {}", clipped(option),
                                   clipped(value), why.substr(why.rfind(": ") + 2)));
  }
  throw InputError(fmt::format("{}: '{}' is not a TOML value (text needs quotes: '\"{}\"')",
                               clipped(option), clipped(value), clipped(value)));
}

/// Where the character next stands outside of double quotes.
std::size_t find_unquoted(const std::string& text, char wanted, std::size_t from) {
  bool quoted = false;
  for (; from < text.size(); ++from) {
    if (text[from] == '"') quoted = !quoted;
    if (text[from] == wanted && !quoted) return from;
  }
  return std::string::npos;
}

/// Puts the value at a dotted key, creating tables on the way; parts in quotes are taken whole.
void assign(toml::table& root, const std::string& option, const std::string& key,
            const toml::node& value) {
  toml::table* table = &root;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t dot = find_unquoted(key, '.', begin);
    std::string part = key.substr(begin, dot - begin);
    if (part.size() > 1 && part.front() == '"' && part.back() == '"')
      part = part.substr(1, part.size() - 2);
    if (part.empty()) throw InputError(option + ": '" + key + "' is not a key like system.mass");
    if (dot == std::string::npos) {
      value.visit([&](const auto& v) { table->insert_or_assign(part, v); });
      return;
    }
    if (!table->contains(part)) table->insert(part, toml::table{});
    table = table->get(part)->as_table();
    if (table == nullptr)
      throw InputError(option + ": '" + key.substr(0, dot) + "' is not a table");
    begin = dot + 1;
  }
}

/// What a line of the text defines, quoted: KEY of KEY = …, or [table].
std::string key_of_line(std::string_view text, std::size_t line) {
  for (; line > 1; --line) text.remove_prefix(std::min(text.size(), text.find('\n') + 1));
  text = text.substr(0, text.find('\n'));
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' || text[i] == '\'') quoted = !quoted;
    if (text[i] == '=' && !quoted) text = text.substr(0, i);
  }
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return "a key";
  const std::string key(text.substr(first, text.find_last_not_of(" \t\r") + 1 - first));
  return key.front() == '"' || key.front() == '[' ? key : "'" + key + "'";
}

}  // namespace

toml::table parse_toml(const std::string& text, const std::string& origin) {
  check_bytes(text, origin);
  try {
    return toml::parse(text, origin);
  } catch (const toml::parse_error& error) {
    const auto& at = error.source().begin;
    const std::string why(error.description());
    // The parser garbles keys in quotes: the name is that of the line.
    const bool twice = why.find("cannot redefine existing ") != std::string::npos;
    refuse(origin, {at.line, at.column},
           twice ? key_of_line(text, at.line) + " is given twice" : why);
  }
}

std::map<std::string, std::string> apply_overrides(toml::table& root, const Overrides& overrides) {
  std::map<std::string, std::string> origins;
  const auto put = [&](const std::string& option, const std::string& key,
                       const std::string& value) {
    const toml::table parsed = parse_value(option, value);
    assign(root, option, key, *parsed.get("value"));
    origins[key] = option;
  };
  const auto drop = [&](const char* key) {
    if (auto* integrate = root["integrate"].as_table()) integrate->erase(key);
  };
  const auto put_text = [&](const std::string& option, const std::string& key,
                            const std::string& text) {
    assign(root, option, key, toml::value<std::string>(text));
    origins[key] = option;
  };

  for (const std::string& item : overrides.set) {
    const std::size_t equals = find_unquoted(item, '=', 0);
    if (equals == std::string::npos || equals == 0)
      throw InputError("--set " + clipped(item) + ": must be KEY=VALUE, e.g. --set system.mass=2");
    put("--set " + item, item.substr(0, equals), item.substr(equals + 1));
  }
  if (overrides.method) {
    drop("methods");
    put_text("--method", "integrate.method", *overrides.method);
  }
  if (overrides.methods) {
    drop("method");
    toml::array list;
    for (const auto& spec : parse_methods(*overrides.methods)) list.push_back(spec.text);
    assign(root, "--methods", "integrate.methods", list);
    origins["integrate.methods"] = "--methods";
  }
  if (overrides.step) {
    drop("accuracy");
    put("--step", "integrate.step", *overrides.step);
  }
  if (overrides.accuracy) {
    drop("step");
    put("--accuracy", "integrate.accuracy", *overrides.accuracy);
  }
  if (overrides.steps) {
    drop("until");
    put("--steps", "integrate.steps", *overrides.steps);
  }
  if (overrides.until) {
    drop("steps");
    put("--until", "integrate.until", *overrides.until);
  }
  return origins;
}

}  // namespace hamel::io
