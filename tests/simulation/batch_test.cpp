// SPDX-License-Identifier: BSD-3-Clause
// Batches and sweeps: lanes give the bits of single simulations; who fails disturbs nobody; rows
// come in order whatever the number of threads.
#include "hamel/runs/batch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <string>

#include "hamel/catalogue/registry.hpp"
#include "hamel/core/error.hpp"
#include "hamel/runs/sweep.hpp"
#include "runs/sweep_blocks.hpp"

namespace hamel {
namespace {

/// Pendula of different lengths and speeds; later ones are faster.
class Pendula : public MemberSource {
 public:
  explicit Pendula(double fastest = 3.0) : fastest_(fastest) {}

  std::unique_ptr<Problem> make(std::int64_t member, double* inputs) override {
    const auto& system = registry_.system("spherical_pendulum");
    SystemValues values;
    for (const auto& p : system.parameters) values.numbers[p.name] = p.preset;
    const auto number = static_cast<double>(member);
    inputs[0] = values.numbers["length"] = 0.5 + 0.1 * number;
    const InitialValues initial{
        {{"q", {0.6, 0.0, -0.8}},
         {"omega", {0.0, fastest_ * static_cast<double>(member % 40) / 40.0, 0.0}}},
        true};
    if (member == 13 && invalid) throw InputError("thirteen");
    std::vector<std::string> notes;
    return system.make(values, 0, initial, notes);
  }
  bool one_system() const override { return false; }

  bool invalid = false;

