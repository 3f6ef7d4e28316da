# SPDX-License-Identifier: BSD-3-Clause
"""Words: help, manual page, completions, and the advice after a wrong word."""

import os
import re
import shlex
import shutil
import subprocess

from support import ALL_METHODS, BINARY, ProgramTest, SYSTEMS

TOPICS = ["methods", "files", "environment", "exit-status", "sources"]


class Words(ProgramTest):
    """Commands, options and examples, as the pages of the help have them."""

    @classmethod
    def setUpClass(cls):
        def page(*args):
            return subprocess.run([BINARY, "help", *args], capture_output=True, text=True,
                                  check=True).stdout

        overview = page()
        block = overview.split("\ncommands\n")[1].split("\n\n")[0]
        cls.commands = re.findall(r"^  (\w+)  ", block, re.MULTILINE)
        cls.pages = {command: page(command) for command in cls.commands}
        cls.overview = overview

    @classmethod
    def options(cls, command):
        """Name -> whether it takes a value, of the sections of options."""
        text = cls.pages[command].split("\nexamples\n")[0]
        found = re.findall(r"^  (?:-\w, )?(--[\w-]+)(?: (\S+))?", text, re.MULTILINE)
        return {name: bool(value) for name, value in found}

    @classmethod
    def examples(cls, command):
        lines = cls.pages[command].split("\nexamples\n")[1].splitlines()
        return [line.strip() for line in lines if line.strip() and not line.strip().startswith("#")]


