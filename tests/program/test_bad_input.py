# SPDX-License-Identifier: BSD-3-Clause
"""Bad input: exit 2, a short message that names the culprit, nothing left behind."""

import random

from support import METHODS, NOT_A_NUMBER, one_document, ProgramTest, START


class BadInput(ProgramTest):
    """Bad input: exit 2, a short message that names the culprit, nothing left behind."""

    def test_usage(self):
        for args, culprit in (([], "command"), (["frobnicate", self.pendulum], "frobnicate"),
                              (["run"], "scenario"),
                              (["run", self.pendulum, "--frobnicate"], "--frobnicate"),
                              (["run", self.pendulum, "--methods", "hamel,rk4"], "--methods"),
                              (["run", self.pendulum, "extra.toml"], "extra.toml"),
                              (["run", self.pendulum, "--method"], "--method"),
                              (["list", "wheels"], "wheels"), (["describe", "nosuch"], "nosuch")):
            with self.subTest(" ".join(str(a) for a in args)):
                self.refused(*args, says=culprit)

    def test_files(self):
        for command in ("run", "compare", "converge", "check"):
            self.refused(command, "nothere.toml", says="nothere.toml", code=(2, 4))
            self.refused(command, self.folder, says="directory", code=(2, 4))
        self.refused("run", "nothere.toml", "--json", says="nothere.toml", code=(2, 4))
        self.refused("run", self.pendulum / "below.toml", says="below.toml", code=(2, 4))

    def test_unreadable_toml_is_located(self):
        cases = {
            "open table": (b"[system\nname=", r":1:\d+"),
            "no value": (START.encode() + b"x =\n", r":9:\d+"),
            "twice": (START.replace("step = 0.1", "step = 0.1\nstep = 0.2").encode(), r":8:\d+"),
            "open string": (b'[system]\nname = "spher\n', r":2:\d+"),
            "binary": (b"\x00\x01\xef\xbb\xbfX", r":1:\d+"),
            "random": (bytes(random.Random(1).randrange(256) for _ in range(4096)), r":\d+:\d+"),
            "not UTF-8": (START.encode() + b'x = "\xff\xfe"\n', r":9:\d+"),
            "not UTF-8 in a comment": (START.encode() + b"# \xff\n", r":9:\d+"),
            "UTF-16": (START.encode("utf-16"), r":1:\d+"),
            "deep": (b"a = " + b"[" * 2000, r":1:\d+"),
            "very deep": (b"a = " + b"[" * 200000 + b"]" * 200000, r":1:\d+"),
            "deep tables": (b"a = " + b"{a=" * 50000, r":1:\d+"),
        }
        for name, (content, place) in cases.items():
            with self.subTest(name):
                result = self.refused("run", self.write("bad.toml", content), says="bad.toml")
                self.assertRegex(result.err, place)
        self.refused("run", self.write("bad.toml", ""), says="system")

    def test_absurdly_nested_keys(self):
        for name, content in {"key": "a" + ".a" * 100000 + " = 1\n",
                              "table": "[a" + ".a" * 100000 + "]\n"}.items():
            with self.subTest(name):
                self.refused("run", self.write("bad.toml", content), says="bad.toml")

    def test_messages_stay_short(self):
        long = "k" * 100000
        with self.subTest("key"):
            self.refused("run", self.write("bad.toml", START + f"[{long}]\nx=1\n"), says="known")
        with self.subTest("system"):
            self.refused("run", self.write("bad.toml", START.replace("spherical", long)), says="system")
        with self.subTest("method"):
            self.refused("run", self.pendulum, "--method", long, says="method")
        with self.subTest("many"):
            many = START.replace("[initial]", "".join(f"k{i}=1\n" for i in range(3000)) + "[initial]")
            self.refused("run", self.write("bad.toml", many), says="known")

    def test_control_characters_do_not_reach_the_terminal(self):
        result = self.refused("run", self.write("bad.toml", START + '["\\u001b[31mred"]\nx=1\n'),
                              says="known")
        self.assertNotIn("\x1b", result.err)

    def test_unknown_keys(self):
        for wrong, right in {"system.masss": "mass", "system.lenght": "length", "initial.Gama": "Gamma",
                             "integrate.stpe": "step", "output.evry": "every"}.items():
            with self.subTest(wrong):
                self.refused("run", self.pendulum, "--set", f"{wrong}=1", says=[wrong, right])
        result = self.refused("run", self.write("bad.toml", START + "[sytem]\nmass=1\n"),
                              says=["sytem", "system"])
        self.assertRegex(result.err, r"bad\.toml:9:\d+")
        for wrong in ("masss", "a.b.c.d"):
            with self.subTest(wrong):
                self.refused("run", self.pendulum, "--set", f"{wrong}=1", says=["--set", wrong])

    def test_values(self):
        cases = [("system.mass=-1", "mass"), ("system.mass=0", "mass"), ("system.mass=nan", "mass"),
                 ("system.mass=inf", "mass"), ("system.mass=true", "mass"), ("system.mass=[1]", "mass"),
                 ('system.mass="1"', "mass"), ("system.length=0", "length"),
                 ("system.length=-9.8", "length"), ('system.length="long"', "length"),
                 ("system.gravity=nan", "gravity"), ("system.gravity=-1", "gravity"),
                 ("system=3", "system"), ("system.name=3", "name"), ('system.name="nosuch"', "nosuch"),
                 ("integrate.step=0", "step"), ("integrate.step=-0.1", "step"),
                 ("integrate.step=nan", "step"), ("integrate.steps=0", "steps"),
                 ("integrate.steps=1.5", "steps"), ("integrate.compensated=1", "compensated"),
                 ("integrate.tolerance=-1", "tolerance"), ("integrate.methods=[]", "methods"),
                 ("integrate.methods=[1]", "methods"), ('integrate.method=""', "method"),
                 ("output.every=0", "every"), ("output.every=-3", "every"), ("output.every=2.5", "every"),
                 ("output.file=3", "file"), ("initial.Gamma=[1,0]", "Gamma"),
                 ("initial.Gamma=[0.3,0.2,nan]", "Gamma"), ("initial.Gamma=[0,0,0]", "Gamma"),
                 ("initial.Gamma=[3,2,-9]", "Gamma"), ("initial.Omega=[1,2,3]", "Omega"),
                 ("initial.Omega=[inf,0]", "Omega"), ('initial.Omega="fast"', "Omega"),
                 ("initial.Omega=[]", "Omega"), ("nothing", "KEY"), ("=1", "KEY"),
                 ("system.mass=", "mass"), ("system.mass=abc", "mass"),
                 ("system.mass=1\nlength=3", "mass")]
        for assignment, culprit in cases:
            with self.subTest(assignment):
                self.refused("run", self.pendulum, "--set", assignment, says=culprit)

    def test_a_wrong_type_is_called_by_its_name(self):
        for assignment in ("system.name=3", "integrate.compensated=1", "output.file=3"):
            with self.subTest(assignment):
                result = self.refused("run", self.pendulum, "--set", assignment, says="not")
                self.assertNotIn("date", result.err)

    def test_numbers_of_options(self):
        for option, values in {"--step": ("0", "-0.1", "nan", "inf", "abc", "1e400", ""),
                               "--steps": ("0", "-5", "1.5", "nan", "abc", "99999999999999999999",
                                           "9223372036854775807"),
                               "--until": ("0", "-1", "nan", "inf", "abc", "1e30"),
                               "--threads": ("0", "-1", "abc")}.items():
            for value in values:
                with self.subTest(option=option, value=value):
                    self.refused("run", self.pendulum, option, value, "--out", "none", says=option[2:])

    def test_initial_states(self):
        cases = [('q = [0.6, 0.0, -0.8]\n', "omega"), ("omega = [0.0, 1.0, 0.0]\n", "q"),
                 ("q = [0.6, 0.0, -0.801]\nomega = [0, 1, 0]\n", "q"),
                 ("q = [0, 0, 0]\nomega = [0, 1, 0]\n", "q"),
                 ("q = [6, 0, -8]\nomega = [0, 1, 0]\n", "q"),
                 ("q = [0.6, 0.0, -0.9]\nomega = [0, 1, 0]\nnormalise = false\n", "q"),
                 ("q = [0.6, 0.0, -0.8]\nomega = [0.1, 1, 0]\n", "omega"),
                 ("q = [0, 0, -1]\nomega = [0, 0, 1]\n", "omega"),
                 ("q = [0.6, nan, -0.8]\nomega = [0, 1, 0]\n", "q"),
                 ("q = [0.6, 0.0, -0.8]\nomega = [0, inf, 0]\n", "omega"),
                 ("q = [[0.6, 0, -0.8], [0, 0, 1]]\nomega = [0, 1, 0]\n", "q"),
                 ('q = [0.6, "0", -0.8]\nomega = [0, 1, 0]\n', "q"),
                 ("Gamma = [0.6, 0.0, -0.8]\nomega = [0, 1, 0]\n", "Omega"),
                 ("Gamma = [0.6, 0.0, -0.8]\nOmega = [0, 1]\nq = [0, 0, 1]\n", "Gamma"),
                 ("q = [0.6, 0.0, -0.8]\nomega = [0, 1, 0]\nt0 = 5\n", "t0")]
        for content, culprit in cases:
            with self.subTest(content):
                bad = self.write("bad.toml", f'[system]\nname = "spherical_pendulum"\n[initial]\n{content}')
                result = self.refused("run", bad, says=["initial", culprit])
                self.assertRegex(result.err, r"bad\.toml:\d+:\d+")

    def test_all_errors_are_told_at_once(self):
        bad = self.write("bad.toml", '[system]\nname = "spherical_pendulum"\nmass = -1\nlenght = 2\n'
                         'gravity = "g"\n[initial]\nq = [1, 2]\nomega = [1, 2, 3, 4]\n'
                         '[integrate]\nmethod = "foo"\nstep = 0\nuntil = -1\n[output]\nevry = 1\n')
        result = self.refused("check", bad, says=["mass", "lenght", "gravity", "initial.q", "omega",
                                                  "foo", "step", "until", "evry"])
        for line in (3, 4, 5, 7, 8, 10, 11, 12, 14):
            self.assertRegex(result.err, rf"bad\.toml:{line}:\d+")

    def test_methods(self):
        self.refused("run", self.pendulum, "--method", "fehlberg78",
                     says="method 'fehlberg78' is not for this system; methods that fit: exact")
        self.refused("run", self.write("twice.toml", '[system]\nname = "spherical_pendulum"\nmass = 1\nmass = 2\n'),
                     says=":4:8: 'mass' is given twice")
        self.refused("sweep", self.write("quoted.toml", '[sweep.vary]\n"system.mass" = [1.0]\n"system.mass" = [2.0]\n'),
                     says='"system.mass" is given twice')
        for method, culprit in {"rungekutta99": "rungekutta99", "GAUSS": "GAUSS", "": "method",
                                "gauss(stages=9)": "stages", "gauss(stages=0)": "stages",
                                "gauss(stages=2.5)": "stages", "gauss(stages=)": "stages",
                                "gauss(stage=2)": "stages", "gauss(stages=2": "parenthes",
                                "gauss(stages=2,stages=3)": "twice", "hamel(form=foo)": "form",
                                "hamel+kl9": "kl8", "hamel+": "kl8", "+kl8": "+kl8",
                                "hamel+kl8+su4": "kl8+su4", "rk4+kl8": "rk4", "exact+kl8": "exact",
                                "hamel,rk4": "hamel,rk4"}.items():
            with self.subTest(method):
                self.refused("run", self.pendulum, "--method", method, says=culprit)
        result = self.refused("compare", self.pendulum, "--methods", "hamel,foo,bar", says=["foo", "bar"])
        for fitting in METHODS:
            self.assertIn(fitting, result.err)
        self.refused("compare", self.pendulum, "--methods", "hamel,,rk4", says="method")
        self.refused("compare", self.pendulum, "--methods", "", says="method")
        self.refused("run", self.pendulum, "--method", "dla(constraint=average)", says=["dla", "variational"])
        self.refused("check", self.pendulum, "--methods", "hamel,foo", says="foo")

    def test_no_infinity_is_printed(self):
        for speed in ("1e154", "1e200"):
            huge = self.write("huge.toml", START.replace("0.5, 0.0]", f"{speed}, 0.0]"))
            for method in METHODS:
                with self.subTest(speed=speed, method=method):
                    call = ("run", huge, "--steps", "3", "--out", "none", "--method", method)
                    result = self.call(*call)
                    self.assertIsNone(NOT_A_NUMBER.search(result.out), result)
                    self.assertIn(result.code, (2, 3), result)
                    if (result := self.call(*call, "--json")).out:
                        one_document(result.out)
