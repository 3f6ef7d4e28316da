// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/runs/method_spec.hpp"

#include <algorithm>
#include <cctype>

#include "hamel/core/error.hpp"

namespace hamel {

namespace {

std::string without_blanks(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (!std::isspace(static_cast<unsigned char>(c))) out += c;
  return out;
}

[[noreturn]] void malformed(const std::string& text, const std::string& why) {
  throw InputError("method '" + clipped(text) + "': " + why +
                   "; a method is written name(option=value,…)+composition");
}

bool is_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  });
}

/// Splits at commas outside parentheses.
std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

}  // namespace

MethodSpec MethodSpec::parse(std::string_view text) {
  MethodSpec spec;
  spec.text = without_blanks(text);
  if (spec.text.empty()) throw InputError("a method name is empty");
  std::string rest = spec.text;

  if (const auto plus = rest.find('+'); plus != std::string::npos) {
    const std::string name = rest.substr(plus + 1);
    const auto composition = composition_named(name);
    if (!composition) malformed(spec.text, "unknown composition '" + name + "' (su4, kl6, kl8)");
    spec.composition = *composition;
    rest.resize(plus);
  }
  if (const auto open = rest.find('('); open != std::string::npos) {
    if (rest.back() != ')') malformed(spec.text, "a parenthesis is not closed");
    const std::string inside = rest.substr(open + 1, rest.size() - open - 2);
    rest.resize(open);
    if (inside.empty()) malformed(spec.text, "the parentheses are empty");
    for (const std::string& item : split(inside)) {
      const auto equals = item.find('=');
      if (equals == std::string::npos || !is_name(item.substr(0, equals)) ||
          equals + 1 == item.size())
        malformed(spec.text, "'" + item + "' is not option=value");
      if (!spec.options.emplace(item.substr(0, equals), item.substr(equals + 1)).second)
        malformed(spec.text, "option '" + item.substr(0, equals) + "' is given twice");
    }
  }
  if (!is_name(rest)) malformed(spec.text, "'" + rest + "' is not a method name");
  spec.name = rest;
  return spec;
}

std::string unknown_method(const std::string& name) {
  return "unknown method '" + clipped(name) + "'";
}

std::vector<MethodSpec> parse_methods(std::string_view list) {
  std::vector<MethodSpec> specs;
  for (const std::string& item : split(without_blanks(list)))
    specs.push_back(MethodSpec::parse(item));
  return specs;
}

}  // namespace hamel
