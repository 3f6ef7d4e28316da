# SPDX-License-Identifier: BSD-3-Clause
"""hamel export: what CSV, NPZ and VTK files hold is, bit by bit, what was recorded."""

import ast
import base64
import csv
import os
import pathlib
import struct
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
import zipfile

from support import BINARY, file_limit, Hdf5, listing, ProgramTest, SOURCE, TIMEOUT


def npz_arrays(path):
    """The arrays of an NPZ file as {name: (shape, bytes)}, by its own documentation (NEP 1)."""
    arrays = {}
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None, "a checksum does not match"
        for member in archive.infolist():
            data = archive.read(member)
            assert member.compress_type == zipfile.ZIP_STORED
            assert data[:8] == b"\x93NUMPY\x01\x00"
            (length,) = struct.unpack("<H", data[8:10])
            assert (10 + length) % 64 == 0 and data[9 + length:10 + length] == b"\n"
            header = ast.literal_eval(data[10:10 + length].decode("ascii"))
            assert header["descr"] == "<f8" and header["fortran_order"] is False
            assert member.filename.endswith(".npy")
            arrays[member.filename[:-4]] = (header["shape"], data[10 + length:])
    return arrays


def vtk_arrays(piece):
    """All binary arrays below an element as {name: tuple of numbers}."""
    found = {}
    for array in piece.iter("DataArray"):
        if array.get("format") != "binary":
            continue
        data = base64.b64decode(array.text, validate=True)
        (size,) = struct.unpack("<Q", data[:8])
        assert size == len(data) - 8, "the length in front is wrong"
        letter = {"Float64": "d", "Int64": "q"}[array.get("type")]
        found[array.get("Name")] = struct.unpack(f"<{size // 8}{letter}", data[8:])
    return found


def read_vtp(path):
    root = ElementTree.parse(path).getroot()
    assert (root.get("type"), root.get("byte_order"), root.get("header_type")) == (
        "PolyData", "LittleEndian", "UInt64")
    piece = root.find("PolyData/Piece")
    arrays = vtk_arrays(piece)
    points = arrays["points"]
    assert len(points) == 3 * int(piece.get("NumberOfPoints"))
    cells = int(piece.get("NumberOfLines")) + int(piece.get("NumberOfVerts"))
    assert len(arrays["offsets"]) == cells
    assert arrays["offsets"][-1] == len(arrays["connectivity"])
    fields = {f.get("Name"): float(f.text) for f in root.findall("PolyData/FieldData/DataArray")}
    return [points[i:i + 3] for i in range(0, len(points), 3)], arrays, fields


