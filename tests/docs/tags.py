#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A tag with a fault must fail: one of each kind, given to tools/check_tags.

usage: tags.py SOURCE_DIR
"""

import pathlib
import subprocess
import sys
import tempfile

CODE, TEST, MUTATIONS = "include/rule.hpp", "tests/rule_test.cpp", "tools/mutations.txt"
INDEX, PAGE = "docs/equations.md", "docs/equations/rules.md"
GOOD = {
    CODE: "// x' = x + h v  [MATH 1.1] [D0 (25)–(26)]\nint step = 1;  // [MATH 1.2]\n",
    TEST: "// [MATH 1.1] [D0 (25)–(26)] [MATH 1.2]\n// As MATH 1.2 says.\n",
    MUTATIONS: "[MATH 1.1] [D0 (25)–(26)]\nnone: nothing to change\n\n[MATH 1.2]\n"
               f"file: {CODE}\nline: int step = 1;\nbecomes: int step = 2;\ntest: {TEST}\n",
    INDEX: "# Equations\n\nMATH 1.1 is [here](equations/rules.md#math-11), and there is [MATH 1.2].\n\n"
           "[MATH 1.2]: equations/rules.md#math-12\n",
    PAGE: "# Rules\n\n## MATH 1.1\n\nCode: [rule.hpp](../../include/rule.hpp).\n\n### MATH 1.2\n\n"
          "# The documents\n\n## D0 (25)\n\n## D0 (26)\n",
}

# What is wrong, the file, what becomes what there, and a part of what must be said.
FAULTS = [
    ("a tag without a heading", PAGE, "### MATH 1.2\n", "", "include/rule.hpp:2: [MATH 1.2] has no heading"),
    ("a heading with other words", PAGE, "MATH 1.2", "MATH 1.2 and more", "'MATH 1.2'"),
    ("the end of a range", PAGE, "## D0 (26)\n", "", "no heading 'D0 (26)'"),
    ("two headings", PAGE, "### MATH 1.2", "### MATH 1.1", "MATH 1.1 has a heading already"),
    ("a file without the tag", CODE, "[MATH 1.1] ", "", f"{CODE} does not carry [MATH 1.1]"),
    ("an item that is named only", INDEX, "MATH 1.1 is", "MATH 7 is", "MATH 7 has no heading"),
    ("a tag that is no link", INDEX, "[MATH 1.2]:", "[1.2]:", "[MATH 1.2] is no link"),
    ("a link to another place", INDEX, "#math-12", "#math-11", "leads to equations/rules.md#math-11"),
    ("a tag of a test only", TEST, "says.", "says. [D0 RATTLE]", "no heading 'D0 RATTLE'"),
    ("a broken tag", CODE, "// [MATH 1.2]", "// [MATH 1.2] [MATH\n// 1.1]", "on one line"),
    ("a misspelt tag", CODE, "// [MATH 1.2]", "// [MATH 1.2] [MATH one]", "[MATH one]: not in one"),
    ("a tag without a test", TEST, " [MATH 1.2]", "", "[MATH 1.2] is cited by no test"),
    ("a tag without a mutation", MUTATIONS, " [D0 (25)–(26)]\n", "\n", "has no mutation"),
    ("a mutation without a tag", CODE, "  // [MATH 1.2]", "", "[MATH 1.2] occurs in no source"),
]


def main():
    check = pathlib.Path(sys.argv[1]).resolve() / "tools/check_tags"
    wrong = []

    def expect(what, file="", before="", after="", said="0 failures"):
        with tempfile.TemporaryDirectory(prefix="hamel-tags-") as folder:
            for name, text in GOOD.items():
                if name == file and before not in text:
                    wrong.append(f"{what}: '{before}' is not in {file}")
                path = pathlib.Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text.replace(before, after, 1) if name == file else text,
                                encoding="utf-8")
            done = subprocess.run([sys.executable, check, folder], capture_output=True, text=True,
                                  check=False)
        output = done.stdout + done.stderr
        if done.returncode != (1 if file else 0) or said not in output or "Traceback" in output:
            wrong.append(f"{what}: exit code {done.returncode}, without '{said}'\n{output}")

    expect("no fault")
    for fault in FAULTS:
        expect(*fault)
    print("\n".join(wrong + [f"{len(FAULTS)} faults, {len(wrong)} not found"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
