// SPDX-License-Identifier: BSD-3-Clause

#include "parser.hpp"

#include <limits>

#include "hamel/core/words.hpp"
#include "syntax.hpp"

namespace hamel::app {

namespace {

constexpr const char* scenario_options = "scenario options";

void add_common_options(CLI::App& command, Options& o) {
  command.add_flag("--json", o.json, "one JSON document on stdout, nothing else")
      ->group(common_options);
  command.add_flag("--quiet", o.quiet, "no notes and no progress")->group(common_options);
}

void add_recording_options(CLI::App& command, Options& o) {
  command.add_option("--out", o.out, "recording, or none")->type_name("FILE|none");
  command.add_flag("--force", o.force,
                   "overwrite a file named by --out or output.file, or an unfinished run");
}

/// Of commands that only draw or write beside what they print.
void add_out_none(CLI::App& command, Options& o, const char* help) {
  command.add_option("--out", o.out, help)->type_name("none");
}

/// One file, as a positional argument.
void add_file(CLI::App& command, Options& o, const char* help, const char* type) {
  command
      .add_option_function<std::string>(
          "file", [&o](const std::string& file) { o.files = {file}; }, help)
      ->required()
      ->type_name(type);
}

/// One of the words that the type consists of: "up|down|both".
void add_choice(CLI::Option* option, const std::string& type) {
  option->type_name(type)->check(CLI::Validator(
      [words = alternatives(type)](const std::string& given) {
        if (std::find(words.begin(), words.end(), given) != words.end()) return std::string();
        return "'" + clipped(given) + "' must be " + any_of_words(words, "") +
               did_you_mean(given, words);
      },
      ""));
}

CLI::Option* add_threads_option(CLI::App& command, Options& o) {
  return command.add_option("--threads", o.threads, "threads of a sweep; default: all processors")
      ->type_name("N")
      ->check(CLI::Range(1, 1024).description(""));
}

void add_scenario_options(CLI::App& command, Options& o) {
  add_file(command, o, "scenario (TOML); - is standard input", "FILE");
  auto* set = command.add_option("--set", o.overrides.set, "change any key: --set system.mass=2")
                  ->type_name("KEY=VALUE")
                  ->allow_extra_args(false);
  auto* step = command.add_option("--step", o.overrides.step, "step size, s")->type_name("H");
  auto* accuracy = command
                       .add_option("--accuracy", o.overrides.accuracy,
                                   "error of the end position to aim at, instead of --step")
                       ->type_name("E")
                       ->excludes(step);
  auto* steps = command.add_option("--steps", o.overrides.steps, "number of steps")->type_name("N");
  auto* until = command.add_option("--until", o.overrides.until, "end time, s, instead of --steps")
                    ->type_name("T")
                    ->excludes(steps);
  for (CLI::Option* option : {set, step, accuracy, steps, until, add_threads_option(command, o)})
    option->group(scenario_options);
}

CLI::Option* add_method_option(CLI::App& command, Options& o) {
  return command.add_option("--method", o.overrides.method, "one method: 'gauss(stages=4)'")
      ->type_name("METHOD");
}
CLI::Option* add_methods_option(CLI::App& command, Options& o) {
  return command
      .add_option("--methods", o.overrides.methods, "several methods: hamel,variational+kl8")
      ->type_name("METHOD,…");
}

void add_export_options(CLI::App& command, Options& o) {
  auto* formats = command.add_option_group("format");
  const auto format = [&](const char* flag, const char* name, const char* help) {
    formats->add_flag_callback(
        flag, [&o, name] { o.format = name; }, help);
  };
  format("--csv", "csv", "a table as text, names and units in the first line");
  format("--npz", "npz", "arrays for numpy.load, one a dataset");
  format("--vtk", "vtk", "shapes and paths for ParaView: .vtp files and a .pvd with their times");
  formats->require_option(1);
  command.add_option("--out", o.out, "file, or folder (--vtk); - is stdout (--csv)")
      ->type_name("PATH");
  command.add_flag("--force", o.force, "overwrite what --out names");
  command.add_option("--every", o.every, "every N-th recorded row")
      ->type_name("N")
      ->check(
          CLI::Range(std::int64_t{1}, std::numeric_limits<std::int64_t>::max()).description(""));
}

void add_family_options(CLI::App& command, Options& o) {
  command
      .add_option("--along", o.along,
                  "follow the family along a component (xi2, a coordinate, Omega, q1z) or a "
                  "parameter (system.length)")
      ->type_name("NAME");
  command.add_option("--from", o.from, "first value")->type_name("X");
  command.add_option("--to", o.to, "last value")->type_name("X");
  command.add_option("--count", o.count, "number of values; default 61")
      ->type_name("N")
      ->check(CLI::Range(2, 10001).description(""));
  command.add_flag("--all", o.all, "look from many starts; on spheres, from all straight states");
}

}  // namespace

Parser::Parser() : app("structure-preserving simulation of mechanical systems", "hamel") {
  app.set_help_flag("-h,--help", "this help; of a command, behind its name");
  app.set_version_flag("--version", "", "version and commit");
  app.require_subcommand(1);
  add_simulations();
  add_studies();
  add_catalogue();
  add_recordings();
  add_words();
}

CLI::App& Parser::add(const char* name, const char* summary, Command command,
                      const char* examples) {
  CLI::App* sub = app.add_subcommand(name, summary);
  sub->set_help_flag("-h,--help", "this help")->group(common_options);
  sub->footer(examples);
  sub->callback([this, command] { chosen = command; });
  return *sub;
}

void Parser::add_simulations() {
  Options& o = options;
  CLI::App& run = add("run", "simulate with one method", run_command,
                      "hamel run pendulum.toml\n"
                      "hamel run pendulum.toml --method 'gauss(stages=4)' --until 100 --out g4.h5\n"
                      "hamel run pendulum.toml --lyapunov --out none");
  add_scenario_options(run, o);
  add_method_option(run, o);
  add_recording_options(run, o);
  run.add_option("--member", o.member, "this member of the scenario's sweep, from 0")
      ->type_name("N");
  run.add_flag("--lyapunov", o.lyapunov, "the largest Lyapunov exponent too");
  add_common_options(run, o);

  CLI::App& compare =
      add("compare", "several methods, side by side", compare_command,
          "hamel compare pendulum.toml  # all methods that fit\n"
          "hamel compare pendulum.toml --methods hamel,variational+kl8,rk4 --steps 1000");
  add_scenario_options(compare, o);
  add_methods_option(compare, o);
  add_out_none(compare, o, "no recordings and no figures");
  compare.add_flag("--force", o.force, "overwrite unfinished runs of another scenario");
  add_common_options(compare, o);

  CLI::App& sweep = add("sweep", "many members that vary in some numbers", sweep_command,
                        "hamel sweep pendulum.toml --set 'sweep.vary.\"system.mass\"=[1, 2]' "
                        "--out s.h5");
  add_scenario_options(sweep, o);
  add_method_option(sweep, o);
  add_recording_options(sweep, o);
  add_common_options(sweep, o);

  CLI::App& check = add("check", "validate a scenario without running it", check_command,
                        "hamel check pendulum.toml\n"
                        "hamel check pendulum.toml --set system.length=2.5 --methods hamel,rk4");
  add_scenario_options(check, o);
  add_methods_option(check, o)->excludes(add_method_option(check, o));
  add_common_options(check, o);
}

void Parser::add_studies() {
  Options& o = options;
  CLI::App& converge = add("converge", "measured orders of convergence", converge_command,
                           "hamel converge pendulum.toml --methods 'hamel,gauss(stages=3)'");
  add_scenario_options(converge, o);
  add_methods_option(converge, o);
  converge.add_option("--levels", o.levels, "step sizes, 5 to 12")
      ->type_name("N")
      ->check(CLI::Range(5, 12).description(""));
  add_out_none(converge, o, "no figure");
  add_common_options(converge, o);

  CLI::App& certify = add("certify", "measure and judge every claim of methods", certify_command,
                          "hamel certify pendulum.toml --methods hamel,variational");
  add_scenario_options(certify, o);
  add_methods_option(certify, o);
  add_out_none(certify, o, "no certificate file");
  add_common_options(certify, o);

  CLI::App& equilibria =
      add("equilibria", "relative equilibria and their stability", equilibria_command,
          "hamel equilibria pendulum.toml --methods hamel\n"
          "hamel equilibria pendulum.toml --along Omega --from 1.1 --to 2 --count 9");
  add_scenario_options(equilibria, o);
  add_methods_option(equilibria, o);
  add_family_options(equilibria, o);
  add_out_none(equilibria, o, "no figure");
  add_common_options(equilibria, o);

  CLI::App& section = add("section", "Poincaré section: passages through a plane", section_command,
                          "hamel section pendulum.toml --plane q2 --axes q1,omega1");
  add_scenario_options(section, o);
  add_method_option(section, o);
  section.add_option("--plane", o.plane, "formula that is zero there: x, or q3 + 0.5")
      ->type_name("FORMULA")
      ->required();
  add_choice(section.add_option("--direction", o.direction,
                                "which passages: the formula rises (default), falls, both"),
             "up|down|both");
  section.add_option("--axes", o.axes, "what the figure shows: 'y, xi2'")->type_name("X,Y");
  add_out_none(section, o, "no files");
  add_common_options(section, o);

  CLI::App& reproduce = add("reproduce", "the source documents' claims, checked", reproduce_command,
                            "hamel reproduce D0.fig1.length\n"
                            "hamel reproduce D2  # all items of one document");
  reproduce
      .add_option("id", o.name,
                  "one item or a prefix: D0, or D0.fig1.length; nonholonomic: the comparison of "
                  "integrators")
      ->type_name("ID|nonholonomic");
  reproduce.add_option("--steps", o.overrides.steps, "of the comparison; default 1000000")
      ->type_name("N");
  add_common_options(reproduce, o);
}

void Parser::add_catalogue() {
  Options& o = options;
  CLI::App& list = add("list", "the catalogue of systems or methods", list_command,
                       "hamel list systems\n"
                       "hamel list methods --json");
  add_choice(list.add_option("what", o.name, "which catalogue")->required(), "systems|methods");
  add_common_options(list, o);

  CLI::App& describe =
      add("describe", "parameters, equations, claims, reference", describe_command,
          "hamel describe spherical_pendulum --scenario > pendulum.toml  # a file to start from\n"
          "hamel describe chaplygin_sleigh\n"
          "hamel describe gauss  # options of a method, and what it claims");
  describe.add_option("name", o.name, "of the catalogue")->type_name("SYSTEM|METHOD")->required();
  describe.add_flag("--scenario", o.scenario, "print a start file for the system");
  add_common_options(describe, o);
}

void Parser::add_recordings() {
  Options& o = options;
  CLI::App& plot = add("plot", "figures (SVG, PNG) from recordings", plot_command,
                       "hamel plot results/pendulum/hamel.h5\n"
                       "hamel plot results/pendulum/hamel.h5 g4.h5 --out figures\n"
                       "hamel plot results/pendulum/hamel.h5 --show q1,q3 --until 20\n"
                       "hamel plot results/pendulum/hamel.h5 --show q3:omega1  # phase portrait");
  plot.add_option("files", o.files, "recordings of one system (HDF5)")
      ->required()
      ->type_name("FILE.h5");
  plot.add_option("--out", o.out, "folder for the figures; default: results/SCENARIO/RECORDING")
      ->type_name("FOLDER");
  plot.add_option(
          "--show", o.show,
          "of a run: these numbers alone, over time, or with X:Y one over another; names as "
          "export --csv has them")
      ->type_name("NAME[:NAME],…");
  plot.add_option("--until", o.until, "of a run: rows to this time, s")
      ->type_name("T")
      ->check(CLI::PositiveNumber.description(""));
  plot.add_option("--quantity", o.quantity, "of a sweep: drift/energy, or final/q[2]")
      ->type_name("NAME");
  plot.add_option("--axes", o.axes, "of a sweep: system.length,system.mass")->type_name("A[,B]");
  plot.add_option("--at", o.at, "of a sweep of more numbers: the others' values")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  add_common_options(plot, o);

  CLI::App& info = add("info", "what a recording holds", info_command,
                       "hamel info results/pendulum/hamel.h5 --check");
  add_file(info, o, "recording (HDF5)", "FILE.h5");
  info.add_flag("--check", o.verify, "read every row and compare checksums");
  add_common_options(info, o);

  CLI::App& exported = add("export", "a recording as CSV, NPZ or VTK", export_command,
                           "hamel export results/pendulum/hamel.h5 --npz\n"
                           "hamel export results/pendulum/hamel.h5 --csv --every 10 --out -");
  add_file(exported, o, "recording (HDF5)", "FILE.h5");
  add_export_options(exported, o);
  add_common_options(exported, o);

  CLI::App& resume = add("resume", "go on after an interruption, bit-identical", resume_command,
                         "hamel resume results/pendulum/hamel.h5");
  add_file(resume, o, "recording (HDF5)", "FILE.h5");
  resume.add_flag("--force", o.force, "go on although recorded rows are damaged");
  add_threads_option(resume, o);
  add_common_options(resume, o);
}

void Parser::add_words() {
  CLI::App& help = add("help", "of a command or topic, and the manual page", help_command,
                       "hamel help run\n"
                       "hamel help environment\n"
                       "hamel help --man > hamel.1  # man ./hamel.1");
  auto* name = help.add_option("name", options.name, "what about")->type_name("COMMAND|TOPIC");
  help.add_flag("--man", options.man, "the manual page (roff)")->excludes(name);

  CLI::App& completion =
      add("completion", "completions for a shell", completion_command,
          "source <(hamel completion bash)  # in ~/.bashrc; in ~/.zshrc with zsh\n"
          "hamel completion fish > hamel.fish  # into ~/.config/fish/completions");
  add_choice(completion.add_option("shell", options.name, "whose")->required(), "bash|zsh|fish");
}

}  // namespace hamel::app
