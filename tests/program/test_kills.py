# SPDX-License-Identifier: BSD-3-Clause
"""kill -9 at random moments, again and again: every run ends, bit by bit, like one left in peace.

HAMEL_KILLS sets how many (30 unless told), HAMEL_RESULTS_DIR a folder for a table of the outcome.
"""

import os
import pathlib
import random
import shutil
import struct
import subprocess
import tempfile
import time
import zipfile

from support import (BINARY, Hdf5, one_document, processor_seconds, processor_seconds_of_children,
                     ProgramTest, seed, SOURCE, text, TIMEOUT, until)

# What is checked: kernels with compensation, O(n) chains, Newton iterations with warm starts, forces.
CASES = {
    "spherical_pendulum, hamel, compensated": (
        "spherical_pendulum", ["--method", "hamel", "--set", "integrate.compensated=true",
                               "--set", "output.every=50"]),
    "chain of 20 links, variational": (
        "chain_pendulum", ["--method", "variational", "--set", "system.n=20", "--step", "0.002",
                           "--set", "output.every=5"]),
    "chaplygin_sleigh, gauss(stages=3)": (
        "chaplygin_sleigh", ["--method", "gauss(stages=3)", "--step", "0.01",
                             "--set", "output.every=3"]),
}
SECONDS = 1.6  # of a run: three checkpoints and the end


def written_at(path):
    try:
        return path.stat().st_mtime_ns
    except OSError:  # between two of them, or after the last
        return None


class Kills(ProgramTest):
    """Killed runs, killed resumes of killed runs."""

    def reference(self, scenario, options):
        """A run of SECONDS that nobody disturbs: its arguments, document, recording, work."""
        path = self.folder / "scenario.toml"
        if scenario == "chain_pendulum":
            path.write_text('[system]\nname = "chain_pendulum"\nn = 20\nmass = 1.0\nlength = 0.05\n')
        else:
            shutil.copy(SOURCE / "scenarios" / f"{scenario}.toml", path)
        base = ["run", str(path), *options]

        def run(steps, name):
            done = subprocess.run([BINARY, *base, "--steps", str(steps), "--json", "--force",
                                   "--out", str(self.folder / name)], capture_output=True, timeout=TIMEOUT,
                                  check=True)
            return one_document(text(done.stdout))

        steps = 2000
        while (tried := run(steps, f"pace{steps}.h5"))["seconds"] < 0.1:
            steps *= 4
        steps = int(SECONDS / tried["seconds_per_step"])
        before = processor_seconds_of_children()
        document = run(steps, "whole.h5")
        work = processor_seconds_of_children() - before
        return [*base, "--steps", str(steps)], document, self.folder / "whole.h5", work

    def start_and_kill(self, arguments, path, checkpoint, work):
        """Starts the program and kills it on the way: what it had worked since its last checkpoint
        appeared, s, or None where it had ended before."""
        with subprocess.Popen([BINARY, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
            until(self, lambda: process.poll() is not None or path.exists() and checkpoint.exists(),
                  "a checkpoint")
            saved, until_then = None, 0.0
            end = processor_seconds(process.pid) + random.uniform(0, 0.5) * work
            while process.poll() is None and (now := processor_seconds(process.pid)) < end:
                if (written := written_at(checkpoint)) != saved:
                    saved, until_then = written, now
                time.sleep(0.002)
            lost = processor_seconds(process.pid) - until_then
            process.kill()
            _, errors = process.communicate()
        if process.returncode == 0:
            return None
        self.assertEqual(process.returncode, -9, text(errors))
        # Killed between the end of the run and that of the program: nothing is left to do.
        return lost if checkpoint.exists() else 0.0

    def same_beginning(self, path, whole):
        """What can be read now is, dataset by dataset, how the whole recording begins."""
        self.good("export", path, "--npz", "--out", "part.npz", "--force")
        values = 0
        with zipfile.ZipFile(self.folder / "part.npz") as archive:
            for name in archive.namelist():
                data = archive.read(name)
                (length,) = struct.unpack("<H", data[8:10])
                data = data[10 + length:]
                self.assertEqual(data, whole[name[:-4]][:len(data)], name)
                values += len(data) // 8
        return values

    def test_killed_at_random_moments(self):
        kills = int(os.environ.get("HAMEL_KILLS", "30"))
        number_of_seed = seed()
        random.seed(number_of_seed)
        rows = []
        for number, (label, (scenario, options)) in enumerate(CASES.items()):
            share = kills * (number + 1) // len(CASES) - kills * number // len(CASES)
            with self.subTest(label):
                rows.append((label, *self.case(scenario, options, share)))
        folder = os.environ.get("HAMEL_RESULTS_DIR")
        if folder and len(rows) == len(CASES):
            self.report(pathlib.Path(folder), rows, number_of_seed)

    def case(self, scenario, options, kills):
        arguments, document, recording, work = self.reference(scenario, options)
        self.assertIsNotNone(Hdf5.load(), "no HDF5 library to read the data with")
        described = self.document("info", recording)
        whole = {c["path"][1:]: bytes(Hdf5.read(recording, c["path"])) for c in described["columns"]}
        done = runs = values = 0
        losses = []
        while done < kills:
            place = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
            path = place / "a.h5"
            checkpoint = place / "a.h5.checkpoint"
            command = [*arguments, "--out", str(path)]
            while done < kills:
                lost = self.start_and_kill(command, path, checkpoint, work)
                if lost is None:
                    break  # it was faster
                done += 1
                losses.append(lost)
                values += self.same_beginning(path, whole)
                command = ["resume", str(path)]
            resumed = self.document("resume", path)
            self.same_run(resumed, document)
            self.same_recordings(path, recording)
            values += sum(len(data) // 8 for data in whole.values())
            self.assertEqual(self.document("info", path, "--check")["damage"], [])
            self.assertEqual([f.name for f in place.iterdir()], ["a.h5"])
            runs += 1
            shutil.rmtree(place)
        self.assertGreaterEqual(done, kills)
        # At most 2 s of work are lost, however busy the machine is with others; one kill in twenty
        # may have met a disk that was.
        self.assertLessEqual(sorted(losses)[int(0.95 * (done - 1))], 2.0, "work lost to a kill, s")
        return done, runs, len(whole), values, max(losses)

    def report(self, folder, rows, seed_used):
        folder.mkdir(parents=True, exist_ok=True)
        lines = ["### kill -9 at random moments", "",
                 "Every killed run was read, resumed, killed again and at the end compared with one "
                 f"left in peace, dataset by dataset; seed {seed_used}.", "",
                 "| run | kills | runs | datasets | numbers compared | most lost, s |",
                 "|---|---|---|---|---|---|"]
        lines += [f"| {label} | {done} | {runs} | {sets} | {values:.2e} | {longest:.2f} |"
                  for label, done, runs, sets, values, longest in rows]
        lines.append(f"\n{sum(row[1] for row in rows)} kills in all, every one resumed, no bit differs.")
        (folder / "kills.md").write_text("\n".join(lines) + "\n")
