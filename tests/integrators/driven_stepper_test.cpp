// SPDX-License-Identifier: BSD-3-Clause
// Inputs held in each step, against motions under constant forces, which hamel makes exactly.
#include "hamel/stepping/driven_stepper.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "hamel/methods/frames/hamel.hpp"
#include "hamel/stepping/composed_stepper.hpp"

namespace hamel {
namespace {

/// A particle of mass 2 on a line, which the input u pushes.
FrameModel particle(const std::function<void(FrameModel&, FrameInput&)>& set) {
  FrameModel model = FrameModel::with_variables({"x"}, 1, 1);
  model.frame[0][0] = 1.0;
  FrameInput u{"u", model.graph->held(), {}, 0.0, {}};
  set(model, u);
  model.lagrangian = model.v[0] * model.v[0];
  model.force = {u.symbol};
  model.inputs = {u};
  return model;
}

struct Motion {
  double x, v, work;
  std::vector<double> held;
};

Motion run(const FrameModel& model, double h, int steps, double x, double v,
           Composition composition = Composition::none) {
  std::unique_ptr<Stepper<double>> stepper =
      std::make_unique<DrivenStepper<double>>(model, FrameHamel{}.stepper<double>(model, {}));
  if (composition != Composition::none)
    stepper = std::make_unique<ComposedStepper<double>>(std::move(stepper), composition);
  StepperState<double> state;
  EXPECT_TRUE(stepper->start({x}, {v}, h, state));
  Motion at{};
  for (int n = 0; n < steps; ++n) {
    EXPECT_FALSE(stepper->step(state, n * h, h).failed());
    at.held.push_back(state.held.front());
  }
  EXPECT_TRUE(stepper->observe(state, steps * h, h, &at.x, &at.v));
  at.work = state.z.back();
  return at;
}

// [MATH 11.2]
TEST(DrivenStepper, TakesTheMiddleValueOfAFunctionOfTime) {
  const FrameModel model = particle(
      [](FrameModel&, FrameInput& u) { u.of_time = [](double t) { return std::floor(t) + t; }; });
  // Whole steps within each second: ∫u is exact, and the middle values are those of the formula.
  const Motion end = run(model, 0.25, 12, 1.0, 0.0);
  for (int n = 0; n < 12; ++n)
    EXPECT_EQ(end.held[static_cast<std::size_t>(n)], std::floor(0.25 * n) + 0.25 * n + 0.125);
  EXPECT_NEAR(2.0 * end.v, 0.0 + 1.0 + 2.0 + 4.5, 1e-14);  // ∫₀³ ⌊t⌋ + t
}

// [MATH 11.2]
TEST(DrivenStepper, HoldsALawFromTheNodeAtWhichItsPeriodBegins) {
  constexpr double k = 3.0;
  constexpr double c = 1.5;
  constexpr double period = 0.3;
  const FrameModel model = particle([](FrameModel& m, FrameInput& u) {
    u.law = -k * m.q[0] - c * m.v[0];
    u.period = period;
  });
  double x = 1.0;
  double v = 0.4;
  for (int n = 0; n < 20; ++n) {  // x' = x + Hv + H²u/(2m), v' = v + Hu/m
    const double u = -k * x - c * v;
    x += period * v + period * period * u / 4.0;
    v += period * u / 2.0;
  }
  for (const int parts : {1, 2, 3, 10}) {
    const Motion end = run(model, period / parts, 20 * parts, 1.0, 0.4);
    EXPECT_NEAR(end.x, x, 1e-14) << parts;
    EXPECT_NEAR(end.v, v, 1e-14) << parts;
  }
  const Motion composed = run(model, period / 2, 40, 1.0, 0.4, Composition::su4);
  EXPECT_NEAR(composed.x, x, 1e-14);
}

// [MATH 11.1]
TEST(DrivenStepper, CountsTheWorkOfWhatIsHeld) {
  const FrameModel model = particle([](FrameModel& m, FrameInput& u) {
    u.law = -m.v[0] - m.q[0] * m.q[0];
    u.period = 0.2;
  });
  const Motion end = run(model, 0.1, 50, 0.7, 0.4);
  EXPECT_NEAR(end.v * end.v - 0.4 * 0.4, end.work, 1e-14);  // E = v² here
  EXPECT_LT(end.work, -0.05);
}

TEST(DrivenStepper, GoesBackTheWayItCame) {
  const FrameModel model = particle(
      [](FrameModel&, FrameInput& u) { u.of_time = [](double t) { return std::sin(t); }; });
  DrivenStepper<double> stepper(model, FrameHamel{}.stepper<double>(model, {}));
  StepperState<double> state;
  ASSERT_TRUE(stepper.start({1.0}, {0.2}, 0.1, state));
  for (int n = 0; n < 30; ++n) stepper.step(state, 0.1 * n, 0.1);
  for (int n = 30; n > 0; --n) {
    state.forget();
    stepper.step(state, 0.1 * n, -0.1);
  }
  EXPECT_NEAR(state.z[0], 1.0, 1e-14);
  EXPECT_NEAR(state.z[1], 0.4, 1e-14);
}

}  // namespace
}  // namespace hamel
