// SPDX-License-Identifier: BSD-3-Clause
// What the nonholonomic comparison shows: a table, a Markdown page, a page of figures, JSON.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "console.hpp"
#include "execute.hpp"
#include "hamel/core/error.hpp"
#include "hamel/figures/figures.hpp"
#include "hamel/files/files.hpp"
#include "hamel/scenario/result.hpp"
#include "nonholonomic.hpp"

namespace hamel::app {

namespace {

constexpr double kept = 1e-9;  // a relative equilibrium, after 200 s

/// Options left to the legend.
std::string short_name(std::string method) {
  for (const auto& [words, instead] :
       {std::pair{"frame=", ""}, std::pair{"potential=discrete-gradient", "d.g."},
        std::pair{"constraint=", ""}})
    if (const auto at = method.find(words); at != std::string::npos)
      method.replace(at, std::string_view(words).size(), instead);
  return method;
}

const MethodStudy* reference_of(const SystemStudy& study) {
  for (const auto& method : study.methods)
    if (method.method.starts_with("gauss")) return &method;
  return nullptr;
}

/// Below 1e-11 of the energy a trend is that of round-off.
bool drifts(const Trend& energy) {
  return energy.kind == TrendKind::drifting && energy.largest > 1e-11;
}

std::string drift_text(const Trend& energy) {
  if (!drifts(energy)) return "none";
  return fmt::format("{:+.1e} ± {:.0e}", energy.slope, energy.error);
}

std::string momentum_text(const MethodStudy& method) {
  double worst = -1.0;
  for (const auto& [name, drift] : method.others)
    if (!(drift <= worst)) worst = drift;
  return worst < 0.0 ? "" : short_number(worst);
}

std::string equilibrium_text(const MethodStudy& method) {
  if (!method.equilibrium) return "";
  return *method.equilibrium <= kept ? "kept" : short_number(*method.equilibrium);
}

/// Stability as the reference has it, or how it differs.
std::string stability_text(const SystemStudy& study, const MethodStudy& method) {
  const MethodStudy* reference = reference_of(study);
  if (!method.growth || reference == nullptr || !reference->growth) return "";
  const std::string true_one = stability_of(*reference->growth);
  const std::string found = stability_of(*method.growth);
  return found == true_one ? found : found + "!";
}

std::vector<std::string> header_of(const SystemStudy& study, bool with_momentum) {
  std::vector<std::string> header = {"method", "energy", "drift, 1/s"};
  if (with_momentum) header.emplace_back("others");
  header.emplace_back("chord");
  if (study.has_equilibrium) {
    header.emplace_back("rel. eq.");
    header.emplace_back("stability");
  }
  header.emplace_back("cost");
  return header;
}

bool has_momentum(const SystemStudy& study) {
  return std::ranges::any_of(study.methods, [](const auto& m) { return !m.others.empty(); });
}

std::vector<std::string> row_of(const SystemStudy& study, const MethodStudy& method,
                                bool with_momentum) {
  std::vector<std::string> row = {
      short_name(method.method), short_number(method.energy.largest),
      method.status == Status::ok ? drift_text(method.energy) : "FAILED"};
  if (with_momentum) row.push_back(momentum_text(method));
  row.push_back(method.chord ? short_number(*method.chord) : "");
  if (study.has_equilibrium) {
    row.push_back(equilibrium_text(method));
    row.push_back(stability_text(study, method));
  }
  row.push_back(fmt::format("{:.1f}", method.cost / study.methods.front().cost));
  return row;
}

std::string markdown_of(const std::vector<SystemStudy>& studies) {
  std::string text;
  for (const auto& study : studies) {
    const bool momentum = has_momentum(study);
    const auto header = header_of(study, momentum);
    text += fmt::format("### {}\n\n{}; h = {:g} s.\n\n|", study.name, study.summary, study.step);
    for (const auto& cell : header) text += " " + cell + " |";
    text += "\n|";
    for (std::size_t i = 0; i < header.size(); ++i) text += "---|";
    for (const auto& method : study.methods) {
      text += "\n|";
      for (const auto& cell : row_of(study, method, momentum)) text += " " + cell + " |";
    }
    text += "\n\n";
    for (const auto& method : study.methods)
      if (!method.trouble.empty())
        text += fmt::format("`{}`: {}\n\n", method.method, method.trouble);
  }
  return text;
}

nlohmann::ordered_json json_of(const std::vector<SystemStudy>& studies) {
  using Json = nlohmann::ordered_json;
  const auto optional = [](const std::optional<double>& x) {
    return x ? io::finite_or_null(*x) : Json(nullptr);
  };
  Json systems = Json::array();
  for (const auto& study : studies) {
    Json methods = Json::array();
    for (const auto& m : study.methods) {
      Json others = Json::object();
      for (const auto& [name, drift] : m.others) others[name] = io::finite_or_null(drift);
      methods.push_back(
          {{"method", m.method},
           {"name", short_name(m.method)},
           {"step", m.step},
           {"steps", m.steps},
           {"status", to_string(m.status)},
           {"energy_max", io::finite_or_null(m.energy.largest)},
           {"energy_last", m.error.empty() ? Json(nullptr) : io::finite_or_null(m.error.back())},
           {"energy_slope", io::finite_or_null(m.energy.slope)},
           {"energy_slope_error", io::finite_or_null(m.energy.error)},
           {"energy_drifts", drifts(m.energy)},
           {"invariants", others},
           {"chord_defect", optional(m.chord)},
           {"equilibrium_departure", optional(m.equilibrium)},
           {"growth", optional(m.growth)},
           {"seconds_per_second", m.cost}});
    }
    systems.push_back({{"system", study.name}, {"step", study.step}, {"methods", methods}});
  }
  return {{"format_version", 1}, {"systems", systems}};
}

constexpr const char* legend =
    "energy: largest relative error. drift: its slope where it drifts, with 95 % confidence; none "
    "where it swings or wanders. others: largest drift of the other invariants. chord: constraint "
    "at the middle "
    "of a step, per unit time; the motion itself has one of order h^2. rel. eq.: kept to 1e-9 "
    "over 200 s, else how far xi leaves it. stability: of that motion; ! where it differs from "
    "that of gauss. cost: time for the same motion, hamel = 1; gauss takes steps as many times "
    "longer as it has stages. hamel(kinetic,d.g.) is "
    "hamel(frame=kinetic,potential=discrete-gradient).";

}  // namespace

int nonholonomic_command(const Options& options, const Registry& registry) {
  std::int64_t steps = 1000000;
  if (options.overrides.steps) {
    try {
      steps = std::stoll(*options.overrides.steps);
    } catch (const std::exception&) {
      steps = 0;
    }
    if (steps < 100) throw InputError("--steps: a whole number >= 100 is needed");
  }
  install_interrupt_handler();
  const auto studies = study_nonholonomic(registry, steps, options.quiet);
  if (!studies) {
    note("interrupted");
    return exit_interrupted;
  }
  const std::filesystem::path folder = results_folder("nonholonomic");
  const std::filesystem::path table = folder / "table.md";
  io::write_file(table, fmt::format("# Integrators on nonholonomic systems, {} steps\n\n{}\n\n{}",
                                    steps, legend, markdown_of(*studies)));
  io::PanelsPlot plot{"page", "Energy error of integrators on nonholonomic systems", "time, s",
                      "relative energy error"};
  for (const auto& study : *studies) {
    io::PanelsPlot::Panel panel{study.name, {}};
    double until = HUGE_VAL;  // all are shown over the same time
    for (const auto& method : study.methods)
      if (method.status == Status::ok && !method.t.empty())
        until = std::fmin(until, method.t.back());
    for (const auto& method : study.methods) {
      io::Curve curve{short_name(method.method), method.t, method.error};
      while (!curve.x.empty() && curve.x.back() > until) {
        curve.x.pop_back();
        curve.y.pop_back();
      }
      for (double& e : curve.y) e = std::fabs(e);
      panel.curves.push_back(std::move(curve));
    }
    plot.panels.push_back(std::move(panel));
  }
  const auto figures = io::draw(folder, plot);

  if (options.json) {
    fmt::print("{}\n", io::json_text(json_of(*studies)));
    return exit_ok;
  }
  for (const auto& study : *studies) {
    const bool momentum = has_momentum(study);
    Table text(header_of(study, momentum));
    for (const auto& method : study.methods) text.add(row_of(study, method, momentum));
    text.fit(80);
    fmt::print("{}\n{}\n",
               wrapped(fmt::format("{}: {}; h = {:g} s", study.name, study.summary, study.step), 0),
               text.text());
    for (const auto& method : study.methods)
      if (!method.trouble.empty())
        fmt::print("{}", wrapped(method.method + ": " + method.trouble, 0, 2));
  }
  fmt::print("{}\ntable and figures: {}\n", wrapped(legend, 0), table.string());
  for (const auto& figure : figures) fmt::print("  {}\n", figure.string());
  return exit_ok;
}

}  // namespace hamel::app
