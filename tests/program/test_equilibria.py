# SPDX-License-Identifier: BSD-3-Clause
"""Relative equilibria: what they are, how they are told, and what is refused."""

import os
import signal
import subprocess

from support import BINARY, catches, NOT_A_NUMBER, numbers, ProgramTest, SOURCE, TIMEOUT, until

LYNCH_ZENKOV = SOURCE / "scenarios/lynch_zenkov.toml"

# x'' = a - x^2: equilibria x = ±√a, which meet at a = 0.
FOLD = """[system]
coordinates = ["x"]
parameters = { a = 1.0 }
lagrangian = "x_dot^2/2 + a*x - x^3/3"
[initial]
q = [0.9]
xi = [0.0]
[integrate]
method = "hamel"
step = 0.1
until = 1.0
"""

SLEIGH = """[system]
coordinates = ["x", "y", "theta"]
lagrangian = "((x_dot - sin(theta)*theta_dot)^2 + (y_dot + cos(theta)*theta_dot)^2 + theta_dot^2)/2"
frame = [["cos(theta)", "sin(theta)", "0"], ["0", "0", "1"]]
symmetry = [{symmetry}]
[initial]
q = [0.0, 0.0, 0.0]
xi = [1.0, 0.1]
[integrate]
method = "hamel"
step = 0.1
until = 1.0
"""


