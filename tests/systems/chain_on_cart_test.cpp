// SPDX-License-Identifier: BSD-3-Clause
// The chain on a cart against Newton's laws with multipliers, other coordinates, a chain that hangs
// from a fixed point, and its equilibria.
#include "hamel/systems/chain_on_cart.hpp"

#include <array>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "hamel/expressions/program.hpp"
#include "hamel/models/frame_equations.hpp"
#include "hamel/solve/dense.hpp"
#include "reference.hpp"

namespace hamel {
namespace {

using Numbers = std::vector<double>;

std::string text_of(const Numbers& list) {
  std::string text;
  for (const double x : list) text += (text.empty() ? "" : ", ") + io::shortest(x);
  return "[" + text + "]";
}

io::Scenario chain(const std::string& parameters, const Numbers& q, const Numbers& xi,
                   const std::string& step = "0.02") {
  return scenario_of("chain_on_cart", parameters + "\n[initial]\nq = " + text_of(q) + "\nxi = " +
                                          text_of(xi) + "\n[integrate]\nstep = " + step + "\n");
}

std::vector<Quad> quads(const Numbers& list) { return {list.begin(), list.end()}; }

/// Newton's laws of a cart and bobs in Cartesian coordinates, the links as constraints:
/// m_k r̈_k = −m_k g e3 − λ_k d_k + λ_{k+1} d_{k+1},  d_k·d̈_k = −|ḋ_k|².
struct Newton {
  Numbers masses;  // the cart first
  double g = 9.81;

  /// z = positions, then velocities; three numbers each, the cart's height stays.
  Numbers operator()(const Numbers& z) const {
    const std::size_t bodies = masses.size();
    const std::size_t n = bodies - 1;
    const auto d = [&](std::size_t from, std::size_t k, std::size_t c) {
      return z[from + 3 * k + c] - z[from + 3 * (k - 1) + c];
    };
    const auto mobility = [&](std::size_t k, std::size_t c) {
      return k == 0 && c == 2 ? 0.0 : 1.0 / masses[k];
    };
    Numbers matrix(n * n);
    Numbers lambda(n);
    for (std::size_t k = 1; k <= n; ++k)
      for (std::size_t c = 0; c < 3; ++c) {
        const double own = d(0, k, c);
        const double rate = d(3 * bodies, k, c);
        double* row = matrix.data() + (k - 1) * n;
        row[k - 1] += own * (mobility(k, c) + mobility(k - 1, c)) * own;
        if (k < n) row[k] -= own * mobility(k, c) * d(0, k + 1, c);
        if (k > 1) row[k - 2] -= own * mobility(k - 1, c) * d(0, k - 1, c);
        lambda[k - 1] += rate * rate;
        if (k == 1 && c == 2) lambda[0] -= own * g;  // the cart does not fall
      }
    std::vector<int> pivot(n);
    EXPECT_TRUE(lu_factor(matrix.data(), static_cast<int>(n), pivot.data()));
    lu_solve(matrix.data(), static_cast<int>(n), pivot.data(), lambda.data());
    Numbers rate(z.begin() + static_cast<std::ptrdiff_t>(3 * bodies), z.end());
    for (std::size_t k = 0; k < bodies; ++k)
      for (std::size_t c = 0; c < 3; ++c) {
        double force = 0.0;
        if (k > 0) force -= lambda[k - 1] * d(0, k, c);
        if (k < n) force += lambda[k] * d(0, k + 1, c);
        rate.push_back(force * mobility(k, c) - (c == 2 && k > 0 ? g : 0.0));
      }
    return rate;
  }

  Numbers after(const Numbers& z, double t, int steps) const {
    return by_rk4(z, t, steps, [&](double, const Numbers& at) { return (*this)(at); });
  }
};

// [MATH 6.2]
TEST(ChainOnCart, ObeysNewtonsLaws) {
  const Numbers masses = {1.3, 0.7, 0.4, 0.9};
  const Numbers lengths = {0.8, 1.1, 0.5};
  const Numbers q = {0.2, -0.1, 0.6, 0.0, -0.8, 0.0, 0.6, -0.8, 0.28, 0.0, -0.96};
  const Numbers v = {0.3, -0.2, 0.4, 0.5, 0.3, 0.2, 0.8, 0.6, 0.0, 0.7, 0.0};
  const io::Scenario s =
      scenario_of("chain_on_cart",
                  "cart = 1.3\nmasses = [0.7, 0.4, 0.9]\nlengths = [0.8, 1.1, 0.5]\n[initial]"
                  "\nq = " +
                      text_of(q) + "\nv = " + text_of(v) + "\n[integrate]\nstep = 0.02\n");
  Numbers z;
  for (const Numbers& from : {q, v}) {
    Numbers body = {from[0], from[1], 0.0};
    z.insert(z.end(), body.begin(), body.end());
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t c = 0; c < 3; ++c) body[c] += lengths[k] * from[2 + 3 * k + c];
      z.insert(z.end(), body.begin(), body.end());
    }
  }
  z = Newton{masses}.after(z, 1.0, 2000);
  Numbers expected = {z[0], z[1]};
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t c = 0; c < 3; ++c)
      expected.push_back((z[3 * k + 3 + c] - z[3 * k + c]) / lengths[k]);
  const EndPoint end = run_to(s, "gauss(stages=4)", 1.0, 100);
  ASSERT_EQ(end.status, Status::ok);
  EXPECT_LE(difference(end.q, quads(expected)), 2e-10);
}

