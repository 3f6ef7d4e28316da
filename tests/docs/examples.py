#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the examples of the documentation: every fenced block of the pages is a test.

usage: examples.py [--modules] BINARY SOURCE_DIR PROGRAMS_DIR PAGE...
       examples.py --extract PAGE FOLDER     writes the files of a page, for CMake to compile

  toml          with [system]: a scenario; must pass `hamel check` and run for five steps
  sh            commands, run by bash; each must succeed
  console       commands after "$ ", followed by what they print, with messages only where they fail
                (output.py says how it is compared)
  cpp           a file that CMake compiles (docs.cmake); a program among them is run
  python        run by python3 where it has the modules that are imported; --modules: it must have
  text, json    not run; json must be JSON

Each page has a folder of its own with `./hamel`, `./test` (which does nothing here) and `scenarios`;
its blocks are run there, in order. A comment before a block, invisible to readers, says more:

  <!-- example: file NAME -->        the block is the file NAME of the page's folder
  <!-- example: steps N -->          the block's commands that take --steps get it, to be short
  <!-- example: out none -->         those that take --out get --out none
  <!-- example: exit N -->           they end with this exit code
  <!-- example: output -->           text that the last sh or cpp block prints
  <!-- example: program NAME -->     a cpp block is the source of this program
  <!-- example: with worked -->      run by the program that has the page's own system or method
  <!-- example: not run: REASON -->

several separated by "; ". A comment `<!-- example: file NAME` with further lines is that file.
"""

import functools
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[2] / "tools")]
from output import first_difference
from pages import code_spans, comments_and_blocks

TIMEOUT = 120
LEFT_OUT = object()  # in place of the output of a block that was not run
LANGUAGES = "toml sh console cpp python text json".split()
WRAPPER = """#!/bin/bash
case $1 in
  run | compare | converge | check) set -- "$@" ${EXAMPLE_STEPS:+--steps "$EXAMPLE_STEPS"} ;;
esac
case $1 in
  run | compare | converge) set -- "$@" ${EXAMPLE_OUT:+--out "$EXAMPLE_OUT"} ;;
esac
if [[ ${EXAMPLE_WORKED:-} ]]; then exec "$EXAMPLE_WORKED" "$@"; fi
exec %s "$@"
"""


class Fault(Exception):
    """An example that does not do what its page says."""


def keys_of(comment):
    """{"steps": "5", …} of an `example:` comment; {} where it is none."""
    match = re.fullmatch(r"<!-- example: (.*?)\s*-->", comment.strip(), re.DOTALL)
    if not match or hidden_file(comment):  # such a file is no matter of the block after it
        return {}
    if match.group(1).startswith("not run"):
        reason = match.group(1)[len("not run"):].lstrip(":").strip()
        if not reason:
            raise Fault("'not run' needs a reason")
        return {"not run": reason}
    keys = {}
    for part in match.group(1).split("; "):
        name, _, value = part.strip().partition(" ")
        if name not in ("file", "steps", "out", "exit", "output", "program", "with"):
            raise Fault(f"unknown key '{name}' in an example comment")
        keys[name] = value
    return keys


def hidden_file(comment):
    """(name, content) of a comment that is a file, or None."""
    match = re.fullmatch(r"<!-- example: file (\S+)\n(.*)-->", comment.strip(), re.DOTALL)
    return match and (match.group(1), match.group(2))


@functools.cache
def commands_of(binary):
    """The program's commands, as its help lists them."""
    text = subprocess.run([binary, "--help"], capture_output=True, text=True, check=True).stdout
    block = text.partition("\ncommands\n")[2].partition("\n\n")[0]
    return set(re.findall(r"^  (\w+) ", block, re.MULTILINE))


def write(folder, name, content):
    path = (folder / name).resolve()
    if folder.resolve() not in path.parents:
        raise Fault(f"{name} is outside the page's folder")
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != content:  # else nothing is new
        path.write_text(content, encoding="utf-8")


