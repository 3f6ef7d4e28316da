#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the command-line program `hamel` from outside: what a user or a script sees.

usage: test_program.py BINARY SOURCE_DIR [MODULE...] [unittest options, e.g. -v or -k interrupt]

A module is a file beside this one: "kills" is test_kills.py; all of them where none is named.
Everything happens in temporary directories; SOURCE_DIR is only read.
"""

import os
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve()
MODULES = sorted(path.stem.removeprefix("test_") for path in HERE.parent.glob("test_*.py")
                 if path != HERE)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    binary, source, *rest = sys.argv[1:]
    for needed in (pathlib.Path(binary), pathlib.Path(source) / "scenarios/spherical_pendulum.toml"):
        if not needed.is_file():
            sys.exit(f"test_program.py: {needed} is not there")
    os.environ["HAMEL_BINARY"], os.environ["HAMEL_SOURCE"] = binary, source
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(HERE.parent))
    chosen = [word for word in rest if word.split(".")[0] in MODULES]
    options = [word for word in rest if word not in chosen]
    names = ["test_" + word for word in chosen or MODULES]
    unittest.main(module=None, argv=[sys.argv[0], *options, *names])


if __name__ == "__main__":
    main()
