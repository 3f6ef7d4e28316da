# SPDX-License-Identifier: BSD-3-Clause
"""hamel plot: what it draws of a run, and what --show and --until choose."""

import re
import shutil
import unittest

from support import SOURCE, ProgramTest


class Plot(ProgramTest):
    def setUp(self):
        super().setUp()
        self.top = self.folder / "top.toml"
        shutil.copy(SOURCE / "scenarios" / "euler_top.toml", self.top)

    def blocks(self, stem):
        """The labels and points of the blocks of figures/STEM.dat."""
        text = (self.folder / "figures" / f"{stem}.dat").read_text()
        found = []
        for block in text.split("\n\n\n"):
            lines = block.strip().splitlines()
            found.append((lines[0][2:], [[float(x) for x in line.split()] for line in lines[2:]]))
        return found

    def svg(self, stem):
        return (self.folder / "figures" / f"{stem}.svg").read_text()

    def test_motion_shows_all_coordinates_and_quasi_velocities(self):
        self.good("run", self.top, "--steps", "200", "--out", "a.h5", "--method", "hamel")
        self.good("run", self.top, "--steps", "200", "--out", "b.h5", "--method", "gauss")
        figures = self.document("plot", "a.h5", "b.h5", "--out", "figures")["figures"]
        self.assertIn("figures/motion.png", figures)
        for name in [f"r{i}{k}" for i in (1, 2, 3) for k in (1, 2, 3)] + ["xi1", "xi2", "xi3"]:
            self.assertIn(f">{name}<", self.svg("motion"))
        # twelve numbers of two methods, and how far hamel is from gauss
        self.assertEqual([label for label, _ in self.blocks("motion")], ["hamel", "gauss"] * 12 + ["hamel"])
        self.assertIn("largest difference from gauss", self.svg("motion"))
        start, *_, end = self.blocks("motion")[-1][1]
        self.assertEqual(start[1], 0)
        self.assertTrue(1e-5 < end[1] < 0.1, end)

    def test_show_draws_the_columns_that_are_named(self):
        self.good("run", self.top, "--steps", "40", "--out", "a.h5")
        shown = self.document("plot", "a.h5", "--show", "xi2, energy", "--out", "figures")["figures"]
        self.assertEqual(shown, ["figures/show_xi2_energy.svg", "figures/show_xi2_energy.png"])
        (_, xi2), (_, energy) = self.blocks("show_xi2_energy")
        table = [line.split(",") for line in
                 self.good("export", "a.h5", "--csv", "--out", "-").out.splitlines()]
        head = [name.split(" ")[0] for name in table[0]]
        for name, points in (("xi2", xi2), ("energy", energy)):
            column = head.index(name)
            self.assertEqual(points, [[float(row[0]), float(row[column])] for row in table[1:]])
        self.assertIn("energy, J", self.svg("show_xi2_energy"))

    def test_two_names_are_a_phase_portrait(self):
        self.good("run", self.pendulum, "--steps", "50", "--method", "hamel", "--out", "a.h5")
        self.good("plot", "a.h5", "--show", "q3:omega1", "--until", "4", "--out", "figures")
        (label, points), = self.blocks("show_q3_omega1")
        table = [[float(x) for x in line.split(",")] for line in
                 self.good("export", "a.h5", "--csv", "--out", "-").out.splitlines()[1:]]
        self.assertEqual(label, "hamel")
        self.assertEqual(points, [[row[3], row[4]] for row in table if row[0] <= 4])
        for text in ("omega1 over q3", "omega1, rad/s"):
            self.assertIn(text, self.svg("show_q3_omega1"))

    def test_until_cuts_every_figure(self):
        self.good("run", self.pendulum, "--steps", "100", "--method", "hamel", "--out", "a.h5")
        self.good("plot", "a.h5", "--until", "5", "--out", "figures")
        self.assertEqual(len(self.blocks("energy")[0][1]), 26)  # steps of 0.2 s, and the start
        self.refused("plot", "a.h5", "--until", "0.1", says="two rows", code=(2, 4))
        self.refused("plot", "a.h5", "--until", "-1", says="--until")

    def test_wrong_names_get_the_nearest_and_the_list(self):
        self.good("run", self.top, "--steps", "5", "--out", "a.h5")
        self.refused("plot", "a.h5", "--show", "xi4", says=["'xi4'", "known: t, r11", "xi1"])
        self.refused("plot", "a.h5", "--show", "r11,energi", says="mean 'energy'?")
        self.refused("plot", "a.h5", "--show", "r11:xi1:xi2", says="X:Y")
        self.refused("plot", "a.h5", "--show", ",", says="needs names")

    def test_tensions_stand_along_the_chain_and_over_time(self):
        self.good("run", SOURCE / "scenarios/chain_pendulum.toml", "--steps", "50", "--method",
                  "variational", "--out", "a.h5")
        self.good("plot", "a.h5", "--out", "figures")
        labels = [label for label, _ in self.blocks("tension")]
        self.assertEqual(len([x for x in labels if re.fullmatch(r"t = \S+ s", x)]), 6)
        self.assertTrue({"link 1", "link 6", "link 10"} <= set(labels), labels)
        for text in ("along the chain", "over time", "tension, N"):
            self.assertIn(text, self.svg("tension"))


if __name__ == "__main__":
    unittest.main()
