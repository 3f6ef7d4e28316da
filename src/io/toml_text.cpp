#include "toml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>

#include "hamel/core/error.hpp"

namespace hamel::io {

namespace {

constexpr std::size_t max_bytes = std::size_t{1} << 20U;
constexpr int max_depth = 32;

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

/// What toml++ must not be given: other encodings, control bytes, absurd nesting.
void check_bytes(const std::string& text, const std::string& origin) {
  if (text.size() > max_bytes)
    throw InputError(
        fmt::format("{}: {} bytes; a scenario has at most 1 MiB", origin, text.size()));
  Position at;
  int depth = 0;
  int deepest = 0;
  int dots = 0;  // of a dotted key; its tables nest like brackets
  char before = ' ';
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    if (length == 0) refuse(origin, at, "not valid UTF-8");
    const auto c = static_cast<unsigned char>(text[i]);
    if (c == 0) refuse(origin, at, "a NUL byte: this is not a text file");
    // Brackets inside strings count too: harmless, no sane scenario has 32 of them unclosed.
    if (c == '[' || c == '{') deepest = std::max(deepest, ++depth);
    if ((c == ']' || c == '}') && depth > 0) --depth;
    const bool in_key = std::isalnum(c) != 0 || c == '_' || c == '-' || c == ' ' || c == '\t' ||
                        c == '"' || c == '\'' || c >= 0x80;
    if (c == '.')
      dots = before == '.' ? 0 : dots + 1;
    else if (!in_key)
      dots = 0;
    before = text[i];
    if (deepest > max_depth || dots > max_depth)
      refuse(origin, at, "brackets or keys nested more than 32 deep");
    if (c == '\n') {
      ++at.line;
      at.column = 1;
    } else {
      ++at.column;
    }
    i += length;
  }
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

/// Puts the value at a dotted key, creating tables on the way.
void assign(toml::table& root, const std::string& option, const std::string& key,
            const toml::node& value) {
  toml::table* table = &root;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t dot = key.find('.', begin);
    const std::string part = key.substr(begin, dot - begin);
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

}  // namespace

toml::table parse_toml(const std::string& text, const std::string& origin) {
  check_bytes(text, origin);
  try {
    return toml::parse(text, origin);
  } catch (const toml::parse_error& error) {
    const auto& at = error.source().begin;
    refuse(origin, {at.line, at.column}, std::string(error.description()));
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
    const std::size_t equals = item.find('=');
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
  if (overrides.step) put("--step", "integrate.step", *overrides.step);
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
