"""hamel sweep: its members, their bits whatever runs beside them, failures, resuming, figures."""

import csv
import math
import os
import signal
import statistics
import subprocess
import time

from support import BINARY, Hdf5, ProgramTest, SOURCE

PENDULUM = """[system]
name = "spherical_pendulum"
length = 1.0
gravity = 9.81
[initial]
q = [0.6, 0.0, -0.8]
omega = [0.0, 0.0, 0.0]
[integrate]
method = "{method}"
step = 0.01
steps = {steps}
{sweep}
"""
GRID = """[sweep.vary]
"system.length" = { from = 0.5, to = 1.5, count = 7 }
"initial.omega[2]" = [-1.0, 0.5, 2.0]
"""
BODY = """[system]
name = "spherical_pendulum"
[integrate]
method = "hamel"
steps = 300
[sweep.vary]
"initial.Omega[0]" = { from = 0.1, to = 1.0, count = 20 }
"""
CHAIN = """[system]
name = "chain_pendulum"
n = 4
[initial]
q = [[0.0, 0.6, -0.8], [0.6, 0.0, -0.8], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]]
omega = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
[integrate]
method = "variational"
step = 0.005
steps = 400
[sweep.vary]
"system.gravity" = { from = 1.0, to = 20.0, count = 19 }
"initial.omega[3][1]" = [0.0, 1.5]
"""
OWN = """[system]
coordinates = ["x"]
parameters = { k = 1.0 }
lagrangian = "x_dot^2/2 - k*x^4/4"
[initial]
q = [1.0]
xi = [0.0]
[integrate]
method = "hamel"
step = 0.01
steps = 100
[sweep.vary]
"""


FORCED = """[system]
spheres = ["a", "b"]
inertia = [[1.0, 0.0], [0.0, 2.0]]
potential = "9.81*(a3 + b3) + k*(a1*b1 + a2*b2)"
parameters = { k = 0.5 }
forces = { a = ["-0.1*a1_dot", "-0.1*a2_dot", "-0.1*a3_dot + 0.2*sin(t)"] }
[initial]
q = [[0.6, 0.0, -0.8], [0.0, 0.28, -0.96]]
omega = [[0.0, 0.5, 0.0], [0.2, 0.0, 0.0]]
[integrate]
method = "hamel"
step = 0.01
steps = 100
[sweep.vary]
"""


OWN_PENDULUM_SYSTEM = """spheres = ["a"]
inertia = [[1.0]]
potential = "9.81*a3"
"""
CATALOGUE_PENDULUM = """name = "spherical_pendulum"
mass = 1.0
length = 1.0
gravity = 9.81
"""
OWN_PENDULUM = f"""[system]
{OWN_PENDULUM_SYSTEM}[initial]
q = [[0.6, 0.0, -0.8]]
omega = [[0.0, 0.5, 0.0]]
[integrate]
method = "hamel"
step = 0.01
steps = 100
[sweep.vary]
"initial.omega[0][1]" = {{ from = 0.0, to = 1.0, count = 30 }}
"""


FORCES = '"system.parameters.k" = { from = 0.1, to = 0.9, count = 20 }\n'


