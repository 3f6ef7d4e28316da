// SPDX-License-Identifier: BSD-3-Clause

#include "reproduce.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "console.hpp"
#include "hamel/core/error.hpp"
#include "nonholonomic.hpp"

namespace hamel::app {

io::Scenario d0_scenario(const Registry& registry, std::vector<std::string> changes) {
  static const char* text = R"([system]
name = "spherical_pendulum"
mass = 1.0
length = 9.8
gravity = 9.8
[initial]
Gamma = [0.3, 0.2, -0.932738]
Omega = [0.6, 0.0]
[integrate]
step = 0.2
steps = 10000
)";
  io::Overrides overrides;
  overrides.set = std::move(changes);
  return io::parse_scenario(text, "D0", overrides, registry);
}

Chain unequal_chain(int n) {
  Chain chain;
  for (int i = 0; i < n; ++i) {
    chain.masses.push_back(1.0 + 0.25 * (i % 3));
    chain.lengths.push_back(1.0 - 0.125 * (i % 4));
  }
  return chain;
}

io::Scenario chain_scenario(const Registry& registry, int n, double step, std::int64_t steps) {
  const Chain chain = unequal_chain(n);
  return io::parse_scenario(
      fmt::format("[system]\nname = \"chain_pendulum\"\nmasses = [{}]\nlengths = [{}]\n"
                  "gravity = {}\n[integrate]\nstep = {}\nsteps = {}\n",
                  fmt::join(chain.masses, ", "), fmt::join(chain.lengths, ", "), chain.gravity,
                  step, steps),
      "chain", {}, registry);
}

io::RunResult measure(const io::Scenario& scenario, const std::string& method, bool may_fail) {
  const MethodSpec spec = MethodSpec::parse(method);
  const auto simulation = scenario.problem->simulate(spec, scenario.integration);
  RunPlan plan;
  plan.steps = scenario.steps;
  plan.measure_every = 1;
  plan.stop = &interrupted();
  const RunOutcome outcome = run(*simulation, plan);
  if (outcome.status == Status::interrupted) throw NumericalError("interrupted");
  if (outcome.status != Status::ok && !may_fail)
    throw NumericalError(fmt::format("{} failed at step {}: {}", method, outcome.failed_step,
                                     hamel::to_string(outcome.status)));
  return io::make_result(scenario, spec, *simulation, outcome);
}

double drift_of(const io::RunResult& result, std::string_view invariant) {
  const InvariantDrift* drift = result.invariant(invariant);
  return drift == nullptr ? NAN : drift->max_drift;
}

Finding bounded_energy(const io::Scenario& scenario, const std::string& method) {
  const auto result = measure(scenario, method);
  const auto* drift = result.invariant("energy");
  const double amplitude = drift->max_drift / std::fabs(drift->initial);
  const double trend = std::fabs(drift->drift_per_step) * static_cast<double>(scenario.steps);
  const double share = trend / drift->max_drift;
  return {amplitude,
          fmt::format("oscillates within {:.1e} of its value; trend over {} steps {:.0e} of that",
                      amplitude, scenario.steps, share),
          share <= 0.05 ? Verdict::confirmed : Verdict::not_confirmed, ""};
}

double map_distance(const io::Scenario& scenario, const std::string& a, const std::string& b,
                    std::int64_t steps) {
  const auto end = [&](const std::string& method) {
    EndPoint point = scenario.problem->end_point(
        MethodSpec::parse(method), scenario.integration,
        scenario.integration.step * static_cast<double>(steps), steps, Precision::quad);
    if (point.status != Status::ok)
      throw NumericalError(fmt::format("{} failed at step {}: {}", method, point.steps + 1,
                                       hamel::to_string(point.status)));
    return point;
  };
  const EndPoint x = end(a);
  const EndPoint y = end(b);
  Quad largest = 0;
  for (std::size_t i = 0; i < x.q.size(); ++i) {
    const Quad apart = abs(x.q[i] - y.q[i]);
    if (!(apart <= largest)) largest = apart;
  }
  return static_cast<double>(largest);
}

int reproduce_command(const Options& options, const Registry& registry) {
  if (options.name == "nonholonomic") return nonholonomic_command(options, registry);
  std::vector<Claim> claims = claims_of_d0();
  for (auto& claim : claims_of_d1()) claims.push_back(std::move(claim));
  for (auto& claim : claims_of_d2()) claims.push_back(std::move(claim));
  for (auto& claim : claims_of_d3()) claims.push_back(std::move(claim));
  if (!options.name.empty()) {
    std::vector<std::string> ids;
    for (const auto& claim : claims) ids.push_back(claim.id);
    std::erase_if(claims, [&](const Claim& c) { return !c.id.starts_with(options.name); });
    if (claims.empty()) {
      const std::string meant = did_you_mean(options.name, ids);
      throw InputError("no item '" + clipped(options.name) + "'" +
                       (meant.empty() ? "; items: " + list_of_words(ids) : meant));
    }
  }
  install_interrupt_handler();

  nlohmann::ordered_json items = nlohmann::ordered_json::array();
  bool as_recorded = true;
  for (const Claim& claim : claims) {
    Finding finding;
    try {
      finding = claim.check(registry);
    } catch (const NumericalError& error) {  // an item that cannot be measured is an alarm too
      finding.measured = error.what();
      finding.value = NAN;
      finding.reason = "the measurement failed";
      finding.as_known = false;
    }
    if (interrupted()) {
      note("interrupted");
      return exit_interrupted;
    }
    const bool same = finding.verdict == claim.recorded && finding.as_known;
    as_recorded = as_recorded && same;
    items.push_back({{"id", claim.id},
                     {"source", claim.source},
                     {"claim", claim.claim},
                     {"expected", claim.expected},
                     {"measured", finding.measured},
                     {"value", io::finite_or_null(finding.value)},
                     {"verdict", to_string(finding.verdict)},
                     {"reason", finding.reason},
                     {"as_recorded", same}});
    if (!options.json) {
      const auto line = [](const char* label, const std::string& text) {
        return wrapped(fmt::format("{:<9} {}", label, text), 2, 12);
      };
      fmt::print("{} ({})\n{}{}{}{}{}\n", claim.id, claim.source, line("claim", claim.claim),
                 line("expected", claim.expected), line("measured", finding.measured),
                 line("verdict", std::string(to_string(finding.verdict)) +
                                     (same ? "" : " (DIFFERS from what was recorded)")),
                 finding.reason.empty() ? "" : line("why", finding.reason));
      std::fflush(stdout);
    }
  }
  if (options.json)
    fmt::print("{}\n",
               io::json_text(nlohmann::ordered_json({{"format_version", 1}, {"items", items}})));
  return as_recorded ? exit_ok : exit_differs;
}

}  // namespace hamel::app
