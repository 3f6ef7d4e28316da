// Gangs and sweeps: lanes give the bits of single simulations; who fails disturbs nobody; rows come
// in order whatever the number of threads.
#include "hamel/simulation/gang.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "hamel/core/error.hpp"
#include "hamel/simulation/registry.hpp"
#include "hamel/simulation/sweep.hpp"

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

TEST(Gang, LanesHaveTheBitsOfSingleSimulations) {
  for (const char* method : {"hamel", "variational"})
    for (const bool compensated : {false, true})
      for (const int count : {1, 5, 16}) {
        Pendula source;
        const IntegrationOptions options{0.01, compensated, {}};
        std::vector<std::unique_ptr<Simulation>> members;
        std::vector<std::unique_ptr<Simulation>> alone;
        std::vector<Simulation*> gang_members;
        for (int i = 0; i < count; ++i) {
          double input = 0.0;
          const auto problem = source.make(i, &input);
          members.push_back(problem->simulate(MethodSpec::parse(method), options));
          alone.push_back(problem->simulate(MethodSpec::parse(method), options));
          gang_members.push_back(members.back().get());
        }
        Gang gang;
        gang.start(gang_members);
        EXPECT_TRUE(gang.in_lanes());
        gang.advance(70, 64);
        gang.advance(130, 64);
        for (std::size_t i = 0; i < members.size(); ++i) {
          Block block;
          block.steps = 200;
          block.measure_every = 64;
          EXPECT_EQ(alone[i]->advance(block), gang.status(i));
          EXPECT_EQ(members[i]->step_count(), 200);
          EXPECT_EQ(row_of(*members[i]), row_of(*alone[i])) << method << " " << i;
          EXPECT_EQ(members[i]->iterations_mean(), alone[i]->iterations_mean());
        }
      }
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
  plan.rows = [&](std::vector<double>&& rows, std::int64_t) {
    const std::vector<double> taken = std::move(rows);
    result.rows.insert(result.rows.end(), taken.begin(), taken.end());
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
  plan.rows = [](std::vector<double>&&, std::int64_t) { FAIL() << "rows of a stopped sweep"; };
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
  plan.rows = [](std::vector<double>&&, std::int64_t) { throw IoError("disk full"); };
  EXPECT_THROW(sweep(task, *like, plan), IoError);
}

}  // namespace
}  // namespace hamel
