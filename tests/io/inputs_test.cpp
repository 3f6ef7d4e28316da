// SPDX-License-Identifier: BSD-3-Clause
// [inputs] of a scenario: what they mean, and what is told of wrong ones.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

#include "hamel/scenario/sweep.hpp"
#include "text_system_support.hpp"

namespace hamel::io {
namespace {

namespace fs = std::filesystem;

const std::string pendulum = R"toml([system]
coordinates = ["theta"]
parameters = { m = 1.0, l = 0.7, g = 9.81, c = 0.3, w = 2.0 }
lagrangian = "m/2*l^2*theta_dot^2 + m*g*l*cos(theta)"
)toml";
const std::string start =
    "[initial]\nq = [1.0]\nxi = [0.2]\n[integrate]\nstep = 0.05\nsteps = 100\n";
const char* const exact_balance = "hamel(frame=kinetic,potential=discrete-gradient)";

std::string with(const std::string& force, const std::string& inputs) {
  return pendulum + "forces = { theta = \"" + force + "\" }\n" +
         (inputs.empty() ? "" : "[inputs]\n" + inputs + "\n") + start;
}

std::unique_ptr<Simulation> simulation(const Scenario& scenario, const std::string& method) {
  return scenario.problem->simulate(MethodSpec::parse(method), scenario.integration);
}

void advance(Simulation& simulation, std::int64_t steps) {
  Block block;
  block.steps = steps;
  ASSERT_EQ(simulation.advance(block), Status::ok) << simulation.failure();
}

/// t, q and ξ after the steps.
std::vector<double> end_of(const std::string& text, const std::string& method,
                           std::int64_t steps = 100) {
  const auto made = simulation(parsed(text), method);
  advance(*made, steps);
  std::vector<double> row(static_cast<std::size_t>(made->row_width()));
  made->write_row(row.data());
  row.resize(3);
  return row;
}

constexpr const char* methods[] = {"hamel",
                                   "gauss",
                                   "rk4",
                                   "fehlberg78",
                                   "dla",
                                   "midpoint_del",
                                   "hamel+su4",
                                   exact_balance,
                                   "gauss(equations=euler-lagrange)",
                                   "rk4(equations=implicit-hamel)",
                                   "hamel(principle=pontryagin)",
                                   "hamel(output=half)"};

TEST(Inputs, AreWhatTheirFormulasAreToEveryMethod) {
  for (const char* method : methods) {
    const auto expected = end_of(with("-c*theta_dot + 0.4*cos(w*t)", ""), method);
    EXPECT_EQ(
        end_of(with("tau + u", "tau = { law = \"-c*theta_dot\" }\nu = \"A*cos(w*t)\"\nA = 0.4"),
               method),
        expected)
        << method;
  }
}

TEST(Inputs, AreHeldFixedWhenALagrangianIsDifferentiated) {
  // The spring grows stiffer as it stretches: the force is −u x, not −∂(u x²/2)/∂x.
  const std::string text =
      "[system]\ncoordinates = [\"x\"]\nlagrangian = \"x_dot^2/2 - u*x^2/2\"\n";
  const std::string plain =
      "[system]\ncoordinates = [\"x\"]\nlagrangian = \"x_dot^2/2\"\nforces = { x = \"-(1 + "
      "x^2)*x\" }\n";
  for (const char* method : {"hamel", "gauss", "rk4", "dla", "midpoint_del", exact_balance,
                             "hamel(principle=pontryagin)", "rk4(equations=implicit-hamel)",
                             "gauss(equations=euler-lagrange)"}) {
    const auto found = end_of(text + "[inputs]\nu = { law = \"1 + x^2\" }\n" + start, method);
    const auto expected = end_of(plain + start, method);
    const double bound = method == exact_balance ? 1e-12 : 1e-13;  // ΔU/Δq is noisy for small Δq
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_NEAR(found[i], expected[i], bound) << method;
  }
}

// A law solved with the step: passivity survives.                                  [MATH 11.1]
TEST(Inputs, ADampedLawClosesItsBalanceInEveryStep) {
  const Scenario scenario = parsed(with("tau", "tau = { law = \"-c*theta_dot\" }"));
  const auto made = simulation(scenario, exact_balance);
  double before = made->invariants()[0].final;
  double balance = made->invariants()[1].final;
  std::vector<double> changes;
  for (int n = 0; n < 100; ++n) {
    advance(*made, 1);
    const auto now = made->invariants();
    EXPECT_LT(now[0].final, before) << "energy grows under a damper";
    before = now[0].final;
    EXPECT_EQ(now[1].info.name, "energy_balance");
    EXPECT_EQ(now[2].info.name, "work");
    changes.push_back(std::fabs(now[1].final - balance));
    balance = now[1].final;
  }
  std::ranges::sort(changes);
  constexpr double round_off = 2.3e-16 * 6.9;  // of the terms, in J
  EXPECT_LE(changes[50], round_off);
  EXPECT_LE(changes.back(), 64 * round_off) << "where it turns, Δq is small, and ΔU/Δq noisy";
  EXPECT_TRUE(scenario.problem->claims(MethodSpec::parse(exact_balance)).keeps("energy_balance"));
  EXPECT_FALSE(scenario.problem->claims(MethodSpec::parse("hamel")).keeps("energy_balance"));
}

TEST(Inputs, BringASystemToRest) {
  // Through subnormal numbers, which have fewer digits than the solver asks for elsewhere.
  const Scenario scenario = parsed(with("tau", "tau = { law = \"-4*theta_dot\" }"));
  for (const char* method : {"hamel", "dla", "gauss", exact_balance}) {
    const auto made = simulation(scenario, method);
    Block block;
    block.steps = 20'000;
    EXPECT_EQ(made->advance(block), Status::ok) << method << ": " << made->failure();
    EXPECT_LT(std::fabs(made->state()[0].values[0]), 1e-300) << method;
  }
}

TEST(Inputs, ThatAreNumbersVaryInSweepsToTheBitOfRuns) {
  const std::string text =
      with("u*cos(theta)", "u = 0.25") + "[sweep.vary]\n\"inputs.u\" = [0.1, 0.25, 0.7]\n";
  const Scenario scenario = parsed(text);
  const auto members = member_source(scenario);
  EXPECT_TRUE(members->one_system());
  double input = 0.0;
  for (int i = 0; i < 3; ++i) {
    const auto made = members->make(i, &input)->simulate(scenario.method, scenario.integration);
    advance(*made, 100);
    std::vector<double> row(static_cast<std::size_t>(made->row_width()));
    made->write_row(row.data());
    row.resize(3);
    const std::string numbers[] = {"0.1", "0.25", "0.7"};
    EXPECT_EQ(row, end_of(with("u*cos(theta)", "u = " + numbers[i]), "hamel")) << i;
  }
}

TEST(SweepMembers, WithBracketsThatAreRightForOneNumberAloneAreRefused) {
  const std::string text =
      "[system]\ncoordinates = [\"x\", \"y\"]\nparameters = { k = 1.0 }\nquasi_lagrangian = "
      "\"(xi1^2 + "
      "xi2^2)/2\"\nframe = [[\"1\", \"0\"], [\"0\", \"exp(k*x)\"]]\nbrackets = [[1, 2, 2, "
      "\"BRACKET\"]]\n"
      "[initial]\nq = [0.1, 0.2]\nxi = [0.3, 0.4]\n[integrate]\nstep = 0.05\nsteps = 10\n"
      "[sweep.vary]\n\"system.parameters.k\" = [1.0, 2.0]\n";
  const auto member = [&](const std::string& bracket, int i) {
    std::string own = text;
    const Scenario scenario = parsed(own.replace(own.find("BRACKET"), 7, bracket));
    double input = 0.0;
    return member_source(scenario)->make(i, &input);
  };
  EXPECT_NO_THROW(member("k", 1));
  EXPECT_NO_THROW(member("1", 0));
  EXPECT_THROW(member("1", 1), InputError);
}

TEST(SweepMembers, AreRefusedAsSingleRunsAre) {
  const auto refused = [](const std::string& system, const std::string& vary) {
    const Scenario scenario =
        parsed(system + "[integrate]\nstep = 0.05\nsteps = 10\n[sweep.vary]\n" +
               "\"system.parameters.c\" = " + vary + "\n");
    double input = 0.0;
    const auto members = member_source(scenario);
    EXPECT_NO_THROW(members->make(0, &input));
    EXPECT_THROW(members->make(1, &input), InputError) << system;
  };
  // Fields that depend on one another at the start, brackets that leave their span, no symmetry.
  refused(
      "[system]\ncoordinates = [\"x\", \"y\"]\nparameters = { c = 1.0 }\nquasi_lagrangian = "
      "\"(xi1^2 + "
      "xi2^2)/2\"\nframe = [[\"1\", \"0\"], [\"0\", \"c\"]]\n[initial]\nq = [0.1, 0.2]\nxi = [0.3, "
      "0.4]\n",
      "[1.0, 0.0]");
  refused(
      "[system]\ncoordinates = [\"x\", \"y\", \"z\"]\nparameters = { c = 0.0 }\nquasi_lagrangian = "
      "\"(xi1^2 + xi2^2)/2\"\nframe = [[\"1\", \"0\", \"0\"], [\"0\", \"1\", "
      "\"c*x\"]]\n[initial]\nq = [0.1, "
      "0.2, 0.3]\nxi = [0.3, 0.4]\n",
      "[0.0, 1.0]");
  refused(
      "[system]\ncoordinates = [\"x\", \"y\"]\nparameters = { c = 0.0 }\nlagrangian = \"(x_dot^2 + "
      "y_dot^2 - c*y^2)/2\"\nsymmetry = [\"y\"]\n[initial]\nq = [0.1, 0.2]\nxi = [0.3, 0.4]\n",
      "[0.0, 1.0]");
}

TEST(Inputs, AreColumnsOfEveryRow) {
  const Scenario scenario = parsed(with(
      "tau + u + v",
      "tau = { law = \"-c*theta_dot\" }\nu = \"cos(w*t)\"\nv = { law = \"theta\", sample = 0.1 }"));
  const auto made = simulation(scenario, "hamel");
  advance(*made, 3);
  std::map<std::string, double> values;
  std::vector<double> row(static_cast<std::size_t>(made->row_width()));
  made->write_row(row.data());
  std::size_t at = 0;
  for (const OutputColumn& column : made->columns()) {
    values[column.path] = row[at];
    at += static_cast<std::size_t>(column.width);
  }
  EXPECT_NEAR(values.at("/inputs/tau"), -0.3 * values.at("/xi"), 1e-15);
  EXPECT_NEAR(values.at("/inputs/u"), std::cos(2.0 * 0.15), 1e-15);
  const auto second = end_of(with("tau + u + v",
                                  "tau = { law = \"-c*theta_dot\" }\nu = \"cos(w*t)\"\nv = "
                                  "{ law = \"theta\", sample = 0.1 }"),
                             "hamel", 2);
  EXPECT_EQ(values.at("/inputs/v"), second[1]) << "held since the second node";
}

TEST(Inputs, ThatAreHeldLeaveLessToClaim) {
  const auto claims = [](const std::string& input, const char* method) {
    return parsed(with("u", input)).problem->claims(MethodSpec::parse(method));
  };
  EXPECT_EQ(claims("u = \"cos(t)\"", "gauss").order, 16);
  EXPECT_EQ(claims("u = { law = \"-theta\" }", "gauss").order, 16);
  EXPECT_EQ(claims("u = { table = [[0, 0], [9, 1]] }", "gauss").order, 2);
  EXPECT_TRUE(claims("u = { table = [[0, 0], [9, 1]] }", "gauss").time_symmetry);
  EXPECT_TRUE(claims("u = { law = \"-theta\" }", "hamel").time_symmetry);
  EXPECT_FALSE(claims("u = { law = \"-theta\", sample = 0.1 }", "hamel").time_symmetry);

  const Scenario pushed = parsed(
      "[system]\ncoordinates = [\"x\", \"y\"]\nlagrangian = \"(x_dot^2 + y_dot^2)/2\"\nforces = { "
      "x = "
      "\"u\" }\ninvariants = { px = \"p1\", py = \"p2\" }\n[inputs]\nu = { table = [[0, 0], [9, "
      "1]] }\n"
      "[initial]\nq = [0, 0]\nxi = [1, 1]\n[integrate]\nstep = 0.05\nsteps = 100\n");
  const Claims kept = pushed.problem->claims(MethodSpec::parse("hamel"));
  EXPECT_FALSE(kept.keeps("px"));
  EXPECT_TRUE(kept.keeps("py"));
  EXPECT_FALSE(pushed.problem->phase_space().autonomous);
}

TEST(Inputs, ThatAreHeldGoWithNodesOnly) {
  const Scenario scenario = parsed(with("u", "u = { law = \"-theta\", sample = 0.1 }"));
  for (const char* method : {"hamel(output=half)", "hamel(reconstruction=mid)"})
    EXPECT_THROW(simulation(scenario, method), InputError) << method;
}

TEST(Inputs, ThatAreLawsOfTheStateTakeTheSymplecticFormFromALagrangian) {
  const Scenario scenario = parsed(
      "[system]\ncoordinates = [\"x\"]\nlagrangian = \"x_dot^2/2 - u*x\"\n[inputs]\nu = { law = "
      "\"0.3*x_dot\" }\n" +
      start);
  EXPECT_FALSE(scenario.problem->claims(MethodSpec::parse("hamel")).symplectic);
  EXPECT_FALSE(scenario.problem->claims(MethodSpec::parse(exact_balance)).keeps("energy"));
}

TEST(Inputs, GoOnAfterACheckpointAsTheyWould) {
  const Scenario scenario =
      parsed(with("tau", "tau = { law = \"-c*theta_dot - theta\", sample = 0.15 }"));
  for (const char* method : {"hamel", "gauss", "rk4", "hamel+su4"}) {
    const auto whole = simulation(scenario, method);
    advance(*whole, 17);  // within a period
    const auto again = simulation(scenario, method);
    again->restore(whole->snapshot());
    advance(*whole, 40);
    advance(*again, 40);
    EXPECT_EQ(whole->snapshot(), again->snapshot()) << method;
  }
}

TEST(Inputs, AreWrittenBackAsTheyWere) {
  const Scenario scenario = parsed(with(
      "a + b + u + d + e",
      "a = 0.5\nb = \"a*t\"\nu = { law = \"-theta\" }\nd = { law = \"theta_dot\", sample = 0.1 "
      "}\ne = { table = [[0, 1], [2.5, 3], [9, -1]], hold = \"zero\" }"));
  const std::string text = scenario.to_toml(MethodSpec::parse("hamel"));
  EXPECT_EQ(parsed(text).to_toml(MethodSpec::parse("hamel")), text);
  const auto row = [](const Scenario& s) {
    const auto made = simulation(s, "hamel");
    advance(*made, 100);
    std::vector<double> values(static_cast<std::size_t>(made->row_width()));
    made->write_row(values.data());
    return values;
  };
  EXPECT_EQ(row(scenario), row(parsed(text)));
}

class InputTables : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("hamel_inputs_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void file(const std::string& text) { std::ofstream(folder_ / "u.csv", std::ios::binary) << text; }
  Scenario scenario(const std::string& input = "u = { file = \"u.csv\" }") {
    return parse_scenario(with("u", input), (folder_ / "s.toml").string(), {}, registry());
  }
  std::string problem(const std::string& input = "u = { file = \"u.csv\" }") {
    try {
      scenario(input);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  fs::path folder_;
};

constexpr const char* line_text = "t,v,u\n0,9,1\n5,9,11\n";

TEST_F(InputTables, OfALineAreTheFormulaAtTheMiddleOfEachStep) {
  file(line_text);
  const auto made = simulation(scenario(), "hamel");
  const auto formula = simulation(parsed(with("u", "u = \"1 + 2*t\"")), "hamel");
  advance(*made, 100);
  advance(*formula, 100);
  EXPECT_NEAR(made->state()[0].values[0], formula->state()[0].values[0], 1e-12);
}

TEST_F(InputTables, MayComeFromWindows) {
  file(line_text);
  const std::string plain = scenario().to_toml(MethodSpec::parse("hamel"));
  file("\xEF\xBB\xBFt,v,u\r\n0,9,1\r\n5,9,11\r\n");
  EXPECT_EQ(scenario().to_toml(MethodSpec::parse("hamel")), plain);
  file("# of the bench\n\n\"t\", \"v\", \"u\"\n0, 9, +1.0\n\n5.0, 9, 1.1e1");
  EXPECT_EQ(scenario().to_toml(MethodSpec::parse("hamel")), plain);
}

TEST_F(InputTables, AreToldWhatIsWrongWithThem) {
  const auto expect = [&](const std::string& text, const std::string& what) {
    file(text);
    const std::string found = problem();
    EXPECT_NE(found.find(what), std::string::npos) << text << "\n" << found;
    EXPECT_NE(found.find("s.toml:"), std::string::npos) << "without its place: " << found;
  };
  expect("t,u\n0,1\n2,1\n2,3\n9,1\n", "u.csv:4: the time 2 does not rise above 2");
  expect("t,u\n0,1\n3,nan\n9,1\n", "u.csv:3: 'nan' is not a finite number");
  expect("t,u\n0,1\n3,1e999\n9,1\n", "'1e999' is not a finite number");
  expect("t,u\n0,1\n3\n", "u.csv:3: has 1 columns, the first line 2");
  expect("t,u\n0,1,5\n9,1,5\n", "u.csv:2: has 3 columns, the first line 2");
  expect("t,u,u\n0,1,5\n9,1,5\n", "there are two columns 'u'");
  expect("t,v\n0,1\n", "there is no column 'u' after that of the time; columns: t, v");
  expect("u,v\n0,1\n", "there is no column 'u' after that of the time");
  expect("t,u\n", "has no rows");
  expect("", "has no rows");
  expect("t,u\n0,1\n4,1\n", "covers t = 0 to 4; the run goes from 0 to 5");
  expect("t,u\n1,1\n9,1\n", "covers t = 1 to 9");
  std::string many = "t,u\n";
  for (int i = 0; i < 10'001; ++i) many += std::to_string(i) + ",0\n";
  expect(many, "more than 10000 rows");
  expect(std::string((1U << 20U) + 1, ' '), "bytes, more than 1048576");
}

TEST_F(InputTables, AreRegularFiles) {
  EXPECT_NE(problem().find("u.csv"), std::string::npos);
  ASSERT_EQ(::mkfifo((folder_ / "u.csv").c_str(), 0600), 0);
  EXPECT_NE(problem().find("u.csv"), std::string::npos) << "and nobody waits for a writer";
  EXPECT_NE(problem("u = { file = \".\" }").find("inputs.u"), std::string::npos);
  fs::remove(folder_ / "u.csv");
  fs::create_directories(folder_ / "below");
  std::ofstream(folder_ / "u.csv") << line_text;
  EXPECT_EQ(problem("u = { file = \"below/../u.csv\" }"), "");
}

TEST(InputsThatAreWrong, AreToldWhatIs) {
  const auto expect = [](const std::string& inputs, const std::string& what,
                         const std::string& force = "u") {
    const auto found = problems(with(force, inputs));
    EXPECT_TRUE(mentions(found, what)) << inputs << "\n"
                                       << (found.empty() ? "no problem" : found.front());
  };
  expect("u = \"-theta\"", "is a formula of t and may contain numbers besides; a law of the state");
  expect("u = true", "must be a number, a formula of t");
  expect("u = nan", "must be a finite number");
  expect("u = { law = \"-theta\", table = [[0, 1], [9, 1]] }", "needs one of law, file and table");
  expect("u = { sample = 0.1 }", "needs one of law, file and table");
  expect("u = { law = \"-thata\" }", "did you mean 'theta'");
  expect("u = { law = \"-xi1\" }", "may contain coordinates, velocities NAME_dot and t only");
  expect("u = { law = \"-theta\", every = 0.1 }", "is not a known key");
  expect("u = { law = \"-theta\", sample = 0.12 }", "which is not a multiple of the step 0.05");
  expect("u = { law = \"-theta\", sample = -0.1 }", "> 0");
  expect("u = { law = \"u + theta\" }", "may not contain an input that is a law or a table");
  expect("u = { law = \"-theta\" }\nv = { law = \"u\" }", "may not contain an input");
  expect("u = { table = [[0, 1], [1]] }", "row 2 is not [t, u]");
  expect("u = { table = [[0, 1], [0, 2]] }", "row 2: the time 0 does not rise above 0");
  expect("u = { table = [[0, 1], [9, 2]], hold = \"cubic\" }", "must be \"linear\" or \"zero\"");
  expect("w2 = 3.0\nu = \"cos(w3*t)\"", "did you mean 'w' or 'w2'?");
  EXPECT_TRUE(problems(with("u", "w2 = 3.0\nA = \"cos(w2*t)\"\nu = \"A*b\"\nb = 1.5")).empty())
      << "in whatever order";
  EXPECT_TRUE(mentions(
      problems(
          "[system]\ncoordinates = [\"x\"]\nlagrangian = \"u*x_dot^2/2\"\n[inputs]\nu = { law = "
          "\"1 + x^2\" }\n" +
          start),
      "has an input that is a law or a table in its momenta"));
  expect("xi = 1.0", "a column of recordings");
  expect("z_dot = 1.0", "ends with _dot");
  expect("theta = 1.0", "theta", "theta");
  expect("m = 1.0", "m", "m");
  expect("w = 1.0\nu = 1.0", "w");
  EXPECT_TRUE(mentions(problems("[system]\nname = \"henon_heiles\"\n[inputs]\nu = 1.0\n"),
                       "are for systems given by coordinates and a Lagrangian"));
  EXPECT_TRUE(mentions(
      problems(
          "[system]\ncoordinates = [\"x\", \"y\"]\nlagrangian = \"x_dot^2 + y_dot^2\"\nframe = "
          "[[\"1\", \"u\"]]\n[inputs]\nu = { law = \"x\" }\n[initial]\nq = [0, 0]\nxi = [1]\n"),
      "may contain the coordinates only"));
}

}  // namespace
}  // namespace hamel::io
