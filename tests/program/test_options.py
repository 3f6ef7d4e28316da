# SPDX-License-Identifier: BSD-3-Clause
"""Options change what they say and nothing else."""

import math
import os
import re

from support import numbers, one_document, ProgramTest, START


class Options(ProgramTest):
    """Options and keys change what they name."""

    def run_document(self, *args):
        return self.document("run", self.pendulum, "--out", "none", *args)

    def test_step_steps_until(self):
        run = self.run_document("--step", "0.1", "--steps", "30")
        self.assertEqual((run["step"], run["steps"], run["final"]["t"]), (0.1, 30, 30 * 0.1))
        run = self.run_document("--until", "6")
        self.assertEqual((run["step"], run["steps"]), (0.2, 30))
        run = self.run_document("--until", "1", "--step", "0.1")
        self.assertEqual(run["steps"], 10)
        until = self.write("until.toml", START.replace("steps = 20", "until = 2.0"))
        self.assertEqual(self.document("run", until, "--out", "none")["steps"], 20)
        self.assertEqual(self.document("run", until, "--steps", "3", "--out", "none")["steps"], 3)
        self.refused("run", self.pendulum, "--steps", "3", "--until", "1", says="--until")

    def test_until_between_two_steps_rounds_up_with_a_note(self):
        result = self.good("run", self.pendulum, "--until", "1.05", "--json", "--out", "none")
        self.assertEqual(one_document(result.out)["steps"], 6)
        self.assertIn("1.05", result.err)
        result = self.good("run", self.pendulum, "--until", "1.0000000000001", "--json", "--out",
                           "none")
        self.assertEqual(one_document(result.out)["steps"], 5)
        self.assertNotIn("multiple", result.err)

    def test_set(self):
        light, heavy = (self.run_document("--steps", "5", "--set", f"system.mass={m}")
                        for m in ("1", "2.0"))
        self.assertAlmostEqual(heavy["invariants"]["energy"]["initial"],
                               2 * light["invariants"]["energy"]["initial"], delta=1e-12 * 200)
        run = self.run_document("--set", 'integrate.method="rk4"', "--set", "integrate.steps=7",
                                "--set", "integrate.compensated=true")
        self.assertEqual((run["method"], run["steps"]), ("rk4", 7))
        run = self.run_document("--steps", "5", "--set", "initial.Gamma=[0.6,0.0,-0.8]")
        self.assertAlmostEqual(run["invariants"]["energy"]["initial"],
                               9.8 ** 2 * (0.36 / 2 - 0.8), places=9)
        self.assertEqual(self.run_document("--set", "integrate.tolerance=1e-9", "--method", "gauss",
                                           "--steps", "5")["solver"]["tolerance"], 1e-9)

    def test_set_creates_tables(self):
        bare = self.write("bare.toml", 'system.name = "spherical_pendulum"\n')
        run = self.document("run", bare, "--set", "integrate.step=0.1", "--set", "integrate.steps=4",
                            "--set", 'output.file="set.h5"')
        self.assertEqual((run["step"], run["steps"]), (0.1, 4))
        self.assertTrue((self.folder / "set.h5").is_file())

    def test_methods_are_echoed_as_written(self):
        for method in ("gauss(stages=4)", "gauss(stages=1)", "variational+kl8", "hamel+su4",
                       "gauss(stages=2)+kl6", "hamel(form=space)", "hamel(form=space)+kl8"):
            with self.subTest(method):
                self.assertEqual(self.run_document("--method", method, "--steps", "3")["method"],
                                 method)
        compared = self.document("compare", self.pendulum, "--steps", "3", "--out", "none",
                                 "--methods", "gauss(stages=4),variational+kl8,hamel(form=space)")
        self.assertEqual([run["method"] for run in compared["runs"]],
                         ["gauss(stages=4)", "variational+kl8", "hamel(form=space)"])

    def test_space_and_body_form_are_the_same_motion(self):
        space, body = (self.run_document("--method", f"hamel(form={form})", "--steps", "200")
                       for form in ("space", "body"))
        for a, b in zip(numbers(space["final"]["q"]), numbers(body["final"]["q"])):
            self.assertLessEqual(abs(a - b), 1e-11)

    def test_options_may_come_before_the_file(self):
        result = self.good("run", "--steps", "2", "--set", "system.mass=2", "--out", "none", "--json",
                           self.pendulum)
        self.assertEqual(one_document(result.out)["steps"], 2)

    def test_same_input_same_bits(self):
        first, second = (self.run_document("--steps", "500", "--method", "gauss") for _ in range(2))
        self.same_run(first, second)
        self.same_run(first, self.run_document("--steps", "500", "--method", "gauss", "--threads", "2"))

    def test_small_defects_of_the_start_are_mended_with_a_note(self):
        slightly = {"unit": START.replace("-0.8]", "-0.8000001]"),
                    "tangent": START.replace("omega = [0.0,", "omega = [1e-9,")}
        for name, content in slightly.items():
            with self.subTest(name):
                result = self.good("run", self.write(f"{name}.toml", content), "--out", "none", "--json")
                self.assertRegex(result.err, "normalised|projected")
                run = one_document(result.out)
                self.assertLessEqual(abs(run["invariants"]["length"]["initial"]), 1e-15)
                self.assertLessEqual(abs(run["invariants"]["tangency"]["initial"]), 1e-15)
        kept = self.write("kept.toml", slightly["unit"].replace("[integrate]",
                                                                "normalise = false\n[integrate]"))
        run = self.document("run", kept, "--out", "none")
        self.assertAlmostEqual(run["invariants"]["length"]["initial"], 8e-8, delta=1e-12)

    def test_vectors_may_be_nested_or_flat(self):
        flat = self.document("run", self.write("flat.toml", START), "--out", "none")
        nested = START.replace("[0.6, 0.0, -0.8]", "[[0.6, 0.0, -0.8]]")
        nested = nested.replace("[0.0, 0.5, 0.0]", "[[0.0, 0.5, 0.0]]")
        self.same_run(flat, self.document("run", self.write("nested.toml", nested), "--out", "none"))

    def test_bom_and_crlf_are_fine(self):
        base = self.document("run", self.write("base.toml", START), "--out", "none")
        for content in (b"\xef\xbb\xbf" + START.encode(), START.replace("\n", "\r\n").encode()):
            self.same_run(base, self.document("run", self.write("odd.toml", content), "--out", "none"))

    def test_from_another_directory_and_a_path_with_spaces(self):
        spaced = self.write('a place/my "pendulum" é.toml', self.pendulum.read_text())
        elsewhere = self.folder / "else where"
        elsewhere.mkdir()
        relative = os.path.relpath(spaced, elsewhere)
        result = self.good("compare", relative, "--steps", "50", "--methods", "hamel,rk4",
                           cwd=elsewhere)
        self.assertIn("results/", result.out)
        results = elsewhere / "results" / 'my "pendulum" é'
        for name in ("hamel.h5", "path.svg", "path.png", "energy.png"):
            self.assertTrue((results / name).is_file(), name)
        self.assertEqual(os.listdir(spaced.parent), [spaced.name])
        self.good("plot", results / "hamel.h5", "--out", "the figures", cwd=elsewhere)
        self.assertTrue((elsewhere / "the figures/energy.svg").is_file())

    def test_accuracy_chooses_the_step(self):
        for method, accuracy in (("hamel", 1e-3), ("gauss", 1e-9), ("variational+kl8", 1e-9)):
            result = self.good("run", self.pendulum, "--method", method, "--until", "10", "--accuracy",
                               accuracy, "--out", "none")
            self.assertIn("accuracy", result.err)
            self.assertIn("step = ", result.err)
            distance = float(re.search(r"exact solution: (\S+)", result.out)[1])
            self.assertLess(distance, 1.5 * accuracy)
            self.assertGreater(distance, 1e-3 * accuracy)
        # gauss needs few steps: half as many do not suffice.
        run = self.document("run", self.pendulum, "--method", "gauss", "--until", "20", "--accuracy", "1e-9",
                            "--out", "none")
        fewer = self.good("run", self.pendulum, "--method", "gauss", "--until", "20", "--step",
                          2 * run["step"], "--out", "none")
        self.assertGreater(float(re.search(r"exact solution: (\S+)", fewer.out)[1]), 1e-9)
        # The error is that of the coordinate, however large it is.
        far = self.write("far.toml", '[system]\ncoordinates = ["x"]\nlagrangian = "x_dot^2/2 - (x - 1000)^2/2"\n'
                                     "[initial]\nq = [1001]\nxi = [0]\n"
                                     "[integrate]\naccuracy = 1e-3\nuntil = 20.0\n")
        end = self.document("run", far, "--method", "hamel", "--out", "none")["final"]["q"]
        self.assertAlmostEqual(end[0] if isinstance(end, list) else end, 1000 + math.cos(20), delta=1.2e-3)
        self.refused("run", self.pendulum, "--accuracy", "1e-6", "--steps", "5", says="until")
        # Each method of a comparison has the step it needs, and all of them reach it.
        runs = self.document("compare", self.pendulum, "--methods", "gauss,hamel,variational", "--until", "10",
                             "--accuracy", "1e-3", "--out", "none")["runs"]
        self.assertLess(4 * runs[0]["steps"], runs[1]["steps"])
        for run in runs:
            self.assertLess(run["end_error"], 1.5e-3, run["method"])
        # Where round-off is all that is left, nothing is gained by more steps.
        self.refused("run", self.pendulum, "--method", "rk4", "--until", "1000", "--accuracy", "1e-14",
                     "--out", "none", says="no step gives", code=3)
        # How often to record is chosen for the chosen step too, unless it is given.
        long = self.write("long.toml", '[system]\nname = "chain_pendulum"\nn = 400\n'
                          '[integrate]\nmethod = "variational"\naccuracy = 2e-9\nuntil = 0.5\n')
        chosen = self.good("run", long, "--out", "none").err
        self.assertIn("output.every sets it", chosen)
        given = self.good("run", long, "--set", "output.every=2", "--out", "none").err
        self.assertNotIn("output.every sets it", given)
        self.refused("run", self.pendulum, "--accuracy", "2", "--until", "5", says="at most 0.1")
        self.refused("run", self.pendulum, "--accuracy", "1e-6", "--step", "0.1", says="excludes")
        self.refused("run", self.pendulum, "--until", "5", "--set", "integrate.accuracy=1e-6",
                     "--set", "integrate.step=0.1", says="both step and accuracy")
        self.refused("run", self.pendulum, "--accuracy", "1e-20", "--until", "1", code=3,
                     says=["accuracy", "the best was"])