class Help(Words):
    """What the program says of itself comes from its parser, and is true."""

    def test_every_command_has_help_that_fits(self):
        self.assertGreaterEqual(len(self.commands), 17)
        self.assertIn("sweep", self.commands)
        for command in self.commands:
            with self.subTest(command):
                result = self.good("help", command)
                self.columns(result)
                self.assertEqual(result.err, "")
                self.assertTrue(result.out.startswith(f"usage: hamel {command}"), result)
                self.assertEqual(self.good(command, "--help").out, result.out)
                self.assertEqual(self.good(command, "-h").out, result.out)
                self.assertTrue(self.options(command).keys() >= {"--help"})
                self.assertTrue(self.examples(command))
        for args in (["--help"], ["-h"], ["help"]):
            self.assertEqual(self.good(*args).out, self.overview)
        self.columns(self.good("help"))

    def test_every_option_of_the_help_is_known_to_the_parser(self):
        for command in self.commands:
            for option in self.options(command).keys() - {"--help"}:
                with self.subTest(command=command, option=option):
                    self.assertNotIn("unknown option", self.call(command, option).err)

    def test_the_examples_work(self):
        """Those of all commands, in one folder, each after those that it needs."""
        first = ["describe", "run"]
        for command in first + [c for c in self.commands if c not in first]:
            for example in self.examples(command):
                with self.subTest(example):
                    self.assertIn(f"hamel {command}", example)
                    done = subprocess.run(
                        ["bash", "-o", "pipefail", "-c", f'hamel() {{ "{BINARY}" "$@"; }}\n{example}'],
                        cwd=self.folder, capture_output=True, text=True, check=False, timeout=120)
                    self.assertEqual(done.returncode, 0, example + done.stderr)

    def test_topics(self):
        for topic in TOPICS:
            with self.subTest(topic):
                self.assertRegex(self.overview, rf"(?m)^  {topic} ")
                result = self.good("help", topic)
                self.columns(result)
                self.assertTrue(result.out.startswith(topic + ": "))
        for code in ("0", "1", "2", "3", "4", "130"):
            self.assertRegex(self.good("help", "exit-status").out, rf"(?m)^  {code} ")
        self.refused("help", "envirnment", says="did you mean 'environment'?")
        self.refused("help", "rum", says="did you mean 'run'?")
        self.refused("help", "run", "--man", says="--man")

    def test_the_letters_of_sources_are_explained(self):
        hint = "hamel help sources"
        for args in (["list", "methods"], ["describe", "hamel"], ["describe", "spherical_pendulum"]):
            self.assertIn(hint, self.good(*args).out)
        named = set()
        for name in [*SYSTEMS, *ALL_METHODS]:
            out = self.good("describe", name).out
            letters = set(re.findall(r"\b(D[0-3]|MATH|DLMF)\b", out.split(hint)[0].rsplit("\n", 1)[0]))
            self.assertEqual(hint in out, bool(letters), out)
            named |= letters
        told = self.good("help", "sources").out
        for word in named:
            self.assertRegex(told, rf"(?m)^  {word} ")

    def test_without_arguments(self):
        self.refused(says=["hamel: which command? usage: hamel COMMAND", "compare", "hamel help"])

    def test_an_option_of_another_command(self):
        for args, says in (
                (["run", "f", "--methods", "hamel"], ["'--methods'", "compare", "mean --method?"]),
                (["run", "--methods", "hamel", "f"], ["'--methods'", "compare", "mean --method?"]),
                (["run", "f", "--methods=hamel"], ["'--methods'", "mean --method?"]),
                (["converge", "f", "--method", "hamel"], ["run", "mean --methods?"]),
                (["compare", "f", "--lyapunov"], "--lyapunov is for run"),
                (["info", "f", "--steps", "3"], "--steps is for run, compare"),
                (["info", "f", "--npzz"], "--npz is for export"),
                (["run", "f", "--setp", "1"], "mean --set?"),
                (["run", "f", "--stepp=1"], "mean --step"),
                (["run", "f", "-q"], "mean --quiet?"),
                (["section", "f", "--plan", "x"], "mean --plane?"),  # and not: --plane is missing
                (["-q"], "--quiet goes behind a command"),
                (["--quiet", "run", "f"], "--quiet goes behind a command"),
                (["--verison"], "mean --version?"),
                (["run", "f", "--version"], "hamel --version"),
                (["run", "f", "--xyzzy"], "hamel help run"),
                (["rum"], "mean 'run'?")):
            with self.subTest(" ".join(args)):
                result = self.refused(*args, says=says)
                for line in result.err.splitlines():
                    self.assertTrue(line.startswith("hamel: "), result)

    def test_errors_of_options(self):
        for args, says in ((["run"], "run: FILE is missing"), (["describe"], "SYSTEM|METHOD|FILE.toml is missing"),
                           (["section", "f"], "--plane FORMULA is missing"),
                           (["run", "f", "--steps"], "--steps needs a value: --steps N"),
                           (["run", "f", "--member", "x"], "--member = x"),
                           (["run", "f", "--threads", "0"], ["--threads", "1 to 1024"]),
                           (["run", "f", "extra"], "unexpected argument 'extra'"),
                           (["run", "f", "--steps", "1", "--until", "2"], "--steps excludes --until"),
                           (["export", "f"], ["--csv", "--npz", "--vtk"]),
                           (["export", "f", "--csv", "--npz"], ["--csv", "--npz"]),
                           (["list", "sys"], "must be systems or methods; did you mean 'systems'?"),
                           (["section", "f", "--plane", "x", "--direction", "ups"], "up, down or both"),
                           (["completion", "tcsh"], "must be bash, zsh or fish")):
            with self.subTest(" ".join(args)):
                result = self.refused(*args, says=says)
                self.assertTrue(result.err.startswith("hamel: "), result)

    def test_names_that_are_near(self):
        self.refused("describe", "chaplygin", says="'chaplygin_ball' or 'chaplygin_sleigh'?")
        self.refused("describe", "GAUS", says="mean 'gauss'?")
        self.refused("run", self.pendulum, "--method", "gaus", says="mean 'gauss'?")
        self.refused("run", self.pendulum, "--method", "gauss(stage=3)", says="mean 'stages'?")
        self.refused("run", self.pendulum, "--method", "hamel(form=spaces)", says="mean 'space'?")
        self.refused("run", self.pendulum, "--set", "integrate.Step=3", says="mean integrate.step?")
        self.good("sweep", self.pendulum, "--steps", "5", "--out", "s.h5", "--set",
                  'sweep.vary."system.length"=[1.0, 2.0]')
        self.refused("plot", "s.h5", "--quantity", "drift/energi", says="mean 'drift/energy'?")
        self.refused("plot", "s.h5", "--axes", "system.lenght", says="mean 'system.length'?")
        self.refused("reproduce", "fig1", says="'D0.fig1.length' or 'D0.fig1.energy'?")

    def test_the_manual_page_is_well_formed_and_complete(self):
        page = self.good("help", "--man").out
        self.assertTrue(page.isascii())
        if not shutil.which("groff"):
            self.fail("groff is needed (package groff-base)")
        done = subprocess.run(["groff", "-man", "-Tutf8", "-P-cbou", "-ww", "-rLL=80n"], input=page,
                              capture_output=True, text=True, check=True)
        self.assertEqual(done.stderr, "")
        for title in ("NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "SCENARIO OPTIONS",
                      "COMMON OPTIONS", "FILES", "ENVIRONMENT", "EXIT STATUS", "EXAMPLES"):
            self.assertRegex(done.stdout, rf"(?m)^{title}$")
        shown = re.sub(r"\s+", " ", done.stdout)
        for command in self.commands:
            usage = self.pages[command].splitlines()[0].removeprefix("usage: ")
            self.assertIn(usage, shown)
            for option in self.options(command):
                self.assertRegex(done.stdout, rf"(?m)^ +(-h, )?{option}\b")
            for example in self.examples(command):
                self.assertIn(re.sub(r"\s+", " ", example), shown)
        for variable in ("HAMEL_ISA", "HAMEL_SKIP_PACKAGES"):
            self.assertIn(variable, shown)


