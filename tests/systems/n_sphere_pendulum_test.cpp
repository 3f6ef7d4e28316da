// SPDX-License-Identifier: BSD-3-Clause
// The pendulum in n dimensions: its brackets, D0's integrator at n = 3, the reduction to the span
// of q, v and e_n, and how an entry follows its count.
#include "hamel/systems/n_sphere_pendulum.hpp"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "catalogue.hpp"
#include "hamel/expressions/program.hpp"
#include "hamel/models/frame_equations.hpp"

namespace hamel {
namespace {

using Numbers = std::vector<double>;

std::string text_of(const Numbers& list) {
  std::string text;
  for (const double x : list) text += (text.empty() ? "" : ", ") + io::shortest(x);
  return "[" + text + "]";
}

io::Scenario pendulum(int n, const Numbers& q, const Numbers& v) {
  return scenario_of("n_sphere_pendulum", "length = 9.8\ngravity = 9.8\nn = " + std::to_string(n) +
                                              "\n[initial]\nq = " + text_of(q) + "\nv = " +
                                              text_of(v) + "\n[integrate]\nstep = 0.2\n");
}

/// What reading such a scenario complains of.
std::string complaint(const std::string& further) {
  try {
    scenario_of("n_sphere_pendulum", further);
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

/// Orthonormal and horizontal in R⁵.
const Numbers a = {0.5, 0.5, -0.5, 0.5, 0.0};
const Numbers b = {0.5, -0.5, 0.5, 0.5, 0.0};

template <class S>
std::vector<S> lifted(const std::vector<S>& x) {
  std::vector<S> to(5);
  for (std::size_t i = 0; i < 5; ++i) to[i] = x[0] * S(a[i]) + x[1] * S(b[i]);
  to[4] = x[2];
  return to;
}

// [MATH 1.7] The brackets that are given, against the fields differentiated at a point.
TEST(NSpherePendulum, BracketsAreThoseOfTheFields) {
  NSpherePendulum system;
  system.n = 5;
  const FrameModel model = frame_model(system);
  EXPECT_TRUE(model.redundant);
  const int m = model.fields();
  ASSERT_EQ(m, 10);
  const auto count = static_cast<std::size_t>(m);
  const Expressions c = structure_functions(model);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  Numbers q(5);
  for (double& x : q) x = uniform(random);
  const auto value = [&](const Expressions& list) {
    Numbers out(list.size());
    Evaluator<double>(Program(model.q, list))(q.data(), out.data());
    return out;
  };
  int nonzero = 0;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) {
      Numbers rest = value(bracket(model, i, j));
      for (std::size_t k = 0; k < count; ++k) {
        const Expression& cijk = c[(static_cast<std::size_t>(i * m + j)) * count + k];
        ASSERT_TRUE(cijk.is_constant());
        const auto size = static_cast<double>(cijk.value());
        nonzero += size != 0.0 ? 1 : 0;
        const Numbers u = value(model.frame[k]);
        for (std::size_t r = 0; r < 5; ++r) rest[r] -= size * u[r];
      }
      for (const double x : rest) EXPECT_NEAR(x, 0.0, 1e-15) << i << " " << j;
    }
  EXPECT_EQ(nonzero, 60);  // three planes of each of ten triples, in six orders
}

TEST(NSpherePendulum, BracketsSatisfyTheJacobiIdentity) {
  NSpherePendulum system;
  system.n = 5;
  const FrameModel model = frame_model(system);
  const std::size_t m = model.frame.size();
  const Expressions list = structure_functions(model);
  const auto c = [&](std::size_t i, std::size_t j, std::size_t k) {
    return static_cast<double>(list[(i * m + j) * m + k].value());
  };
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < m; ++j)
      for (std::size_t k = 0; k < m; ++k)
        for (std::size_t l = 0; l < m; ++l) {
          double sum = 0.0;
          for (std::size_t s = 0; s < m; ++s)
            sum += c(i, j, s) * c(s, k, l) + c(j, k, s) * c(s, i, l) + c(k, i, s) * c(s, j, l);
          ASSERT_EQ(sum, 0.0) << i << j << k << l;
        }
}

// [MATH 5.2] At n = 3 the step is D0's, of which there is a kernel of its own.
TEST(NSpherePendulum, InThreeDimensionsItIsTheHamelStepOfTheSphericalPendulum) {
  const std::string data = "length = 2.0\ngravity = 9.0\n";
  const std::string q = "[initial]\nq = [0.6, 0.0, -0.8]\n";
  const io::Scenario sphere =
      scenario_of("spherical_pendulum", data + q + "omega = [0.4, 0.3, 0.3]\n");
  // ω = (ξ_23, −ξ_13, ξ_12)
  const io::Scenario frame =
      scenario_of("n_sphere_pendulum", "n = 3\n" + data + q + "xi = [0.3, -0.3, 0.4]\n");
  for (const std::int64_t steps : {1, 500}) {
    const double t = 0.1 * static_cast<double>(steps);
    const EndPoint one = run_to(sphere, "hamel", t, steps, Precision::quad);
    const EndPoint other = run_to(frame, "hamel", t, steps, Precision::quad);
    ASSERT_EQ(other.status, Status::ok);
    // 0.6 and 0.8 are rounded; the kernel normalises them in Quad, the frame takes them as they are
    EXPECT_LE(difference(other.q, one.q), 1e-14);
    const std::vector<Quad>& xi = other.velocity;
    EXPECT_LE(difference({xi[2], -xi[1], xi[0]}, one.velocity), 1e-14);
  }
}

// Reflections that fix q, v and e_n fix the discrete motion as well.
TEST(NSpherePendulum, EveryStepStaysInTheSpanOfTheStart) {
  const Numbers q = {0.6, 0.0, -0.8};
  const Numbers v = {0.24, -0.4, 0.18};
  const EndPoint low = run_to(pendulum(3, q, v), "hamel", 60.0, 300);
  const EndPoint high = run_to(pendulum(5, lifted(q), lifted(v)), "hamel", 60.0, 300);
  ASSERT_EQ(high.status, Status::ok);
  EXPECT_LE(difference(high.q, lifted(low.q)), 1e-13);
}

/// D0's data, integrated elsewhere to fifty digits, in five dimensions.
TEST(NSpherePendulum, ReachesTheReferenceOfD0InFiveDimensions) {
  std::ifstream file(HAMEL_GOLDEN_DIR "/sphpend_doc000.json");
  const nlohmann::json golden = nlohmann::json::parse(file);
  const auto numbers = [](const nlohmann::json& list) {
    Numbers out;
    for (const auto& x : list) out.push_back(std::stod(x.get<std::string>()));
    return out;
  };
  const auto& states = golden["states"];
  const Numbers q = numbers(states[0]["q"][0]);
  const Numbers w = numbers(states[0]["omega"][0]);
  const Numbers v = {w[1] * q[2] - w[2] * q[1], w[2] * q[0] - w[0] * q[2],
                     w[0] * q[1] - w[1] * q[0]};
  const io::Scenario s = pendulum(5, lifted(q), lifted(v));
  int compared = 0;
  for (const auto& state : states) {
    const double t = std::stod(state["t"].get<std::string>());
    if (t > 100.0) continue;
    const Numbers expected = lifted(numbers(state["q"][0]));
    const auto exact = s.problem->exact(Quad(t));
    if (!exact) FAIL() << "no closed solution";
    EXPECT_LE(difference(exact->q, {expected.begin(), expected.end()}), 2e-14) << t;
    if (t == 0.0) continue;
    const auto steps = static_cast<std::int64_t>(std::ceil(t / 0.2));
    const EndPoint end = run_to(s, "gauss", t, steps);
    EXPECT_LE(difference(end.q, {expected.begin(), expected.end()}), 1e-12) << t;
    ++compared;
  }
  EXPECT_GE(compared, 3);
}

TEST(NSpherePendulum, HamelKeepsEveryInvariantAndRk4DoesNot) {
  const io::Scenario s = scenario_of("n_sphere_pendulum", "n = 5\n[integrate]\nstep = 0.05\n");
  const auto [status, kept] = drifts(s, "hamel", 5000);
  ASSERT_EQ(status, Status::ok);
  EXPECT_EQ(kept.size(), 8U);  // energy, length and the six momenta of so(4)
  const Claims claims = s.problem->claims(MethodSpec::parse("hamel"));
  for (const auto& [name, drift] : kept) {
    EXPECT_TRUE(claims.keeps(name)) << name;
    EXPECT_LE(drift.max_drift, 1e-12 * std::fmax(1.0, std::fabs(drift.initial))) << name;
  }
  const auto [other, lost] = drifts(s, "rk4", 5000);
  ASSERT_EQ(other, Status::ok);
  EXPECT_GE(lost.at("energy").max_drift, 1e-3);
  EXPECT_GE(lost.at("length").max_drift, 1e-5);
}

// n = 2: the period of the plane pendulum is 4 K(sin²(θ/2)) √(r/g).
TEST(NSpherePendulum, InTwoDimensionsItHasThePeriodOfThePlanePendulum) {
  const double angle = 2.0;
  const io::Scenario s = pendulum(2, {std::sin(angle), -std::cos(angle)}, {0.0, 0.0});
  const double period = 4.0 * std::comp_ellint_1(std::sin(0.5 * angle));
  const EndPoint end = run_to(s, "gauss", period, 60);
  EXPECT_LE(difference(end.q, {Quad(std::sin(angle)), Quad(-std::cos(angle))}), 1e-12);
  const EndPoint half = run_to(s, "gauss", 0.5 * period, 30);
  EXPECT_NEAR(static_cast<double>(half.q[0]), -std::sin(angle), 1e-12);
}

TEST(NSpherePendulum, TheEntryFollowsItsCount) {
  const io::Scenario s = scenario_of("n_sphere_pendulum", "n = 7\n");
  EXPECT_EQ(s.system->coordinates.size(), 7U);
  EXPECT_EQ(s.system->initial_forms[0][1].size, 21);
  EXPECT_EQ(s.system->invariants.size(), 17U);
  EXPECT_EQ(catalogue().system("n_sphere_pendulum").coordinates.size(), 4U);
  // what a recording keeps is enough to repeat it
  const io::Scenario again = io::parse_scenario(s.to_toml(s.method), "again.toml", {}, catalogue());
  EXPECT_EQ(again.initial.values, s.initial.values);
  EXPECT_EQ(again.system->coordinates, s.system->coordinates);
  EXPECT_NE(complaint("n = 5\n[initial]\nq = [0.6, 0.0, -0.8]\nv = [0.0, 0.5, 0.0]\n")
                .find("must be 5 numbers, not 3"),
            std::string::npos);
  EXPECT_NE(complaint("n = 13\n").find("12"), std::string::npos);
}

TEST(NSpherePendulum, TheVelocityDeterminesXi) {
  const std::string q = "n = 4\n[initial]\nq = [0.6, 0.0, 0.0, -0.8]\n";
  const io::Scenario by_v = scenario_of("n_sphere_pendulum", q + "v = [0.4, 0.2, -0.1, 0.3]\n");
  // ξ = q ∧ v
  const io::Scenario by_xi =
      scenario_of("n_sphere_pendulum", q + "xi = [0.12, -0.06, 0.5, 0.0, 0.16, -0.08]\n");
  EXPECT_LE(
      difference(run_to(by_v, "hamel", 1.0, 10).velocity, run_to(by_xi, "hamel", 1.0, 10).velocity),
      1e-15);
  // a rotation in the plane of e2 and e3 does not move q
  EXPECT_NE(complaint(q + "xi = [0.12, -0.06, 0.5, 0.1, 0.16, -0.08]\n").find("does not move q"),
            std::string::npos);
  EXPECT_NE(complaint(q + "v = [0.6, 0.0, 0.0, -0.8]\n").find("violates the constraints"),
            std::string::npos);
}

}  // namespace
}  // namespace hamel
