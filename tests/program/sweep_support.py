# SPDX-License-Identifier: BSD-3-Clause
"""What tests of hamel sweep share: scenarios, and what their files hold."""

import tomllib

from support import Hdf5, ProgramTest

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


class SweepTest(ProgramTest):
    """A program test with sweep.toml in its folder."""

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
