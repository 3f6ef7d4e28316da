// SPDX-License-Identifier: BSD-3-Clause
// What a method is, to the rest of the library.
//
// A method is a const value: its options and a `Step` template that does the work,
//
//   struct Name {
//     static constexpr MethodInfo info{…};                    // name, source, options
//     static Name from_options(MethodOptions&);               // reads `name(option=value)`
//     template <class System> static constexpr bool fits;     // which systems it can integrate
//     template <class System> Claims claims(const System&) const;
//     template <class System, class Use> auto with_step(const Initial&, Use&& use) const;
//   };
//
// with_step calls use(StepType<Step>{}) with the step class that fits the options and data;
//
//   template <class System, class S, Summation Mode> class Step {
//     struct State;                                           // trivially copyable
//     Step(const Name&, const System&, S h, const SolverOptions&);
//     State start(const Initial&) const;
//     StepReport<S> step(State&) const noexcept;              // no allocation, never throws
//     SphereState<S> observe(const State&) const;
//   };
#pragma once

#include <algorithm>
#include <cstdio>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hamel/core/error.hpp"
#include "hamel/core/parameters.hpp"
#include "hamel/core/summation.hpp"
#include "hamel/core/words.hpp"

namespace hamel {

struct MethodInfo {
  std::string_view name;
  std::string_view summary;
  std::string_view source;  ///< document and equations
  std::span<const OptionInfo> options = {};
  bool implicit = true;
  bool cheap = false;  ///< a step takes less than about 0.2 µs: measure invariants less often
};

/// What a method promises for a given system; the law tests measure each of these.
struct Claims {
  int order = 1;
  bool time_symmetry = false;
  bool symplectic = false;
  std::vector<std::string> invariants;  ///< kept to round-off
  std::string note;                     ///< a limit of the claims, in words
  bool adaptive = false;                ///< chooses its own steps; order 0 then
  bool constraint = false;              ///< the chord of a step obeys the constraints at its middle

  bool keeps(std::string_view invariant) const {
    return std::find(invariants.begin(), invariants.end(), invariant) != invariants.end();
  }
};

/// The options of `name(option=value,…)`, read once each; what is left over is an error.
class MethodOptions {
 public:
  MethodOptions() = default;
  MethodOptions(std::string method, std::map<std::string, std::string> values)
      : method_(std::move(method)), values_(std::move(values)) {}

  int integer(const std::string& name, int low, int high, int preset) {
    const std::string text = take(name);
    if (text.empty()) return preset;
    std::size_t used = 0;
    int number = 0;
    try {
      number = std::stoi(text, &used);
    } catch (const std::exception&) {
      used = 0;
    }
    if (used != text.size() || number < low || number > high)
      throw InputError(method_ + ": option " + name + " = " + text + " must be an integer from " +
                       std::to_string(low) + " to " + std::to_string(high));
    return number;
  }

  double number(const std::string& name, double low, double high, double preset) {
    const std::string text = take(name);
    if (text.empty()) return preset;
    std::size_t used = 0;
    double number = 0.0;
    try {
      number = std::stod(text, &used);
    } catch (const std::exception&) {
      used = 0;
    }
    const bool inside = number >= low && number <= high;  // NaN is not
    if (used != text.size() || !inside) {
      char range[80];
      std::snprintf(range, sizeof range, "%g to %g", low, high);
      throw InputError(method_ + ": option " + name + " = " + text + " must be a number from " +
                       range);
    }
    return number;
  }

  bool given(const std::string& name) const { return values_.contains(name); }

  /// Index of the word among `words`, or -1 where the option is not given.
  int word(const std::string& name, const std::vector<std::string>& words) {
    const std::string text = take(name);
    if (text.empty()) return -1;
    for (std::size_t i = 0; i < words.size(); ++i)
      if (words[i] == text) return static_cast<int>(i);
    std::string allowed;
    for (const auto& w : words) allowed += (allowed.empty() ? "" : ", ") + w;
    throw InputError(method_ + ": option " + name + " = " + text + " must be one of " + allowed +
                     did_you_mean(text, words));
  }

  /// Throws where an option was given that nobody read.
  void finish(std::span<const OptionInfo> known) const {
    if (values_.empty()) return;
    std::vector<std::string> names;
    for (const auto& option : known) names.emplace_back(option.name);
    const std::string& given = values_.begin()->first;
    throw InputError(method_ + " has no option '" + clipped(given) + "'" +
                     (names.empty() ? " (it has none)" : "; it has: " + list_of_words(names)) +
                     did_you_mean(given, names));
  }

 private:
  std::string take(const std::string& name) {
    const auto found = values_.find(name);
    if (found == values_.end()) return {};
    std::string text = found->second;
    values_.erase(found);
    return text;
  }

  std::string method_;
  std::map<std::string, std::string> values_;
};

/// Hands a step class template through a function call.
template <template <class, class, Summation> class StepTemplate>
struct StepType {
  template <class System, class S, Summation Mode>
  using Step = StepTemplate<System, S, Mode>;
};

}  // namespace hamel
