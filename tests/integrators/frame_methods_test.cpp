// SPDX-License-Identifier: BSD-3-Clause
// The methods on frame systems: what defines them, and facts they must show.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "hamel/methods/frames/dla.hpp"
#include "hamel/methods/frames/fehlberg78.hpp"
#include "hamel/methods/frames/gauss.hpp"
#include "hamel/methods/frames/hamel.hpp"
#include "hamel/methods/frames/midpoint_del.hpp"
#include "hamel/methods/frames/rk4.hpp"
#include "hamel/models/frame_system.hpp"
#include "hamel/systems/chaplygin_sleigh.hpp"
#include "hamel/systems/euler_top.hpp"
#include "hamel/systems/heavy_top.hpp"
#include "hamel/systems/suslov.hpp"

namespace hamel {
namespace {

using Numbers = std::vector<double>;

/// A method on a model from (q, ξ), stepped by hand.
template <class S>
class Motion {
 public:
  template <class Method>
  Motion(const Method& method, const FrameModel& model, const Numbers& q, const Numbers& xi, S h,
         bool compensated = false)
      : model_(model), stepper_(method.template stepper<S>(model, {{}, compensated})), h_(h) {
    EXPECT_TRUE(stepper_->start({q.begin(), q.end()}, {xi.begin(), xi.end()}, h, state_));
  }

  void go(int steps) {
    for (int i = 0; i < steps; ++i, ++n_)
      ASSERT_FALSE(stepper_->step(state_, S(n_) * h_, h_).failed()) << "step " << n_ + 1;
  }

  /// (q, ξ) side by side.
  std::vector<S> seen() {
    std::vector<S> out(model_.q.size() + model_.frame.size());
    EXPECT_TRUE(
        stepper_->observe(state_, S(n_) * h_, h_, out.data(), out.data() + model_.q.size()));
    return out;
  }
  std::vector<S>& z() { return state_.z; }

  double energy() {
    const std::vector<S> at = seen();
    const auto xi = model_.admissible();
    Expressions inputs = model_.q;
    inputs.insert(inputs.end(), xi.begin(), xi.end());
    const Expression e = frame_equations(model_).energy;
    S out;
    Evaluator<S>(Program(inputs, std::span(&e, 1)))(at.data(), &out);
    return static_cast<double>(out);
  }

