# SPDX-License-Identifier: BSD-3-Clause
"""Equation tags and the list of mutations: what check_tags, check_mutations and equations.py share."""

import dataclasses
import pathlib
import re

# What an equation tag looks like: [D0 (22)], [D0 (25)–(26)], [MATH 5.2], [MATH 7.6a], and for an
# equation without a number a name, [D0 RATTLE].
EQUATION = re.compile(
    r"\[(?:D\d+ (?:\(\d+[a-z]?\)(?:–\(\d+[a-z]?\))?|[A-Za-z][A-Za-z0-9 -]*)|MATH \d+(?:\.\d+[a-z]?)?)\]"
)
# What looks like one, in order to find those that are misspelt. [DLMF 22.2.4] and the like cite
# formulas of handbooks: they need no test of their own.
LIKE_EQUATION = re.compile(r"\[(?:D\d+|MATH)\b[^\]\n]*\]")
# One that goes on in the next line, where nobody finds it.
BROKEN_EQUATION = re.compile(r"\[(?:D\d+|MATH)\b[^\]\n]*$")
CODE = {".hpp", ".cpp", ".h", ".cu", ".ipp"}


@dataclasses.dataclass
class Mutation:
    """One block of mutations.txt."""

    number: int  # line in which the block begins
    tags: list
    file: str = ""  # source file, relative to the root
    line: str = ""  # fragment of it
    becomes: str = ""  # what it is replaced by
    test: list = dataclasses.field(default_factory=list)  # sources to build and run
    filter: str = ""  # optional: tests to run, as in --gtest_filter
    none: str = ""  # instead of all these: why no mutation is possible
    decides: str = ""  # instead of tags: what no equation says


class BadList(Exception):
    """mutations.txt cannot be read; the message says where."""


def read_mutations(path):
    """The blocks of mutations.txt; its first lines describe the form."""
    mutations, current = [], None
    for number, raw in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        line = raw.strip()
        if line.startswith("#"):
            continue
        if not line:
            current = None
            continue
        if current is None:
            tags = EQUATION.findall(line)
            if line.startswith("no equation: "):
                current = Mutation(number, [], decides=line.removeprefix("no equation: "))
                mutations.append(current)
                continue
            if not tags or EQUATION.sub("", line).strip():
                raise BadList(f"{path.name}:{number}: a block begins with its tags, not with: {line}")
            current = Mutation(number, tags)
            mutations.append(current)
            continue
        key, colon, value = line.partition(":")
        value = value.strip()
        if not colon or key not in ("file", "line", "becomes", "test", "filter", "none"):
            raise BadList(f"{path.name}:{number}: unknown key in: {line}")
        if getattr(current, key):
            raise BadList(f"{path.name}:{number}: '{key}' is given twice")
        setattr(current, key, value.split() if key == "test" else value)
    for m in mutations:
        missing = [key for key in ("file", "line", "becomes", "test") if not getattr(m, key)]
        if m.none and len(missing) < 4:
            raise BadList(f"{path.name}:{m.number}: 'none' stands alone")
        if not m.none and missing:
            raise BadList(f"{path.name}:{m.number}: {', '.join(missing)} missing")
    return mutations


def pattern_of(fragment):
    """The fragment, with any white space where it has some: line breaks are clang-format's."""
    return re.compile(r"\s+".join(re.escape(word) for word in fragment.split()))


def mutate(text, m):
    """The changed text and the line of the change, or None and what is wrong."""
    found = list(pattern_of(m.line).finditer(text))
    if len(found) != 1:
        return None, f"'{m.line}' occurs {len(found)} times in {m.file}"
    if m.line.split() == m.becomes.split():
        return None, "the replacement changes nothing"
    start, end = found[0].span()
    return text[:start] + m.becomes + text[end:], text.count("\n", 0, start) + 1


def code_files(root, *folders):
    """All C++ files in the folders, sorted."""
    return sorted(
        path for folder in folders for path in (root / folder).rglob("*") if path.suffix in CODE
    )


def repository_root():
    return pathlib.Path(__file__).resolve().parents[1]