class Completion(Words):
    """Completions of the three shells offer what the help says."""

    def completed(self, *words):
        """What bash offers for the last word."""
        script = ('source <("$0" completion bash)\nCOMP_WORDS=("$@")\nCOMP_CWORD=$(($# - 1))\n'
                  '_hamel\nprintf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "-c", script, BINARY, "hamel", *words], cwd=self.folder,
                              capture_output=True, text=True, check=True)
        self.assertEqual(done.stderr, "")
        return done.stdout.split("\n")[:-1] if done.stdout.strip() else []

    def test_bash_completes(self):
        (self.folder / "two words.h5").touch()
        (self.folder / "folder").mkdir()
        self.assertEqual(self.completed(""), self.commands)
        self.assertEqual(self.completed("co"), ["compare", "converge", "completion"])
        self.assertEqual(self.completed("-"), ["-h", "--help", "--version"])
        for command in self.commands:
            offered = [word for word in self.completed(command, "--") if word.startswith("--")]
            self.assertEqual(sorted(offered), sorted(self.options(command)), command)
        for words, offered in (
                (["run", "f", "--method", "ha"], ["hamel", "hamel4"]),
                (["run", "f", "--method", "=", "ha"], ["hamel", "hamel4"]),
                (["compare", "f", "--methods", "rk4,ha"], ["rk4,hamel", "rk4,hamel4"]),
                (["section", "f", "--direction", ""], ["up", "down", "both"]),
                (["list", "s"], ["systems"]), (["completion", ""], ["bash", "zsh", "fish"]),
                (["describe", "chaplygin"], ["chaplygin_ball", "chaplygin_sleigh"]),
                (["describe", "gau"], ["gauss"]), (["help", "env"], ["environment"]),
                (["help", "comp"], ["compare", "completion"]),
                (["run", "p"], ["pendulum.toml"]), (["run", "f", "--out", "pen"], ["pendulum.toml"]),
                (["run", "f", "--out", "no"], ["none"]), (["run", "f", "--step", ""], []),
                (["info", "t"], ["two words.h5"]), (["info", "p"], []), (["info", "fo"], ["folder"]),
                (["plot", "a.h5", "t"], ["two words.h5"]), (["plot", "a.h5", "--out", ""], ["folder"])):
            with self.subTest(" ".join(words)):
                self.assertEqual(self.completed(*words), offered)
        self.assertEqual(sorted(self.completed("describe", "")), sorted([*SYSTEMS, *ALL_METHODS, "folder", "pendulum.toml"]))

    def checked(self, shell):
        script = self.good("completion", shell).out
        if shutil.which(shell):
            subprocess.run([shell, "-n"], input=script, text=True, check=True)
        return script

    def test_zsh_has_all(self):
        script = self.checked("zsh")
        self.assertTrue(script.startswith("#compdef hamel\n"))
        cases = dict(re.findall(r"^      (\w+)\)\n        (_arguments .*?)\n        ;;", script,
                                re.MULTILINE | re.DOTALL))
        self.assertEqual(list(cases), self.commands)
        for command, call in cases.items():
            specs = shlex.split(call.replace("\\\n", " "))[1:]
            found = {}
            for spec in specs:
                option = re.fullmatch(r"\*?(--?[\w-]+)\[((?:[^\[\]:\\]|\\.)*)\](:[^:]+:.+)?", spec,
                                      re.DOTALL)
                place = re.fullmatch(r"(\*|1|1:):[^:]+:.+", spec, re.DOTALL)
                self.assertTrue(option or place, spec)
                if option and option.group(1) != "-h":
                    found[option.group(1)] = option.group(3) is not None
            self.assertEqual(found, self.options(command))
        self.assertIn(":METHOD,…:_sequence compadd - dla exact", cases["compare"])
        self.assertIn("'1:FILE.h5:_files -g \"*.h5\"'", cases["info"])

    def test_fish_has_all(self):
        script = self.checked("fish")
        found = {command: {} for command in self.commands}
        names = []
        for line in script.splitlines():
            if line.startswith("#"):
                continue
            words = shlex.split(line.replace("\\'", "'\\''"))
            self.assertEqual(words[:3], ["complete", "-c", "hamel"])
            seen = re.fullmatch(r"__fish_seen_subcommand_from (\w+)", words[4]) if len(words) > 4 else None
            if seen and "-l" in words:
                found[seen.group(1)]["--" + words[words.index("-l") + 1]] = "-r" in words
            elif "__fish_use_subcommand" in words and "-a" in words:
                names.append(words[words.index("-a") + 1])
        self.assertEqual(names, self.commands)
        for command in self.commands:
            self.assertEqual(found[command], self.options(command))
        self.assertIn("-a 'systems methods'", script)

    def test_completions_of_a_shell_follow_the_name_of_the_program(self):
        script = 'source <("$0" completion bash); complete -p hamel'
        done = subprocess.run(["bash", "-c", script, BINARY], capture_output=True, text=True,
                              check=True, env={**os.environ, "LC_ALL": "C"})
        self.assertEqual(done.stdout.strip(), "complete -F _hamel hamel")
