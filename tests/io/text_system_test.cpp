// SPDX-License-Identifier: BSD-3-Clause
// Systems given as text: their numbers, claims and ends, and that a definition survives being
// written out.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "hamel/core/error.hpp"
#include "hamel/scenario/scenario.hpp"
#include "text_system_support.hpp"

namespace hamel::io {
namespace {

const std::string sleigh = R"toml([system]
coordinates = ["x", "y", "theta"]
parameters = { m = 1.0, I = 1.0, a = 0.5 }
lagrangian = "m/2*((x_dot - a*sin(theta)*theta_dot)^2 + (y_dot + a*cos(theta)*theta_dot)^2) + I/2*theta_dot^2"
frame = [["cos(theta)", "sin(theta)", "0"], ["0", "0", "1"]]
symmetry = ["x", "y", "theta"]
)toml";
const std::string start = "[initial]\nq = [0, 0, 0]\nxi = [-0.8, 0.3]\n";

EndPoint end_of(const Scenario& s, const std::string& method, std::int64_t steps) {
  return s.problem->end_point(MethodSpec::parse(method), s.integration,
                              0.1 * static_cast<double>(steps), steps, Precision::double_precision);
}

TEST(TextSystem, GivesTheNumbersOfTheCompiledOne) {
  const Scenario own = parsed(sleigh + start);
  const Scenario built_in = parsed("[system]\nname = \"chaplygin_sleigh\"\n" + start);
  for (const char* method :
       {"hamel", "dla", "gauss", "rk4", "hamel(frame=kinetic)", "fehlberg78"}) {
    const EndPoint a = end_of(own, method, 50);
    const EndPoint b = end_of(built_in, method, 50);
    ASSERT_EQ(a.status, Status::ok);
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_LE(static_cast<double>(abs(a.q[i] - b.q[i])), 5e-15) << method;
  }
}

TEST(TextSystem, IsWrittenOutAndReadBack) {
  const std::string text = R"toml([system]
coordinates = ["x", "y"]
parameters = { k = 2.5 }
quasi_lagrangian = "(xi1^2 + w*xi2^2)/2 - k*x^2"
frame = [["1", "0"], ["y", "1 + x^2"]]
brackets = [[1, 2, 1, "-2*x*y/(1 + x^2)"], [1, 2, 2, "2*x/(1 + x^2)"]]
forces = { x = "-0.1*x_dot", y = "sin(t)" }
[system.let]
w = "1 + v"
v = "x^2"
[system.invariants]
"second" = "xi1*p2 + y_dot"
[initial]
q = [0.2, 0.1]
xi = [0.3, -0.4]
)toml";
  const Scenario first = parsed(text);
  const std::string written = first.to_toml(first.method);
  const Scenario second = parse_scenario(written, "own.toml", {}, registry());
  EXPECT_EQ(second.to_toml(second.method), written);
  const EndPoint a = end_of(first, "hamel", 20);
  const EndPoint b = end_of(second, "hamel", 20);
  EXPECT_EQ(a.status, Status::ok);
  EXPECT_TRUE(a.q == b.q && a.velocity == b.velocity);
  EXPECT_EQ(first.problem->simulate(first.method, first.integration)->invariants().size(), 3U);
}

TEST(TextSystem, ParametersCanBeOverridden) {
  Overrides changes;
  changes.set = {"system.parameters.a=0.0"};
  const Scenario s = parse_scenario(sleigh + start, "own.toml", changes, registry());
  const EndPoint end = end_of(s, "hamel", 10);
  EXPECT_NEAR(static_cast<double>(end.velocity[0]), -0.8, 1e-15);  // balanced: v is constant
}

TEST(TextSystem, ClaimsEnergyOnlyWhereItIsKept) {
  const std::string method = "hamel(frame=kinetic,potential=discrete-gradient";
  const auto claims = [](const std::string& lines, const std::string& text) {
    return parsed("[system]\ncoordinates = [\"x\", \"y\"]\n" + lines +
                  "\n[initial]\nq = [0.5, 0.1]\nxi = [1, 1]\n")
        .problem->claims(MethodSpec::parse(text))
        .keeps("energy");
  };
  const std::string quartic = "lagrangian = \"(x_dot^2 + y_dot^2)/2 - x^4 - y^4\"";
  EXPECT_TRUE(claims(quartic, method + ")"));
  EXPECT_FALSE(claims(quartic, method + ",output=half)"));
  EXPECT_FALSE(claims(quartic + "\nforces = { x = \"-x_dot\" }", method + ")"));
  EXPECT_FALSE(
      claims("lagrangian = \"(x_dot^2 + y_dot^2)/2 + 3*sin(x)*y_dot - x^4\"", method + ")"));
  EXPECT_FALSE(claims("lagrangian = \"(x_dot^2 + y_dot^2)/2 - (1 + t)*x^4\"", method + ")"));
  EXPECT_THROW(claims("lagrangian = \"(1 + t)*(x_dot^2 + y_dot^2)/2 - x^4\"", method + ")"),
               InputError);
}

