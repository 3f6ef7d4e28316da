// SPDX-License-Identifier: BSD-3-Clause
// TomlReader: values out of a scenario, with every problem remembered and located.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hamel/core/error.hpp"
#include "hamel/core/parameters.hpp"
#include "hamel/core/words.hpp"
#include "toml_text.hpp"

namespace hamel::io {

inline constexpr std::int64_t max_steps = 1'000'000'000'000'000;

/// Reads values out of one document and remembers every problem.
class TomlReader {
 public:
  TomlReader(std::string origin, std::map<std::string, std::string> overridden)
      : origin_(std::move(origin)), overridden_(std::move(overridden)) {}

  void problem(const std::string& key, const toml::node* node, const std::string& text) {
    problems_.push_back(where(key, node) + clipped(key) + (text.starts_with(":") ? "" : " ") +
                        text);
  }
  void problem(std::string text) { problems_.push_back(std::move(text)); }
  bool clean() const { return problems_.empty(); }
  void throw_problems() const {
    if (!problems_.empty()) throw InputError(problems_);
  }

  /// The table of that name; an empty one where it is absent.
  const toml::table& table(const toml::table& root, const std::string& name) {
    static const toml::table empty;
    const toml::node* node = root.get(name);
    if (node == nullptr) return empty;
    if (const auto* found = node->as_table()) return *found;
    problem(name, node, "must be a table, [" + name + "]");
    return empty;
  }

  void refuse_unknown(const toml::table& table, const std::string& prefix,
                      const std::vector<std::string>& known) {
    for (const auto& [raw, node] : table) {
      const std::string key(raw.str());
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      std::vector<std::string> near = near_words(key, known);
      for (std::string& name : near) name.insert(0, prefix);
      problem(
          prefix + key, &node,
          "is not a known key" + (near.empty() ? "; known: " + list_of_words(known)
                                               : "; did you mean " + any_of_words(near, "") + "?"));
    }
  }

  std::optional<double> number(const toml::table& table, const std::string& prefix,
                               const std::string& key, Range range) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return std::nullopt;
    const auto value = as_number(*node);
    if (!value) {
      problem(prefix + key, node, fmt::format("must be {}, not {}", to_string(range), kind(*node)));
    } else if (!contains(range, *value)) {
      problem(prefix + key, node, fmt::format("= {} must be {}", *value, to_string(range)));
    } else {
      return value;
    }
    return std::nullopt;
  }

