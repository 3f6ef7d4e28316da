// SPDX-License-Identifier: BSD-3-Clause
// The catalogue of systems. The built-in list is generated from include/hamel/systems; users add
// their own with make_entry<System>("name") (catalogue/make_entry.hpp).
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "hamel/core/words.hpp"
#include "hamel/runs/problem.hpp"

namespace hamel {

class Registry {
 public:
  /// Throws InputError where the name is taken.
  void add(SystemEntry entry);
  /// Throws InputError naming the nearest known system.
  const SystemEntry& system(std::string_view name) const;
  const std::vector<SystemEntry>& systems() const { return systems_; }
  /// Every method that fits at least one system.
  std::vector<MethodInfo> methods() const;

 private:
  std::vector<SystemEntry> systems_;
};

/// A registry holding every system of include/hamel/systems.
Registry builtin_registry();

/// Which of the entry's initial forms its default start is given in.
int default_form(const SystemEntry& entry);
/// The system with its presets and default start.
std::unique_ptr<Problem> default_problem(const SystemEntry& entry);

/// Claims in words: "order 2, time-symmetric; keeps length, energy".
std::string to_text(const Claims& claims);

}  // namespace hamel
