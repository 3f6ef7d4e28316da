#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""tools/measured: a page with true numbers passes, one wrong number fails at its line, --update mends it.

usage: measured.py BINARY SOURCE_DIR
"""

import pathlib
import subprocess
import sys
import tempfile

COMMAND = "hamel compare scenarios/kepler_polar.toml --steps 20 --methods hamel,gauss"
GOOD = f"""# A page

<!-- measured: polar = {COMMAND} -->
<!-- measured: drift = {COMMAND}; relative(runs[{{}}].invariants.{{}}) -->
`hamel` of order <!-- measured: polar; runs[hamel].claimed_order -->2 makes
**<!-- measured: polar; runs[0].steps_done -->20** steps, <!-- measured: polar; 500 * runs[hamel].steps_done -->10,000 by
500, to t = <!-- measured: polar; max(runs[hamel].final.t, 1); .2f -->2.00 s, or <!-- measured: polar;
-runs[hamel].final.t -->−2.0; angular momentum to <!-- measured: drift; gauss; angular_momentum -->3e-16, loosely
<!-- here --> <!-- measured: drift; =runs[hamel].step; ~ -->0.3 s, <!-- measured: polar; count(runs) -->2 runs. From a file:
the time <!-- measured: benchmark/results/pendulum.json; 2 + 0 * median(benchmarks[step/hamel].ns_per_step) -->2.0 ns.

<!-- measured: table polar; =runs[{{}}].claimed_order; =runs[{{}}].invariants.angular_momentum.max_drift; - -->
<!-- measured: table drift; -; -; =runs[{{}}].steps -->
| method | order | momentum | steps | words |
|---|---|---|---|---|
| `hamel`, in `a\\|b` | 2, even | 3e-16 | 20 | 7 |
| <!-- measured: row gauss -->the other | 16 | 2e-16 | <!-- measured: polar; runs[1].steps -->20 | 8 |
| <!-- measured: row - -->rk4 | 4 | – | 40 | 9 |

<!-- measured: rows ARCHITECTURE.md -->
| room | holds | may include |
|---|---|---|
| `files` | files that are written whole or not at all | `core` |

    `<!-- measured: nobody; x -->1` shows a comment.

