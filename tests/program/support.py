# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of the program share: calling it, reading its outputs, and what must always hold.

The program and the source tree are named by HAMEL_BINARY and HAMEL_SOURCE (test_program.py sets them).
"""

import ctypes
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import tempfile
import time
import unittest

BINARY = os.path.realpath(os.environ["HAMEL_BINARY"])
SOURCE = pathlib.Path(os.environ["HAMEL_SOURCE"]).resolve()
SANITIZED = "HAMEL_SANITIZED" in os.environ  # whose programs are slower, and hold more memory
TIMEOUT = 1200 if SANITIZED else 120

SYSTEMS = sorted(path.stem for path in (SOURCE / "include/hamel/systems").glob("*.hpp"))
METHODS = ["exact", "gauss", "hamel", "hamel4", "rattle", "rk4", "spherical_coordinates",
           "variational", "verlet"]  # those of the pendulum
ALL_METHODS = sorted([*METHODS, "dla", "fehlberg78", "midpoint_del"])
REPRODUCE = """D0.fig1.length D0.fig1.energy D0.momentum D0.fig2.equator D0.fig3.length
    D0.fig3.energy D0.fig4.length D0.fig4.energy D0.cayley_sign D0.gamma_is_not_the_bob D0.gamma0
    D0.symplectic D0.ge_marsden D0.one_map D0.singular_coordinates D1.hamel_equations
    D1.structure_functions D1.implicit_hamel D1.euler_angles D1.discrete_theorem D1.sleigh_spiral
    D1.equilibria_kept D1.stability_kept D1.dla_corrupts D1.pendulum_degenerate
    D1.not_symplectic_in_general D2.length D2.momentum D2.energy D2.symplectic D2.rattle
    D2.discrete_equation D2.order D2.any_n D3.four_forms D3.legendre D3.energy_constant D3.eq18
    D3.eq37 D3.eq39 D3.eq41 D3.chain_any_n""".split()
STATUSES = {"ok", "no_convergence", "no_solution", "singular", "not_finite", "interrupted"}

# What no output may ever show.
CRASHES = re.compile(r"terminate called|Traceback|what\(\):|Segmentation fault|Aborted|core dumped"
                     r"|HDF5-DIAG|stack trace|AddressSanitizer|ThreadSanitizer|runtime error:"
                     r"|Assertion")
NOT_A_NUMBER = re.compile(r"(?<![A-Za-z])[-+]?(nan|inf|infinity)(?![A-Za-z])", re.IGNORECASE)

START = """[system]
name = "spherical_pendulum"
[initial]
q = [0.6, 0.0, -0.8]
omega = [0.0, 0.5, 0.0]
[integrate]
step = 0.1
steps = 20
"""


def file_limit(size):
    """To be called in a child: no file may grow beyond `size`. Signals stay as they are for anybody."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


class Result:
    """What one call of the program gave."""

    def __init__(self, args, code, out, err):
        self.args, self.code, self.out, self.err = args, code, out, err

    def __str__(self):
        shown = " ".join(str(a)[:80] for a in self.args)
        return (f"\n  hamel {shown}\n  exit {self.code}\n"
                f"  stdout: {self.out[:600]!r}\n  stderr: {self.err[:900]!r}")


def until(test, happened, what, patience=TIMEOUT):
    """Waits for an event, however long the machine takes; a fault only after `patience` seconds."""
    begun = time.monotonic()
    while not happened():
        test.assertLess(time.monotonic() - begun, patience, f"waited in vain for {what}")
        time.sleep(0.002)


def catches(pid, number):
    """Whether the process has a handler for the signal; one that has ended needs none."""
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return True
    caught = re.search(r"^SigCgt:\s*([0-9a-f]+)", status, re.MULTILINE)
    return caught is None or bool(int(caught[1], 16) >> (number - 1) & 1) or "State:\tZ" in status


def processor_seconds(pid):
    """What a process has worked so far, all its threads; a busy machine takes longer, not more."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def processor_seconds_of_children():
    """Of those that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def at_work(test, process, seconds):
    """Waits until the process has worked so long, or has ended."""
    until(test, lambda: process.poll() is not None or processor_seconds(process.pid) >= seconds,
          f"{seconds:.3f} s of work")