class Page:
    """One page and the folder its examples run in."""

    def __init__(self, path, binary, source, programs, modules):
        self.path, self.binary, self.source = path, binary, source
        self.programs, self.modules = programs, modules
        self.text = path.read_text(encoding="utf-8")
        self.folder = None
        self.last_output = None
        self.ran, self.left, self.faults = 0, [], []

    def run(self):
        with tempfile.TemporaryDirectory(prefix="hamel-docs-") as folder:
            self.folder = pathlib.Path(folder)
            hamel = self.folder / "hamel"
            hamel.write_text(WRAPPER % shlex.quote(str(self.binary)), encoding="utf-8")
            test = self.folder / "test"
            test.write_text("#!/bin/sh\n", encoding="utf-8")
            for script in (hamel, test):
                script.chmod(0o755)
            # A copy: examples may change it.
            shutil.copytree(self.source / "scenarios", self.folder / "scenarios")
            for kind, line, content in comments_and_blocks(self.text)[0]:
                try:
                    if kind == "comment":
                        hidden = hidden_file(content)
                        if hidden:
                            write(self.folder, *hidden)
                    else:
                        self.block(content)
                except Fault as fault:
                    self.faults.append((line, str(fault)))
                except subprocess.TimeoutExpired:
                    self.faults.append((line, f"takes more than {TIMEOUT} s"))
        for line, code in code_spans(self.text):
            try:
                self.span(code)
            except Fault as fault:
                self.faults.append((line, str(fault)))

    def block(self, block):
        if not block.fenced:
            # A synopsis has [options] or NAMES in it.
            if re.search(r"^(\$ |(\./)?hamel [a-z])(?!.*(\[|\b[A-Z]{2,}))", block.content,
                         re.MULTILINE):
                raise Fault("commands belong in a fenced block, which is run")
            return
        if block.language.startswith("{"):  # a directive of the site
            return
        keys = keys_of(block.comment)
        if block.language not in LANGUAGES:
            raise Fault(f"a block of '{block.language}': say {', '.join(LANGUAGES)}")
        if "not run" in keys:
            self.left.append((block.line, keys["not run"]))
            return
        if "file" in keys:
            write(self.folder, keys["file"], block.content)
        if block.language == "text" and "output" not in keys:
            return
        self.ran += 1
        getattr(self, "run_" + block.language)(block, keys)

    # --- one function for each language -------------------------------------------------------------

    def call(self, arguments, keys, allowed=None):
        environment = dict(os.environ, LC_ALL="C.UTF-8", COLUMNS="80")
        environment.update(EXAMPLE_STEPS=keys.get("steps", ""), EXAMPLE_OUT=keys.get("out", ""),
                           EXAMPLE_WORKED="")
        if keys.get("with") == "worked":
            environment["EXAMPLE_WORKED"] = str(self.program("docs_hamel"))
        done = subprocess.run(arguments, cwd=self.folder, env=environment, timeout=TIMEOUT,
                              stdin=subprocess.DEVNULL, capture_output=True, check=False)
        output, messages = (text.decode("utf-8", "replace") for text in (done.stdout, done.stderr))
        if done.returncode != 0:
            output += messages
        expected = int(keys.get("exit", 0)) if allowed is None else allowed
        if done.returncode != expected:
            shown = " ".join(str(a) for a in arguments[-3:])
            raise Fault(f"exit code {done.returncode}, not {expected}:\n    {shown}\n" +
                        "\n".join("    " + x for x in output.splitlines()[-25:]))
        return output

    def program(self, name):
        path = self.programs / name
        if not path.is_file():
            raise Fault(f"there is no program {name}: it belongs in tests/docs/docs.cmake")
        return path

    def run_toml(self, block, keys):
        if not re.search(r"^\[system\]", block.content, re.MULTILINE):
            raise Fault("a scenario needs [system]; what is not one is text")
        name = keys.get("file", "example.toml")
        write(self.folder, name, block.content)
        self.call(["./hamel", "check", name], keys)
        self.call(["./hamel", "run", name, "--steps", "5", "--out", "none", "--quiet"],
                  {key: value for key, value in keys.items() if key != "steps"})

    def run_sh(self, block, keys):
        self.last_output = self.call(["bash", "-euo", "pipefail", "-c", block.content], keys)

    def run_console(self, block, keys):
        commands = []  # [command, lines shown]
        for line in block.content.rstrip("\n").split("\n"):
            if line.startswith("$ "):
                commands.append([line[2:], []])
            elif not commands:
                raise Fault("a console block begins with '$ '")
            elif commands[-1][0].endswith("\\") and not commands[-1][1]:
                commands[-1][0] += "\n" + line
            else:
                commands[-1][1].append(line)
        for command, shown in commands:
            script = re.sub(r"\\\n>? *", "", command)
            last = [command, shown] == commands[-1]
            output = self.call(["bash", "-euo", "pipefail", "-c", script], keys,
                               None if last else 0)
            while shown and not shown[-1]:
                shown.pop()
            if shown:
                self.compare(shown, output, command)

    def run_text(self, block, _keys):
        if self.last_output is LEFT_OUT:
            self.ran -= 1
            return
        if self.last_output is None:
            raise Fault("no block before this one prints anything")
        self.compare(block.content.rstrip("\n").split("\n"), self.last_output, "the block before")

    def compare(self, shown, output, command):
        difference = first_difference(shown, output.rstrip("\n").split("\n"))
        if difference:
            raise Fault(f"{command}: {difference}")

    def run_cpp(self, block, keys):
        if "program" in keys:
            self.last_output = self.call([self.program(keys["program"])], {})
        elif "file" not in keys:
            raise Fault("a cpp block needs a comment: which program or file is it?")
        # CMake compiled what the page said then; it must say so still.
        name = keys.get("file", keys.get("program", "") + ".cpp")
        copies = list((self.programs / "source").rglob(pathlib.Path(name).name))
        if [copy.read_text(encoding="utf-8") for copy in copies] != [block.content]:
            raise Fault(f"{name} was not compiled as it stands here: tests/docs/docs.cmake")

    def run_python(self, block, keys):
        python = shutil.which("python3", path="/usr/bin:/bin") or sys.executable
        for module in re.findall(r"^(?:import|from) (\w+)", block.content, re.MULTILINE):
            known = subprocess.run([python, "-c", f"import {module}"], capture_output=True,
                                   check=False).returncode == 0
            if not known and self.modules:
                raise Fault(f"python3 has no module {module}")
            if not known:
                self.left.append((block.line, f"python3 has no module {module}"))
                self.ran, self.last_output = self.ran - 1, LEFT_OUT
                return
        self.last_output = self.call([python, "-c", block.content], keys)

    def run_json(self, block, _keys):
        try:
            json.loads(block.content)
        except ValueError as error:
            raise Fault(f"not JSON: {error}") from error

    def span(self, code):
        """A command in running text: it must exist, and so must its scenario."""
        words = re.sub(r"^\./", "", code).split()
        if len(words) < 2 or words[0] != "hamel" or words[1].startswith("-"):
            return
        if words[1] not in commands_of(self.binary):
            raise Fault(f"`{code}`: there is no command {words[1]}")
        for word in words[2:]:
            if word.startswith("scenarios/") and not (self.source / word).is_file():
                raise Fault(f"`{code}`: there is no {word}")


