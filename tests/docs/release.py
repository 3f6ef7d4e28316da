#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The version that CMake, the citation, the change log and the project's consumer name is one, and so is its date.

usage: release.py SOURCE_DIR
"""

import datetime
import pathlib
import re
import sys

HEADINGS = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]  # Keep a Changelog's order


def found(pattern, text):
    match = re.search(pattern, text, re.MULTILINE)
    return match[1] if match else None


def main():
    root = pathlib.Path(sys.argv[1])
    cmake, citation, changes, consumer = ((root / name).read_text(encoding="utf-8") for name in (
        "CMakeLists.txt", "CITATION.cff", "CHANGELOG.md", "tests/consumer/CMakeLists.txt"))
    version = found(r"^project\(hamel VERSION (\S+)", cmake)
    wrong = []

    def expect(found_, wanted, where):
        if found_ != wanted:
            wrong.append(f"{where}: {found_}, not {wanted}")

    releases = re.findall(r"^## \[(\d\S*)\] - (\S+)$", changes, re.MULTILINE)
    expect(releases[0][0], version, "CHANGELOG.md, the latest release")
    expect(found(r"^version: (\S+)$", citation), version, "CITATION.cff, version")
    expect(found(r"^date-released: (\S+)$", citation), releases[0][1], "CITATION.cff, date-released")
    expect(found(r"^find_package\(hamel (\S+) ", consumer), version.rpartition(".")[0],
           "tests/consumer/CMakeLists.txt")
    numbers = [tuple(map(int, name.split("."))) for name, _ in releases]
    expect(numbers, sorted(set(numbers), reverse=True), "CHANGELOG.md, releases")
    dates = [datetime.date.fromisoformat(date) for _, date in releases]
    expect(dates, sorted(dates, reverse=True), "CHANGELOG.md, dates")
    for section in re.split(r"^## ", changes, flags=re.MULTILINE)[1:]:
        headings = re.findall(r"^### (.*)$", section, re.MULTILINE)
        expect(headings, [name for name in HEADINGS if name in headings],
               f"CHANGELOG.md, headings of {section.partition(chr(10))[0]}")
    print("\n".join(wrong + [f"release {version}: {len(wrong)} faults"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
