#!/usr/bin/env python3
"""Tests of the command-line program `hamel` from outside: what a user or a script sees.

usage: test_program.py BINARY SOURCE_DIR [unittest options, e.g. -v or -k interrupt]

Commands, options, exit codes and JSON; bad input; faults: full disk, signals, kill -9 with resume,
damaged files, closed pipes. Everything happens in temporary directories; SOURCE_DIR is only read.
"""

import ctypes
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

BINARY = ""
SOURCE = pathlib.Path()
TIMEOUT = 120

METHODS = ["exact", "gauss", "hamel", "hamel4", "rattle", "rk4", "spherical_coordinates",
           "variational", "verlet"]
REPRODUCE = """D0.fig1.length D0.fig1.energy D0.momentum D0.fig2.equator D0.fig3.length
    D0.fig3.energy D0.fig4.length D0.fig4.energy D0.cayley_sign D0.gamma_is_not_the_bob D0.gamma0
    D0.symplectic D0.ge_marsden D0.one_map D0.singular_coordinates D2.length D2.momentum D2.energy
    D2.symplectic D2.rattle""".split()
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


class Result:
    """What one call of the program gave."""

    def __init__(self, args, code, out, err):
        self.args, self.code, self.out, self.err = args, code, out, err

    def __str__(self):
        shown = " ".join(str(a)[:80] for a in self.args)
        return (f"\n  hamel {shown}\n  exit {self.code}\n"
                f"  stdout: {self.out[:600]!r}\n  stderr: {self.err[:900]!r}")


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

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="hamel-test-"))
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


