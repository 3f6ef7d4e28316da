# SPDX-License-Identifier: BSD-3-Clause
"""Certificates, seen from outside."""

import re

from support import SOURCE, ProgramTest

PENDULUM = str(SOURCE / "scenarios/spherical_pendulum.toml")
SLEIGH = str(SOURCE / "scenarios/chaplygin_sleigh.toml")


class Certify(ProgramTest):
    def claims(self, *arguments):
        return {(c["method"], c["claim"]): c for c in self.document("certify", *arguments)["claims"]}

    def test_tells_the_truth_about_the_pendulum(self):
        claims = self.claims(PENDULUM, "--methods", "hamel,variational,rattle")
        self.assertLess(claims["variational", "symplectic"]["measured"], 1e-13)
        self.assertTrue(1e-5 < claims["hamel", "symplectic"]["measured"] < 1e-2)
        self.assertFalse(claims["hamel", "symplectic"]["claimed"])
        self.assertEqual(claims["hamel", "symplectic"]["verdict"], "not claimed")
        self.assertTrue(claims["hamel", "invariant:energy"]["holds"])
        energy = claims["variational", "invariant:energy"]
        self.assertFalse(energy["claimed"] or energy["holds"])
        self.assertEqual((energy["trend"], energy["source"]), ("bounded", "method"))
        self.assertTrue(all(c["holds"] for c in claims.values() if c["claimed"]))
        for claim in claims.values():
            self.assertTrue(claim["formula"])

    def test_nonholonomic_systems_have_a_constraint_and_no_symplectic_form(self):
        claims = self.claims(SLEIGH, "--methods", "hamel,dla,rk4", "--set", "system.offset=0.5",
                             "--steps", "2000")
        self.assertTrue(claims["hamel", "constraint"]["holds"])
        self.assertTrue(claims["dla", "constraint"]["claimed"])
        self.assertEqual(claims["rk4", "constraint"]["verdict"], "not claimed")
        self.assertIn("chord", claims["rk4", "constraint"]["detail"])
        self.assertEqual(claims["hamel", "symplectic"]["verdict"], "not measured")
        self.assertIn("not applicable", claims["hamel", "symplectic"]["detail"])
        self.assertIsNone(claims["hamel", "symplectic"]["measured"])
        self.assertTrue(claims["hamel", "equilibria"]["holds"])
        self.assertEqual(claims["hamel", "equilibria"]["unit"], "1/s")

    def test_writes_a_page_and_a_table(self):
        result = self.good("certify", PENDULUM, "--methods", "hamel,rk4", "--steps", "1000")
        page = (self.folder / "results/spherical_pendulum/certificate.md").read_text()
        for part in ("# Certificate: spherical_pendulum", "## hamel", "## rk4", "```toml",
                     "eps s (16 + 4 sqrt(kN))"):
            self.assertIn(part, page)
        rows = [line for line in page.splitlines() if line.startswith("|")]
        self.assertTrue(any("equilibria" in row for row in rows))
        for row in rows:  # no bar within a cell
            self.assertEqual(len(re.findall(r"(?<!\\)\|", row)), 7, row)
        self.columns(result)
        self.assertRegex(result.out, r"order 2 +(1\.99\d|2\.00\d) ± 0\.\d+ +1\.90 +holds")

    # A step at which the method has no solution keeps nothing.
    def test_a_claim_that_fails_is_exit_1(self):
        chain = self.write("chain.toml", '[system]\nname = "chain_pendulum"\nn = 2\n'
                                         "[integrate]\nstep = 0.5\nsteps = 200\n")
        result = self.good("certify", chain, "--methods", "variational", "--out", "none", code=1)
        self.assertIn("fails", result.out)
        self.assertFalse((self.folder / "results").exists())

    def test_bad_input(self):
        self.refused("certify", "nothing.toml", says="nothing.toml")
        self.refused("certify", PENDULUM, "--methods", "hamle", says="hamel")
        self.refused("certify", PENDULUM, "--out", "a.h5", says="none")
        self.refused("certify", PENDULUM, "--steps", "0", says="steps")

    # At a kink no error falls like a power of the step: told, after a bounded amount of work.
    def test_an_order_without_a_law_is_not_settled(self):
        kink = self.write("kink.toml", """[system]
coordinates = ["x"]
lagrangian = "x_dot^2/2 - abs(x)"
[initial]
q = [1]
v = [0.3]
[integrate]
step = 0.05
until = 20.0
""")
        methods = ("gauss", "hamel", "rk4")
        claims = self.claims(kink, "--methods", ",".join(methods))
        for method in methods:
            order = claims[method, "order"]
            self.assertEqual((order["verdict"], order["holds"], order["settled"]),
                             ("not settled", None, False), order)
        self.assertIn("no steps below", claims["gauss", "order"]["detail"])
        self.assertFalse(any(c["claimed"] for (_, name), c in claims.items()
                             if name == "invariant:energy"))
        result = self.good("converge", kink, "--methods", "gauss,hamel", "--out", "none")
        self.assertIn("gauss: no steps below 0.0025 s", result.out)
        self.assertIn("~ not settled", result.out)

    # Slopes of order 16 that quadruple precision does not let settle are no false claim.
    def test_the_restricted_three_body_problem(self):
        orbit = self.write("orbit.toml", """[system]
coordinates = ["x", "y"]
parameters = { mu = 0.012277471 }
lagrangian = '''((x_dot-y)^2+(y_dot+x)^2)/2 + (1-mu)/sqrt((x+mu)^2+y^2)
  + mu/sqrt((x-1+mu)^2+y^2)'''
[initial]
q = [0.5, 0.3]
v = [0.2, 0.8]
[integrate]
step = 0.005
until = 6.0
""")
        for step in ("0.005", "0.01", "0.02"):
            order = self.claims(orbit, "--methods", "gauss", "--step", step)["gauss", "order"]
            self.assertIn((order["verdict"], order["holds"]),
                          (("not settled", None), ("holds", True)), order)
