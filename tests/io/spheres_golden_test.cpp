// SPDX-License-Identifier: BSD-3-Clause
// Chains against golden/sphere and golden/chain_refs (Taylor series of 60 digits, extrapolation in
// quadruple precision), through the program's own scenarios.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "hamel/runs/run.hpp"
#include "hamel/scenario/scenario.hpp"

namespace hamel::io {
namespace {

using Json = nlohmann::json;

const Registry& registry() {
  static const Registry all = builtin_registry();
  return all;
}

Json golden(const std::string& name) {
  return Json::parse(std::ifstream(std::string(HAMEL_GOLDEN_DIR) + "/sphere/" + name + ".json"));
}

/// ["1.0", …] or [["1.0", …], …] as numbers of a TOML list.
std::string as_list(const Json& list) {
  std::string text;
  for (const Json& x : list)
    text += (text.empty() ? "" : ", ") + (x.is_array() ? as_list(x) : x.get<std::string>());
  return "[" + text + "]";
}

Scenario chain(const Json& reference, const std::string& method) {
  const Json& start = reference["states"][0];
  return parse_scenario("[system]\nname = \"chain_pendulum\"\nmasses = " + as_list(reference["m"]) +
                            "\nlengths = " + as_list(reference["l"]) +
                            "\ngravity = 9.81\n[initial]\nq = " + as_list(start["q"]) +
                            "\nomega = " + as_list(start["omega"]) + "\n[integrate]\nmethod = \"" +
                            method + "\"\ncompensated = true\n",
                        "golden.toml", {}, registry());
}

/// Largest component of the difference in q and omega at time t.
double error_at(const Json& reference, const std::string& method, double t, std::int64_t steps) {
  const Scenario s = chain(reference, method);
  IntegrationOptions options = s.integration;
  options.step = t / static_cast<double>(steps);
  const auto simulation = s.problem->simulate(s.method, options);
  RunPlan plan;
  plan.steps = steps;
  EXPECT_EQ(run(*simulation, plan).status, Status::ok);
  double worst = HUGE_VAL;
  for (const Json& state : reference["states"]) {
    if (std::stod(state["t"].get<std::string>()) != t) continue;
    worst = 0.0;
    for (const auto& part : simulation->state()) {
      if (part.field.name == "tension") continue;
      const Json& expected = state[std::string(part.field.name)];
      for (std::size_t i = 0; i < part.values.size(); ++i) {
        const double d =
            std::fabs(part.values[i] - std::stod(expected[i / 3][i % 3].get<std::string>()));
        if (!(d <= worst)) worst = d;
      }
    }
  }
  return worst;
}

TEST(ChainGolden, FiveLinks) {
  const Json reference = golden("chain5");
  EXPECT_LE(error_at(reference, "variational+kl8", 2.0, 800), 1e-13);
  EXPECT_LE(error_at(reference, "gauss", 2.0, 200), 1e-13);
}

TEST(ChainGolden, TwoLinks) {
  const Json reference = golden("double_regular");
  EXPECT_LE(error_at(reference, "variational+kl8", 10.0, 1000), 1e-13);
  EXPECT_LE(error_at(reference, "gauss", 10.0, 200), 1e-13);
}

// Positions of all masses of the moving case on which other programs were measured.
TEST(ChainGolden, TheCaseOfThePeers) {
  struct Case {
    const char *file, *method;
    std::int64_t steps;
    double bound;
  };
  for (const auto& [file, method, steps, bound] :
       {Case{"n1_T10", "variational+kl8", 1000, 1e-13},
        Case{"n2_T10", "variational+kl8", 2000, 1e-13}, Case{"n10_T2", "gauss", 200, 1e-13},
        Case{"n10_T2", "variational+kl8", 400, 1e-13}, Case{"n10_T10", "gauss", 2000, 1e-12},
        Case{"n100_T1", "variational+kl8", 500, 1e-12},
        Case{"n1000_T1", "variational+kl6", 1000, 1e-8}}) {
    std::ifstream in(std::string(HAMEL_GOLDEN_DIR) + "/chain_refs/" + file + ".txt");
    int n = 0;
    double t = 0.0;
    in >> n >> t;
    const Scenario s =
        parse_scenario("[system]\nname = \"chain_pendulum\"\nn = " + std::to_string(n) + "\n",
                       "peers.toml", {}, registry());
    IntegrationOptions options;
    options.compensated = true;
    options.step = t / static_cast<double>(steps);
    const auto simulation = s.problem->simulate(MethodSpec::parse(method), options);
    RunPlan plan;
    plan.steps = steps;
    ASSERT_EQ(run(*simulation, plan).status, Status::ok) << file;
    const std::vector<double> q = simulation->state()[0].values;
    double x[3] = {0.0, 0.0, 0.0};
    double worst = 0.0;
    for (std::size_t i = 0; i < q.size(); ++i) {
      double expected = NAN;
      in >> expected;
      x[i % 3] += q[i];
      const double d = std::fabs(x[i % 3] - expected);
      if (!(d <= worst)) worst = d;
    }
    EXPECT_LE(worst, bound) << file << " " << method;
  }
}

}  // namespace
}  // namespace hamel::io