class Commands(ProgramTest):
    """Each command does its work and reports it."""

    def test_version_and_help(self):
        self.assertRegex(self.good("--version").out, r"\d+\.\d+\.\d+")
        overview = self.good("--help")
        for command in ("run", "compare", "converge", "check", "list", "describe", "plot", "info",
                        "reproduce", "resume"):
            self.assertIn(command, overview.out)
            self.assertEqual(self.good(command, "--help").err, "")
        self.columns(overview)

    def test_run_prints_a_table_and_records(self):
        result = self.good("run", self.pendulum, "--steps", "100")
        for word in ("hamel", "100", "energy", "length", "momentum_z", "kg m^2/s", "rad/s"):
            self.assertIn(word, result.out)
        self.assertIn("results/pendulum/hamel.h5", result.out)
        self.assertTrue((self.folder / "results/pendulum/hamel.h5").is_file())
        self.assertEqual(os.listdir(self.folder / "results/pendulum"), ["hamel.h5"])
        self.assertIsNone(NOT_A_NUMBER.search(result.out), result)

    def test_tables_fit_80_columns(self):
        for args in (["compare", self.pendulum, "--out", "none"],
                     ["compare", self.pendulum, "--out", "none", "--methods", ",".join(METHODS)],
                     ["run", self.pendulum, "--out", "none"],
                     ["converge", self.pendulum, "--out", "none"],
                     ["list", "methods"], ["list", "systems"]):
            with self.subTest(" ".join(str(a) for a in args)):
                self.columns(self.good(*args))

    def test_run_json(self):
        run = self.document("run", self.pendulum, "--steps", "100", "--out", "none")
        self.check_run_document(run)
        self.assertEqual((run["system"], run["method"], run["step"], run["steps"], run["status"]),
                         ("spherical_pendulum", "hamel", 0.2, 100, "ok"))
        self.assertEqual(run["final"]["t"], 20.0)
        q, omega = run["final"]["q"][0], run["final"]["omega"][0]
        self.assertLessEqual(abs(sum(x * x for x in q) - 1), 1e-13)
        self.assertLessEqual(abs(sum(a * b for a, b in zip(q, omega))), 1e-13)
        self.assertLessEqual(run["invariants"]["length"]["max_drift"], 1e-13)
        self.assertLessEqual(run["invariants"]["energy"]["max_drift"], 1e-11)
        self.assertEqual(os.listdir(self.folder), ["pendulum.toml"])

    def test_every_method_runs(self):
        for method in METHODS:
            with self.subTest(method):
                run = self.document("run", self.pendulum, "--method", method, "--steps", "50",
                                    "--out", "none")
                self.check_run_document(run)
                self.assertEqual((run["method"], run["status"]), (method, "ok"))

    def test_recording_holds_what_was_printed(self):
        run = self.document("run", self.pendulum, "--steps", "37", "--out", "a.h5")
        info = self.document("info", "a.h5")
        self.assertEqual(info["rows"], 38)
        paths = {column["path"] for column in info["columns"]}
        self.assertTrue({"/t", "/q", "/invariants/energy", "/invariants/length",
                         "/invariants/momentum_z", "/solver/iterations"} <= paths, paths)
        for key in ("format_version", "scenario", "program_version", "commit", "compiler", "units"):
            self.assertIn(key, info["attributes"])
        if Hdf5.load() is None:
            self.skipTest("no HDF5 library to read the data with")
        t, q = Hdf5.read(self.folder / "a.h5", "/t"), Hdf5.read(self.folder / "a.h5", "/q")
        self.assertEqual(list(t), [n * 0.2 for n in range(38)])
        self.assertEqual(list(q)[-3:], run["final"]["q"][0])  # 17 digits: to the last bit

    def test_output_every(self):
        self.good("run", self.pendulum, "--steps", "100", "--set", "output.every=7", "--out", "a.h5")
        info = self.document("info", "a.h5")
        self.assertIn(info["rows"], (15, 16))  # every 7th, with or without the last
        self.assertLessEqual(info["t_last"], 20.0)

    def test_compare(self):
        result = self.good("compare", self.pendulum, "--steps", "300", "--methods", "hamel,rk4")
        for word in ("method", "order", "length", "energy", "momentum", "hamel", "rk4"):
            self.assertIn(word, result.out)
        written = set(os.listdir(self.folder / "results/pendulum"))
        for figure in ("path", "length", "energy", "momentum_z"):
            for suffix in (".svg", ".png", ".gp"):
                self.assertIn(figure + suffix, written)
        self.assertTrue({"hamel.h5", "rk4.h5"} <= written)
        self.assertFalse([f for f in written if f.endswith((".lock", ".checkpoint", ".tmp"))])
        svg = (self.folder / "results/pendulum/energy.svg").read_text()
        self.assertIn("</svg>", svg)
        self.assertIn("rk4", svg)
        png = (self.folder / "results/pendulum/path.png").read_bytes()
        self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")

    def test_compare_json(self):
        compared = self.document("compare", self.pendulum, "--steps", "50", "--out", "none")
        self.assertEqual([run["method"] for run in compared["runs"]],
                         ["hamel", "hamel4", "variational", "rattle", "verlet", "gauss", "rk4"])
        for run in compared["runs"]:
            self.check_run_document(run)
        self.assertEqual(os.listdir(self.folder), ["pendulum.toml"])

    def test_compare_shows_a_failed_method_as_failed(self):
        call = ("compare", self.pendulum, "--step", "100", "--steps", "5", "--out", "none")
        result = self.good(*call, "--methods", "hamel,variational")
        self.assertRegex(result.out, r"(?i)variational.*fail")
        self.assertIn("no_solution", result.out)
        self.assertIn("step 1", result.out)
        self.assertIsNone(NOT_A_NUMBER.search(result.out), result)
        self.good(*call, "--methods", "variational,rattle", code=3)
        compared = self.document(*call, "--methods", "variational,rattle", code=3)
        self.assertTrue(all(run["status"] != "ok" for run in compared["runs"]))

    def test_run_that_fails_keeps_the_last_good_state(self):
        call = ("run", self.pendulum, "--step", "100", "--steps", "5")
        result = self.good(*call, "--out", "none", "--method", "variational", code=3)
        self.assertIn("no_solution", result.out + result.err)
        self.assertIsNone(NOT_A_NUMBER.search(result.out), result)
        run = self.document(*call, "--method", "variational", "--out", "a.h5", code=3)
        self.assertEqual(run["status"], "no_solution")
        self.assertEqual(self.document("info", "a.h5")["rows"], 1)
        run = self.document(*call, "--method", "rk4", "--out", "none", code=3)
        self.assertEqual(run["status"], "not_finite")

    def test_converge_measures_the_orders(self):
        claims = {"hamel": 2, "hamel4": 4, "variational": 2, "rattle": 2, "verlet": 2, "rk4": 4,
                  "gauss(stages=2)": 4, "gauss(stages=3)": 6, "gauss(stages=4)": 8,
                  "variational+su4": 4, "variational+kl6": 6, "variational+kl8": 8}
        converged = self.document("converge", self.pendulum, "--methods", ",".join(claims))
        self.assertEqual([m["method"] for m in converged["methods"]], list(claims))
        for method in converged["methods"]:
            with self.subTest(method["method"]):
                order = claims[method["method"]]
                self.assertEqual(method["claimed_order"], order)
                self.assertGreaterEqual(len(method["steps"]), 5)  # four refinements
                self.assertEqual(len(method["steps"]), len(method["errors"]))
                self.assertLessEqual(abs(method["measured_order"] - order), 0.1, method)
        self.assertTrue((self.folder / "results/pendulum/convergence.svg").is_file())

    def test_converge_of_the_highest_orders(self):
        converged = self.document("converge", self.pendulum, "--out", "none", "--methods",
                                  "gauss(stages=6),gauss,hamel+kl8")
        for method in converged["methods"]:
            with self.subTest(method["method"]):
                self.assertLessEqual(abs(method["measured_order"] - method["claimed_order"]), 0.2,
                                     method)

    def test_check(self):
        result = self.good("check", self.pendulum)
        self.assertIn("ok", result.out)
        checked = self.document("check", self.pendulum, "--method", "variational+kl8", "--until", "5")
        self.assertEqual((checked["method"], checked["steps"]), ("variational+kl8", 25))
        self.assertEqual(os.listdir(self.folder), ["pendulum.toml"])

    def test_list(self):
        self.assertIn("spherical_pendulum", self.good("list", "systems").out)
        methods = self.good("list", "methods").out
        for method in METHODS:
            self.assertIn(method, methods)
        self.assertEqual([m["name"] for m in self.document("list", "methods")["methods"]], METHODS)
        self.assertEqual([s["name"] for s in self.document("list", "systems")["systems"]],
                         ["spherical_pendulum"])

    def test_describe(self):
        for name in ["spherical_pendulum", *METHODS]:
            with self.subTest(name):
                self.assertIn(name, self.good("describe", name).out)
                self.assertEqual(self.document("describe", name)["name"], name)
        system = self.good("describe", "spherical_pendulum").out
        for word in ("mass", "kg", "length", "gravity", "energy", "order 2", "symplectic", "D0"):
            self.assertIn(word, system)
        claims = self.good("describe", "variational").out
        for word in ("order 2", "symplectic", "momentum"):
            self.assertIn(word, claims)

    def test_described_scenario_runs(self):
        start = self.good("describe", "spherical_pendulum", "--scenario")
        self.write("start.toml", start.out)
        self.good("check", "start.toml")
        self.assertEqual(self.document("run", "start.toml", "--out", "none")["steps"], 10000)
        self.refused("describe", "hamel", "--scenario", says="system")

    def test_plot(self):
        self.good("run", self.pendulum, "--steps", "200", "--out", "a.h5")
        self.good("run", self.pendulum, "--steps", "200", "--method", "rk4", "--out", "b.h5")
        plotted = self.document("plot", "a.h5", "b.h5", "--out", "figures")
        self.assertTrue(plotted["figures"])
        for figure in plotted["figures"]:
            self.assertGreater((self.folder / figure).stat().st_size, 1000)
        self.assertIn("figures/path.svg", self.good("plot", "a.h5", "--out", "figures").out)

    def test_info(self):
        self.good("run", self.pendulum, "--steps", "50", "--out", "a.h5")
        result = self.good("info", "a.h5")
        for word in ("51 rows", "finished", "/q", "/invariants/energy", "rad/s", "gravity"):
            self.assertIn(word, result.out)
        info = self.document("info", "a.h5")
        self.assertEqual((info["rows"], info["t_last"], info["finished"]), (51, 10.0, True))

    def test_reproduce(self):
        result = self.call("reproduce", "--json")
        items = one_document(result.out)["items"]
        self.assertEqual([item["id"] for item in items], REPRODUCE)
        for item in items:
            for key in ("source", "claim", "expected", "measured", "verdict", "as_recorded"):
                self.assertIn(key, item)
            self.assertIn(item["verdict"], ("confirmed", "better than reported", "not confirmed"))
            self.assertIsNone(NOT_A_NUMBER.search(item["measured"]), item)
            if item["verdict"] == "not confirmed":
                self.assertTrue(item.get("reason"), f"no reason: {item}")
        self.assertEqual([item["id"] for item in items if not item["as_recorded"]], [])
        self.assertEqual(result.code, 0, result)

    def test_reproduce_figures_of_the_documents(self):
        items = {i["id"]: i for i in self.document("reproduce", "D0")["items"]}
        self.assertTrue(all(name.startswith("D0.") for name in items))
        self.assertIn("0.23", items["D0.cayley_sign"]["measured"])
        self.assertIn("-3.060", items["D0.gamma_is_not_the_bob"]["measured"].replace("−", "-"))
        self.assertIn("3.371", items["D0.gamma_is_not_the_bob"]["measured"])
        self.assertRegex(items["D0.gamma0"]["measured"], r"8\.8\d*e-0?8")
        self.assertEqual(items["D0.symplectic"]["verdict"], "not confirmed")
        self.assertEqual(len(self.document("reproduce", "D2.rattle")["items"]), 1)
        self.refused("reproduce", "nosuch", says=["nosuch", "D0.gamma0"])

    def test_resume_of_a_finished_file(self):
        run = self.document("run", self.pendulum, "--steps", "50", "--out", "a.h5")
        before = (self.folder / "a.h5").read_bytes()
        self.assertIn("finished", self.good("resume", "a.h5").out)
        self.same_run(self.document("resume", "a.h5"), run)
        self.assertEqual((self.folder / "a.h5").read_bytes(), before)

    def test_notes_go_to_stderr_and_quiet_silences_them(self):
        call = ("run", self.pendulum, "--steps", "5", "--out", "none")
        result = self.good(*call)
        self.assertIn("Gamma", result.err)
        self.assertIn("normalised", result.err)
        self.assertNotIn("normalised", result.out)
        self.assertEqual(self.good(*call, "--quiet").err, "")
        self.assertEqual(self.good("compare", self.pendulum, "--steps", "5", "--quiet").err, "")
        self.assertEqual(self.good("converge", self.pendulum, "--methods", "hamel", "--out", "none",
                                   "--quiet").err, "")
        failed = self.good(*call, "--step", "100", "--method", "variational", "--quiet", code=3)
        self.assertIn("no_solution", failed.err)  # an error is no note


