// SPDX-License-Identifier: BSD-3-Clause
// Systems given as text: what is refused, and with which words.
#include <gtest/gtest.h>

#include "text_system_support.hpp"

namespace hamel::io {
namespace {

TEST(TextSystem, ReportsEveryProblemAtItsPlace) {
  const auto list = problems(R"toml([system]
coordinates = ["x", "y"]
lagrangian = "x_dot^2/2 + y_dt^2/2"
frame = [["1", "0", "0"], ["0"]]
forces = { z = "1" }
frmae = 3
[system.let]
a = "b"
b = "a + 1"
[initial]
q = [1, 2]
xi = [0, 0]
)toml");
  EXPECT_TRUE(mentions(list,
                       "own.toml:3:14: system.lagrangian: unknown name 'y_dt' at column 13; did "
                       "you mean 'y_dot'? known: a, b, t, x, x_dot, xi1, xi2, y, y_dot\n"
                       "x_dot^2/2 + y_dt^2/2\n            ^"));
  EXPECT_TRUE(mentions(list, "system.frame[1][1] has 3 entries"));
  EXPECT_TRUE(mentions(list, "system.frame[2][1] has 1 entries"));
  EXPECT_TRUE(mentions(list, "system.forces.z is not a coordinate"));
  EXPECT_TRUE(mentions(list, "did you mean system.frame?"));
  EXPECT_TRUE(mentions(list, "system.let.a is defined in terms of itself"));
}

TEST(TextSystem, ReservedNamesAreToldWithTheirMeaning) {
  const auto list = problems(R"toml([system]
coordinates = ["xi1", "t", "sin", "x", "x_dot", "p1", "y", "y"]
parameters = { x = 1.0, pi = 3.0, xi2 = 1.0, m = 1.0 }
lagrangian = "x_dot^2/2"
let = { m = "2", y_dot = "x" }
invariants = { energy = "x" }
)toml");
  for (const char* text :
       {"2:16: system.coordinates[1] 'xi1' is reserved: it is a quasi-velocity",
        "2:23: system.coordinates[2] 't' is reserved: it is the time",
        "system.coordinates[3] 'sin' is reserved: it is a function of formulas",
        "system.coordinates[5] 'x_dot' is reserved: it is the velocity of the coordinate 'x'",
        "system.coordinates[6] 'p1' is reserved: it is a momentum",
        "2:60: system.coordinates[8] 'y' is a coordinate already (system.coordinates[7])",
        "system.parameters.x 'x' is a coordinate already (system.coordinates[4])",
        "system.parameters.pi 'pi' is reserved: it is a constant",
        "system.parameters.xi2 'xi2' is reserved: it is a quasi-velocity",
        "system.let.m 'm' is a parameter already (system.parameters.m)",
        "system.let.y_dot 'y_dot' is reserved: it is the velocity of the coordinate 'y'",
        "system.invariants.energy 'energy' is reserved"})
    EXPECT_TRUE(mentions(list, text)) << text;
}

TEST(TextSystem, ReservedNamesOfSpheresAreToldWithTheirMeaning) {
  const auto list = problems(R"toml([system]
spheres = ["a", "t", "a", "a2"]
parameters = { a1 = 1.0, a3_dot = 2.0, a = 1.0 }
inertia = [1, 1, 1, 1]
)toml");
  for (const char* text :
       {"system.spheres[2] 't' is reserved: it is the time",
        "system.spheres[3] 'a' is a sphere already (system.spheres[1])",
        "system.spheres[4] 'a2' is reserved: it is component 2 of the sphere 'a'",
        "system.parameters.a1 'a1' is reserved: it is component 1 of the sphere 'a'",
        "system.parameters.a3_dot 'a3_dot' is reserved: it is the velocity of component 3 of",
        "system.parameters.a 'a' is a sphere already (system.spheres[1])"})
    EXPECT_TRUE(mentions(list, text)) << text;
}

TEST(TextSystem, LagrangiansWithoutKineticMatrixAreToldFromSingularOnes) {
  const auto with = [](const std::string& lines) {
    return problems("[system]\ncoordinates = [\"x\", \"y\"]\n" + lines +
                    "\n[initial]\nq = [0.5, 0]\nxi = [1, 1]\n");
  };
  const std::string linear = "is linear in the velocities: there is no kinetic energy";
  EXPECT_TRUE(
      mentions(with("lagrangian = \"x*y_dot - x^2\""), "3:14: system.lagrangian " + linear));
  EXPECT_TRUE(mentions(with("quasi_lagrangian = \"x*xi1 + xi2\""),
                       "system.quasi_lagrangian is linear in the quasi-velocities"));
  EXPECT_TRUE(mentions(problems("[system]\nspheres = [\"a\"]\nlagrangian = \"a1*a2_dot - a3\"\n"
                                "[initial]\nq = [0, 0, 1]\nv = [0, 0, 0]\n"),
                       linear));
  const auto singular = [&](const std::string& lines, const std::string& where) {
    EXPECT_TRUE(mentions(with(lines),
                         "the kinetic matrix is singular at the initial state: its rank "
                         "is " +
                             where + " no inertia"))
        << lines;
  };
  singular("lagrangian = \"x_dot^2 + x*y_dot\"", "1 of 2; y_dot has");
  singular("lagrangian = \"(x_dot + y_dot)^2\"",
           "1 of 2; the direction (x_dot, y_dot) = (1, -1) has");
  singular("lagrangian = \"(x_dot - 2*y_dot)^2\"",
           "1 of 2; the direction (x_dot, y_dot) = (1, 0.5) has");
  singular("lagrangian = \"x_dot^2 + y_dot\"\nframe = [[\"1\", \"0\"], [\"0\", \"2\"]]",
           "1 of 2; xi2 has");
  singular("lagrangian = \"(x - 0.5)*(x_dot^2 + y_dot^2)\"", "0 of 2; x_dot has");
}

TEST(TextSystem, RefusesWhatIsNoSystem) {
  const auto with = [](const std::string& lines) {
    return problems("[system]\n" + lines + "\n[initial]\nq = [0.5, 0]\nxi = [1, 1]\n");
  };
  const std::string xy = "coordinates = [\"x\", \"y\"]\n";
  EXPECT_TRUE(mentions(with(xy + "lagrangian = \"x^2 - y\""), "not a Lagrangian"));
  EXPECT_TRUE(mentions(with(xy + "quasi_lagrangian = \"x_dot^2 + xi1^2 + xi2^2\""), "velocities"));
  EXPECT_TRUE(mentions(with(xy + "lagrangian = \"x_dot^2 + xi2\""), "quasi_lagrangian"));
  EXPECT_TRUE(mentions(with(xy), "needs a lagrangian"));
  EXPECT_TRUE(mentions(with("lagrangian = \"1\""), "needs coordinates"));
  EXPECT_TRUE(
      mentions(with("coordinates = [\"x\", \"sin\"]\nlagrangian = \"x_dot^2\""), "function"));
  EXPECT_TRUE(mentions(
      with(xy + "lagrangian = \"x_dot^2 + y_dot^2\"\nframe = [[\"1\", \"0\"], [\"2\", \"0\"]]"),
      "redundant"));
  EXPECT_TRUE(
      mentions(with(xy + "quasi_lagrangian = \"xi1^2 + xi2^2\"\nbrackets = [[1, 2, 3, \"1\"]]"),
               "out of range"));
  EXPECT_TRUE(mentions(
      with(xy + "quasi_lagrangian = \"xi1^2 + xi2^2\"\nbrackets = [[1, 1, 2, \"1\"]]"), "i = j"));
  EXPECT_TRUE(mentions(with(xy + "lagrangian = \"x_dot^2 + y_dot^2 - y\"\nsymmetry = [\"y\"]"),
                       "no symmetry"));
  EXPECT_TRUE(mentions(with(xy + "lagrangian = \"log(x - 1)*x_dot^2 + y_dot^2\""), "not finite"));
}

TEST(TextSystem, RefusesWhatWouldBeReadAsSomethingElse) {
  const auto with = [](const std::string& lines) {
    return problems("[system]\n" + lines + "\n[initial]\nq = [0.5, 0]\nxi = [1, 1]\n");
  };
  const std::string xy = "coordinates = [\"x\", \"y\"]\n";
  const std::string free = xy + "lagrangian = \"x_dot^2 + y_dot^2\"\n";
  EXPECT_TRUE(
      mentions(with("coordinates = [\"x_dot\", \"x\"]\nlagrangian = \"x_dot^2\""), "reserved"));
  EXPECT_TRUE(
      mentions(with("coordinates = [\"p1\", \"x\"]\nlagrangian = \"x_dot^2\""), "reserved"));
  EXPECT_TRUE(mentions(with(free + "symmetry = [\"x\"]\nforces = { x = \"-x\" }"), "no symmetry"));
  EXPECT_TRUE(
      mentions(with(xy + "quasi_lagrangian = \"xi1^2 + xi2^2\"\nbrackets = [[1, 2, 1, \"5\"]]"),
               "not those of the frame"));
  EXPECT_TRUE(
      mentions(with(xy + "quasi_lagrangian = \"xi1^2 + xi2^2\"\nbrackets = [[1, 2, 1, \"t\"]]"),
               "coordinates only"));
  EXPECT_TRUE(mentions(with(free + "complement = [[\"1\", \"1\"]]"), "too many fields"));
  EXPECT_TRUE(
      mentions(with(free + "[system.let]\n\"c[2]\" = \"1\"\n\"d[zz\" = \"1\"\n\"e.f\" = \"1\""),
               "is not a name"));
}

// An energy that is exact is claimed only where it is.

}  // namespace
}  // namespace hamel::io
