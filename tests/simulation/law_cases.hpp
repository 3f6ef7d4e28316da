// SPDX-License-Identifier: BSD-3-Clause
// What the laws are measured on: every registered system with every method that fits, its options,
// compositions and sizes.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "hamel/catalogue/registry.hpp"

namespace hamel {

struct LawCase {
  std::string system, method;
  int n = 0;             ///< parts of the system; 0: as many as it has by default
  bool refused = false;  ///< the method does not take that option on this system
};

std::ostream& operator<<(std::ostream& out, const LawCase& c);

const Registry& law_registry();

/// The system at its defaults, but of this size.
std::unique_ptr<Problem> problem_of(const SystemEntry& system, int n);

/// Each method that fits, its compositions where it can be composed, other stage numbers and
/// options, those among them that are refused; of other sizes the methods alone.
std::vector<LawCase> all_law_cases();

/// Those that are not refused.
std::vector<LawCase> law_cases();

/// Whether the problem takes a method, as its text says it.
bool fits(const Problem& problem, const std::string& method);

/// `order 2, time-symmetric, …; keeps a, b`, sorted: for files that are compared.
std::string text_of(const Claims& claims);

}  // namespace hamel
