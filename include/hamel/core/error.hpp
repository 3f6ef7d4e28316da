// SPDX-License-Identifier: BSD-3-Clause
// Exceptions at the border. Steps never throw; readers and writers do, with a text that a user can
// act on. The program turns them into exit codes: InputError 2, NumericalError 3, IoError 4.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hamel {

/// A user's word as a message quotes it: whole, unless somebody sent a novel.
inline std::string clipped(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string shown(text.substr(0, longest));
  if (text.size() > longest) shown += "...";
  return shown;
}

/// Input that cannot be used. Carries every problem found, not the first only.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::string problem) : InputError(std::vector{std::move(problem)}) {}
  /// key: what of a scenario it is about, "system.brackets".
  InputError(std::string problem, std::string key) : InputError(std::move(problem)) {
    key_ = std::move(key);
  }
  explicit InputError(std::vector<std::string> problems)
      : std::runtime_error(joined(problems)), problems_(std::move(problems)) {}

  const std::vector<std::string>& problems() const { return problems_; }
  const std::string& key() const { return key_; }  ///< "" where it is about no key

 private:
  static std::string joined(const std::vector<std::string>& problems) {
    std::string text;
    for (const auto& problem : problems) text += (text.empty() ? "" : "\n") + problem;
    return text;
  }
  std::vector<std::string> problems_;
  std::string key_;
};

/// A file that cannot be read or written; what() names it and says why.
class IoError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A computation that ended without a usable result.
class NumericalError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace hamel
