# SPDX-License-Identifier: BSD-3-Clause
"""Outputs: files, streams and disks that cannot be written."""

import os
import random
import shutil
import signal
import subprocess

from support import BINARY, CRASHES, file_limit, ProgramTest, Result, text, TIMEOUT, until


class Output(ProgramTest):
    """Where results go, and what happens when they cannot go there."""

    def test_explicit_files_are_not_overwritten_without_force(self):
        call = ("run", self.pendulum, "--until", "2")
        self.good(*call, "--out", "a.h5")
        first = (self.folder / "a.h5").read_bytes()
        self.refused(*call, "--out", "a.h5", says="a.h5", code=(2, 4))
        self.refused(*call, "--set", 'output.file="a.h5"', says="a.h5", code=(2, 4))
        self.assertEqual((self.folder / "a.h5").read_bytes(), first)
        self.good(*call, "--step", "0.1", "--out", "a.h5", "--force")
        self.assertEqual(self.document("info", "a.h5")["rows"], 21)
        self.write("precious.txt", "not a recording")
        self.refused(*call, "--out", "precious.txt", says="precious.txt", code=(2, 4))

    def test_default_outputs_are_replaced(self):
        for steps in (10, 20):
            self.good("run", self.pendulum, "--steps", steps)
            self.assertEqual(self.document("info", "results/pendulum/hamel.h5")["rows"], steps + 1)

    def test_unwritable_output(self):
        self.write("plain", "a file")
        os.mkfifo(self.folder / "pipe")
        for name, culprit in {"plain/x.h5": "plain", "nodir/x.h5": "nodir", ".": ".",
                              "pipe": "pipe", "/proc/x.h5": "/proc/x.h5",
                              "n" * 300 + ".h5": "too long", "": "out"}.items():
            with self.subTest(name):
                self.refused("run", self.pendulum, "--steps", "10", "--force", "--out", name,
                             says=culprit, code=4 if name else (2, 4))

    def test_results_cannot_be_created(self):
        self.write("results", "a file where the folder would be")
        for command in ("run", "compare"):
            with self.subTest(command):
                self.refused(command, self.pendulum, "--steps", "10", says="results", code=4)
        converged = self.call("converge", self.pendulum, "--methods", "hamel")
        self.assertEqual(converged.code, 4, converged)
        self.assertIn("results", converged.err)

    def test_figures_cannot_be_written(self):
        self.good("run", self.pendulum, "--steps", "50", "--out", "a.h5")
        self.write("plain", "a file")
        self.refused("plot", "a.h5", "--out", "plain", says="plain", code=4)
        self.refused("plot", "a.h5", "--out", "plain/x", says="plain", code=4)
        self.refused("plot", "nothere.h5", says="nothere.h5", code=(2, 4))
        self.refused("plot", self.pendulum, says="pendulum.toml", code=(2, 4))
        self.refused("plot", "a.h5", self.pendulum, "--out", "figures", says="pendulum.toml",
                     code=(2, 4))

    def test_not_a_recording(self):
        self.write("empty.h5", "")
        self.write("noise.h5", bytes(random.Random(2).randrange(256) for _ in range(5000)))
        for command in ("info", "plot", "resume"):
            for name in ("nothere.h5", "empty.h5", "noise.h5", "pendulum.toml"):
                with self.subTest(command=command, name=name):
                    self.refused(command, name, says=name, code=(2, 4))
            self.refused(command, self.folder, says=self.folder.name, code=(2, 4))

    def test_standard_output_that_cannot_be_written(self):
        with open("/dev/full", "wb") as full:
            for args in (["run", self.pendulum, "--steps", "10", "--out", "none"],
                         ["run", self.pendulum, "--steps", "10", "--out", "none", "--json"],
                         ["list", "methods"], ["reproduce", "D2.length"]):
                with self.subTest(args[0]):
                    self.assertEqual(self.call(*args, stdout=full).code, 4)

    def test_standard_error_that_cannot_be_written(self):
        with open("/dev/full", "wb") as full:
            with self.subTest("note"):
                self.good("run", self.pendulum, "--steps", "10", "--out", "a.h5", stderr=full)
                self.assertEqual(self.document("info", "a.h5")["rows"], 11)
            with self.subTest("error"):
                self.assertIn(self.call("run", "nothere.toml", stderr=full).code, (2, 4))
        closed = subprocess.run(["/bin/sh", "-c", '"$0" run "$1" --steps 10 --out b.h5 >&- 2>&- <&-',
                                 BINARY, str(self.pendulum)], cwd=self.folder, timeout=TIMEOUT, check=False)
        self.assertIn(closed.returncode, (0, 4))
        if closed.returncode == 0:
            self.assertEqual(self.document("info", "b.h5")["rows"], 11)

    def test_closed_pipe(self):
        self.good("run", self.pendulum, "--steps", "10", "--out", "a.h5")
        for command in ('info a.h5', 'info a.h5 --json', "list methods", "reproduce D2",
                        'compare pendulum.toml --steps 10 --out none'):
            for reader in ("head -n 1", "true"):
                with self.subTest(command=command, reader=reader):
                    piped = subprocess.run(
                        ["/bin/bash", "-c", f'"$0" {command} | {reader} >/dev/null; '
                         'exit "${PIPESTATUS[0]}"', BINARY],
                        cwd=self.folder, capture_output=True, timeout=TIMEOUT, check=False)
                    self.assertIsNone(CRASHES.search(text(piped.stderr)), piped)
                    self.assertIn(piped.returncode, (0, 4, 128 + signal.SIGPIPE), piped)

    def test_closed_pipe_with_the_signal_ignored(self):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([BINARY, "list", "methods"], stdout=writer, stderr=subprocess.PIPE,
                              restore_signals=False, timeout=TIMEOUT, check=False,
                              preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_IGN))
        os.close(writer)
        self.sound(Result(["list", "methods"], done.returncode, "", text(done.stderr)))

    def test_file_size_limit(self):
        whole = self.document("run", self.pendulum, "--steps", "20000", "--out", "whole.h5")
        for size in (0, 100, 3000, 50000, 500000):
            for json_too in ([], ["--json"]):
                with self.subTest(size=size, json=bool(json_too)):
                    result = self.call("run", self.pendulum, "--steps", "20000", "--out", "a.h5",
                                       *json_too, preexec_fn=file_limit(size))
                    self.assertEqual(result.code, 4, result)
                    self.assertIn("a.h5", result.err)
                    if (self.folder / "a.h5").exists():  # then it goes on once there is room
                        self.assertEqual(set(os.listdir(self.folder)), {
                            "pendulum.toml", "whole.h5", "a.h5", "a.h5.checkpoint"})
                        self.same_run(self.document("resume", "a.h5"), whole)
                        self.same_recordings(self.folder / "a.h5", self.folder / "whole.h5")
                        (self.folder / "a.h5").unlink()
                    self.assertEqual(set(os.listdir(self.folder)), {"pendulum.toml", "whole.h5"})

    def test_larger_than_the_disk_is_refused_before_the_run(self):
        for command in ("run", "compare"):
            with self.subTest(command):
                out = ("--out", "a.h5") if command == "run" else ("--methods", "hamel")
                result = self.call(command, self.pendulum, "--steps", "1000000000000000", *out)
                self.assertEqual(result.code, 4, result)
                self.assertEqual(result.out, "", result)
                self.assertRegex(result.err, r"would take 1\d\d PB, and the disk has [\d.e+]+ [kMGTP]B free")
                self.assertEqual([f for f in self.folder.rglob("*") if f.is_file()], [self.pendulum])
        self.good("run", self.pendulum, "--steps", "10", "--set", "output.every=10", "--out", "a.h5")

    def test_larger_than_what_a_small_disk_has_left(self):
        disk = self.small_disk("512k")
        run = ("run", "pendulum.toml", "--steps", "20000", "--out", "a.h5")
        self.assertIn("2.", self.refused(*run, cwd=disk, says="free", code=4).err)
        self.good(*run, "--set", "output.every=100", cwd=disk)
        self.good(*run, "--set", "output.every=100", "--force", cwd=disk)

    def small_disk(self, size):
        """A file system of its own, with the scenario on it."""
        disk = self.folder / "disk"
        disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(disk)],
                                 capture_output=True, check=False)
        if mounted.returncode != 0:
            self.skipTest("a small file system cannot be mounted here")
        self.addCleanup(subprocess.run, ["umount", "-l", str(disk)], check=False)
        shutil.copy(self.pendulum, disk / "pendulum.toml")
        return disk

    def test_disk_that_fills_up(self):
        disk = self.small_disk("64m")
        for attempt in range(4):  # somebody else takes the space while the run goes on
            steps = 4000000 * 2 ** attempt
            run = ("run", "pendulum.toml", "--steps", str(steps), "--set",
                   f"output.every={steps // 300000}", "--out")
            with subprocess.Popen([BINARY, *run, "a.h5"], cwd=disk, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE) as process:
                until(self, lambda: (disk / "a.h5").exists() or process.poll() is not None,
                      "the recording")
                with open(disk / "ballast", "wb", buffering=0) as ballast:
                    try:
                        while process.poll() is None:
                            ballast.write(bytes(1 << 16))
                    except OSError:
                        pass
                out, err = process.communicate(timeout=TIMEOUT)
            if process.returncode != 0:
                break
            for name in ("a.h5", "ballast"):
                (disk / name).unlink()
        result = Result([*run, "a.h5"], process.returncode, text(out), text(err))
        self.sound(result)
        self.assertEqual(result.code, 4, result)
        self.assertIn("a.h5", result.err)
        self.assertIn("space", result.err)
        self.assertEqual(set(os.listdir(disk)), {"pendulum.toml", "a.h5", "a.h5.checkpoint", "ballast"})
        info = self.document("info", "a.h5", "--check", cwd=disk)
        self.assertEqual((info["finished"], info["damage"]), (False, []))
        (disk / "ballast").unlink()
        resumed = self.document("resume", "a.h5", cwd=disk)
        whole = self.document(*run, self.folder / "whole.h5", cwd=disk)
        self.same_run(resumed, whole)
        self.same_recordings(disk / "a.h5", self.folder / "whole.h5")

    def test_compare_on_a_small_disk(self):
        disk = self.small_disk("512k")
        result = self.call("compare", "pendulum.toml", cwd=disk)
        self.assertEqual(result.code, 4, result)
        self.assertFalse(list(disk.rglob("*.png")) + list(disk.rglob("*.svg")), "figures of a failure")

    def test_directory_that_is_not_ours(self):
        # As somebody without rights: root may write everywhere.
        program = self.folder / "hamel"
        shutil.copy(BINARY, program)
        closed = self.folder / "closed"
        closed.mkdir()
        for folder in (self.folder, closed):
            folder.chmod(0o555)
        self.addCleanup(closed.chmod, 0o755)
        self.addCleanup(self.folder.chmod, 0o755)
        nobody = {"user": 65534} if os.geteuid() == 0 else {}
        done = subprocess.run([program, "run", "pendulum.toml", "--steps", "10", "--out", "closed/a.h5"],
                              cwd=self.folder, capture_output=True, timeout=TIMEOUT, check=False, **nobody)
        result = Result(["run"], done.returncode, text(done.stdout), text(done.stderr))
        self.sound(result)
        self.assertEqual(result.code, 4, result)
        self.assertIn("closed is not writable", result.err)
        self.assertEqual(os.listdir(closed), [])
        done = subprocess.run([program, "run", "pendulum.toml", "--steps", "10"], cwd=self.folder,
                              capture_output=True, timeout=TIMEOUT, check=False, **nobody)
        self.assertEqual((done.returncode, text(done.stdout)), (4, ""), text(done.stderr))
        self.assertIn("results", text(done.stderr))

    def test_failed_drawing_leaves_no_figures(self):
        self.good("run", self.pendulum, "--steps", "50", "--out", "a.h5")
        for path in ("/nonexistent", str(self.folder)):  # no gnuplot; one that fails
            with self.subTest(path):
                if path == str(self.folder):
                    self.write("gnuplot", "#!/bin/sh\nexit 1\n").chmod(0o755)
                result = self.call("plot", "a.h5", "--out", "figures",
                                   env={**os.environ, "PATH": path})
                self.assertEqual(result.code, 4, result)
                self.assertIn("gnuplot", result.err)
                self.assertFalse([f for f in self.folder.rglob("*") if f.suffix in (".png", ".svg")])
