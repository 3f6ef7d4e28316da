// SPDX-License-Identifier: BSD-3-Clause
// The Hamel step against the equations it must satisfy, and against golden node values.
#include "hamel/methods/hamel.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "support/pendulum.hpp"

namespace hamel {
namespace {

using test::d0_initial;
using test::largest;
using test::Pendulum;

constexpr double quad_eps = 1e-33;
constexpr auto plain = Summation::plain;

// [D0 (22)] [D0 (23)] [D0 (24)] [MATH 5.1]: the printed component equations, torque averaged.
TEST(HamelBody, StepSatisfiesTheEquationsOfD0) {
  const Pendulum pendulum{1.7, 2.5, 9.3};
  const Quad h = Quad(0.3);
  const Quad G = Quad(pendulum.field_strength());
  const HamelBodyStep<Pendulum, Quad, plain> step(Hamel{}, pendulum, h, {});
  auto state = step.start(d0_initial<Quad>());
  for (int n = 0; n < 20; ++n) {
    const Vec<Quad, 3> a = step.Gamma(state);
    const Vec<Quad, 2> u = step.Omega(state);
    ASSERT_FALSE(step.step(state).failed());
    const Vec<Quad, 3> b = step.Gamma(state);
    const Vec<Quad, 2> v = step.Omega(state);
    const Quad eq22 = (v[0] - u[0]) / h - G * (a[1] + b[1]) / 2;
    const Quad eq23 = (v[1] - u[1]) / h + G * (a[0] + b[0]) / 2;
    const Quad eq24[] = {
        (b[0] - a[0]) / h + (u[1] + v[1]) * (a[2] + b[2]) / 4,
        (b[1] - a[1]) / h - (u[0] + v[0]) * (a[2] + b[2]) / 4,
        (b[2] - a[2]) / h - (u[1] + v[1]) * (a[0] + b[0]) / 4 + (u[0] + v[0]) * (a[1] + b[1]) / 4};
    // a dozen operations of size one, divided by h
    EXPECT_LE(static_cast<double>(abs(eq22)), 40 * quad_eps);
    EXPECT_LE(static_cast<double>(abs(eq23)), 40 * quad_eps);
    for (const Quad& e : eq24) EXPECT_LE(static_cast<double>(abs(e)), 40 * quad_eps);
  }
}

// [MATH 5.2]
TEST(Hamel, StepSatisfiesTheMidpointEquationsInSpace) {
  const Pendulum pendulum{1.0, 2.0, 7.0};
  const Quad h = Quad(0.25);
  const HamelStep<Pendulum, Quad, plain> step(Hamel{}, pendulum, h, {});
  auto state = step.start(d0_initial<Quad>(+1));
  for (int n = 0; n < 20; ++n) {
    const auto a = step.observe(state);
    ASSERT_FALSE(step.step(state).failed());
    const auto b = step.observe(state);
    const Vec<Quad, 3> q_m = Quad(0.5) * (a.q + b.q);
    const Vec<Quad, 3> w_m = Quad(0.5) * (a.omega + b.omega);
    const Vec<Quad, 3> e3{{0, 0, Quad(pendulum.field_strength())}};
    EXPECT_LE(largest(b.q - a.q - h * cross(w_m, q_m)), 20 * quad_eps);
    EXPECT_LE(largest(b.omega - a.omega + h * cross(q_m, e3)), 20 * quad_eps);
  }
}

// [MATH 5.2] without a uniform field: Newton on three unknowns, exact Jacobian.
TEST(Hamel, GeneralStepSatisfiesTheMidpointEquations) {
  const test::Neumann neumann;
  const Quad h = Quad(0.2);
  const HamelStep<test::Neumann, Quad, plain> step(Hamel{}, neumann, h, {});
  auto state = step.start(test::skew_initial<Quad>());
  for (int n = 0; n < 10; ++n) {
    const auto a = step.observe(state);
    const auto report = step.step(state);
    ASSERT_FALSE(report.failed());
    EXPECT_LE(report.iterations, 8);  // quadratic convergence from 1e-2 to 1e-35
    const auto b = step.observe(state);
    const Vec<Quad, 3> q_m = Quad(0.5) * (a.q + b.q);
    const Vec<Quad, 3> w_m = Quad(0.5) * (a.omega + b.omega);
    const Vec<Quad, 3> F =
        Quad(0.5) * Vec<Quad, 3>{{Quad(neumann.k1) * q_m[0], Quad(neumann.k2) * q_m[1],
                                  Quad(neumann.k3) * q_m[2]}};
    EXPECT_LE(largest(b.q - a.q - h * cross(w_m, q_m)), 20 * quad_eps);
    EXPECT_LE(largest(b.omega - a.omega + h * cross(q_m, F)), 20 * quad_eps);
  }
}

TEST(Hamel, UniformAndGeneralKernelsGiveTheSameTrajectory) {
  const HamelStep<Pendulum, Quad, plain> fast(Hamel{}, Pendulum{}, Quad(0.2), {});
  const HamelStep<test::PlainPendulum, Quad, plain> general(Hamel{}, test::PlainPendulum{},
                                                            Quad(0.2), {});
  auto a = fast.start(d0_initial<Quad>());
  auto b = general.start(d0_initial<Quad>());
  for (int n = 0; n < 50; ++n) {
    fast.step(a);
    general.step(b);
  }
  EXPECT_LE(largest(a.q.value - b.q.value), 1000 * quad_eps);
}

// [MATH 5.3]: the body form, its bob reconstructed, is the space form.
TEST(HamelBody, ReconstructedBobIsTheSpaceForm) {
  const HamelStep<Pendulum, Quad, plain> space(Hamel{}, Pendulum{}, Quad(0.2), {});
  const HamelBodyStep<Pendulum, Quad, plain> body(Hamel{}, Pendulum{}, Quad(0.2), {});
  auto a = space.start(d0_initial<Quad>());
  auto b = body.start(d0_initial<Quad>());
  for (int n = 0; n < 100; ++n) {
    space.step(a);
    body.step(b);
    const auto x = space.observe(a);
    const auto y = body.observe(b);
    EXPECT_LE(largest(x.q - y.q), 1000 * quad_eps);
    EXPECT_LE(largest(x.omega - y.omega), 1000 * quad_eps);
    EXPECT_LE(static_cast<double>(abs(x.q[2] - body.Gamma(b)[2])), 1000 * quad_eps);
  }
}

// Golden: node values of the step in 28 digits (tests/golden/README.md); Γ0 as printed in D0.
TEST(HamelBody, MatchesTheGoldenNodes) {
  std::ifstream file(HAMEL_GOLDEN_DIR "/spherical_pendulum_doc000.json");
  const auto golden = nlohmann::json::parse(file);
  SphereInitial<double> start;
  start.body = true;
  start.Gamma = {{0.3, 0.2, -0.932738}};
  start.Omega = {{0.6, 0.0}};
  start.q = {{0.0, 0.0, 1.0}};
  start.r1 = {{1.0, 0.0, 0.0}};
  int checked = 0;
  const auto& discrete = golden.at("discrete_hamel_node");
  const double h = std::stod(discrete.at("h").get<std::string>());
  for (const auto& [steps, node] : discrete.at("steps").items()) {
    const HamelBodyStep<Pendulum, double, plain> step(Hamel{}, Pendulum{}, h, {});
    auto state = step.start(start);
    for (int n = 0; n < std::stoi(steps); ++n) ASSERT_FALSE(step.step(state).failed());
    for (int c = 0; c < 3; ++c)
      EXPECT_NEAR(step.Gamma(state)[c], std::stod(node.at("q")[c].get<std::string>()), 5e-14);
    for (int c = 0; c < 2; ++c)  // p = m r² Ω
      EXPECT_NEAR(step.Omega(state)[c] * 96.04, std::stod(node.at("p")[c].get<std::string>()),
                  96.04 * 5e-14);
    ++checked;
  }
  EXPECT_GE(checked, 3);
}

// [MATH 5.5]: length, tangency, energy and momentum exact at any step.
TEST(Hamel, KeepsEveryInvariantInQuad) {
  for (const double h : {0.05, 0.4, 1.5}) {
    const Pendulum pendulum;
    const HamelStep<Pendulum, Quad, plain> step(Hamel{}, pendulum, Quad(h), {});
    auto state = step.start(d0_initial<Quad>());
    const auto a = step.observe(state);
    for (int n = 0; n < 200; ++n) ASSERT_FALSE(step.step(state).failed());
    const auto b = step.observe(state);
    EXPECT_LE(static_cast<double>(abs(norm2(b.q) - norm2(a.q))), 1e3 * quad_eps);
    EXPECT_LE(static_cast<double>(abs(b.tangency - a.tangency)), 1e3 * quad_eps);
    EXPECT_LE(static_cast<double>(abs(energy(pendulum, b) - energy(pendulum, a))), 1e5 * quad_eps);
    EXPECT_EQ(b.omega[2], a.omega[2]);
  }
}

// [MATH 8.1]: one fl(hG), ω_m as the unknown: no steady energy source.
TEST(Hamel, CompensatedDriftOfTenThousandStepsIsRoundOff) {
  const Pendulum pendulum;
  const HamelStep<Pendulum, double, Summation::compensated> step(Hamel{}, pendulum, 0.2, {});
  auto state = step.start(d0_initial<double>());
  const double E0 = energy(pendulum, step.observe(state)) / 96.04;
  double length = 0.0;
  double drift = 0.0;
  for (int n = 0; n < 10000; ++n) {
    step.step(state);
    length = std::fmax(length, std::fabs(length_defect(state.q.value)));
    drift = std::fmax(drift, std::fabs(energy(pendulum, step.observe(state)) / 96.04 - E0));
  }
  EXPECT_LE(length, 1e-15);  // MATH 8.2
  EXPECT_LE(drift, 5e-15);
}

/// q or ω with the digits that its carry holds.
Vec<Quad, 3> whole(const Sum<double, 3, Summation::compensated>& x) {
  return cast<Quad>(x.value) + cast<Quad>(x.carry);
}

// [MATH 8.1]: products with 0.2 and 0.4 are rounded with a bias, which sums alone let through as
// 1e-14 and 3e-14 here.
TEST(Hamel, CompensatedStepsHaveNoBias) {
  for (const double h : {0.2, 0.4}) {
    const Pendulum pendulum;
    const HamelStep<Pendulum, double, Summation::compensated> step(Hamel{}, pendulum, h, {});
    const HamelBodyStep<Pendulum, double, Summation::compensated> body(Hamel{}, pendulum, h, {});
    auto state = step.start(d0_initial<double>());
    auto body_state = body.start(d0_initial<double>());
    const auto energy = [&] {
      return norm2(whole(state.omega)) / 2 + whole(state.q)[2];  // G = 1
    };
    const auto body_energy = [&] {
      const auto& o = body_state.Omega;
      const Quad o1 = Quad(o.value[0]) + Quad(o.carry[0]);
      const Quad o2 = Quad(o.value[1]) + Quad(o.carry[1]);
      return (o1 * o1 + o2 * o2) / 2 + whole(body_state.Gamma)[2];
    };
    const Quad start = energy();
    const Quad body_start = body_energy();
    for (int n = 0; n < 500000; ++n) {
      ASSERT_FALSE(step.step(state).failed());
      ASSERT_FALSE(body.step(body_state).failed());
    }
    EXPECT_LT(static_cast<double>(abs(energy() - start)), 3e-15) << h;
    EXPECT_LT(static_cast<double>(abs(body_energy() - body_start)), 3e-15) << h;
  }
}

TEST(Hamel, LargeStepsEitherConvergeOrReport) {
  const HamelStep<Pendulum, double, plain> step(Hamel{}, Pendulum{}, 50.0, {});
  auto state = step.start(d0_initial<double>());
  int made = 0;
  for (; made < 100; ++made) {
    const auto before = state;
    if (step.step(state).failed()) {  // and leaves the state as it was
      EXPECT_EQ(norm2(state.q.value - before.q.value), 0.0);
      break;
    }
    EXPECT_NEAR(norm(state.q.value), 1.0, 1e-9);
  }
  EXPECT_EQ(made, 100);
}

}  // namespace
}  // namespace hamel
