// SPDX-License-Identifier: BSD-3-Clause
// The run loop: rows, measuring, interruption, failure.
#include "hamel/runs/run.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "hamel/catalogue/registry.hpp"
#include "hamel/core/error.hpp"

namespace hamel {
namespace {

struct MemorySink final : RowSink {
  std::vector<double> times;
  int checkpoints = 0;
  std::vector<double> seconds;  // at the checkpoints
  // NOLINTNEXTLINE(cppcoreguidelines-rvalue-reference-param-not-moved): it is only looked at
  void rows(std::vector<double>&& data, std::int64_t count) override {
    for (std::int64_t i = 0; i < count; ++i)
      times.push_back(data[static_cast<std::size_t>(i)]);  // the first column
  }
  void checkpoint(const Simulation&, double at) override {
    ++checkpoints;
    seconds.push_back(at);
  }
};

class Run : public testing::Test {
 protected:
  Registry registry = builtin_registry();
  std::unique_ptr<Problem> problem = default_problem(registry.system("spherical_pendulum"));
  std::unique_ptr<Simulation> start(const std::string& method, double step = 0.2) {
    return problem->simulate(MethodSpec::parse(method), {step, false, {}});
  }
};

TEST_F(Run, RowsAreTheStartEveryNthStepAndTheEnd) {
  for (const std::int64_t steps : {1, 9, 10, 12345}) {
    auto simulation = start("variational");
    MemorySink sink;
    RunPlan plan;
    plan.steps = steps;
    plan.record_every = 5;
    plan.sink = &sink;
    EXPECT_EQ(run(*simulation, plan).status, Status::ok);
    EXPECT_EQ(sink.times.size(), static_cast<std::size_t>(1 + steps / 5 + (steps % 5 != 0)));
    EXPECT_EQ(sink.times.front(), 0.0);
    EXPECT_EQ(sink.times.back(), static_cast<double>(steps) * 0.2);
    EXPECT_GE(sink.checkpoints, 1);
  }
}

TEST_F(Run, DamagedCountsInASnapshotAreRefused) {
  for (const char* system : {"spherical_pendulum", "chain_pendulum", "chaplygin_sleigh"}) {
    const auto some = default_problem(registry.system(system));
    const auto simulation = some->simulate(MethodSpec::parse("hamel"), {0.01, false, {}});
    RunPlan plan;
    plan.steps = 5;
    run(*simulation, plan);
    const std::vector<std::byte> good = simulation->snapshot();
    int refused = 0;
    for (std::size_t at = 0; at + 8 <= good.size(); at += 8) {  // some of them serve as indices
      std::int64_t count;
      std::memcpy(&count, good.data() + at, sizeof count);
      if (count < 0 || count > 1000) continue;  // a double
      std::vector<std::byte> bad = good;
      count = -3;
      std::memcpy(bad.data() + at, &count, sizeof count);
      try {
        simulation->restore(bad);
      } catch (const InputError&) {
        ++refused;
        EXPECT_EQ(simulation->step_count(), 5);
      }
      simulation->restore(good);
    }
    EXPECT_GE(refused, 5) << system;
  }
}

TEST_F(Run, RecordingDoesNotChangeTheBits) {
  auto plain = start("hamel");
  RunPlan plan;
  plan.steps = 5000;
  run(*plain, plan);
  auto recorded = start("hamel");
  MemorySink sink;
  plan.record_every = 3;
  plan.sink = &sink;
  run(*recorded, plan);
  EXPECT_EQ(plain->snapshot(), recorded->snapshot());
}

TEST_F(Run, StopsAtTheFirstFailedStepWithTheLastGoodState) {
  auto simulation = start("variational", 3.0);
  RunPlan plan;
  plan.steps = 100;
  const RunOutcome outcome = run(*simulation, plan);
  EXPECT_EQ(outcome.status, Status::no_solution);
  EXPECT_EQ(outcome.failed_step, simulation->step_count() + 1);
  for (const auto& part : simulation->state())
    for (const double x : part.values) EXPECT_TRUE(std::isfinite(x));
}

TEST_F(Run, AStopFlagInterruptsWithoutLosingSteps) {
  auto simulation = start("hamel");
  std::atomic<bool> stop{false};
  RunPlan plan;
  plan.steps = 1'000'000'000;
  plan.stop = &stop;
  plan.progress = [&](std::int64_t step, double) { stop = step > 10000; };
  EXPECT_EQ(run(*simulation, plan).status, Status::interrupted);
  EXPECT_GT(simulation->step_count(), 10000);
}

// A resumed run took the time before it, too; every later checkpoint says so, and it may be resumed
// again.
TEST_F(Run, TheTimeBeforeAResumeCounts) {
  std::atomic<bool> stop{false};
  for (const bool interrupted : {false, true}) {
    auto simulation = start("hamel");
    MemorySink sink;
    RunPlan plan;
    plan.steps = interrupted ? 1'000'000'000 : 20000;
    plan.record_every = 1000;
    plan.resumed = true;
    plan.seconds_before = 1000.0;
    plan.checkpoint_interval = 0.0;  // after every block
    plan.sink = &sink;
    plan.stop = &stop;
    double told = 0.0;
    plan.progress = [&](std::int64_t step, double seconds) {
      told = seconds;
      stop = interrupted && step > 20000;
    };
    const RunOutcome outcome = run(*simulation, plan);
    EXPECT_EQ(outcome.status, interrupted ? Status::interrupted : Status::ok);
    ASSERT_GE(sink.seconds.size(), 3U);
    EXPECT_EQ(sink.seconds.front(), 1000.0);
    double last = 1000.0;
    for (const double at : sink.seconds) {
      EXPECT_GE(at, last);
      last = at;
    }
    EXPECT_GE(told, 1000.0);
    EXPECT_GE(outcome.seconds, last);
    EXPECT_GT(outcome.seconds, 1000.0);
  }
}

// The most iterations of a step, and their mean, are those of the steps, whichever was the last.
TEST_F(Run, IterationsAreCountedOverAllSteps) {
  for (const char* system : {"spherical_pendulum", "chain_pendulum", "chaplygin_sleigh",
                             "kepler_polar", "coupled_pendula"}) {
    const auto& entry = registry.system(system);
    const auto some = default_problem(entry);
    const auto simulation =
        some->simulate(MethodSpec::parse("gauss"), {4.0 * entry.default_step, false, {}});
    int column = 0;
    for (const OutputColumn& c : simulation->columns()) {
      if (c.path == "/solver/iterations") break;
      column += c.width;
    }
    std::vector<double> row(static_cast<std::size_t>(simulation->row_width()));
    std::vector<double> counts;
    for (int n = 0; n < 200; ++n) {
      Block block;
      block.steps = 1;
      ASSERT_EQ(simulation->advance(block), Status::ok) << system;
      simulation->write_row(row.data());
      counts.push_back(row[static_cast<std::size_t>(column)]);
    }
    double most = 0.0;
    double sum = 0.0;
    for (const double c : counts) {
      most = std::fmax(most, c);
      sum += c;
    }
    EXPECT_GT(most, 1.0) << system;
    EXPECT_EQ(static_cast<double>(simulation->iterations_max()), most) << system;
    EXPECT_NEAR(simulation->iterations_mean(), sum / 200.0, 1e-12) << system;
    // so that a run exists which ends with fewer
    while (counts.back() == most) {
      ASSERT_GT(counts.size(), 1U) << system << ": all steps take " << most;
      counts.pop_back();
    }
    const auto again =
        some->simulate(MethodSpec::parse("gauss"), {4.0 * entry.default_step, false, {}});
    Block block;
    block.steps = static_cast<std::int64_t>(counts.size());
    ASSERT_EQ(again->advance(block), Status::ok) << system;
    double of_these = 0.0;
    for (const double c : counts) of_these = std::fmax(of_these, c);
    EXPECT_EQ(static_cast<double>(again->iterations_max()), of_these) << system;
    EXPECT_GT(of_these, counts.back()) << system;
  }
}

// MATH 8.2: length, E/(m r²) and J/(m r²) of the Hamel pendulum over D0's 10,000 steps.
TEST_F(Run, HamelMeetsTheRoundOffTargetsOfTenThousandSteps) {
  for (const char* method : {"hamel", "hamel(form=space)"}) {
    for (const bool compensated : {false, true}) {
      const auto simulation = problem->simulate(MethodSpec::parse(method), {0.2, compensated, {}});
      RunPlan plan;
      plan.steps = 10000;
      plan.measure_every = 1;
      ASSERT_EQ(run(*simulation, plan).status, Status::ok);
      for (const auto& drift : simulation->invariants()) {
        if (drift.info.name == "tangency") continue;
        const bool length = drift.info.name == "length";
        const double limit = !compensated ? 2e-14 : length ? 1e-15 : 5e-15;
        EXPECT_LE(drift.max_drift / (length ? 1.0 : 96.04), limit)
            << method << " " << drift.info.name;
      }
    }
  }
}

TEST_F(Run, UnstableMethodsEndAsNotFiniteOrNoSolutionNeverNaN) {
  auto simulation = start("rk4", 5.0);
  RunPlan plan;
  plan.steps = 10000;
  const RunOutcome outcome = run(*simulation, plan);
  EXPECT_NE(outcome.status, Status::ok);
  for (const auto& drift : simulation->invariants()) EXPECT_TRUE(std::isfinite(drift.final));
}

TEST_F(Run, MethodsThatDoNotFitAreRefusedWithThoseThatDo) {
  try {
    start("rungekutta99");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("rungekutta99"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("hamel4"), std::string::npos);
  }
  EXPECT_THROW(start("rk4+kl8"), InputError);
  EXPECT_THROW(start("exact+su4"), InputError);
  EXPECT_THROW(start("gauss(stages=9)"), InputError);
  EXPECT_THROW(start("gauss(stagess=3)"), InputError);
  EXPECT_THROW(start("hamel(form=sideways)"), InputError);
}

TEST_F(Run, AForeignSnapshotIsRefused) {
  auto hamel = start("hamel");
  auto gauss = start("gauss");
  EXPECT_THROW(gauss->restore(hamel->snapshot()), InputError);
}

}  // namespace
}  // namespace hamel
