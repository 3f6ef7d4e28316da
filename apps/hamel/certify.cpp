// SPDX-License-Identifier: BSD-3-Clause
// hamel certify: every claim of every method on a scenario, measured and judged.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "console.hpp"
#include "execute.hpp"
#include "hamel/core/error.hpp"
#include "hamel/core/stopwatch.hpp"
#include "hamel/files/files.hpp"
#include "hamel/runs/version.hpp"
#include "hamel/scenario/result.hpp"
#include "hamel/studies/certificate.hpp"
#include "parallel.hpp"

namespace hamel::app {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t enough_steps = 20000;  // unless asked for

std::string name_of(const ClaimResult& result) {
  constexpr std::string_view prefix = "invariant:";
  if (result.claim.starts_with(prefix)) return result.claim.substr(prefix.size());
  if (result.claim == "order" && result.order > 0) return fmt::format("order {}", result.order);
  if (result.claim == "constraint") return "chord constraint";
  return result.claim == "time_symmetry" ? "time symmetry" : result.claim;
}

std::string measured_text(const ClaimResult& result) {
  if (result.verdict == Verdict::not_measured || std::isnan(result.measured)) return "-";
  if (result.claim == "order")
    return fmt::format("{:.3f} ± {:.3f}", result.measured, result.standard_error);
  return short_number(result.measured);
}

std::string bound_text(const ClaimResult& result) {
  if (result.verdict == Verdict::not_measured || std::isnan(result.bound)) return "-";
  return result.claim == "order" ? fmt::format("{:.2f}", result.bound) : short_number(result.bound);
}

/// How it changes, and of an invariant whose fault that is.
std::string change_text(const ClaimResult& result) {
  if (result.trend) {
    if (result.trend->kind == TrendKind::exact) return "none";
    const char* kind =
        result.trend->kind == TrendKind::wandering ? "walk" : to_string(result.trend->kind);
    return fmt::format("{} {}", to_string(result.source), kind);
  }
  return result.brief;
}

std::string short_verdict(Verdict verdict) {
  return verdict == Verdict::beyond ? "beyond" : to_string(verdict);
}

const std::vector<std::string> header = {"claim", "measured", "bound", "verdict", "change"};

std::vector<std::string> row_of(const ClaimResult& result) {
  return {name_of(result), measured_text(result), bound_text(result), short_verdict(result.verdict),
          change_text(result)};
}

constexpr const char* legend =
    "verdict: holds or fails where claimed; beyond where kept without being claimed, at 2 to 16 "
    "times the step too; not settled where an order is too low and still changes. change: of "
    "an invariant along the run, whether it is exact, bounded, a walk or a drift, and whether "
    "round-off, the solver or the method makes it.";

void print_certificates(const io::Scenario& scenario, const std::vector<Certificate>& certificates,
                        std::int64_t steps) {
  fmt::print("{}: {} steps of {:g} s\n", scenario.name, steps, scenario.integration.step);
  for (const auto& certificate : certificates) {
    Table table(header);
    for (const auto& result : certificate.claims) table.add(row_of(result));
    fmt::print("\n{}\n{}", certificate.method, table.text());
  }
  fmt::print("\n{}\n", wrapped(legend, 0));
}

Json json_of(const Certificate& certificate, const ClaimResult& result) {
  const bool measured = result.verdict != Verdict::not_measured;
  const bool decided = measured && result.verdict != Verdict::not_settled;
  Json json = {{"method", certificate.method},
               {"claim", result.claim},
               {"claimed", result.claimed},
               {"bound", measured ? io::finite_or_null(result.bound) : Json(nullptr)},
               {"measured", measured ? io::finite_or_null(result.measured) : Json(nullptr)},
               {"holds", decided ? Json(result.holds()) : Json(nullptr)},
               {"verdict", to_string(result.verdict)},
               {"formula", result.formula},
               {"detail", result.detail}};
  if (result.claim == "order") {
    json["order"] = result.order;
    json["standard_error"] = io::finite_or_null(result.standard_error);
    json["settled"] = measured ? Json(result.settled) : Json(nullptr);
  }
  if (result.trend || !result.unit.empty()) json["unit"] = result.unit;
  if (result.trend) {
    json["trend"] = to_string(result.trend->kind);
    json["drift_per_step"] = io::finite_or_null(result.trend->slope);
    json["drift_per_step_error"] = io::finite_or_null(result.trend->error);
    json["growth"] = io::finite_or_null(result.trend->growth);
    json["loosened"] = result.loosened ? io::finite_or_null(*result.loosened) : Json(nullptr);
    json["source"] = to_string(result.source);
  }
  return json;
}

/// As a cell of a table: a bar would begin the next one.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string markdown_of(const io::Scenario& scenario, const std::vector<Certificate>& certificates,
                        std::int64_t steps) {
  std::string text = fmt::format(
      "# Certificate: {}\n\nSystem `{}`, {} steps of {:g} s. hamel {} ({}), {}, {} code path.\n\n"
      "{}\n\n",
      scenario.name, scenario.system->name, steps, scenario.integration.step, version(), commit(),
      compiler(), isa_path(), legend);
  for (const auto& certificate : certificates) {
    text += fmt::format(
        "## {}\n\n| claim | claimed | measured | bound | verdict | more |\n"
        "|---|---|---|---|---|---|\n",
        certificate.method);
    for (const auto& result : certificate.claims) {
      std::string more = result.detail;
      const auto say = [&](const std::string& words) {
        if (!words.empty()) more += (more.empty() ? "" : "; ") + words;
      };
      if (result.trend && result.trend->kind != TrendKind::exact) {
        say(change_text(result));
        say(fmt::format("{:+.1e} ± {:.1e} per step", result.trend->slope, result.trend->error));
        if (result.loosened) say(fmt::format("{:.1e} at 100 × tolerance", *result.loosened));
      }
      if (!result.formula.empty()) say("bound: " + result.formula);
      text += fmt::format("| {} | {} | {}{} | {} | {} | {} |\n", name_of(result),
                          result.claimed ? "yes" : "no", measured_text(result),
                          result.unit.empty() || result.unit == "1" ? "" : " " + result.unit,
                          bound_text(result), to_string(result.verdict), cell(more));
    }
    text += "\n";
  }
  text += "## Scenario\n\n```toml\n" + scenario.to_toml(scenario.methods.front()) + "```\n";
  return text;
}