class Export(ProgramTest):
    """The formats of other programs."""

    def record(self, scenario, *options, name="a.h5"):
        path = SOURCE / "scenarios" / f"{scenario}.toml"
        self.good("run", path, "--out", name, "--force", *options)
        return self.folder / name

    def columns_of(self, recording):
        """{path: (width, flat numbers)} of a recording, read by the HDF5 library."""
        self.assertIsNotNone(Hdf5.load(), "no HDF5 library to read the data with")
        info = self.document("info", recording)
        return {c["path"]: (c["width"], list(Hdf5.read(recording, c["path"])))
                for c in info["columns"]}

    def test_csv_reads_back_exactly(self):
        for scenario, names in (
                ("spherical_pendulum", ["t [s]", "q1 [1]", "q2 [1]", "q3 [1]", "omega1 [rad/s]"]),
                ("chaplygin_sleigh", ["t [s]", "x [m]", "y [m]", "theta [rad]", "xi1", "xi2", "p1",
                                      "p2"]),
                ("double_spherical_pendulum", ["t [s]", "q1_1 [1]", "q1_2 [1]", "q1_3 [1]", "q2_1 [1]"])):
            for every in (1, 7):
                with self.subTest(scenario=scenario, every=every):
                    recording = self.record(scenario, "--steps", "50", "--set", "output.every=1")
                    made = self.document("export", recording, "--csv", "--out", "a.csv", "--force",
                                         "--every", every)
                    self.assertEqual(made["rows"], 50 // every + 1)
                    with open(self.folder / "a.csv", newline="", encoding="utf-8") as file:
                        head, *rows = list(csv.reader(file))
                    self.assertEqual(head[:len(names)], names)
                    self.assertEqual(len(set(head)), len(head))
                    self.assertEqual(len(rows), made["rows"])
                    at = 0
                    for path, (width, values) in self.columns_of(recording).items():
                        for i, row in enumerate(rows):
                            self.assertEqual(len(row), len(head))
                            first = i * every * width
                            self.assertEqual([float(x) for x in row[at:at + width]],
                                             values[first:first + width], path)
                        at += width
                    self.assertEqual(at, len(head))
                    piped = self.good("export", recording, "--csv", "--out", "-", "--every", every)
                    self.assertEqual(piped.out, (self.folder / "a.csv").read_text())

    def test_npz_holds_every_dataset(self):
        for scenario in ("spherical_pendulum", "double_spherical_pendulum", "chaplygin_sleigh"):
            for every in (1, 7):
                with self.subTest(scenario=scenario, every=every):
                    recording = self.record(scenario, "--steps", "50", "--set", "output.every=1")
                    self.good("export", recording, "--npz", "--out", "a.npz", "--force", "--every",
                              every)
                    arrays = npz_arrays(self.folder / "a.npz")
                    columns = self.columns_of(recording)
                    self.assertEqual(list(arrays), [path[1:] for path in columns])
                    for path, (width, values) in columns.items():
                        shape, data = arrays[path[1:]]
                        rows = 50 // every + 1
                        self.assertEqual(shape, (rows,) if width == 1 else (rows, width))
                        wanted = [values[i * every * width + k] for i in range(rows)
                                  for k in range(width)]
                        self.assertEqual(data, struct.pack(f"<{len(wanted)}d", *wanted), path)

    def check_vtk(self, recording, place, tracked, every=1):
        """place(row): the points; tracked(row): those with a path. Returns the first shape."""
        made = self.document("export", recording, "--vtk", "--out", "v", "--force", "--every", every)
        stem = recording.stem
        self.assertEqual(made["file"], f"v/{stem}.pvd")
        columns = self.columns_of(recording)
        times = columns["/t"][1][::every]
        root = ElementTree.parse(self.folder / "v" / f"{stem}.pvd").getroot()
        self.assertEqual(root.get("type"), "Collection")
        sets = root.findall("Collection/DataSet")
        self.assertEqual([float(s.get("timestep")) for s in sets], times)
        self.assertEqual(made["shapes"], len(times))
        path = []
        for i, one in enumerate(sets):
            points, arrays, fields = read_vtp(self.folder / "v" / one.get("file"))
            row = {c: values[i * every * width:(i * every + 1) * width]
                   for c, (width, values) in columns.items()}
            self.assertEqual(points, [tuple(p) for p in place(row)])
            self.assertEqual(fields["TimeValue"], times[i])
            self.assertEqual(fields["energy"], row["/invariants/energy"][0])
            if "/tension" in row:
                tension = row["/tension"]
                self.assertEqual(list(arrays["tension"]), [tension[0], *tension])
            path.append([tuple(p) for p in tracked(row)])
        points, arrays, _ = read_vtp(self.folder / made["path"])
        several = len(path[0])
        self.assertEqual(points, [p for row in path for p in row])
        self.assertEqual(list(arrays["t"]), [t for t in times for _ in range(several)])
        self.assertEqual(list(arrays["offsets"]), [(k + 1) * len(times) for k in range(several)])
        self.assertEqual(list(arrays["connectivity"]),
                         [i * several + k for k in range(several) for i in range(len(times))])
        self.assertEqual({f.name for f in (self.folder / "v").iterdir()},
                         {f"{stem}.pvd", f"{stem}_path.vtp"} | {s.get("file") for s in sets})
        return read_vtp(self.folder / "v" / sets[0].get("file"))

    def test_vtk_of_a_chain(self):
        self.write("chain.toml", """[system]
name = "chain_pendulum"
masses = [1.0, 2.0, 0.5]
lengths = [0.7, 1.1, 0.3]
base = ["0.1*sin(3*t)", "0.2*t", "0"]
[initial]
q = [[0.28, 0.0, -0.96], [0.0, 0.28, -0.96], [0.6, 0.0, -0.8]]
omega = [[0.0, 0.5, 0.0], [0.2, 0.0, 0.0], [0.0, 0.1, 0.0]]
[integrate]
step = 0.01
steps = 20
""")
        self.good("run", "chain.toml", "--out", "a.h5")

        def place(row):
            at = list(row["/base"])
            points = [at]
            for i, length in enumerate((0.7, 1.1, 0.3)):
                at = [at[c] + length * row["/q"][3 * i + c] for c in range(3)]
                points.append(at)
            return points

        for every in (1, 3):
            _, arrays, _ = self.check_vtk(self.folder / "a.h5", place, lambda row: place(row)[-1:],
                                          every)
            self.assertEqual(arrays["connectivity"], (0, 1, 2, 3))

    def test_vtk_of_spheres(self):
        recording = self.record("spherical_pendulum", "--steps", "20", "--set", "system.length=2.5")
        bob = lambda row: [[0.0 + 2.5 * x for x in row["/q"]]]
        self.check_vtk(recording, lambda row: [[0.0, 0.0, 0.0], *bob(row)], bob)
        recording = self.record("coupled_pendula", "--steps", "20", "--set", "output.every=1")
        ends = lambda row: [row["/q"][i:i + 3] for i in range(0, len(row["/q"]), 3)]
        _, arrays, _ = self.check_vtk(recording, lambda row: [[0.0, 0.0, 0.0], *ends(row)], ends)
        self.assertEqual(arrays["connectivity"][:4], (0, 1, 0, 2))

    def test_vtk_of_a_path(self):
        recording = self.record("chaplygin_sleigh", "--steps", "30")
        flat = lambda row: [[row["/q"][0], row["/q"][1], 0.0]]
        _, arrays, _ = self.check_vtk(recording, flat, flat)
        self.assertIn("theta", arrays)
        recording = self.record("nonholonomic_particle", "--steps", "30")
        self.check_vtk(recording, lambda row: [row["/q"]], lambda row: [row["/q"]])

    def test_vtk_needs_a_place_in_space(self):
        for scenario in ("euler_top", "kepler_polar"):
            recording = self.record(scenario, "--steps", "10")
            self.refused("export", recording, "--vtk", says=["no x and y", "--csv"])
            self.refused("export", recording, "--vtk", "--out", "v", says="no x and y")

    def test_vtk_of_a_long_recording_shows_a_thousand_shapes(self):
        self.record("spherical_pendulum", "--steps", "2500")
        result = self.good("export", "a.h5", "--vtk", "--out", "v")
        self.assertIn("every 3 rows", result.err)
        self.assertEqual(len(list((self.folder / "v").glob("a_0*.vtp"))), 834)
        points, _, _ = read_vtp(self.folder / "v" / "a_path.vtp")
        self.assertEqual(len(points), 2501)  # the path has them all

    def test_where_it_goes(self):
        self.good("run", self.pendulum, "--steps", "10")
        recording = "results/pendulum/hamel.h5"
        for option, made in (("--csv", "hamel.csv"), ("--npz", "hamel.npz"),
                             ("--vtk", "hamel_vtk/hamel.pvd")):
            for _ in range(2):  # default outputs are replaced
                result = self.good("export", recording, option)
                self.assertIn(f"results/pendulum/{made}", result.out)
                self.assertTrue((self.folder / "results/pendulum" / made).is_file())
        self.assertFalse(list(self.folder.rglob("*.partial")))
        self.write("taken.csv", "precious")
        self.refused("export", recording, "--csv", "--out", "taken.csv", says="--force", code=4)
        self.write("folder/taken", "precious")
        self.refused("export", recording, "--vtk", "--out", "folder", says="--force", code=4)
        self.good("export", recording, "--vtk", "--out", "folder", "--force")
        self.assertEqual((self.folder / "folder/taken").read_text(), "precious")
        self.refused("export", recording, "--csv", "--out", recording, "--force", says="itself")

    def test_bad_calls(self):
        self.good("run", self.pendulum, "--steps", "10", "--out", "a.h5")
        self.refused("export", "a.h5", says="--csv")
        self.refused("export", "a.h5", "--csv", "--npz", says="--npz")
        self.refused("export", "a.h5", "--csv", "--every", "0", says="--every")
        self.refused("export", "a.h5", "--csv", "--out", "", says="--out")
        self.refused("export", "a.h5", "--csv", "--out", "-", "--json", says="stdout")
        self.refused("export", "a.h5", "--npz", "--out", "no/where.npz", says="where.npz", code=4)
        self.refused("export", "nothere.h5", "--csv", says="nothere.h5", code=4)
        self.refused("export", self.pendulum, "--csv", says="not an HDF5 file", code=4)
        self.write("empty.h5", "")
        self.refused("export", "empty.h5", "--npz", says="empty", code=4)

    def test_a_full_disk_leaves_nothing(self):
        self.good("run", self.pendulum, "--steps", "3000", "--out", "a.h5")
        before = listing(self.folder)
        for option in ("--csv", "--npz", "--vtk"):
            with self.subTest(option):
                result = self.call("export", "a.h5", option, "--out", "made", preexec_fn=file_limit(20000))
                self.assertEqual(result.code, 4, result)
                self.assertIn("made", result.err)
                left = {name for name in listing(self.folder) if name != "made"}
                self.assertEqual(left, set(before))
                if (self.folder / "made").exists():
                    self.assertEqual(os.listdir(self.folder / "made"), [])
        with open("/dev/full", "wb") as full:
            self.assertEqual(self.call("export", "a.h5", "--csv", "--out", "-", stdout=full).code, 4)

    def test_memory_does_not_grow_with_the_recording(self):
        measure = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, "
                   "stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL); "
                   "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
        environment = {**os.environ, "ASAN_OPTIONS": "quarantine_size_mb=1"}
        peaks = {}
        for steps in (150000, 600000):  # the caches of HDF5 are full in both
            self.good("run", self.pendulum, "--method", "variational", "--steps", steps, "--force",
                      "--out", "a.h5")
            for option in ("--csv", "--npz"):
                done = subprocess.run([sys.executable, "-c", measure, BINARY, "export", "a.h5",
                                       option, "--force", "--out", "made" + option],
                                      capture_output=True, text=True, timeout=TIMEOUT, check=True,
                                      env=environment, cwd=self.folder)
                peaks.setdefault(option, []).append(int(done.stdout))
        self.assertGreater((self.folder / "a.h5").stat().st_size, 50e6)
        for option, (short, long) in peaks.items():
            self.assertLessEqual(long - short, 8 * 1024, f"{option}: peak memory in kB {peaks}")
        # Many slices, and still the same numbers.
        arrays = npz_arrays(self.folder / "made--npz")
        for path, (_, values) in self.columns_of(self.folder / "a.h5").items():
            self.assertEqual(arrays[path[1:]][1], struct.pack(f"<{len(values)}d", *values), path)
        with open(self.folder / "made--csv", encoding="utf-8") as file:
            *_, last = file
        self.assertEqual(float(last.split(",")[0]), 600000 * 0.2)
        self.assertEqual(pathlib.Path(self.folder / "made--csv").read_bytes().count(b"\n"), 600002)
