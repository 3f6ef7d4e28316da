# SPDX-License-Identifier: BSD-3-Clause
"""Chains and other systems on many spheres, seen from outside."""

import os
import re
import subprocess
import sys
import unittest
from unittest import mock

from support import BINARY, Hdf5, ProgramTest, SANITIZED, SOURCE, TIMEOUT


def flat(values):
    """The numbers in a list, or in a list of lists."""
    return [x for v in values for x in (flat(v) if isinstance(v, list) else [v])]

CHAIN = """[system]
name = "chain_pendulum"
{system}
[integrate]
step = 0.01
steps = 50
"""

TEXT = """[system]
spheres = ["a", "b"]
inertia = [[2.0, 1.0], [1.0, 1.0]]
potential = "9.81*(2*a3 + b3)"
[initial]
q = [[0.28, 0.0, -0.96], [0.0, 0.28, -0.96]]
omega = [[0.48, 0.0, 0.14], [0.2, 0.0, 0.0]]
[integrate]
step = 0.01
steps = 100
"""


class Chains(ProgramTest):
    def chain(self, system="", more=""):
        return self.write("chain.toml", CHAIN.format(system=system) + more)

    def test_json_has_a_vector_for_every_link(self):
        run = self.document("run", self.chain("n = 4"), "--out", "none")
        for key in ("q", "omega"):
            self.assertEqual([len(v) for v in run["final"][key]], [3, 3, 3, 3])
        self.assertEqual(len(run["final"]["tension"]), 4)
        self.assertLessEqual(run["invariants"]["length"]["max_drift"], 1e-15)

    def test_bits_do_not_depend_on_the_width_of_registers(self):
        for count in (1, 2, 4, 30):
            ends = []
            for isa in ("baseline", "avx2", "avx512"):
                with mock.patch.dict(os.environ, HAMEL_ISA=isa):
                    ends.append(self.document("run", self.chain(f"n = {count}"), "--method", "gauss",
                                              "--steps", "500", "--out", "none")["final"])
            self.assertEqual(ends[0], ends[1], count)
            self.assertEqual(ends[0], ends[2], count)

    def test_an_unknown_instruction_set_is_told(self):
        arguments = ("run", self.chain("n = 4"), "--out", "none")
        with mock.patch.dict(os.environ, HAMEL_ISA="avx1024"):
            told = self.good(*arguments)
            self.assertIn("HAMEL_ISA=avx1024", told.err)
            self.assertIn("baseline is used", told.err)
            self.assertNotIn("HAMEL_ISA", self.good(*arguments, "--quiet").err)

    def test_recording_holds_the_tensions(self):
        run = self.document("run", self.chain("n = 4"), "--out", "a.h5")
        tensions = list(Hdf5.read(self.folder / "a.h5", "/tension"))
        self.assertEqual(len(tensions), 4 * 51)
        self.assertEqual(tensions[-4:], run["final"]["tension"])

    def test_kill_safe_state_resumes(self):
        done = self.document("run", self.chain("n = 4"), "--out", "a.h5")
        again = self.document("resume", "a.h5")
        self.assertEqual(again["final"], done["final"])

    def test_sizes_that_do_not_fit_are_named(self):
        self.refused("run", self.chain("masses = [1, 1]\nlengths = [1, 1, 1]"), says="masses")
        self.refused("run", self.chain("n = 3\nmasses = [1, 1]"), says=["masses", "3 links"])
        self.refused("run", self.chain("masses = [1, -1]"), says="masses[2]")
        self.refused("run", self.chain("lengths = [1, 0]"), says="lengths[2]")
        self.refused("run", self.chain("n = 0"), says="from 1")
        self.refused("run", self.chain("n = 2", "[initial]\nq = [[0,0,-1]]\nomega = [[0,0,0]]\n"),
                     says="for 2 spheres")
        self.refused("run", self.chain("n = 2", "[initial]\nq = [[0,0,-1],[0,1]]\n"
                                                "omega = [[0,0,0],[0,0,0]]\n"), says="initial.q")
        self.refused("run", self.chain("tip_force = [\"0\", \"sin(tt)\", \"0\"]"),
                     says=["tip_force[2]", "did you mean 't'"])

    def test_a_step_that_is_too_long_names_link_and_remedy(self):
        path = self.chain("n = 60")
        told = self.good("run", path, "--step", "0.5", "--out", "a.h5", code=3)
        self.assertRegex(told.err, r"failed at step \d+")
        self.assertRegex(told.err, r"link \d+")
        advised = re.search(r"a step of ([0-9.e-]+) s should work", told.err)[1]
        self.assertGreater(float(advised), 2e-4)
        self.document("run", path, "--step", advised, "--out", "none")
        self.assertGreaterEqual(self.document("info", "a.h5")["rows"], 1)

    def test_slack_is_told(self):
        path = self.chain("n = 1", "[initial]\nq = [[0.6, 0.0, 0.8]]\nomega = [[0, 0, 0]]\n")
        self.assertIn("slack", self.good("run", path, "--out", "none").out)

    def test_slack_names_the_first_link_and_the_worst(self):
        """Both as the recorded tensions have them, and they need not be the same."""
        q = [[0.6, 0.0, 0.8], [0.0, 0.6, 0.8], [0.8, 0.0, -0.6]]
        different = 0
        for rate in (0.0, 4.0, 6.0):
            path = self.chain("n = 3", f"[initial]\nq = {q}\n"
                              f"omega = [[0, {rate}, 0], [{rate}, 0, 0], [0, {rate}, 0]]\n")
            told = self.good("run", path, "--step", "0.005", "--steps", "400", "--set",
                             "output.invariants_every=1", "--out", "a.h5", "--force").out
            words = " ".join(told.split())
            found = re.search(r"link (\d+) was first seen pushed at t = (\S+) s; most, (\S+) N, link (\d+) "
                              r"at t = (\S+) s", words)
            t = list(Hdf5.read(self.folder / "a.h5", "/t"))
            tension = list(Hdf5.read(self.folder / "a.h5", "/tension"))
            # What is seen is the state after every step.
            rows = [tension[i:i + 3] for i in range(3, len(tension), 3)]
            pushed = [(t[i + 1], min(row), row.index(min(row)) + 1) for i, row in enumerate(rows)
                      if min(row) < 0]
            worst = min(pushed, key=lambda seen: seen[1])
            different += pushed[0][2] != worst[2]
            with self.subTest(rate=rate):
                self.assertEqual((int(found[1]), int(found[4])), (pushed[0][2], worst[2]), words)
                self.assertAlmostEqual(float(found[2]), pushed[0][0], delta=5e-3 * pushed[0][0])
                self.assertAlmostEqual(float(found[3]), -worst[1], delta=5e-3 * -worst[1])
                self.assertAlmostEqual(float(found[5]), worst[0], delta=5e-3 * worst[0])
        self.assertGreater(different, 0)

    def test_forces_balance(self):
        path = self.chain('n = 3\nbase_torque = [0, "0.5*cos(t)", 0]\ntip_force = [0.2, 0, 0]\n'
                          'base = ["0.1*sin(2*t)", 0, 0]\nair_drag = 0.1\njoint_damping = 0.05')
        run = self.document("run", path, "--out", "none")
        self.assertLessEqual(run["invariants"]["energy_balance"]["max_drift"], 0.02)
        self.refused("run", path, "--method", "hamel", says="does not fit")

    def test_driven_chains_have_all_their_methods_and_forms(self):
        path = self.chain('n = 2\nbase_torque = [0, "0.5*cos(t)", 0]\ntip_force = [0.2, 0, 0]\n'
                          'base = ["0.1*sin(2*t)", 0, 0]\nair_drag = 0.1\njoint_damping = 0.05')
        methods = [run["method"] for run in self.document("compare", path)["runs"]]
        self.assertIn("variational", methods)
        self.assertNotIn("hamel", methods)
        forms = ["gauss"] + [f"gauss(formulation={f})" for f in ("q_qdot", "q_omega", "q_mu", "q_pi")]
        runs = self.document("compare", path, "--methods", ",".join(forms))["runs"]
        for run in runs[1:]:
            for a, b in zip(sum(run["final"]["q"], []), sum(runs[0]["final"]["q"], [])):
                self.assertAlmostEqual(a, b, delta=1e-11)

    def test_the_base_is_recorded(self):
        self.document("run", self.chain('n = 2\nbase = ["3*t", 0, "t^2"]'), "--out", "a.h5")
        self.assertEqual(list(Hdf5.read(self.folder / "a.h5", "/base"))[-3:], [1.5, 0.0, 0.25])

    def test_what_fails_is_named(self):
        infinite = self.chain('n = 2\ntip_force = ["1/t", 0, 0]')
        self.assertIn("tip_force is not finite at t = 0",
                      self.good("run", infinite, "--out", "none", code=3).err)
        # At the end of the step that fails as well as at its beginning.
        for key, drive in (("tip_force", '["1/(t - 0.02)", 0, 0]'), ("base_torque", '[0, "log(0.02 - t)", 0]'),
                           ("base", '["(0.02 - t)^1.5", 0, 0]')):
            for method in ("variational", "gauss", "rk4"):
                told = self.good("run", self.chain(f"n = 2\n{key} = {drive}"), "--method", method,
                                 "--out", "none", code=3).err
                self.assertRegex(told, rf"{key}.* is not finite at t = 0.0[23] s", (key, method))
        hamel = self.good("run", self.chain("n = 60"), "--method", "hamel", "--step", "0.5",
                          "--out", "none", code=3).err
        self.assertRegex(hamel, r"link \d+")
        self.assertRegex(hamel, r"a step of [0-9.e-]+ s should work")
        lost = self.write("lost.toml", """[system]
spheres = ["a"]
inertia = [["1 + 1.2*a3"]]
potential = "9.81*a3"
[initial]
q = [0.6, 0.0, 0.8]
omega = [0.0, 2.0, 0.0]
[integrate]
step = 0.01
steps = 500
""")
        self.assertIn("no longer positive definite, from sphere a",
                      self.good("run", lost, "--method", "rk4", "--out", "none", code=3).err)

    def test_advice_is_a_smaller_step(self):
        for system, step in (("n = 60", 0.5), ("n = 3\ngravity = 0", 5.0)):
            told = self.good("run", self.chain(system), "--step", str(step), "--out", "none", code=3)
            advised = float(re.search(r"a step of ([0-9.e-]+) s", told.err).group(1))
            self.assertLess(advised, step)

    def test_a_formulation_that_is_not_used_is_refused(self):
        path = self.write("f.toml", TEXT.replace("steps = 100", 'steps = 100\nformulation = "q_mu"'))
        self.refused("run", path, says=["integrate.formulation", "method is"])
        self.good("run", path, "--method", "gauss", "--out", "none")

    def test_a_quadratic_lagrangian_has_every_method(self):
        path = self.write("own.toml", """[system]
spheres = ["a"]
lagrangian = "0.5*(a1_dot^2 + a2_dot^2 + a3_dot^2) - 9.81*a3"
[initial]
q = [0.6, 0.0, -0.8]
omega = [0.0, 0.3, 0.0]
[integrate]
step = 0.01
steps = 50
""")
        for method in ("hamel", "variational"):
            run = self.document("run", path, "--method", method, "--out", "none")
            self.assertLessEqual(run["invariants"]["momentum_z"]["max_drift"], 1e-13)

    def test_every_system_of_many_spheres_compares(self):
        for name in ("coupled_pendula", "elastic_rod", "magnetic_dipoles", "sphere_particles"):
            path = self.write("s.toml", f'[system]\nname = "{name}"\n[integrate]\nsteps = 30\n')
            runs = self.document("compare", path, "--out", "none")["runs"]
            self.assertIn("hamel", [run["method"] for run in runs])
            for run in runs:
                self.assertEqual(run["status"], "ok", name)