 private:
  Registry registry_ = builtin_registry();
  double fastest_;
};

std::vector<double> row_of(const Simulation& simulation) {
  std::vector<double> row(static_cast<std::size_t>(simulation.row_width()));
  simulation.write_row(row.data());
  row.pop_back();  // iterations of the last step: not kept of lanes
  return row;
}

std::vector<double> drifts_of(Simulation& simulation) {
  const std::size_t count = simulation.invariants().size();
  std::vector<double> list(2 * count);
  simulation.write_drifts(list.data(), list.data() + count);
  return list;
}

/// A batch of these problems against each of them alone, bit by bit; whether it began in lanes.
/// Taken: how many lanes were at the beginning, and after 1, 70 and 200 steps.
bool batch_and_single_agree(const std::vector<std::unique_ptr<Problem>>& problems,
                            const std::string& method, const IntegrationOptions& options,
                            std::vector<std::int64_t>* taken = nullptr) {
  SCOPED_TRACE(method);
  std::vector<std::unique_ptr<Simulation>> members;
  std::vector<Simulation*> batch_members;
  for (const auto& problem : problems) {
    members.push_back(problem->simulate(MethodSpec::parse(method), options));
    batch_members.push_back(members.back().get());
  }
  Batch batch;
  batch.start(batch_members);
  const bool in_lanes = batch.in_lanes();
  std::vector<std::int64_t> lanes = {batch.lanes_taken()};
  for (const std::int64_t steps : {1, 69, 130}) {
    batch.advance(steps, 64);
    lanes.push_back(batch.lanes_taken());
  }
  if (taken != nullptr) *taken = lanes;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const auto alone = problems[i]->simulate(MethodSpec::parse(method), options);
    Block block;
    block.steps = 200;
    block.measure_every = 64;
    EXPECT_EQ(alone->advance(block), batch.status(i)) << i;
    EXPECT_EQ(members[i]->step_count(), alone->step_count()) << i;
    EXPECT_EQ(row_of(*members[i]), row_of(*alone)) << i;
    EXPECT_EQ(members[i]->iterations_mean(), alone->iterations_mean()) << i;
    EXPECT_EQ(drifts_of(*members[i]), drifts_of(*alone)) << i;
  }
  return in_lanes;
}

// Sixteen in lanes take as long as one.
TEST(SweepBlocks, FillLanesHoweverLongAMemberTakes) {
  SweepTask task;
  task.steps = 1000;
  SweepPlan plan;
  plan.members = 40;
  for (const double seconds : {1e-6, 0.05, 3600.0}) {
    SweepBlocks blocks(task, plan);
    EXPECT_EQ(blocks.next().second, 1);  // nothing is known of them
    blocks.took(1, seconds, true);
    for (std::int64_t left = 39; left > 0;) {
      const std::int64_t count = blocks.next().second;
      EXPECT_TRUE(count == left || count % Batch::most == 0) << seconds;
      blocks.took(count, seconds * static_cast<double>(count), true);
      left -= count;
    }
    EXPECT_TRUE(blocks.all_given());
  }
}

TEST(Batch, LanesHaveTheBitsOfSingleSimulations) {
  for (const char* method : {"hamel", "variational"})
    for (const bool compensated : {false, true})
      for (const int count : {1, 5, 16}) {
        Pendula source;
        std::vector<std::unique_ptr<Problem>> problems;
        double input = 0.0;
        for (int i = 0; i < count; ++i) problems.push_back(source.make(i, &input));
        EXPECT_TRUE(batch_and_single_agree(problems, method, {0.01, compensated, {}}));
      }
}

/// The system at its defaults, with one number of its own for each member.
std::unique_ptr<Problem> varied(const SystemEntry& entry, int member) {
  SystemValues values;
  bool changed = false;
  for (const ParameterInfo& p : entry.parameters) {
    if (p.kind == ParameterInfo::Kind::text) values.texts[p.name] = p.preset_text;
    if (p.kind != ParameterInfo::Kind::number && p.kind != ParameterInfo::Kind::count) continue;
    values.numbers[p.name] = p.preset;
    if (changed || p.kind == ParameterInfo::Kind::count || p.preset == 0.0) continue;
    values.numbers[p.name] *= 1.013 + 0.013 * member;
    changed = true;
  }
  std::vector<std::string> notes;
  return entry.make(values, default_form(entry), entry.default_initial, notes);
}

class LanesOf : public ::testing::TestWithParam<std::string> {};

/// The methods of systems on spheres that have kernels for ensembles; frames have all of them.
const std::map<std::string, std::vector<std::string>>& sphere_lanes() {
  static const std::map<std::string, std::vector<std::string>> all = {
      {"chain_pendulum", {"variational"}},
      {"coupled_pendula", {"hamel", "rk4", "variational"}},  // rk4 by formulas, here and below
      {"magnetic_dipoles", {"hamel", "rk4", "variational"}},
      {"sphere_particles", {"hamel", "rk4", "variational"}},
      {"spherical_pendulum", {"hamel", "variational"}}};
  return all;
}

// Equations of all frame systems: programs of many kinds, matrices whose rows change places.
TEST_P(LanesOf, EverySystemHaveTheBitsOfSingleSimulations) {
  const Registry registry = builtin_registry();
  const SystemEntry& entry = registry.system(GetParam());
  std::vector<std::unique_ptr<Problem>> problems;
  for (int i = 0; i < 11; ++i) problems.push_back(varied(entry, i));
  const IntegrationOptions options{entry.default_step, false, {}};
  for (const MethodInfo& method : entry.methods)
    if (method.name == "hamel" || method.name == "dla" || method.name == "rk4" ||
        method.name == "midpoint_del" || method.name == "variational") {
      const bool in_lanes = batch_and_single_agree(problems, std::string(method.name), options);
      const auto found = sphere_lanes().find(GetParam());
      const bool expected =
          !entry.coordinates.empty() ||
          (found != sphere_lanes().end() && std::ranges::count(found->second, method.name) == 1);
      EXPECT_EQ(in_lanes, expected) << method.name;
    }
}

std::vector<std::string> all_systems() {
  const Registry registry = builtin_registry();
  std::vector<std::string> names;
  for (const SystemEntry& entry : registry.systems()) names.push_back(entry.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Catalogue, LanesOf, ::testing::ValuesIn(all_systems()),
                         [](const auto& info) { return info.param; });

// Without its offset the sleigh has fewer terms: such a member goes by itself.
TEST(Batch, MembersOfOtherFormulasGoByThemselves) {
  const Registry registry = builtin_registry();
  const SystemEntry& entry = registry.system("chaplygin_sleigh");
  std::vector<std::unique_ptr<Problem>> problems;
  std::vector<std::string> notes;
  for (const double offset : {0.0, 0.1, 0.0, 0.2, 0.3})
    problems.push_back(
        entry.make({{{"mass", 1.0}, {"inertia", 1.0}, {"offset", offset}}, {}, {}, {}},
                   default_form(entry), entry.default_initial, notes));
  EXPECT_TRUE(batch_and_single_agree(problems, "hamel", {0.01, false, {}}));
}

/// Lanes taken by 13 members of which each has `factor` times the parameter of the one before.
std::vector<std::int64_t> taken(const char* system, const char* parameter, double first,
                                double factor, double h, const char* method) {
  const Registry registry = builtin_registry();
  const SystemEntry& entry = registry.system(system);
  std::vector<std::string> notes;
  SystemValues values;
  for (const ParameterInfo& p : entry.parameters) {
    if (p.kind == ParameterInfo::Kind::text) values.texts[p.name] = p.preset_text;
    if (p.kind == ParameterInfo::Kind::number || p.kind == ParameterInfo::Kind::count)
      values.numbers[p.name] = p.preset;
  }
  std::vector<std::unique_ptr<Problem>> problems;
  for (int i = 0; i < 13; ++i) {
    values.numbers[parameter] = first * std::pow(factor, i);
    problems.push_back(entry.make(values, default_form(entry), entry.default_initial, notes));
  }
  std::vector<std::int64_t> lanes;
  EXPECT_TRUE(batch_and_single_agree(problems, method, {h, false, {}}, &lanes));
  EXPECT_EQ(lanes[0], 13);
  return lanes;
}

// Springs and dipoles too stiff for sweeps: members for which sweeps do not contract go on alone,
// at once or on the way, where Newton takes over; the others stay in lanes.
TEST(Batch, MembersThatNeedNewtonGoOnAlone) {
  const auto stiff = taken("coupled_pendula", "stiffness", 500.3, 1.1, 0.02, "hamel");
  EXPECT_LT(stiff[1], 13);
  EXPECT_GT(stiff[3], 0);
  EXPECT_EQ(taken("coupled_pendula", "stiffness", 3e4, 1.001, 0.02, "hamel")[3], 0);
  const auto later = taken("magnetic_dipoles", "moment_of_inertia", 0.31, 1.3, 0.5, "hamel");
  EXPECT_LT(later[3], later[1]);
  EXPECT_GT(later[3], 0);
}

// Steps too long for some, on spheres: they end as they would alone.
TEST(Batch, LanesOfSpheresThatFailDisturbNobody) {
  const auto later = taken("magnetic_dipoles", "moment_of_inertia", 0.31, 1.5, 0.5, "variational");
  EXPECT_LT(later[3], later[1]);
  EXPECT_GT(later[3], 0);
}

/// Of 13 chains, each with twice the gravity of the one before, those that a step of h is too long
/// for.
int failed_chains(int links, double h, const SolverOptions& solver) {
  SCOPED_TRACE(links);
  const Registry registry = builtin_registry();
  const SystemEntry& entry = registry.system("chain_pendulum");
  std::vector<std::string> notes;
  SystemValues values;
  for (const ParameterInfo& p : entry.parameters) values.numbers[p.name] = p.preset;
  values.numbers["n"] = links;
  std::vector<std::unique_ptr<Problem>> problems;
  for (int i = 0; i < 13; ++i) {
    values.numbers["gravity"] = 0.02 * std::pow(2.0, i);
    problems.push_back(entry.make(values, default_form(entry), entry.default_initial, notes));
  }
  const IntegrationOptions options{h, false, solver};
  EXPECT_TRUE(batch_and_single_agree(problems, "variational", options));
  int failed = 0;
  for (const auto& problem : problems) {
    Block block;
    block.steps = 200;
    const auto alone = problem->simulate(MethodSpec::parse("variational"), options);
    failed += alone->advance(block) != Status::ok ? 1 : 0;
  }
  return failed;
}

// The middle of the elimination at either side, one correction or several, and chains that fail
// beside others that do not.
TEST(Batch, LanesOfChainsOfAnyLength) {
  for (const int links : {2, 3, 4, 5, 6, 7, 12, 25}) {
    EXPECT_EQ(failed_chains(links, 1e-4, {}), 0);
    const int failed = failed_chains(links, 0.1, {});
    EXPECT_GT(failed, 0);
    EXPECT_LT(failed, 13);
  }
  EXPECT_EQ(failed_chains(5, 1e-4, {1e-6, 50}), 0);
  EXPECT_EQ(failed_chains(5, 1e-3, {0.0, 1}), 13);
}

// Steps too long for some: Newton's iteration fails there, and at once or later for others.
TEST(Batch, LanesOfEquationsThatFailDisturbNobody) {
  const Registry registry = builtin_registry();
  const SystemEntry& entry = registry.system("kepler_polar");
  std::vector<std::unique_ptr<Problem>> problems;
  std::vector<std::string> notes;
  SystemValues values;
  for (const auto& p : entry.parameters) values.numbers[p.name] = p.preset;
  for (int i = 0; i < 13; ++i)
    problems.push_back(entry.make(values, default_form(entry),
                                  {{{"q", {1.0, 0.0}}, {"xi", {-0.2 * i, 1.2 - 0.09 * i}}}, true},
                                  notes));
  EXPECT_TRUE(batch_and_single_agree(problems, "hamel", {0.2, false, {}}));
  int failed = 0;
  for (const auto& problem : problems) {
    const auto alone = problem->simulate(MethodSpec::parse("hamel"), {0.2, false, {}});
    Block block;
    block.steps = 200;
    failed += alone->advance(block) != Status::ok ? 1 : 0;
  }
  EXPECT_GT(failed, 2);
  EXPECT_LT(failed, 11);
}

// Orbits that come through the centre, where polar coordinates end: whether that is looked for at
// every step, at every 16th in lanes or after a failure, the same step is the one that fails.
TEST(Batch, TheStepThatCrossesASingularityIsTheSameWheneverItIsLookedFor) {
  const Registry registry = builtin_registry();
  const SystemEntry& entry = registry.system("kepler_polar");
  std::vector<std::string> notes;
  SystemValues values;
  for (const auto& p : entry.parameters) values.numbers[p.name] = p.preset;
  std::vector<std::unique_ptr<Problem>> problems;
  for (int i = 0; i < 11; ++i) {  // the next one is back before anybody looks
    values.numbers["mu"] = 1.0 + 0.05 * i;
    problems.push_back(entry.make(values, default_form(entry),
                                  {{{"q", {1.0, 0.0}}, {"xi", {0.0, 0.35}}}, true}, notes));
  }
  const IntegrationOptions options{0.1, false, {}};
  std::vector<std::unique_ptr<Simulation>> members;
  std::vector<Simulation*> batch_members;
  for (const auto& problem : problems) {
    members.push_back(problem->simulate(MethodSpec::parse("hamel"), options));
    batch_members.push_back(members.back().get());
  }
  Batch batch;
  batch.start(batch_members);
  EXPECT_TRUE(batch.in_lanes());
  batch.advance(300, members.front()->lane_measure_every());
  int crossed = 0;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const auto alone = problems[i]->simulate(MethodSpec::parse("hamel"), options);
    Block block;
    block.steps = 300;
    block.measure_every = 1;
    EXPECT_EQ(alone->advance(block), batch.status(i)) << i;
    EXPECT_EQ(alone->step_count(), members[i]->step_count()) << i;
    EXPECT_EQ(row_of(*alone), row_of(*members[i])) << i;
    EXPECT_EQ(alone->failure(), members[i]->failure()) << i;
    crossed += batch.status(i) == Status::singular ? 1 : 0;
  }
  EXPECT_GT(crossed, 2);
}

// At half nodes the last good state before a failed step cannot be shown: its row is what was seen
// last, not what happened to be in the row's memory.
TEST(Batch, ARowIsWrittenWholeWhereTheStateCannotBeShown) {
  const Registry registry = builtin_registry();
  const SystemEntry& entry = registry.system("henon_heiles");
  const auto problem = varied(entry, 0);
  const auto simulation =
      problem->simulate(MethodSpec::parse("hamel(output=half)"), {2.0, false, {}});
  Block block;
  block.steps = 200;
  block.measure_every = 1;
  ASSERT_EQ(simulation->advance(block), Status::no_convergence);
  constexpr double left = 1e300;
  std::vector<double> row(static_cast<std::size_t>(simulation->row_width()), left);
  simulation->write_row(row.data());
  EXPECT_EQ(std::ranges::count(row, left), 0);
}

SweepTask task_of(const char* method) {
  SweepTask task;
  task.method = MethodSpec::parse(method);
  task.integration.step = 0.01;
  task.steps = 50;
  task.inputs = {"length"};
  task.units = {"m"};
  return task;
}

struct Swept {
  SweepOutcome outcome;
  std::vector<double> rows;
};

Swept swept(const SweepTask& task, std::int64_t members, int threads, double fastest,
            bool invalid = false) {
  Pendula any;
  double input = 0.0;
  const auto like = any.make(0, &input)->simulate(task.method, task.integration);
  Swept result;
  SweepPlan plan;
  plan.members = members;
  plan.threads = threads;
  plan.source = [&] {
    auto source = std::make_unique<Pendula>(fastest);
    source->invalid = invalid;
    return source;
  };
  plan.rows = [&](const std::vector<double>& rows, std::int64_t,
                  const std::vector<MemberFailure>&) {
    result.rows.insert(result.rows.end(), rows.begin(), rows.end());
  };
  result.outcome = sweep(task, *like, plan);
  return result;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

TEST(Sweep, RowsDoNotDependOnThreads) {
  for (const char* method : {"hamel", "rattle"}) {
    SweepTask task = task_of(method);
    task.trajectory_every = 20;
    const Swept one = swept(task, 2500, 1, 3.0);
    EXPECT_EQ(one.outcome.done, 2500);
    EXPECT_EQ(one.outcome.steps, 2500 * 50);
    EXPECT_EQ(one.rows[0], 0.5);
    for (const int threads : {2, 7})
      EXPECT_TRUE(same_bits(one.rows, swept(task, 2500, threads, 3.0).rows)) << threads;
  }
}

TEST(Sweep, FailuresAreToldAndDisturbNobody) {
  const SweepTask task = task_of("variational");
  const Swept all = swept(task, 40, 2, 400.0, true);
  const std::size_t width = all.rows.size() / 40;
  EXPECT_EQ(all.outcome.done, 40);
  EXPECT_EQ(all.outcome.failures.front().status, Status::no_solution);
  EXPECT_EQ(all.outcome.failures.front().step, 1);
  std::int64_t failed = 0;
  for (std::size_t i = 0; i < 40; ++i) {
    const auto status = static_cast<Status>(all.rows[i * width + 1]);
    failed += status != Status::ok ? 1 : 0;
    EXPECT_EQ(status == Status::invalid, i == 13);
    EXPECT_EQ(std::isnan(all.rows[i * width + 4]), i == 13);
    if (status == Status::ok) {
      EXPECT_EQ(all.rows[i * width + 2], 50.0);
    }
  }
  EXPECT_EQ(failed, all.outcome.failed);
  EXPECT_GT(failed, 20);
  // The first ten move slowly enough; they are the same without the others.
  const Swept few = swept(task, 10, 1, 400.0);
  EXPECT_EQ(few.outcome.failed, 0);
  EXPECT_TRUE(std::equal(few.rows.begin(), few.rows.end(), all.rows.begin()));
}

TEST(Sweep, StopsAndSaysSo) {
  const std::atomic<bool> stop = true;
  const SweepTask task = task_of("hamel");
  Pendula any;
  double input = 0.0;
  const auto like = any.make(0, &input)->simulate(task.method, task.integration);
  SweepPlan plan;
  plan.members = 100;
  plan.threads = 2;
  plan.stop = &stop;
  plan.source = [] { return std::make_unique<Pendula>(); };
  plan.rows = [](const std::vector<double>&, std::int64_t, const std::vector<MemberFailure>&) {
    FAIL() << "rows of a stopped sweep";
  };
  const SweepOutcome outcome = sweep(task, *like, plan);
  EXPECT_EQ(outcome.status, Status::interrupted);
  EXPECT_EQ(outcome.done, 0);
}

TEST(Sweep, WhatASinkThrowsEndsIt) {
  const SweepTask task = task_of("hamel");
  Pendula any;
  double input = 0.0;
  const auto like = any.make(0, &input)->simulate(task.method, task.integration);
  SweepPlan plan;
  plan.members = 10000;
  plan.threads = 2;
  plan.source = [] { return std::make_unique<Pendula>(); };
  plan.rows = [](const std::vector<double>&, std::int64_t, const std::vector<MemberFailure>&) {
    throw IoError("disk full");
  };
  EXPECT_THROW(sweep(task, *like, plan), IoError);
}

}  // namespace
}  // namespace hamel
