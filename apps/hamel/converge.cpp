// SPDX-License-Identifier: BSD-3-Clause
// hamel converge: measured orders.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "console.hpp"
#include "execute.hpp"
#include "hamel/core/error.hpp"
#include "hamel/figures/figures.hpp"
#include "hamel/studies/convergence.hpp"

namespace hamel::app {

namespace {

using Json = nlohmann::ordered_json;

Json study_json(const ConvergenceStudy& study) {
  return {{"method", study.method},
          {"claimed_order", study.claimed_order},
          {"measured_order", io::finite_or_null(study.fit.order)},
          {"standard_error", io::finite_or_null(study.fit.standard_error)},
          {"steps", study.steps},
          {"errors", study.errors},
          {"settled", study.settled()},
          {"used", study.fit.used},
          {"arithmetic", study.quad ? "quad" : "double"},
          {"status", to_string(study.status)}};
}

io::LinePlot figure_of(const std::vector<ConvergenceStudy>& studies, double horizon) {
  io::LinePlot plot;
  plot.stem = "convergence";
  plot.title = fmt::format("Error at t = {:.4g} s against the step size", horizon);
  plot.x_label = "step, s";
  plot.y_label = "error";
  plot.log_x = plot.log_y = plot.points = true;
  for (const auto& study : studies)
    if (study.fit.valid())
      plot.curves.push_back(
          {fmt::format("{}: {:.2f}", study.method, study.fit.order), study.steps, study.errors});
  return plot;
}

void print_studies(const std::vector<ConvergenceStudy>& studies, double horizon) {
  fmt::print("error at t = {:.6g} s against step sizes\n\n", horizon);
  bool any_quad = false;
  bool any_unsettled = false;
  std::string given_up;
  Table table({"method", "claim", "order", "+-", "h from", "error", "h to", "error"});
  for (const auto& study : studies) {
    if (study.errors.empty()) {
      table.add({study.method + ": every run failed: " + to_string(study.status)});
      continue;
    }
    any_quad = any_quad || study.quad;
    any_unsettled = any_unsettled || (study.fit.valid() && !study.settled());
    if (!study.given_up.empty())
      given_up += wrapped(fmt::format("{}: {}", study.method, study.given_up), 0, 2);
    table.add({study.method + (study.quad ? " *" : ""), std::to_string(study.claimed_order),
               !study.fit.valid()
                   ? "-"
                   : fmt::format("{:.3f}{}", study.fit.order, study.settled() ? "" : " ~"),
               study.fit.valid() ? fmt::format("{:.3f}", study.fit.standard_error) : "-",
               fmt::format("{:.3g}", study.steps.front()), short_number(study.errors.front()),
               fmt::format("{:.3g}", study.steps.back()), short_number(study.errors.back())});
  }
  fmt::print("{}{}{}{}", table.text(), any_quad ? "* in quadruple precision\n" : "",
             any_unsettled ? "~ not settled: slopes between neighbouring steps still change\n" : "",
             given_up);
}

}  // namespace

int converge_command(const Options& options, const Registry& registry) {
  if (options.out && *options.out != "none")
    throw InputError("converge draws into results/SCENARIO; --out can only be none");
  const io::Scenario scenario =
      io::load_scenario(options.files.front(), options.overrides, registry);
  for (const auto& text : scenario.notes) note(text, options.quiet);
  install_interrupt_handler();

  ConvergencePlan plan = default_convergence_plan(scenario.integration.step, scenario.until());
  if (options.overrides.until || options.overrides.steps) plan.horizon = scenario.until();
  plan.levels = options.levels;
  IntegrationOptions integration = scenario.integration;
  integration.stop = &interrupted();
  const EndPoint reference = reference_end(*scenario.problem, plan.horizon);
  std::vector<ConvergenceStudy> studies;
  for (const MethodSpec& method : scenario.methods) {
    if (interrupted()) break;
    if (scenario.problem->claims(method).order == 0) {
      note(method.text + " has no order: left out", options.quiet);
      continue;
    }
    note("measuring " + method.text, options.quiet || options.json);
    studies.push_back(measure_order(*scenario.problem, method, integration, plan, reference));
  }
  if (studies.empty() && !interrupted()) throw InputError("no method of this list has an order");
  if (interrupted()) {
    note("interrupted");
    return exit_interrupted;
  }

  std::vector<std::filesystem::path> figures;
  std::string no_figures;
  const io::LinePlot figure = figure_of(studies, plan.horizon);
  if (!options.out && !figure.curves.empty()) {
    try {
      figures = io::draw(results_folder(scenario.name), figure);
    } catch (const IoError& error) {
      no_figures = error.what();
    }
  }
  if (options.json) {
    Json json = {{"format_version", 1},
                 {"system", scenario.system->name},
                 {"horizon", plan.horizon},
                 {"methods", Json::array()}};
    for (const auto& study : studies) json["methods"].push_back(study_json(study));
    json["figures"] = Json::array();
    for (const auto& path : figures) json["figures"].push_back(path.string());
    fmt::print("{}\n", io::json_text(json));
  } else {
    print_studies(studies, plan.horizon);
    for (const auto& path : figures)
      if (path.extension() == ".png") fmt::print("\nfigure: {} (also .svg)\n", path.string());
  }
  if (!no_figures.empty()) note("no figure: " + no_figures);
  if (!no_figures.empty()) return exit_io;
  bool any_measured = false;
  for (const auto& study : studies) any_measured = any_measured || study.fit.valid();
  return any_measured ? exit_ok : exit_numerical;
}

}  // namespace hamel::app