class SpheresAsText(ProgramTest):
    def test_the_numbers_of_the_chain(self):
        text = self.write("text.toml", TEXT)
        chain = self.write("chain.toml", '[system]\nname = "chain_pendulum"\nmasses = [1, 1]\n'
                           "lengths = [1, 1]\n" + TEXT[TEXT.index("[initial]"):])
        for method in ("variational", "gauss(stages=3)"):
            ends = [self.document("run", path, "--method", method, "--out", "none")["final"]
                    for path in (text, chain)]
            for key in ("q", "omega"):
                for a, b in zip(ends[0][key], ends[1][key]):
                    for x, y in zip(a, b):
                        self.assertAlmostEqual(x, y, delta=1e-8 if "gauss" in method else 1e-12)

    def test_the_four_formulations_agree(self):
        path = self.write("text.toml", TEXT)
        ends = []
        for form in ("q_qdot", "q_omega", "q_mu", "q_pi"):
            run = self.document("run", path, "--method", "gauss", "--out", "none", "--set",
                                f'integrate.formulation="{form}"')
            self.assertEqual(run["method"], f"gauss(formulation={form})")
            ends.append([x for v in run["final"]["q"] for x in v])
        for end in ends[1:]:
            for x, y in zip(ends[0], end):
                self.assertAlmostEqual(x, y, delta=1e-12)

    def test_resume_of_a_text_system(self):
        done = self.document("run", self.write("text.toml", TEXT), "--out", "a.h5")
        self.assertEqual(self.document("resume", "a.h5")["final"], done["final"])

    def test_problems_are_told_with_their_place(self):
        for old, new, says in (
                ("a3 + b3", "a3 + c3", ["unknown name 'c3'", "^"]),
                ("[1.0, 1.0]]", "[0.5, 1.0]]", ["mirror", "symmetric"]),
                ("[1.0, 1.0]]", "[1.0, 0.1]]", "positive definite"),
                ("[1.0, 1.0]]", "[1.0]]", "entries for 2 spheres"),
                ('["a", "b"]', '["a", "a"]', "spheres[2] 'a' is a sphere already"),
                ("potential", "potentail", "did you mean system.potential"),
                ('spheres = ["a", "b"]', 'spheres = ["a", "b"]\nlagrangian = "a1_dot^2"', "both"),
                ("0.28, 0.0", "0.38, 0.0", ["initial.q[1]", "unit vector"])):
            self.assertIn(old, TEXT)
            self.refused("check", self.write("text.toml", TEXT.replace(old, new, 1)), says=says)

    @unittest.skipIf(SANITIZED, "its memory is the sanitizer's")
    def test_memory_of_a_long_chain(self):
        """At most 500 bytes a link, whatever else the scenario lists; the set-up is told."""
        links = 1000000
        measure = ("import resource, subprocess, sys; done = subprocess.run(sys.argv[1:]); "
                   "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); "
                   "sys.exit(done.returncode)")
        scenario = self.write("long.toml", '[system]\nname = "chain_pendulum"\n[integrate]\n'
                              'methods = ["hamel", "variational", "gauss"]\nstep = 1e-6\nsteps = 2\n')
        peak = []
        for n in (1000, links):
            done = subprocess.run([sys.executable, "-c", measure, BINARY, "run", str(scenario), "--method",
                                   "variational", "--set", f"system.n={n}", "--out",
                                   str(self.folder / f"{n}.h5")], capture_output=True, text=True,
                                  timeout=TIMEOUT, check=False)
            self.assertEqual(done.returncode, 0, done)
            peak.append(1024 * int(done.stdout.split()[-1]))
        self.assertIn("ready", done.stderr)
        self.assertEqual(self.document("info", f"{links}.h5", "--check")["damage"], [])
        self.assertLessEqual((peak[1] - peak[0]) / links, 500, f"bytes a link, peaks {peak}")