class Options(ProgramTest):
    """Options and keys change what they name."""

    def run_document(self, *args):
        return self.document("run", self.pendulum, "--out", "none", *args)

    def test_step_steps_until(self):
        run = self.run_document("--step", "0.1", "--steps", "30")
        self.assertEqual((run["step"], run["steps"], run["final"]["t"]), (0.1, 30, 30 * 0.1))
        run = self.run_document("--until", "6")
        self.assertEqual((run["step"], run["steps"]), (0.2, 30))
        run = self.run_document("--until", "1", "--step", "0.1")
        self.assertEqual(run["steps"], 10)
        until = self.write("until.toml", START.replace("steps = 20", "until = 2.0"))
        self.assertEqual(self.document("run", until, "--out", "none")["steps"], 20)
        self.assertEqual(self.document("run", until, "--steps", "3", "--out", "none")["steps"], 3)
        self.refused("run", self.pendulum, "--steps", "3", "--until", "1", says="--until")

    def test_until_between_two_steps_rounds_up_with_a_note(self):
        result = self.good("run", self.pendulum, "--until", "1.05", "--json", "--out", "none")
        self.assertEqual(one_document(result.out)["steps"], 6)
        self.assertIn("1.05", result.err)
        result = self.good("run", self.pendulum, "--until", "1.0000000000001", "--json", "--out",
                           "none")
        self.assertEqual(one_document(result.out)["steps"], 5)
        self.assertNotIn("multiple", result.err)

    def test_set(self):
        light, heavy = (self.run_document("--steps", "5", "--set", f"system.mass={m}")
                        for m in ("1", "2.0"))
        self.assertAlmostEqual(heavy["invariants"]["energy"]["initial"],
                               2 * light["invariants"]["energy"]["initial"], delta=1e-12 * 200)
        run = self.run_document("--set", 'integrate.method="rk4"', "--set", "integrate.steps=7",
                                "--set", "integrate.compensated=true")
        self.assertEqual((run["method"], run["steps"]), ("rk4", 7))
        run = self.run_document("--steps", "5", "--set", "initial.Gamma=[0.6,0.0,-0.8]")
        self.assertAlmostEqual(run["invariants"]["energy"]["initial"],
                               9.8 ** 2 * (0.36 / 2 - 0.8), places=9)
        self.assertEqual(self.run_document("--set", "integrate.tolerance=1e-9", "--method", "gauss",
                                           "--steps", "5")["solver"]["tolerance"], 1e-9)

    def test_set_creates_tables(self):
        bare = self.write("bare.toml", 'system.name = "spherical_pendulum"\n')
        run = self.document("run", bare, "--set", "integrate.step=0.1", "--set", "integrate.steps=4",
                            "--set", 'output.file="set.h5"')
        self.assertEqual((run["step"], run["steps"]), (0.1, 4))
        self.assertTrue((self.folder / "set.h5").is_file())

    def test_methods_are_echoed_as_written(self):
        for method in ("gauss(stages=4)", "gauss(stages=1)", "variational+kl8", "hamel+su4",
                       "gauss(stages=2)+kl6", "hamel(form=space)", "hamel(form=space)+kl8"):
            with self.subTest(method):
                self.assertEqual(self.run_document("--method", method, "--steps", "3")["method"],
                                 method)
        compared = self.document("compare", self.pendulum, "--steps", "3", "--out", "none",
                                 "--methods", "gauss(stages=4),variational+kl8,hamel(form=space)")
        self.assertEqual([run["method"] for run in compared["runs"]],
                         ["gauss(stages=4)", "variational+kl8", "hamel(form=space)"])

    def test_space_and_body_form_are_the_same_motion(self):
        space, body = (self.run_document("--method", f"hamel(form={form})", "--steps", "200")
                       for form in ("space", "body"))
        for a, b in zip(numbers(space["final"]["q"]), numbers(body["final"]["q"])):
            self.assertLessEqual(abs(a - b), 1e-11)

    def test_options_may_come_before_the_file(self):
        result = self.good("run", "--steps", "2", "--set", "system.mass=2", "--out", "none", "--json",
                           self.pendulum)
        self.assertEqual(one_document(result.out)["steps"], 2)

    def test_same_input_same_bits(self):
        first, second = (self.run_document("--steps", "500", "--method", "gauss") for _ in range(2))
        self.same_run(first, second)
        self.same_run(first, self.run_document("--steps", "500", "--method", "gauss", "--threads", "2"))

    def test_small_defects_of_the_start_are_mended_with_a_note(self):
        slightly = {"unit": START.replace("-0.8]", "-0.8000001]"),
                    "tangent": START.replace("omega = [0.0,", "omega = [1e-9,")}
        for name, content in slightly.items():
            with self.subTest(name):
                result = self.good("run", self.write(f"{name}.toml", content), "--out", "none", "--json")
                self.assertRegex(result.err, "normalised|projected")
                run = one_document(result.out)
                self.assertLessEqual(abs(run["invariants"]["length"]["initial"]), 1e-15)
                self.assertLessEqual(abs(run["invariants"]["tangency"]["initial"]), 1e-15)
        kept = self.write("kept.toml", slightly["unit"].replace("[integrate]",
                                                                "normalise = false\n[integrate]"))
        run = self.document("run", kept, "--out", "none")
        self.assertAlmostEqual(run["invariants"]["length"]["initial"], 8e-8, delta=1e-12)

    def test_vectors_may_be_nested_or_flat(self):
        flat = self.document("run", self.write("flat.toml", START), "--out", "none")
        nested = START.replace("[0.6, 0.0, -0.8]", "[[0.6, 0.0, -0.8]]")
        nested = nested.replace("[0.0, 0.5, 0.0]", "[[0.0, 0.5, 0.0]]")
        self.same_run(flat, self.document("run", self.write("nested.toml", nested), "--out", "none"))

    def test_bom_and_crlf_are_fine(self):
        base = self.document("run", self.write("base.toml", START), "--out", "none")
        for content in (b"\xef\xbb\xbf" + START.encode(), START.replace("\n", "\r\n").encode()):
            self.same_run(base, self.document("run", self.write("odd.toml", content), "--out", "none"))

    def test_from_another_directory_and_a_path_with_spaces(self):
        spaced = self.write('a place/my "pendulum" é.toml', self.pendulum.read_text())
        elsewhere = self.folder / "else where"
        elsewhere.mkdir()
        relative = os.path.relpath(spaced, elsewhere)
        result = self.good("compare", relative, "--steps", "50", "--methods", "hamel,rk4",
                           cwd=elsewhere)
        self.assertIn("results/", result.out)
        results = elsewhere / "results" / 'my "pendulum" é'
        for name in ("hamel.h5", "path.svg", "path.png", "energy.png"):
            self.assertTrue((results / name).is_file(), name)
        self.assertEqual(os.listdir(spaced.parent), [spaced.name])
        self.good("plot", results / "hamel.h5", "--out", "the figures", cwd=elsewhere)
        self.assertTrue((elsewhere / "the figures/energy.svg").is_file())


