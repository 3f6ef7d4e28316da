// SPDX-License-Identifier: BSD-3-Clause
// Parameters as symbols: a problem whose numbers were changed is the problem made with them, to the
// bit, for every system of the catalogue, every parameter and every method.
#include <gtest/gtest.h>

#include <thread>

#include "catalogue.hpp"
#include "hamel/runs/run.hpp"

namespace hamel {
namespace {

std::vector<double> row_after(const Problem& problem, const std::string& method, double step,
                              Simulation* again = nullptr) {
  IntegrationOptions options;
  options.step = step;
  std::unique_ptr<Simulation> own;
  if (again == nullptr) own = problem.simulate(MethodSpec::parse(method), options);
  Simulation& simulation = again == nullptr ? *own : *again;
  Block block;
  block.steps = 12;
  EXPECT_EQ(simulation.advance(block), Status::ok) << method;
  std::vector<double> row(static_cast<std::size_t>(simulation.row_width()));
  simulation.write_row(row.data());
  return row;
}

class ParametersOf : public testing::TestWithParam<std::string> {};

TEST_P(ParametersOf, TheSystemCanBeChangedToTheBit) {
  const io::Scenario scenario = scenario_of(GetParam());
  const auto free = scenario.problem->parameters();
  std::size_t numbers = 0;
  for (const auto& info : scenario.system->parameters)
    numbers += info.kind == ParameterInfo::Kind::number ? 1 : 0;
  if (!scenario.system->coordinates.empty() && !catalogue().system(GetParam()).at)
    EXPECT_EQ(free.size(), numbers) << "every number of a system in a frame is a symbol";
  for (const std::string& name : free) {
    SystemValues values = scenario.parameters;
    double& number = values.numbers.at(name);
    number = 1.1 * number + 0.01;
    std::vector<std::string> notes;
    const auto made = scenario.system->make(values, scenario.initial_form, scenario.initial, notes);
    const auto changed =
        scenario.problem->from(scenario.initial_form, scenario.initial, {{name, number}});
    ASSERT_NE(changed, nullptr);
    for (const MethodInfo& info : scenario.system->methods) {
      const std::string method(info.name);
      const double h = scenario.integration.step;
      const auto expected = row_after(*made, method, h);
      EXPECT_EQ(row_after(*changed, method, h), expected) << name << ", " << method;
      IntegrationOptions options;
      options.step = h;
      const auto used = scenario.problem->simulate(MethodSpec::parse(method), options);
      ASSERT_TRUE(changed->restart(*used));
      EXPECT_EQ(row_after(*changed, method, h, used.get()), expected)
          << name << ", " << method << ", begun anew";
    }
  }
}

std::vector<std::string> names_of_systems() {
  std::vector<std::string> names;
  for (const SystemEntry& entry : catalogue().systems()) names.push_back(entry.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, ParametersOf, testing::ValuesIn(names_of_systems()),
                         [](const auto& info) { return info.param; });

// A model's graph is frozen: nobody waits for anybody. (For the thread sanitizer.)
TEST(Problem, IsBuiltUponByManyThreadsAtOnce) {
  for (const char* name : {"chaplygin_sleigh", "magnetic_dipoles", "chain_pendulum"}) {
    const io::Scenario scenario = scenario_of(name);
    std::vector<std::vector<double>> rows(16);
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < rows.size(); ++i)
        threads.emplace_back([&, i] {
          const char* methods[] = {"hamel", "gauss", "rk4"};
          rows[i] = row_after(*scenario.problem, methods[i % 3], scenario.integration.step);
          scenario.problem->claims(MethodSpec::parse(methods[i % 3]));
        });
    }
    for (std::size_t i = 3; i < rows.size(); ++i) EXPECT_EQ(rows[i], rows[i % 3]) << name;
  }
}

}  // namespace
}  // namespace hamel
