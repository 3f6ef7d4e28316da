# SPDX-License-Identifier: BSD-3-Clause
"""hamel section and run --lyapunov: their files and documents, what they refuse."""

import csv
import os

from support import ProgramTest

STAR = """[system]
name = "henon_heiles"
rotation = 0.0
[initial]
q = [0.0, 0.1]
v = [0.49, 0.0]
[integrate]
method = "gauss(stages=4)"
step = 0.1
until = 200.0
"""


class Section(ProgramTest):
    """Poincaré sections from the command line."""

    def test_document_and_files_hold_the_same(self):
        self.write("star.toml", STAR)
        section = self.document("section", "star.toml", "--plane", "x")
        self.assertEqual((section["status"], section["steps_done"]), ("ok", 2000))
        self.assertEqual(section["names"], ["t", "direction", "x", "y", "xi1", "xi2", "energy"])
        self.assertEqual(section["axes"], ["y", "xi2"])
        self.assertGreaterEqual(len(section["crossings"]), 30)
        for t, direction, x, _, xi1, _, energy in section["crossings"]:
            self.assertEqual(direction, 1)
            self.assertGreater(xi1, 0)
            self.assertLessEqual(abs(x), 1e-15)
            self.assertAlmostEqual(energy, 0.5 * 0.49 ** 2 + 0.5 * 0.01 - 0.001 / 3, delta=1e-12)
            self.assertTrue(0 < t <= 200)
        self.assertEqual(section["files"], [f"results/star/section.{s}" for s in ("csv", "svg", "png")])
        with open(self.folder / "results/star/section.csv", newline="", encoding="utf-8") as file:
            head, *rows = list(csv.reader(file))
        self.assertEqual(head, section["names"])
        self.assertEqual([[float(x) for x in row] for row in rows], section["crossings"])
        drawn = [line.split() for line in
                 (self.folder / "results/star/section.dat").read_text().splitlines()
                 if line and not line.startswith("#")]
        self.assertEqual([[float(x), float(y)] for x, y in drawn],
                         [[c[3], c[5]] for c in section["crossings"]])

    def test_directions_axes_and_no_files(self):
        call = ("section", self.pendulum, "--plane", "q1 - q2/2", "--steps", "500", "--out", "none")
        counts = {d: len(self.document(*call, "--direction", d)["crossings"])
                  for d in ("up", "down", "both")}
        self.assertEqual(counts["both"], counts["up"] + counts["down"])
        self.assertGreater(counts["up"], 5)
        self.assertEqual(os.listdir(self.folder), ["pendulum.toml"])
        self.assertEqual(self.document(*call)["axes"], ["q3", "omega1"])
        axes = self.document(*call, "--axes", "atan2(q1, q2), omega3")["axes"]
        self.assertEqual(axes, ["atan2(q1, q2)", "omega3"])
        result = self.good(*call)
        self.assertIn(f"passed {counts['up']} times (up) in 500 steps", result.out)

    def test_no_passage(self):
        call = ("section", self.pendulum, "--plane", "q3 - 2", "--steps", "50")
        self.assertEqual(self.document(*call)["crossings"], [])
        self.assertIn("passed 0 times", self.good(*call).out)
        self.assertEqual(os.listdir(self.folder), ["pendulum.toml"])

    def test_velocities_have_their_names_where_the_frame_is_that_of_the_coordinates(self):
        self.write("star.toml", STAR)
        both = [self.document("section", "star.toml", "--plane", plane, "--axes", axes, "--until", "40")
                for plane, axes in (("x_dot", "x, y_dot"), ("xi1", "x, xi2"))]
        self.assertGreaterEqual(len(both[0]["crossings"]), 5)
        self.assertEqual(both[0]["crossings"], both[1]["crossings"])
        self.refused("section", "star.toml", "--plane", "z_dot",
                     says=["unknown name 'z_dot'", "x_dot, xi1, xi2, y, y_dot"])
        self.write("own.toml", '[system]\ncoordinates = ["x", "y"]\nlagrangian = "x_dot^2 + y_dot^2"\n'
                   'frame = [["1", "x"], ["0", "1"]]\n[initial]\nq = [1, 0]\nxi = [-1, 0]\n')
        self.refused("section", "own.toml", "--plane", "x_dot", says="known: x, xi1, xi2, y")

    def test_bad_calls(self):
        call = ("section", self.pendulum, "--steps", "50")
        self.refused(*call, says="--plane FORMULA is missing")
        self.refused(*call, "--plane", "q4", says=["unknown name", "did you mean"])
        self.refused(*call, "--plane", "q1 +", says="^")
        self.refused(*call, "--plane", "1 + 1", says="same for every state")
        self.refused(*call, "--plane", "q1", "--direction", "left", says="--direction")
        self.refused(*call, "--plane", "q1", "--axes", "q2", says="--axes")
        self.refused(*call, "--plane", "q1", "--axes", "q2,z", says="unknown name 'z'")
        self.refused(*call, "--plane", "x_dot", says=["unknown name 'x_dot'", "omega1", "q1, q2, q3"])
        self.refused(*call, "--plane", "q1", "--out", "a.csv", says="none")
        self.write("star.toml", STAR)
        self.refused("section", "star.toml", "--plane", "x", "--method", "hamel(output=half)",
                     says="half-node")

    def test_a_failed_run_keeps_what_was_found(self):
        call = ("section", self.pendulum, "--plane", "q2", "--method", "variational", "--step", "100",
                "--steps", "5")
        section = self.document(*call, code=3)
        self.assertEqual((section["status"], section["steps_done"]), ("no_solution", 0))


class Lyapunov(ProgramTest):
    """run --lyapunov."""

    def test_summary_and_document(self):
        scenario = self.write("up.toml", '[system]\nname = "spherical_pendulum"\n[initial]\n'
                              "q = [0.0, 0.0, 1.0]\nomega = [0.0, 0.0, 0.0]\n")
        call = ("run", scenario, "--set", "system.gravity=4.0", "--set", "system.length=1.0", "--method",
                "gauss", "--step", "0.1", "--steps", "2000", "--out", "none", "--lyapunov")
        found = self.document(*call)["lyapunov"]
        self.assertAlmostEqual(found["exponent"], 2.0, delta=1e-9)
        self.assertLess(found["standard_error"], 1e-9)
        self.assertEqual((found["status"], found["steps"], len(found["curve"])), ("ok", 2000, 20))
        self.assertAlmostEqual(found["curve"][-1][0], 200.0, delta=1e-9)
        self.assertIn("largest Lyapunov exponent 2 +-", self.good(*call).out)
        self.assertNotIn("lyapunov", self.document(*call[:-1]))

    def test_refused_before_the_run(self):
        self.refused("run", self.pendulum, "--steps", "30", "--lyapunov", says="at least 40")
        self.write("star.toml", STAR)
        self.refused("run", "star.toml", "--method", "hamel(output=half)", "--lyapunov",
                     says="half-node")
        self.write("driven.toml", '[system]\nname = "chain_pendulum"\nn = 2\n'
                   'base = ["sin(t)", "0", "0"]\n')
        self.refused("run", "driven.toml", "--lyapunov", says="depends on time")
        self.refused("section", "driven.toml", "--plane", "q1_1", says="depends on time")