class BadInput(ProgramTest):
    """Bad input: exit 2, a short message that names the culprit, nothing left behind."""

    def test_usage(self):
        for args, culprit in (([], "command"), (["frobnicate", self.pendulum], "frobnicate"),
                              (["run"], "scenario"),
                              (["run", self.pendulum, "--frobnicate"], "--frobnicate"),
                              (["run", self.pendulum, "--methods", "hamel,rk4"], "--methods"),
                              (["run", self.pendulum, "extra.toml"], "extra.toml"),
                              (["run", self.pendulum, "--method"], "--method"),
                              (["list", "wheels"], "wheels"), (["describe", "nosuch"], "nosuch")):
            with self.subTest(" ".join(str(a) for a in args)):
                self.refused(*args, says=culprit)

    def test_files(self):
        for command in ("run", "compare", "converge", "check"):
            self.refused(command, "nothere.toml", says="nothere.toml", code=(2, 4))
            self.refused(command, self.folder, says="directory", code=(2, 4))
        self.refused("run", "nothere.toml", "--json", says="nothere.toml", code=(2, 4))
        self.refused("run", self.pendulum / "below.toml", says="below.toml", code=(2, 4))

    def test_unreadable_toml_is_located(self):
        cases = {
            "open table": (b"[system\nname=", r":1:\d+"),
            "no value": (START.encode() + b"x =\n", r":9:\d+"),
            "twice": (START.replace("step = 0.1", "step = 0.1\nstep = 0.2").encode(), r":8:\d+"),
            "open string": (b'[system]\nname = "spher\n', r":2:\d+"),
            "binary": (b"\x00\x01\xef\xbb\xbfX", r":1:\d+"),
            "random": (bytes(random.Random(1).randrange(256) for _ in range(4096)), r":\d+:\d+"),
            "not UTF-8": (START.encode() + b'x = "\xff\xfe"\n', r":9:\d+"),
            "not UTF-8 in a comment": (START.encode() + b"# \xff\n", r":9:\d+"),
            "UTF-16": (START.encode("utf-16"), r":1:\d+"),
            "deep": (b"a = " + b"[" * 2000, r":1:\d+"),
            "very deep": (b"a = " + b"[" * 200000 + b"]" * 200000, r":1:\d+"),
            "deep tables": (b"a = " + b"{a=" * 50000, r":1:\d+"),
        }
        for name, (content, place) in cases.items():
            with self.subTest(name):
                result = self.refused("run", self.write("bad.toml", content), says="bad.toml")
                self.assertRegex(result.err, place)
        self.refused("run", self.write("bad.toml", ""), says="system")

    def test_absurdly_nested_keys(self):
        for name, content in {"key": "a" + ".a" * 100000 + " = 1\n",
                              "table": "[a" + ".a" * 100000 + "]\n"}.items():
            with self.subTest(name):
                self.refused("run", self.write("bad.toml", content), says="bad.toml")

    def test_messages_stay_short(self):
        long = "k" * 100000
        with self.subTest("key"):
            self.refused("run", self.write("bad.toml", START + f"[{long}]\nx=1\n"), says="known")
        with self.subTest("system"):
            self.refused("run", self.write("bad.toml", START.replace("spherical", long)), says="system")
        with self.subTest("method"):
            self.refused("run", self.pendulum, "--method", long, says="method")
        with self.subTest("many"):
            many = START.replace("[initial]", "".join(f"k{i}=1\n" for i in range(3000)) + "[initial]")
            self.refused("run", self.write("bad.toml", many), says="known")

    def test_control_characters_do_not_reach_the_terminal(self):
        result = self.refused("run", self.write("bad.toml", START + '["\\u001b[31mred"]\nx=1\n'),
                              says="known")
        self.assertNotIn("\x1b", result.err)

    def test_unknown_keys(self):
        for wrong, right in {"system.masss": "mass", "system.lenght": "length", "initial.Gama": "Gamma",
                             "integrate.stpe": "step", "output.evry": "every"}.items():
            with self.subTest(wrong):
                self.refused("run", self.pendulum, "--set", f"{wrong}=1", says=[wrong, right])
        result = self.refused("run", self.write("bad.toml", START + "[sytem]\nmass=1\n"),
                              says=["sytem", "system"])
        self.assertRegex(result.err, r"bad\.toml:9:\d+")
        for wrong in ("masss", "a.b.c.d"):
            with self.subTest(wrong):
                self.refused("run", self.pendulum, "--set", f"{wrong}=1", says=["--set", wrong])

    def test_values(self):
        cases = [("system.mass=-1", "mass"), ("system.mass=0", "mass"), ("system.mass=nan", "mass"),
                 ("system.mass=inf", "mass"), ("system.mass=true", "mass"), ("system.mass=[1]", "mass"),
                 ('system.mass="1"', "mass"), ("system.length=0", "length"),
                 ("system.length=-9.8", "length"), ('system.length="long"', "length"),
                 ("system.gravity=nan", "gravity"), ("system.gravity=-1", "gravity"),
                 ("system=3", "system"), ("system.name=3", "name"), ('system.name="nosuch"', "nosuch"),
                 ("integrate.step=0", "step"), ("integrate.step=-0.1", "step"),
                 ("integrate.step=nan", "step"), ("integrate.steps=0", "steps"),
                 ("integrate.steps=1.5", "steps"), ("integrate.compensated=1", "compensated"),
                 ("integrate.tolerance=-1", "tolerance"), ("integrate.methods=[]", "methods"),
                 ("integrate.methods=[1]", "methods"), ('integrate.method=""', "method"),
                 ("output.every=0", "every"), ("output.every=-3", "every"), ("output.every=2.5", "every"),
                 ("output.file=3", "file"), ("initial.Gamma=[1,0]", "Gamma"),
                 ("initial.Gamma=[0.3,0.2,nan]", "Gamma"), ("initial.Gamma=[0,0,0]", "Gamma"),
                 ("initial.Gamma=[3,2,-9]", "Gamma"), ("initial.Omega=[1,2,3]", "Omega"),
                 ("initial.Omega=[inf,0]", "Omega"), ('initial.Omega="fast"', "Omega"),
                 ("initial.Omega=[]", "Omega"), ("nothing", "KEY"), ("=1", "KEY"),
                 ("system.mass=", "mass"), ("system.mass=abc", "mass"),
                 ("system.mass=1\nlength=3", "mass")]
        for assignment, culprit in cases:
            with self.subTest(assignment):
                self.refused("run", self.pendulum, "--set", assignment, says=culprit)

    def test_a_wrong_type_is_called_by_its_name(self):
        for assignment in ("system.name=3", "integrate.compensated=1", "output.file=3"):
            with self.subTest(assignment):
                result = self.refused("run", self.pendulum, "--set", assignment, says="not")
                self.assertNotIn("date", result.err)

    def test_numbers_of_options(self):
        for option, values in {"--step": ("0", "-0.1", "nan", "inf", "abc", "1e400", ""),
                               "--steps": ("0", "-5", "1.5", "nan", "abc", "99999999999999999999",
                                           "9223372036854775807"),
                               "--until": ("0", "-1", "nan", "inf", "abc", "1e30"),
                               "--threads": ("0", "-1", "abc")}.items():
            for value in values:
                with self.subTest(option=option, value=value):
                    self.refused("run", self.pendulum, option, value, "--out", "none", says=option[2:])

    def test_initial_states(self):
        cases = [('q = [0.6, 0.0, -0.8]\n', "omega"), ("omega = [0.0, 1.0, 0.0]\n", "q"),
                 ("q = [0.6, 0.0, -0.801]\nomega = [0, 1, 0]\n", "q"),
                 ("q = [0, 0, 0]\nomega = [0, 1, 0]\n", "q"),
                 ("q = [6, 0, -8]\nomega = [0, 1, 0]\n", "q"),
                 ("q = [0.6, 0.0, -0.9]\nomega = [0, 1, 0]\nnormalise = false\n", "q"),
                 ("q = [0.6, 0.0, -0.8]\nomega = [0.1, 1, 0]\n", "omega"),
                 ("q = [0, 0, -1]\nomega = [0, 0, 1]\n", "omega"),
                 ("q = [0.6, nan, -0.8]\nomega = [0, 1, 0]\n", "q"),
                 ("q = [0.6, 0.0, -0.8]\nomega = [0, inf, 0]\n", "omega"),
                 ("q = [[0.6, 0, -0.8], [0, 0, 1]]\nomega = [0, 1, 0]\n", "q"),
                 ('q = [0.6, "0", -0.8]\nomega = [0, 1, 0]\n', "q"),
                 ("Gamma = [0.6, 0.0, -0.8]\nomega = [0, 1, 0]\n", "Omega"),
                 ("Gamma = [0.6, 0.0, -0.8]\nOmega = [0, 1]\nq = [0, 0, 1]\n", "Gamma"),
                 ("q = [0.6, 0.0, -0.8]\nomega = [0, 1, 0]\nt0 = 5\n", "t0")]
        for content, culprit in cases:
            with self.subTest(content):
                bad = self.write("bad.toml", f'[system]\nname = "spherical_pendulum"\n[initial]\n{content}')
                result = self.refused("run", bad, says=["initial", culprit])
                self.assertRegex(result.err, r"bad\.toml:\d+:\d+")

    def test_all_errors_are_told_at_once(self):
        bad = self.write("bad.toml", '[system]\nname = "spherical_pendulum"\nmass = -1\nlenght = 2\n'
                         'gravity = "g"\n[initial]\nq = [1, 2]\nomega = [1, 2, 3, 4]\n'
                         '[integrate]\nmethod = "foo"\nstep = 0\nuntil = -1\n[output]\nevry = 1\n')
        result = self.refused("check", bad, says=["mass", "lenght", "gravity", "initial.q", "omega",
                                                  "foo", "step", "until", "evry"])
        for line in (3, 4, 5, 7, 8, 10, 11, 12, 14):
            self.assertRegex(result.err, rf"bad\.toml:{line}:\d+")

    def test_methods(self):
        for method, culprit in {"rungekutta99": "rungekutta99", "GAUSS": "GAUSS", "": "method",
                                "gauss(stages=9)": "stages", "gauss(stages=0)": "stages",
                                "gauss(stages=2.5)": "stages", "gauss(stages=)": "stages",
                                "gauss(stage=2)": "stages", "gauss(stages=2": "parenthes",
                                "gauss(stages=2,stages=3)": "twice", "hamel(form=foo)": "form",
                                "hamel+kl9": "kl8", "hamel+": "kl8", "+kl8": "+kl8",
                                "hamel+kl8+su4": "kl8+su4", "rk4+kl8": "rk4", "exact+kl8": "exact",
                                "hamel,rk4": "hamel,rk4"}.items():
            with self.subTest(method):
                self.refused("run", self.pendulum, "--method", method, says=culprit)
        result = self.refused("compare", self.pendulum, "--methods", "hamel,foo,bar", says=["foo", "bar"])
        for fitting in METHODS:
            self.assertIn(fitting, result.err)
        self.refused("compare", self.pendulum, "--methods", "hamel,,rk4", says="method")
        self.refused("compare", self.pendulum, "--methods", "", says="method")
        self.refused("run", self.pendulum, "--method", "dla(constraint=average)", says=["dla", "variational"])
        self.refused("check", self.pendulum, "--methods", "hamel,foo", says="foo")

    def test_no_infinity_is_printed(self):
        for speed in ("1e154", "1e200"):
            huge = self.write("huge.toml", START.replace("0.5, 0.0]", f"{speed}, 0.0]"))
            for method in METHODS:
                with self.subTest(speed=speed, method=method):
                    call = ("run", huge, "--steps", "3", "--out", "none", "--method", method)
                    result = self.call(*call)
                    self.assertIsNone(NOT_A_NUMBER.search(result.out), result)
                    self.assertIn(result.code, (2, 3), result)
                    if (result := self.call(*call, "--json")).out:
                        one_document(result.out)


