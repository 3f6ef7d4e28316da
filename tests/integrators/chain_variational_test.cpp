// SPDX-License-Identifier: BSD-3-Clause
// The O(n) variational step of chains: what it keeps, forces, tensions, faults.
#include <gtest/gtest.h>

#include <cmath>

#include "hamel/geometry/sphere.hpp"
#include "hamel/stepping/chain/chain_rattle_stepper.hpp"
#include "hamel/stepping/chain/chain_variational_stepper.hpp"
#include "hamel/stepping/fields/chain_field.hpp"
#include "hamel/stepping/gauss_stepper.hpp"

namespace hamel {
namespace {

/// Links of unequal mass and length, moving in all directions.
struct Swing {
  Chain chain;
  std::vector<double> q, v;

  explicit Swing(int n) {
    for (int i = 0; i < n; ++i) {
      chain.masses.push_back(1.0 + 0.3 * (i % 3));
      chain.lengths.push_back(0.8 + 0.1 * (i % 4));
      const Vec<double, 3> at = normalised(Vec<double, 3>{{0.5, 0.2 * std::sin(i), -1.0}});
      const Vec<double, 3> rate = cross(Vec<double, 3>{{0.3, -0.4, 0.5 * std::cos(i)}}, at);
      for (int c = 0; c < 3; ++c) {
        q.push_back(at[c]);
        v.push_back(rate[c]);
      }
    }
  }
};

template <class S>
struct ChainRun {
  SharedChain chain;
  ChainLinks<S> links;
  std::unique_ptr<Stepper<S>> stepper;
  StepperState<S> state;
  S h;
  int done = 0;

