# SPDX-License-Identifier: BSD-3-Clause
"""Signals, kill -9, resume, damaged recordings, memory."""

import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from support import (at_work, BINARY, catches, listing, one_document, processor_seconds,
                     processor_seconds_of_children, ProgramTest, Result, seed, SOURCE, text, TIMEOUT, until)


class Interruption(ProgramTest):
    """Stopped, killed or damaged runs, and how they go on."""

    seconds = 0.7  # length of an uninterrupted run

    def setUp(self):
        super().setUp()
        random.seed(f"{self.seed} {self.id()}")  # each test has its own moments, whichever are run

    @classmethod
    def setUpClass(cls):
        cls.seed = seed()
        cls.shared = pathlib.Path(tempfile.mkdtemp(prefix="hamel-test-"))
        cls.addClassCleanup(shutil.rmtree, cls.shared, ignore_errors=True)
        scenario = SOURCE / "scenarios" / "spherical_pendulum.toml"
        base = ["run", str(scenario), "--method", "hamel", "--set", "output.every=100",
                "--set", "integrate.compensated=true"]

        def run(steps, name):
            done = subprocess.run([BINARY, *base, "--steps", str(steps), "--json", "--out",
                                   str(cls.shared / name)], capture_output=True, timeout=TIMEOUT,
                                  check=True)
            return one_document(text(done.stdout))

        pace = run(200000, "pace.h5")["seconds_per_step"]
        steps = min(max(int(cls.seconds / pace), 300000), 20000000)
        cls.base, cls.args, cls.steps = base, [*base, "--steps", str(steps)], steps
        before = processor_seconds_of_children()
        cls.reference = run(steps, "reference.h5")
        cls.work = processor_seconds_of_children() - before
        cls.whole = cls.shared / "reference.h5"

    def interrupted(self, name, sent, *options, command=None):
        """Starts the run (or `command`), sends the signal on the way: when it has done a share of its
        work; the result of the program."""
        for attempt in range(5):
            shutil.rmtree(self.folder / "out", ignore_errors=True)
            (self.folder / "out").mkdir()
            path = self.folder / "out" / name
            args = [str(a) for a in (command or [*self.args, "--out", str(path)])] + list(options)
            with subprocess.Popen([BINARY, *args], cwd=self.folder, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
                until(self, lambda: catches(process.pid, signal.SIGINT) if command else path.exists(),
                      "the run to begin")
                at_work(self, process, random.uniform(0.05, 0.8) * self.work / (attempt + 1))
                process.send_signal(sent)
                try:
                    out, err = process.communicate(timeout=TIMEOUT)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.communicate()
                    self.fail(f"{signal.Signals(sent).name} ignored for {TIMEOUT} s by hamel "
                              f"{' '.join(args)}")
            if process.returncode != 0:
                break
        self.assertNotEqual(process.returncode, 0, "the run was always over before the signal")
        return path, Result(args, process.returncode, text(out), text(err))

    def goes_on(self, path):
        """Resumes; the whole run is, bit by bit, the uninterrupted one."""
        resumed = self.document("resume", path)
        self.check_run_document(resumed)
        self.same_run(resumed, self.reference)
        self.same_recordings(path, self.whole)
        self.assertEqual([f.name for f in path.parent.iterdir()], [path.name])

    def test_interrupt_and_terminate(self):
        for sent in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(sent):
                path, result = self.interrupted("a.h5", sent)
                self.sound(result)
                self.assertEqual(result.code, 130, result)
                self.assertIn("interrupted", result.out)
                self.assertIn("energy", result.out)
                self.assertIn("resume", result.err)
                info = self.document("info", path)
                self.assertFalse(info["finished"])
                self.assertGreaterEqual(info["rows"], 1)
                self.assertIn("resume", self.good("info", path).out)
                self.goes_on(path)

    def test_interrupt_with_json(self):
        path, result = self.interrupted("a.h5", signal.SIGINT, "--json", "--quiet")
        self.sound(result)
        self.assertEqual(result.code, 130, result)
        run = one_document(result.out)
        self.check_run_document(run)
        self.assertEqual((run["status"], run["steps"]), ("interrupted", self.steps))
        self.assertLess(run["final"]["t"], self.reference["final"]["t"])
        self.goes_on(path)

    def test_interrupted_resume_goes_on_again(self):
        path, _ = self.interrupted("a.h5", signal.SIGINT)
        for _ in range(2):
            with subprocess.Popen([BINARY, "resume", str(path)], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE) as process:
                until(self, lambda: catches(process.pid, signal.SIGTERM), "the handler of SIGTERM")
                at_work(self, process, 0.1 * self.work)
                process.send_signal(signal.SIGTERM)
                process.communicate(timeout=TIMEOUT)
            self.assertIn(process.returncode, (0, 130))
        self.goes_on(path)

    def test_interrupted_without_recording(self):
        with subprocess.Popen([BINARY, *self.base, "--steps", "1000000000", "--out", "none", "--json"],
                              cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            until(self, lambda: catches(process.pid, signal.SIGINT), "the handler of SIGINT")
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 130, text(err))
        self.assertEqual(one_document(text(out))["status"], "interrupted")
        self.assertEqual(os.listdir(self.folder), ["pendulum.toml"])

    def test_a_long_closed_solution_is_told_and_interrupted(self):
        """Almost no inertia beside m l^2: panels as short as the board's turn where cos phi = 0."""
        board = self.write("board.toml", """[system]
name = "snakeboard"
board_inertia = 1e-14
wheel_inertia = 1e-14
[integrate]
method = "hamel"
step = 0.01
steps = 10
""")
        with subprocess.Popen([BINARY, "run", str(board), "--out", "a.h5"], cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            told = process.stderr.readline()
            process.send_signal(signal.SIGTERM)
            out, err = process.communicate(timeout=TIMEOUT)
        self.assertIn(b"closed solution at t = 0.1 s", told)
        self.assertEqual(process.returncode, 130, text(err))
        self.assertIn("distance from the exact solution: left out", text(out))
        self.assertIn("the run is whole", text(err))
        self.assertTrue(self.document("info", "a.h5")["finished"])

    def test_a_signal_sent_twice_is_one(self):
        """As timeout(1) and batch systems do, to the process and to its group."""
        for gap in (0.0, 0.0005, 0.005):
            with subprocess.Popen([BINARY, *self.base, "--steps", "1000000000", "--out", "none", "--json"],
                                  cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
                until(self, lambda: catches(process.pid, signal.SIGINT), "the handler of SIGINT")
                process.send_signal(signal.SIGINT)
                sent = time.monotonic()
                time.sleep(gap)
                process.send_signal(signal.SIGINT)
                apart = time.monotonic() - sent
                out, err = process.communicate(timeout=TIMEOUT)
            if process.returncode == -signal.SIGINT and apart > 0.4:
                continue  # a machine so busy that these were two, half a second apart
            self.assertEqual(process.returncode, 130, text(err))
            self.assertEqual(one_document(text(out))["status"], "interrupted")

    def test_interrupted_compare(self):
        _, result = self.interrupted("none", signal.SIGINT, command=[
            "compare", self.pendulum, "--steps", "100000000", "--set", "output.every=1000", "--json"])
        self.sound(result)
        self.assertEqual(result.code, 130, result)
        self.assertEqual(one_document(result.out)["runs"][0]["status"], "interrupted")
        self.assertFalse(self.document("info", "results/pendulum/hamel.h5")["finished"])
        self.assertFalse([f for f in self.folder.rglob("*") if f.suffix in (".png", ".svg", ".lock")])

    def test_interrupted_converge(self):
        _, result = self.interrupted("none", signal.SIGINT, command=[
            "converge", self.pendulum, "--until", "1e9", "--methods", "hamel", "--out", "none"])
        self.sound(result)
        self.assertEqual(result.code, 130, result)

    def test_kill_and_resume(self):
        for k in range(5):
            with self.subTest(k):
                path, result = self.interrupted("a.h5", signal.SIGKILL)
                self.assertEqual(result.code, -signal.SIGKILL)
                self.good("info", path)
                again = self.call(*self.args, "--out", path)  # without --force
                self.assertIn(again.code, (2, 4), again)
                self.goes_on(path)

    def test_kill_after_a_checkpoint_and_resume(self):
        for attempt in range(3):
            steps = self.steps * 4 * 2 ** attempt  # longer than the time between checkpoints
            path = self.folder / f"{attempt}" / "a.h5"
            path.parent.mkdir()
            checkpoint = path.with_name("a.h5.checkpoint")
            with subprocess.Popen([BINARY, *self.base, "--steps", str(steps), "--out", str(path)],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
                seen = set()
                while len(seen) < 2 and process.poll() is None:  # the first, then one on the way
                    if checkpoint.exists():
                        seen.add(checkpoint.stat().st_ino)
                    time.sleep(0.002)
                at_work(self, process, processor_seconds(process.pid) + random.uniform(0, 0.1))
                process.kill()
            if process.returncode != 0:
                break
        else:
            self.fail("no checkpoint on the way")
        self.assertGreater(self.document("info", path)["rows"], 1)
        resumed = self.document("resume", path)
        whole = self.document(*self.base, "--steps", steps, "--out", self.folder / "whole.h5")
        self.same_run(resumed, whole)
        self.same_recordings(path, self.folder / "whole.h5")

    def test_readable_while_it_runs_and_locked_against_a_second_writer(self):
        path = self.folder / "out" / "a.h5"
        path.parent.mkdir()
        with subprocess.Popen([BINARY, *self.base, "--steps", "1000000000", "--set",
                               "output.every=10000", "--out", str(path)], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            try:
                until(self, path.exists, "the recording")
                until(self, lambda: self.document("info", path)["rows"] >= 2,
                      "rows to be seen while it runs")
                rows = self.document("info", path)["rows"]
                for command in ((*self.args, "--out", path, "--force"), ("resume", path)):
                    result = self.call(*command)
                    self.assertEqual(result.code, 4, result)
                    self.assertIn("a.h5", result.err)
                    self.assertEqual(result.out, "")
            finally:
                process.send_signal(signal.SIGINT)
                process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 130)
        self.assertGreaterEqual(self.document("info", path)["rows"], rows)

    def test_damaged_files_are_not_resumed(self):
        path, _ = self.interrupted("a.h5", signal.SIGINT)
        checkpoint = path.with_name("a.h5.checkpoint")
        kept = {f: f.read_bytes() for f in (path, checkpoint)}
        size = len(kept[checkpoint])
        flipped = bytearray(kept[checkpoint])
        flipped[size // 2] ^= 0x10
        damages = {
            "empty checkpoint": (checkpoint, b""),
            "cut checkpoint": (checkpoint, kept[checkpoint][:-1]),
            "half a checkpoint": (checkpoint, kept[checkpoint][:size // 2]),
            "flipped bit": (checkpoint, bytes(flipped)),
            "longer checkpoint": (checkpoint, kept[checkpoint] + b"x"),
            "foreign file": (checkpoint, b"hello\n" * 100),
            "no checkpoint": (checkpoint, None),
            "empty recording": (path, b""),
            "cut recording": (path, kept[path][:len(kept[path]) // 3]),
            "a few bytes of recording": (path, kept[path][:100]),
            "recording overwritten": (path, b"\x55" * 4000 + kept[path][4000:]),
            "no recording": (path, None),
        }
        for name, (victim, content) in damages.items():
            with self.subTest(name):
                if content is None:
                    victim.unlink()
                else:
                    victim.write_bytes(content)
                before = listing(path.parent)
                result = self.call("resume", path)
                self.assertIn(result.code, (2, 4), result)
                self.assertIn("a.h5", result.err)
                self.assertLessEqual(len(result.err), 500, result)
                self.assertEqual(result.out, "", result)
                self.assertEqual(listing(path.parent), before, "files changed")
                victim.write_bytes(kept[victim])
        self.goes_on(path)  # with the files as they were

    def test_a_checkpoint_of_another_run_is_refused(self):
        path, _ = self.interrupted("a.h5", signal.SIGINT)
        foreign = path.with_name("a.h5.checkpoint").read_bytes()
        path, _ = self.interrupted("a.h5", signal.SIGINT)
        path.with_name("a.h5.checkpoint").write_bytes(foreign)
        before = path.read_bytes()
        result = self.call("resume", path)
        self.assertIn(result.code, (2, 4), result)
        self.assertIn("checkpoint", result.err)
        self.assertEqual(path.read_bytes(), before)

    def test_force_over_an_interrupted_run(self):
        path, _ = self.interrupted("a.h5", signal.SIGKILL)
        self.good("run", self.pendulum, "--steps", "10", "--out", path, "--force")
        self.assertEqual([f.name for f in path.parent.iterdir()], ["a.h5"])
        self.assertEqual(self.document("resume", path)["steps"], 10)

    def test_memory_does_not_grow_with_the_run(self):
        measure = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, "
                   "stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL); "
                   "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
        environment = {**os.environ, "ASAN_OPTIONS": "quarantine_size_mb=1"}
        peak = []
        for steps in (100000, 5000000):  # the longer one records 65 MB
            done = subprocess.run([sys.executable, "-c", measure, BINARY, "run", str(self.pendulum),
                                   "--method", "variational", "--steps", str(steps), "--set",
                                   "output.every=10", "--force", "--out", str(self.folder / "a.h5")],
                                  capture_output=True, text=True, timeout=TIMEOUT, check=True,
                                  env=environment)
            peak.append(int(done.stdout))
        self.assertGreater((self.folder / "a.h5").stat().st_size, 40e6)
        self.assertLessEqual(peak[1] - peak[0], 12 * 1024, f"peak memory in kB {peak}")
