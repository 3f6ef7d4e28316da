// SPDX-License-Identifier: BSD-3-Clause
// Where the motion leaves the domain of a formula, the run ends at that step, though the state may
// well go on: the force of log(x) is finite on both sides of zero.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "hamel/core/error.hpp"
#include "hamel/methods/rk4.hpp"
#include "hamel/runs/batch.hpp"
#include "hamel/runs/run.hpp"
#include "hamel/runs/sphere_simulation.hpp"
#include "hamel/scenario/scenario.hpp"

namespace hamel::io {
namespace {

Scenario parsed(const std::string& text) {
  static const Registry all = builtin_registry();
  return parse_scenario(text, "own.toml", {}, all);
}

struct Ended {
  RunOutcome outcome;
  std::vector<NamedValues> state;
  std::vector<InvariantDrift> invariants;
  std::string failure;
};

Ended ended(const Scenario& scenario, const std::string& method, std::int64_t measure_every) {
  const auto simulation =
      scenario.problem->simulate(MethodSpec::parse(method), scenario.integration);
  RunPlan plan;
  plan.steps = scenario.steps;
  plan.measure_every = measure_every;
  Ended result;
  result.outcome = run(*simulation, plan);
  result.failure = simulation->failure();
  result.state = simulation->state();
  result.invariants = simulation->invariants();
  return result;
}

void expect_numbers(const Ended& run) {
  for (const auto& part : run.state)
    for (const double x : part.values) EXPECT_TRUE(std::isfinite(x)) << part.field.name;
  for (const auto& i : run.invariants) {
    EXPECT_TRUE(std::isfinite(i.final)) << i.info.name;
    EXPECT_TRUE(std::isfinite(i.max_drift)) << i.info.name;
  }
}

const std::string end = "\n[integrate]\nstep = 0.01\nsteps = 3000\n";
const std::string falling = R"toml([system]
spheres = ["a"]
inertia = [1]
potential = "log(a3)"
[initial]
q = [[0.6, 0, 0.8]]
v = [[0, 0, 0]]
)toml" + end;
// ẋ² = −2 log x: zero is reached after √(π/2) s, 1.2533 s.
const std::string to_zero = R"toml([system]
coordinates = ["x"]
lagrangian = "x_dot^2/2 - log(x)"
[initial]
q = [1]
v = [0]
)toml" + end;

TEST(UndefinedStates, ARunEndsAtTheStepThatHasNoEnergy) {
  for (const std::string& text : {falling, to_zero})
    for (const char* method : {"gauss", "rk4", "hamel", "fehlberg78"})
      for (const int every : {0, 1, 64}) {
        const Ended run = ended(parsed(text), method, every);
        EXPECT_TRUE(run.outcome.status == Status::not_finite ||
                    run.outcome.status == Status::no_convergence)
            << method << " " << to_string(run.outcome.status);
        expect_numbers(run);
        const double last = run.state.front().values.size() == 3 ? run.state.front().values[2]
                                                                 : run.state.front().values[0];
        EXPECT_GT(last, 0.0) << method;
        if (text == to_zero) {
          EXPECT_EQ(run.outcome.failed_step, 126) << method << " " << every;
        }
        if (run.outcome.status == Status::not_finite) {
          EXPECT_NE(run.failure.find("energy is not finite"), std::string::npos) << run.failure;
        }
      }
}

std::string oscillator(double edge) {
  char number[40];
  std::snprintf(number, sizeof number, "%.17g", edge);
  return "[system]\ncoordinates = [\"x\"]\nlagrangian = \"(x_dot^2 - x^2)/2\"\n"
         "[system.invariants]\npeek = \"sqrt(" +
         std::string(number) + " - x)\"\n[initial]\nq = [0.5]\nv = [0.5]" + end;
}

/// The step at which x is largest, after the first of 3000, and a number between that and the rest.
std::pair<std::int64_t, double> highest(const std::string& method) {
  const Scenario free = parsed(oscillator(1e3));
  const auto simulation = free.problem->simulate(MethodSpec::parse(method), free.integration);
  std::vector<std::pair<double, std::int64_t>> seen;
  Block block;
  block.steps = 1;
  for (std::int64_t n = 1; n <= 3000; ++n) {
    EXPECT_EQ(simulation->advance(block), Status::ok);
    seen.emplace_back(simulation->state().front().values[0], n);
  }
  std::ranges::sort(seen, std::greater{});
  EXPECT_GT(seen[0].first, seen[1].first);
  return {seen[0].second, 0.5 * (seen[0].first + seen[1].first)};
}

// An invariant without a value at one step of 3000, wherever it is looked at.
TEST(UndefinedStates, OneStepIsNotOverlooked) {
  for (const char* method : {"gauss", "rk4", "hamel", "dla"}) {
    const auto [step, edge] = highest(method);
    const Scenario scenario = parsed(oscillator(edge));
    for (const int every : {0, 1, 7, 1000}) {
      const Ended run = ended(scenario, method, every);
      EXPECT_EQ(run.outcome.status, Status::not_finite) << method;
      EXPECT_EQ(run.outcome.failed_step, step) << method << " " << every;
      EXPECT_NE(run.failure.find("peek is not finite"), std::string::npos) << run.failure;
      expect_numbers(run);
    }
  }
}

TEST(UndefinedStates, NorInLanes) {
  for (const char* method : {"hamel", "rk4"}) {
    const auto [step, edge] = highest(method);
    const Scenario scenario = parsed(oscillator(edge));
    std::vector<std::unique_ptr<Simulation>> members;
    std::vector<Simulation*> list;
    for (int i = 0; i < 8; ++i) {
      members.push_back(
          scenario.problem->simulate(MethodSpec::parse(method), scenario.integration));
      list.push_back(members.back().get());
    }
    for (const std::int64_t every : {16, 1000}) {
      for (const auto& member : members) scenario.problem->restart(*member);
      Batch batch;
      batch.start(list);
      batch.advance(3000, every);
      for (std::size_t i = 0; i < members.size(); ++i) {
        EXPECT_EQ(batch.status(i), Status::not_finite) << method;
        EXPECT_EQ(members[i]->step_count(), step - 1) << method << " " << every;
      }
    }
  }
}

TEST(UndefinedStates, AnInvariantWithoutAValueAtTheStartIsRefused) {
  try {
    parsed(oscillator(0.4));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("peek"), std::string::npos) << error.what();
  }
}

/// On the sphere, with a potential that ends at the equator.
struct Ending {
  double mass = 1.0;
  template <class S>
  S potential(const Vec<S, 3>& q) const {
    return log(q[2]);
  }
  double inertia() const { return mass; }
};

TEST(UndefinedStates, NorOnASphereGivenInCpp) {
  using Step = Rk4Step<Ending, double, Summation::plain>;
  const IntegrationOptions options{0.01, false, {}};
  SphereInitial<double> initial{};
  initial.q = {{0.6, 0.0, 0.8}};
  SimulationOf<Ending, Step> simulation(Ending{}, Step(Rk4{}, Ending{}, 0.01, {}), initial, options,
                                        64);
  Block block;
  block.steps = 3000;
  block.measure_every = 64;
  EXPECT_EQ(simulation.advance(block), Status::not_finite);
  EXPECT_GT(simulation.step_count(), 10);
  EXPECT_GT(simulation.state().front().values[2], 0.0);
  EXPECT_TRUE(std::isfinite(simulation.invariants().front().final));
}

}  // namespace
}  // namespace hamel::io