// n = 1 in the cart's and two spherical coordinates, as text.
TEST(ChainOnCart, OneLinkInSphericalCoordinates) {
  const io::Scenario angles = io::parse_scenario(R"toml(
[system]
coordinates = ["x", "y", "th", "ph"]
parameters = { M = 1.0, m = 0.5, l = 1.2, g = 9.81 }
let = { vx = "x_dot + l*(cos(th)*cos(ph)*th_dot - sin(th)*sin(ph)*ph_dot)", vy = "y_dot + l*(cos(th)*sin(ph)*th_dot + sin(th)*cos(ph)*ph_dot)", vz = "-l*sin(th)*th_dot" }
lagrangian = "M/2*(x_dot^2 + y_dot^2) + m/2*(vx^2 + vy^2 + vz^2) - m*g*l*cos(th)"
[initial]
q = [0.0, 0.0, 2.2, 0.0]
v = [0.1, -0.2, 0.5, 0.8]
[integrate]
step = 0.02
)toml",
                                                 "angles.toml", {}, catalogue());
  const double s = std::sin(2.2);
  const double c = std::cos(2.2);
  const Numbers v = {0.5 * c, 0.8 * s, -0.5 * s};
  const io::Scenario spheres = scenario_of(
      "chain_on_cart", "n = 1\nlength = 1.2\n[initial]\nq = " + text_of({0.0, 0.0, s, 0.0, c}) +
                           "\nv = " + text_of({0.1, -0.2, v[0], v[1], v[2]}) +
                           "\n[integrate]\nstep = 0.02\n");
  const EndPoint one = run_to(angles, "gauss", 3.0, 150);
  const EndPoint other = run_to(spheres, "gauss", 3.0, 150);
  ASSERT_EQ(other.status, Status::ok);
  const Quad th = one.q[2];
  const Quad ph = one.q[3];
  EXPECT_LE(
      difference(other.q, {one.q[0], one.q[1], sin(th) * cos(ph), sin(th) * sin(ph), cos(th)}),
      1e-12);
}

// A cart of 1e12 kg does not move: the double spherical pendulum, integrated elsewhere.
TEST(ChainOnCart, OnAHeavyCartItIsTheChainPendulum) {
  std::ifstream file(HAMEL_GOLDEN_DIR "/sphere/double_regular.json");
  const nlohmann::json golden = nlohmann::json::parse(file);
  const io::Scenario s =
      chain("n = 2\ncart = 1e12\nmass = 1.0", {0.0, 0.0, 0.28, 0.0, -0.96, 0.0, 0.28, -0.96},
            {0.0, 0.0, 0.48, 0.0, 0.14, 0.2, 0.0, 0.0});
  for (const auto& state : golden["states"]) {
    const double t = std::stod(state["t"].get<std::string>());
    if (t == 0.0 || t > 5.0) continue;
    Numbers q = {0.0, 0.0};
    Numbers xi = {0.0, 0.0};
    for (const auto& link : state["q"])
      for (const auto& x : link) q.push_back(std::stod(x.get<std::string>()));
    for (const auto& link : state["omega"])
      for (const auto& x : link) xi.push_back(std::stod(x.get<std::string>()));
    const EndPoint end = run_to(s, "gauss", t, static_cast<std::int64_t>(std::lround(50 * t)));
    EXPECT_LE(difference(end.q, quads(q)), 2e-10) << t;
    EXPECT_LE(difference(end.velocity, quads(xi)), 2e-10) << t;
  }
}

// [MATH 5.2] With one link on a heavy cart the step is D0's.
TEST(ChainOnCart, OneLinkOnAHeavyCartTakesTheHamelStepOfTheSphericalPendulum) {
  const io::Scenario pendulum = scenario_of(
      "spherical_pendulum",
      "length = 1.0\ngravity = 9.81\n[initial]\nq = [0.6, 0.0, -0.8]\nomega = [0.4, 0.3, 0.3]\n");
  const io::Scenario cart =
      chain("n = 1\ncart = 1e18", {0.0, 0.0, 0.6, 0.0, -0.8}, {0.0, 0.0, 0.4, 0.3, 0.3});
  const EndPoint one = run_to(pendulum, "hamel", 5.0, 250, Precision::quad);
  EndPoint other = run_to(cart, "hamel", 5.0, 250, Precision::quad);
  ASSERT_EQ(other.status, Status::ok);
  EXPECT_LE(difference({other.q.begin() + 2, other.q.end()}, one.q), 1e-16);
}