class Equilibria(ProgramTest):
    def found(self, *args, **options):
        document = self.document("equilibria", *args, **options)
        self.assertEqual(document["format_version"], 1)
        for e in document["equilibria"]:
            for key in ("q", "eigenvalues", "methods", "stable", "stability"):
                self.assertIn(key, e)
            self.assertEqual(e["stable"], e["stability"] != "unstable")
            for m in e["methods"]:
                for key in ("method", "defect", "multipliers", "stable"):
                    self.assertIn(key, m)
        return document

    def test_the_slightest_damping_is_told(self):
        """rk4 damps x'' = -x by h^5/144 (|mu|^2 = 1 - h^6/72 + h^8/576), at any step."""
        oscillator = self.write("oscillator.toml", """[system]
coordinates = ["x"]
lagrangian = "x_dot^2/2 - x^2/2"
[initial]
q = [0.1]
v = [0.0]
[integrate]
step = 0.01
until = 1.0
""")
        for h in (0.1, 0.01, 0.003):
            e, = self.found(oscillator, "--methods", "rk4,hamel,gauss", "--step", str(h), "--out",
                            "none")["equilibria"]
            self.assertEqual(e["stability"], "neutral")
            rk4, hamel, gauss = e["methods"]
            self.assertEqual(rk4["stability"], "attracting")
            self.assertLess(abs(rk4["growth"] / (-h**5 / 144) - 1), h * h, rk4)
            for m in (hamel, gauss):
                self.assertEqual(m["stability"], "neutral")
                self.assertLess(abs(m["growth"]), 1e-22)
        text = self.good("equilibria", oscillator, "--methods", "rk4", "--out", "none").out
        self.assertIn("attracting !", text)

    def test_lynch_zenkov(self):
        """Hamel keeps the stability at w = ∓3, DLA turns it round."""
        for w, stable in ((-3.0, True), (3.0, False)):
            e, = self.found(LYNCH_ZENKOV, "--methods", "hamel,dla", "--out", "none", "--set",
                            f"initial.xi=[0.0, {w}]")["equilibria"]
            self.assertEqual(e["xi"], [0.0, w])
            self.assertEqual(e["stable"], stable)
            self.assertEqual([m["stable"] for m in e["methods"]], [stable, not stable])
            moduli = [max(abs(complex(*mu)) for mu in m["multipliers"] if abs(complex(*mu) - 1) > 1e-6)
                      for m in e["methods"]]
            for modulus, expected in zip(moduli, (0.99852391, 1.00286944) if w < 0
                                         else (1.00147827, 0.99713877)):
                self.assertAlmostEqual(modulus, expected, delta=1e-8)

    def test_table_and_figure(self):
        result = self.good("equilibria", LYNCH_ZENKOV, "--methods", "hamel,dla")
        self.columns(result)
        for word in ("r = 0", "cyclic: g, s", "attracting", "unstable !", "0.9985239118",
                     "results/lynch_zenkov/stability.png"):
            self.assertIn(word, result.out)
        for kind in ("png", "svg", "dat", "gp"):
            self.assertTrue((self.folder / f"results/lynch_zenkov/stability.{kind}").is_file(), kind)
        self.assertIsNone(NOT_A_NUMBER.search(result.out), result)

    def test_family(self):
        family = self.found(LYNCH_ZENKOV, "--methods", "hamel,dla", "--along", "xi2", "--from", "-3",
                            "--to", "3", "--count", "13")
        self.assertEqual([e["value"] for e in family["equilibria"]], [-3 + 0.5 * i for i in range(13)])
        for e in family["equilibria"]:
            self.assertEqual(e["xi"][1], e["value"])
            self.assertEqual(e["stability"], "attracting" if e["value"] < 0 else
                             "unstable" if e["value"] > 0 else "neutral")
            self.assertEqual(e["methods"][0]["stability"], e["stability"])
        self.assertEqual(len(family["figures"]), 2)
        result = self.good("equilibria", LYNCH_ZENKOV, "--methods", "hamel,dla", "--along", "xi2",
                           "--from", "-3", "--to", "3", "--out", "none")
        self.columns(result)
        self.assertIn("61 relative equilibria along xi2", result.out)
        self.assertIn("hamel: keeps them all; same stability.", result.out)

    def test_straight_chains(self):
        path = self.write("chain.toml", '[system]\nname = "chain_pendulum"\nn = 3\n[integrate]\n'
                          'step = 0.02\nsteps = 10\nmethods = ["hamel", "variational"]\n')
        all_of_them = self.found(path, "--all")["equilibria"]
        self.assertEqual(len(all_of_them), 8)
        for e in all_of_them:
            up = sum(q[2] > 0 for q in e["q"])
            self.assertEqual(e["omega"], [[0, 0, 0]] * 3)
            for part in (e, *e["methods"]):
                self.assertEqual(part["unstable_directions"], 2 * up)
            self.assertEqual(len(e["eigenvalues"]), 12)
        result = self.good("equilibria", path, "--all")
        self.columns(result)
        self.assertIn("↑↓↑", result.out)

    def test_all_of_a_frame_system(self):
        saddles = self.found(SOURCE / "scenarios/henon_heiles.toml", "--all", "--methods", "hamel")
        at = sorted((round(e["q"][0], 12), round(e["q"][1], 12)) for e in saddles["equilibria"])
        half = round(3 ** 0.5 / 2, 12)
        self.assertEqual(at, [(-half, -0.5), (0.0, 0.0), (0.0, 1.0), (half, -0.5)])
        self.refused("equilibria", SOURCE / "scenarios/chaplygin_sleigh.toml", "--all",
                     says=["families", "--along"])

    def test_conical_pendulum(self):
        family = self.found(self.pendulum, "--along", "Omega", "--from", "1.2", "--to", "2", "--count",
                            "3", "--methods", "hamel", "--out", "none")
        for e in family["equilibria"]:
            self.assertAlmostEqual(e["q"][0][2], -1 / e["value"] ** 2, delta=1e-15)
            self.assertAlmostEqual(e["turning"][2], e["value"], delta=1e-15)
            self.assertEqual(e["stability"], "neutral")
            self.assertEqual(e["methods"][0]["stability"], "neutral")
            self.assertLessEqual(e["methods"][0]["defect"], 1e-20)
        self.assertEqual(family["symmetry"], {"axes": [[0.0, 0.0, 1.0]]})

    def test_a_parameter_of_the_system_and_a_fold(self):
        path = self.write("fold.toml", FOLD)
        family = self.found(path, "--along", "system.parameters.a", "--from", "-1", "--to", "1",
                            "--count", "21", "--out", "none")
        values = [e["value"] for e in family["equilibria"]]
        self.assertAlmostEqual(values[0], 0.1, delta=1e-12)
        self.assertEqual(values[-1], 1.0)
        for e in family["equilibria"]:
            self.assertAlmostEqual(e["q"][0], e["value"] ** 0.5, delta=1e-14)
        self.assertEqual(len(family["ends"]), 1)
        self.assertIn("followed to", family["ends"][0])

    def test_symmetry_is_checked(self):
        good = self.write("good.toml", SLEIGH.format(symmetry='"x", "y", "theta"'))
        self.assertEqual(self.found(good, "--out", "none")["symmetry"]["cyclic"], ["x", "y", "theta"])
        broken = SLEIGH.replace(")/2\"", ")/2 - x\"").format(symmetry='"x"')
        self.refused("equilibria", self.write("bad.toml", broken), says=["symmetry", "x"])

    def test_no_equilibrium(self):
        falling = self.write("falling.toml", FOLD.replace("a*x - x^3/3", "a*x"))
        result = self.refused("equilibria", falling, says=["no relative equilibrium", "iterations"],
                              code=3)
        self.assertIsNone(NOT_A_NUMBER.search(result.err), result)

    def test_refusals(self):
        driven = self.write("driven.toml", FOLD.replace("a*x -", "sin(t)*x -"))
        self.refused("equilibria", driven, says="depends on time")
        for args, says in ((["--along", "xl2"], "did you mean 'xi2'"),
                           (["--along", "g"], "do not contain it"),
                           (["--along", "system.lenght", "--from", "1", "--to", "2"], "system.lenght"),
                           (["--along", "xi2", "--from", "1"], "go together"),
                           (["--along", "xi2", "--from", "2", "--to", "1"], "not below"),
                           (["--from", "1", "--to", "2"], "--along"),
                           (["--all", "--along", "xi2"], "exclude"),
                           (["--along", "xi2", "--count", "1"], "count"),
                           (["--out", "a.png"], "none"),
                           (["--methods", "nosuch"], "nosuch")):
            with self.subTest(" ".join(args)):
                self.refused("equilibria", LYNCH_ZENKOV, *args, says=says)
        self.refused("equilibria", SOURCE / "scenarios/chain100.toml", says="dimensions")

    def test_methods_that_cannot_be_studied(self):
        """They are told, the others are not disturbed."""
        e, = self.found(LYNCH_ZENKOV, "--methods", "hamel,hamel(output=half)", "--out",
                        "none")["equilibria"]
        self.assertIsNone(e["methods"][1]["stable"])
        self.assertIn("half-node", e["methods"][1]["failure"])
        self.assertTrue(e["methods"][0]["stable"])
        result = self.good("equilibria", LYNCH_ZENKOV, "--methods", "hamel,fehlberg78", "--out", "none")
        self.assertIn("fehlberg78 adapts its steps", result.err)
        self.assertNotIn("fehlberg78", result.out)

    def test_numbers_are_finite(self):
        for name in ("suslov", "lagrange_top", "roller_racer", "coupled_pendula"):
            with self.subTest(name):
                document = self.found(SOURCE / f"scenarios/{name}.toml", "--out", "none")
                for x in numbers(document["equilibria"]):
                    self.assertLess(abs(x), 1e6)

    def test_interruption(self):
        arguments = [BINARY, "equilibria", str(LYNCH_ZENKOV), "--along", "xi2", "--from", "-3", "--to",
                     "3", "--count", "10001", "--json"]
        with subprocess.Popen(arguments, cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            # Ten thousand members take minutes: with its handler in place it is at work on them.
            until(self, lambda: process.poll() is not None or catches(process.pid, signal.SIGINT),
                  "the handler of SIGINT")
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(out, b"")
        self.assertIn(b"interrupted", err)
        self.assertNotIn("results", os.listdir(self.folder))