CertificatePlan plan_of(const Options& options, const io::Scenario& scenario) {
  CertificatePlan plan;
  plan.steps = scenario.steps;
  if (!options.overrides.steps && !options.overrides.until && plan.steps > enough_steps) {
    plan.steps = enough_steps;
    note(fmt::format("invariants over {} of the scenario's {} steps; --steps asks for more",
                     plan.steps, scenario.steps),
         options.quiet);
  }
  plan.convergence = default_convergence_plan(scenario.integration.step, scenario.until());
  try {
    plan.reference = reference_end(*scenario.problem, plan.convergence.horizon);
  } catch (const NumericalError& error) {
    note(fmt::format("no orders: {}", error.what()), options.quiet);
  }
  return plan;
}

}  // namespace

int certify_command(const Options& options, const Registry& registry) {
  if (options.out && *options.out != "none")
    throw InputError("certify writes to results/SCENARIO; --out can only be none");
  const io::Scenario scenario =
      io::load_scenario(options.files.front(), options.overrides, registry);
  for (const auto& text : scenario.notes) note(text, options.quiet);
  install_interrupt_handler();
  IntegrationOptions integration = scenario.integration;
  integration.stop = &interrupted();
  CertificatePlan plan = plan_of(options, scenario);
  plan.equilibrium =
      equilibrium_to_certify(*scenario.problem, integration.step, scenario.methods, &interrupted());

  const auto count = static_cast<std::int64_t>(scenario.methods.size());
  std::vector<Certificate> certificates(scenario.methods.size());
  std::vector<std::string> troubles(scenario.methods.size());
  std::atomic<std::int64_t> done = 0;
  Stopwatch watch;
  {
    Progress progress("certify", count, options.quiet);
    in_parallel(
        scenario.methods.size(),
        [&](std::size_t k) {
          try {
            certificates[k] = certify(*scenario.problem, scenario.methods[k], integration, plan);
          } catch (const std::exception& error) {
            troubles[k] = error.what();
          }
          ++done;
        },
        [&] { progress.update(done, watch.seconds()); });
  }
  const double seconds = watch.seconds();
  if (interrupted()) {
    note("interrupted");
    return exit_interrupted;
  }
  for (std::size_t k = 0; k < troubles.size(); ++k)
    if (!troubles[k].empty()) throw InputError(scenario.methods[k].text + ": " + troubles[k]);

  std::string file;
  if (!options.out) {
    const auto path = results_folder(scenario.name) / "certificate.md";
    io::write_file(path, markdown_of(scenario, certificates, plan.steps));
    file = path.string();
  }
  if (options.json) {
    Json claims = Json::array();
    for (const auto& certificate : certificates)
      for (const auto& result : certificate.claims) claims.push_back(json_of(certificate, result));
    fmt::print("{}\n", io::json_text({{"format_version", 1},
                                      {"system", scenario.system->name},
                                      {"step", scenario.integration.step},
                                      {"steps", plan.steps},
                                      {"claims", claims},
                                      {"certificate", file},
                                      {"seconds", seconds},
                                      {"version", version()}}));
  } else {
    print_certificates(scenario, certificates, plan.steps);
    if (!file.empty()) fmt::print("certificate: {}\n", file);
  }
  const bool fails = std::ranges::any_of(certificates, &Certificate::fails);
  return fails ? exit_differs : exit_ok;
}

}  // namespace hamel::app
