# SPDX-License-Identifier: BSD-3-Clause
"""Each command does its work and reports it."""

import os

from support import (ALL_METHODS, Hdf5, METHODS, NOT_A_NUMBER, one_document, ProgramTest, REPRODUCE,
                     SOURCE, SYSTEMS)


class Commands(ProgramTest):
    """Each command does its work and reports it."""

    def test_version_and_help(self):
        self.assertRegex(self.good("--version").out, r"\d+\.\d+\.\d+")
        overview = self.good("--help")
        for command in ("run", "compare", "converge", "check", "list", "describe", "plot", "info",
                        "reproduce", "resume"):
            self.assertIn(command, overview.out)
            self.assertEqual(self.good(command, "--help").err, "")
        self.columns(overview)

    def test_run_prints_a_table_and_records(self):
        result = self.good("run", self.pendulum, "--steps", "100")
        for word in ("hamel", "100", "energy", "length", "momentum_z", "kg m^2/s", "rad/s"):
            self.assertIn(word, result.out)
        self.assertIn("results/pendulum/hamel.h5", result.out)
        self.assertTrue((self.folder / "results/pendulum/hamel.h5").is_file())
        self.assertEqual(os.listdir(self.folder / "results/pendulum"), ["hamel.h5"])
        self.assertIsNone(NOT_A_NUMBER.search(result.out), result)

    def test_tables_fit_80_columns(self):
        for args in (["compare", self.pendulum, "--out", "none"],
                     ["compare", self.pendulum, "--out", "none", "--methods", ",".join(METHODS)],
                     ["run", self.pendulum, "--out", "none"],
                     ["converge", self.pendulum, "--out", "none"],
                     ["list", "methods"], ["list", "systems"]):
            with self.subTest(" ".join(str(a) for a in args)):
                self.columns(self.good(*args))

    def test_run_json(self):
        run = self.document("run", self.pendulum, "--steps", "100", "--out", "none")
        self.check_run_document(run)
        self.assertEqual((run["system"], run["method"], run["step"], run["steps"], run["status"]),
                         ("spherical_pendulum", "hamel", 0.2, 100, "ok"))
        self.assertEqual(run["final"]["t"], 20.0)
        q, omega = run["final"]["q"][0], run["final"]["omega"][0]
        self.assertLessEqual(abs(sum(x * x for x in q) - 1), 1e-13)
        self.assertLessEqual(abs(sum(a * b for a, b in zip(q, omega))), 1e-13)
        self.assertLessEqual(run["invariants"]["length"]["max_drift"], 1e-13)
        self.assertLessEqual(run["invariants"]["energy"]["max_drift"], 1e-11)
        self.assertEqual(os.listdir(self.folder), ["pendulum.toml"])

    def test_every_method_runs(self):
        for method in METHODS:
            with self.subTest(method):
                run = self.document("run", self.pendulum, "--method", method, "--steps", "50",
                                    "--out", "none")
                self.check_run_document(run)
                self.assertEqual((run["method"], run["status"]), (method, "ok"))

    def test_recording_holds_what_was_printed(self):
        run = self.document("run", self.pendulum, "--steps", "37", "--out", "a.h5")
        info = self.document("info", "a.h5")
        self.assertEqual(info["rows"], 38)
        paths = {column["path"] for column in info["columns"]}
        self.assertTrue({"/t", "/q", "/invariants/energy", "/invariants/length",
                         "/invariants/momentum_z", "/solver/iterations"} <= paths, paths)
        for key in ("format_version", "scenario", "program_version", "commit", "compiler", "units"):
            self.assertIn(key, info["attributes"])
        if Hdf5.load() is None:
            self.skipTest("no HDF5 library to read the data with")
        t, q = Hdf5.read(self.folder / "a.h5", "/t"), Hdf5.read(self.folder / "a.h5", "/q")
        self.assertEqual(list(t), [n * 0.2 for n in range(38)])
        self.assertEqual(list(q)[-3:], run["final"]["q"][0])  # 17 digits: to the last bit

    def test_output_every(self):
        self.good("run", self.pendulum, "--steps", "100", "--set", "output.every=7", "--out", "a.h5")
        info = self.document("info", "a.h5")
        self.assertIn(info["rows"], (15, 16))  # every 7th, with or without the last
        self.assertLessEqual(info["t_last"], 20.0)

    def test_compare(self):
        result = self.good("compare", self.pendulum, "--steps", "300", "--methods", "hamel,rk4")
        for word in ("method", "order", "length", "energy", "momentum", "hamel", "rk4"):
            self.assertIn(word, result.out)
        written = set(os.listdir(self.folder / "results/pendulum"))
        for figure in ("path", "length", "energy", "momentum_z"):
            for suffix in (".svg", ".png", ".gp"):
                self.assertIn(figure + suffix, written)
        self.assertTrue({"hamel.h5", "rk4.h5"} <= written)
        self.assertFalse([f for f in written if f.endswith((".lock", ".checkpoint", ".tmp"))])
        svg = (self.folder / "results/pendulum/energy.svg").read_text()
        self.assertIn("</svg>", svg)
        self.assertIn("rk4", svg)
        png = (self.folder / "results/pendulum/path.png").read_bytes()
        self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")

    def test_compare_json(self):
        compared = self.document("compare", self.pendulum, "--steps", "50", "--out", "none")
        self.assertEqual([run["method"] for run in compared["runs"]],
                         ["hamel", "hamel4", "variational", "rattle", "verlet", "gauss", "rk4"])
        for run in compared["runs"]:
            self.check_run_document(run)
        self.assertEqual(os.listdir(self.folder), ["pendulum.toml"])

    def test_compare_shows_a_failed_method_as_failed(self):
        call = ("compare", self.pendulum, "--step", "100", "--steps", "5", "--out", "none")
        result = self.good(*call, "--methods", "hamel,variational")
        self.assertRegex(result.out, r"(?i)variational.*fail")
        self.assertIn("no_solution", result.out)
        self.assertIn("step 1", result.out)
        self.assertIsNone(NOT_A_NUMBER.search(result.out), result)
        self.good(*call, "--methods", "variational,rattle", code=3)
        compared = self.document(*call, "--methods", "variational,rattle", code=3)
        self.assertTrue(all(run["status"] != "ok" for run in compared["runs"]))

    def test_run_that_fails_keeps_the_last_good_state(self):
        call = ("run", self.pendulum, "--step", "100", "--steps", "5")
        result = self.good(*call, "--out", "none", "--method", "variational", code=3)
        self.assertIn("no_solution", result.out + result.err)
        self.assertIsNone(NOT_A_NUMBER.search(result.out), result)
        run = self.document(*call, "--method", "variational", "--out", "a.h5", code=3)
        self.assertEqual(run["status"], "no_solution")
        self.assertEqual(self.document("info", "a.h5")["rows"], 1)
        run = self.document(*call, "--method", "rk4", "--out", "none", code=3)
        self.assertEqual(run["status"], "not_finite")

    def test_converge_measures_the_orders(self):
        claims = {"hamel": 2, "hamel4": 4, "variational": 2, "rattle": 2, "verlet": 2, "rk4": 4,
                  "gauss(stages=2)": 4, "gauss(stages=3)": 6, "gauss(stages=4)": 8,
                  "variational+su4": 4, "variational+kl6": 6, "variational+kl8": 8}
        converged = self.document("converge", self.pendulum, "--methods", ",".join(claims))
        self.assertEqual([m["method"] for m in converged["methods"]], list(claims))
        for method in converged["methods"]:
            with self.subTest(method["method"]):
                order = claims[method["method"]]
                self.assertEqual(method["claimed_order"], order)
                self.assertGreaterEqual(len(method["steps"]), 5)  # four refinements
                self.assertEqual(len(method["steps"]), len(method["errors"]))
                self.assertLessEqual(abs(method["measured_order"] - order), 0.1, method)
        self.assertTrue((self.folder / "results/pendulum/convergence.svg").is_file())

    def test_converge_of_the_highest_orders(self):
        converged = self.document("converge", self.pendulum, "--out", "none", "--methods",
                                  "gauss(stages=6),gauss,hamel+kl8")
        for method in converged["methods"]:
            with self.subTest(method["method"]):
                self.assertLessEqual(abs(method["measured_order"] - method["claimed_order"]), 0.2,
                                     method)

    def test_check(self):
        result = self.good("check", self.pendulum)
        self.assertIn("ok", result.out)
        checked = self.document("check", self.pendulum, "--method", "variational+kl8", "--until", "5")
        self.assertEqual((checked["method"], checked["steps"]), ("variational+kl8", 25))
        self.assertEqual(os.listdir(self.folder), ["pendulum.toml"])

    def test_nonholonomic_comparison(self):
        systems = {s["system"]: {m["method"]: m for m in s["methods"]}
                   for s in self.document("reproduce", "nonholonomic", "--steps", "400")["systems"]}
        self.assertLessEqual(systems["chaplygin_sleigh"]["hamel"]["energy_max"], 1e-13)
        self.assertGreaterEqual(systems["chaplygin_sleigh"]["dla"]["energy_max"], 1e-6)
        growth = {name: m["growth"] for name, m in systems["lynch_zenkov"].items()}
        self.assertLess(growth["hamel"], 0.0)
        self.assertGreater(growth["dla"], 0.0)
        for file in ("table.md", "page.png", "page.svg"):
            self.assertTrue((self.folder / "results/nonholonomic" / file).exists(), file)
        self.refused("reproduce", "nonholonomic", "--steps", "1", says="--steps")

    def test_list(self):
        systems = self.good("list", "systems").out
        for system in SYSTEMS:
            self.assertIn(system, systems)
        methods = self.good("list", "methods").out
        for method in ALL_METHODS:
            self.assertIn(method, methods)
        self.assertEqual([m["name"] for m in self.document("list", "methods")["methods"]], ALL_METHODS)
        self.assertEqual([s["name"] for s in self.document("list", "systems")["systems"]], SYSTEMS)

    def test_compare_shows_the_balance_of_a_forced_system_once(self):
        self.write("forced.toml", "[system]\ncoordinates = ['x']\nlagrangian = 'x_dot^2/2 - x^2/2'\n"
                                  "forces = { x = '-x_dot/10' }\n[initial]\nq = [1.0]\nv = [0.0]\n"
                                  "[integrate]\nstep = 0.1\nsteps = 20\n")
        table = self.good("compare", "forced.toml", "--methods", "hamel,rk4", "--out", "none").out
        head = next(line for line in table.splitlines() if line.startswith("method")).split()
        self.assertEqual(head, ["method", "order", "balance", "status", "iter", "time"])

    def test_describe(self):
        for name in [*SYSTEMS, *ALL_METHODS]:
            with self.subTest(name):
                self.assertIn(name, self.good("describe", name).out)
                self.assertEqual(self.document("describe", name)["name"], name)
        system = self.good("describe", "spherical_pendulum").out
        for word in ("mass", "kg", "length", "gravity", "energy", "order 2", "symplectic", "D0"):
            self.assertIn(word, system)
        self.assertIn("reference: D0 section IV; MATH 5 (docs/equations.md)\n", system)
        self.assertIn("source: D0 section IV (docs/equations.md)\n",
                      self.good("describe", "spherical_coordinates").out)
        self.assertNotIn("docs/equations.md", self.good("describe", "snakeboard").out)
        claims = self.good("describe", "variational").out
        for word in ("order 2", "symplectic", "momentum"):
            self.assertIn(word, claims)

    def test_describe_a_scenario(self):
        for n in (2, 4, 8):  # claims do not depend on the size
            self.write("sized.toml", f'[system]\nname = "n_sphere_pendulum"\nn = {n}\n'
                                     "[integrate]\nstep = 0.01\nsteps = 10\n")
            system = self.document("describe", "sized.toml")
            self.assertEqual(len(system["coordinates"]), n)
            horizontal = [f"momentum_{i}_{j}" for i in range(1, n) for j in range(i + 1, n)]
            self.assertEqual(system["methods"]["hamel"]["invariants"],
                             ["energy", "length", *horizontal])
            self.assertNotIn("--scenario", self.good("describe", "sized.toml").out)
        own = self.good("describe", SOURCE / "scenarios" / "my_own_sleigh.toml").out
        for word in ("L = m/2*", "xi         2 numbers", "gauss", "keeps energy"):
            self.assertIn(word, own)
        self.refused("describe", "sized.toml", "--scenario", says="sized.toml is a scenario")
        self.refused("describe", "none.toml", says="none.toml")

    def test_describe_shows_the_brackets_of_a_frame(self):
        own = SOURCE / "scenarios" / "my_own_sleigh.toml"
        self.assertEqual([(i, j, k, abs(c)) for i, j, k, c in self.document("describe", own)["brackets"]],
                         [(1, 2, 3, 1.0)])
        text = self.good("describe", own).out
        self.assertIn("u3 is the cross product of the others", text)
        self.assertRegex(text, r"  c_12\^3 = -?1; all others are 0\n")
        self.assertEqual(self.document("describe", "euler_top")["brackets"],
                         [[1, 2, 3, 1.0], [1, 3, 2, -1.0], [2, 3, 1, 1.0]])
        self.assertIsNone(self.document("describe", "spherical_pendulum")["brackets"])

    def test_described_scenario_runs(self):
        start = self.good("describe", "spherical_pendulum", "--scenario")
        self.write("start.toml", start.out)
        self.good("check", "start.toml")
        self.assertEqual(self.document("run", "start.toml", "--out", "none")["steps"], 10000)
        self.refused("describe", "hamel", "--scenario", says="system")
        for name in SYSTEMS:
            with self.subTest(name):
                self.write("start.toml", self.good("describe", name, "--scenario").out)
                run = self.document("run", "start.toml", "--steps", "20", "--out", "none")
                self.assertEqual((run["system"], run["status"]), (name, "ok"))

    def test_plot(self):
        self.good("run", self.pendulum, "--steps", "200", "--out", "a.h5")
        self.good("run", self.pendulum, "--steps", "200", "--method", "rk4", "--out", "b.h5")
        plotted = self.document("plot", "a.h5", "b.h5", "--out", "figures")
        self.assertTrue(plotted["figures"])
        for figure in plotted["figures"]:
            self.assertGreater((self.folder / figure).stat().st_size, 1000)
        self.assertIn("figures/path.svg", self.good("plot", "a.h5", "--out", "figures").out)
        # Else among the scenario's results, apart from what `compare` draws.
        self.assertIn("results/pendulum/a/path.svg", self.good("plot", "a.h5").out)

    def test_info(self):
        self.good("run", self.pendulum, "--steps", "50", "--out", "a.h5")
        result = self.good("info", "a.h5")
        for word in ("51 rows", "finished", "/q", "/invariants/energy", "rad/s", "gravity"):
            self.assertIn(word, result.out)
        info = self.document("info", "a.h5")
        self.assertEqual((info["rows"], info["t_last"], info["finished"]), (51, 10.0, True))

    def test_reproduce(self):
        result = self.call("reproduce", "--json")
        items = one_document(result.out)["items"]
        self.assertEqual([item["id"] for item in items], REPRODUCE)
        for item in items:
            for key in ("source", "claim", "expected", "measured", "verdict", "as_recorded"):
                self.assertIn(key, item)
            self.assertIn(item["verdict"], ("confirmed", "better than reported", "not confirmed"))
            self.assertIsNone(NOT_A_NUMBER.search(item["measured"]), item)
            if item["verdict"] == "not confirmed":
                self.assertTrue(item.get("reason"), f"no reason: {item}")
        self.assertEqual([item["id"] for item in items if not item["as_recorded"]], [])
        self.assertEqual(result.code, 0, result)

    def test_reproduce_figures_of_the_documents(self):
        items = {i["id"]: i for i in self.document("reproduce", "D0")["items"]}
        self.assertTrue(all(name.startswith("D0.") for name in items))
        self.assertIn("0.23", items["D0.cayley_sign"]["measured"])
        self.assertIn("-3.060", items["D0.gamma_is_not_the_bob"]["measured"].replace("−", "-"))
        self.assertIn("3.371", items["D0.gamma_is_not_the_bob"]["measured"])
        self.assertRegex(items["D0.gamma0"]["measured"], r"8\.8\d*e-0?8")
        self.assertEqual(items["D0.symplectic"]["verdict"], "not confirmed")
        items = {i["id"]: i["measured"] for i in self.document("reproduce", "D1")["items"]}
        for name, figures in {"sleigh_spiral": ["1.000457072318", "0.7192186473", "1.3903977653"],
                              "equilibria_kept": ["r = 0.0943078643"],
                              "stability_kept": ["0.9985239118", "1.0014782702"],
                              "dla_corrupts": ["1.00286944", "0.99713877", "+4.3"],
                              "not_symplectic_in_general": ["2.5e-04", "3.2e-05", "4.1e-06"]}.items():
            for figure in figures:
                self.assertIn(figure, items["D1." + name])
        self.assertEqual(len(self.document("reproduce", "D2.rattle")["items"]), 1)
        self.refused("reproduce", "nosuch", says=["nosuch", "D0.gamma0"])

    def test_resume_of_a_finished_file(self):
        run = self.document("run", self.pendulum, "--steps", "50", "--out", "a.h5")
        before = (self.folder / "a.h5").read_bytes()
        self.assertIn("finished", self.good("resume", "a.h5").out)
        self.same_run(self.document("resume", "a.h5"), run)
        self.assertEqual((self.folder / "a.h5").read_bytes(), before)

    def test_notes_go_to_stderr_and_quiet_silences_them(self):
        call = ("run", self.pendulum, "--steps", "5", "--out", "none")
        result = self.good(*call)
        self.assertIn("Gamma", result.err)
        self.assertIn("normalised", result.err)
        self.assertNotIn("normalised", result.out)
        self.assertEqual(self.good(*call, "--quiet").err, "")
        self.assertEqual(self.good("compare", self.pendulum, "--steps", "5", "--quiet").err, "")
        self.assertEqual(self.good("converge", self.pendulum, "--methods", "hamel", "--out", "none",
                                   "--quiet").err, "")
        failed = self.good(*call, "--step", "100", "--method", "variational", "--quiet", code=3)
        self.assertIn("no_solution", failed.err)  # an error is no note