TEST(TextSystem, RefusesVelocitiesAgainstTheConstraint) {
  EXPECT_TRUE(mentions(problems(sleigh + "[initial]\nq = [0, 0, 0]\nv = [1, 0.5, 0]\n"),
                       "violates the constraints by 0.5"));
  EXPECT_TRUE(problems(sleigh + "[initial]\nq = [0, 0, 0]\nv = [1, 0, 0.5]\n").empty());
  EXPECT_TRUE(problems(sleigh + "[initial]\nq = [0, 0, 0]\np = [1, 0.5]\n").empty());
  EXPECT_TRUE(mentions(problems(sleigh + "[initial]\nq = [0, 0, 0]\np = [1, 0.5]\nxi = [1, 0]\n"),
                       "not both"));
  EXPECT_TRUE(mentions(problems(sleigh), "initial is missing"));
}

// A millionth of its size is mended and told; what is more is refused, a tenth as well as all of
// it.
TEST(TextSystem, MendsAMillionthOfAVelocityAndNoMore) {
  const auto with = [](const std::string& v) {
    return sleigh + "[initial]\nq = [0, 0, 0]\nv = " + v;
  };
  for (const char* across : {"1.1e-6", "-1e-5", "1e-3", "0.1", "-0.1"})
    EXPECT_TRUE(mentions(problems(with("[1, " + std::string(across) + ", 0.5]\n")),
                         "violates the constraints by"))
        << across;
  // The size is that of the largest part.
  EXPECT_TRUE(problems(with("[1, 1.1e-5, 20]\n")).empty());
  EXPECT_FALSE(problems(with("[1e-3, 1.1e-9, 1e-4]\n")).empty());
  const Scenario mended = parsed(with("[1, 9e-7, 0.5]\n"));
  EXPECT_TRUE(mentions(mended.notes, "9e-07"));
  EXPECT_TRUE(mentions(mended.notes, "the admissible part is used"));
  EXPECT_EQ(static_cast<double>(end_of(mended, "hamel", 0).velocity.at(0)), 1.0);
  EXPECT_TRUE(parsed(with("[1, 0, 0.5]\n")).notes.empty());
}

// An invariant is listed where nothing but round-off breaks its symmetry.
TEST(TextSystem, ASymmetryThatIsNearlyOneIsNone) {
  const auto momenta = [](const std::string& potential, const std::string& inertia = "1.0") {
    const Scenario s =
        parsed("[system]\nspheres = [\"a\"]\ninertia = [[\"" + inertia + "\"]]\npotential = \"" +
               potential + "\"\n[initial]\nq = [0.6, 0.0, -0.8]\nomega = [0.16, 0.5, 0.12]\n");
    std::string found;
    for (const auto& drift :
         s.problem->simulate(MethodSpec::parse("rk4"), {0.01, false, {}})->invariants())
      if (drift.info.name.starts_with("momentum_")) found += drift.info.name.back();
    return found;
  };
  EXPECT_EQ(momenta("9.81*a3"), "z");
  EXPECT_EQ(momenta("9.81*a3 + 0.1*(a1^2 + a2^2)"), "z");
  EXPECT_EQ(momenta("3*a1^2"), "x");
  EXPECT_EQ(momenta("(a1^2 + a2^2 + a3^2)^2"), "xyz");
  for (const char* broken : {"1", "1e-3", "1e-6", "1e-9"}) {
    EXPECT_EQ(momenta("9.81*a3 + " + std::string(broken) + "*a1"), "") << broken;
    EXPECT_EQ(momenta("9.81*a3 + " + std::string(broken) + "*a1*a2"), "") << broken;
    EXPECT_EQ(momenta("9.81*a3^2", "1 + " + std::string(broken) + "*a1"), "") << broken;
  }
}

