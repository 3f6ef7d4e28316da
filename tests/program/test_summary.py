# SPDX-License-Identifier: BSD-3-Clause
"""What `run` and `compare` print of a run: drifts relative to what drifts, the distance from the motion."""

import math
import re

from support import ProgramTest

SMALL = """[system]
name = "spherical_pendulum"
mass = {mass}
[initial]
q = [0.6, 0.0, -0.8]
omega = [0.16, 0.5, 0.12]
[integrate]
step = {step}
steps = {steps}
"""


class Summary(ProgramTest):
    def pendulum_of(self, mass=1.0, step=0.1, steps=100):
        return self.write("small.toml", SMALL.format(mass=mass, step=step, steps=steps))

    def table(self, out):
        """The rows of the table of invariants, by name: cells by column."""
        lines = out.splitlines()
        begin = next(i for i, line in enumerate(lines) if re.match(r"\W*invariant\b", line))
        heads = [(m.start(), m.end(), m[0]) for m in re.finditer(r"\S+( \S+)*", lines[begin])]
        rows = {}
        for line in lines[begin + 1:]:
            if line.startswith("t ="):
                break
            cells = {}
            for word in re.finditer(r"\S+", line):
                near = min(heads, key=lambda h: min(abs(h[0] - word.start()), abs(h[1] - word.end())))
                cells[near[2]] = word[0]
            if "invariant" in cells:
                rows[cells["invariant"]] = cells
        return rows

    def test_drifts_are_relative_whatever_their_size(self):
        """Energies of a mass of a microgramme drift as much, relative to themselves, as those of a ton."""
        relative = []
        for mass in (1e3, 1.0, 1e-3, 1e-6, 1e-8):
            out = self.good("run", self.pendulum_of(mass), "--method", "rk4", "--out", "none").out
            energy = self.table(out)["energy"]
            relative.append(float(energy["relative"]))
            run = self.document("run", "small.toml", "--method", "rk4", "--out", "none")["invariants"]["energy"]
            expected = run["max_drift"] / abs(run["initial"])
            self.assertAlmostEqual(relative[-1], expected, delta=0.06 * expected)
        for value in relative:
            self.assertAlmostEqual(value, relative[0], delta=0.02 * relative[0])
        out = self.good("run", self.pendulum_of(), "--method", "rk4", "--out", "none").out
        self.assertNotIn("relative", self.table(out)["length"])  # it is 0

    def test_compare_tells_them_too(self):
        self.pendulum_of(1e-6)
        out = self.good("compare", "small.toml", "--methods", "rk4", "--out", "none").out
        run = self.document("run", "small.toml", "--method", "rk4", "--out", "none")["invariants"]["energy"]
        expected = f"{run['max_drift'] / abs(run['initial']):.1e}"
        self.assertIn(expected, out)

    def distance(self, steps):
        """Of `small.toml` by its method from the closed solution after so many steps, by positions."""
        ends = [self.document("run", "small.toml", "--steps", steps, "--method", method, "--out", "none",
                              )["final"]["q"][0] for method in (self.method, "exact")]
        return math.dist(*ends)

    def test_the_distance_is_that_of_the_time_reached(self):
        self.method = "variational"
        self.pendulum_of(step=0.1, steps=40)
        out = self.good("run", "small.toml", "--method", self.method, "--out", "none").out
        told = float(re.search(r"distance from the exact solution: (\S+)", out)[1])
        self.assertAlmostEqual(told, self.distance(40), delta=0.01 * told)
        # One that fails ends where its last good step did.
        self.pendulum_of(step=1.15, steps=400)
        failed = self.good("run", "small.toml", "--method", self.method, "--out", "none", code=3)
        done = int(re.search(r"(\d+) of 400 steps", failed.out)[1])
        self.assertGreater(done, 0, failed)
        told = float(re.search(r"distance from the exact solution: (\S+)", failed.out)[1])
        self.assertAlmostEqual(told, self.distance(done), delta=0.01 * told)
