// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/studies/section.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "hamel/catalogue/registry.hpp"
#include "hamel/core/error.hpp"
#include "hamel/scenario/scenario.hpp"

namespace hamel {
namespace {

const Registry& registry() {
  static const Registry all = builtin_registry();
  return all;
}

std::shared_ptr<const Problem> problem_of(const std::string& text) {
  return io::parse_scenario(text, "test", {}, registry()).problem;
}

SectionOutcome crossings(const Problem& problem, const std::string& method, double step,
                         std::int64_t steps, const std::string& plane, int direction = 1) {
  PhaseFunction surface(plane, problem.phase_space());
  return find_crossings(problem, MethodSpec::parse(method), {step, false, {}}, surface,
                        {steps, direction, nullptr, {}});
}

TEST(Section, PassagesOfThePendulumLieOnTheClosedSolution) {
  const auto problem = default_problem(registry().system("spherical_pendulum"));
  // The state of a run is off by its error, here that of gauss; a passage is off by no more.
  for (const auto& [method, tolerance] : {std::pair{"exact", 1e-13}, {"gauss", 2e-12}}) {
    const auto found = crossings(*problem, method, 0.2, 500, "q2");
    ASSERT_EQ(found.status, Status::ok);
    ASSERT_GE(found.crossings.size(), 14u);
    for (const Crossing& crossing : found.crossings) {
      const EndPoint exact = problem->exact(Quad(crossing.t)).value_or(EndPoint{});
      ASSERT_EQ(exact.q.size(), 3U);
      for (std::size_t c = 0; c < 3; ++c) {
        EXPECT_LE(std::fabs(static_cast<double>(exact.q[c]) - crossing.z[c]), tolerance) << method;
        EXPECT_LE(std::fabs(static_cast<double>(exact.velocity[c]) - crossing.z[3 + c]), tolerance);
      }
      EXPECT_LE(std::fabs(crossing.z[1]), 1e-15);
    }
  }
}

TEST(Section, PassagesHaveTheOrderOfTheMethod) {
  const auto problem = default_problem(registry().system("spherical_pendulum"));
  const double exact = crossings(*problem, "exact", 0.2, 300, "q2").crossings.at(6).t;
  for (const auto& [method, order] : {std::pair{"hamel", 2.0}, {"hamel4", 4.0}, {"rk4", 4.0}}) {
    double last = NAN;
    for (const double h : {0.1, 0.05, 0.025, 0.0125, 0.00625}) {
      const auto found = crossings(*problem, method, h, std::llround(60.0 / h), "q2");
      const double error = std::fabs(found.crossings.at(6).t - exact);
      if (!std::isnan(last)) {
        EXPECT_NEAR(std::log2(last / error), order, 0.1) << method << " " << h;
      }
      last = error;
    }
  }
}

TEST(Section, StepsOfAnySizeKeepWhatTheMethodKeeps) {
  const auto problem = default_problem(registry().system("spherical_pendulum"));
  const InvariantMap invariants = problem->invariant_map();
  std::vector<double> start;
  std::vector<double> values;
  std::vector<double> z;
  for (const Quad& x : problem->phase_space().start) z.push_back(static_cast<double>(x));
  ASSERT_TRUE(invariants(z, start));
  for (const Crossing& crossing : crossings(*problem, "hamel", 0.2, 1000, "q1 + 0.1").crossings) {
    ASSERT_TRUE(invariants(crossing.z, values));
    EXPECT_LE(std::fabs(values[0] / start[0] - 1.0), 5e-14);  // 1000 steps of round-off
  }
}

TEST(Section, UpAndDownTakeTurns) {
  const auto problem = default_problem(registry().system("spherical_pendulum"));
  const auto both = crossings(*problem, "hamel", 0.2, 1000, "q2", 0).crossings;
  const auto up = crossings(*problem, "hamel", 0.2, 1000, "q2", 1).crossings;
  const auto down = crossings(*problem, "hamel", 0.2, 1000, "q2", -1).crossings;
  ASSERT_EQ(both.size(), up.size() + down.size());
  for (std::size_t i = 1; i < both.size(); ++i) {
    EXPECT_EQ(both[i].direction, -both[i - 1].direction);
    EXPECT_GT(both[i].t, both[i - 1].t);
  }
  const auto mirrored = crossings(*problem, "hamel", 0.2, 1000, "-q2", -1).crossings;
  ASSERT_EQ(mirrored.size(), up.size());
  for (std::size_t i = 0; i < up.size(); ++i) EXPECT_EQ(mirrored[i].t, up[i].t);
}

constexpr const char* star = R"([system]
name = "henon_heiles"
rotation = 0.0
[initial]
q = [0.0, 0.1]
v = [0.49, 0.0]
)";

/// The star by Taylor series of order 24 in long double, x'' = -x - 2xy, y'' = -y - x² + y²: no
/// code in common with the library.
struct Star {
  using Real = long double;
  static constexpr int order = 24;
  std::array<Real, 4> at;  // x, y, x', y'