 private:
  FrameModel model_;
  std::unique_ptr<Stepper<S>> stepper_;
  S h_;
  int n_ = 0;
  StepperState<S> state_;
};

double distance(const Numbers& a, const Numbers& b) {
  double worst = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::fmax(worst, std::fabs(a[i] - b[i]));
  return worst;
}

const Numbers identity = {1, 0, 0, 0, 1, 0, 0, 0, 1};

FrameModel sleigh(double offset) { return frame_model(ChaplyginSleigh{1.0, 1.0, offset}); }

FrameModel knife_edge() {
  FrameModel m = FrameModel::with_variables({"x", "y", "phi"}, 2, 2);
  m.lagrangian = 0.5 * (m.v[0] * m.v[0] + m.v[1] * m.v[1] + m.v[2] * m.v[2]) + 2.0 * m.q[0];
  m.frame = {{cos(m.q[2]), sin(m.q[2]), 0.0}, {0.0, 0.0, 1.0}};
  return m;
}

FrameModel roller_racer() {
  FrameModel m = FrameModel::with_variables({"x", "y", "theta", "phi"}, 2, 2);
  const auto& v = m.v;
  const Expression k = 0.5 * cos(m.q[3]) + 1.0;
  m.lagrangian =
      0.5 * (v[0] * v[0] + v[1] * v[1]) + 0.5 * v[2] * v[2] + 0.25 * (v[2] + v[3]) * (v[2] + v[3]);
  m.frame = {{k * cos(m.q[2]), k * sin(m.q[2]), sin(m.q[3]), 0.0}, {0.0, 0.0, 1.0, -k}};
  return m;
}

FrameModel kepler() {
  FrameModel m = FrameModel::with_variables({"r", "theta"}, 2, 2);
  m.lagrangian = 0.5 * (m.v[0] * m.v[0] + m.q[0] * m.q[0] * m.v[1] * m.v[1]) + 1.0 / m.q[0];
  m.frame = {{1.0, 0.0}, {0.0, 1.0 / m.q[0]}};
  return m;
}

FrameModel henon_heiles(bool rotated) {
  FrameModel m = FrameModel::with_variables({"x", "y"}, 2, 2);
  const auto& x = m.q[0];
  const auto& y = m.q[1];
  m.lagrangian = 0.5 * (m.v[0] * m.v[0] + m.v[1] * m.v[1]) -
                 (0.5 * (x * x + y * y) + x * x * y - y * y * y / 3.0);
  const Expression a = rotated ? 2.0 * x - y + x * y : Expression(0.0);
  m.frame = {{cos(a), sin(a)}, {-sin(a), cos(a)}};
  return m;
}

// [MATH 2.1] [MATH 2.2] [MATH 2.7]: the discrete Hamel step is the one-stage Gauss method in (q,
// p).
TEST(FrameHamel, IsTheImplicitMidpointRule) {
  const std::tuple<FrameModel, Numbers, Numbers> cases[] = {
      {sleigh(0.5), {0, 0, 0}, {-0.8, 0.3}},
      {roller_racer(), {0, 0, 0, 0.5}, {1.0, 0.2}},
      {kepler(), {1.0, 0.0}, {0.0, 1.2}},
      {henon_heiles(true), {0.1, -0.2}, {0.3, 0.25}},
      {frame_model(EulerTop{}), identity, {1, 1, 1}},
      {frame_model(Suslov{}), identity, {1.0, 0.7}},
      {frame_model(HeavyTop{}), {0.6, 0.0, 0.8}, {0.2, 0.1, 3.0}}};
  for (const auto& [model, q, xi] : cases) {
    Motion<double> hamel(FrameHamel{}, model, q, xi, 0.05);
    Motion<double> midpoint(FrameGauss{1}, model, q, xi, 0.05);
    hamel.go(40);
    midpoint.go(40);
    EXPECT_LE(distance(hamel.z(), midpoint.z()), 1e-14) << model.coordinates.front();
  }
}

// [MATH 2.3]: the node invariants of the top, all quadratic.
TEST(FrameHamel, KeepsTheQuadraticInvariantsOfTheTop) {
  Motion<double> top(FrameHamel{}, frame_model(EulerTop{}), identity, {1, 1, 1}, 0.1, true);
  const auto invariants = [&] {
    const Numbers s = top.seen();
    Numbers out = {top.energy()};
    const double p[] = {s[9], 2 * s[10], 3 * s[11]};
    for (int a = 0; a < 3; ++a) {
      const auto row = static_cast<std::size_t>(3 * a);
      out.push_back(s[row] * p[0] + s[row + 1] * p[1] + s[row + 2] * p[2]);
      out.push_back(s[row] * s[row] + s[row + 1] * s[row + 1] + s[row + 2] * s[row + 2]);
    }
    return out;
  };
  const Numbers begin = invariants();
  top.go(20000);
  EXPECT_LE(distance(begin, invariants()), 1e-13);
}

// [MATH 2.4]: a true Hamilton–Pontryagin principle gives the midpoint discrete Euler–Lagrange
// equations in any frame; the Hamel step in a rotated frame is another map.
TEST(FrameHamel, PontryaginIsTheDiscreteEulerLagrangeEquation) {
  const Numbers q = {0.1, -0.2};
  Motion<double> del(FrameMidpointDel{}, henon_heiles(false), q, {0.3, 0.25}, 0.1);
  FrameHamel principle;
  principle.pontryagin = true;
  const FrameModel rotated = henon_heiles(true);
  const double a = 2 * 0.1 + 0.2 - 0.02;  // ξ = Rᵀv
  const Numbers xi = {0.3 * std::cos(a) + 0.25 * std::sin(a),
                      -0.3 * std::sin(a) + 0.25 * std::cos(a)};
  Motion<double> pontryagin(principle, rotated, q, xi, 0.1);
  Motion<double> hamel(FrameHamel{}, rotated, q, xi, 0.1);
  del.go(40);
  pontryagin.go(40);
  hamel.go(40);
  EXPECT_LE(distance(del.z(), pontryagin.z()), 3e-14);
  EXPECT_GE(distance({del.z()[0], del.z()[1]}, {hamel.z()[0], hamel.z()[1]}), 1e-5);
}

// [MATH 2.5]: the roller racer loses 1.9e-3 of its energy in the plain frame, nothing in the
// kinetic one. [MATH 10]
TEST(FrameHamel, TheKineticFrameKeepsTheEnergy) {
  const Numbers q = {0, 0, 0, 0.5};
  Motion<double> plain(FrameHamel{}, roller_racer(), q, {1.0, 0.2}, 0.1);
  FrameHamel kinetic;
  kinetic.kinetic = true;
  Motion<double> orthonormal(kinetic, roller_racer(), q, {1.0, 0.2}, 0.1);
  const double begin = plain.energy();
  EXPECT_NEAR(orthonormal.energy(), begin, 1e-15);
  plain.go(5000);
  orthonormal.go(5000);
  Motion<double> dla(FrameDla{}, roller_racer(), q, {1.0, 0.2}, 0.1);
  dla.go(5000);
  EXPECT_NEAR(std::fabs(dla.energy() - begin), 9e-5, 2e-5);  // less than Hamel's in this frame
  EXPECT_NEAR(plain.energy() - begin, -1.9e-3, 5e-5);
  EXPECT_NEAR(orthonormal.energy(), begin, 1e-13);
}

// [MATH 2.5]: with the discrete gradient for any potential.
TEST(FrameHamel, TheDiscreteGradientKeepsTheEnergyOfAnyPotential) {
  FrameHamel method;
  method.kinetic = true;
  Motion<double> plain(method, kepler(), {1.0, 0.0}, {0.0, 1.2}, 0.1);
  method.discrete_gradient = true;
  Motion<double> exact(method, kepler(), {1.0, 0.0}, {0.0, 1.2}, 0.1);
  const double begin = plain.energy();
  plain.go(100);
  exact.go(2000);
  EXPECT_GE(std::fabs(plain.energy() - begin), 1e-6);
  EXPECT_NEAR(exact.energy(), begin, 2e-13);
}

// A linear potential has no correction, but it has a force; one that contains t is taken at t +
// h/2.
TEST(FrameHamel, TheDiscreteGradientOfLinearAndMovingPotentials) {
  FrameHamel method;
  method.discrete_gradient = true;
  FrameModel fall = FrameModel::with_variables({"x"}, 1, 1);
  fall.lagrangian = 0.5 * fall.v[0] * fall.v[0] - 9.8 * fall.q[0];
  fall.frame = {{1.0}};
  Motion<double> falling(method, fall, {0.0}, {1.0}, 0.1);
  falling.go(10);
  EXPECT_NEAR(falling.seen()[0], 1.0 - 4.9, 1e-13);
  fall.lagrangian = 0.5 * fall.v[0] * fall.v[0] - fall.t * fall.q[0];
  Motion<double> pushed(method, fall, {0.0}, {0.0}, 0.01);
  pushed.go(100);
  EXPECT_NEAR(pushed.seen()[1], -0.5, 1e-13);
}

/// A double pendulum in angles from the vertical.
FrameModel double_pendulum() {
  FrameModel model = FrameModel::with_variables({"a", "b"}, 2, 2);
  const Expression a = model.q[0];
  const Expression b = model.q[1];
  const Expression u = model.v[0];
  const Expression v = model.v[1];
  model.lagrangian = u * u + 0.5 * v * v + u * v * cos(a - b) + 9.81 * (2.0 * cos(a) + cos(b));
  model.frame = {{1.0, 0.0}, {0.0, 1.0}};
  return model;
}

// Angles of many turns make every correction of the velocities as large as their round-off, times
// what the momenta change with them: stagnation, not failure. [MATH 2.8]
TEST(FrameMethods, ConvergeAtAnglesOfManyTurns) {
  FrameHamel kinetic;
  kinetic.kinetic = kinetic.discrete_gradient = true;
  for (const double turns : {0.0, 1e2, 1e5})
    for (int start = 0; start < 4; ++start) {
      const double turned = 2.0 * std::numbers::pi * turns;
      const Numbers q = {1.9 + 0.1 * start + turned, 2.5 - turned};
      Motion<double>(FrameHamel{}, double_pendulum(), q, {0.0, 0.0}, 0.01).go(3000);
      Motion<double>(FrameDla{}, double_pendulum(), q, {0.0, 0.0}, 0.01).go(3000);
      Motion<double>(kinetic, double_pendulum(), q, {0.0, 0.0}, 0.01).go(3000);
    }
}

// Both nearly at rest after 1e5 turns: eps |q|/h is more than half of the digits of ξ. [MATH 2.8]
TEST(FrameMethods, ConvergeWhereVelocitiesHaveFewDigits) {
  FrameHamel kinetic;
  kinetic.kinetic = kinetic.discrete_gradient = true;
  Motion<double>(kinetic, double_pendulum(), {628301.9148614794, -628389.6203052502},
                 {0.1083272797775239, 0.030656955163928086}, 0.01)
      .go(100);
}

// [MATH 3.1] [MATH 3.2] [MATH 3.3]: single steps of golden/frames/discrete_dla_del_half.json.
TEST(FrameMethods, FirstStepsOfTheReferences) {
  const auto after = [](const auto& method, const FrameModel& model, const Numbers& q,
                        const Numbers& xi, int steps) {
    Motion<double> run(method, model, q, xi, 0.1);
    run.go(steps);
    return run.z();
  };
  const Numbers xi = {-0.8, 0.3};
  const FrameModel body = sleigh(0.5);
  EXPECT_LE(distance(after(FrameDla{}, body, {0, 0, 0}, xi, 1),
                     {-0.079767653507503561, -0.0012160093804979297, 0.030486422589140215,
                      -0.79535307015007106, 0.38716056472850535}),
            1e-15);
  EXPECT_LE(distance(after(FrameDla{false, 0.0}, body, {0, 0, 0}, xi, 1),
                     {-0.079775008975831646, 0.0, 0.029999964102182541, -0.7951412197584945,
                      0.38696489085442826}),
            1e-15);
  EXPECT_LE(distance(after(FrameDla{true, 0.5}, body, {0, 0, 0}, xi, 100),
                     {-1.4889064704004915, -3.7623110317249746, 5.451135389726808,
                      0.82692036790235113, 0.2930388529358019}),
            1e-12);
  EXPECT_LE(distance(after(FrameMidpointDel{}, henon_heiles(false), {0.1, -0.2}, {0.3, 0.25}, 1),
                     {0.12964058734885728, -0.17395622386781603, 0.2928117469771454,
                      0.27087552264367948}),
            1e-15);
  FrameHamel mid;
  mid.mid = mid.half = true;
  EXPECT_LE(distance(after(mid, body, {0, 0, 0}, xi, 1),
                     {-0.11936929403770598, -0.0030516496057532579, 0.046222262763804527,
                      -0.79287672296221123, 0.31471795303060807}),
            1e-15);
}

// [MATH 10]: the balanced sleigh runs on a circle; 60 steps per turn.
TEST(Sleigh, NodesHalfNodesAndDlaLieOnCirclesOfKnownRadius) {
  const double eps = 2 * std::numbers::pi / 60;
  const FrameModel model = sleigh(0.0);
  const auto radius = [&](const auto& method) {
    // compensated: θ grows to 628, whose rounding would move the centre
    Motion<double> run(method, model, {0, 0, 0}, {1, 1}, eps, true);
    const Numbers a = run.seen();
    run.go(30);
    const Numbers b = run.seen();  // half a turn: the diameter
    run.go(100 * 60 - 30);
    const Numbers c = run.seen();
    EXPECT_NEAR(std::hypot(c[0] - a[0], c[1] - a[1]), 0.0, 1e-12);
    return std::hypot(b[0] - a[0], b[1] - a[1]) / 2;
  };
  EXPECT_NEAR(radius(FrameHamel{}), (eps / 2) / std::sin(eps / 2), 1e-13);
  FrameHamel half;
  half.half = true;
  EXPECT_NEAR(radius(half), (eps / 2) / std::tan(eps / 2), 1e-13);
  EXPECT_NEAR(radius(FrameDla{}), eps / std::sin(eps), 1e-13);
}

// [MATH 10]: DLA with α ≠ ½ spirals.
TEST(Sleigh, DlaSpirals) {
  const double eps = 2 * std::numbers::pi / 60;
  for (const double alpha : {0.0, 0.25, 1.0}) {
    Motion<double> run(FrameDla{false, alpha}, sleigh(0.0), {0, 0, 0}, {1, 1}, eps);
    const Numbers a = run.seen();
    run.go(1);
    const Numbers b = run.seen();
    run.go(59);
    const Numbers c = run.seen();
    run.go(1);
    const Numbers d = run.seen();
    const double ratio =
        std::hypot(d[0] - c[0], d[1] - c[1]) / std::hypot(b[0] - a[0], b[1] - a[1]);
    const double expected = std::pow(std::cos((1 - alpha) * eps) / std::cos(alpha * eps), 60);
    EXPECT_NEAR(ratio, expected, 1e-12) << alpha;
    if (alpha == 0.0) {
      EXPECT_NEAR(ratio, 0.719218647317, 1e-12);
    }
    if (alpha == 1.0) {
      EXPECT_NEAR(ratio, 1.390397765311, 1e-12);
    }
  }
}

// [MATH 10]: the unbalanced sleigh against its closed solution.
TEST(Sleigh, TheUnbalancedOneConvergesWithExactEnergy) {
  const ChaplyginSleigh system{1.0, 1.0, 0.5};
  const auto exact = system.exact({0, 0, 0}, {Quad(-0.8), Quad(0.3)});
  const double known[] = {5.7e-4, 1.4e-4, 3.5e-5};
  double h = 0.2;
  for (const double bound : known) {
    Motion<double> run(FrameHamel{}, sleigh(0.5), {0, 0, 0}, {-0.8, 0.3}, h);
    const double begin = run.energy();
    double worst = 0.0;
    for (int n = 1; n * h <= 20.0 + 1e-9; ++n) {
      run.go(1);
      const auto v = static_cast<double>(exact.at(Quad(n * h)).xi[0]);
      worst = std::fmax(worst, std::fabs(run.seen()[3] - v));
    }
    EXPECT_NEAR(worst, bound, 0.05 * bound);
    EXPECT_NEAR(run.energy(), begin, 2e-15);
    h /= 2;
  }
}

// [MATH 10]: x_k = c² · exact on the incline; DLA with α = 0 slides away.
TEST(KnifeEdge, OnTheIncline) {
  const double h = 0.1;
  const double turn = 1.3;
  const double c = (h * turn / 2) / std::sin(h * turn / 2);
  Motion<double> hamel(FrameHamel{}, knife_edge(), {0, 0, 0}, {0.0, turn}, h);
  for (int k = 1; k <= 200; ++k) {
    hamel.go(1);
    const double exact = std::pow(std::sin(turn * k * h) / turn, 2);  // g sinα = 2
    EXPECT_NEAR(hamel.seen()[0], c * c * exact, 1e-12);
  }
  Motion<double> dla(FrameDla{false, 0.0}, knife_edge(), {0, 0, 0}, {0.0, turn}, h);
  dla.go(20000);
  EXPECT_NEAR(dla.seen()[0], 200.0, 5.0);
}

// Both explicit pairs, on a motion with a closed form.
TEST(ExplicitFrameMethods, ReachTheirOrderAndTolerance) {
  const ChaplyginSleigh system{1.0, 1.0, 0.5};
  const FrameMotion exact = system.exact({0, 0, 0}, {Quad(-0.8), Quad(0.3)}).at(10);
  const auto error = [&](const auto& method, int steps) {
    Motion<double> run(method, sleigh(0.5), {0, 0, 0}, {-0.8, 0.3}, 10.0 / steps);
    run.go(steps);
    const Numbers s = run.seen();
    double worst = 0.0;
    for (std::size_t i = 0; i < 3; ++i)
      worst = std::fmax(worst, std::fabs(s[i] - static_cast<double>(exact.q[i])));
    return worst;
  };
  EXPECT_NEAR(std::log2(error(FrameRk4{}, 50) / error(FrameRk4{}, 100)), 4.0, 0.15);
  EXPECT_LE(error(FrameFehlberg78{1e-13}, 7), 1e-11);
  EXPECT_LE(error(FrameFehlberg78{1e-6}, 1), 1e-4);
  EXPECT_GE(error(FrameFehlberg78{1e-3}, 1), 1e-9);
  // at fixed step the pair shows its order 8
  const auto fixed = [&](int steps) {
    const FrameModel body = sleigh(0.5);
    std::unique_ptr<Stepper<Quad>> stepper =
        std::make_unique<ExplicitStepper<Quad, FrameField<Quad>>>(
            FrameField<Quad>(body, frame_equations(body)), fehlberg_tableau<Quad>(), 0.0,
            StepperOptions{});
    StepperState<Quad> state;
    const Quad h = Quad(10) / Quad(steps);
    EXPECT_TRUE(stepper->start({0, 0, 0}, {Quad(-0.8), Quad(0.3)}, h, state));
    for (int n = 0; n < steps; ++n) EXPECT_FALSE(stepper->step(state, Quad(n) * h, h).failed());
    return std::fabs(static_cast<double>(state.z[0] - exact.q[0]));
  };
  EXPECT_NEAR(std::log2(fixed(80) / fixed(160)), 8.0, 0.2);
}

}  // namespace
}  // namespace hamel
