// SPDX-License-Identifier: BSD-3-Clause

#include "systems/catalogue.hpp"

#include <algorithm>
#include <cmath>

namespace hamel {

const Registry& catalogue() {
  static const Registry registry = builtin_registry();
  return registry;
}

io::Scenario scenario_of(const std::string& name, const std::string& further) {
  const bool integrated = further.find("[integrate]") != std::string::npos;
  return io::parse_scenario("[system]\nname = \"" + name + "\"\n" + further +
                                (integrated ? "" : "\n[integrate]\nstep = 0.1\n"),
                            name + ".toml", {}, catalogue());
}

io::Scenario committed_scenario(const std::string& name) {
  return io::load_scenario(HAMEL_GOLDEN_DIR "/../../scenarios/" + name + ".toml", {}, catalogue());
}

EndPoint run_to(const io::Scenario& s, const std::string& method, double t, std::int64_t steps,
                Precision precision) {
  return s.problem->end_point(MethodSpec::parse(method), s.integration, t, steps, precision);
}

std::pair<Status, std::map<std::string, InvariantDrift>> drifts(const io::Scenario& s,
                                                                const std::string& method,
                                                                std::int64_t steps) {
  const auto simulation = s.problem->simulate(MethodSpec::parse(method), s.integration);
  Block block;
  block.steps = steps;
  block.measure_every = 1;
  const Status status = simulation->advance(block);
  std::map<std::string, InvariantDrift> found;
  for (const auto& drift : simulation->invariants()) found[std::string(drift.info.name)] = drift;
  return {status, found};
}

double difference(const std::vector<Quad>& found, const std::vector<Quad>& expected) {
  EXPECT_EQ(found.size(), expected.size());
  double worst = 0.0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto e =
        static_cast<double>(abs(found[i] - expected[i]) / max(Quad(1), abs(expected[i])));
    if (!(e <= worst)) worst = e;
  }
  return worst;
}

std::string text_of(const std::vector<double>& list) {
  std::string text;
  for (const double x : list) text += (text.empty() ? "" : ", ") + io::shortest(x);
  return "[" + text + "]";
}

EndPoint exact_at(const io::Scenario& s, double t) {
  return s.problem->exact(Quad(t)).value_or(EndPoint{});
}

double error_at(const io::Scenario& s, const EndPoint& end, double t) {
  const auto exact = s.problem->exact(Quad(t));
  if (!exact) return HUGE_VAL;
  return std::max(difference(end.q, exact->q), difference(end.velocity, exact->velocity));
}

}  // namespace hamel