def seed():
    """Of the random moments of a test: HAMEL_SEED, or a fixed number; printed."""
    number = int(os.environ.get("HAMEL_SEED", "20261115"))
    print(f"seed {number} (HAMEL_SEED)", flush=True)
    return number


def text(data):
    return data.decode("utf-8", "replace")


def one_document(output):
    """The one JSON document in `output`; NaN and Infinity are refused."""

    def refuse(token):
        raise ValueError(f"{token} in JSON")

    return json.loads(output, parse_constant=refuse)


def numbers(tree):
    if isinstance(tree, dict):
        tree = list(tree.values())
    if isinstance(tree, list):
        return [x for branch in tree for x in numbers(branch)]
    return [] if isinstance(tree, (str, bool, type(None))) else [tree]


def listing(folder):
    """Every file below `folder` with size and time of change."""
    found = {}
    for path in sorted(pathlib.Path(folder).rglob("*")):
        stat = path.lstat()
        found[str(path.relative_to(folder))] = (path.is_dir() or (stat.st_size, stat.st_mtime_ns))
    return found


class Hdf5:
    """Reads whole data sets through the HDF5 library that the program itself is linked with."""

    library = None

    @classmethod
    def load(cls):
        if cls.library is None:
            os.environ["HDF5_USE_FILE_LOCKING"] = "FALSE"
            linked = subprocess.run(["ldd", BINARY], capture_output=True, text=True, check=False)
            found = re.search(r"libhdf5\S*\s+=>\s+(\S+)", linked.stdout)
            if not found:
                return None
            lib = ctypes.CDLL(found.group(1))
            hid, name = ctypes.c_int64, ctypes.c_char_p
            for function, result, arguments in (
                    ("H5open", ctypes.c_int, []),
                    ("H5Fopen", hid, [name, ctypes.c_uint, hid]),
                    ("H5Fclose", ctypes.c_int, [hid]),
                    ("H5Dopen2", hid, [hid, name, hid]),
                    ("H5Dclose", ctypes.c_int, [hid]),
                    ("H5Dget_space", hid, [hid]),
                    ("H5Sclose", ctypes.c_int, [hid]),
                    ("H5Sget_simple_extent_npoints", ctypes.c_int64, [hid]),
                    ("H5Dread", ctypes.c_int, [hid, hid, hid, hid, hid, ctypes.c_void_p])):
                getattr(lib, function).restype = result
                getattr(lib, function).argtypes = arguments
            lib.H5open()
            cls.library = lib
        return cls.library

    @classmethod
    def read(cls, path, dataset):
        """The numbers of a data set, flat, as doubles."""
        lib = cls.load()
        file = lib.H5Fopen(os.fsencode(path), 0, 0)
        if file < 0:
            raise OSError(f"{path} cannot be opened as HDF5")
        data = lib.H5Dopen2(file, dataset.encode(), 0)
        if data < 0:
            lib.H5Fclose(file)
            raise KeyError(dataset)
        space = lib.H5Dget_space(data)
        values = (ctypes.c_double * lib.H5Sget_simple_extent_npoints(space))()
        native = ctypes.c_int64.in_dll(lib, "H5T_NATIVE_DOUBLE_g").value
        status = lib.H5Dread(data, native, 0, 0, 0, ctypes.byref(values))
        lib.H5Sclose(space)
        lib.H5Dclose(data)
        lib.H5Fclose(file)
        if status < 0:
            raise OSError(f"{path}: {dataset} cannot be read")
        return values


