#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A page with a fault must fail: one of each kind, given to examples.py and tools/check_links.

usage: faults.py BINARY SOURCE_DIR
"""

import pathlib
import subprocess
import sys
import tempfile

GOOD = """# A page

Text with `./hamel compare scenarios/kepler_polar.toml` and a [link](#a-page).

<!-- example: file own.toml -->
```toml
[system]
coordinates = ["x"]
lagrangian = "(x_dot^2 - x^2)/2"
[initial]
q = [1.0]
v = [0.0]
[integrate]
step = 0.1
steps = 20
```

<!-- example: steps 10 -->
```sh
./hamel run own.toml --out none
```

```console
$ ./hamel check own.toml
own.toml: ok. own with hamel, 20 steps of 0.1 s to t = 2 s
$ ./hamel run own.toml --out none
own, method hamel: 20 of 20 steps of 0.1 s, ok
…
energy         0.5    0.5    1.1e-16   2.2e-16  -8.1e-18     J
…
```

<!-- example: exit 2 -->
```console
$ ./hamel check own.toml --set integrate.stop=1
hamel: --set integrate.stop=1: integrate.stop is not a known key; did you mean integrate.step?
```

```python
print(6 * 7)
```

<!-- example: output -->
```text
42
```
"""

# What is wrong, and what becomes what.
FAULTS = [
    ("a formula", "x_dot^2 - x^2", "x_dot^2 - y^2"),
    ("a key of a scenario", "steps = 20", "stpes = 20"),
    ("an option", "own.toml --out none\n```\n", "own.toml --bad\n```\n"),
    ("a command of a shell", "./hamel run own.toml --out none\n```\n", "false\n```\n"),
    ("a word of the output", "own with hamel", "own with rk4"),
    ("a number of the output", "20 steps of 0.1 s to t = 2 s", "20 steps of 0.1 s to t = 3 s"),
    ("an invariant that is not kept", "1.1e-16   2.2e-16", "1.1e-03   2.2e-03"),
    ("round-off of another magnitude", "1.1e-16   2.2e-16", "1.1e-14   2.2e-13"),
    ("output that is not shown", "…\nenergy", "energy"),
    ("an exit code", "<!-- example: exit 2 -->\n", ""),
    ("a message", "did you mean integrate.step?", "did you mean integrate.steps?"),
    ("a program in Python", "6 * 7", "6 * / 7"),
    ("its output", "42", "43"),
    ("a comment", "example: steps 10", "example: stpes 10"),
    ("an example left out without a reason", "example: steps 10", "example: not run"),
    ("a language", "```python", "```ruby"),
    ("a scenario in running text", "scenarios/kepler_polar.toml", "scenarios/kepler.toml"),
    ("a command in running text", "./hamel compare", "./hamel compere"),
    ("a command that is not run", "```sh\n./hamel run own.toml --out none\n```",
     "    ./hamel run own.toml --out none"),
    ("C++ that nobody compiles", "```python\nprint(6 * 7)\n", "```cpp\nint main() {}\n"),
]
WRONG_LINKS = ["(#another-page)", "(nowhere.md)", "(../../outside.md)", "(https://nohost/)", "(.)",
               "(page.md", "(no page.md)"]


def result(*command):
    done = subprocess.run([sys.executable, *map(str, command)], capture_output=True, text=True,
                          check=False)
    return done.returncode, done.stdout + done.stderr


def main():
    binary, source = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    examples = pathlib.Path(__file__).resolve().parent / "examples.py"
    wrong = []
    with tempfile.TemporaryDirectory(prefix="hamel-docs-") as folder:
        root = pathlib.Path(folder) / "tree"
        root.mkdir()
        (root / "scenarios").symlink_to(source / "scenarios")
        page = root / "page.md"

        def expect(code, text, what, *command):
            page.write_text(text, encoding="utf-8")
            found, output = result(*command)
            if found != code or "Traceback" in output:
                wrong.append(f"{what}: exit code {found}, not {code}\n{output}")

        run = (examples, binary, root, root, "page.md")
        links = (source / "tools/check_links", root)
        expect(0, GOOD, "no fault", *run)
        expect(0, GOOD, "no fault", *links)
        for what, before, after in FAULTS:
            if before not in GOOD:
                wrong.append(f"{what}: '{before}' is not in the page")
            expect(1, GOOD.replace(before, after, 1), what, *run)
        for link in WRONG_LINKS:
            expect(1, GOOD.replace("(#a-page)", link), f"the link {link}", *links)
    print("\n".join(wrong + [f"{len(FAULTS) + len(WRONG_LINKS)} faults, {len(wrong)} not found"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
