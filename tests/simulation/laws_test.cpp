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
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.system << " " << c.method;
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

/// Each method that fits, its compositions where it can be composed, and other stage numbers.
std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const auto& system : registry().systems()) {
    const auto problem = default_problem(system);
    for (const auto& method : system.methods) {
      const std::string name(method.name);
      cases.push_back({system.name, name});
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
  std::unique_ptr<Problem> problem = default_problem(system);
  MethodSpec method = MethodSpec::parse(GetParam().method);
  Claims claims = problem->claims(method);
  IntegrationOptions options{system.default_step, false, {}};
};

TEST_P(Laws, MeasuredOrderIsTheClaimedOne) {
  if (claims.order == 0) return;  // a closed solution has none
  ConvergencePlan plan = default_convergence_plan(options.step, 50 * options.step);
  const ConvergenceStudy study = measure_order(*problem, method, options, plan,
                                               reference_of(system.name, *problem, plan.horizon));
  EXPECT_GE(study.fit.points, 5);  // four refinements
  // Order 16 leaves Quad only steps so long that the next term of the error, h² smaller, still
  // shows in the slope.
  const double tolerance = claims.order == 2 ? 0.02 : claims.order > 8 ? 0.25 : 0.1;
  EXPECT_NEAR(study.fit.order, claims.order, tolerance);
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
                           std::string name = info.param.system + "_" + info.param.method;
                           for (char& c : name)
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           return name;
                         });

}  // namespace
}  // namespace hamel
