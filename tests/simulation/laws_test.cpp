// SPDX-License-Identifier: BSD-3-Clause
// The laws: every claim of every method on every registered system, measured. A new system or
// method is tested here for its own claims without a line being written.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <new>

#include "hamel/core/error.hpp"
#include "hamel/simulation/convergence.hpp"
#include "hamel/simulation/registry.hpp"
#include "hamel/simulation/run.hpp"

// NOLINTBEGIN(cppcoreguidelines-no-malloc, cppcoreguidelines-avoid-non-const-global-variables):
// a counting operator new is what this is
namespace {
thread_local constinit std::size_t allocations = 0;  // of this thread; sweeps have others
}

// Counts what a step must not do.
__attribute__((noinline)) void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
__attribute__((noinline)) void operator delete(void* memory) noexcept { std::free(memory); }
__attribute__((noinline)) void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
// NOLINTEND(cppcoreguidelines-no-malloc, cppcoreguidelines-avoid-non-const-global-variables)

namespace hamel {
namespace {

struct Case {
  std::string system, method;
  int n = 0;  ///< parts of the system; 0: as many as it has by default
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.system << " " << c.method << (c.n > 0 ? " n = " + std::to_string(c.n) : "");
}

const Registry& registry() {
  static const Registry all = builtin_registry();
  return all;
}

bool fits(const Problem& problem, const std::string& method) {
  try {
    problem.claims(MethodSpec::parse(method));
    return true;
  } catch (const InputError&) {
    return false;
  }
}

/// The system at its defaults, but of this size.
std::unique_ptr<Problem> problem_of(const SystemEntry& system, int n) {
  if (n == 0) return default_problem(system);
  SystemValues values;
  for (const auto& p : system.parameters) {
    if (p.kind == ParameterInfo::Kind::text) values.texts[p.name] = p.preset_text;
    if (p.kind == ParameterInfo::Kind::number || p.kind == ParameterInfo::Kind::count)
      values.numbers[p.name] = p.name == "n" ? n : p.preset;
  }
  std::vector<std::string> notes;
  if (!system.at) return system.make(values, default_form(system), system.default_initial, notes);
  const auto sized = system.at(values);
  return sized->make(values, default_form(*sized), sized->default_initial, notes);
}

/// A small and a larger size of a system that has some, besides its own.
std::vector<int> other_sizes(const SystemEntry& system) {
  for (const auto& p : system.parameters)
    if (p.name == "n" && p.kind == ParameterInfo::Kind::count) {
      const int preset = static_cast<int>(p.preset);
      return {preset <= 2 ? preset + 2 : 2, std::min(preset + 1, p.most)};
    }
  return {};
}

/// Each method that fits, its compositions where it can be composed, and other stage numbers; of
/// other sizes the methods alone.
std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const auto& system : registry().systems()) {
    const auto problem = default_problem(system);
    for (const auto& method : system.methods) {
      const std::string name(method.name);
      cases.push_back({system.name, name});
      for (const int n : other_sizes(system)) cases.push_back({system.name, name, n});
      const Claims claims = problem->claims(MethodSpec::parse(name));
      if (claims.time_symmetry && claims.order > 0 && claims.order <= 4)
        for (const char* c : {"+su4", "+kl6", "+kl8"}) cases.push_back({system.name, name + c});
      const auto has = [&](std::string_view option) {
        return std::ranges::any_of(method.options, [&](const auto& o) { return o.name == option; });
      };
      if (has("form")) cases.push_back({system.name, name + "(form=space)"});
      if (has("principle"))
        for (const char* variant :
             {"(frame=kinetic)", "(frame=kinetic,potential=discrete-gradient)", "(output=half)",
              "(reconstruction=mid)", "(principle=pontryagin)"})
          if (fits(*problem, name + variant)) cases.push_back({system.name, name + variant});
      if (has("equations"))
        for (const char* variant : {"(equations=euler-lagrange)", "(equations=implicit-hamel)"})
          if (fits(*problem, name + variant)) cases.push_back({system.name, name + variant});
      if (has("alpha"))
        for (const char* variant : {"(alpha=0)", "(constraint=average)"})
          if (fits(*problem, name + variant)) cases.push_back({system.name, name + variant});
      if (name == "gauss")
        for (const char* s : {"(stages=1)", "(stages=2)", "(stages=3)", "(stages=4)"})
          cases.push_back({system.name, name + s});
    }
  }
  return cases;
}

/// The reference of a system, computed once.
const EndPoint& reference_of(const std::string& system, const Problem& problem, double horizon) {
  static std::map<std::string, EndPoint> known;
  const auto found = known.find(system);
  return found != known.end()
             ? found->second
             : known.emplace(system, reference_end(problem, horizon)).first->second;
}

class Laws : public testing::TestWithParam<Case> {
 protected:
  const SystemEntry& system = registry().system(GetParam().system);
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

TEST_P(Laws, ClaimedInvariantsStayAtRoundOff) {
  if (claims.invariants.empty()) return;  // nothing claimed
  const auto simulation = problem->simulate(method, options);
  RunPlan plan;
  plan.steps = method.name == "exact" ? 1000 : 10000;
  if (system.horizon > 0.0)
    plan.steps = std::min(plan.steps, static_cast<std::int64_t>(system.horizon / options.step));
  ASSERT_EQ(run(*simulation, plan).status, Status::ok);
  for (const auto& drift : simulation->invariants()) {
    if (!claims.keeps(drift.info.name)) continue;
    // a random walk of 1e4 steps with some ten roundings each, 17 stages at most
    const double bound = 64 * 2.2e-16 * 100 * std::fmax(1.0, std::fabs(drift.initial));
    EXPECT_LE(drift.max_drift, bound) << drift.info.name;
  }
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
  const std::size_t before = allocations;
  const Status status = simulation->advance(block);
  EXPECT_EQ(allocations, before);
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
  Block block;
  block.steps = 37;
  whole->advance(block);
  whole->advance(block);
  first->advance(block);
  second->restore(first->snapshot());
  second->advance(block);
  std::vector<double> a(static_cast<std::size_t>(whole->row_width()));
  std::vector<double> b = a;
  whole->write_row(a.data());
  second->write_row(b.data());
  EXPECT_EQ(a, b);
}

INSTANTIATE_TEST_SUITE_P(All, Laws, testing::ValuesIn(all_cases()),
                         [](const testing::TestParamInfo<Case>& info) {
                           const std::string size =
                               info.param.n > 0 ? "_n" + std::to_string(info.param.n) : "";
                           std::string name = info.param.system + size + "_" + info.param.method;
                           for (char& c : name)
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           return name;
                         });

}  // namespace
}  // namespace hamel
