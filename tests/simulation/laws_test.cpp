// SPDX-License-Identifier: BSD-3-Clause
// The laws: every claim of every method on every registered system, measured. A new system or
// method is tested here for its own claims without a line being written.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "hamel/catalogue/registry.hpp"
#include "hamel/runs/run.hpp"
#include "hamel/studies/convergence.hpp"
#include "simulation/allocations.hpp"
#include "simulation/law_cases.hpp"

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

TEST_P(Laws, ForthAndBackReturnsToTheStart) {
  if (!claims.time_symmetry || claims.order == 0) return;  // not claimed
  // In Quad: 80 steps of its round-off, 2e-34 each, sheared by the flow.
  EXPECT_LE(problem->reversal_defect(method, options, 40), 1e-22);
}

/// (q, velocity) as the invariants take them; empty where the simulation does not show them.
std::vector<double> phase_point(const Simulation& simulation) {
  std::vector<double> z;
  const auto state = simulation.state();
  for (const char* name : {"q", "omega", "xi"})
    for (const auto& part : state)
      if (part.field.name == name) z.insert(z.end(), part.values.begin(), part.values.end());
  return z;
}

/// Size of the terms that each invariant I is the sum of: Σ_i |∂I/∂z_i| m_i, where m_i is the
/// largest |z_k| of the half (q or velocity) that z_i belongs to; what I changes by, at most, when
/// all numbers are rounded, is eps times that.
std::vector<double> term_sizes(const InvariantMap& map, const std::vector<double>& z,
                               std::size_t coordinates) {
  std::vector<double> here, there;
  if (z.empty() || !map(z, here)) return {};
  std::vector<double> sizes(here.size());
  std::vector<double> moved = z;
  for (std::size_t i = 0; i < z.size(); ++i) {
    double most = 0.0;
    for (std::size_t k = 0; k < z.size(); ++k)
      if ((k < coordinates) == (i < coordinates)) most = std::fmax(most, std::fabs(z[k]));
    if (most == 0.0) continue;
    moved[i] = z[i] + 1e-6 * most;
    if (map(moved, there))
      for (std::size_t k = 0; k < sizes.size(); ++k)
        sizes[k] += std::fabs(there[k] - here[k]) / 1e-6;
    moved[i] = z[i];
  }
  return sizes;
}

int parts_of(Composition composition) {
  return composition == Composition::none  ? 1
         : composition == Composition::su4 ? 5
         : composition == Composition::kl6 ? 9
                                           : 17;
}

// Every step of a method, k of them where it is composed of k, rounds the terms of an invariant by
// some eps/2 of their size s, with either sign: after N steps it has walked eps s √(kN), and by 16
// eps s at first, however few the steps. What is lost steadily, with N instead of √N, is beyond
// that.
TEST_P(Laws, ClaimedInvariantsStayAtRoundOff) {
  if (claims.invariants.empty()) return;  // nothing claimed
  const auto simulation = problem->simulate(method, options);
  std::int64_t steps = method.name == "exact" ? 1000 : 10000;
  if (system.horizon > 0.0)
    steps = std::min(steps, static_cast<std::int64_t>(system.horizon / options.step));
  const InvariantMap map = problem->invariant_map();
  const std::size_t coordinates = simulation->state().front().values.size();
  std::vector<double> sizes(simulation->invariants().size());
  for (int part = 0; part <= 20; ++part) {
    Block block;
    block.steps = part * steps / 20 - simulation->step_count();
    if (part > 0) {
      ASSERT_EQ(simulation->advance(block), Status::ok);
    }
    const std::vector<double> now = term_sizes(map, phase_point(*simulation), coordinates);
    for (std::size_t i = 0; i < now.size(); ++i) sizes[i] = std::fmax(sizes[i], now[i]);
  }
  const double walk = std::sqrt(static_cast<double>(steps * parts_of(method.composition)));
  std::vector<std::string> measured;
  const auto invariants = simulation->invariants();
  for (std::size_t i = 0; i < invariants.size(); ++i) {
    const InvariantDrift& drift = invariants[i];
    if (!claims.keeps(drift.info.name)) continue;
    measured.push_back(drift.info.name);
    const double bound = 2.2e-16 * sizes[i] * (16 + walk);
    EXPECT_LE(drift.max_drift, bound) << drift.info.name;
  }
  // a claim is measured, whatever it is called
  std::vector<std::string> claimed = claims.invariants;
  std::ranges::sort(claimed);
  std::ranges::sort(measured);
  EXPECT_EQ(measured, claimed);
}

TEST_P(Laws, ClaimedSymplecticityHolds) {
  if (!claims.symplectic) return;  // not claimed
  const auto defect = problem->symplectic_defect(method, options);
  if (!defect) return;  // a closed solution is not stepped
  EXPECT_LE(*defect, 1e-13);
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

TEST_P(Laws, ScalarsAgreeToTheirRoundOff) {
  const auto end = [&](Precision precision) {
    return problem->end_point(method, options, 50 * options.step, 50, precision);
  };
  const EndPoint quad = end(Precision::quad);
  const EndPoint extended = end(Precision::long_double);
  const EndPoint real = end(Precision::double_precision);
  for (std::size_t i = 0; i < quad.q.size(); ++i) {
    const Quad size = max(Quad(1), abs(quad.q[i]));
    EXPECT_LE(static_cast<double>(abs(quad.q[i] - real.q[i]) / size), 2e-13);
    EXPECT_LE(static_cast<double>(abs(quad.q[i] - extended.q[i]) / size), 2e-16);
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