// What becomes singular between two steps is noticed by its sign.
TEST(TextSystem, StopsWhereItBecomesSingular) {
  const auto outcome = [](const std::string& lines, double y_rate) {
    const Scenario s = parsed("[system]\ncoordinates = [\"x\", \"y\"]\n" + lines +
                              "\n[initial]\nq = [0, 0]\nxi = [1, " + std::to_string(y_rate) +
                              "]\n[integrate]\nstep = 0.03\n");
    const auto simulation = s.problem->simulate(s.method, s.integration);
    Block block;
    block.steps = 100;
    const Status status = simulation->advance(block);
    return std::pair(status, simulation->failure());
  };
  const auto mass = outcome("lagrangian = \"x_dot^2/2 + y_dot^2/2*(0.55 - x)\"", 0.0);
  EXPECT_EQ(mass.first, Status::singular);
  EXPECT_NE(mass.second.find("kinetic matrix"), std::string::npos);
  const auto frame = outcome(
      "lagrangian = \"x_dot^2/2 + y_dot^2/2\"\nframe = [[\"1\", \"0\"], [\"0\", \"x - 0.55\"]]",
      0.0);
  EXPECT_EQ(frame.first, Status::singular);
  EXPECT_NE(frame.second.find("frame"), std::string::npos);
}

// Fewer fields than coordinates: noticed by the orientation, which a mere turn keeps.
TEST(TextSystem, StopsWhereFewFieldsBecomeDependent) {
  const auto outcome = [](const std::string& field, const std::string& q, std::int64_t measure) {
    const Scenario s =
        parsed("[system]\ncoordinates = [\"x\", \"y\", \"z\"]\n" +
               std::string("lagrangian = \"(x_dot^2 + y_dot^2 + z_dot^2)/2\"\n") +
               "frame = [[\"1\", \"0\", \"0\"], [" + field + "]]\n[initial]\nq = " + q +
               "\nxi = [1, 0.1]\n[integrate]\nstep = 0.03\n");
    const auto simulation = s.problem->simulate(s.method, s.integration);
    Block block;
    block.steps = 100;
    block.measure_every = measure;
    return simulation->advance(block);
  };
  const std::string vanishing = R"~("0", "(x - 0.55)*cos(z)", "(x - 0.55)*sin(z)")~";
  const std::string turning = R"~("0", "cos(9*x)", "sin(9*x)")~";
  for (const std::int64_t measure : {1, 7}) {
    EXPECT_EQ(outcome(vanishing, "[0, 0, 0.3]", measure), Status::singular) << measure;
    EXPECT_EQ(outcome(vanishing, "[0.6, 0, 0.3]", measure), Status::ok) << measure;
    EXPECT_EQ(outcome(turning, "[0, 0, 0.3]", measure), Status::ok) << measure;
  }
}

// l(q, ξ) with ξ3 for which no field is given: along u1 × u2, and said so.
TEST(TextSystem, AFrameIsCompleted) {
  const Scenario own = parsed(R"toml([system]
coordinates = ["x", "y", "theta"]
quasi_lagrangian = "(xi1^2 + (xi3 - 0.5*xi2)^2 + xi2^2)/2"
frame = [["cos(theta)", "sin(theta)", "0"], ["0", "0", "1"]]
)toml" + start);
  ASSERT_EQ(own.notes.size(), 1U);
  EXPECT_NE(own.notes[0].find("xi3"), std::string::npos);
  EXPECT_NE(own.notes[0].find("cross product"), std::string::npos);
  const Scenario built_in = parsed("[system]\nname = \"chaplygin_sleigh\"\n" + start);
  for (const char* method : {"hamel", "dla(constraint=average)", "gauss"}) {
    const EndPoint a = end_of(own, method, 50);
    const EndPoint b = end_of(built_in, method, 50);
    ASSERT_EQ(a.status, Status::ok) << method;
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_LE(static_cast<double>(abs(a.q[i] - b.q[i])), 1e-13) << method;
  }
}

