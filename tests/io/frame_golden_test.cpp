// SPDX-License-Identifier: BSD-3-Clause
// Every reference of golden/frames, by systems given as text and by those of the catalogue:
// continuous motion to 1e-11 with gauss, discrete Hamel, DLA, DEL and half-node sequences to 1e-12.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "hamel/scenario/scenario.hpp"

namespace hamel::io {
namespace {

using Json = nlohmann::json;

Json golden(const std::string& name) {
  const std::string folder = name == "spherical_pendulum_doc000" ? "/" : "/frames/";
  std::ifstream file(HAMEL_GOLDEN_DIR + folder + name + ".json");
  return Json::parse(file);
}

const std::string rotation = R"toml(
coordinates = ["r11", "r12", "r13", "r21", "r22", "r23", "r31", "r32", "r33"]
)toml";
const std::string body_1 =
    R"toml(["0", "r13", "-r12", "0", "r23", "-r22", "0", "r33", "-r32"])toml";
const std::string body_2 =
    R"toml(["-r13", "0", "r11", "-r23", "0", "r21", "-r33", "0", "r31"])toml";
const std::string body_3 =
    R"toml(["r12", "-r11", "0", "r22", "-r21", "0", "r32", "-r31", "0"])toml";
const std::string rotation_brackets =
    R"toml(brackets = [[1, 2, 3, "1"], [2, 3, 1, "1"], [3, 1, 2, 1]])toml";
std::string sleigh(const std::string& offset) {
  return "parameters = { m = 1, J = 1, a = " + offset + R"toml( }
coordinates = ["x", "y", "theta"]
lagrangian = "m/2*((x_dot - a*sin(theta)*theta_dot)^2 + (y_dot + a*cos(theta)*theta_dot)^2) + J/2*theta_dot^2"
frame = [["cos(theta)", "sin(theta)", "0"], ["0", "0", "1"]]
)toml";
}

/// [system] of a golden file, as text; "" where there is none.
const std::map<std::string, std::string>& texts() {
  static const std::map<std::string, std::string> all = {
      {"sleigh_unbalanced", sleigh("0.5")},
      {"sleigh_balanced", sleigh("0")},
      {"kepler_polar", R"toml(
coordinates = ["r", "th"]
lagrangian = "(r_dot^2 + r^2*th_dot^2)/2 + 1/r"
frame = [["1", "0"], ["0", "1/r"]]
)toml"},
      {"knife_edge_incline", R"toml(
coordinates = ["x", "y", "ph"]
lagrangian = "(x_dot^2 + y_dot^2 + ph_dot^2)/2 + 2*x"
frame = [["cos(ph)", "sin(ph)", "0"], ["0", "0", "1"]]
)toml"},
      {"rolling_disk", R"toml(
coordinates = ["x", "y", "th", "ph"]
parameters = { m = 1, R = 0.5, I = 0.2, J = 0.1 }
lagrangian = "m/2*(x_dot^2 + y_dot^2) + I/2*th_dot^2 + J/2*ph_dot^2"
frame = [["R*cos(ph)", "R*sin(ph)", "1", "0"], ["0", "0", "0", "1"]]
)toml"},
      {"lynch_zenkov_A", R"toml(
coordinates = ["r", "g", "s"]
lagrangian = "(r_dot^2 + g_dot^2 + exp(-2*g)*s_dot^2)/2 - (2*r^2 + r/2)"
frame = [["1", "0", "-a*exp(g)"], ["0", "1", "-b*exp(g)"]]
[system.let]
a = "1"
b = "1/2 + 2*r"
)toml"},
      {"euler_top", rotation + "quasi_lagrangian = \"(xi1^2 + 2*xi2^2 + 3*xi3^2)/2\"\nframe = [" +
                        body_1 + "," + body_2 + "," + body_3 +
                        "]\n"},  // brackets by differentiation
      {"lagrange_top", rotation +
                           "quasi_lagrangian = \"(xi1^2 + xi2^2 + 3/2*xi3^2)/2 - r33\"\nframe = [" +
                           body_1 + "," + body_2 + "," + body_3 + "]\n" + rotation_brackets + "\n"},
      {"suslov", rotation +
                     "quasi_lagrangian = \"xi1^2 + 3/2*xi2^2 + 2*xi3^2 + xi1*xi3/2 + "
                     "xi2*xi3/4\"\nframe = [" +
                     body_1 + "," + body_2 + "]\ncomplement = [" + body_3 + "]\n"},
      {"spherical_pendulum_doc000", R"toml(
coordinates = ["G1", "G2", "G3"]
quasi_lagrangian = "9.8^2*(xi1^2 + xi2^2)/2 - 9.8^2*G3"
frame = [["0", "G3", "-G2"], ["-G3", "0", "G1"]]
complement = [["G2", "-G1", "0"]]
brackets = [[1, 2, 3, "1"]]
)toml"}};
  return all;
}

const std::map<std::string, std::string>& catalogue() {
  static const std::map<std::string, std::string> all = {
      {"sleigh_unbalanced", "name = \"chaplygin_sleigh\""},
      {"sleigh_balanced", "name = \"chaplygin_sleigh\"\noffset = 0"},
      {"lynch_zenkov_A", "name = \"lynch_zenkov\""},
      {"euler_top", "name = \"euler_top\""},
      {"suslov", "name = \"suslov\""}};
  return all;
}

std::string list(const Json& numbers) {
  std::string text;
  for (const auto& x : numbers) text += (text.empty() ? "" : ", ") + x.get<std::string>();
  return "[" + text + "]";
}

Scenario scenario(const std::string& name, const std::string& system) {
  static const Registry registry = builtin_registry();
  const Json init = golden(name)["init"];
  return parse_scenario("[system]\n" + system + "\n[initial]\nq = " + list(init["q"]) +
                            "\nxi = " + list(init["xi"]) + "\n[integrate]\nstep = 0.1\n",
                        name, {}, registry);
}

double error(const std::vector<Quad>& found, const Json& expected) {
  EXPECT_EQ(found.size(), expected.size());
  double worst = 0.0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Quad x = quad_from_string(expected[i].get<std::string>());
    const auto e = static_cast<double>(abs(found[i] - x) / max(Quad(1), abs(x)));
    if (!(e <= worst)) worst = e;
  }
  return worst;
}

