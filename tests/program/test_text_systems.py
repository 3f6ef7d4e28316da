# SPDX-License-Identifier: BSD-3-Clause
"""Systems given as text, seen from outside: results, refusals, faults on the way, recordings."""

from support import SOURCE, Hdf5, ProgramTest

SLEIGH = (SOURCE / "scenarios" / "my_own_sleigh.toml").read_text(encoding="utf-8")


class TextSystems(ProgramTest):
    def own(self, system, start, integrate="step = 0.03\nsteps = 100"):
        return self.write("own.toml", f"[system]\n{system}\n[initial]\n{start}\n"
                                      f"[integrate]\n{integrate}\n")

    def test_the_same_numbers_as_the_built_in_system(self):
        own = self.write("own.toml", SLEIGH)
        built_in = self.write("built_in.toml", '[system]\nname = "chaplygin_sleigh"\noffset = 0.5\n'
                                               "[initial]\nq = [0, 0, 0]\nxi = [-0.8, 0.3]\n")
        both = [self.document("run", path, "--step", "0.1", "--steps", "200", "--out", "none",
                              "--method", "hamel")["final"] for path in (own, built_in)]
        for key in ("q", "xi"):
            for a, b in zip(both[0][key], both[1][key]):
                self.assertAlmostEqual(a, b, delta=1e-13)

    def test_every_problem_is_told_with_its_place(self):
        own = self.own('coordinates = ["x", "x"]\nlagrangian = "x_dot^2 + x_dt"', "q = [0]\nxi = [0]")
        self.refused("run", own, says=["coordinates[2] 'x' is a coordinate already", "did you mean 'x_dot'", "^"])
        own = self.own('coordinates = ["x"]\nlagrangian = "x^2"', "q = [0]\nxi = [0]")
        self.refused("check", own, says="not a Lagrangian")

    def test_singular_at_the_start_and_later(self):
        system = 'coordinates = ["x", "y"]\nlagrangian = "x_dot^2/2 + y_dot^2/2*(0.55 - x)"'
        self.refused("run", self.own(system, "q = [0.55, 0]\nxi = [1, 0]"), says="kinetic matrix")
        later = self.own(system, "q = [0, 0]\nxi = [1, 0]")
        run = self.document("run", later, "--out", "a.h5", code=3)
        self.assertEqual(run["status"], "singular")
        times = list(Hdf5.read(self.folder / "a.h5", "/t"))
        self.assertEqual(times[:3], [0.0, 0.03, 0.06])
        self.assertEqual(len(times), 19)  # x = t, singular at 0.55
        # No row behind it, however often it is looked for.
        for every, measured, rows in ((1, 1, 19), (1, 7, 19), (5, 1, 5), (5, 16, 5)):
            self.good("run", later, "--out", "b.h5", "--force", "--set", f"output.every={every}",
                      "--set", f"output.invariants_every={measured}", code=3)
            self.assertEqual(self.document("info", "b.h5")["rows"], rows, (every, measured))
        told = self.good("run", later, "--out", "none", code=3)
        self.assertIn("kinetic matrix", told.err)
        self.assertRegex(told.err, r"at step 19 ")

    def test_a_coordinate_that_runs_off_is_named(self):
        own = self.own('coordinates = ["x"]\nlagrangian = "x_dot^2/2 + x^4"', "q = [1]\nxi = [3]")
        told = self.good("run", own, "--method", "rk4", "--out", "a.h5", code=3)
        self.assertRegex(told.err, r"coordinate x")
        self.assertGreater(self.document("info", "a.h5")["rows"], 3)

    def test_a_field_that_was_found_is_told(self):
        own = self.own('coordinates = ["x", "y", "a"]\n'
                       'quasi_lagrangian = "(xi1^2 + (xi3 - 0.5*xi2)^2 + xi2^2)/2"\n'
                       'frame = [["cos(a)", "sin(a)", "0"], ["0", "0", "1"]]',
                       "q = [0, 0, 0]\nxi = [-0.8, 0.3]")
        self.assertIn("xi3 has no field", self.good("run", own, "--out", "none").err)
