// SPDX-License-Identifier: BSD-3-Clause
// The closed solution against golden data, against a Taylor integration, and against itself.
#include "hamel/systems/closed/spherical_pendulum_solution.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "spherical_pendulum_reference.hpp"

namespace hamel::test {
namespace {

using Json = nlohmann::json;

Json golden(const std::string& name) {
  std::ifstream file(std::string(HAMEL_GOLDEN_DIR) + "/" + name + ".json");
  return Json::parse(file);
}

Quad number(const Json& text) { return quad_from_string(text.get<std::string>()); }

Vec<Quad, 3> vector(const Json& text) {
  return {{number(text[0]), number(text[1]), number(text[2])}};
}

State golden_state(const Json& state) {
  const bool nested = state["q"][0].is_array();
  return nested ? State{vector(state["q"][0]), vector(state["omega"][0])}
                : State{vector(state["q"]), vector(state["omega"])};
}

/// A bound of every frequency of the motion: √G + max|ω|.
Quad frequency(Quad G, const SphericalPendulumSolution& solution) {
  return sqrt(G) + sqrt(2 * (solution.energy() + G));
}

struct GoldenMotion {
  explicit GoldenMotion(const std::string& name) : file(golden(name)) {
    G = number(file["g"]) / number(file["l"][0]);
    start = golden_state(file["states"][0]);
  }
  SphericalPendulumSolution from_quad() const { return {G, start.q, start.omega}; }
  SphericalPendulumSolution from_double() const {
    return {static_cast<double>(G), cast<double>(start.q), cast<double>(start.omega)};
  }
  Json file;
  Quad G;
  State start;
};

/// Largest |error| / (1 + frequency·t) over the golden states.
double largest_error(const Json& states, Quad G, const SphericalPendulumSolution& solution) {
  EXPECT_GE(states.size(), 6U);
  Quad worst = 0;
  for (const Json& state : states) {
    const Quad t = number(state["t"]);
    const Quad error = distance(solution.at(t), golden_state(state));
    const Quad scaled = error / (1 + frequency(G, solution) * t);
    worst = !(scaled <= worst) ? scaled : worst;  // keeps NaN
  }
  return static_cast<double>(worst);
}

// The data have 27 digits, start included: errors ~1e-27 there, growing as the phase does, that is
// at most like frequency·t; 2 of them meet at t.
constexpr double golden_digits = 2e-27;
// Double data: each of the 6 components and G is off by at most 2⁻⁵³ relative.
constexpr double double_digits = 0x1p-53;

TEST(SphericalPendulumSolution, EqualsGoldenStatesToAllTheirDigitsFromQuadData) {
  for (const char* name : {"sphpend_doc000", "sphpend_above", "sphpend_southpole"}) {
    const GoldenMotion motion(name);
    EXPECT_LE(largest_error(motion.file["states"], motion.G, motion.from_quad()), golden_digits)
        << name;
  }
}

TEST(SphericalPendulumSolution, EqualsGoldenStatesToRoundOffOfTheStartFromDoubleData) {
  for (const char* name : {"sphpend_doc000", "sphpend_above", "sphpend_southpole"}) {
    const GoldenMotion motion(name);
    const auto solution = motion.from_double();
    EXPECT_LE(largest_error(motion.file["states"], motion.G, solution), double_digits) << name;
    for (const Json& state : motion.file["states"]) {
      const auto [q, omega] = solution.at_double(std::stod(state["t"].get<std::string>()));
      const State rounded{cast<Quad>(q), cast<Quad>(omega)};
      EXPECT_LE(static_cast<double>(distance(rounded, golden_state(state))), 1e-12) << name;
    }
  }
}

// Measured at t = 20000: 3e-25 and 3e-24 from Quad data; 3e-14 and 9e-14 from double data. The
// start's rounding u shifts the frequencies by ~u each, so the phase by at most u·frequency·t
// (4e-12 and 5e-12 with u = 2⁻⁵³): that, not the formulas, limits a reference in double.
TEST(SphericalPendulumSolution, StaysWithinItsConditioningUpToTime20000) {
  const Json cases = golden("sphpend_exact_long")["cases"];
  ASSERT_EQ(cases.size(), 2U);
  for (const Json& file : cases) {
    const std::string name = file["case"];
    const GoldenMotion motion("sphpend_" + name);
    const auto solution = motion.from_quad();
    EXPECT_LE(largest_error(file["states"], motion.G, solution), golden_digits) << name;
    EXPECT_LE(largest_error(file["states"], motion.G, motion.from_double()), double_digits) << name;
    for (const Json& state : file["states"]) {
      const auto error = distance(motion.from_double().at(number(state["t"])), golden_state(state));
      EXPECT_LE(static_cast<double>(error), 1e-12) << name;
    }
    EXPECT_LE(static_cast<double>(abs(solution.lowest() - number(file["z_min"]))), 1e-26);
    EXPECT_LE(static_cast<double>(abs(solution.highest() - number(file["z_max"]))), 1e-26);
    EXPECT_LE(static_cast<double>(abs(solution.period() - number(file["period_z"]))), 1e-25);
    EXPECT_LE(static_cast<double>(abs(solution.energy() - number(file["E_over_m_r2"]))), 1e-26);
  }
}

/// How much `flow` magnifies a small change of `state`. Noise N in the flow would show as N/1e-26
/// and enter the bounds below as ~1e-6 N: it cannot hide itself.
template <class Flow>
Quad condition(const Flow& flow, const State& state) {
  const Quad shift = power_of_ten(-26);
  const State end = flow(state);
  return max(distance(end, flow(perturbed(state, 0b011010U, shift))),
             distance(end, flow(perturbed(state, 0b100011U, shift)))) /
         shift;
}

TEST(SphericalPendulumSolution, EqualsATaylorIntegrationInEveryRegime) {
  for (const Motion& motion : all_motions()) {
    const auto solution = motion.solution();
    for (const Quad step : {motion.span / 3, -motion.span / 4}) {
      State exact = motion.start;
      for (int i = 1; i <= 3; ++i) {
        const Quad t = step * i;
        exact = integrate(motion.G, exact, step);
        const auto flow = [&](const State& state) {
          return SphericalPendulumSolution(motion.G, state.q, state.omega).at(t);
        };
        // Both sides are the exact flow of data off by a few eps; the largest ratio seen is 0.3.
        const Quad bound =
            100 * eps * (1 + norm(motion.start.omega) + condition(flow, motion.start));
        EXPECT_LE(static_cast<double>(distance(solution.at(t), exact) / bound), 1.0)
            << motion.name << ", t = " << static_cast<double>(t);
      }
    }
  }
}

TEST(SphericalPendulumSolution, StartsFromItsInitialData) {
  for (const Motion& motion : all_motions()) {
    const Quad bound = 40 * eps * (1 + norm(motion.start.omega));
    EXPECT_LE(static_cast<double>(distance(motion.solution().at(0), motion.start) / bound), 1.0)
        << motion.name;
  }
}

// [MATH 5.1] J is ω3 by construction; its other form (q × q̇)3 follows from the next test.
TEST(SphericalPendulumSolution, KeepsLengthTangencyEnergyAndMomentum) {
  for (const Motion& motion : all_motions()) {
    const auto solution = motion.solution();
    const Quad speed = frequency(motion.G, solution);
    for (int i = -20; i <= 20; ++i) {
      const auto [q, omega] = solution.at(motion.span * i / 19);
      const Quad energy = norm2(omega) / 2 + motion.G * q[2];
      const std::string where = motion.name + ", i = " + std::to_string(i);
      // Each is a handful of products of f1, f2 and their rates, which carry ~10 eps.
      EXPECT_LE(static_cast<double>(abs(norm2(q) - 1) / eps), 50) << where;
      EXPECT_LE(static_cast<double>(abs(dot(q, omega))), static_cast<double>(50 * eps * speed));
      EXPECT_LE(static_cast<double>(abs(energy - solution.energy())),
                static_cast<double>(100 * eps * speed * speed))
          << where;
      EXPECT_EQ(omega[2], solution.vertical_momentum());
    }
  }
}

// [MATH 5.1] Central differences of order 8 with h = 2⁻¹³/frequency: truncation
// ~(h·frequency)⁸ 9!/630 ~ 3e-29 frequency, round-off ~10 eps/h.
TEST(SphericalPendulumSolution, SatisfiesTheEquationsOfMotion) {
  for (const Motion& motion : all_motions()) {
    const auto solution = motion.solution();
    const Quad speed = frequency(motion.G, solution);
    if (speed == 0) continue;
    const Quad h = Quad(0x1p-13) / speed;
    for (int i = -3; i <= 3; ++i) {
      const Quad t = Quad(i) * 1.7 / speed;
      const auto difference = [&](int k, Quad weight) {
        const State right = solution.at(t + k * h);
        const State left = solution.at(t - k * h);
        return State{(weight / h) * (right.q - left.q), (weight / h) * (right.omega - left.omega)};
      };
      State rate{{{0, 0, 0}}, {{0, 0, 0}}};
      const Quad weights[] = {Quad(4) / 5, Quad(-1) / 5, Quad(4) / 105, Quad(-1) / 280};
      for (int k = 1; k <= 4; ++k) {
        const State term = difference(k, weights[k - 1]);
        rate.q += term.q;
        rate.omega += term.omega;
      }
      const auto [q, omega] = solution.at(t);
      const Vec<Quad, 3> e3{{0, 0, 1}};
      EXPECT_LE(static_cast<double>(norm(rate.q - cross(omega, q)) / speed), 1e-27) << motion.name;
      EXPECT_LE(static_cast<double>(norm(rate.omega + motion.G * cross(q, e3)) / (speed * speed)),
                1e-27)
          << motion.name;
    }
  }
}

TEST(SphericalPendulumSolution, IsAFlow) {
  for (const Motion& motion : all_motions()) {
    const auto solution = motion.solution();
    const Quad t = motion.span / 3;
    const Quad s = motion.span / 2;
    const State middle = solution.at(t);
    const auto flow = [&](const State& state) {
      return SphericalPendulumSolution(motion.G, state.q, state.omega).at(s);
    };
    const Quad phase = (t + s) * frequency(motion.G, solution);
    const Quad bound = 100 * eps * (1 + phase + condition(flow, middle));
    EXPECT_LE(static_cast<double>(distance(flow(middle), solution.at(t + s)) / bound), 1.0)
        << motion.name;
  }
}

TEST(SphericalPendulumSolution, GainsTheAzimuthOfTheThirdEllipticIntegralPerPeriod) {
  for (const Quad J : {Quad(0.35), Quad(-0.1), Quad(0.01)}) {
    for (const Quad swing : {Quad(0.2), Quad(1.5), Quad(3)}) {
      const State start = swing_state(0.9, swing, J);
      const SphericalPendulumSolution solution(1, start.q, start.omega);
      const Quad z1 = solution.lowest();
      const Quad z2 = solution.highest();
      const Quad z3 = solution.energy() - z1 - z2;
      const Quad m1 = (z3 - z2) / (z3 - z1);
      const Quad kappa = sqrt((z3 - z1) / 2);
      const auto Pi = [&](Quad n) {  // [DLMF 19.25.14] at φ = π/2
        return carlson_rf<Quad>(0, m1, 1) + n * carlson_rj<Quad>(0, m1, 1, 1 - n) / 3;
      };
      // Δφ = 2 ∫₀^K J/(1 − z²) du/κ, split as ½/(1+z) + ½/(1−z)
      const Quad gain =
          (Pi(-(z2 - z1) / (1 + z1)) / (1 + z1) + Pi((z2 - z1) / (1 - z1)) / (1 - z1)) *
          solution.vertical_momentum() / kappa;
      const State after = solution.at(solution.period());
      const Quad c = cos(gain);
      const Quad s = sin(gain);
      const Vec<Quad, 3> turned{
          {c * start.q[0] - s * start.q[1], s * start.q[0] + c * start.q[1], start.q[2]}};
      // 1 + z1 ~ J² by subtraction, under Π(n) ~ J: ~eps/J² in the reference.
      EXPECT_LE(static_cast<double>(norm(after.q - turned) / eps),
                100 / static_cast<double>(J * J));
    }
  }
}

TEST(SphericalPendulumSolution, ApproachesTheTopOnTheSeparatrix) {
  const SphericalPendulumSolution solution(Quad(1), {{0, 0, -1}}, {{2, 0, 0}});
  for (const Quad t : {Quad(-40), Quad(-3), Quad(0), Quad(0.5), Quad(10), Quad(35)}) {
    const auto [q, omega] = solution.at(t);  // θ = 4 atan(e^t) − π from the bottom
    const Quad sech = 1 / cosh(t);
    // towards the top, the horizontal parts keep their relative accuracy
    EXPECT_LE(static_cast<double>(abs(q[1] - 2 * tanh(t) * sech)),
              static_cast<double>(40 * eps * (1 + abs(t)) * sech));
    EXPECT_LE(static_cast<double>(abs(omega[0] - 2 * sech)),
              static_cast<double>(40 * eps * (1 + abs(t)) * sech));
    EXPECT_LE(static_cast<double>(abs(q[2] - (1 - 2 * sech * sech))),
              static_cast<double>(40 * eps));
    EXPECT_EQ(q[0], 0);
  }
  EXPECT_EQ(solution.at(Quad(1000000)).q[2], 1);
  EXPECT_GT(solution.period(), Quad(1e300));
}

TEST(SphericalPendulumSolution, TurnsUniformlyOnACone) {
  const Quad z = -0.6;
  const Quad rate = sqrt(-1 / z);
  const Vec<Quad, 3> q0{{sqrt(1 - z * z), 0, z}};
  const Vec<Quad, 3> omega0 = rate * (Vec<Quad, 3>{{0, 0, 1}} - z * q0);
  const SphericalPendulumSolution solution(Quad(1), q0, omega0);
  for (const Quad t : {Quad(-7), Quad(0.3), Quad(100)}) {
    const Quad angle = rate * t;
    const Vec<Quad, 3> exact{{q0[0] * cos(angle), q0[0] * sin(angle), z}};
    EXPECT_LE(static_cast<double>(norm(solution.at(t).q - exact) / eps),
              20 * (1 + static_cast<double>(abs(angle))));
  }
}

TEST(SphericalPendulumSolution, FollowsGreatCirclesWithoutGravity) {
  for (const Quad J : {Quad(0.5), Quad(-1e-9), Quad(0)}) {
    const State start = swing_state(1.2, 0.8, J);
    const SphericalPendulumSolution solution(Quad(0), start.q, start.omega);
    const Quad speed = norm(start.omega);
    for (const Quad t : {Quad(-9), Quad(0.4), Quad(50)}) {
      const Vec<Quad, 3> exact =
          cos(speed * t) * start.q + (sin(speed * t) / speed) * cross(start.omega, start.q);
      const Quad bound = 20 * eps * (1 + speed * abs(t));
      EXPECT_LE(static_cast<double>(norm(solution.at(t).q - exact) / bound), 1.0);
      EXPECT_LE(static_cast<double>(norm(solution.at(t).omega - start.omega) / bound), 1.0);
    }
  }
}

TEST(SphericalPendulumSolution, RestsAtEquilibria) {
  const Vec<Quad, 3> still{{0, 0, 0}};
  for (const Quad z : {Quad(-1), Quad(1)}) {
    const auto [q, omega] = SphericalPendulumSolution(Quad(9.81), {{0, 0, z}}, still).at(1e6);
    EXPECT_EQ(q[2], z);
    EXPECT_EQ(norm(omega), 0);
  }
}

TEST(SphericalPendulumSolution, ProjectsDataThatMissTheConstraintsByRoundOff) {
  const Vec<double, 3> q0{{0.6, 0.3, -0.7416198487095663}};
  const Vec<double, 3> omega0{{0.1, 0.2, 0.16181}};
  const SphericalPendulumSolution solution(1.0, q0, omega0);
  const Vec<Quad, 3> unit = (1 / norm(cast<Quad>(q0))) * cast<Quad>(q0);
  const Vec<Quad, 3> omega = cast<Quad>(omega0) - dot(cast<Quad>(omega0), unit) * unit;
  EXPECT_LE(static_cast<double>(distance(solution.at(0), {unit, omega}) / eps), 20);
  EXPECT_LE(static_cast<double>(abs(solution.vertical_momentum() - omega[2]) / eps), 4);
  // Spin about q moves nothing.
  const SphericalPendulumSolution spinning(1.0, {{0, 0, 1}}, {{0, 0, 0.3}});
  EXPECT_EQ(spinning.at(5).q[2], 1);
  EXPECT_EQ(norm(spinning.at(5).omega), 0);
}

TEST(SphericalPendulumSolution, RefusesDataWithoutASolution) {
  const Vec<double, 3> q{{0, 0, -1}};
  const Vec<double, 3> omega{{1, 0, 0}};
  const double nan = std::nan("");
  EXPECT_THROW(SphericalPendulumSolution(-1.0, q, omega), InputError);
  EXPECT_THROW(SphericalPendulumSolution(nan, q, omega), InputError);
  EXPECT_THROW(SphericalPendulumSolution(1.0, {{0, 0, 0}}, omega), InputError);
  EXPECT_THROW(SphericalPendulumSolution(1.0, q, {{nan, 0, 0}}), InputError);
}

// Any y1 ≤ w2 with y1 + w2 ≤ 2 belong to a motion: G(z3 − 1) = G y1 y2/(w2 − y1).
TEST(SphericalPendulumTurningPoints, HaveFullRelativeAccuracyNextToBothPoles) {
  for (int i = 0; i <= 40; i += 4) {
    for (int j = 0; j < i; j += 3) {
      const Quad y1 = power_of_ten(-i) / 3;
      const Quad w2 = power_of_ten(-j) / 2;
      const Quad w1 = 2 - y1;
      const Quad y2 = 2 - w2;
      const Quad s = y1 * y2 / (w2 - y1);
      const Quad k2 = s + y1;
      const Quad J2 = 2 * y2 * w2 * k2;
      const auto turning = turning_points<Quad>(1, y2, w2, 0, k2, J2);
      const auto off = [](Quad value, Quad exact) {
        return static_cast<double>(abs(value / exact - 1) / eps);
      };
      // A dozen roundings; s depends on w2 − k2, of which w2 ≥ 1.5 y1 leaves a third.
      EXPECT_LE(off(turning.y1, y1), 50);
      EXPECT_LE(off(turning.w2, w2), 50);
      EXPECT_LE(off(turning.y2, y2), 50);
      EXPECT_LE(off(turning.w1, w1), 50);
      EXPECT_LE(off(turning.s, s), 50);
      EXPECT_LE(off(turning.span, y2 - y1), 50);
    }
  }
}

}  // namespace
}  // namespace hamel::test