EndPoint run_to(const Scenario& s, const std::string& method, double t, std::int64_t steps) {
  return s.problem->end_point(MethodSpec::parse(method), s.integration, t, steps,
                              Precision::double_precision);
}

struct Case {
  std::string golden, system;
  const char* origin;
};
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.golden; }

std::vector<Case> cases() {
  std::vector<Case> list;
  for (const auto& [name, system] : texts()) list.push_back({name, system, "text"});
  for (const auto& [name, system] : catalogue()) list.push_back({name, system, "catalogue"});
  return list;
}

class FrameGolden : public testing::TestWithParam<Case> {
 protected:
  Json reference = golden(GetParam().golden);
  Scenario s = scenario(GetParam().golden, GetParam().system);
};

TEST_P(FrameGolden, GaussReachesTheContinuousMotion) {
  for (const auto& point : reference["continuous"]) {
    const double t = std::stod(point["t"].get<std::string>());
    const EndPoint end = run_to(s, "gauss", t, static_cast<std::int64_t>(std::ceil(t / 0.05)));
    ASSERT_EQ(end.status, Status::ok);
    EXPECT_LE(error(end.q, point["q"]), 1e-11) << "t = " << t;
    EXPECT_LE(error(end.velocity, point["xi"]), 1e-11) << "t = " << t;
  }
}

TEST_P(FrameGolden, ClosedSolutionsReachTheContinuousMotion) {
  // the top's data are exact in double, the sleigh's are rounded decimals
  const double bound = GetParam().golden == "euler_top" ? 1e-25 : 1e-14;
  int compared = 0;
  for (const auto& point : reference["continuous"]) {
    const auto exact = s.problem->exact(quad_from_string(point["t"].get<std::string>()));
    if (!exact) continue;
    EXPECT_LE(error(exact->q, point["q"]), bound);
    EXPECT_LE(error(exact->velocity, point["xi"]), bound);
    ++compared;
  }
  // Texts have none; of the catalogue the sleigh and the Euler top have one.
  const bool closed =
      std::string(GetParam().origin) == "catalogue" &&
      (GetParam().golden.starts_with("sleigh_") || GetParam().golden == "euler_top");
  EXPECT_EQ(compared, closed ? static_cast<int>(reference["continuous"].size()) : 0);
  EXPECT_GE(reference["continuous"].size(), 4U);
}

TEST_P(FrameGolden, HamelGivesTheDiscreteNodes) {  // [MATH 2.2]
  const double h = std::stod(reference["discrete_hamel_node"]["h"].get<std::string>());
  for (const auto& [count, node] : reference["discrete_hamel_node"]["steps"].items()) {
    const int n = std::stoi(count);
    const EndPoint end = run_to(s, "hamel", n * h, n);
    ASSERT_EQ(end.status, Status::ok);
    EXPECT_LE(error(end.q, node["q"]), 1e-12) << n << " steps";
    EXPECT_LE(error(end.velocity, node["xi_node"]), 1e-12) << n << " steps";
  }
}

