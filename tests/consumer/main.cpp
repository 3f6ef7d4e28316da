// SPDX-License-Identifier: BSD-3-Clause
// Systems from outside the library: C. Neumann's particle on the sphere, U = ½ q·diag(k)q, and a
// blade on an incline in a frame. The author writes inertia and potential, or Lagrangian and frame,
// and tables; every method of the library then works on it.
#include <cmath>
#include <cstdio>
#include <hamel/catalogue/make_entry.hpp>
#include <hamel/catalogue/registry.hpp>
#include <hamel/kernels/lanes/lane_kernels.hpp>
#include <hamel/runs/run.hpp>
#include <hamel/scenario/scenario.hpp>

struct Neumann : hamel::OnSphere {
  double k1 = 1.0, k2 = 2.0, k3 = 4.0;

  static constexpr std::string_view summary = "particle on a sphere in a quadratic potential";
  static constexpr std::string_view equations = "U = (k1 q1^2 + k2 q2^2 + k3 q3^2)/2";
  static constexpr std::string_view reference = "C. Neumann, J. reine angew. Math. 56 (1859)";
  static constexpr std::string_view recommended_method = "hamel";
  static constexpr hamel::Parameter<Neumann> parameters[] = {
      {"k1", "J", "stiffness along e1", hamel::Range::any, &Neumann::k1},
      {"k2", "J", "stiffness along e2", hamel::Range::any, &Neumann::k2},
      {"k3", "J", "stiffness along e3", hamel::Range::any, &Neumann::k3}};
  static constexpr bool quadratic_potential = true;  // so that hamel and gauss keep the energy
  static constexpr double default_step = 0.1;

  double inertia() const { return 1.0; }
  template <class S>
  S potential(const hamel::Vec<S, 3>& q) const {
    return S(0.5) * (S(k1) * q[0] * q[0] + S(k2) * q[1] * q[1] + S(k3) * q[2] * q[2]);
  }
  static hamel::InitialValues default_initial() {
    return {{{"q", {0.6, 0.0, 0.8}}, {"omega", {0.4, 0.5, -0.3}}}, true};
  }
};

struct Blade {
  double slope = 0.3;

  static constexpr std::string_view summary = "a blade on an inclined plane";
  static constexpr std::string_view equations = "v' = slope sin(theta), omega' = 0";
  static constexpr std::string_view reference = "";
  static constexpr std::string_view recommended_method = "hamel";
  static constexpr hamel::Parameter<Blade> parameters[] = {
      {"slope", "m/s^2", "acceleration down the plane", hamel::Range::any, &Blade::slope}};
  static constexpr hamel::CoordinateInfo coordinates[] = {{"x", "m"}, {"y", "m"}, {"theta", "rad"}};
  static constexpr double default_step = 0.05;

  template <class S>
  S lagrangian(const hamel::Vec<S, 3>& q, const hamel::Vec<S, 3>& v) const {
    return S(0.5) * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + S(slope) * q[1];
  }
  template <class S>
  hamel::Mat<S, 2, 3> frame(const hamel::Vec<S, 3>& q) const {
    return {{{cos(q[2]), sin(q[2]), S(0.0)}, {S(0.0), S(0.0), S(1.0)}}};
  }
  static hamel::InitialValues default_initial() {
    return {{{"q", {0.0, 0.0, 0.0}}, {"xi", {0.0, 1.0}}}, true};
  }
};

/// Runs every method of a system; counts those that fail or lose what they claim to keep.
int failures_of(const hamel::Registry& registry, const char* text) {
  const auto scenario = hamel::io::parse_scenario(text, "inline", {}, registry);
  int failures = 0;
  for (const auto& method : scenario.system->methods) {
    const auto spec = hamel::MethodSpec::parse(method.name);
    const auto simulation = scenario.problem->simulate(spec, scenario.integration);
    hamel::RunPlan plan;
    plan.steps = scenario.steps;
    const auto outcome = hamel::run(*simulation, plan);
    const auto claims = scenario.problem->claims(spec);
    std::printf("%-22s %-14s", std::string(method.name).c_str(), hamel::to_string(outcome.status));
    for (const auto& drift : simulation->invariants()) {
      std::printf(" %s %.1e", std::string(drift.info.name).c_str(), drift.max_drift);
      // verlet says in a note that it breaks down where the constraint force pushes, as here
      if (claims.keeps(drift.info.name) && claims.note.empty() && !(drift.max_drift <= 1e-11))
        ++failures;
    }
    std::printf("\n");
    if (outcome.status != hamel::Status::ok && claims.note.empty()) ++failures;
  }
  return failures + (scenario.system->methods.size() >= 5 ? 0 : 1);
}

int main() {
  if (hamel_lanes::chosen == nullptr) {
    std::printf("the kernels for this processor were not linked\n");
    return 2;
  }
  hamel::Registry registry = hamel::builtin_registry();
  registry.add(hamel::make_entry<Neumann>("neumann"));
  registry.add(hamel::make_entry<Blade>("blade"));
  const int failures =
      failures_of(registry,
                  "[system]\nname = \"neumann\"\nk3 = 5.0\n"
                  "[integrate]\nstep = 0.1\nsteps = 5000\n") +
      failures_of(registry, "[system]\nname = \"blade\"\n[integrate]\nstep = 0.05\nsteps = 1000\n");
  std::printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