class Sweep(ProgramTest):
    """Ensembles from the command line."""

    def pendula(self, method="hamel", steps=300, sweep=GRID):
        return self.write("sweep.toml", PENDULUM.format(method=method, steps=steps, sweep=sweep))

    def swept(self, name, *options, **more):
        return self.document("sweep", "sweep.toml", "--out", name, *options, **more)

    def read(self, name, path):
        values = list(Hdf5.read(self.folder / name, path))
        count = len(Hdf5.read(self.folder / name, "/status"))
        width = len(values) // count
        return values if width == 1 else [values[i * width:(i + 1) * width] for i in range(count)]

    def same_as_runs(self, name, keys, members, fields=("q",)):
        """The members' final states are those of runs with the same numbers, bit by bit."""
        inputs = {key: self.read(name, f"/inputs/{key}") for key in keys}
        finals = {field: self.read(name, f"/final/{field}") for field in fields}
        for member in members:
            sets = []
            for key in keys:
                table, _, place = key.partition(".")
                if "[" not in place:
                    sets += ["--set", f"{table}.{place}={inputs[key][member]!r}"]
            run = self.document("run", "sweep.toml", "--out", "none", *sets, *self.lists(
                {k: inputs[k][member] for k in keys if "[" in k}))
            for field in fields:
                end = run["final"][field]
                flat = [x for part in end for x in part] if isinstance(end[0], list) else end
                got = finals[field][member]
                self.assertEqual(flat, got if isinstance(got, list) else [got], (member, field))

    def lists(self, changed):
        """--set options that change single entries of the initial state."""
        import tomllib
        scenario = tomllib.loads((self.folder / "sweep.toml").read_text())
        initial = scenario.get("initial", {"Gamma": [0.3, 0.2, -0.932738], "Omega": [0.6, 0.0]})
        for key, value in changed.items():
            name, *places = key.removeprefix("initial.").replace("]", "").split("[")
            entry = initial[name]
            for place in places[:-1]:
                entry = entry[int(place)]
            entry[int(places[-1])] = value
        # What varies is made a direction and a rate across it, as the sweep does.
        options = []
        for name, value in initial.items():
            options += ["--set", f"initial.{name}={value!r}"]
        return options if changed else []

    def test_the_systems_own_start_varies_too(self):
        for name, size in (("spherical_pendulum", ""), ("chain_pendulum", "n = 3\n")):
            self.write("sweep.toml", f'[system]\nname = "{name}"\n{size}[integrate]\nstep = 0.01\nsteps = 50\n'
                       '[sweep]\nsamples = 20\n[sweep.vary]\n"initial.omega[0][1]" = { normal = [0.0, 0.2] }\n'
                       '"system.length" = { from = 0.5, to = 1.5, count = 101 }\n"system.mass" = [1.0, 2.0]\n')
            document = self.swept("own_start.h5", "--force")
            self.assertEqual((document["members"], document["failed"]), (20, 0), name)
            self.assertGreater(document["lanes"], 1)
            self.assertTrue(document["file"].endswith("own_start.h5"))
            alone = self.document("run", "sweep.toml", "--member", "7", "--out", "none")
            q = alone["final"]["q"]
            self.assertEqual(self.read("own_start.h5", "/final/q")[7],
                             [x for v in q for x in v] if isinstance(q[0], list) else q)

    def test_a_member_is_a_run(self):
        for method in ("hamel", "variational", "rattle", "gauss(stages=2)", "hamel+su4"):
            with self.subTest(method=method):
                self.pendula(method)
                document = self.swept("a.h5", "--force")
                self.assertEqual((document["status"], document["members"]), ("ok", 21))
                self.assertEqual(document["lanes"] > 1, method in ("hamel", "variational"))
                self.assertEqual(self.read("a.h5", "/inputs/initial.omega[2]")[:8],
                                 [-1.0] * 7 + [0.5])
                # ω3 has a part along q, which the sweep takes away: members with q across only.
                lengths = self.read("a.h5", "/inputs/system.length")
                self.assertEqual((lengths[0], lengths[6]), (0.5, 1.5))
        self.pendula(sweep='[sweep.vary]\n"system.length" = { from = 0.5, to = 1.5, count = 19 }\n'
                           '"initial.omega[1]" = [0.5, 1.0]\n')
        for method in ("hamel", "variational", "rattle"):
            for compensated in ("true", "false"):
                with self.subTest(method=method, compensated=compensated):
                    self.good("sweep", "sweep.toml", "--method", method, "--out", "a.h5", "--force",
                              "--set", f"integrate.compensated={compensated}")
                    text = (self.folder / "sweep.toml").read_text()
                    changed = text.replace('method = "hamel"', f'method = "{method}"')
                    changed = changed.replace("[sweep.vary]", f"compensated = {compensated}\n[sweep.vary]")
                    self.write("sweep.toml", changed)
                    self.same_as_runs("a.h5", ["system.length", "initial.omega[1]"], (0, 17, 37),
                                      ("q", "omega"))
                    self.write("sweep.toml", text)

    def test_a_member_alone(self):
        random = ('[sweep]\nsamples = 30\nseed = 0\n[sweep.vary]\n"system.length" = { uniform = [1.0, 3.0] }\n'
                  '"initial.q[1]" = { normal = [0.0, 1.0] }\n"initial.omega[2]" = [0.5, 1.0]\n')
        for text in (PENDULUM.format(method="hamel", steps=300, sweep=random), CHAIN, BODY,
                     FORCED + FORCES, OWN + '"initial.xi[0]" = { from = 0.0, to = 1.0, count = 30 }\n',
                     OWN + '"system.parameters.k" = [1.0, 2.0, 3.0]\n'):
            with self.subTest(text=text):
                self.write("sweep.toml", text)
                members = self.swept("all.h5", "--force")["members"]
                for member in (0, members // 2, members - 1):
                    run = self.document("run", "sweep.toml", "--member", str(member), "--out", "one.h5",
                                        "--force")
                    for field, end in run["final"].items():
                        if field == "t":
                            continue
                        end = end if isinstance(end, list) else [end]
                        flat = [x for part in end for x in (part if isinstance(part, list) else [part])]
                        got = self.read("all.h5", f"/final/{field}")[member]
                        self.assertEqual(flat, got if isinstance(got, list) else [got], (member, field))
                self.assertNotIn("sweep", self.document("info", "one.h5")["attributes"]["scenario"])
                for outside in ("-1", str(members)):
                    self.refused("run", "sweep.toml", "--member", outside, says=f"0 to {members - 1}")
        self.refused("run", self.pendulum, "--member", "0", says="no [sweep]")

    def test_members_in_the_body_on_chains_and_of_ones_own(self):
        self.write("sweep.toml", BODY)
        self.assertTrue(self.swept("body.h5")["lanes"] > 1)
        self.same_as_runs("body.h5", ["initial.Omega[0]"], (0, 7, 19), ("q", "Gamma"))
        self.write("sweep.toml", CHAIN)
        self.assertTrue(self.swept("chain.h5")["lanes"] > 1)
        self.same_as_runs("chain.h5", ["system.gravity"], range(0, 38, 2)[:3])
        self.write("sweep.toml", OWN + '"system.parameters.k" = [1.0, 2.0, 3.0]\n')
        self.assertEqual(self.swept("own.h5")["failed"], 0)
        self.same_as_runs("own.h5", ["system.parameters.k"], (0, 1, 2))
        self.write("sweep.toml", OWN + '"initial.xi[0]" = { from = 0.0, to = 1.0, count = 30 }\n')
        self.swept("own.h5", "--force")
        self.same_as_runs("own.h5", ["initial.xi[0]"], (0, 1, 29))

    def test_own_spheres(self):
        for method in ("hamel", "variational"):
            for system in (FORCED, FORCED.replace("forces =", "# ")):
                text = system.replace('method = "hamel"', f'method = "{method}"')
                self.write("sweep.toml", text + '"system.parameters.k" = [0.5, 0.7, 2.0]\n')
                swept = self.swept("own.h5", "--force")
                self.assertEqual((swept["failed"], swept["lanes"] > 1), (0, True), text)
                self.same_as_runs("own.h5", ["system.parameters.k"], (0, 1, 2))
                self.write("sweep.toml",
                           text + '"initial.omega[0][1]" = { from = 0.0, to = 1.0, count = 30 }\n')
                self.swept("own.h5", "--force")
                self.same_as_runs("own.h5", ["initial.omega[0][1]"], (0, 1, 29))

    def test_a_pendulum_among_others(self):
        """Where a parameter is 0 the system is another one, with steps of its own."""
        text = OWN_PENDULUM.replace('"9.81*a3"', '"9.81*a3 + k*a1^2"\nparameters = { k = 1.0 }')
        text = text[:text.index('"initial.omega')]
        for method in ("hamel", "variational"):
            for values in ("[0.0, 0.5, 1.0]", "[0.5, 0.0, 1.0]", "[0.0, 0.5, 0.0]"):
                self.write("sweep.toml", text.replace('method = "hamel"', f'method = "{method}"') +
                           f'"system.parameters.k" = {values}\n')
                swept = self.swept("own.h5", "--force")
                self.assertEqual((swept["failed"], swept["lanes"] > 1), (0, True), values)
                self.same_as_runs("own.h5", ["system.parameters.k"], (0, 1, 2))

    def test_members_with_other_invariants(self):
        """Where k = 0 there is a momentum more, elsewhere it has no value."""
        text = OWN_PENDULUM.replace('"9.81*a3"', '"9.81*a3 + k*a1^2"\nparameters = { k = 0.5 }')
        text = text[:text.index('[sweep.vary]')].replace('"hamel"', '"variational"')
        text += "[output]\ninvariants_every = 1\n[sweep.vary]\n"
        for k in ("0.5", "0.0"):
            self.write("sweep.toml", text.replace("k = 0.5", f"k = {k}") +
                       '"system.parameters.k" = [0.5, 0.0, 1.0]\n')
            self.swept("own.h5", "--force")
            columns = ["energy", "length", "tangency"] + (["momentum_z"] if k == "0.0" else [])
            for member, value in enumerate((0.5, 0.0, 1.0)):
                run = self.document("run", "sweep.toml", "--out", "none", "--set",
                                    f"system.parameters.k={value}")["invariants"]
                for name in columns:
                    drift = self.read("own.h5", f"/drift/{name}")[member]
                    if name in run:
                        self.assertEqual(drift, run[name]["max_drift"], (k, value, name))
                    else:
                        self.assertNotEqual(drift, drift, (k, value, name))

    def test_own_pendulum_moves_as_the_catalogues(self):
        for method in ("hamel", "variational"):
            text = OWN_PENDULUM.replace('method = "hamel"', f'method = "{method}"')
            self.write("sweep.toml", text)
            self.assertTrue(self.swept("own.h5", "--force")["lanes"] > 1)
            self.same_as_runs("own.h5", ["initial.omega[0][1]"], (0, 1, 29))
            own = self.read("own.h5", "/final/q")
            self.write("sweep.toml", text.replace(OWN_PENDULUM_SYSTEM, CATALOGUE_PENDULUM))
            self.swept("own.h5", "--force")
            # The same steps; its velocities go through omega x q at the start.
            for a, b in zip(sum(own, []), sum(self.read("own.h5", "/final/q"), []), strict=True):
                self.assertAlmostEqual(a, b, delta=1e-14)

    def test_threads_and_instructions_change_nothing(self):
        for text in (PENDULUM.format(method="hamel", steps=500, sweep=GRID), CHAIN, BODY,
                     FORCED + FORCES, FORCED.replace("hamel", "variational") + FORCES):
            self.write("sweep.toml", text)
            self.swept("one.h5", "--threads", "1", "--force")
            one = (self.folder / "one.h5").read_bytes()
            for threads in ("2", "5"):
                self.swept("more.h5", "--threads", threads, "--force")
                self.assertEqual(one, (self.folder / "more.h5").read_bytes(), threads)
            for isa in ("baseline", "avx2", "avx512"):
                self.swept("isa.h5", "--force", env={**os.environ, "HAMEL_ISA": isa})
                self.assertEqual(one, (self.folder / "isa.h5").read_bytes(), isa)

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

    def test_random_members(self):
        sweep = ('[sweep]\nsamples = 4000\nseed = {seed}\n[sweep.vary]\n'
                 '"system.length" = {{ uniform = [1.0, 3.0] }}\n'
                 '"initial.omega[1]" = {{ normal = [0.5, 0.2] }}\n"system.mass" = [1.0, 2.0]\n')
        self.pendula(steps=1, sweep=sweep.format(seed=1))
        self.swept("a.h5")
        length = self.read("a.h5", "/inputs/system.length")
        omega = self.read("a.h5", "/inputs/initial.omega[1]")
        mass = self.read("a.h5", "/inputs/system.mass")
        error = 5 / math.sqrt(4000)
        self.assertTrue(all(1.0 <= x < 3.0 for x in length))
        self.assertAlmostEqual(statistics.fmean(length), 2.0, delta=error * 2 / math.sqrt(12))
        self.assertAlmostEqual(statistics.pstdev(length), 2 / math.sqrt(12), delta=error)
        self.assertAlmostEqual(statistics.fmean(omega), 0.5, delta=error * 0.2)
        self.assertAlmostEqual(statistics.pstdev(omega), 0.2, delta=error * 0.2)
        self.assertAlmostEqual(statistics.fmean(mass), 1.5, delta=error * 0.5)
        covariance = statistics.fmean((a - 2) * (b - 0.5) for a, b in zip(length, omega))
        self.assertAlmostEqual(covariance, 0.0, delta=error * 0.2)
        self.assertEqual(len(set(length)), 4000)
        self.pendula(steps=1, sweep=sweep.format(seed=2))
        self.swept("b.h5")
        self.assertEqual(len(set(length) & set(self.read("b.h5", "/inputs/system.length"))), 0)

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

    def test_interrupted_and_killed_sweeps_go_on(self):
        self.pendula(steps=20000, sweep='[sweep]\nsamples = 6000\n[sweep.vary]\n'
                     '"system.length" = { normal = [0.6, 0.3] }\n')
        whole = self.swept("whole.h5")
        for sent in (signal.SIGINT, signal.SIGKILL):
            with subprocess.Popen([BINARY, "sweep", "sweep.toml", "--out", "part.h5", "--force"],
                                  cwd=self.folder, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL) as process:
                begun = time.monotonic()
                while not (self.folder / "part.h5.checkpoint").exists():
                    self.assertLess(time.monotonic() - begun, 30)
                    time.sleep(0.002)
                time.sleep(0.4 * whole["seconds"])
                process.send_signal(sent)
                process.wait(timeout=30)
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