  ChainRun(const Swing& swing, S step, bool compensated = false, int gauss_stages = 0)
      : chain(std::make_shared<const Chain>(swing.chain)), links(chain), h(step) {
    StepperOptions options;
    options.compensated = compensated;
    if (gauss_stages > 0)
      stepper = std::make_unique<GaussStepper<S, ChainField<S>>>(ChainField<S>(chain), gauss_stages,
                                                                 options);
    else
      stepper = std::make_unique<ChainVariationalStepper<S>>(chain, options);
    std::vector<S> q(swing.q.begin(), swing.q.end());
    std::vector<S> v(swing.v.begin(), swing.v.end());
    for (int i = 0; i < swing.chain.links(); ++i) {  // on the spheres to the round-off of S
      put(q.data(), i, normalised(vec_at(q.data(), i)));
      put(v.data(), i, tangent_part(vec_at(q.data(), i), vec_at(v.data(), i)));
    }
    EXPECT_TRUE(stepper->start(q, v, h, state));
  }
  void go(int steps) {
    for (int k = 0; k < steps; ++k, ++done)
      ASSERT_FALSE(stepper->step(state, S(done) * h, h).failed()) << done;
  }
  int n() const { return links.links(); }
  const S* d() const { return state.z.data(); }
  const S* u() const { return state.z.data() + 3 * n(); }
  double energy() const { return static_cast<double>(links.measure(d(), u()).energy); }
  double momentum() const { return static_cast<double>(links.measure(d(), u()).momentum[2]); }
  double length_error() const {
    double worst = 0.0;
    for (int i = 0; i < n(); ++i) {
      const double e =
          std::fabs(static_cast<double>(norm2(vec_at(d(), i)) / links.l2(i) - S(1.0)) / 2.0);
      if (!(e <= worst)) worst = e;
    }
    return worst;
  }
};

/// Largest difference of the links at t = 1.
double difference(const ChainRun<double>& a, const ChainRun<double>& b) {
  double worst = 0.0;
  for (int i = 0; i < 3 * a.n(); ++i) {
    const double e = std::fabs(a.d()[i] - b.d()[i]);
    if (!(e <= worst)) worst = e;
  }
  return worst;
}

// [MATH 7.2] [MATH 8.2]
TEST(ChainVariational, KeepsLengthsAndMomentum) {
  for (const int n : {1, 2, 7, 50}) {
    ChainRun<double> run(Swing(n), 0.2 / (n + 10.0));
    const double J = run.momentum();
    const double E = run.energy();
    run.go(5000);
    EXPECT_LE(run.length_error(), 9e-16) << n;  // 4 eps: one rounding of d' and its square
    EXPECT_LE(std::fabs(run.momentum() - J), 1e-12 * (1.0 + std::fabs(J))) << n;
    EXPECT_LE(std::fabs(run.energy() - E), 2e-2 * std::fabs(E)) << n;
  }
}

// The field in the links is the same mechanics: Gauss agrees as h² → 0.         [MATH 7.6]
TEST(ChainVariational, ConvergesToTheMotionOfTheField) {
  for (const bool elastic : {false, true}) {
    Swing swing(4);
    if (elastic) {
      swing.chain.bending = {3.0, 2.0, 4.0};
      swing.chain.clamp = 5.0;
      swing.chain.axis = {{0.6, 0.0, -0.8}};
    }
    ChainRun<double> reference(swing, 0.01, true, 8);
    reference.go(100);
    ChainRun<double> coarse(swing, 0.01);
    coarse.go(100);
    ChainRun<double> fine(swing, 0.005);
    fine.go(200);
    EXPECT_NEAR(difference(coarse, reference) / difference(fine, reference), 4.0, 0.1);
    EXPECT_LE(difference(fine, reference), 2e-3);
    ChainRun<double> other(swing, 0.005, true, 8);
    other.go(200);
    EXPECT_LE(difference(other, reference), 1e-13);
  }
}

// Base torque, tip force, moving base, damping, drag: second order against the field, and their
// work balances the energy to second order.                                     [MATH 6.2]
TEST(ChainVariational, ForcesEnterAtSecondOrder) {
  Swing swing(3);
  swing.chain.joint_damping = 0.3;
  swing.chain.air_drag = 0.1;
  swing.chain.drive = [](double t) {
    return ChainDrive{{{0.5, 0.3 * std::cos(t), 1.0}},
                      {{std::sin(2.0 * t), 0.4, 0.7}},
                      {{0.0, std::cos(3.0 * t), 0.8 * std::sin(t)}}};
  };
  ChainRun<double> reference(swing, 0.01, true, 8);
  const double start = reference.energy();
  reference.go(100);
  // the work that Gauss integrates along with the motion
  EXPECT_NEAR(reference.energy() - start, reference.state.z.back(), 1e-12);
  double error[2];
  double imbalance[2];
  for (int level = 0; level < 2; ++level) {
    ChainRun<double> run(swing, 0.01 / (1 << level));
    run.go(100 << level);
    error[level] = difference(run, reference);
    imbalance[level] = std::fabs(run.energy() - start - run.state.z.back());
    EXPECT_LE(run.length_error(), 9e-16);
  }
  EXPECT_NEAR(error[0] / error[1], 4.0, 0.15);
  EXPECT_NEAR(imbalance[0] / imbalance[1], 4.0, 0.4);
}

// Signs: in the plane a torque about e3 turns the chain at dJ3/dt = τ, a force f at the tip at
// dJ3/dt = (x_n×f)_3.                                                            [MATH 6.2]
TEST(ChainVariational, TorqueAndTipForceTurnTheChain) {
  for (const bool torque : {true, false}) {
    Swing swing(3);
    swing.chain.gravity = 0.0;
    double reach = 0.0;
    for (int i = 0; i < 3; ++i) {
      put(swing.q.data(), i, Vec<double, 3>{{1.0, 0.0, 0.0}});
      put(swing.v.data(), i, Vec<double, 3>{{0.0, 0.0, 0.0}});
      reach += swing.chain.lengths[static_cast<std::size_t>(i)];
    }
    swing.chain.drive = [torque](double) {
      return torque ? ChainDrive{{{0.0, 0.0, 2.0}}, {}, {}} : ChainDrive{{}, {{0.0, 2.0, 0.0}}, {}};
    };
    ChainRun<double> run(swing, 0.0001);
    run.go(100);
    EXPECT_NEAR(run.momentum(), 0.01 * 2.0 * (torque ? 1.0 : reach), 1e-5);
  }
}

// A base moved by x_0(t) shows the chain what gravity −ẍ_0 would.
TEST(ChainVariational, AMovingBaseIsGravity) {
  Swing heavy(3);
  Swing moved(3);
  heavy.chain.gravity = 12.0;
  moved.chain.gravity = 9.0;
  moved.chain.drive = [](double) { return ChainDrive{{}, {}, {{0.0, 0.0, 3.0}}, {}, {}}; };
  ChainRun<double> a(heavy, 0.01);
  ChainRun<double> b(moved, 0.01);
  a.go(200);
  b.go(200);
  EXPECT_LE(difference(a, b), 1e-12);
}

// Hanging at rest, link i carries the weight below it.                          [MATH 7.2]
TEST(ChainVariational, TheTensionOfAChainAtRestIsTheWeightBelow) {
  Swing swing(5);
  for (int i = 0; i < 5; ++i) {
    put(swing.q.data(), i, Vec<double, 3>{{0.0, 0.0, -1.0}});
    put(swing.v.data(), i, Vec<double, 3>{{0.0, 0.0, 0.0}});
  }
  ChainRun<double> run(swing, 0.01);
  std::vector<double> lambda(5);
  ASSERT_TRUE(run.links.tensions(run.d(), run.u(), nullptr, lambda.data()));
  double below = 0.0;
  for (int i = 4; i >= 0; --i) {
    below += run.links.m(i);
    EXPECT_NEAR(lambda[static_cast<std::size_t>(i)] * run.links.l(i), 9.81 * below, 1e-12);
  }
}

// Springs that bend exert couples: no tension without gravity, the weight below with it.
TEST(ChainVariational, TheTensionOfARodIsThatOfItsMasses) {
  for (const double gravity : {0.0, 9.81}) {
    Swing swing(4);
    swing.chain.gravity = gravity;
    swing.chain.bending.assign(3, 50.0);
    swing.chain.clamp = 80.0;
    for (int i = 0; i < 4; ++i) {
      put(swing.q.data(), i, Vec<double, 3>{{0.0, 0.0, -1.0}});
      put(swing.v.data(), i, Vec<double, 3>{{0.0, 0.0, 0.0}});
    }
    ChainRun<double> run(swing, 0.01);
    std::vector<double> a(12);
    std::vector<double> lambda(4);
    double power = 0.0;
    run.links.acceleration(run.d(), run.u(), 0.0, a.data(), power);
    ASSERT_TRUE(run.links.tensions(run.d(), run.u(), a.data(), lambda.data()));
    double below = 0.0;
    for (int i = 3; i >= 0; --i) {
      below += run.links.m(i);
      EXPECT_NEAR(lambda[static_cast<std::size_t>(i)] * run.links.l(i), gravity * below, 1e-11);
    }
  }
}

// A pendulum towed at constant speed hangs back: tanθ = cV²/(mg).
TEST(ChainVariational, TheAirFeelsTheVelocityOfTheBase) {
  Swing swing(1);
  swing.chain.masses = {2.0};
  swing.chain.air_drag = 0.5;
  swing.chain.drive = [](double t) {
    return ChainDrive{{}, {}, {}, {{6.0, 0.0, 0.0}}, {{6.0 * t, 0.0, 0.0}}};
  };
  const double angle = std::atan(0.5 * 36.0 / (2.0 * 9.81));
  put(swing.q.data(), 0, Vec<double, 3>{{-std::sin(angle), 0.0, -std::cos(angle)}});
  put(swing.v.data(), 0, Vec<double, 3>{{0.0, 0.0, 0.0}});
  ChainRun<double> run(swing, 0.01);
  const double x = run.d()[0];
  run.go(200);
  EXPECT_NEAR(run.d()[0], x, 1e-12);
}

// The iteration for velocities that damp must end when what is left of them is below the round-off
// of the kicks.
TEST(ChainVariational, DampedChainsComeToRest) {
  Swing swing(1);
  swing.chain.masses = {1.0};
  swing.chain.lengths = {1.0};
  swing.chain.joint_damping = 2.0;
  ChainRun<double> run(swing, 0.01);
  run.go(100000);
  EXPECT_LE(std::fabs(run.u()[0]), 1e-12);
}

TEST(ChainVariational, CompensationRemovesTheRoundOffOfTheState) {
  double drift[2] = {0.0, 0.0};  // of J3, a random walk of the state's round-off
  for (const bool compensated : {false, true}) {
    ChainRun<double> run(Swing(2), 0.01, compensated);
    const double J = run.momentum();
    for (int k = 0; k < 10000; ++k) {
      run.go(10);
      drift[compensated ? 1 : 0] =
          std::fmax(drift[compensated ? 1 : 0], std::fabs(run.momentum() - J));
    }
  }
  EXPECT_LE(drift[1], 0.5 * drift[0]);
}

// RATTLE in Cartesian positions is the same map.                                [MATH 7.2]
TEST(ChainRattle, IsTheVariationalMap) {
  const Swing swing(5);
  ChainRun<double> run(swing, 0.01);
  ChainRattleStepper<double> rattle(run.chain, {});
  StepperState<double> state;
  ASSERT_TRUE(rattle.start(swing.q, swing.v, 0.01, state));
  run.go(200);
  for (int k = 0; k < 200; ++k) ASSERT_FALSE(rattle.step(state, 0.01 * k, 0.01).failed());
  std::vector<double> q(15);
  std::vector<double> v(15);
  rattle.observe(state, 2.0, 0.01, q.data(), v.data());
  for (std::size_t i = 0; i < 15; ++i)
    EXPECT_NEAR(q[i] * swing.chain.lengths[i / 3], run.d()[i], 1e-12);
}

// A step that cannot keep the links is refused; the state stays, and the link is named.
TEST(ChainVariational, ATooLargeStepLeavesTheStateAsItWas) {
  ChainRun<double> run(Swing(20), 1.5);
  const std::vector<double> before = run.state.z;
  const StepReport<double> report = run.stepper->step(run.state, 0.0, 1.5);
  EXPECT_EQ(report.status(), Status::no_solution);
  EXPECT_EQ(run.state.z, before);
  EXPECT_GE(run.stepper->worst_part(), 0);
  EXPECT_LT(run.stepper->worst_part(), 20);
}

}  // namespace
}  // namespace hamel
