# SPDX-License-Identifier: BSD-3-Clause
"""Killed between any two operations on files: what is then on disk, and what can be done with it.

HAMEL_INTERPOSED names the library that ends the program before a chosen operation (interposed.cpp).
"""

import os
import shutil
import subprocess

from support import BINARY, Hdf5, ProgramTest
from sweep_support import PENDULUM

SWEEP = """[sweep.vary]
"system.length" = { from = 0.5, to = 1.5, count = 5 }
"initial.omega[2]" = [-1.0, 2.0]
"""


class Moments(ProgramTest):
    """Every state that a kill can leave is told truly and can be gone on from."""

    # In memory, where there is such a place: thousands of times something waits for the disk.
    disk = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None

    def setUp(self):
        super().setUp()
        if "HAMEL_INTERPOSED" not in os.environ:
            self.skipTest("no library to stop the program with")
        self.assertIsNotNone(Hdf5.load(), "no HDF5 library to read the data with")
        # Beside the files: blanks in LD_PRELOAD would end its name.
        (self.folder / "interposed.so").symlink_to(os.environ["HAMEL_INTERPOSED"])
        self.scenario = self.write("s.toml", PENDULUM.format(method="hamel", steps=40, sweep=SWEEP))
        self.other = self.write("other.toml", PENDULUM.format(method="hamel", steps=7, sweep=SWEEP))
        self.place = self.folder / "place"
        self.file = self.place / "a.h5"

    def environment(self, **variables):
        return {**os.environ, "LD_PRELOAD": "./interposed.so", **variables}

    def stopped(self, number, *command):
        """Whether the command was killed before its operation `number`; it must succeed if not."""
        done = subprocess.run([BINARY, *map(str, command)], cwd=self.folder, capture_output=True,
                              check=False, env=self.environment(HAMEL_STOP_AT=str(number)))
        self.assertIn(done.returncode, (0, -9), (number, done))
        return done.returncode != 0

    def data(self, path):
        return {c: bytes(Hdf5.read(path, c)) for c in self.columns_of_whole}

    def each_moment(self, before, *command):
        """Kills the command before each of its operations, in the state that `before` makes; looks
        at what is left. Returns how many moments there were."""
        whole = self.folder / "whole.h5"
        self.good(command[0], self.scenario, "--out", whole, "--force", "--quiet")
        self.columns_of_whole = [c["path"] for c in self.document("info", whole)["columns"]]
        expected = self.data(whole)
        told = {"finished": 0, "resumable": 0, "obstacle": 0, "none": 0}
        number = 0
        while True:
            number += 1
            shutil.rmtree(self.place, ignore_errors=True)
            self.place.mkdir()
            before()
            arguments = ("resume", self.file) if command[-1] == "resume" else (
                command[0], self.scenario, "--out", self.file, "--quiet", *command[1:])
            if not self.stopped(number, *arguments):
                break
            with self.subTest(moment=number):
                told[self.state()] += 1
                if not (self.file.exists() and self.data(self.file) == expected):
                    self.good(command[0], self.scenario, "--out", self.file, "--force", "--quiet")
                self.assertEqual(self.data(self.file), expected)
                self.good("info", self.file, "--check")
        self.assertEqual(os.listdir(self.place), ["a.h5"])
        self.assertGreater(number, 10, "nothing was stopped")
        return told

    def state(self):
        """What info says of it, once resume has been seen to agree."""
        if not self.file.exists():
            self.refusal("info", "resume", "export")
            return "none"
        info = self.document("info", self.file)
        if info["finished"]:
            self.assertNotIn("obstacle", info)
            self.good("resume", self.file)
            return "finished"
        if info["resumable"]:
            self.good("resume", self.file, "--quiet")
            self.assertEqual(os.listdir(self.place), ["a.h5"])
            return "resumable"
        self.assertIn("cannot be resumed", self.good("info", self.file).out)
        self.assertIn(info["obstacle"], self.refusal("resume").err)
        return "obstacle"

    def refusal(self, *commands):
        for command in commands:
            result = self.call(command, self.file, *(["--csv"] if command == "export" else []))
            self.assertIn(result.code, (2, 4), result)
        return result

    def unfinished(self, scenario, command="run"):
        """Leaves a recording of it without its end: killed before the last operations."""
        last = 1
        while self.stopped(last, command, scenario, "--out", self.file, "--force", "--quiet"):
            last += 1
        for back in range(3, last):
            shutil.rmtree(self.place)
            self.place.mkdir()
            self.stopped(last - back, command, scenario, "--out", self.file, "--quiet")
            if not self.document("info", self.file)["finished"]:
                break
        self.assertTrue(self.document("info", self.file)["resumable"])
        self.assertIn("hamel resume goes on", self.good("info", self.file).out)
        kept = self.folder / "kept"
        shutil.copytree(self.place, kept)
        return lambda: shutil.copytree(kept, self.place, dirs_exist_ok=True)

    def test_a_first_recording(self):
        told = self.each_moment(lambda: None, "run")
        self.assertEqual(told["obstacle"], 0)
        self.assertGreater(min(told["none"], told["resumable"], told["finished"]), 0, told)

    def test_over_a_finished_recording(self):
        def before():
            self.good("run", self.other, "--out", self.file, "--quiet")
        told = self.each_moment(before, "run", "--force")
        self.assertEqual((told["obstacle"], told["none"]), (0, 0), told)

    def test_over_an_unfinished_recording(self):
        self.place.mkdir()
        told = self.each_moment(self.unfinished(self.other), "run", "--force")
        self.assertEqual(told["none"], 0)
        self.assertLessEqual(told["obstacle"], 2, "between its checkpoint and its place")

    def test_a_resume(self):
        self.place.mkdir()
        told = self.each_moment(self.unfinished(self.scenario), "run", "resume")
        self.assertEqual((told["obstacle"], told["none"]), (0, 0), told)

    def test_a_first_sweep(self):
        told = self.each_moment(lambda: None, "sweep")
        self.assertEqual(told["obstacle"], 0)

    def test_a_sweep_over_the_same_one(self):
        """Its recording_id is the same: nothing but the file itself may be written to it."""
        self.place.mkdir()
        told = self.each_moment(self.unfinished(self.scenario, "sweep"), "sweep", "--force")
        self.assertEqual((told["obstacle"], told["none"]), (0, 0), told)

    def test_a_clock_that_goes_backwards(self):
        run = self.document("run", self.scenario, "--out", self.file.name,
                            env=self.environment(HAMEL_CLOCK_BACK="1"))
        self.assertGreaterEqual(min(run["seconds"], run["seconds_per_step"]), 0)
        sweep = self.document("sweep", self.scenario, "--out", "none",
                              env=self.environment(HAMEL_CLOCK_BACK="1"))
        self.assertGreaterEqual(sweep["seconds"], 0)
