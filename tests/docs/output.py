# SPDX-License-Identifier: BSD-3-Clause
"""Compares what a page shows of a program's output with what the program prints.

Lines agree where their words do and their numbers too: equal as printed, or apart by one unit of
the last digit shown. Two numbers at round-off, below 1e-12, agree within a factor of 100: besides the
largest values of drifts, which differ by a few from one C library to another, lines show sums of
roundings of both signs, final values and slopes, of which one in a hundred is a hundred times smaller
than is usual. Times that a machine needs are not compared.
A line `…` stands for any number of lines, `…` at the end of a line for the rest of it.
"""

import pathlib
import re
import sys

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[2] / "tools")]
from round_off import LIMIT, alike

NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.]*\w)")
DURATION = re.compile(r"\b\d+(?:\.\d+)? (?:ns|µs|ms)\b|\b\d+(?:\.\d+)? s(?= in all| per step)")
FACTOR = 100


def unit_of_last_digit(text):
    digits, _, exponent = text.partition("e")
    return 10.0 ** (int(exponent or 0) - len(digits.partition(".")[2]))


def same_number(shown, found):
    if shown == found:
        return True
    a, b = float(shown), float(found)
    if max(abs(a), abs(b)) <= LIMIT:
        return alike(a, b, FACTOR)
    whole = not re.search(r"[.e]", shown + found)
    unit = max(unit_of_last_digit(shown), unit_of_last_digit(found))
    return not whole and abs(a - b) <= 1.001 * unit


def same_line(shown, found):
    if shown.endswith("…") and len(shown.strip()) > 1:
        shown = shown[:-1].rstrip()
        found = found[:len(shown)]
    shown, found = (DURATION.sub("TIME", line) for line in (shown, found))
    words = [" ".join(NUMBER.sub("#", line).split()) for line in (shown, found)]
    # Rules of tables are as long as their columns are wide.
    words = [re.sub(r"-{10,}", "----------", line) for line in words]
    if words[0] != words[1]:
        return False
    return all(map(same_number, NUMBER.findall(shown), NUMBER.findall(found)))


def first_difference(shown, found):
    """"" where the lines of a page agree with those found, else what differs."""
    i, anything = 0, False
    for line in shown:
        if line.strip() == "…":
            anything = True
            continue
        start = i
        while i < len(found) and not same_line(line, found[i]):
            if not anything:
                break
            i += 1
        if i == len(found) or not same_line(line, found[i]):
            there = found[start] if start < len(found) else "the end"
            return f"the page shows\n    {line}\nthe program prints\n    {there}"
        i, anything = i + 1, False
    if i < len(found) and not anything:
        return f"the program also prints\n    {found[i]}"
    return ""
