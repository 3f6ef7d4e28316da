# SPDX-License-Identifier: BSD-3-Clause
"""hamel sweep: failures, files, resuming, figures, what is refused."""

import csv
import math
import os
import signal
import subprocess

from support import at_work, BINARY, Hdf5, processor_seconds_of_children, SOURCE, TIMEOUT, until
from sweep_support import CHAIN, GRID, SweepTest


class SweepOutput(SweepTest):
    """What a sweep tells and leaves."""

    def test_failures_disturb_nobody(self):
        many = '[sweep.vary]\n"initial.omega[1]" = {{ from = 0.0, to = {end}, count = {count} }}\n'
        self.pendula("variational", sweep=many.format(end=200.0, count=41))
        document = self.swept("all.h5")
        failed = document["failed"]
        self.assertEqual(document["status"], "ok")
        self.assertTrue(15 < failed < 25, failed)
        self.assertEqual(document["failures"][0]["status"], "no_solution")
        self.assertEqual(len(document["failures"]), 10)
        status = self.read("all.h5", "/status")
        self.assertEqual(sum(s != 0 for s in status), failed)
        self.assertEqual(document["failed_by_status"], {"no_solution": failed})
        steps = self.read("all.h5", "/steps")
        for s, n in zip(status, steps):
            self.assertEqual(n == 300, s == 0)
        self.assertEqual(document["failures_file"], "all.h5.failures.csv")
        with open(self.folder / "all.h5.failures.csv", encoding="utf-8", newline="") as file:
            told = list(csv.DictReader(file))
        self.assertEqual([(int(f["member"]), int(f["step"])) for f in told],
                         [(i, n + 1) for i, (s, n) in enumerate(zip(status, steps)) if s != 0])
        for one, first in zip(told, document["failures"]):
            self.assertEqual((one["status"], one["reason"]), (first["status"], first["reason"]))
        self.assertEqual(told[-1]["reason"], "the step's equations have no real solution")
        alone = self.call("run", "sweep.toml", "--member", told[-1]["member"], "--out", "none")
        self.assertEqual(alone.code, 3)
        self.assertIn(told[-1]["reason"], alone.err)
        self.pendula("variational", sweep=many.format(end=50.0, count=11))
        self.assertEqual(self.swept("few.h5")["failed"], 0)
        for path in ("/final/q", "/final/omega", "/drift/energy"):
            self.assertEqual(self.read("few.h5", path), self.read("all.h5", path)[:11])
        self.assertEqual(self.swept("all.h5", "--force")["failures_file"], "")
        self.assertEqual(sorted(self.folder.glob("*.csv")), [])

    def test_all_fail(self):
        self.pendula("variational", sweep='[sweep.vary]\n"initial.omega[1]" = [500.0, 600.0]\n')
        self.assertEqual(self.swept("a.h5")["failed"], 2)
        self.assertEqual([os.path.basename(f) for f in self.document("plot", "a.h5", "--out", "f")["figures"]],
                         ["sweep_status.svg", "sweep_status.png"])
        self.assertEqual([p.name for p in self.folder.glob("*.csv")], ["a.h5.failures.csv"])
        # Another recording in its place is not that sweep.
        self.good("run", "sweep.toml", "--set", "initial.omega=[0.0, 1.0, 0.0]", "--out", "a.h5", "--force")
        self.assertEqual(sorted(self.folder.glob("*.csv")), [])

    def test_members_whose_values_make_no_sense(self):
        self.pendula(sweep='[sweep]\nsamples = 200\n[sweep.vary]\n'
                           '"system.mass" = { normal = [1.0, 1.0] }\n')
        document = self.swept("a.h5")
        masses = self.read("a.h5", "/inputs/system.mass")
        status = self.read("a.h5", "/status")
        self.assertEqual(document["failed"], sum(m <= 0 for m in masses))
        for m, s in zip(masses, status):
            self.assertEqual(s, 6.0 if m <= 0 else 0.0)
        self.assertIn("must be", document["failures"][0]["reason"])
        first = document["failures"][0]
        self.refused("run", "sweep.toml", "--member", str(first["member"]), says=first["reason"])
        self.assertEqual(document["failures"][0]["step"], 0)

    def test_trajectories_and_less(self):
        self.pendula(steps=100, sweep=GRID + "[sweep.output]\ntrajectory_every = 20\n")
        self.swept("a.h5")
        self.assertEqual(self.read("a.h5", "/trajectory/t")[3], [k * 20 * 0.01 for k in range(6)])
        q = self.read("a.h5", "/trajectory/q")[3]
        self.assertEqual(q[:3], [0.6, 0.0, -0.8])
        self.assertEqual(q[15:], self.read("a.h5", "/final/q")[3])
        self.pendula(steps=100, sweep=GRID + "[sweep.output]\nfinal = false\ninvariants = false\n")
        self.swept("b.h5")
        columns = [c["path"] for c in self.document("info", "b.h5")["columns"]]
        self.assertEqual(columns, ["/inputs/initial.omega[2]", "/inputs/system.length", "/status",
                                   "/steps", "/iterations"])

    def test_trajectories_end_where_members_fail(self):
        """Whole numbers up to the last sample before the failure, none after it; others are whole."""
        self.pendula("variational", steps=100, sweep='[sweep.vary]\n'
                     '"initial.omega[1]" = { from = 1.8, to = 2.6, count = 41 }\n')
        for every in (1, 3):
            name = f"{every}.h5"
            failed = self.swept(name, "--set", "integrate.step=0.3", "--set",
                                f"sweep.output.trajectory_every={every}")["failed"]
            self.assertTrue(5 < failed < 20, failed)
            steps = self.read(name, "/steps")
            self.assertGreater(len({int(n) // every for n in steps}), 2)  # some fail on the way
            t, q, final = (self.read(name, path) for path in ("/trajectory/t", "/trajectory/q", "/final/q"))
            for member, done in enumerate(steps):
                kept = 1 + int(done) // every
                self.assertEqual(t[member][:kept], [k * every * 0.3 for k in range(kept)])
                self.assertTrue(all(math.isfinite(x) for x in q[member][:3 * kept]), member)
                for rest in (t[member][kept:], q[member][3 * kept:]):
                    self.assertTrue(all(math.isnan(x) for x in rest), (member, done, every))
                if every == 1:
                    self.assertEqual(q[member][3 * kept - 3:3 * kept], final[member])

    def test_the_largest_drift_has_its_member(self):
        self.pendula("rk4")
        document = self.swept("a.h5")
        for name, drift in document["drift"].items():
            drifts = self.read("a.h5", f"/drift/{name}")
            largest = max(drifts)
            self.assertEqual((drift["largest"], drift["member"]), (largest, drifts.index(largest)), name)
        self.assertGreater(len({drift["member"] for drift in document["drift"].values()}), 1)

    def test_interrupted_and_killed_sweeps_go_on(self):
        self.pendula(steps=20000, sweep='[sweep]\nsamples = 6000\n[sweep.vary]\n'
                     '"system.length" = { normal = [0.6, 0.3] }\n')
        before = processor_seconds_of_children()
        whole = self.swept("whole.h5")
        work = processor_seconds_of_children() - before
        for sent in (signal.SIGINT, signal.SIGKILL):
            with subprocess.Popen([BINARY, "sweep", "sweep.toml", "--out", "part.h5", "--force"],
                                  cwd=self.folder, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL) as process:
                until(self, (self.folder / "part.h5.checkpoint").exists, "a checkpoint")
                at_work(self, process, 0.4 * work)
                process.send_signal(sent)
                process.wait(timeout=TIMEOUT)
            self.assertEqual(process.returncode, 130 if sent == signal.SIGINT else -signal.SIGKILL)
            self.assertLess(self.document("info", "part.h5")["rows"], 6000)
            resumed = self.document("resume", "part.h5", "--threads", "1")
            self.assertEqual(resumed["threads"], 1)
            self.assertEqual((resumed["status"], resumed["members_done"]), ("ok", 6000))
            self.assertEqual(resumed["drift"], whole["drift"])
            self.same_recordings(self.folder / "whole.h5", self.folder / "part.h5")
            self.assertEqual(resumed["failed"], whole["failed"])
            self.assertEqual(*((self.folder / f"{name}.h5.failures.csv").read_bytes()
                               for name in ("whole", "part")))

    def test_figures(self):
        self.pendula()
        self.swept("two.h5")
        figures = self.document("plot", "two.h5")["figures"]
        self.assertEqual(sorted(os.path.basename(f) for f in figures),
                         ["sweep_drift_energy.png", "sweep_drift_energy.svg",
                          "sweep_final_q_2.png", "sweep_final_q_2.svg"])
        self.assertEqual(len(self.document("plot", "two.h5", "--quantity", "steps")["figures"]), 2)
        self.refused("plot", "two.h5", "--quantity", "final/q[3]", says=["final/q[3]", "known"])
        self.pendula(sweep='[sweep.vary]\n"system.length" = { from = 0.5, to = 1.5, count = 7 }\n')
        self.swept("one.h5")
        self.assertEqual(len(self.document("plot", "one.h5", "--out", "f")["figures"]), 4)

    def test_figures_of_many_numbers(self):
        self.pendula("variational", steps=20, sweep='[sweep.vary]\n'
                     '"system.length" = { from = 0.5, to = 1.5, count = 5 }\n'
                     '"system.gravity" = [5.0, 10.0]\n'
                     '"initial.omega[1]" = { from = 0.0, to = 200.0, count = 7 }\n')
        self.swept("three.h5")
        self.document("plot", "three.h5", "--out", "preset")
        drawn = (self.folder / "preset/sweep_status.svg").read_text()
        for text in ("initial.omega[1], rad/s", "system.gravity", "no_solution", "At system.length = 1."):
            self.assertIn(text, drawn)
        self.document("plot", "three.h5", "--out", "cut", "--quantity", "status", "--axes",
                      " system.length , initial.omega[1]", "--at", "system.gravity=6")
        self.assertIn("At system.gravity = 5.", (self.folder / "cut/sweep_status.svg").read_text())
        self.document("plot", "three.h5", "--out", "curve", "--quantity", "steps", "--axes", "system.length",
                      "--at", "initial.omega[1]=200")
        self.assertIn("At initial.omega[1] = 200, system.gravity = 10.",
                      (self.folder / "curve/sweep_steps.svg").read_text())
        for options, says in ((("--axes", "system.mass"), "does not vary; known: initial.omega[1], system.g"),
                              (("--axes", "system.length,system.length"), "two different"),
                              (("--axes", ""), "does not vary"),
                              (("--at", "system.length=long"), "KEY=VALUE"),
                              (("--at", "system.length"), "KEY=VALUE"),
                              (("--at", "initial.omega[1]=1"), "axis of the figure"),
                              (("--at", "system.length=1", "--at", "system.length=2"), "twice")):
            self.refused("plot", "three.h5", *options, says=says)
        self.pendula(sweep='[sweep]\nsamples = 9\n[sweep.vary]\n"system.length" = { uniform = [0.5, 1.5] }\n'
                           '"system.mass" = [1.0, 2.0]\n"initial.omega[1]" = [0.0, 1.0]\n')
        self.swept("random.h5")
        self.assertEqual(len(self.document("plot", "random.h5")["figures"]), 4)
        self.refused("plot", "random.h5", "--at", "system.length=1", says="drawn at random")
        # Nothing varies: the first number is the axis.
        self.pendula(sweep='[sweep.vary]\n"system.length" = [1.0]\n"system.mass" = [2.0]\n')
        self.swept("none.h5")
        self.assertEqual(len(self.document("plot", "none.h5")["figures"]), 4)

    def test_what_is_refused(self):
        self.pendula()
        for value, says in (
                ('sweep.vary."system.lenth"=[1.0]', "did you mean system.length?"),
                ('sweep.vary."initial.omega[3]"=[1.0]', "outside the list"),
                ('sweep.vary."initial.omega"=[1.0]', "say which"),
                ('sweep.vary."system.length"="long"', "must be"),
                ('sweep.vary."system.mass"={normal=[1.0, 0.1]}', "sweep.samples"),
                ('sweep.vary."system.mass"={uniform=[2.0, 1.0]}', "wrong order"),
                ('sweep.vary."system.mass"={from=1.0, to=2.0}', "count"),
                ("sweep.vary.system.length=[1.0]", "quote"),
                ("sweep.samples=-3", "whole number from 1 to 10^12"),
                ("sweep.seed=-1", "whole number from 0"),
                ("sweep.vary={}", "sweep.vary"),
                ("sweep.output.final=3", "true or false"),
                ("sweep.colour=3", "not a known key"),
                ('sweep.vary."system.mass"={from=1.0, to=2.0, count=10000000000000}', "10^12")):
            with self.subTest(value=value):
                self.refused("sweep", "sweep.toml", "--out", "x.h5", "--set", value, says=says)
        self.refused("sweep", self.pendulum, says="no [sweep]")
        self.write("sweep.toml", CHAIN)
        for value, says in (
                ('sweep.vary."initial.omega[1]"=[1.0]', "4 vectors of 3 numbers: say which"),
                ('sweep.vary."initial.omega[4][0]"=[1.0]', "outside the list of 4 vectors"),
                ('sweep.vary."initial.omega[03][1]"=[1.0]', "is the same number as"),
                ('sweep.vary."system.mass"={from=1.0, to=2.0, count=2, uniform=[1.0, 2.0]}', "or {")):
            with self.subTest(value=value):
                self.refused("sweep", "sweep.toml", "--out", "x.h5", "--set", value, says=says)

    def test_divided_steps_are_told_and_recorded(self):
        self.write("sweep.toml", CHAIN.replace("variational", "gauss").replace("0.005", "0.5")
                   .replace("400", "20"))
        divided = self.swept("divided.h5")["divided_steps"]
        self.assertGreater(divided, 0)
        self.assertEqual(sum(self.read("divided.h5", "/divided")), divided)
        alone = self.document("run", "sweep.toml", "--member", "37", "--out", "alone.h5")
        self.assertEqual(alone["solver"]["divided_steps"], self.read("divided.h5", "/divided")[37])
        self.assertEqual(Hdf5.read(self.folder / "alone.h5", "/solver/divided")[-1],
                         alone["solver"]["divided_steps"])
        told = self.good("sweep", "sweep.toml", "--out", "none").out
        self.assertIn("did not converge and went in shorter ones", told)

    def test_where_it_cannot_be_written(self):
        self.pendula()
        self.refused("sweep", "sweep.toml", "--out", "no/x.h5", says="does not exist", code=4)

    def test_the_scenario_of_the_tree(self):
        document = self.document("sweep", SOURCE / "scenarios/pendulum_sweep.toml", "--out", "none")
        self.assertEqual((document["members"], document["failed"]), (10201, 0))
        self.assertLess(document["drift"]["energy"]["largest"], 3e-13)
        self.assertLess(document["drift"]["length"]["largest"], 3e-14)