class Output(ProgramTest):
    """Where results go, and what happens when they cannot go there."""

    def test_explicit_files_are_not_overwritten_without_force(self):
        call = ("run", self.pendulum, "--until", "2")
        self.good(*call, "--out", "a.h5")
        first = (self.folder / "a.h5").read_bytes()
        self.refused(*call, "--out", "a.h5", says="a.h5", code=(2, 4))
        self.refused(*call, "--set", 'output.file="a.h5"', says="a.h5", code=(2, 4))
        self.assertEqual((self.folder / "a.h5").read_bytes(), first)
        self.good(*call, "--step", "0.1", "--out", "a.h5", "--force")
        self.assertEqual(self.document("info", "a.h5")["rows"], 21)
        self.write("precious.txt", "not a recording")
        self.refused(*call, "--out", "precious.txt", says="precious.txt", code=(2, 4))

    def test_default_outputs_are_replaced(self):
        for steps in (10, 20):
            self.good("run", self.pendulum, "--steps", steps)
            self.assertEqual(self.document("info", "results/pendulum/hamel.h5")["rows"], steps + 1)

    def test_unwritable_output(self):
        self.write("plain", "a file")
        os.mkfifo(self.folder / "pipe")
        for name, culprit in {"plain/x.h5": "plain", "nodir/x.h5": "nodir", ".": ".",
                              "pipe": "pipe", "/proc/x.h5": "/proc/x.h5",
                              "n" * 300 + ".h5": "too long", "": "out"}.items():
            with self.subTest(name):
                self.refused("run", self.pendulum, "--steps", "10", "--force", "--out", name,
                             says=culprit, code=4 if name else (2, 4))

    def test_results_cannot_be_created(self):
        self.write("results", "a file where the folder would be")
        for command in ("run", "compare"):
            with self.subTest(command):
                self.refused(command, self.pendulum, "--steps", "10", says="results", code=4)
        converged = self.call("converge", self.pendulum, "--methods", "hamel")
        self.assertEqual(converged.code, 4, converged)
        self.assertIn("results", converged.err)

    def test_figures_cannot_be_written(self):
        self.good("run", self.pendulum, "--steps", "50", "--out", "a.h5")
        self.write("plain", "a file")
        self.refused("plot", "a.h5", "--out", "plain", says="plain", code=4)
        self.refused("plot", "a.h5", "--out", "plain/x", says="plain", code=4)
        self.refused("plot", "nothere.h5", says="nothere.h5", code=(2, 4))
        self.refused("plot", self.pendulum, says="pendulum.toml", code=(2, 4))
        self.refused("plot", "a.h5", self.pendulum, "--out", "figures", says="pendulum.toml",
                     code=(2, 4))

    def test_not_a_recording(self):
        self.write("empty.h5", "")
        self.write("noise.h5", bytes(random.Random(2).randrange(256) for _ in range(5000)))
        for command in ("info", "plot", "resume"):
            for name in ("nothere.h5", "empty.h5", "noise.h5", "pendulum.toml"):
                with self.subTest(command=command, name=name):
                    self.refused(command, name, says=name, code=(2, 4))
            self.refused(command, self.folder, says=self.folder.name, code=(2, 4))

    def test_standard_output_that_cannot_be_written(self):
        with open("/dev/full", "wb") as full:
            for args in (["run", self.pendulum, "--steps", "10", "--out", "none"],
                         ["run", self.pendulum, "--steps", "10", "--out", "none", "--json"],
                         ["list", "methods"], ["reproduce", "D2.length"]):
                with self.subTest(args[0]):
                    self.assertEqual(self.call(*args, stdout=full).code, 4)

    def test_standard_error_that_cannot_be_written(self):
        with open("/dev/full", "wb") as full:
            with self.subTest("note"):
                self.good("run", self.pendulum, "--steps", "10", "--out", "a.h5", stderr=full)
                self.assertEqual(self.document("info", "a.h5")["rows"], 11)
            with self.subTest("error"):
                self.assertIn(self.call("run", "nothere.toml", stderr=full).code, (2, 4))
        closed = subprocess.run(["/bin/sh", "-c", '"$0" run "$1" --steps 10 --out b.h5 >&- 2>&- <&-',
                                 BINARY, str(self.pendulum)], cwd=self.folder, timeout=TIMEOUT, check=False)
        self.assertIn(closed.returncode, (0, 4))
        if closed.returncode == 0:
            self.assertEqual(self.document("info", "b.h5")["rows"], 11)

    def test_closed_pipe(self):
        self.good("run", self.pendulum, "--steps", "10", "--out", "a.h5")
        for command in ('info a.h5', 'info a.h5 --json', "list methods", "reproduce D2",
                        'compare pendulum.toml --steps 10 --out none'):
            for reader in ("head -n 1", "true"):
                with self.subTest(command=command, reader=reader):
                    piped = subprocess.run(
                        ["/bin/bash", "-c", f'"$0" {command} | {reader} >/dev/null; '
                         'exit "${PIPESTATUS[0]}"', BINARY],
                        cwd=self.folder, capture_output=True, timeout=TIMEOUT, check=False)
                    self.assertIsNone(CRASHES.search(text(piped.stderr)), piped)
                    self.assertIn(piped.returncode, (0, 4, 128 + signal.SIGPIPE), piped)

    def test_closed_pipe_with_the_signal_ignored(self):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([BINARY, "list", "methods"], stdout=writer, stderr=subprocess.PIPE,
                              restore_signals=False, timeout=TIMEOUT, check=False,
                              preexec_fn=lambda: signal.signal(signal.SIGPIPE, signal.SIG_IGN))
        os.close(writer)
        self.sound(Result(["list", "methods"], done.returncode, "", text(done.stderr)))

    def test_file_size_limit(self):
        def limited(size):
            def limit():
                resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            return limit
        for size in (0, 100, 3000, 50000, 500000):
            for json_too in ([], ["--json"]):
                with self.subTest(size=size, json=bool(json_too)):
                    result = self.call("run", self.pendulum, "--steps", "20000", "--out", "a.h5",
                                       *json_too, preexec_fn=limited(size), restore_signals=False)
                    self.assertEqual(result.code, 4, result)
                    self.assertIn("a.h5", result.err)
                    self.nothing_half_written()

    def nothing_half_written(self, folder=None):
        """Either no recording is left, or one that can be read and resumed; never anything else."""
        folder = folder or self.folder
        left = {f.name for f in folder.iterdir()} - {"pendulum.toml"}
        if left:
            self.assertEqual(left, {"a.h5", "a.h5.checkpoint"})
            self.good("info", folder / "a.h5")
            (folder / "a.h5").unlink()
            (folder / "a.h5.checkpoint").unlink()

    def test_full_disk(self):
        disk = self.folder / "disk"
        disk.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", str(disk)],
                                 capture_output=True, check=False)
        if mounted.returncode != 0:
            self.skipTest("a small file system cannot be mounted here")
        self.addCleanup(subprocess.run, ["umount", "-l", str(disk)], check=False)
        scenario = disk / "pendulum.toml"
        shutil.copy(self.pendulum, scenario)
        run = ("run", "pendulum.toml", "--steps", "20000", "--out")
        result = self.call(*run, "a.h5", cwd=disk)
        self.assertEqual(result.code, 4, result)
        self.assertIn("a.h5", result.err)
        self.assertIn("space", result.err)
        if (disk / "a.h5").exists():  # then it goes on once there is room
            subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
            with self.subTest("resume"):
                resumed = self.document("resume", "a.h5", cwd=disk)
                whole = self.document(*run, self.folder / "whole.h5", cwd=disk)
                self.same_run(resumed, whole)
                self.same_recordings(disk / "a.h5", self.folder / "whole.h5")
            (disk / "a.h5").unlink()
            subprocess.run(["mount", "-o", "remount,size=512k", str(disk)], check=True)
        self.nothing_half_written(disk)
        result = self.call("compare", "pendulum.toml", cwd=disk)
        self.assertEqual(result.code, 4, result)
        self.assertFalse(list(disk.rglob("*.png")) + list(disk.rglob("*.svg")), "figures of a failure")

    def test_failed_drawing_leaves_no_figures(self):
        self.good("run", self.pendulum, "--steps", "50", "--out", "a.h5")
        for path in ("/nonexistent", str(self.folder)):  # no gnuplot; one that fails
            with self.subTest(path):
                if path == str(self.folder):
                    self.write("gnuplot", "#!/bin/sh\nexit 1\n").chmod(0o755)
                result = self.call("plot", "a.h5", "--out", "figures",
                                   env={**os.environ, "PATH": path})
                self.assertEqual(result.code, 4, result)
                self.assertIn("gnuplot", result.err)
                self.assertFalse([f for f in self.folder.rglob("*") if f.suffix in (".png", ".svg")])


