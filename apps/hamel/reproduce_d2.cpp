// D2: what the homogeneous variational integrator is said to keep.
#include <fmt/format.h>

#include <cmath>

#include "reproduce.hpp"

namespace hamel::app {

namespace {

constexpr const char* long_run = "integrate.steps=100000";

Finding length(const Registry& registry) {
  const auto result = measure(d0_scenario(registry, {long_run}), "variational");
  const double drift = drift_of(result, "length");
  return {drift, fmt::format("{:.1e} after 100,000 steps, without drift", drift),
          drift <= 4e-16 ? Verdict::confirmed : Verdict::not_confirmed, ""};
}

Finding momentum(const Registry& registry) {
  const auto result = measure(d0_scenario(registry, {long_run}), "variational");
  const auto* drift = result.invariant("momentum_z");
  const double relative = drift->max_drift / std::fabs(drift->initial);
  return {relative, fmt::format("relative drift {:.1e} after 100,000 steps", relative),
          relative <= 1e-13 ? Verdict::confirmed : Verdict::not_confirmed, ""};
}

Finding energy(const Registry& registry) {
  return bounded_energy(d0_scenario(registry, {long_run}), "variational");
}

Finding symplectic(const Registry& registry) {
  const auto scenario = d0_scenario(registry);
  const double defect = known(
      scenario.problem->symplectic_defect(MethodSpec::parse("variational"), scenario.integration));
  return {defect, fmt::format("defect {:.1e} at h = 0.2", defect),
          defect <= 1e-13 ? Verdict::confirmed : Verdict::not_confirmed, ""};
}

Finding rattle(const Registry& registry) {
  const double distance = map_distance(d0_scenario(registry), "variational", "rattle", 200);
  return {distance, fmt::format("positions differ by {:.0e} after 200 steps in quad", distance),
          distance <= 1e-28 ? Verdict::confirmed : Verdict::not_confirmed, ""};
}

}  // namespace

std::vector<Claim> claims_of_d2() {
  using enum Verdict;
  return {
      {"D2.length", "D2 abstract", "unit lengths without constraints or projection", "round-off",
       confirmed, length},
      {"D2.momentum", "D2 abstract", "momentum preserving", "exact", confirmed, momentum},
      {"D2.energy", "D2 abstract", "exceptional energy stability", "bounded, no trend", confirmed,
       energy},
      {"D2.symplectic", "D2 abstract", "the discrete flow is symplectic", "defect 0", confirmed,
       symplectic},
      {"D2.rattle", "D2 abstract", "an index-reduced version of RATTLE", "the same map", confirmed,
       rattle},
  };
}

}  // namespace hamel::app