def extract(page, folder):
    """Writes the cpp files and programs of a page into the folder."""
    for kind, _, block in comments_and_blocks(page.read_text(encoding="utf-8"))[0]:
        if kind == "block" and block.language == "cpp":
            keys = keys_of(block.comment)
            name = keys.get("file") or ("program" in keys and keys["program"] + ".cpp")
            if name:
                write(folder, name, block.content)


def main():
    arguments = sys.argv[1:]
    if arguments[:1] == ["--extract"]:
        extract(pathlib.Path(arguments[1]), pathlib.Path(arguments[2]))
        return 0
    modules = "--modules" in arguments
    binary, source, programs, *names = [pathlib.Path(a).resolve() if i < 3 else a
                                        for i, a in enumerate(a for a in arguments
                                                              if a != "--modules")]
    ran, left, faults = 0, 0, 0
    paths = []
    for name in names:
        found = sorted(source.glob(name))
        if not found:
            print(f"{name}: there is no such page")
            faults += 1
        paths += found
    for path in paths:
        page = Page(path, binary, source, programs, modules)
        page.run()
        shown = path.relative_to(source)
        for line, fault in page.faults:
            print(f"{shown}:{line}: {fault}")
        for line, reason in page.left:
            print(f"{shown}:{line}: not run: {reason}")
        ran, left, faults = ran + page.ran, left + len(page.left), faults + len(page.faults)
    print(f"{len(paths)} pages: {ran} examples run, {left} left out, {faults} faults")
    return 1 if faults or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
