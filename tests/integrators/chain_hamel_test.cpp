// SPDX-License-Identifier: BSD-3-Clause
// The Hamel step of chains against its invariants, the pendulum's step and golden end positions.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "hamel/methods/hamel.hpp"
#include "hamel/stepping/chain/chain_hamel_stepper.hpp"
#include "hamel/studies/order.hpp"
#include "hamel/systems/spherical_pendulum.hpp"

namespace hamel {
namespace {

// 2⁻¹¹² ≈ 2e-34: the bounds below are multiples of it.
constexpr double quad_eps = 2e-34;
double size(Quad x) { return static_cast<double>(abs(x)); }

/// A chain under way, with its invariants from positions and velocities of the masses.
template <class S>
struct Motion {
  using Vector = Vec<S, 3>;
  Chain chain;
  ChainHamelStepper<S> stepper;
  StepperState<S> state;
  std::vector<S> q, v;
  Motion(Chain given, std::vector<S> q0, std::vector<S> v0, bool compensated = false)
      : chain(std::move(given)),
        stepper(chain, {{}, compensated}),
        q(std::move(q0)),
        v(std::move(v0)) {
    EXPECT_TRUE(stepper.start(q, v, S(0.0), state));
  }
  bool steps(int count, double h) {
    for (int k = 0; k < count; ++k)
      if (stepper.step(state, S(0.0), S(h)).failed()) return false;
    return stepper.observe(state, S(0.0), S(h), q.data(), v.data());
  }
  int n() const { return chain.links(); }
  Vector link(const std::vector<S>& list, int i) const {
    const auto k = static_cast<std::size_t>(3 * i);
    return {{list[k], list[k + 1], list[k + 2]}};
  }
  S mass(int i) const { return S(chain.masses[static_cast<std::size_t>(i)]); }
  S length(int i) const { return S(chain.lengths[static_cast<std::size_t>(i)]); }
  Vector pi(int i) const {
    const auto at = [&](int c) { return state.z[static_cast<std::size_t>((3 + c) * n() + i)]; };
    return {{at(0), at(1), at(2)}};
  }
  struct Invariants {
    S T, E, J3;
    double scale() const { return 1.0 + size(T) + size(E) + size(J3); }
  };
  Invariants invariants() const {
    const S clamp = S(chain.clamp) * (S(1.0) - dot(cast<S>(chain.axis), link(q, 0)));
    Invariants sum{S(0.0), clamp, S(0.0)};
    Vector x{{S(0.0), S(0.0), S(0.0)}}, x_dot = x;
    for (int i = 0; i < n(); ++i) {
      x += length(i) * link(q, i);
      x_dot += length(i) * link(v, i);
      sum.T = sum.T + S(0.5) * mass(i) * norm2(x_dot);
      sum.E = sum.E + S(chain.gravity) * mass(i) * x[2];
      sum.J3 = sum.J3 + mass(i) * cross(x, x_dot)[2];
      if (i > 0 && !chain.bending.empty())
        sum.E = sum.E + S(chain.bending[static_cast<std::size_t>(i - 1)]) *
                            (S(1.0) - dot(link(q, i - 1), link(q, i)));
    }
    sum.E = sum.E + sum.T;
    return sum;
  }
};

/// Masses and lengths all different, away from every symmetry.
Chain general_chain(int n) {
  Chain chain;
  for (int i = 0; i < n; ++i) {
    chain.masses.push_back(0.7 + 0.4 * ((5 * i) % 3));
    chain.lengths.push_back(1.2 - 0.25 * ((3 * i) % 4));
  }
  return chain;
}

template <class S>
Motion<S> general_motion(const Chain& chain, bool compensated = false) {
  std::vector<S> q, v;
  for (int i = 0; i < chain.links(); ++i) {
    const Vec<S, 3> a{{S(0.8 - 0.3 * i), S(0.2 + 0.25 * i), S(-1.0 + 0.35 * i)}};
    const Vec<S, 3> omega{{S(0.9 - 0.5 * i), S(0.3 * i), S(1.1)}};
    const Vec<S, 3> q_i = (S(1.0) / norm(a)) * a;
    const Vec<S, 3> v_i = cross(omega, q_i);
    q.insert(q.end(), q_i.data, q_i.data + 3);
    v.insert(v.end(), v_i.data, v_i.data + 3);
  }
  return Motion<S>(chain, q, v, compensated);
}

Chain uniform_chain(std::size_t n) {
  Chain chain;
  chain.masses = chain.lengths = std::vector<double>(n, 1.0);
  return chain;
}

template <class S>
double distance(const std::vector<S>& a, const std::vector<S>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += size(a[i] - b[i]);
  return sum;
}

/// Every step, in quad: what is claimed exact changes by round-off only.
void expect_exact(Motion<Quad> run, double h, int steps, bool J3) {
  auto before = run.invariants();
  const double scale = before.scale();
  for (int k = 0; k < steps; ++k) {
    ASSERT_TRUE(run.steps(1, h)) << k;
    const auto after = run.invariants();
    EXPECT_LE(size(after.E - before.E), 500 * quad_eps * scale) << k;
    EXPECT_LE(J3 ? size(after.J3 - before.J3) : 0.0, 500 * quad_eps * scale) << k;
    before = after;
  }
  for (int i = 0; i < run.n(); ++i) {  // round-off of all steps
    const auto q = run.link(run.q, i);
    EXPECT_LE(size(norm2(q) - Quad(1.0)), 10 * steps * quad_eps);
    EXPECT_LE(size(dot(q, run.pi(i))), 10 * steps * scale * quad_eps);
  }
}

// [MATH 6.3]: π_i = q_i×Σ_j m_ij q̇_j, against the full inertia matrix.
TEST(ChainHamel, StartsFromTheMomentaAndShowsTheVelocities) {
  auto run = general_motion<Quad>(general_chain(5));
  const std::vector<Quad> q = run.q, v = run.v;
  for (int i = 0; i < 5; ++i) {
    Vec<Quad, 3> sum{{Quad(0.0), Quad(0.0), Quad(0.0)}};
    for (int j = 0; j < 5; ++j) {
      Quad M = Quad(0.0);
      for (int k = std::max(i, j); k < 5; ++k) M += run.mass(k);
      sum += M * run.length(i) * run.length(j) * run.link(v, j);
    }
    EXPECT_LE(size(norm(run.pi(i) - cross(run.link(q, i), sum))), 100 * quad_eps);
  }
  ASSERT_TRUE(run.steps(0, 0.1));
  EXPECT_EQ(distance(q, run.q), 0.0);
  EXPECT_LE(distance(v, run.v), 1000 * quad_eps);
}

// [MATH 7.3]: three steps computed apart in 50 digits, from the formulas as they stand there: PD
// pair by pair, ∇H by differences of H, full matrices, the other gauge.
TEST(ChainHamel, AgreesWithThePrintedFormulas) {
  const std::vector<double> z = {
      0.51606415557586920639,  0.48939990793356933347,  0.13951893902157018665,   // q_x of 1, 2, 3
      0.40149871049107587261,  0.45256865454187843480,  0.86280180110393911052,   // q_y
      -0.75662181623567285619, -0.74543231955742820217, -0.48590896026528886740,  // q_z
      4.3478042551296106719,   1.0623116058456460481,   -0.19515354510767169792,  // π_x
      5.2008204505160533208,   1.5927588164682706971,   0.69630909323059736396,
      5.7252758814995007981,   1.6644407334163024424,   1.1803633419139921050};
  auto run = general_motion<double>(general_chain(3));
  ASSERT_TRUE(run.steps(3, 0.05));
  EXPECT_LE(distance(run.state.z, z), 3e-14);  // the 54 roundings of three steps, |π| ≤ 6
}

// [MATH 7.3]: lengths, tangency, energy and J3 of every step, for general masses and lengths.
TEST(ChainHamel, KeepsEveryInvariantInQuad) {
  expect_exact(general_motion<Quad>(general_chain(1)), 0.1, 20, true);
  expect_exact(general_motion<Quad>(general_chain(2)), 0.05, 20, true);
  expect_exact(general_motion<Quad>(general_chain(5)), 0.01, 10, true);
}

// [MATH 7.3]: elastic terms are bilinear, hence exact; a clamp along e3 keeps J3, a tilted one not.
TEST(ChainHamel, ElasticTermsKeepTheEnergy) {
  for (const double gravity : {9.81, 0.0}) {
    Chain chain = general_chain(4);
    chain.gravity = gravity;
    chain.bending = {3.0, 2.0, 0.0};  // without gravity, link 4 has no stiffness
    chain.clamp = 5.0;
    expect_exact(general_motion<Quad>(chain), 0.02, 10, true);
    chain.axis = {{0.6, 0.0, -0.8}};
    expect_exact(general_motion<Quad>(chain), 0.02, 10, false);
  }
  Chain clamped = general_chain(1);
  clamped.gravity = 0.0;
  clamped.clamp = 4.0;
  expect_exact(general_motion<Quad>(clamped), 0.1, 10, true);
}

// [MATH 7.3]: without gravity the weights of PB come from the kinetic energy.
TEST(ChainHamel, RunsWithoutGravity) {
  Chain chain;
  for (const int n : {1, 2, 3}) {
    chain = general_chain(n);
    chain.gravity = 0.0;
    expect_exact(general_motion<Quad>(chain), 0.02, 10, true);
  }
  Motion<double> rest(chain, general_motion<double>(chain).q, std::vector<double>(9, 0.0));
  const auto z = rest.state.z;
  EXPECT_TRUE(rest.steps(3, 0.1));
  EXPECT_EQ(rest.state.z, z);
}

// [MATH 7.3]: a step back undoes a step.
TEST(ChainHamel, IsTimeSymmetric) {
  for (const double gravity : {9.81, 0.0}) {
    Chain chain = general_chain(4);
    chain.gravity = gravity;
    auto run = general_motion<Quad>(chain);
    const auto z = run.state.z;
    ASSERT_TRUE(run.steps(2, 0.02));
    EXPECT_GE(distance(run.state.z, z), 0.01);
    run.state.forget();
    ASSERT_TRUE(run.steps(2, -0.02));
    EXPECT_LE(distance(run.state.z, z), 1e4 * quad_eps);
  }
}

// [MATH 7.3]: for one link PD is the pendulum's step. [MATH 5.2]
TEST(ChainHamel, OneLinkTakesThePendulumsSteps) {
  auto run = general_motion<Quad>(uniform_chain(1));
  SphericalPendulum pendulum;
  pendulum.length = 1.0;
  pendulum.gravity = 9.81;
  const HamelStep<SphericalPendulum, Quad, Summation::plain> step(Hamel{}, pendulum, Quad(0.1), {});
  auto state = step.start({run.link(run.q, 0), run.pi(0)});
  for (int k = 0; k < 20; ++k) {
    ASSERT_TRUE(run.steps(1, 0.1));
    ASSERT_FALSE(step.step(state).failed());
    EXPECT_LE(size(norm(run.link(run.q, 0) - state.q.value)), 1e4 * quad_eps);
    EXPECT_LE(size(norm(run.pi(0) - state.omega.value)), 1e4 * quad_eps);
  }
}

// [MATH 7.3]: order 2, towards the end positions at t = 10 of golden/chain_refs, n = 2.
TEST(ChainHamel, ConvergesToTheGoldenDoublePendulumAtOrderTwo) {
  const std::vector<double> golden = {2.1614066816524745005e-01,  -2.5660559232534095221e-01,
                                      -9.4203863060515799004e-01, 4.4291742524820201476e-01,
                                      -7.1475697551580271798e-01, -1.8014975374341030613e+00};
  std::vector<double> h, error, extrapolated, last(6, 0.0);
  for (int steps = 1000; steps <= 16000; steps *= 2) {
    const double r = std::sqrt(0.5);  // q_i = (1, 0, −1)/√2, ω_i = (0.4, 0, 0.4)
    Motion<double> run(uniform_chain(2), {r, 0.0, -r, r, 0.0, -r},
                       {0.0, 0.8 * r, 0.0, 0.0, 0.8 * r, 0.0});
    ASSERT_TRUE(run.steps(steps, 10.0 / steps));
    std::vector<double> end = run.q, better(6);
    for (std::size_t c = 0; c < 3; ++c) end[3 + c] += end[c];
    for (std::size_t c = 0; c < 6; ++c) better[c] = (4.0 * end[c] - last[c]) / 3.0;
    h.push_back(10.0 / steps);
    error.push_back(distance(end, golden));
    extrapolated.push_back(distance(better, golden));
    last = end;
  }
  // A symmetric method errs by h², h⁴, …
  EXPECT_LE(extrapolated.back(), 1e-3 * error.back());
  const OrderFit fit = fit_order(h, error, 1e-12);
  EXPECT_EQ(fit.points, 5);
  EXPECT_NEAR(fit.order, 2.0, 0.02);
}

/// Tilts of the double pendulum that turns rigidly at Ω, m = l = 1, from a guess:
///   2g sin a = Ω²(2 sin a + sin b) cos a,  g sin b = Ω²(sin a + sin b) cos b.
std::array<double, 2> conical_tilts(double Omega, double a, double b) {
  const double g = 9.81, w = Omega * Omega;
  for (int k = 0; k < 30; ++k) {
    const double sa = std::sin(a), ca = std::cos(a), sb = std::sin(b), cb = std::cos(b);
    const double f = 2 * g * sa - w * (2 * sa + sb) * ca, f_b = -w * cb * ca;
    const double f_a = 2 * g * ca - w * (2 * ca * ca - (2 * sa + sb) * sa);
    const double r = g * sb - w * (sa + sb) * cb, r_a = -w * ca * cb;
    const double r_b = g * cb - w * (cb * cb - (sa + sb) * sb);
    const double det = f_a * r_b - f_b * r_a;
    a -= (r_b * f - f_b * r) / det;
    b -= (f_a * r - r_a * f) / det;
  }
  return {a, b};
}

// [MATH 7.3]: each relative equilibrium stays one, turning by tan(θ/2) = hΩ/2 per step.
TEST(ChainHamel, KeepsTheConicalMotionsOfTheDoublePendulum) {
  const std::array<std::array<double, 3>, 2> cases = {{{4.0, 1.0, 1.2}, {7.0, -0.6, 1.2}}};
  for (const auto& [Omega, a_guess, b_guess] : cases) {  // in phase, and out of phase
    const auto [a, b] = conical_tilts(Omega, a_guess, b_guess);
    ASSERT_GE(std::fmin(a / a_guess, b / b_guess), 0.5);  // not the hanging one
    const double h = 0.01;
    Motion<double> run(uniform_chain(2),
                       {std::sin(a), 0.0, -std::cos(a), std::sin(b), 0.0, -std::cos(b)},
                       {0.0, Omega * std::sin(a), 0.0, 0.0, Omega * std::sin(b), 0.0}, true);
    ASSERT_TRUE(run.steps(1, h));
    EXPECT_NEAR(std::atan(run.q[1] / run.q[0]), 2.0 * std::atan(h * Omega / 2.0), 1e-14);
    ASSERT_TRUE(run.steps(9999, h));
    EXPECT_NEAR(run.q[2], -std::cos(a), 1e-12);
    EXPECT_NEAR(run.q[5], -std::cos(b), 1e-12);
    EXPECT_NEAR(run.q[0] * run.q[4] - run.q[1] * run.q[3], 0.0, 1e-12);  // in one plane
  }
}

// [MATH 7.3] [MATH 8.1]: sums with carry; the drift is that of random round-off.
TEST(ChainHamel, CompensatedDriftOfTwentyThousandStepsIsRoundOff) {
  auto run = general_motion<double>(general_chain(2), true);
  const auto before = run.invariants();
  ASSERT_TRUE(run.steps(20000, 0.01));
  EXPECT_NEAR(run.invariants().E, before.E, 1e-15 * before.scale());
  EXPECT_NEAR(run.invariants().J3, before.J3, 1e-15 * before.scale());
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(norm2(run.link(run.q, i)), 1.0, 2e-15);
}

// [MATH 7.3]: hanging chains and smallest swings, where PB's denominators vanish.
TEST(ChainHamel, HangsAndSwingsByNanoradians) {
  for (const double tilt : {0.0, 1e-9, 1e-160, 1e-200}) {
    std::vector<double> q;
    for (int i = 0; i < 5; ++i) q.insert(q.end(), {tilt, 0.0, -1.0});
    Motion<double> run(general_chain(5), q, std::vector<double>(15, 0.0));
    ASSERT_TRUE(run.steps(200, 0.02)) << tilt;
    EXPECT_LE(distance(run.q, q), 50 * tilt);
  }
}

void expect_same(const StepperState<double>& a, const StepperState<double>& b) {
  EXPECT_EQ(a.z, b.z);
  EXPECT_EQ(a.carry, b.carry);
  EXPECT_EQ(a.memory, b.memory);
  EXPECT_EQ(a.history, b.history);
}

TEST(ChainHamel, ResumesFromACopyOfTheStateBitByBit) {
  auto run = general_motion<double>(general_chain(3), true);
  ASSERT_TRUE(run.steps(9, 0.01));
  auto copy = general_motion<double>(general_chain(3), true);
  copy.state = run.state;
  ASSERT_TRUE(run.steps(9, 0.01));
  ASSERT_TRUE(copy.steps(9, 0.01));
  expect_same(run.state, copy.state);
}

TEST(ChainHamel, AnAbsurdStepReportsAndLeavesTheStateAlone) {
  auto run = general_motion<double>(general_chain(5), true);
  ASSERT_TRUE(run.steps(3, 0.005));
  const auto before = run.state;
  for (const double h : {3.0, 1e5, 1e300}) {
    const auto report = run.stepper.step(run.state, 0.0, h);
    EXPECT_EQ(report.status(), Status::no_convergence) << h;
    expect_same(run.state, before);
  }
  EXPECT_TRUE(run.steps(3, 0.005));
}

TEST(ChainHamel, RefusesOuterForces) {
  Chain chain = general_chain(2);
  chain.joint_damping = 0.1;
  EXPECT_THROW(ChainHamelStepper<double>(chain, {}), InputError);
}

}  // namespace
}  // namespace hamel