// Two constraints without constant pivots. The mean of one-forms depends on how they are scaled,
// so another complement gives another method, the same to second order.
TEST(TextSystem, ConstraintsNeedNoComplement) {
  const auto end = [](const std::string& more, std::int64_t steps) {
    const Scenario s = parsed(R"toml([system]
coordinates = ["x", "y", "a", "b"]
lagrangian = "(x_dot^2 + 2*y_dot^2 + a_dot^2 + 3*b_dot^2)/2 - cos(x)*y"
frame = [["cos(a)", "sin(a)", "sin(b)", "cos(b)"], ["sin(x)", "1 + y^2", "cos(a)", "exp(b)"]]
)toml" + more + "[initial]\nq = [0.3, 0.2, 0.1, 0.4]\nxi = [0.5, -0.2]\n");
    return s.problem->end_point(MethodSpec::parse("dla(constraint=average)"), s.integration, 1.0,
                                steps, Precision::double_precision);
  };
  const auto difference = [&](std::int64_t steps) {
    const EndPoint with =
        end("complement = [[\"1\", \"0\", \"0.3\", \"0\"], [\"0\", \"0\", \"1\", \"x\"]]\n", steps);
    const EndPoint without = end("", steps);
    EXPECT_EQ(without.status, Status::ok);
    double sum = 0.0;
    for (std::size_t i = 0; i < 4; ++i) sum += static_cast<double>(abs(with.q[i] - without.q[i]));
    return sum;
  };
  EXPECT_NEAR(difference(40) / difference(80), 4.0, 0.2);
}

// Where fixed points do not contract, Gauss goes on by Newton: one stage on a stiff spring is
// Cayley's map of the rotation.
TEST(TextSystem, GaussSolvesStiffSystems) {
  const Scenario s = parsed(R"toml([system]
coordinates = ["x"]
lagrangian = "x_dot^2/2 - 1e6*x^2/2"
[initial]
q = [0.5]
v = [20.0]
)toml");
  const EndPoint end = end_of(s, "gauss(stages=1)", 10);
  ASSERT_EQ(end.status, Status::ok);
  const double a = 0.1 * 1e3 / 2.0;
  const double angle = 10.0 * 2.0 * std::atan(a);
  EXPECT_NEAR(static_cast<double>(end.q[0]), 0.5 * std::cos(angle) + 20.0 / 1e3 * std::sin(angle),
              1e-12);

  const Scenario rod = parsed(R"toml([system]
coordinates = ["x", "y"]
lagrangian = "(x_dot^2 + y_dot^2)/2 - y - 1e6*(sqrt(x^2 + y^2) - 1)^2/2"
[initial]
q = [1.0, 0.0]
v = [0.0, 0.1]
)toml");
  // Ten steps of 0.1 against the same span in 4000: the slow motion is that of a pendulum.
  const EndPoint coarse = rod.problem->end_point(
      MethodSpec::parse("gauss(stages=4)"), rod.integration, 1.0, 10, Precision::double_precision);
  const EndPoint fine =
      rod.problem->end_point(MethodSpec::parse("gauss(stages=4)"), rod.integration, 1.0, 4000,
                             Precision::double_precision);
  ASSERT_EQ(coarse.status, Status::ok);
  ASSERT_EQ(fine.status, Status::ok);
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_NEAR(static_cast<double>(coarse.q[i]), static_cast<double>(fine.q[i]), 1e-4);
}

// A redundant frame without brackets must be refused, not guessed. [MATH 1.7]
TEST(TextSystem, RefusesARedundantFrameWithoutBrackets) {
  EXPECT_TRUE(mentions(problems(R"toml([system]
coordinates = ["g1", "g2", "g3"]
quasi_lagrangian = "(xi1^2 + 1.5*xi2^2 + 2*xi3^2)/2 - g3"
frame = [["0", "g3", "-g2"], ["-g3", "0", "g1"], ["g2", "-g1", "0"]]
[initial]
q = [0.6, 0.0, 0.8]
xi = [0.1, 0.2, 0.3]
)toml"),
                       "brackets"));
}

