// SPDX-License-Identifier: BSD-3-Clause
// Members of a sweep, made on several threads at once from one scenario.
#include <gtest/gtest.h>

#include <thread>

#include "hamel/io/scenario.hpp"
#include "hamel/io/sweep.hpp"

namespace hamel::io {
namespace {

/// The first rows of all members, as one thread of a sweep makes them.
std::vector<double> rows_of(const Scenario& scenario, int members) {
  std::vector<double> rows;
  const auto source = member_source(scenario);
  double input = 0.0;
  for (int i = 0; i < members; ++i) {
    const auto problem = source->make(i, &input);
    const auto simulation = problem->simulate(scenario.method, scenario.integration);
    Block block;
    block.steps = 3;
    EXPECT_EQ(simulation->advance(block), Status::ok);
    const std::size_t before = rows.size();
    rows.resize(before + static_cast<std::size_t>(simulation->row_width()));
    simulation->write_row(rows.data() + before);
  }
  return rows;
}

// Formulas are nodes of one graph, to which every stepper adds its own. (For the thread sanitizer.)
TEST(SweepMembers, OfTextAreMadeOnSeveralThreads) {
  for (const char* system :
       {"spheres = [\"a\"]\ninertia = [[1.0]]\npotential = \"9.81*a3 + a1^2\"\n"
        "[initial]\nq = [[0.6, 0.0, -0.8]]\nomega = [[0.0, 0.5, 0.0]]\n"
        "[sweep.vary]\n\"initial.omega[0][1]\" = [0.1, 0.2, 0.3, 0.4]\n",
        "coordinates = [\"x\"]\nlagrangian = \"x_dot^2/2 - x^4/4\"\n"
        "[initial]\nq = [1.0]\nxi = [0.0]\n"
        "[sweep.vary]\n\"initial.xi[0]\" = [0.1, 0.2, 0.3, 0.4]\n"}) {
    const Scenario scenario = parse_scenario(
        std::string("[integrate]\nmethod = \"hamel\"\nstep = 0.01\nsteps = 10\n[system]\n") +
            system,
        "sweep.toml", {}, builtin_registry());
    std::vector<double> rows[2];
    {
      std::vector<std::jthread> threads;
      for (auto& list : rows) threads.emplace_back([&] { list = rows_of(scenario, 4); });
    }
    EXPECT_FALSE(rows[0].empty());
    EXPECT_EQ(rows[0], rows[1]);
  }
}

}  // namespace
}  // namespace hamel::io
