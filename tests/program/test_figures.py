# SPDX-License-Identifier: BSD-3-Clause
"""Figures of chains and of several spheres, looked into: data, labels, curves, something drawn."""

import re
import struct
import unittest
import zlib

from support import Hdf5, ProgramTest

CHAIN = """[system]
name = "chain_pendulum"
masses = [1.0, 0.5, 2.0]
lengths = [1.0, 0.7, 0.4]
[integrate]
method = "hamel"
step = 0.01
steps = 100
"""
SPHERES = """[system]
name = "coupled_pendula"
n = 4
[integrate]
method = "hamel"
step = 0.01
steps = 60
"""


class Figures(ProgramTest):
    """What `hamel plot` draws of systems on many spheres."""

    def drawn(self, scenario):
        """Runs and plots: the recording, the folder of the figures."""
        recording = self.folder / "a.h5"
        self.good("run", self.write("a.toml", scenario), "--out", recording)
        self.good("plot", recording)
        folders = {path.parent for path in self.folder.rglob("*.gp")}
        self.assertEqual(len(folders), 1, folders)
        return recording, folders.pop()

    def blocks(self, path):
        """The curves of a .dat file: a list of (name, rows)."""
        found = []
        for block in re.split(r"\n\n\n", path.read_text().strip("\n")):
            lines = block.strip("\n").split("\n")
            names = [line[2:] for line in lines if line.startswith("#")]
            found.append((names[0], [[float(x) for x in line.split()] for line in lines
                                     if not line.startswith("#")]))
        return found

    def looked_at(self, folder, stem, words, curves):
        """The figure has its words, no curve is missing, and the picture is not blank."""
        svg = (folder / f"{stem}.svg").read_text()
        written = [re.sub(r"<[^>]*>", "", text).strip()
                   for text in re.findall(r"<text.*?</text>", svg, re.DOTALL)]
        for word in words:
            self.assertIn(word, written, stem)
        colours = set(re.findall(r"stroke='?\"?(?:rgb\()?([^'\";]+)", svg))
        self.assertGreaterEqual(len(colours), curves, f"{stem}: {colours}")
        png = (folder / f"{stem}.png").read_bytes()
        self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")
        width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
        data, at = b"", 8
        while at < len(png):
            (size,) = struct.unpack(">I", png[at:at + 4])
            if png[at + 4:at + 8] == b"IDAT":
                data += png[at + 8:at + 8 + size]
            at += size + 12
        raw = zlib.decompress(data)
        row = (width * depth * {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[kind] + 7) // 8 + 1
        self.assertEqual(len(raw), row * height)
        rows = {raw[i * row:(i + 1) * row] for i in range(height)}
        # those of an empty picture are alike, those of bare axes nearly so
        self.assertGreater(len(rows), height // 5, stem)

    def test_shape_and_tension_of_a_chain(self):
        recording, folder = self.drawn(CHAIN)
        q, tension = Hdf5.read(recording, "/q"), Hdf5.read(recording, "/tension")
        times = [f"t = {x:g} s" for x in (0, 0.2, 0.4, 0.6, 0.8, 1)]
        rows = (0, 20, 40, 60, 80, 100)

        shape = self.blocks(folder / "shape.dat")
        self.assertEqual([name for name, _ in shape], times)
        for (_, points), row in zip(shape, rows):
            expected = [[0.0, 0.0, 0.0]]
            for i, length in enumerate((1.0, 0.7, 0.4)):
                at = 9 * row + 3 * i
                expected.append([x + length * u for x, u in zip(expected[-1], q[at:at + 3])])
            self.assertEqual(points, expected)
        self.looked_at(folder, "shape", ["x, m", "z, m", "in space", "from the side", *times,
                                         "chain_pendulum: shape of the chain, hamel"], 6)

        pulls = self.blocks(folder / "tension.dat")
        links = ["link 1", "link 2", "link 3"]
        self.assertEqual([name for name, _ in pulls], [*times, *links])
        for (_, points), row in zip(pulls, rows):  # along the chain
            self.assertEqual(points, [[float(i + 1), tension[3 * row + i]] for i in range(3)])
        time = Hdf5.read(recording, "/t")
        for i, (_, points) in enumerate(pulls[len(times):]):  # over time
            self.assertEqual(points, [[t, tension[3 * row + i]] for row, t in enumerate(time)])
        self.looked_at(folder, "tension", ["link", "time, s", "tension, N", *times, *links,
                                           "chain_pendulum: tension of the links, hamel"], 6)

    def test_paths_of_several_spheres(self):
        recording, folder = self.drawn(SPHERES)
        q = Hdf5.read(recording, "/q")
        n = len(q) // 3 // 61  # spheres
        self.assertGreaterEqual(n, 4)
        paths = self.blocks(folder / "paths.dat")
        names = [f"q{i + 1}" for i in range(n)]
        self.assertEqual([name for name, _ in paths], names)
        for i, (_, points) in enumerate(paths):
            self.assertEqual(points, [list(q[3 * n * row + 3 * i:3 * n * row + 3 * i + 3])
                                      for row in range(len(points))])
            self.assertGreater(len(points), 40)
        self.looked_at(folder, "paths", ["coupled_pendula: paths of the unit vectors, hamel"], n)


if __name__ == "__main__":
    unittest.main()
