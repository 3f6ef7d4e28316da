// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/scenario/scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hamel/core/error.hpp"
#include "hamel/files/files.hpp"
#include "input_text.hpp"
#include "scenario_choices.hpp"
#include "sweep_keys.hpp"
#include "text_parts.hpp"
#include "text_system.hpp"
#include "toml_reader.hpp"

namespace hamel::io {

namespace {

void read_system(const toml::table& table, TomlReader& reader, Scenario& scenario) {
  std::vector<std::string> known = {"name"};
  for (const auto& p : scenario.system->parameters) known.push_back(p.name);
  reader.refuse_unknown(table, "system.", known);
  for (const auto& p : scenario.system->parameters) {
    switch (p.kind) {
      case ParameterInfo::Kind::text:
        scenario.parameters.texts[p.name] = reader.formula(table, "system.", p.name, p.preset_text);
        break;
      case ParameterInfo::Kind::number:
        scenario.parameters.numbers[p.name] =
            reader.number(table, "system.", p.name, p.range).value_or(p.preset);
        break;
      case ParameterInfo::Kind::count:
        scenario.parameters.numbers[p.name] =
            reader.number(table, "system.", p.name, p.least, p.most).value_or(p.preset);
        break;
      case ParameterInfo::Kind::list:
        if (auto values = reader.list(table, "system.", p.name, p.range))
          scenario.parameters.lists[p.name] = std::move(*values);
        break;
      case ParameterInfo::Kind::drive:
        if (auto formulas = reader.drive(table, "system.", p.name))
          scenario.parameters.drives[p.name] = std::move(*formulas);
        break;
    }
  }
  const bool sized = std::ranges::any_of(scenario.system->parameters, [&](const auto& p) {
    return p.kind == ParameterInfo::Kind::list && p.sizes && table.contains(p.name);
  });
  for (const auto& p : scenario.system->parameters)  // 0: as many as the lists have
    if (sized && p.name == "n" && !table.contains(p.name)) scenario.parameters.numbers["n"] = 0.0;
}

/// Finds the one initial form all of whose fields are given. Returns whether it could be read.
bool read_initial(const toml::table& table, TomlReader& reader, Scenario& scenario) {
  const auto& forms = scenario.system->initial_forms;
  std::vector<std::string> known = {"normalise"};
  std::string choices;
  for (const auto& form : forms) {
    std::string names;
    for (const auto& field : form) {
      known.emplace_back(field.name);
      names += (names.empty() ? "" : " and ") + std::string(field.name);
    }
    choices += (choices.empty() ? "" : ", or ") + names;
  }
  reader.refuse_unknown(table, "initial.", known);
  const bool normalise = reader.boolean(table, "initial.", "normalise").value_or(true);

  const auto given = [&](const auto& form) {
    int n = 0;
    for (const auto& field : form) n += table.contains(field.name) ? 1 : 0;
    return n;
  };
  int chosen = -1;
  int touched = 0;   // is anything given at all?
  int complete = 0;  // forms that are
  for (std::size_t i = 0; i < forms.size(); ++i) {
    touched += given(forms[i]);
    if (given(forms[i]) != static_cast<int>(forms[i].size())) continue;
    ++complete;
    chosen = static_cast<int>(i);
  }
  // Forms may share fields, but nothing beyond the chosen one may be given.
  const auto needed = [&](std::string_view name) {
    return std::ranges::any_of(forms[static_cast<std::size_t>(chosen)],
                               [&](const auto& field) { return field.name == name; });
  };
  bool mixed = complete > 1;
  for (const auto& form : forms)
    for (const auto& field : form)
      mixed = mixed || (chosen >= 0 && table.contains(field.name) && !needed(field.name));
  if (touched == 0 && scenario.system->default_initial.values.empty() &&
      scenario.system->default_start.empty()) {
    reader.problem("initial", &table, "is missing: a system of your own needs " + choices);
    return false;
  }
  if (touched == 0) {  // the system's own start
    scenario.initial = scenario.system->default_initial;
    scenario.initial.normalise = normalise;
    scenario.initial_form = default_form(*scenario.system);
    return true;
  }
  if (chosen < 0 || mixed) {
    reader.problem("initial", &table, "needs " + choices + (mixed ? ", not both" : ""));
    return false;
  }
  scenario.initial_form = chosen;
  scenario.initial.normalise = normalise;
  bool readable = true;
  for (const auto& field : forms[static_cast<std::size_t>(chosen)]) {
    if (auto values = reader.vector(table, "initial.", field))
      scenario.initial.values[std::string(field.name)] = std::move(*values);
    else
      readable = false;
  }
  return readable;
}

void read_methods(const toml::table& table, TomlReader& reader, Scenario& scenario) {
  const auto parse = [&](const std::string& text, const toml::node* node, const std::string& key) {
    try {
      return std::optional(MethodSpec::parse(text));
    } catch (const InputError& error) {
      reader.problem(reader.where(key, node) + error.what());
      return std::optional<MethodSpec>();
    }
  };
  std::optional<MethodSpec> one;
  if (const auto text = reader.text(table, "integrate.", "method"))
    one = parse(*text, table.get("method"), "integrate.method");
  if (const toml::node* node = table.get("methods")) {
    constexpr std::size_t most = 100;
    const toml::array* list = node->as_array();
    if (list == nullptr || list->empty()) {
      reader.problem("integrate.methods", node,
                     "must be a list of texts, e.g. [\"hamel\", \"rk4\"]");
    } else if (list->size() > most) {
      reader.problem("integrate.methods", node,
                     fmt::format("are {}, more than {}", list->size(), most));
    } else {
      for (const toml::node& item : *list) {
        if (const auto text = item.value_exact<std::string>()) {
          if (auto spec = parse(*text, &item, "integrate.methods"))
            scenario.methods.push_back(std::move(*spec));
        } else {
          reader.problem("integrate.methods", &item, "must hold texts only");
        }
      }
    }
  }
  if (scenario.methods.empty() && one) scenario.methods.push_back(*one);
  if (scenario.methods.empty())
    for (const MethodInfo& info : scenario.system->methods)
      scenario.methods.push_back(MethodSpec::parse(info.name));
  const bool listed = table.contains("methods");
  scenario.method = one      ? *one
                    : listed ? scenario.methods.front()
                             : MethodSpec::parse(scenario.system->recommended_method);
}

/// `formulation` of [integrate] becomes an option of every method that has one and was not given
/// one.
void apply_formulation(const toml::table& table, TomlReader& reader, Scenario& scenario) {
  const auto text = reader.text(table, "integrate.", "formulation");
  if (!text) return;
  const auto takes = [&](const MethodSpec& spec) {
    return std::ranges::any_of(scenario.system->methods, [&](const MethodInfo& info) {
      return info.name == spec.name && std::ranges::any_of(info.options, [](const auto& option) {
               return option.name == "formulation";
             });
    });
  };
  bool used = false;
  const auto apply = [&](MethodSpec& spec) {
    if (!takes(spec)) return;
    used = true;
    if (spec.options.contains("formulation")) return;
    std::string with = spec.text;
    if (spec.options.empty())
      with.insert(spec.name.size(), "(formulation=" + *text + ")");
    else
      with.insert(spec.name.size() + 1, "formulation=" + *text + ",");
    spec = MethodSpec::parse(with);
  };
  for (auto& spec : scenario.methods) apply(spec);
  if (!table.contains("methods")) used = false;  // what `run` uses must take it
  apply(scenario.method);
  if (!used)
    reader.problem("integrate.formulation", table.get("formulation"),
                   "is for gauss, rk4 and fehlberg78 on systems of many spheres; method is '" +
                       clipped(scenario.method.name) + "'");
}

/// Of the catalogue's methods, those that fit the system with these parameters.
void keep_fitting_methods(Scenario& scenario) {
  std::erase_if(scenario.methods, [&](const MethodSpec& spec) {
    try {
      scenario.problem->claims(spec);
      return false;
    } catch (const InputError&) {
      return true;
    }
  });
}

void read_integrate(const toml::table& table, TomlReader& reader, Scenario& scenario) {
  reader.refuse_unknown(table, "integrate.",
                        {"method", "methods", "step", "accuracy", "until", "steps", "compensated",
                         "tolerance", "formulation"});
  read_methods(table, reader, scenario);
  apply_formulation(table, reader, scenario);
  scenario.integration.step = reader.number(table, "integrate.", "step", Range::positive)
                                  .value_or(scenario.system->default_step);
  scenario.accuracy = reader.number(table, "integrate.", "accuracy", Range::positive).value_or(0.0);
  if (scenario.accuracy > 0.1)
    reader.problem("integrate.accuracy", table.get("accuracy"), "must be at most 0.1");
  if (table.contains("accuracy") && table.contains("step"))
    reader.problem("integrate", &table, "has both step and accuracy; give one of them");
  if (table.contains("accuracy") && !table.contains("until"))
    reader.problem("integrate.accuracy", table.get("accuracy"), "needs until, the time to reach");
  scenario.integration.compensated =
      reader.boolean(table, "integrate.", "compensated").value_or(false);
  scenario.integration.solver.tolerance =
      reader.number(table, "integrate.", "tolerance", Range::positive).value_or(0.0);
  if (scenario.integration.solver.tolerance > 0.1)
    reader.problem("integrate.tolerance", table.get("tolerance"), "must be at most 0.1");

  scenario.steps = reader.count(table, "integrate.", "steps").value_or(1000);
  const auto until = reader.number(table, "integrate.", "until", Range::positive);
  if (until && table.contains("steps")) {
    reader.problem("integrate", &table, "has both until and steps; give one of them");
  } else if (until && scenario.accuracy > 0.0) {
    scenario.horizon = *until;  // choose_step says how many steps
    scenario.steps = 1;
    scenario.integration.step = *until;
  } else if (until) {
    const double exact = *until / scenario.integration.step;
    const double rounded = std::round(exact);
    if (!(exact <= static_cast<double>(max_steps))) {
      reader.problem("integrate.until", table.get("until"),
                     fmt::format("= {} takes {:.3g} steps, more than 10^15", *until, exact));
    } else if (std::fabs(exact - rounded) <= 1e-9 * std::fmax(1.0, rounded) && rounded >= 1.0) {
      scenario.steps = static_cast<std::int64_t>(rounded);
    } else {
      scenario.steps = static_cast<std::int64_t>(std::ceil(exact));
      scenario.notes.push_back(
          fmt::format("until = {} is not a multiple of step = {}: {} steps, to t = {}", *until,
                      scenario.integration.step, scenario.steps, scenario.until()));
    }
  }
}

void read_output(const toml::table& table, TomlReader& reader, Scenario& scenario) {
  reader.refuse_unknown(table, "output.", {"file", "every", "invariants_every"});
  scenario.file = reader.text(table, "output.", "file");
  const auto every = reader.count(table, "output.", "every");
  scenario.every = every.value_or(1);
  scenario.every_given = every.has_value();
  scenario.invariants_every = reader.count(table, "output.", "invariants_every").value_or(0);
}

/// Why a method is refused; one of other systems is not unknown.
std::string refusal(const MethodSpec& spec, const std::string& why, const Registry& registry) {
  const std::string unknown = unknown_method(spec.name);
  const auto all = registry.methods();
  if (!why.starts_with(unknown) ||
      std::ranges::find(all, spec.name, &MethodInfo::name) == all.end())
    return why;
  return "method '" + spec.name + "' is not for this system" + why.substr(unknown.size());
}

}  // namespace

Scenario parse_scenario(const std::string& text, const std::string& origin,
                        const Overrides& overrides, const Registry& registry) {
  toml::table root = parse_toml(text, origin);
  TomlReader reader(origin, apply_overrides(root, overrides));
  reader.refuse_unknown(root, "", {"system", "inputs", "initial", "integrate", "output", "sweep"});
  Scenario scenario;
  scenario.name = plain_stem(origin);

  const toml::table& system = reader.table(root, "system");
  if (is_spheres_text(system)) {
    scenario.spheres_text = read_spheres_text(system, reader);
    scenario.own_system = spheres_text_entry(scenario.name, *scenario.spheres_text, root, reader);
    if (!scenario.own_system) reader.throw_problems();
    scenario.system = scenario.own_system.get();
  } else if (is_text_system(system)) {
    scenario.text_system = read_text_system(system, reader);
    scenario.text_system->inputs = read_inputs(root, origin, reader);
    scenario.own_system = text_system_entry(scenario.name, *scenario.text_system, root, reader);
    if (!scenario.own_system) reader.throw_problems();
    scenario.system = scenario.own_system.get();
  } else {
    const auto name = reader.text(system, "system.", "name");
    if (!name) {
      if (!system.contains("name"))
        reader.problem(origin +
                       ": system.name is missing; `hamel list systems` shows the catalogue, or "
                       "define a system of your own by coordinates and lagrangian, or by spheres");
      reader.throw_problems();
    }
    try {
      scenario.system = &registry.system(name.value_or(""));
    } catch (const InputError& error) {
      reader.problem(reader.where("system.name", system.get("name")) + error.what());
      reader.throw_problems();
    }
    read_system(system, reader, scenario);
    if (scenario.system->at) {  // sizes chosen at run time
      try {
        scenario.own_system = scenario.system->at(scenario.parameters);
        scenario.system = scenario.own_system.get();
      } catch (const InputError& error) {
        reader.problem(reader.where("system", root.get("system")) + error.what());
        reader.throw_problems();
      }
    }
  }
  if (root.contains("inputs") && !scenario.text_system)
    reader.problem("inputs", root.get("inputs"),
                   "are for systems given by coordinates and a Lagrangian");
  const bool initial_read = read_initial(reader.table(root, "initial"), reader, scenario);
  read_integrate(reader.table(root, "integrate"), reader, scenario);
  read_output(reader.table(root, "output"), reader, scenario);
  check_inputs(scenario, root, reader);
  if (initial_read) {
    write_out_start(root, scenario);
    scenario.sweep = read_sweep(root, reader, scenario);
  }

  if (initial_read) {
    try {
      scenario.problem = scenario.system->make(scenario.parameters, scenario.initial_form,
                                               scenario.initial, scenario.notes);
      // The method that runs comes first; where its state is long, others are tried when they run.
      constexpr int long_row = 1 << 20;
      const auto check = [&](const MethodSpec& spec, const std::string& key) {
        try {
          scenario.problem->claims(spec);
          if (scenario.row_width > long_row) return;
          const auto tried = scenario.problem->simulate(spec, scenario.integration);
          if (spec.text == scenario.method.text) scenario.row_width = tried->row_width();
        } catch (const InputError& error) {
          reader.problem(reader.where(key, root.at_path(key).node()) +
                         refusal(spec, error.what(), registry));
        }
      };
      if (root["integrate"]["method"]) check(scenario.method, "integrate.method");
      if (root["integrate"]["methods"])
        for (const MethodSpec& spec : scenario.methods) check(spec, "integrate.methods");
      else if (!root["integrate"]["method"])
        keep_fitting_methods(scenario);
    } catch (const InputError& error) {
      const std::string key = root.at_path(error.key()) ? error.key() : "initial";
      reader.problem(reader.where(key, root.at_path(key).node()) + error.what());
    }
  }
  if (!scenario.problem) {  // methods can be judged by name at least
    std::vector<std::string> known;
    for (const MethodInfo& info : scenario.system->methods) known.emplace_back(info.name);
    const std::string key = root["integrate"]["methods"] ? "integrate.methods" : "integrate.method";
    for (const MethodSpec& spec : scenario.methods)
      if (std::ranges::find(known, spec.name) == known.end())
        reader.problem(reader.where(key, root.at_path(key).node()) + unknown_method(spec.name) +
                       did_you_mean(spec.name, known));
  }
  reader.throw_problems();
  choose_every(scenario);
  return scenario;
}

}  // namespace hamel::io
