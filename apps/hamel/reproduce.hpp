// SPDX-License-Identifier: BSD-3-Clause
// The claims of the source documents, each measured and judged.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hamel/catalogue/registry.hpp"
#include "hamel/core/error.hpp"
#include "hamel/models/chain.hpp"
#include "hamel/scenario/result.hpp"

namespace hamel::app {

enum class Verdict { confirmed, better, not_confirmed };

constexpr const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::confirmed: return "confirmed";
    case Verdict::better: return "better than reported";
    case Verdict::not_confirmed: return "not confirmed";
  }
  return "";
}

/// What a measurement found.
struct Finding {
  double value = 0.0;    ///< the figure the verdict rests on
  std::string measured;  ///< in words, with the figures
  Verdict verdict = Verdict::not_confirmed;
  std::string reason;
  bool as_known = true;  ///< the figures are those the verdict was recorded with; false: an alarm
};

struct Claim {
  std::string id;
  std::string source;
  std::string claim;
  std::string expected;
  Verdict recorded;  ///< the verdict found when the item was written; a change is an alarm
  std::function<Finding(const Registry&)> check;
};

/// Document D0: Zenkov, Leok, Bloch, "Hamel's formalism and variational integrators on a sphere".
std::vector<Claim> claims_of_d0();
/// Document D1: Zenkov, Ball, Bloch, "Hamel's formalism and nonholonomic mechanics" (slides).
std::vector<Claim> claims_of_d1();
/// Document D2: Lee, Leok, McClamroch, "Homogeneous variational integrators … on two-spheres".
std::vector<Claim> claims_of_d2();
/// Document D3: Lee, Leok, McClamroch, "Global formulations of … mechanics on two-spheres".
std::vector<Claim> claims_of_d3();

/// The scenario of D0 §VII, changed by KEY=VALUE texts.
io::Scenario d0_scenario(const Registry&, std::vector<std::string> changes = {});

/// A chain of n unequal links, the example for D2 and D3.
Chain unequal_chain(int n);

/// That chain from the catalogue's start.
io::Scenario chain_scenario(const Registry&, int n, double step, std::int64_t steps);

/// A run without recording or progress. A failed run is a NumericalError unless allowed.
io::RunResult measure(const io::Scenario&, const std::string& method, bool may_fail = false);

/// The value, where there must be one.
template <class T>
T known(const std::optional<T>& value) {
  if (!value) throw NumericalError("a quantity that must exist does not");
  return *value;
}

/// max_drift of an invariant.
double drift_of(const io::RunResult&, std::string_view invariant);

/// Is the energy error bounded: is the trend over the run a small part of its amplitude?
Finding bounded_energy(const io::Scenario&, const std::string& method);

/// Largest distance of the end points of two methods after `steps` steps, in Quad.
double map_distance(const io::Scenario&, const std::string& a, const std::string& b,
                    std::int64_t steps);

}  // namespace hamel::app
