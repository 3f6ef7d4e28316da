// SPDX-License-Identifier: BSD-3-Clause
// Members of a sweep, made on several threads at once from one scenario.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <thread>

#include "hamel/scenario/scenario.hpp"
#include "hamel/scenario/sweep.hpp"

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

Sweep random_sweep(const std::vector<Variation::Law>& laws, std::uint64_t seed) {
  Sweep sweep;
  sweep.samples = 20000;
  sweep.seed = seed;
  for (const Variation::Law law : laws) {
    Variation v;
    v.key = std::to_string(sweep.vary.size());
    v.law = law;
    v.b = 1.0;
    for (int i = 0; i < 10; ++i) v.values.push_back(0.1 * i + 0.05);
    sweep.vary.push_back(std::move(v));
  }
  return sweep;
}

/// All members' draws of each key, made uniform on [0, 1] by the distribution of its law.
std::vector<std::vector<double>> uniform_draws(const Sweep& sweep) {
  std::vector<std::vector<double>> lists(sweep.vary.size());
  std::vector<double> values(sweep.vary.size());
  for (std::int64_t member = 0; member < sweep.members(); ++member) {
    sweep.inputs(member, values.data());
    for (std::size_t k = 0; k < lists.size(); ++k)
      lists[k].push_back(sweep.vary[k].law == Variation::Law::normal
                             ? 0.5 * std::erfc(-values[k] / std::numbers::sqrt2)
                             : values[k]);
  }
  return lists;
}

using Law = Variation::Law;

// Kolmogorov's distance of n draws from their law is above 1.95/√n once in a thousand seeds.
TEST(SweepMembers, ARandomKeyHasItsLaw) {
  for (const std::uint64_t seed : {1U, 2U, 77U}) {
    const Sweep sweep = random_sweep({Law::uniform, Law::normal, Law::normal, Law::uniform}, seed);
    for (std::vector<double>& u : uniform_draws(sweep)) {
      std::ranges::sort(u);
      const auto n = static_cast<double>(u.size());
      double distance = 0.0;
      for (std::size_t i = 0; i < u.size(); ++i) {
        const auto at = static_cast<double>(i);
        distance = std::fmax(distance, std::fmax((at + 1.0) / n - u[i], u[i] - at / n));
      }
      EXPECT_LE(distance, 1.95 / std::sqrt(n));
      EXPECT_GE(distance, 0.1 / std::sqrt(n));  // nor are they a grid
    }
  }
}

// Of every two keys the square of their draws is filled evenly: 10×10 fields of 200 ± 14 draws,
// χ² with 99 degrees of freedom, 99 ± 14. So is that of two members that follow each other.
TEST(SweepMembers, KeysAndMembersAreIndependent) {
  const auto chi_squared = [](const std::vector<double>& a, const std::vector<double>& b,
                              std::size_t later) {
    double counts[10][10] = {};
    const std::size_t n = a.size() - later;
    const auto field = [](double u) {
      return static_cast<std::size_t>(std::clamp(10.0 * u, 0.0, 9.0));
    };
    for (std::size_t i = 0; i < n; ++i) counts[field(a[i])][field(b[i + later])] += 1.0;
    const double expected = static_cast<double>(n) / 100.0;
    double sum = 0.0;
    for (const auto& row : counts)
      for (const double c : row) sum += (c - expected) * (c - expected) / expected;
    return sum;
  };
  for (const std::uint64_t seed : {1U, 2U}) {
    const auto u = uniform_draws(
        random_sweep({Law::uniform, Law::list, Law::normal, Law::normal, Law::uniform}, seed));
    for (std::size_t a = 0; a < u.size(); ++a) {
      for (std::size_t b = a + 1; b < u.size(); ++b)
        EXPECT_LE(chi_squared(u[a], u[b], 0), 99.0 + 5.0 * 14.07) << a << " " << b;
      for (std::size_t b = 0; b < u.size(); ++b)
        EXPECT_LE(chi_squared(u[a], u[b], 1), 99.0 + 5.0 * 14.07) << a << " " << b;
    }
  }
  // Another seed has other draws.
  const auto one = uniform_draws(random_sweep({Law::uniform}, 1))[0];
  const auto two = uniform_draws(random_sweep({Law::uniform}, 2))[0];
  EXPECT_LE(chi_squared(one, two, 0), 99.0 + 5.0 * 14.07);
}

}  // namespace
}  // namespace hamel::io