  /// A whole number.
  std::optional<double> number(const toml::table& table, const std::string& prefix,
                               const std::string& key, int least, int most) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return std::nullopt;
    const auto value = as_number(*node);
    if (value && *value == std::floor(*value) && *value >= least && *value <= most) return value;
    problem(prefix + key, node,
            fmt::format("{} must be a whole number from {} to {}",
                        value ? fmt::format("= {}", *value) : "is " + kind(*node) + "; it", least,
                        most));
    return std::nullopt;
  }

  /// Numbers of a range, at least one.
  std::optional<std::vector<double>> list(const toml::table& table, const std::string& prefix,
                                          const std::string& key, Range range) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return std::nullopt;
    const toml::array* list = node->as_array();
    if (list == nullptr || list->empty()) {
      problem(prefix + key, node, "must be a list of numbers, not " + kind(*node));
      return std::nullopt;
    }
    std::vector<double> values;
    for (const toml::node& element : *list) {
      const auto value = as_number(element);
      const std::string entry = fmt::format("{}{}[{}]", prefix, key, values.size() + 1);
      if (!value || !contains(range, *value)) {
        problem(entry, &element,
                value ? fmt::format("= {} must be {}", *value, to_string(range))
                      : fmt::format("must be {}, not {}", to_string(range), kind(element)));
        return std::nullopt;
      }
      values.push_back(*value);
    }
    return values;
  }

  /// Three formulas.
  std::optional<std::vector<std::string>> drive(const toml::table& table, const std::string& prefix,
                                                const std::string& key) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return std::nullopt;
    const toml::array* list = node->as_array();
    if (list == nullptr || list->size() != 3) {
      problem(prefix + key, node, "must be a list of three formulas in t");
      return std::nullopt;
    }
    std::vector<std::string> formulas;
    for (const toml::node& element : *list)
      formulas.push_back(
          formula(element, fmt::format("{}{}[{}]", prefix, key, formulas.size() + 1)));
    return formulas;
  }

  /// A large whole number, up to a power of ten.
  std::optional<std::int64_t> count(const toml::table& table, const std::string& prefix,
                                    const std::string& key, std::int64_t least = 1,
                                    std::int64_t most = max_steps) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return std::nullopt;
    const auto value = as_number(*node);
    if (!value || *value != std::floor(*value) || !(*value >= static_cast<double>(least)) ||
        !(*value <= static_cast<double>(most))) {
      problem(prefix + key, node,
              fmt::format("{} must be a whole number from {} to 10^{:.0f}",
                          value ? fmt::format("= {}", *value) : "is " + kind(*node) + "; it", least,
                          std::log10(static_cast<double>(most))));
      return std::nullopt;
    }
    return static_cast<std::int64_t>(*value);
  }

  std::optional<bool> boolean(const toml::table& table, const std::string& prefix,
                              const std::string& key) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return std::nullopt;
    if (const auto value = node->value_exact<bool>()) return value;
    problem(prefix + key, node, "must be true or false, not " + kind(*node));
    return std::nullopt;
  }

  std::optional<std::string> text(const toml::table& table, const std::string& prefix,
                                  const std::string& key) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return std::nullopt;
    if (const auto value = node->value_exact<std::string>()) {
      if (!value->empty()) return value;
      problem(prefix + key, node, "must not be empty");
    } else {
      problem(prefix + key, node, "must be a text in quotes, not " + kind(*node));
    }
    return std::nullopt;
  }

  /// A formula: a text, or a number in its place.
  std::string formula(const toml::table& table, const std::string& prefix, const std::string& key,
                      const std::string& preset) {
    const toml::node* node = table.get(key);
    return node == nullptr ? preset : formula(*node, prefix + key);
  }
  std::string formula(const toml::node& node, const std::string& key) {
    if (const auto value = node.value_exact<std::string>()) return *value;
    if (const auto number = as_number(node)) return fmt::format("{:.17g}", *number);
    problem(key, &node, "must be a formula in quotes, not " + kind(node));
    return "1";
  }

  /// `size` finite numbers, or three for each sphere; a list of vectors is taken as one list.
  std::optional<std::vector<double>> vector(const toml::table& table, const std::string& prefix,
                                            const InitialField& field) {
    const std::string key(field.name);
    const toml::node* node = table.get(key);
    if (node == nullptr) return std::nullopt;
    const auto wrong = [&](const std::string& why) {
      problem(prefix + key, node,
              (field.size > 0 ? fmt::format("must be {} numbers, ", field.size)
                              : std::string("must be three numbers for each sphere, ")) +
                  why);
      return std::nullopt;
    };
    const toml::array* list = node->as_array();
    if (list == nullptr) return wrong("not " + kind(*node));
    std::vector<double> values;
    std::string fault;
    const auto add = [&](const toml::node& element) {
      const auto value = as_number(element);
      if (!value && fault.empty()) fault = "one of them is " + kind(element);
      if (value && !std::isfinite(*value) && fault.empty())
        fault = fmt::format("one of them is {}", *value);
      values.push_back(value.value_or(0.0));
    };
    for (const toml::node& element : *list) {
      const toml::array* inner = element.as_array();
      if (inner == nullptr) {
        add(element);
        continue;
      }
      if (field.size == 0 && inner->size() != 3 && fault.empty())
        fault = fmt::format("one vector has {}", inner->size());
      for (const toml::node& part : *inner) add(part);
    }
    const bool fits = field.size > 0 ? values.size() == static_cast<std::size_t>(field.size)
                                     : !values.empty() && values.size() % 3 == 0;
    if (!fits && fault.empty()) fault = fmt::format("not {}", values.size());
    if (!fault.empty()) return wrong(fault);
    return values;
  }

  std::string where(const std::string& key, const toml::node* node) const {
    for (const auto& [changed, option] : overridden_)  // the key itself or something in it
      if (changed == key || changed.starts_with(key + ".")) return option + ": ";
    if (node == nullptr || !node->source().begin) return origin_ + ": ";
    return fmt::format("{}:{}:{}: ", origin_, node->source().begin.line,
                       node->source().begin.column);
  }

 public:
  static std::optional<double> as_number(const toml::node& node) {
    if (const auto* integer = node.as_integer()) return static_cast<double>(integer->get());
    if (const auto* real = node.as_floating_point()) return real->get();
    return std::nullopt;
  }

  static std::string kind(const toml::node& node) {
    if (const auto* value = node.as_string()) return "the text \"" + clipped(value->get()) + "\"";
    if (const auto number = as_number(node)) return fmt::format("the number {}", *number);
    if (node.is_boolean()) return "true/false";
    if (node.is_table()) return "a table";
    if (node.is_array()) return "a list";
    return "a date or time";
  }

 private:
  std::string origin_;
  std::map<std::string, std::string> overridden_;
  std::vector<std::string> problems_;
};

}  // namespace hamel::io
