// SPDX-License-Identifier: BSD-3-Clause
// [MATH 2.7] on fields that programs give, all stages at once, against the same equations one stage
// after the other in long double.
#include <gtest/gtest.h>

#include <cmath>

#include "hamel/methods/frames/gauss.hpp"
#include "hamel/methods/spheres/gauss.hpp"
#include "hamel/models/frame_system.hpp"
#include "hamel/systems/chaplygin_sleigh.hpp"

namespace hamel {
namespace {

using Numbers = std::vector<double>;

/// The state after the steps.
template <class S, class Method, class Model>
Numbers moved(const Method& method, const Model& model, const Numbers& q, const Numbers& v,
              double h, int steps) {
  const auto stepper = method.template stepper<S>(model, StepperOptions{});
  StepperState<S> state;
  EXPECT_TRUE(stepper->start({q.begin(), q.end()}, {v.begin(), v.end()}, S(h), state));
  for (int k = 0; k < steps; ++k)
    EXPECT_FALSE(stepper->step(state, S(k) * S(h), S(h)).failed()) << k;
  Numbers out;
  for (const S& x : state.z) out.push_back(static_cast<double>(x));
  return out;
}

template <class Method, class Model>
void expect_same(const Model& model, const Numbers& q, const Numbers& v, double h) {
  for (int stages = 1; stages <= max_gauss_stages; ++stages) {
    Method method;
    method.stages = stages;
    const Numbers lanes = moved<double>(method, model, q, v, h, 40);
    const Numbers one = moved<long double>(method, model, q, v, h, 40);
    ASSERT_EQ(lanes.size(), one.size());
    for (std::size_t i = 0; i < lanes.size(); ++i)
      EXPECT_NEAR(lanes[i], one[i], 1e-12) << stages << " stages, number " << i;
  }
}

// Constraints, a kinetic matrix that is not diagonal, forces that depend on time and their work.
TEST(GaussField, FramesMoveAsOneStageAfterTheOther) {
  FrameModel m = FrameModel::with_variables({"x", "y", "theta"}, 2, 2);
  const auto& v = m.v;
  m.lagrangian = 0.5 * (v[0] * v[0] + v[1] * v[1]) + v[2] * v[2] +
                 0.3 * v[2] * (v[0] * cos(m.q[2]) + v[1] * sin(m.q[2]));
  m.frame = {{cos(m.q[2]), sin(m.q[2]), 0.0}, {0.0, 0.0, 1.0}};
  m.force = {sin(3.0 * m.t), -0.2 * v[1], 0.5 * cos(m.t)};
  expect_same<FrameGauss>(m, {0.1, 0.2, 0.3}, {0.8, 1.1}, 0.1);
  expect_same<FrameGauss>(frame_model(ChaplyginSleigh{1.0, 1.0, 0.5}), {0.0, 0.0, 0.3}, {-0.8, 0.3},
                          0.1);
}

// Inertia that couples two spheres: a linear system in every stage.
TEST(GaussField, SpheresMoveAsOneStageAfterTheOther) {
  Chain chain;
  chain.masses = {0.7, 1.1};
  chain.lengths = {1.3, 0.9};
  const SpheresModel model = formulas_model(chain_formulas(chain));
  expect_same<SpheresGauss>(model, {0.6, 0.0, -0.8, 0.0, 0.28, -0.96},
                            {0.0, 0.5, 0.0, 0.3, 0.0, 0.0}, 0.05);
}

// The kinetic matrix of a bead at r = 0 in polar coordinates: no step, and a reason.
TEST(GaussField, ASingularMatrixIsReported) {
  FrameModel m = FrameModel::with_variables({"r", "theta"}, 2, 2);
  m.lagrangian = 0.5 * (m.v[0] * m.v[0] + m.q[0] * m.q[0] * m.v[1] * m.v[1]);
  m.frame = {{1.0, 0.0}, {0.0, 1.0}};
  for (const int stages : {3, 4, 8}) {
    FrameGauss method;
    method.stages = stages;
    const auto stepper = method.stepper<double>(m, StepperOptions{});
    StepperState<double> state;
    ASSERT_TRUE(stepper->start({0.0, 0.0}, {0.0, 1.0}, 0.1, state));
    const auto report = stepper->step(state, 0.0, 0.1);
    EXPECT_TRUE(report.singular) << stages;
    EXPECT_EQ(state.z[0], 0.0);
  }
}

// Newton's method takes over for good where the fixed points do not contract.
TEST(GaussField, StiffSystemsAreSolved) {
  FrameModel m = FrameModel::with_variables({"x", "y"}, 2, 2);
  m.lagrangian =
      0.5 * (m.v[0] * m.v[0] + m.v[1] * m.v[1]) - 5e5 * m.q[0] * m.q[0] - 0.5 * m.q[1] * m.q[1];
  m.frame = {{1.0, 0.0}, {0.0, 1.0}};
  FrameGauss method;
  method.stages = 4;
  const Numbers end = moved<double>(method, m, {0.0, 1.0}, {0.0, 0.0}, 0.1, 100);
  EXPECT_NEAR(end[1], std::cos(10.0), 1e-9);
}

}  // namespace
}  // namespace hamel
