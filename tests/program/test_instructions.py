# SPDX-License-Identifier: BSD-3-Clause
"""Instruction sets and C libraries: what bits depend on, and that nothing goes on with other ones."""

import os
import signal
import subprocess

from support import BINARY, SYSTEMS, ProgramTest, one_document, TIMEOUT, until
from sweep_support import GRID, PENDULUM, SweepTest

SETS = ("baseline", "avx2", "avx512")
# glibc's sines and exponentials without fused operations, as on processors that have none.
OTHER_MATHEMATICS = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX2_Usable,-FMA_Usable"}

DOUBLE = """[system]
coordinates = ["a", "b"]
lagrangian = "a_dot^2 + b_dot^2/2 + a_dot*b_dot*cos(a - b) + 9.81*(2*cos(a) + cos(b))"
[initial]
q = [1.5, 1.0]
v = [0.0, 0.0]
[integrate]
method = "gauss"
step = 0.01
steps = 300
"""


def on(instructions):
    return {**os.environ, "HAMEL_ISA": instructions}


class Instructions(ProgramTest):
    def ends(self, scenario, instructions):
        result = self.call("compare", scenario, "--steps", "25", "--json", "--out", "none",
                           env=on(instructions))
        return {run["method"]: (run["status"], run["final"], run["invariants"])
                for run in one_document(result.out)["runs"]}

    def test_bits_do_not_depend_on_the_instruction_set(self):
        scenarios = [self.write(f"{name}.toml", self.good("describe", name, "--scenario").out)
                     for name in SYSTEMS]
        scenarios.append(self.write("own.toml", DOUBLE))
        for scenario in scenarios:
            first = self.ends(scenario, SETS[0])
            self.assertTrue(first, scenario)
            for instructions in SETS[1:]:
                self.assertEqual(first, self.ends(scenario, instructions), (scenario, instructions))

    def interrupted(self, scenario, *options, env):
        """Leaves a.h5 interrupted after its first rows."""
        command = [BINARY, "run", str(scenario), *options, "--out", "a.h5", "--force"]
        with subprocess.Popen(command, cwd=self.folder, env=env, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as process:
            until(self, lambda: process.poll() is not None or self.rows("a.h5"), "the first rows")
            process.send_signal(signal.SIGINT)
            process.wait(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 130, "it ended before it was interrupted")

    def rows(self, name):
        """Beyond the start; 0 while there is no recording to be read."""
        result = self.call("info", name, "--json")
        return 0 if result.code else one_document(result.out)["rows"] > 1

    def test_a_run_goes_on_with_another_instruction_set(self):
        for scenario, steps in ((self.pendulum, 10000000), (self.write("own.toml", DOUBLE), 1000000)):
            options = ["--method", "gauss", "--steps", str(steps), "--set", "output.every=10000"]
            whole = self.document("run", scenario, *options, "--out", "whole.h5", "--force",
                                  env=on("baseline"))
            self.interrupted(scenario, *options, env=on("avx512"))
            resumed = self.document("resume", "a.h5", env=on("baseline"))
            self.same_run(whole, resumed)
            self.same_recordings(self.folder / "whole.h5", self.folder / "a.h5")

    def test_other_sines_are_refused(self):
        scenario = self.write("own.toml", DOUBLE)
        options = ["--steps", "100000000", "--set", "output.every=10000"]
        other = {**os.environ, **OTHER_MATHEMATICS}
        self.interrupted(scenario, *options, env=other)
        there = self.document("info", "a.h5")["attributes"]["mathematics"]
        self.good("run", scenario, "--steps", "1", "--out", "b.h5")
        here = self.document("info", "b.h5")["attributes"]["mathematics"]
        if here == there:
            self.skipTest("this C library has one set of sines for this processor")
        self.refused("resume", "a.h5", says=[here, there, "bit-identical"])


class SweepInstructions(SweepTest):
    def test_sweeps_of_every_method_have_the_same_bytes(self):
        for method in ("gauss", "gauss(stages=3)", "rk4", "hamel+su4", "rattle"):
            self.write("sweep.toml", PENDULUM.format(method=method, steps=100, sweep=GRID))
            files = []
            for instructions in SETS:
                self.swept("isa.h5", "--force", env=on(instructions))
                files.append((self.folder / "isa.h5").read_bytes())
            self.assertEqual(files[0], files[1], method)
            self.assertEqual(files[0], files[2], method)
