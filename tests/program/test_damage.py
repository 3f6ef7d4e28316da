# SPDX-License-Identifier: BSD-3-Clause
"""Recordings that are not what was written: what is noticed, what is kept, who is told."""

import ctypes
import os
import shutil
import signal
import struct
import subprocess

from support import BINARY, Hdf5, listing, one_document, ProgramTest, text, TIMEOUT, until


def fnv1a(data):
    """The checksum of checkpoints."""
    value = 0xcbf29ce484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 % 2 ** 64
    return value


class Damage(ProgramTest):
    """Changed bytes, other versions."""

    def unfinished(self):
        """A run interrupted after some thousand rows: its recording, and the command of the whole run.

        Rows reach the file at checkpoints. What counts is that the run is on its way, not how long that
        takes: it is stopped as soon as the file has rows enough, and made longer where it was over
        before."""
        for attempt in range(5):
            steps = 20000000 * 2 ** attempt
            run = ("run", str(self.pendulum), "--method", "hamel", "--steps", str(steps), "--set",
                   "output.every=1000")
            path = self.folder / "out" / "a.h5"
            shutil.rmtree(path.parent, ignore_errors=True)
            path.parent.mkdir()
            with subprocess.Popen([BINARY, *run, "--out", str(path)], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL) as process:
                until(self, lambda: process.poll() is not None or self.rows_of(path) > 1500,
                      "1500 rows in the file")
                process.send_signal(signal.SIGINT)
                process.communicate(timeout=TIMEOUT)
            if process.returncode == 130:
                break
        self.assertEqual(process.returncode, 130)
        self.assertGreater(self.document("info", path)["rows"], 1500)
        return path, run

    def rows_of(self, path):
        """Rows of a recording that is being written; 0 where there is none yet."""
        result = self.call("info", path, "--json")
        return one_document(result.out)["rows"] if result.code == 0 else 0

    def flip(self, path, dataset, row, width):
        """Changes one bit of one number of a row, in the file."""
        values = Hdf5.read(path, dataset)
        wanted = struct.pack(f"<{width}d", *values[row * width:(row + 1) * width])
        data = bytearray(path.read_bytes())
        self.assertEqual(data.count(wanted), 1, "the row cannot be told from others")
        data[data.index(wanted) + 8 * (width - 1)] ^= 0x04
        path.write_bytes(data)

    def test_a_changed_number_is_found(self):
        self.good("run", self.pendulum, "--steps", "5000", "--out", "a.h5")
        path = self.folder / "a.h5"
        good = path.read_bytes()
        self.assertIn("all rows are what was written", self.good("info", path, "--check").out)
        self.assertEqual(self.document("info", path, "--check")["damage"], [])
        for dataset, width, row, first, last in (("/q", 3, 0, 0, 1023), ("/q", 3, 1500, 1024, 2047),
                                                 ("/t", 1, 5000, 4096, 5000),
                                                 ("/omega", 3, 3072, 3072, 4095)):
            with self.subTest(dataset=dataset, row=row):
                path.write_bytes(good)
                self.flip(path, dataset, row, width)
                damage = self.document("info", path, "--check", code=4)["damage"]
                self.assertEqual(damage, [{"path": dataset, "first_row": first, "last_row": last}])
                result = self.good("info", path, "--check", code=4)
                self.assertIn(f"{dataset} is damaged within the rows {first} to {last}", result.err)
                self.good("info", path)  # what is good can still be had
                self.good("export", path, "--npz", "--out", "a.npz", "--force")

    def test_a_damaged_recording_is_resumed_only_by_force(self):
        path, run = self.unfinished()
        whole = self.document(*run, "--out", self.folder / "whole.h5")
        self.flip(path, "/q", 1100, 3)
        before = listing(path.parent)
        result = self.call("resume", path)
        self.assertEqual(result.code, 4, result)
        self.assertIn("/q is damaged within the rows 1024 to 2047", result.err)
        self.assertEqual(listing(path.parent), before, "files changed")
        resumed = self.document("resume", path, "--force")
        self.same_run(resumed, whole)
        damage = self.document("info", path, "--check", code=4)["damage"]
        self.assertEqual([d["path"] for d in damage], ["/q"])  # still told
        self.assertLessEqual(damage[0]["first_row"], 1100)
        self.assertGreaterEqual(damage[0]["last_row"], 1100)
        for column in self.document("info", path)["columns"]:
            a, b = (list(Hdf5.read(f, column["path"])) for f in (path, self.folder / "whole.h5"))
            differ = [i // column["width"] for i, (x, y) in enumerate(zip(a, b)) if x != y]
            self.assertEqual(differ, [1100] if column["path"] == "/q" else [], column["path"])

    def test_another_format_version_is_refused(self):
        self.good("run", self.pendulum, "--steps", "10", "--out", "a.h5")
        lib = Hdf5.load()
        self.assertIsNotNone(lib, "no HDF5 library to change the file with")
        hid = ctypes.c_int64
        lib.H5Aopen.restype, lib.H5Aopen.argtypes = hid, [hid, ctypes.c_char_p, hid]
        lib.H5Awrite.argtypes = [hid, hid, ctypes.c_void_p]
        lib.H5Aclose.argtypes = [hid]
        file = lib.H5Fopen(os.fsencode(self.folder / "a.h5"), 1, 0)
        attribute = lib.H5Aopen(file, b"format_version", 0)
        native = hid.in_dll(lib, "H5T_NATIVE_INT64_g").value
        self.assertGreaterEqual(lib.H5Awrite(attribute, native, ctypes.byref(hid(7))), 0)
        lib.H5Aclose(attribute)
        lib.H5Fclose(file)
        for command in (["info"], ["resume"], ["plot"], ["export", "--csv"]):
            self.refused(*command, "a.h5", says=["a.h5", "format version 7", "reads 1"], code=4)

    def test_a_run_of_another_program_version_is_not_resumed(self):
        path, _ = self.unfinished()
        checkpoint = path.with_name("a.h5.checkpoint")
        data = checkpoint.read_bytes()
        self.assertEqual(struct.unpack("<Q", data[-8:])[0], fnv1a(data[:-8]))
        (length,) = struct.unpack("<Q", data[48:56])
        identity = data[56:56 + length]
        self.assertTrue(identity.startswith(b"hamel "), identity)
        other = b"hamel 7.7.7" + identity[11:]
        changed = data[:56] + other + data[56 + length:-8]
        checkpoint.write_bytes(changed + struct.pack("<Q", fnv1a(changed)))
        self.refused("resume", path, says=["7.7.7", "bit-identical"], code=2)
        checkpoint.write_bytes(data)
        self.assertEqual(one_document(self.good("resume", path, "--json").out)["status"], "ok")

    def test_cut_and_empty_recordings(self):
        self.good("run", self.pendulum, "--steps", "5000", "--out", "a.h5")
        good = (self.folder / "a.h5").read_bytes()
        for size, says in ((0, "empty"), (100, "a.h5"), (len(good) // 2, "truncated"),
                           (len(good) - 1, "truncated")):
            (self.folder / "a.h5").write_bytes(good[:size])
            for command in (["info"], ["info", "--check"], ["resume"], ["plot"],
                            ["export", "--npz"]):
                with self.subTest(size=size, command=command):
                    self.refused(*command, "a.h5", says=["a.h5", says], code=4)