```text
<!-- measured: nobody; x -->1
```
"""

# What is wrong, what becomes what, and what the tool must say.
FAULTS = [
    ("a number", "claimed_order -->2 ", "claimed_order -->4 ", "page.md:5: written 4, measured 2 "),
    ("a number that is emphasised", "-->20**", "-->21**", "page.md:6: written 21, measured 20 "),
    ("a large number", "-->10,000", "-->11,000", "page.md:6: written 11,000, measured 10,000 "),
    ("a number in a format", "-->2.00 s", "-->2.01 s", "page.md:7: written 2.01, measured 2.00 "),
    ("a sign", "-->−2.0", "-->2.0", "page.md:8: written 2.0, measured -2.0 "),
    ("round-off of another magnitude", "-->3e-16", "-->3e-13", "page.md:8: written 3e-13, measured "),
    ("a magnitude", "-->0.3 s", "-->3.0 s", "page.md:9: written 3.0, measured 0.1 "),
    ("a number from a file", "-->2.0 ns", "-->2.1 ns", "page.md:10: written 2.1, measured 2.0 "),
    ("a cell", "| 2, even |", "| 3, even |", "page.md:16: written 3, measured 2 "),
    ("a cell of another column", "| 3e-16 |", "| 3e-6 |", "page.md:16: written 3e-6, measured "),
    ("a cell of a second comment", "| 20 | 7 |", "| 21 | 7 |", "page.md:16: written 21, measured 20 "),
    ("a cell with a comment of its own", "-->20 |", "-->22 |", "page.md:17: written 22, measured 20 "),
    ("a method that did not run", "row gauss", "row gaus", "nothing at [gaus]"),
    ("a key", "runs[0].steps_done", "runs[0].steps_dne", "nothing at steps_dne"),
    ("an entry there is none of", "runs[0].steps_done", "runs[7].steps_done", "nothing at [7]"),
    ("a name", "<!-- measured: polar; runs[1]", "<!-- measured: pollar; runs[1]", "'pollar': neither"),
    ("too few words", "drift; gauss; angular", "drift; angular", "needs 2 words"),
    ("a function", "500 * runs", "500 * exp(1) * runs", "exp"),
    ("something else than arithmetic", "500 * runs", "500 ** runs", "only paths"),
    ("text for a number", "500 * runs[hamel].steps_done", "runs[hamel].status", "no number, but ok"),
    ("a scenario", "polar; max(", "hamel compare scenarios/kepler.toml; max(", "no JSON"),
    ("a comment that some readers show", "polar; max(", f"{COMMAND}; max(", "page.md:7: -- within a line"),
    ("a file", "results/pendulum.json", "results/pendula.json", "No such file"),
    ("no number", "-->2.0 ns", "-->two ns", "page.md:10: no number after"),
    ("a comment that ends a paragraph", "<!-- here --> ", "", "must not begin a line"),
    ("a number of entries", "count(runs) -->2", "count(runs) -->3", "page.md:9: written 3, measured 2 "),
    ("a row of another page", "whole or not at all", "whole or in part",
     "page.md:23: no such row in ARCHITECTURE"),
    ("a page to copy from", "rows ARCHITECTURE.md", "rows ARCHITECTURES.md", "No such file"),
    ("a comment without a table", "| method | order", "method | order", "no table"),
]


def main():
    binary, source = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    tool = source / "tools/measured"
    wrong = []

    def run(*arguments):
        done = subprocess.run([sys.executable, tool, "--program", binary, *arguments], check=False,
                              capture_output=True, text=True, cwd=folder)
        return done.returncode, done.stdout + done.stderr

    def expect(condition, what, output):
        if not condition or "Traceback" in output:
            wrong.append(f"{what}:\n{output}")

    with tempfile.TemporaryDirectory(prefix="hamel-measured-") as folder:
        page = pathlib.Path(folder) / "page.md"
        page.write_text(GOOD, encoding="utf-8")
        code, output = run("--check", "page.md")
        expect(code == 0 and "15 numbers of 1 pages, 2 commands, 1 rows of other pages: 0 wrong" in output, "no fault", output)
        # All faulty pages at once, so that commands run once.
        pages = []
        for k, (what, before, after, _) in enumerate(FAULTS):
            expect(GOOD.count(before) == 1, what, f"'{before}' is not in the page once")
            pages.append(f"{k}/page.md")
            there = pathlib.Path(folder) / pages[-1]
            there.parent.mkdir()
            there.write_text(GOOD.replace(before, after), encoding="utf-8")
        code, output = run(*pages)
        expect(code == 1, "faults", f"exit code {code}")
        for k, (what, *_, message) in enumerate(FAULTS):
            lines = [line for line in output.splitlines() if line.startswith(f"{k}/")]
            expect(any(message in line for line in lines), what, "\n".join(lines) or "not found")
        # A number is mended, the rest stays.
        numbers = [fault for fault in FAULTS if "written" in fault[3] and "e-" not in fault[3]
                   and fault[0] not in ("a sign", "a magnitude")]
        text = GOOD
        for _, before, after, _ in numbers:
            text = text.replace(before, after)
        page.write_text(text, encoding="utf-8")
        code, output = run("--update", "page.md")
        expect(code == 0 and f"{len(numbers)} written anew" in output, "--update", output)
        expect(page.read_text(encoding="utf-8") == GOOD, "--update", page.read_text(encoding="utf-8"))
        code, output = run("--check", "--update", "page.md")
        expect(code == 2, "both", output)
        code, output = run("nowhere.md")
        expect(code == 2, "no page", output)
        code, output = run("--help")
        expect(code == 0 and "usage: tools/measured" in output, "--help", output)
    print("\n".join(wrong + [f"{len(FAULTS)} faults: {len(wrong)} not as they should be"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
