# SPDX-License-Identifier: BSD-3-Clause
"""hamel sweep: its members and their bits, whatever runs beside them."""

import math
import os
import statistics

from sweep_support import (
    BODY, CATALOGUE_PENDULUM, CHAIN, FORCED, FORCES, GRID, OWN, OWN_PENDULUM, OWN_PENDULUM_SYSTEM, PENDULUM,
    SweepTest)


class Sweep(SweepTest):
    """Ensembles from the command line."""

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