class ProgramTest(unittest.TestCase):
    """A temporary directory per test, and what every call of the program must satisfy."""

    disk = None  # where those directories are; None: where all are

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="hamel-test-", dir=self.disk))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.pendulum = self.folder / "pendulum.toml"
        shutil.copy(SOURCE / "scenarios" / "spherical_pendulum.toml", self.pendulum)

    def call(self, *args, cwd=None, timeout=TIMEOUT, **options):
        """Runs the program; it may fail, but never crash."""
        args = [str(a) if not isinstance(a, bytes) else a for a in args]
        done = subprocess.run([BINARY, *args], cwd=cwd or self.folder, timeout=timeout,
                              stdin=subprocess.DEVNULL, stdout=options.pop("stdout", subprocess.PIPE),
                              stderr=options.pop("stderr", subprocess.PIPE), check=False, **options)
        result = Result(args, done.returncode, text(done.stdout or b""), text(done.stderr or b""))
        self.sound(result)
        return result

    def sound(self, result):
        self.assertGreaterEqual(result.code, 0, f"ended by a signal{result}")
        self.assertIsNone(CRASHES.search(result.out + result.err), f"crash message{result}")
        self.assertIn(result.code, (0, 1, 2, 3, 4, 130), f"exit code outside the contract{result}")

    def good(self, *args, code=0, **options):
        result = self.call(*args, **options)
        self.assertEqual(result.code, code, result)
        return result

    def document(self, *args, code=0, **options):
        """Runs with --json and returns the document: the only thing on stdout."""
        result = self.good(*args, "--json", code=code, **options)
        try:
            return one_document(result.out)
        except ValueError as error:
            self.fail(f"not one JSON document: {error}{result}")

    def refused(self, *args, says, code=2, **options):
        """Refused with the exit code, a short message naming `says`, and nothing left behind."""
        codes = code if isinstance(code, tuple) else (code,)
        words = [says] if isinstance(says, str) else list(says)
        before = listing(self.folder)
        result = self.call(*args, **options)
        self.assertIn(result.code, codes, result)
        self.assertEqual(result.out, "", f"data on stdout after a refusal{result}")
        for word in words:
            self.assertIn(word.lower(), result.err.lower(), f"message lacks {word!r}{result}")
        self.assertTrue(result.err.endswith("\n"), result)
        self.assertLessEqual(len(result.err), 1500, f"not a short message{result}")
        self.assertLessEqual(result.err.count("\n"), 20, f"not a short message{result}")
        self.assertEqual(listing(self.folder), before, f"files left behind or changed{result}")
        return result

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def columns(self, result, limit=80):
        for line in result.out.splitlines():
            self.assertLessEqual(len(line), limit, f"line wider than {limit} columns:\n{line}{result}")

    def same_recordings(self, first, second):
        """All data sets of the two recordings hold the same bits."""
        described = [self.document("info", f) for f in (first, second)]
        self.assertEqual(described[0]["rows"], described[1]["rows"])
        self.assertEqual(described[0]["columns"], described[1]["columns"])
        if Hdf5.load() is not None:
            for column in described[0]["columns"]:
                a, b = (bytes(Hdf5.read(f, column["path"])) for f in (first, second))
                self.assertTrue(a == b, f"{column['path']} of {first} and {second} differ")
        elif shutil.which("h5dump"):
            for column in described[0]["columns"]:
                a, b = (subprocess.run(["h5dump", "-m", "%.17g", "-y", "-O", "-d", column["path"],
                                        str(f)], capture_output=True, check=True).stdout
                        for f in (first, second))
                self.assertTrue(a.split(b"\n", 1)[1] == b.split(b"\n", 1)[1],
                                f"{column['path']} of {first} and {second} differ")

    def same_run(self, first, second):
        """Two documents of `run` tell the same run, apart from time taken and file name."""
        for key in ("system", "method", "step", "steps", "status", "invariants", "final", "solver"):
            self.assertEqual(first[key], second[key], key)

    def check_run_document(self, run):
        for key in ("system", "method", "step", "steps", "status", "invariants", "final", "solver",
                    "seconds", "seconds_per_step", "version"):
            self.assertIn(key, run)
        self.assertEqual(run["format_version"], 1)
        self.assertIn(run["status"], STATUSES)
        self.assertTrue({"energy", "length", "momentum_z"} <= set(run["invariants"]))
        for name, invariant in run["invariants"].items():
            for key in ("initial", "final", "max_drift", "drift_per_step"):
                self.assertIsInstance(invariant[key], float, f"{name}.{key}")
            self.assertGreaterEqual(invariant["max_drift"], 0)
        for key in ("iterations_mean", "iterations_max", "tolerance"):
            self.assertIn(key, run["solver"])
        self.assertEqual([len(q) for q in run["final"]["q"]], [3])
        self.assertEqual([len(w) for w in run["final"]["omega"]], [3])
        self.assertGreaterEqual(run["seconds"], 0)
