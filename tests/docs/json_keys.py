#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares docs/files.md with the program: every key of its JSON, every data set and attribute of
its recordings must be in the tables of the page, and every one of the page must be seen here.

usage: json_keys.py BINARY SOURCE_DIR
"""

import collections
import json
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

CODE = re.compile(r"`([^`]+)`")
# A link that stands on its base, which moves: it is pushed.
PUSHED = ["--set", "system.n=1", "--set", "initial.q=[[0.6, 0.0, 0.8]]", "--set",
          "initial.omega=[[0.0, 0.0, 0.0]]", "--set", 'system.base=["0.1*sin(t)", "0", "0"]',
          "--method", "variational"]
# Its Lagrangian contains the time: energy is no invariant.
TIMED = """[system]
coordinates = ["x"]
lagrangian = "x_dot^2/2 - (1 + 0.1*cos(2*t))*x^2/2"
[initial]
q = [1.0]
v = [0.0]
[integrate]
step = 0.1
"""


def split(path):
    """`a.b[].NAME` as segments: "a", "b", "[]", "NAME"."""
    return tuple(re.sub(r"(\[\])", r".\1", path).split("."))


def paths_of(tree, path=()):
    """The paths of all keys in a document; lists of lists of numbers have none."""
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield (*path, key)
            yield from paths_of(value, (*path, key))
    elif isinstance(tree, list):
        for value in tree:
            yield from paths_of(value, (*path, "[]"))


def matches(pattern, path):
    return len(pattern) == len(path) and all(p in ("NAME", s) for p, s in zip(pattern, path))


def interrupt_when_ready(process):
    """Sends SIGINT once the program catches it and has worked for a moment."""
    caught = False
    while not caught and process.poll() is None:
        time.sleep(0.05)
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
        mask = re.search(r"^SigCgt:\s*(\w+)", status, re.MULTILINE)
        caught = mask is not None and bool(int(mask.group(1), 16) >> (signal.SIGINT - 1) & 1)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)


class Tables:
    """What the page says."""

    def __init__(self, text):
        self.keys = collections.defaultdict(list)  # command → patterns
        self.datasets, self.attributes = [], []
        commands, target = [], None
        for line in text.split("\n"):
            if line.startswith("#"):
                commands = CODE.findall(line) if line.startswith("### ") else []
            if not line.startswith("|"):
                target = None
                continue
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if target is None:  # the head of a table
                target = cells[0]
                continue
            words = CODE.findall(cells[0])
            if target == "key" and commands:
                for command in commands:
                    self.keys[command] += [split(word.removesuffix("[]")) for word in words]
                    included = re.search(r"as of `(\w+)`", cells[1])
                    if included:
                        self.keys[command] += [split(words[0]) + key
                                               for key in self.keys[included.group(1)]]
            elif target == "data set":
                self.datasets += [split(word.strip("/").replace("/", ".")) for word in words]
            elif target == "root attribute":
                self.attributes += words


class Comparison:
    """What the program prints, held against the page."""

    def __init__(self, binary, source, folder, tables):
        self.binary, self.source, self.folder, self.tables = binary, source, folder, tables
        self.seen = collections.defaultdict(set)
        self.datasets, self.attributes = set(), set()
        self.faults = []

    def document(self, *arguments, code=0, interrupt=False):
        command = [self.binary, *arguments, "--json"]
        with subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as process:
            if interrupt:
                interrupt_when_ready(process)
            output, messages = process.communicate(timeout=120)
        if process.returncode != code:
            self.faults.append(f"hamel {' '.join(arguments)}: exit code {process.returncode}, not "
                               f"{code}: {messages[-300:]}")
            return {}
        document = json.loads(output)
        self.seen[arguments[0]].update(paths_of(document))
        if arguments[0] == "info":
            self.datasets.update(split(column["path"].strip("/").replace("/", "."))
                                 for column in document["columns"])
            self.attributes.update(document["attributes"])
        return document

    def run_all(self):
        scenario = lambda name: str(self.source / f"scenarios/{name}.toml")
        short = ["--steps", "20"]
        self.document("run", scenario("spherical_pendulum"), *short, "--out", "body.h5")
        self.document("run", scenario("chain_pendulum"), *short, *PUSHED, "--out", "chain.h5")
        self.document("run", scenario("chaplygin_sleigh"), *short, "--out", "sleigh.h5")
        self.document("run", scenario("chaplygin_sleigh"), *short, "--method", "gauss", "--out", "gauss.h5")
        self.document("run", scenario("euler_top_angles"), "--method", "rk4", "--out", "none",
                      code=3)
        pathlib.Path(self.folder, "timed.toml").write_text(TIMED, encoding="utf-8")
        self.document("run", "timed.toml", *short, "--out", "none")
        # Interrupted twice: what a resumed run prints.
        self.document("run", scenario("spherical_pendulum"), "--steps", "200000000", "--set",
                      "output.every=1000000", "--out", "long.h5", code=130, interrupt=True)
        self.document("resume", "long.h5", code=130, interrupt=True)
        pathlib.Path(self.folder, "long.h5.checkpoint").unlink()
        self.document("info", "long.h5")  # which cannot be resumed
        self.document("compare", scenario("chaplygin_sleigh"), *short)
        self.document("converge", scenario("chaplygin_sleigh"), "--methods", "hamel,rk4",
                      "--levels", "5", *short)
        self.document("certify", scenario("chaplygin_sleigh"), "--methods", "hamel,rk4", "--steps", "600")
        self.document("equilibria", scenario("chaplygin_sleigh"), "--out", "none", "--methods",
                      "hamel,hamel(output=half)")
        self.document("equilibria", scenario("spherical_pendulum"), "--along", "Omega", "--from",
                      "1.1", "--to", "1.2", "--count", "2", "--methods", "hamel")
        self.document("sweep", scenario("pendulum_sweep"), "--method", "variational", "--set",
                      'sweep.vary."initial.omega[1]"=[0.0, 500.0]', *short, "--out", "none")
        self.document("check", scenario("spherical_pendulum"))
        for what in ("systems", "methods"):
            for item in self.document("list", what).get(what, []):
                self.document("describe", item["name"])
        for name in ("body.h5", "chain.h5", "sleigh.h5", "gauss.h5"):
            self.document("info", name)
        self.document("plot", "sleigh.h5", "--out", "figures")
        self.document("reproduce", "D2.length")
        self.document("reproduce", "nonholonomic", "--steps", "100")

    def judge(self):
        for command, paths in self.seen.items():
            known = self.tables.keys.get(command, [])
            if not known:
                self.faults.append(f"there is no table for `{command}`")
            for path in sorted(paths):
                if not any(matches(pattern[:len(path)], path) for pattern in known):
                    self.faults.append(f"{command}: `{'.'.join(path)}` is printed, not documented")
        # A run has further keys only in some cases; `resume` and `compare` have the same ones.
        for command, known in self.tables.keys.items():
            runs = set()
            for other in ("run", "resume"):
                runs |= self.seen[other]
            paths = runs if command in ("run", "resume") else self.seen[command]
            prefix = {"compare": ("runs", "[]"), "info": ("attributes", "summary")}.get(command)
            if prefix:
                paths = paths | {prefix + path for path in runs}
            for pattern in known:
                if not any(matches(pattern, path) for path in paths):
                    name = ".".join(pattern)
                    self.faults.append(f"{command}: `{name}` is documented, not printed")
        self.both("data set", self.datasets, self.tables.datasets, matches)
        self.both("attribute", self.attributes, self.tables.attributes, lambda a, b: a == b)

    def both(self, what, seen, known, same):
        name = lambda path: path if isinstance(path, str) else "/".join(path)
        for path in sorted(seen):
            if not any(same(pattern, path) for pattern in known):
                self.faults.append(f"{what} {name(path)} is recorded, not documented")
        for pattern in known:
            if not any(same(pattern, path) for path in seen):
                self.faults.append(f"{what} {name(pattern)} is documented, not recorded")


def main():
    binary, source = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    tables = Tables((source / "docs/files.md").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="hamel-docs-") as folder:
        comparison = Comparison(str(binary), source, folder, tables)
        comparison.run_all()
        comparison.judge()
    for fault in comparison.faults:
        print("docs/files.md:", fault)
    print(f"{sum(map(len, comparison.seen.values()))} keys of {len(comparison.seen)} commands, "
          f"{len(comparison.datasets)} data sets, {len(comparison.attributes)} attributes: "
          f"{len(comparison.faults)} faults")
    return 1 if comparison.faults or not comparison.seen else 0


if __name__ == "__main__":
    sys.exit(main())
