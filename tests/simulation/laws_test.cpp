// SPDX-License-Identifier: BSD-3-Clause
// The laws: every claim of every method on every registered system, measured. A new system or
// method is tested here for its own claims without a line being written.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "hamel/catalogue/registry.hpp"
#include "hamel/core/error.hpp"
#include "hamel/runs/run.hpp"
#include "hamel/studies/convergence.hpp"
#include "simulation/allocations.hpp"
#include "simulation/law_cases.hpp"
#include "simulation/round_off.hpp"

namespace hamel {
namespace {

/// The reference of a system, computed once.
const EndPoint& reference_of(const std::string& system, const Problem& problem, double horizon) {
  static std::map<std::string, EndPoint> known;
  const auto found = known.find(system);
  return found != known.end()
             ? found->second
             : known.emplace(system, reference_end(problem, horizon)).first->second;
}

int parts_of(Composition composition) {
  return composition == Composition::none  ? 1
         : composition == Composition::su4 ? 5
         : composition == Composition::kl6 ? 9
                                           : 17;
}

/// Roundings of a step, each of its parts a step of its own, as independent ones: they add up to
/// the root of their number. Between 0.03 and 1.5 of eps times their growth is measured.
double step_roundings(const MethodSpec& method) {
  // Differences over a step, divided by it: what cancels in them is lost.
  const bool quotients = method.text.find("discrete-gradient") != std::string::npos;
  return (quotients ? 16 : 4) * std::sqrt(parts_of(method.composition));
}

/// Computed once for all methods of a system of some size.
const Growth& growth_of(const LawCase& c, const Problem& problem, const IntegrationOptions& options,
                        int steps) {
  static std::map<std::tuple<std::string, int, int>, Growth> known;
  const auto [found, fresh] = known.try_emplace({c.system, c.n, steps});
  if (fresh) found->second = growth(problem, options, steps);
  return found->second;
}

class Laws : public testing::TestWithParam<LawCase> {
 protected:
  const SystemEntry& system = law_registry().system(GetParam().system);
  std::unique_ptr<Problem> problem = problem_of(system, GetParam().n);
  MethodSpec method = MethodSpec::parse(GetParam().method);
  Claims claims = problem->claims(method);
  IntegrationOptions options{system.default_step, false, {}};
};

TEST_P(Laws, MeasuredOrderIsTheClaimedOne) {
  if (claims.order == 0 || GetParam().n > 0) return;  // a closed solution has none
  ConvergencePlan plan = default_convergence_plan(options.step, 50 * options.step);
  const ConvergenceStudy study = measure_order(*problem, method, options, plan,
                                               reference_of(system.name, *problem, plan.horizon));
  EXPECT_GE(study.fit.points, 5);  // four refinements
  // Order 16 leaves Quad only steps so long that the next term of the error, h² smaller, still
  // shows in the slope.
  const double tolerance = claims.order == 2 ? 0.02 : claims.order > 8 ? 0.25 : 0.1;
  EXPECT_NEAR(study.fit.order, claims.order, tolerance);
}

/// A name without what follows its first number, as in length_3.
std::string without_number(const std::string& name) {
  return name.substr(0, name.find_first_of("0123456789"));
}

TEST_P(Laws, ClaimsAreTheSameForEverySize) {
  if (GetParam().n == 0) return;  // that is what the others are compared with
  const Claims usual = default_problem(system)->claims(method);
  EXPECT_EQ(claims.order, usual.order);
  EXPECT_EQ(claims.time_symmetry, usual.time_symmetry);
  EXPECT_EQ(claims.symplectic, usual.symplectic);
  EXPECT_EQ(claims.constraint, usual.constraint);
  const auto simulation = problem->simulate(method, options);
  for (const auto& drift : simulation->invariants()) {
    const auto same = [&](const std::string& name) {
      return without_number(name) == without_number(drift.info.name);
    };
    EXPECT_EQ(std::ranges::any_of(claims.invariants, same),
              std::ranges::any_of(usual.invariants, same))
        << drift.info.name;
  }
}

// In Quad. Roundings forth and back are carried to the end by the flow. Cases where they leave less
// than 1 % of the bound, three in ten, lose 100 times as much unseen: the growth is that of
// the worst direction, and theirs is a better one.
TEST_P(Laws, ForthAndBackReturnsToTheStart) {
  if (!claims.time_symmetry || claims.order == 0) return;  // not claimed
  constexpr int steps = 40;
  const double lost = growth_of(GetParam(), *problem, options, steps).state;
  const double eps = static_cast<double>(Epsilon<Quad>::value);
  EXPECT_LE(problem->reversal_defect(method, options, steps),
            eps * std::sqrt(2.0) * lost * step_roundings(method));
}

/// The ball's spin, inertia 0.004 times 2, is stepped beside momenta five times as large, whose
/// roundings reach it.
double stepped_beside(const std::string& system, const std::string& invariant) {
  return system == "rolling_ball_on_table" && invariant == "spin" ? 5.0 : 1.0;
}

struct Kept {
  std::string name;
  double drift, size;  ///< largest change; of the terms of the invariant, over the run
};

// Every step of a method, k of them where it is composed of k, rounds the terms of an invariant by
// some eps/2 of their size s, with either sign: after N steps it has walked eps s √(kN), and by
// some eps s at first, however few the steps.
//
// A short run tells how much a step loses: an invariant that changes by more than a tenth of a
// rounding of its terms, as seven in eight do, may not lose 100 times as much. A long one tells
// whether it is lost steadily, with N instead of √N. There, what a method restores at each step, or
// holds in a single number, does not walk, and the bound is wide for it: the short run sees to
// that.
std::vector<Kept> kept(const Problem& problem, Simulation& simulation, const Claims& claims,
                       std::int64_t steps, int parts, bool own) {
  const InvariantMap map = problem.invariant_map();
  const std::size_t coordinates = simulation.state().front().values.size();
  std::vector<std::vector<double>> points;
  for (int part = 0; part <= parts; ++part) {
    Block block;
    block.steps = part * steps / parts - simulation.step_count();
    if (block.steps > 0) {
      EXPECT_EQ(simulation.advance(block), Status::ok);
    }
    points.push_back(phase_point(simulation));
  }
  const std::vector<double> m = own ? own_sizes(points, coordinates) : std::vector<double>();
  std::vector<Kept> all;
  const auto invariants = simulation.invariants();
  for (std::size_t i = 0; i < invariants.size(); ++i)
    all.push_back({invariants[i].info.name, invariants[i].max_drift, 0.0});
  for (const auto& z : points) {
    const std::vector<double> now = term_sizes(map, z, m, coordinates);
    for (std::size_t i = 0; i < now.size(); ++i) all[i].size = std::fmax(all[i].size, now[i]);
  }
  std::erase_if(all, [&](const Kept& k) { return !claims.keeps(k.name); });
  return all;
}

TEST_P(Laws, ClaimedInvariantsStayAtRoundOff) {
  if (claims.invariants.empty()) return;  // nothing claimed
  for (const bool long_run : {false, true}) {
    std::int64_t steps = !long_run ? 16 : method.name == "exact" ? 1000 : 10000;
    if (system.horizon > 0.0)
      steps = std::min(steps, static_cast<std::int64_t>(system.horizon / options.step));
    const double walk = std::sqrt(static_cast<double>(steps * parts_of(method.composition)));
    const auto simulation = problem->simulate(method, options);
    std::vector<std::string> measured;
    for (const auto& [name, drift, size] :
         kept(*problem, *simulation, claims, steps, long_run ? 20 : 16, !long_run)) {
      measured.push_back(name);
      EXPECT_LE(drift,
                2.2e-16 * size * stepped_beside(system.name, name) * ((long_run ? 16 : 6) + walk))
          << name << " after " << steps << " steps";
    }
    // a claim is measured, whatever it is called
    std::vector<std::string> claimed = claims.invariants;
    std::ranges::sort(claimed);
    std::ranges::sort(measured);
    EXPECT_EQ(measured, claimed);
  }
}

// A single sphere goes by dual numbers in double, with round-off; a step's parts multiply the form
// by something off 1 by a few eps each. All others go by central differences in Quad, a distance
// 1e-10 apart: up to 5e-21, a third derivative of the step, is theirs, and a loss below the bound
// cannot be told from it.
TEST_P(Laws, ClaimedSymplecticityHolds) {
  if (!claims.symplectic) return;  // not claimed
  const auto defect = problem->symplectic_defect(method, options);
  if (!defect) return;  // a closed solution is not stepped
  const bool by_duals = problem->phase_space().spheres == 1;
  EXPECT_LE(*defect, by_duals ? 8 * 2.2e-16 * std::sqrt(parts_of(method.composition)) : 2e-20);
}

// What w(q̄)·Δq/(|w| h) has of round-off: q is rounded to eps/2 of its size at both ends of a step.
// Where q grows in the run (lynch_zenkov), 100 times the loss at first goes unseen.
TEST_P(Laws, ClaimedConstraintsHoldAlongChords) {
  if (!claims.constraint) return;  // not claimed
  constexpr int steps = 50;
  std::optional<double> defect;
  try {
    defect = problem->chord_defect(method, options, steps);
  } catch (const InputError&) {
    return;  // a redundant frame: what it leaves out are no one-forms
  }
  if (!defect) return;  // there are none
  const auto simulation = problem->simulate(method, options);
  double size = 1.0;
  for (int step = 0; step <= steps; ++step) {
    const auto state = simulation->state();
    for (const double x : state.front().values) size = std::fmax(size, std::fabs(x));
    Block block;
    block.steps = 1;
    ASSERT_EQ(simulation->advance(block), Status::ok);
  }
  EXPECT_LE(*defect, 1.5 * 2.2e-16 * size / options.step);
}

TEST_P(Laws, StepsDoNotAllocate) {
  if (method.name == "exact") return;  // not a step
  const auto simulation = problem->simulate(method, options);
  Block block;
  block.steps = 20;
  if (!allocations_are_counted()) GTEST_SKIP() << "the sanitizers have an allocator of their own";
  const std::size_t before = allocations();
  const Status status = simulation->advance(block);
  EXPECT_EQ(allocations(), before);
  EXPECT_EQ(status, Status::ok);
}

// As forth and back, seen in q; nine cases in ten may not lose 100 times as much.
TEST_P(Laws, ScalarsAgreeToTheirRoundOff) {
  constexpr int steps = 50;
  const auto end = [&](Precision precision) {
    return problem->end_point(method, options, steps * options.step, steps, precision);
  };
  const EndPoint quad = end(Precision::quad);
  const EndPoint extended = end(Precision::long_double);
  const EndPoint real = end(Precision::double_precision);
  const double roundings =
      growth_of(GetParam(), *problem, options, steps).position * step_roundings(method);
  for (std::size_t i = 0; i < quad.q.size(); ++i) {
    const Quad size = max(Quad(1), abs(quad.q[i]));
    EXPECT_LE(static_cast<double>(abs(quad.q[i] - real.q[i]) / size), 2.2e-16 * roundings);
    EXPECT_LE(static_cast<double>(abs(quad.q[i] - extended.q[i]) / size), 1.1e-19 * roundings);
  }
}

TEST_P(Laws, SnapshotsContinueBitByBit) {
  IntegrationOptions compensated = options;
  compensated.compensated = true;
  const auto whole = problem->simulate(method, compensated);
  const auto first = problem->simulate(method, compensated);
  const auto second = problem->simulate(method, compensated);
  const auto go_on = [](Simulation& simulation) {
    Block block;
    block.steps = 37;
    return simulation.advance(block);
  };
  EXPECT_EQ(go_on(*whole), Status::ok);
  EXPECT_EQ(go_on(*whole), Status::ok);
  EXPECT_EQ(go_on(*first), Status::ok);
  second->restore(first->snapshot());
  EXPECT_EQ(go_on(*second), Status::ok);
  EXPECT_EQ(second->step_count(), 74);
  std::vector<double> a(static_cast<std::size_t>(whole->row_width()));
  std::vector<double> b = a;
  whole->write_row(a.data());
  second->write_row(b.data());
  EXPECT_EQ(a, b);
}

INSTANTIATE_TEST_SUITE_P(All, Laws, testing::ValuesIn(law_cases()),
                         [](const testing::TestParamInfo<LawCase>& info) {
                           const std::string size =
                               info.param.n > 0 ? "_n" + std::to_string(info.param.n) : "";
                           std::string name = info.param.system + size + "_" + info.param.method;
                           for (char& c : name)
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           return name;
                         });

}  // namespace
}  // namespace hamel