// Forces enter at second order, and their work balances the energy to second order.
TEST(ForcedSystem, TheEnergyBalanceIsOfSecondOrder) {
  const std::string text = R"toml([system]
coordinates = ["a"]
lagrangian = "a_dot^2/2 + cos(a)"
forces = { a = "-0.1*a_dot + 0.3*cos(2*t)" }
[initial]
q = [0.5]
v = [0.2]
)toml";
  const auto imbalance = [&](double h, const char* method) {
    Overrides step;
    step.step = std::to_string(h);
    const Scenario s = parse_scenario(text, "forced.toml", step, registry());
    const auto simulation = s.problem->simulate(MethodSpec::parse(method), s.integration);
    Block block;
    block.steps = static_cast<std::int64_t>(std::round(10.0 / h));
    EXPECT_EQ(simulation->advance(block), Status::ok);
    for (const auto& drift : simulation->invariants())
      if (drift.info.name == "energy_balance") return drift.max_drift;
    return -1.0;
  };
  for (const char* method : {"hamel", "dla", "midpoint_del", "hamel(output=half)"}) {
    const double ratio = imbalance(0.05, method) / imbalance(0.025, method);
    EXPECT_NEAR(ratio, 4.0, 0.3) << method;
  }
  EXPECT_LE(imbalance(0.05, "gauss"), 1e-13);
  EXPECT_GT(imbalance(0.05, "rk4"), 0.0);
  // the motion itself, against gauss
  const Scenario s = parse_scenario(text, "forced.toml", {}, registry());
  const auto at = [&](const char* method, std::int64_t steps) {
    return s.problem
        ->end_point(MethodSpec::parse(method), s.integration, 10.0, steps,
                    Precision::double_precision)
        .q[0];
  };
  const Quad exact = at("gauss", 200);
  for (const char* method : {"hamel", "dla", "midpoint_del"})
    EXPECT_NEAR(static_cast<double>((at(method, 100) - exact) / (at(method, 200) - exact)), 4.0,
                0.2)
        << method;
}

TEST(TextSystem, TheDiagonalOfAnInertiaIsEnough) {
  const auto with = [](const std::string& inertia) {
    return "[system]\nspheres = [\"a\", \"b\"]\nparameters = { m = 2.0 }\ninertia = " + inertia +
           "\npotential = \"9.81*(m*a3 + b3) + 0.1*a1*b1\"\n[initial]\n"
           "q = [[0.28, 0.0, -0.96], [0.0, 0.28, -0.96]]\n"
           "omega = [[0.48, 0.0, 0.14], [0.2, 0.0, 0.0]]\n[integrate]\nstep = 0.1\n";
  };
  const EndPoint a = end_of(parsed(with("[\"m\", 1.5]")), "hamel", 20);
  const EndPoint b = end_of(parsed(with("[[\"m\", 0], [0, 1.5]]")), "hamel", 20);
  ASSERT_EQ(a.status, Status::ok);
  EXPECT_EQ(a.q, b.q);
  EXPECT_TRUE(mentions(problems(with("[2.0]")), "system.inertia has 1 rows for 2 spheres"));
  EXPECT_TRUE(mentions(problems(with("[2.0, \"1 +\"]")), "system.inertia[2]: missing operand"));
  EXPECT_TRUE(mentions(problems(with("[2.0, [1.0]]")), "system.inertia[1] must be a list"));
}

TEST(TextSystem, AbsurdNumbersOfThingsAreRefusedAtOnce) {
  const auto many = [](int n, const std::string& item) {
    std::string list;
    for (int i = 0; i < n; ++i) {
      std::string one = item;
      if (const auto at = one.find('#'); at != std::string::npos)
        one.replace(at, 1, std::to_string(i));
      list += (i > 0 ? ", " : "") + one;
    }
    return list;
  };
  const std::string plane =
      "[system]\ncoordinates = [\"x\", \"y\"]\nlagrangian = \"x_dot^2 + y_dot^2\"\n";
  const std::string rest = "[initial]\nq = [0, 0]\nxi = [1, 1]\n[integrate]\n";
  EXPECT_TRUE(problems(plane + rest).empty());
  EXPECT_TRUE(mentions(problems(plane + "frame = [" + many(60000, "[\"1\", \"0\"]") + "]\n" + rest),
                       "60000 fields, more than 64"));
  EXPECT_TRUE(
      mentions(problems(plane + "invariants = {" + many(20000, "i# = \"x\"") + "}\n" + rest),
               "20000 formulas, more than 1000"));
  EXPECT_TRUE(mentions(problems(plane + rest + "methods = [" + many(50000, "\"hamel\"") + "]\n"),
                       "50000, more than 100"));
  EXPECT_TRUE(mentions(problems("[system]\nspheres = [" + many(1024, "\"s#_\"") +
                                "]\ninertia = [[1]]\npotential = \"0\"\n"),
                       "1024, more than 64"));
}

}  // namespace
}  // namespace hamel::io