class Interruption(ProgramTest):
    """Stopped, killed or damaged runs, and how they go on."""

    seconds = 0.7  # length of an uninterrupted run

    @classmethod
    def setUpClass(cls):
        cls.shared = pathlib.Path(tempfile.mkdtemp(prefix="hamel-test-"))
        cls.addClassCleanup(shutil.rmtree, cls.shared, ignore_errors=True)
        scenario = SOURCE / "scenarios" / "spherical_pendulum.toml"
        base = ["run", str(scenario), "--method", "hamel", "--set", "output.every=100",
                "--set", "integrate.compensated=true"]

        def run(steps, name):
            done = subprocess.run([BINARY, *base, "--steps", str(steps), "--json", "--out",
                                   str(cls.shared / name)], capture_output=True, timeout=TIMEOUT,
                                  check=True)
            return one_document(text(done.stdout))

        pace = run(200000, "pace.h5")["seconds_per_step"]
        steps = min(max(int(cls.seconds / pace), 300000), 20000000)
        cls.base, cls.args, cls.steps = base, [*base, "--steps", str(steps)], steps
        cls.reference = run(steps, "reference.h5")
        cls.whole = cls.shared / "reference.h5"

    def interrupted(self, name, sent, *options, command=None):
        """Starts the run (or `command`), sends the signal on the way; the result of the program."""
        for attempt in range(5):
            shutil.rmtree(self.folder / "out", ignore_errors=True)
            (self.folder / "out").mkdir()
            path = self.folder / "out" / name
            args = [str(a) for a in (command or [*self.args, "--out", str(path)])] + list(options)
            with subprocess.Popen([BINARY, *args], cwd=self.folder, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
                if command is None:
                    started = time.monotonic()
                    while not path.with_name(name + ".checkpoint").exists():
                        self.assertLess(time.monotonic() - started, 30, "no checkpoint appears")
                        time.sleep(0.002)
                time.sleep(random.uniform(0.05, 0.8) * self.reference["seconds"] / (attempt + 1))
                process.send_signal(sent)
                try:
                    out, err = process.communicate(timeout=10)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.communicate()
                    self.fail(f"{signal.Signals(sent).name} ignored for 10 s by hamel {' '.join(args)}")
            if process.returncode != 0:
                break
        self.assertNotEqual(process.returncode, 0, "the run was always over before the signal")
        return path, Result(args, process.returncode, text(out), text(err))

    def goes_on(self, path):
        """Resumes; the whole run is, bit by bit, the uninterrupted one."""
        resumed = self.document("resume", path)
        self.check_run_document(resumed)
        self.same_run(resumed, self.reference)
        self.same_recordings(path, self.whole)
        self.assertEqual([f.name for f in path.parent.iterdir()], [path.name])

    def test_interrupt_and_terminate(self):
        for sent in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(sent):
                path, result = self.interrupted("a.h5", sent)
                self.sound(result)
                self.assertEqual(result.code, 130, result)
                self.assertIn("interrupted", result.out)
                self.assertIn("energy", result.out)
                self.assertIn("resume", result.err)
                info = self.document("info", path)
                self.assertFalse(info["finished"])
                self.assertGreaterEqual(info["rows"], 1)
                self.assertIn("resume", self.good("info", path).out)
                self.goes_on(path)

    def test_interrupt_with_json(self):
        path, result = self.interrupted("a.h5", signal.SIGINT, "--json", "--quiet")
        self.sound(result)
        self.assertEqual(result.code, 130, result)
        run = one_document(result.out)
        self.check_run_document(run)
        self.assertEqual((run["status"], run["steps"]), ("interrupted", self.steps))
        self.assertLess(run["final"]["t"], self.reference["final"]["t"])
        self.goes_on(path)

    def test_interrupted_resume_goes_on_again(self):
        path, _ = self.interrupted("a.h5", signal.SIGINT)
        for _ in range(2):
            with subprocess.Popen([BINARY, "resume", str(path)], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE) as process:
                time.sleep(0.1 * self.reference["seconds"])
                process.send_signal(signal.SIGTERM)
                process.communicate(timeout=30)
            self.assertIn(process.returncode, (0, 130, -signal.SIGTERM))
        self.goes_on(path)

    def test_interrupted_without_recording(self):
        with subprocess.Popen([BINARY, *self.base, "--steps", "1000000000", "--out", "none", "--json"],
                              cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=10)
        self.assertEqual(process.returncode, 130, text(err))
        self.assertEqual(one_document(text(out))["status"], "interrupted")
        self.assertEqual(os.listdir(self.folder), ["pendulum.toml"])

    def test_interrupted_compare(self):
        _, result = self.interrupted("none", signal.SIGINT, command=[
            "compare", self.pendulum, "--steps", "100000000", "--set", "output.every=1000", "--json"])
        self.sound(result)
        self.assertEqual(result.code, 130, result)
        self.assertEqual(one_document(result.out)["runs"][0]["status"], "interrupted")
        self.assertFalse(self.document("info", "results/pendulum/hamel.h5")["finished"])
        self.assertFalse([f for f in self.folder.rglob("*") if f.suffix in (".png", ".svg", ".lock")])

    def test_interrupted_converge(self):
        _, result = self.interrupted("none", signal.SIGINT, command=[
            "converge", self.pendulum, "--until", "1e9", "--methods", "hamel", "--out", "none"])
        self.sound(result)
        self.assertEqual(result.code, 130, result)

    def test_kill_and_resume(self):
        for k in range(5):
            with self.subTest(k):
                path, result = self.interrupted("a.h5", signal.SIGKILL)
                self.assertEqual(result.code, -signal.SIGKILL)
                self.good("info", path)
                again = self.call(*self.args, "--out", path)  # without --force
                self.assertIn(again.code, (2, 4), again)
                self.goes_on(path)

    def test_kill_after_a_checkpoint_and_resume(self):
        for attempt in range(3):
            steps = self.steps * 4 * 2 ** attempt  # longer than the time between checkpoints
            path = self.folder / f"{attempt}" / "a.h5"
            path.parent.mkdir()
            checkpoint = path.with_name("a.h5.checkpoint")
            with subprocess.Popen([BINARY, *self.base, "--steps", str(steps), "--out", str(path)],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
                seen = set()
                while len(seen) < 2 and process.poll() is None:  # the first, then one on the way
                    if checkpoint.exists():
                        seen.add(checkpoint.stat().st_ino)
                    time.sleep(0.002)
                time.sleep(random.uniform(0, 0.1))
                process.kill()
            if process.returncode != 0:
                break
        else:
            self.fail("no checkpoint on the way")
        self.assertGreater(self.document("info", path)["rows"], 1)
        resumed = self.document("resume", path)
        whole = self.document(*self.base, "--steps", steps, "--out", self.folder / "whole.h5")
        self.same_run(resumed, whole)
        self.same_recordings(path, self.folder / "whole.h5")

    def test_readable_while_it_runs_and_locked_against_a_second_writer(self):
        path = self.folder / "out" / "a.h5"
        path.parent.mkdir()
        with subprocess.Popen([BINARY, *self.base, "--steps", "1000000000", "--set",
                               "output.every=10000", "--out", str(path)], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            try:
                deadline = time.monotonic() + 30
                while not path.with_name("a.h5.checkpoint").exists() and time.monotonic() < deadline:
                    time.sleep(0.01)
                rows = 0
                while rows < 2 and time.monotonic() < deadline:
                    rows = self.document("info", path)["rows"]
                    time.sleep(0.1)
                self.assertGreaterEqual(rows, 2, "no rows to be seen while it runs")
                for command in ((*self.args, "--out", path, "--force"), ("resume", path)):
                    result = self.call(*command)
                    self.assertEqual(result.code, 4, result)
                    self.assertIn("a.h5", result.err)
                    self.assertEqual(result.out, "")
            finally:
                process.send_signal(signal.SIGINT)
                process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130)
        self.assertGreaterEqual(self.document("info", path)["rows"], rows)

    def test_damaged_files_are_not_resumed(self):
        path, _ = self.interrupted("a.h5", signal.SIGINT)
        checkpoint = path.with_name("a.h5.checkpoint")
        kept = {f: f.read_bytes() for f in (path, checkpoint)}
        size = len(kept[checkpoint])
        flipped = bytearray(kept[checkpoint])
        flipped[size // 2] ^= 0x10
        damages = {
            "empty checkpoint": (checkpoint, b""),
            "cut checkpoint": (checkpoint, kept[checkpoint][:-1]),
            "half a checkpoint": (checkpoint, kept[checkpoint][:size // 2]),
            "flipped bit": (checkpoint, bytes(flipped)),
            "longer checkpoint": (checkpoint, kept[checkpoint] + b"x"),
            "foreign file": (checkpoint, b"hello\n" * 100),
            "no checkpoint": (checkpoint, None),
            "empty recording": (path, b""),
            "cut recording": (path, kept[path][:len(kept[path]) // 3]),
            "a few bytes of recording": (path, kept[path][:100]),
            "recording overwritten": (path, b"\x55" * 4000 + kept[path][4000:]),
            "no recording": (path, None),
        }
        for name, (victim, content) in damages.items():
            with self.subTest(name):
                if content is None:
                    victim.unlink()
                else:
                    victim.write_bytes(content)
                before = listing(path.parent)
                result = self.call("resume", path)
                self.assertIn(result.code, (2, 4), result)
                self.assertIn("a.h5", result.err)
                self.assertLessEqual(len(result.err), 500, result)
                self.assertEqual(result.out, "", result)
                self.assertEqual(listing(path.parent), before, "files changed")
                victim.write_bytes(kept[victim])
        self.goes_on(path)  # with the files as they were

    def test_a_checkpoint_of_another_run_is_refused(self):
        path, _ = self.interrupted("a.h5", signal.SIGINT)
        foreign = path.with_name("a.h5.checkpoint").read_bytes()
        path, _ = self.interrupted("a.h5", signal.SIGINT)
        path.with_name("a.h5.checkpoint").write_bytes(foreign)
        before = path.read_bytes()
        result = self.call("resume", path)
        self.assertIn(result.code, (2, 4), result)
        self.assertIn("checkpoint", result.err)
        self.assertEqual(path.read_bytes(), before)

    def test_force_over_an_interrupted_run(self):
        path, _ = self.interrupted("a.h5", signal.SIGKILL)
        self.good("run", self.pendulum, "--steps", "10", "--out", path, "--force")
        self.assertEqual([f.name for f in path.parent.iterdir()], ["a.h5"])
        self.assertEqual(self.document("resume", path)["steps"], 10)

    def test_memory_does_not_grow_with_the_run(self):
        measure = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, "
                   "stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL); "
                   "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
        environment = {**os.environ, "ASAN_OPTIONS": "quarantine_size_mb=1"}
        peak = []
        for steps in (100000, 5000000):  # the longer one records 65 MB
            done = subprocess.run([sys.executable, "-c", measure, BINARY, "run", str(self.pendulum),
                                   "--method", "variational", "--steps", str(steps), "--set",
                                   "output.every=10", "--force", "--out", str(self.folder / "a.h5")],
                                  capture_output=True, text=True, timeout=TIMEOUT, check=True,
                                  env=environment)
            peak.append(int(done.stdout))
        self.assertGreater((self.folder / "a.h5").stat().st_size, 40e6)
        self.assertLessEqual(peak[1] - peak[0], 12 * 1024, f"peak memory in kB {peak}")


def main():
    global BINARY, SOURCE
    if len(sys.argv) < 3:
        sys.exit("usage: test_program.py BINARY SOURCE_DIR [unittest options]")
    BINARY, SOURCE = os.path.realpath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    for needed in (pathlib.Path(BINARY), SOURCE / "scenarios" / "spherical_pendulum.toml"):
        if not needed.is_file():
            sys.exit(f"test_program.py: {needed} is not there")
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])


if __name__ == "__main__":
    main()