  std::array<std::array<Real, order + 1>, 2> series() const {
    std::array<std::array<Real, order + 1>, 2> c{};
    auto& [x, y] = c;
    x[0] = at[0];
    y[0] = at[1];
    x[1] = at[2];
    y[1] = at[3];
    for (int k = 0; k + 2 <= order; ++k) {
      Real xy = 0, xx = 0, yy = 0;
      for (int j = 0; j <= k; ++j) {
        xy += x[j] * y[k - j];
        xx += x[j] * x[k - j];
        yy += y[j] * y[k - j];
      }
      x[k + 2] = (-x[k] - 2 * xy) / ((k + 1) * (k + 2));
      y[k + 2] = (-y[k] - xx + yy) / ((k + 1) * (k + 2));
    }
    return c;
  }
  Star after(Real t) const {
    const auto c = series();
    Star next{};
    for (std::size_t i = 0; i < 2; ++i)
      for (int k = order; k >= 0; --k) {
        next.at[i] = next.at[i] * t + c[i][static_cast<std::size_t>(k)];
        if (k > 0) next.at[2 + i] = next.at[2 + i] * t + k * c[i][static_cast<std::size_t>(k)];
      }
    return next;
  }
};

TEST(Section, PassagesOfTheStarAgreeWithATaylorSeries) {
  const auto problem = problem_of(star);
  const auto found = crossings(*problem, "gauss(stages=6)", 0.05, 4000, "x").crossings;
  Star s{{0.0L, 0.1L, 0.49L, 0.0L}};
  long double t = 0;
  std::size_t n = 0;
  while (t < 199.9L) {
    const Star next = s.after(0.05L);
    if (s.at[0] < 0 && next.at[0] >= 0) {
      long double part = 0;  // Newton from the node
      for (int i = 0; i < 8; ++i) {
        const Star there = s.after(part);
        part -= there.at[0] / there.at[2];
      }
      const Star there = s.after(part);
      ASSERT_LT(n, found.size());
      // The motion is regular: errors of 1e-16 a step grow with the square of time at most.
      EXPECT_NEAR(found[n].t, static_cast<double>(t + part), 1e-11);
      EXPECT_NEAR(found[n].z[1], static_cast<double>(there.at[1]), 1e-12);
      EXPECT_NEAR(found[n].z[3], static_cast<double>(there.at[3]), 1e-12);
      ++n;
    }
    s = next;
    t += 0.05L;
  }
  EXPECT_GE(n, 30u);
  EXPECT_EQ(n, found.size());  // and the start, on the plane, is none of them
}

TEST(Section, NamesAndFaults) {
  const auto names = [](const std::string& text) {
    return phase_names(problem_of(text)->phase_space());
  };
  using List = std::vector<std::string>;
  EXPECT_EQ(names("[system]\nname = \"spherical_pendulum\"\n"),
            (List{"q1", "q2", "q3", "omega1", "omega2", "omega3"}));
  EXPECT_EQ(names(star), (List{"x", "y", "xi1", "xi2"}));
  const auto chain = names("[system]\nname = \"chain_pendulum\"\nn = 2\n");
  EXPECT_EQ(chain.size(), 12u);
  EXPECT_EQ(chain[5], "q2_3");
  EXPECT_EQ(chain[11], "omega2_3");

  const auto problem = problem_of(star);
  EXPECT_THROW(PhaseFunction("z", problem->phase_space()), InputError);
  EXPECT_THROW(PhaseFunction("2*pi", problem->phase_space()), InputError);
  EXPECT_THROW(crossings(*problem, "hamel(output=half)", 0.1, 10, "x"), InputError);
  const auto driven = problem_of(
      "[system]\nname = \"chain_pendulum\"\nn = 2\nbase = [\"0.1*sin(t)\", \"0\", \"0\"]\n");
  EXPECT_THROW(crossings(*driven, "variational", 0.01, 10, "q1_1"), InputError);
}

}  // namespace
}  // namespace hamel
