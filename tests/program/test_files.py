# SPDX-License-Identifier: BSD-3-Clause
"""Where files go: links, pipes, names, standard input, size limits, files that vanish."""

import os
import shutil
import signal
import subprocess

from support import (BINARY, catches, file_limit, ProgramTest, Result, START, text, TIMEOUT, until)
from sweep_support import GRID, PENDULUM


class Files(ProgramTest):
    """No file is lost or put elsewhere than said."""

    def begun(self, path, *arguments):
        """A long run, once its recording is there."""
        process = subprocess.Popen([BINARY, "run", str(self.pendulum), "--steps", "1000000000", "--set",
                                    "output.every=1000", *arguments], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        until(self, lambda: path.exists() or process.poll() is not None, "a recording")
        return process

    def ended(self, process, sent=None):
        if sent is not None:
            process.send_signal(sent)
        out, err = process.communicate(timeout=TIMEOUT)
        result = Result(process.args, process.returncode, text(out), text(err))
        self.sound(result)
        return result

    # ---- links --------------------------------------------------------------------------------

    def test_a_link_to_a_file_is_followed_and_kept(self):
        (self.folder / "elsewhere").mkdir()
        sweep = self.write("sweep.toml", PENDULUM.format(method="hamel", steps=20, sweep=GRID))
        target = self.folder / "elsewhere" / "b.h5"
        os.symlink("elsewhere/b.h5", self.folder / "a.h5")
        for command, scenario in (("run", self.pendulum), ("sweep", sweep)):
            with self.subTest(command):
                target.write_bytes(b"old")
                self.refused(command, scenario, "--out", "a.h5", says="exists", code=4)
                self.good(command, scenario, "--out", "a.h5", "--force")
                self.assertEqual(os.readlink(self.folder / "a.h5"), "elsewhere/b.h5")
                self.assertEqual(os.listdir(self.folder / "elsewhere"), ["b.h5"])
                self.same_recordings(self.folder / "a.h5", target)
        self.good("run", self.pendulum, "--steps", "5", "--out", "c.h5")
        for option, kind in (("--csv", "x.csv"), ("--npz", "x.npz")):
            (self.folder / "elsewhere" / kind).write_bytes(b"old")
            os.symlink(f"elsewhere/{kind}", self.folder / kind)
            self.good("export", "c.h5", option, "--out", kind, "--force")
            self.assertTrue((self.folder / kind).is_symlink())
            self.assertGreater((self.folder / "elsewhere" / kind).stat().st_size, 100)

    def test_a_run_through_a_link_is_resumed_by_either_name(self):
        target = self.folder / "elsewhere" / "b.h5"
        target.parent.mkdir()
        target.write_bytes(b"old")
        link = self.folder / "a.h5"
        os.symlink(target, link)
        process = self.begun(target.with_name("b.h5.checkpoint"), "--out", "a.h5", "--force")
        other = self.call("run", self.pendulum, "--steps", "10", "--out", target, "--force")
        self.assertEqual(other.code, 4, other)  # the lock is that of the file, not of its name
        self.assertEqual(self.ended(process, signal.SIGINT).code, 130)
        self.assertEqual({f.name for f in target.parent.iterdir()}, {"b.h5", "b.h5.checkpoint"})
        for name in (link, target):
            self.assertTrue(self.document("info", name)["resumable"])
        process = subprocess.Popen([BINARY, "resume", str(link)], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        lock = target.with_name("b.h5.lock")
        until(self, lambda: process.poll() is not None or
              lock.exists() and catches(process.pid, signal.SIGINT), "the lock and the handler of SIGINT")
        self.assertEqual(self.ended(process, signal.SIGINT).code, 130)
        self.assertTrue(link.is_symlink())

    def test_what_is_no_file_is_refused(self):
        self.good("run", self.pendulum, "--steps", "10", "--out", "a.h5")
        sweep = self.write("sweep.toml", PENDULUM.format(method="hamel", steps=20, sweep=GRID))
        os.mkfifo(self.folder / "pipe")
        (self.folder / "dir").mkdir()
        (self.folder / "dir" / "file").write_text("kept")
        for name, target in {"to_pipe": "pipe", "to_dir": "dir", "to_nothing": "nothing",
                             "to_link": "to_pipe", "round": "round"}.items():
            os.symlink(target, self.folder / name)
        held = self.folder / "held"
        descriptor = os.open(held, os.O_CREAT | os.O_WRONLY)
        self.addCleanup(os.close, descriptor)
        held.unlink()
        os.symlink(f"/proc/{os.getpid()}/fd/{descriptor}", held)  # as /dev/stdout may be
        for name, words in {"held": "a link to a deleted file", "pipe": "a pipe", "dir": "a directory", "to_pipe": "a link to a pipe",
                            "to_dir": "a link to a directory", "to_nothing": "a link to nothing",
                            "to_link": "a link to a pipe", "round": "a link to nothing"}.items():
            for force in ([], ["--force"]):
                for command in (("run", self.pendulum), ("sweep", sweep), ("export", "a.h5", "--csv"),
                                ("export", "a.h5", "--npz")):
                    with self.subTest(name=name, command=command[0], force=bool(force)):
                        self.refused(*command, "--out", name, *force, says=(name, words), code=4)
        self.refused("run", self.pendulum, "--out", "-", says="no stream")

    def test_links_at_default_places(self):
        """Files that nobody named: certificate, section, figures, recordings."""
        made = self.folder / "results" / "pendulum"
        made.mkdir(parents=True)
        os.mkfifo(self.folder / "pipe")
        files = {"certificate.md": ("certify", self.pendulum, "--methods", "rk4", "--steps", "100"),
                 "section.csv": ("section", self.pendulum, "--plane", "q1", "--steps", "100"),
                 "section.png": ("section", self.pendulum, "--plane", "q1", "--steps", "100"),
                 "convergence.svg": ("converge", self.pendulum, "--methods", "rk4"),
                 "rk4.h5": ("run", self.pendulum, "--method", "rk4", "--steps", "100")}
        for name, command in files.items():
            with self.subTest(name):
                (made / name).unlink(missing_ok=True)
                os.symlink("../../pipe", made / name)
                result = self.call(*command)
                self.assertEqual(result.code, 4, result)
                self.assertIn("a link to a pipe", result.err)
                self.assertEqual(os.readlink(made / name), "../../pipe")
                (made / name).unlink()
                self.write("target", "old")
                os.symlink("../../target", made / name)
                self.assertIn(self.call(*command).code, (0, 1))
                self.assertTrue((made / name).is_symlink())
                self.assertGreater((self.folder / "target").stat().st_size, 100)

    def test_what_stands_beside_is_not_written_through(self):
        """PATH.partial, PATH.lock and PATH.checkpoint.tmp are made anew."""
        precious = self.write("precious", "kept")
        for name in ("a.h5.partial", "a.h5.checkpoint.tmp", "a.csv.partial"):
            os.symlink("precious", self.folder / name)
        self.good("run", self.pendulum, "--steps", "10", "--out", "a.h5")
        self.good("export", "a.h5", "--csv", "--out", "a.csv")
        self.assertEqual(precious.read_text(), "kept")
        os.symlink("precious", self.folder / "a.h5.lock")
        self.refused("run", self.pendulum, "--out", "a.h5", "--force", says="a.h5.lock", code=4)

    # ---- names --------------------------------------------------------------------------------

    def test_names_of_scenarios(self):
        for name in ("..", ".", "'", "''q''", "it's", '"', "a'b\"c", "`touch made`", "$(touch made)",
                     "@a", "%s %n %d", "-x", "new\nline", "back\\slash", "{a}_b^c", "a b", "\u00e4\u20ac",
                     "#x", "~"):
            with self.subTest(name):
                scenario = self.folder / (name + ".toml")
                shutil.copy(self.pendulum, scenario)
                result = self.call("compare", "./" + scenario.name, "--methods", "rk4,hamel", "--steps", "30")
                self.assertEqual(result.code, 0, result)
                stem = scenario.name if name in ("..", ".") else name
                made = {f.name for f in (self.folder / "results" / stem).iterdir()}
                self.assertTrue({"rk4.h5", "hamel.h5", "energy.png", "energy.svg"} <= made, made)
                self.good("plot", f"results/{stem}/rk4.h5")
                self.good("export", f"results/{stem}/rk4.h5", "--csv")
                scenario.unlink()
                shutil.rmtree(self.folder / "results" / stem)
                self.assertEqual(os.listdir(self.folder / "results"), [])
        self.assertEqual(set(os.listdir(self.folder)), {"pendulum.toml", "results"})

    def test_names_of_recordings(self):
        for name in ("...h5", "..h5", "'a''.h5"):
            with self.subTest(name):
                self.good("run", self.pendulum, "--steps", "30", "--out", name)
                self.good("plot", name)
                self.good("export", name, "--csv")
                self.good("export", name, "--vtk")
                self.assertEqual(set(os.listdir(self.folder)), {"pendulum.toml", "results", name})
                self.assertEqual(os.listdir(self.folder / "results"), ["pendulum"])
                (self.folder / name).unlink()

    # ---- standard input -----------------------------------------------------------------------

    def test_standard_input(self):
        for command in (("check",), ("run",), ("compare", "--methods", "rk4"), ("certify", "--methods", "rk4"),
                        ("converge", "--methods", "rk4"), ("section", "--plane", "q1"),
                        ("equilibria", "--along", "system.length", "--from", "1", "--to", "2",
                         "--count", "3", "--methods", "rk4")):
            with self.subTest(command[0]):
                given = subprocess.run([BINARY, command[0], "-", *command[1:], "--json"], cwd=self.folder,
                                       input=START.encode(), capture_output=True, check=False)
                result = Result(command, given.returncode, text(given.stdout), text(given.stderr))
                self.assertIn(result.code, (0, 1), result)
        self.assertEqual(os.listdir(self.folder / "results"), ["stdin"])
        sweep = subprocess.run([BINARY, "sweep", "-"], cwd=self.folder, capture_output=True, check=False,
                               input=PENDULUM.format(method="rk4", steps=20, sweep=GRID).encode())
        self.assertEqual(sweep.returncode, 0, sweep)
        wrong = subprocess.run([BINARY, "run", "-"], cwd=self.folder, capture_output=True, check=False,
                               input=b"[system]\nnam = 1\n")
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("stdin", text(wrong.stderr))

    # ---- unfinished recordings ------------------------------------------------------------------

    def test_an_unfinished_run_of_another_scenario_stays(self):
        place = self.folder / "results" / "pendulum" / "hamel.h5"
        process = self.begun(place, "--method", "hamel")
        self.assertEqual(self.ended(process, signal.SIGINT).code, 130)
        self.pendulum.write_text(START)
        for command in (("run", "--method", "hamel"), ("compare", "--methods", "rk4,hamel")):
            with self.subTest(command):
                self.refused(command[0], self.pendulum, *command[1:], code=4,
                             says=("another scenario", "hamel resume results/pendulum/hamel.h5", "--force"))
        place.with_name("hamel.h5.checkpoint").rename(self.folder / "away")
        lost = self.refused("run", self.pendulum, "--method", "hamel", says="--force", code=4)
        self.assertNotIn("hamel resume", lost.err)
        self.good("compare", self.pendulum, "--methods", "rk4,hamel", "--force")
        self.assertTrue(self.document("info", place)["finished"])
        self.good("run", self.pendulum, "--method", "hamel", "--steps", "3")  # finished: replaced

    def test_an_unfinished_run_of_the_same_scenario_is_replaced(self):
        place = self.folder / "results" / "pendulum" / "hamel.h5"
        ids = set()
        for _ in range(2):
            process = self.begun(place.with_name("hamel.h5.lock"), "--method", "hamel")
            until(self, lambda: self.id_of(place) not in ids | {None}, "a recording of its own")
            self.assertEqual(self.ended(process, signal.SIGINT).code, 130)
            ids.add(self.id_of(place))
        self.assertEqual(len(ids), 2)

    def id_of(self, path):
        if not path.exists():
            return None
        return self.document("info", path)["attributes"]["recording_id"]

    # ---- limits ---------------------------------------------------------------------------------

    def test_a_size_limit_is_an_error_of_every_command(self):
        """The signal that comes with it ends a program that does not ignore it."""
        self.good("run", self.pendulum, "--steps", "3000", "--out", "a.h5")
        sweep = self.write("sweep.toml", PENDULUM.format(method="hamel", steps=20, sweep=GRID))
        for command in (("run", self.pendulum, "--steps", "3000"), ("sweep", sweep),
                        ("compare", self.pendulum, "--steps", "3000", "--methods", "hamel"),
                        ("export", "a.h5", "--csv"), ("export", "a.h5", "--npz"), ("plot", "a.h5"),
                        ("certify", self.pendulum, "--methods", "rk4", "--steps", "100"),
                        ("converge", self.pendulum, "--methods", "rk4"),
                        ("section", self.pendulum, "--plane", "q1", "--steps", "3000")):
            for size in (0, 700):
                with self.subTest(command=command[:3], size=size):
                    result = self.call(*command, preexec_fn=file_limit(size))
                    self.assertEqual(result.code, 4, result)
                    self.assertIn("results", result.err)
        with open(self.folder / "out.csv", "wb") as out:
            result = self.call("export", "a.h5", "--csv", "--out", "-", stdout=out,
                               preexec_fn=file_limit(5000))
            self.assertEqual(result.code, 4, result)

    # ---- files that vanish ----------------------------------------------------------------------

    def test_a_recording_that_vanishes_during_its_run(self):
        path = self.folder / "a.h5"
        rows = self.folder / "grown"

        def cut(size):
            return lambda: os.truncate(path, size)

        for name, harm, words in (
                ("deleted", path.unlink, "was deleted"), ("emptied", cut(0), "was cut"),
                ("cut", cut(5000), "was cut"), ("moved", lambda: path.rename(rows), "was moved"),
                ("replaced", lambda: os.replace(shutil.copy(self.pendulum, self.folder / "x"), path),
                 "was deleted")):
            for sent in (signal.SIGINT, None):
                with self.subTest(name, sent=sent):
                    process = self.begun(path, "--out", "a.h5", "--force")
                    harm()
                    result = self.ended(process, sent)
                    self.assertEqual(result.code, 4, result)
                    self.assertIn(words, result.err)
                    self.assertIn("a.h5", result.err)
                    self.assertNotIn("go on with", result.err)
                    self.assertNotIn("are kept", result.err)
                    if words == "was deleted":
                        self.assertFalse((self.folder / "a.h5.checkpoint").exists())
                    if name == "moved":  # as the message says
                        (self.folder / "a.h5.checkpoint").rename(self.folder / "grown.checkpoint")
                        self.assertTrue(self.document("info", rows)["resumable"])
                    for file in self.folder.glob("a.h5*"):
                        file.unlink()