INSTANTIATE_TEST_SUITE_P(All, FrameGolden, testing::ValuesIn(cases()), [](const auto& info) {
  return info.param.golden + "_" + info.param.origin;
});

/// The momenta p of (q, ξ) at the end of a run, after q itself.
std::vector<Quad> state_after(const Scenario& s, const std::string& method, int steps) {
  const auto simulation = s.problem->simulate(MethodSpec::parse(method), s.integration);
  Block block;
  block.steps = steps;
  EXPECT_EQ(simulation->advance(block), Status::ok);
  std::vector<Quad> z;
  for (const auto& part : simulation->state())
    if (part.field.name == "q" || part.field.name == "p")
      z.insert(z.end(), part.values.begin(), part.values.end());
  return z;
}

// [MATH 3.2]
TEST(DlaGolden, EverySequenceIsReproduced) {
  const Json all = golden("discrete_dla_del_half");
  const std::map<std::string, std::string> systems = {
      {"sleigh_unbalanced h=0.1 state (x,y,theta,P1,P2), P_j=<u_j(q_k),D2Ld>", "sleigh_unbalanced"},
      {"sleigh_balanced h=0.1", "sleigh_balanced"},
      {"lynch_zenkov_A h=0.1 state (r,g,s,P1,P2)", "lynch_zenkov_A"},
      {"knife h=0.1", "knife_edge_incline"}};
  const std::map<std::string, std::string> methods = {{"mid", "dla"},
                                                      {"avg", "dla(constraint=average)"},
                                                      {"0", "dla(alpha=0)"},
                                                      {"1", "dla(alpha=1)"}};
  int compared = 0;
  for (const auto& [key, name] : systems) {
    std::vector<std::string> definitions = {texts().at(name)};
    if (catalogue().contains(name)) definitions.push_back(catalogue().at(name));
    for (const auto& definition : definitions) {
      const Scenario s = scenario(name, definition);
      for (const auto& [constraint, sequence] : all.at(key).items())
        for (const auto& [steps, state] : sequence.items()) {
          EXPECT_LE(error(state_after(s, methods.at(constraint), std::stoi(steps)), state), 1e-12)
              << name << " " << constraint << " " << steps;
          ++compared;
        }
    }
  }
  EXPECT_EQ(compared, 3 * (2 * (4 + 3 + 3) + 2));
}

// [MATH 3.1]
TEST(DelGolden, HenonHeiles) {
  static const Registry registry = builtin_registry();
  const Json all =
      golden("discrete_dla_del_half").at("HenonHeiles DEL midpoint h=0.1 state (x,y,px,py)");
  const Scenario s = parse_scenario(R"toml([system]
coordinates = ["x", "y"]
lagrangian = "(x_dot^2 + y_dot^2)/2 - ((x^2 + y^2)/2 + x^2*y - y^3/3)"
[initial]
q = [0.1, -0.2]
v = [0.3, 0.25]
[integrate]
step = 0.1
)toml",
                                    "henon_heiles", {}, registry);
  for (const char* method : {"midpoint_del", "hamel", "hamel(principle=pontryagin)"})
    for (const auto& [steps, state] : all.items())
      EXPECT_LE(error(state_after(s, method, std::stoi(steps)), state), 1e-12)
          << method << " " << steps;
}

// [MATH 3.3]
TEST(HalfNodeGolden, BothReconstructions) {
  const Json all = golden("discrete_dla_del_half")
                       .at("sleigh_unbalanced half-node (slides) h=0.1: startup (q_1/2,xi_01) then "
                           "steps");
  const Scenario s = scenario("sleigh_unbalanced", sleigh("0.5"));
  const auto half_node = [&](const std::string& method, int steps) {
    const auto simulation = s.problem->simulate(MethodSpec::parse(method), s.integration);
    Block block;
    block.steps = steps;
    EXPECT_EQ(simulation->advance(block), Status::ok);
    EXPECT_NEAR(simulation->time(), (steps + 0.5) * 0.1, 1e-12);
    std::vector<Quad> z;
    for (const auto& part : simulation->state())
      if (part.field.name == "q" || part.field.name == "xi")
        z.insert(z.end(), part.values.begin(), part.values.end());
    return z;
  };
  const std::map<std::string, std::string> methods = {{"avg", "hamel(output=half)"},
                                                      {"mid", "hamel(reconstruction=mid)"}};
  for (const auto& [rule, method] : methods) {
    EXPECT_LE(error(half_node(method, 0), all["startup"]), 1e-12);
    for (const auto& [steps, state] : all[rule].items())
      EXPECT_LE(error(half_node(method, std::stoi(steps)), state), 1e-12) << rule << " " << steps;
  }
}

}  // namespace
}  // namespace hamel::io
