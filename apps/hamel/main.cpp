// The program: reads the command line, runs one command, turns exceptions into messages.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <limits>
#include <new>

#include "commands.hpp"
#include "console.hpp"
#include "hamel/core/error.hpp"
#include "hamel/simulation/version.hpp"

namespace hamel::app {

namespace {

void add_output_options(CLI::App& command, Options& o) {
  command.add_flag("--json", o.json, "one JSON document on stdout, nothing else");
  command.add_flag("--quiet", o.quiet, "no notes and no progress");
}

void add_recording_options(CLI::App& command, Options& o) {
  command.add_option("--out", o.out, "recording FILE, or none")->type_name("FILE");
  command.add_flag("--force", o.force,
                   "overwrite a file named by --out or output.file, or an unfinished run");
}

/// One file, as a positional argument.
void add_file(CLI::App& command, Options& o, const char* name, const char* help, const char* type) {
  command
      .add_option_function<std::string>(
          name, [&o](const std::string& file) { o.files = {file}; }, help)
      ->required()
      ->type_name(type);
}

void add_threads_option(CLI::App& command, Options& o) {
  command.add_option("--threads", o.threads, "threads of a sweep; default: all processors")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
}

void add_scenario_options(CLI::App& command, Options& o) {
  add_file(command, o, "scenario", "scenario file (TOML); - is standard input", "FILE");
  command.add_option("--set", o.overrides.set, "change any key, e.g. --set system.mass=2")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  auto* step = command.add_option("--step", o.overrides.step, "step size, s")->type_name("H");
  command.add_option("--accuracy", o.overrides.accuracy, "of the end position: chooses the step")
      ->type_name("E")
      ->excludes(step);
  auto* steps = command.add_option("--steps", o.overrides.steps, "number of steps")->type_name("N");
  command.add_option("--until", o.overrides.until, "end time, s")->type_name("T")->excludes(steps);
  add_threads_option(command, o);
}

void add_method_option(CLI::App& command, Options& o) {
  command.add_option("--method", o.overrides.method, "method, e.g. 'gauss(stages=4)'")
      ->type_name("M");
}
void add_methods_option(CLI::App& command, Options& o) {
  command.add_option("--methods", o.overrides.methods, "methods, e.g. hamel,variational+kl8")
      ->type_name("A,B");
}

void add_export_options(CLI::App& command, Options& o) {
  auto* formats = command.add_option_group("format", "one of");
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
      ->check(CLI::Range(std::int64_t{1}, std::numeric_limits<std::int64_t>::max()));
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
      ->check(CLI::Range(2, 10001));
  command.add_flag("--all", o.all, "look from many starts; on spheres, from all straight states");
}

using Command = int (*)(const Options&, const Registry&);

int dispatch(int argc, char** argv) {
  CLI::App app{"hamel: structure-preserving simulation of mechanical systems", "hamel"};
  app.set_version_flag("--version", fmt::format("hamel {} ({})", version(), commit()));
  app.require_subcommand(1);
  Options o;
  Command chosen = nullptr;
  const auto add = [&](const char* name, const char* help, Command command) {
    CLI::App* sub = app.add_subcommand(name, help);
    sub->callback([&chosen, command] { chosen = command; });
    return sub;
  };

  CLI::App* run = add("run", "simulate with one method", run_command);
  add_scenario_options(*run, o);
  add_method_option(*run, o);
  add_recording_options(*run, o);
  run->add_option("--member", o.member, "this member of the scenario's sweep, from 0")
      ->type_name("N");
  run->add_flag("--lyapunov", o.lyapunov, "the largest Lyapunov exponent too");
  add_output_options(*run, o);

  CLI::App* compare = add("compare", "several methods, side by side", compare_command);
  add_scenario_options(*compare, o);
  add_methods_option(*compare, o);
  compare->add_option("--out", o.out, "none: no recordings and no figures")->type_name("none");
  compare->add_flag("--force", o.force, "overwrite unfinished runs of another scenario");
  add_output_options(*compare, o);

  CLI::App* converge = add("converge", "measured orders of convergence", converge_command);
  add_scenario_options(*converge, o);
  add_methods_option(*converge, o);
  converge->add_option("--levels", o.levels, "step sizes, 5 to 12")->check(CLI::Range(5, 12));
  converge->add_option("--out", o.out, "none: no figure")->type_name("none");
  add_output_options(*converge, o);

  CLI::App* certify = add("certify", "measure and judge every claim of methods", certify_command);
  add_scenario_options(*certify, o);
  add_methods_option(*certify, o);
  certify->add_option("--out", o.out, "none: no certificate file")->type_name("none");
  add_output_options(*certify, o);

  CLI::App* equilibria =
      add("equilibria", "relative equilibria and their stability", equilibria_command);
  add_scenario_options(*equilibria, o);
  add_methods_option(*equilibria, o);
  add_family_options(*equilibria, o);
  equilibria->add_option("--out", o.out, "none: no figure")->type_name("none");
  add_output_options(*equilibria, o);

  CLI::App* section = add("section", "Poincaré section: passages through a plane", section_command);
  add_scenario_options(*section, o);
  add_method_option(*section, o);
  section->add_option("--plane", o.plane, "formula that is zero there, e.g. x or q3 + 0.5")
      ->type_name("FORMULA")
      ->required();
  section->add_option("--direction", o.direction, "which passages: the formula rises, falls, both")
      ->type_name("up|down|both")
      ->check(CLI::IsMember({"up", "down", "both"}));
  section->add_option("--axes", o.axes, "what the figure shows, e.g. 'y, xi2'")->type_name("X,Y");
  section->add_option("--out", o.out, "none: no files")->type_name("none");
  add_output_options(*section, o);

  CLI::App* sweep = add("sweep", "many members that vary in some numbers", sweep_command);
  add_scenario_options(*sweep, o);
  add_method_option(*sweep, o);
  add_recording_options(*sweep, o);
  add_output_options(*sweep, o);

  CLI::App* check = add("check", "validate a scenario without running it", check_command);
  add_scenario_options(*check, o);
  add_method_option(*check, o);
  add_methods_option(*check, o);
  check->get_option("--methods")->excludes(check->get_option("--method"));
  add_output_options(*check, o);

  CLI::App* list = add("list", "the catalogue of systems or methods", list_command);
  list->add_option("what", o.name, "systems or methods")
      ->required()
      ->check(CLI::IsMember({"systems", "methods"}));
  add_output_options(*list, o);

  CLI::App* describe =
      add("describe", "parameters, equations, claims, reference", describe_command);
  describe->add_option("name", o.name, "a system or method")->required();
  describe->add_flag("--scenario", o.scenario, "print a start file for the system");
  add_output_options(*describe, o);

  CLI::App* plot = add("plot", "figures (SVG, PNG) from recordings", plot_command);
  plot->add_option("recordings", o.files, "recordings of one system (HDF5)")
      ->required()
      ->type_name("FILE.h5 …");
  plot->add_option("--out", o.out, "folder for the figures; default: results/SCENARIO/RECORDING")
      ->type_name("FOLDER");
  plot->add_option("--quantity", o.quantity, "of a sweep, e.g. drift/energy or final/q[2]")
      ->type_name("NAME");
  plot->add_option("--axes", o.axes, "of a sweep, e.g. system.length,system.mass")
      ->type_name("A[,B]");
  plot->add_option("--at", o.at, "of a sweep of more numbers: the others' values")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  add_output_options(*plot, o);

  CLI::App* info = add("info", "what a recording holds", info_command);
  add_file(*info, o, "recording", "recording (HDF5)", "FILE.h5");
  info->add_flag("--check", o.verify, "read every row and compare checksums");
  add_output_options(*info, o);

  CLI::App* exported = add("export", "a recording as CSV, NPZ or VTK", export_command);
  add_file(*exported, o, "recording", "recording (HDF5)", "FILE.h5");
  add_export_options(*exported, o);
  add_output_options(*exported, o);

  CLI::App* resume = add("resume", "go on after an interruption, bit-identical", resume_command);
  add_file(*resume, o, "recording", "recording (HDF5)", "FILE.h5");
  resume->add_flag("--force", o.force, "go on although recorded rows are damaged");
  add_threads_option(*resume, o);
  add_output_options(*resume, o);

  CLI::App* reproduce =
      add("reproduce", "the source documents' claims, checked", reproduce_command);
  reproduce->add_option("id", o.name,
                        "one item or a prefix, e.g. D0 or D0.fig1.length; or nonholonomic: the "
                        "comparison of integrators");
  reproduce->add_option("--steps", o.overrides.steps, "of the comparison; default 1000000");
  add_output_options(*reproduce, o);

  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands({})) names.push_back(sub->get_name());
  if (argc > 1 && argv[1][0] != '-' &&
      std::find(names.begin(), names.end(), argv[1]) == names.end()) {
    const std::string near = nearest_word(argv[1], names);
    throw InputError(fmt::format("unknown command '{}'{}; hamel --help lists the commands", argv[1],
                                 near.empty() ? "" : "; did you mean '" + near + "'?"));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool help = error.get_exit_code() == 0;
    const int code = app.exit(error);
    return help ? code : exit_input;
  }
  // NOLINTNEXTLINE(concurrency-mt-unsafe): no threads yet
  if (const char* asked = std::getenv("HAMEL_ISA");
      asked != nullptr && std::string_view(asked) != isa_path())
    note(fmt::format("HAMEL_ISA={}: not an instruction set of this processor and program "
                     "(baseline, avx2, avx512); {} is used",
                     asked, isa_path()),
         o.quiet);
  return chosen(o, builtin_registry());
}

}  // namespace

}  // namespace hamel::app

int main(int argc, char** argv) {
  using namespace hamel;
  // A file that reaches its size limit is then an error of the write, told like a full disk.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    const int code = app::dispatch(argc, argv);
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      throw IoError("standard output cannot be written");
    return code;
  } catch (const InputError& error) {
    const auto& problems = error.problems();
    const std::size_t most = problems.size() <= 50 ? 50 : 10;  // thousands are a wrong file
    for (std::size_t i = 0; i < std::min(most, problems.size()); ++i) app::note(problems[i]);
    if (problems.size() > most)
      app::note(fmt::format("and {} more problems", problems.size() - most));
    return app::exit_input;
  } catch (const NumericalError& error) {
    app::note(error.what());
    return app::exit_numerical;
  } catch (const IoError& error) {
    app::note(error.what());
    return app::exit_io;
  } catch (const std::bad_alloc&) {
    app::note("out of memory");
    return app::exit_io;
  } catch (const std::exception& error) {
    app::note(fmt::format("unexpected error: {}", error.what()));
    return app::exit_io;
  }
}
