// SPDX-License-Identifier: BSD-3-Clause
// What the pinned maps are recorded of: the cases of the laws, each value of each option of each
// method, and the same of systems given as text (tests/golden/maps); and what is recorded of one.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hamel/runs/problem.hpp"

namespace hamel {

struct MapCase {
  std::string name;  ///< `SYSTEM METHOD`, `SYSTEM n=3 METHOD` or `FILE.toml METHOD`
  std::string method;
  std::shared_ptr<const Problem> problem;
  double step = 0.0;
  int steps = 100;  ///< fewer where the system's coordinates overflow before
};

/// Every system of the catalogue, and the files of those given as text.
std::vector<std::string> map_systems();

std::vector<MapCase> map_cases(const std::string& system);

/// The columns of a run, `/t s, /q[3] 1, …`.
std::string columns_text(const Simulation& simulation);

/// Names a text by its content.
std::string digest(const std::string& text);

/// What is recorded of a case:
///   claims      in words
///   columns     digest of columns_text
///   quad        q; velocity after a tenth of the steps in Quad, 30 digits; and how it ended
///   double      the state after all steps in double, as hexadecimal numbers
///   rows        digest of the bits of all rows of that run
///   iterations  of the solver in it
///   status      how it ended, and after how many steps
/// `columns` receives the text that the digest stands for.
nlohmann::json record_of(const MapCase& c, std::string& columns);

}  // namespace hamel