TEST(ChainOnCart, EveryStraightEquilibriumStays) {
  for (int signs = 0; signs < 8; ++signs) {
    Numbers q = {0.3, -0.2};
    for (int i = 0; i < 3; ++i) {
      q.insert(q.end(), {0.0, 0.0, (signs >> i) % 2 == 0 ? -1.0 : 1.0});
    }
    const io::Scenario s = chain("n = 3", q, Numbers(11));
    const EndPoint end = run_to(s, "hamel", 20.0, 1000);
    ASSERT_EQ(end.status, Status::ok);
    EXPECT_EQ(difference(end.q, quads(q)), 0.0) << signs;
    // only the hanging one is stable
    q[2] = 1e-6;
    q[4] *= std::sqrt(1.0 - 1e-12);
    const EndPoint beside = run_to(chain("n = 3", q, Numbers(11)), "hamel", 20.0, 1000);
    ASSERT_EQ(beside.status, Status::ok);
    if (signs == 0)
      EXPECT_LE(difference(beside.q, quads(q)), 1e-4);
    else
      EXPECT_GE(difference(beside.q, quads(q)), 0.1) << signs;
  }
}

// Cart and bob turn about their centre of mass with Ω² = g (M + m)/(M l cos θ), the link on a cone.
TEST(ChainOnCart, OneLinkTurnsOnACone) {
  const double M = 2.0;
  const double m = 0.5;
  const double rate = std::sqrt(9.81 * (M + m) / (M * 0.8));  // l = 1, cos θ = 0.8
  const double recoil = -m / (M + m) * 0.6;                   // where the cart is, y = 0
  const io::Scenario s = scenario_of(
      "chain_on_cart",
      "n = 1\ncart = 2.0\nmass = 0.5\n[initial]\nq = " + text_of({recoil, 0.0, 0.6, 0.0, -0.8}) +
          "\nv = " + text_of({0.0, rate * recoil, 0.0, rate * 0.6, 0.0}) +
          "\n[integrate]\nstep = 0.05\n");
  const double angle = 7.0 * rate;
  const EndPoint end = run_to(s, "gauss", 7.0, 140);
  EXPECT_LE(difference(end.q, quads({recoil * std::cos(angle), recoil * std::sin(angle),
                                     0.6 * std::cos(angle), 0.6 * std::sin(angle), -0.8})),
            1e-12);
}

// All but the energy is quadratic in (q, p).
TEST(ChainOnCart, HamelKeepsMomentaLengthsAndSpins) {
  const io::Scenario s = scenario_of("chain_on_cart", "n = 2\n[integrate]\nstep = 0.02\n");
  const auto [status, found] = drifts(s, "hamel", 5000);
  ASSERT_EQ(status, Status::ok);
  const Claims claims = s.problem->claims(MethodSpec::parse("hamel"));
  EXPECT_FALSE(claims.keeps("energy"));
  EXPECT_EQ(found.size(), 8U);
  for (const auto& [name, drift] : found) {
    if (name == "energy") continue;
    EXPECT_TRUE(claims.keeps(name)) << name;
    EXPECT_LE(drift.max_drift, 1e-12) << name;
  }
  const auto [other, lost] = drifts(s, "rk4", 5000);
  ASSERT_EQ(other, Status::ok);
  EXPECT_GE(lost.at("length_2").max_drift, 1e-8);
}

// [MATH 1.7] The brackets that are given, against the fields differentiated at a point.
TEST(ChainOnCart, BracketsAreThoseOfTheFields) {
  ChainOnCart system;
  system.n = 2;
  const FrameModel model = frame_model(system);
  EXPECT_TRUE(model.redundant);
  const std::size_t m = model.frame.size();
  const Expressions c = structure_functions(model);
  const Numbers q = {0.1, 0.2, 0.3, -0.4, 0.5, 0.6, 0.7, -0.8};
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < m; ++j) {
      Expressions rest = bracket(model, static_cast<int>(i), static_cast<int>(j));
      for (std::size_t k = 0; k < m; ++k)
        for (std::size_t r = 0; r < rest.size(); ++r)
          rest[r] -= c[(i * m + j) * m + k] * model.frame[k][r];
      Numbers out(rest.size());
      Evaluator<double>(Program(model.q, rest))(q.data(), out.data());
      for (const double x : out) EXPECT_NEAR(x, 0.0, 1e-15) << i << " " << j;
    }
}

TEST(ChainOnCart, AsManyLinksAsTheListsHave) {
  const io::Scenario s = scenario_of("chain_on_cart", "masses = [1.0, 2.0, 3.0]\n");
  EXPECT_EQ(s.system->coordinates.size(), 11U);
  EXPECT_EQ(s.initial.values.at("xi").size(), 11U);
  try {
    scenario_of("chain_on_cart", "n = 2\nmasses = [1.0, 2.0, 3.0]\n");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("masses has 3 entries for 2 links"),
              std::string::npos);
  }
  EXPECT_THROW(scenario_of("chain_on_cart", "masses = [1, 1, 1, 1, 1, 1, 1, 1, 1]\n"), InputError);
}

}  // namespace
}  // namespace hamel
