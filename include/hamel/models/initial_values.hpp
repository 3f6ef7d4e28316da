// SPDX-License-Identifier: BSD-3-Clause
// The vectors of an initial state as a user gives them.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace hamel {

/// By name; sizes already checked.
struct InitialValues {
  std::map<std::string, std::vector<double>> values;
  bool normalise = true;
};

}  // namespace hamel
