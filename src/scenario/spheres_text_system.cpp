// SPDX-License-Identifier: BSD-3-Clause
// Systems on spheres given as text.
#include "hamel/runs/spheres_problem.hpp"
#include "hamel/scenario/scenario.hpp"
#include "text_parts.hpp"
#include "text_system.hpp"

namespace hamel::io {

namespace {

constexpr const char* keys[] = {"spheres",    "parameters", "inertia", "potential",
                                "lagrangian", "forces",     "let"};

std::vector<std::pair<std::string, std::vector<FormulaText>>> read_forces(const toml::table& system,
                                                                          TomlReader& reader) {
  std::vector<std::pair<std::string, std::vector<FormulaText>>> list;
  if (!system.contains("forces")) return list;
  const toml::table& forces = reader.table(system, "forces");
  for (const auto& [name, node] : forces) {
    const std::string sphere(name.str());
    const std::string key = "system.forces." + sphere;
    const toml::array* row = node.as_array();
    if (row == nullptr || row->size() != 3) {
      reader.problem(key, &node, "must be a list of three formulas");
      continue;
    }
    std::vector<FormulaText> components;
    for (std::size_t c = 0; c < 3; ++c) {
      const std::string entry = fmt::format("{}[{}]", key, c + 1);
      components.push_back({entry, reader.formula((*row)[c], entry)});
    }
    list.emplace_back(sphere, std::move(components));
  }
  return list;
}

}  // namespace

bool is_spheres_text(const toml::table& system) {
  return !system.contains("name") && system.contains("spheres");
}

namespace {

/// Rows, or the diagonal alone where the spheres are not coupled.
std::vector<std::vector<FormulaText>> read_inertia(const toml::table& system, TomlReader& reader) {
  const toml::array* list = system["inertia"].as_array();
  if (list == nullptr || list->empty() ||
      std::ranges::any_of(*list, [](const toml::node& entry) { return entry.is_array(); }))
    return read_rows(system, "inertia", reader);
  const std::size_t n = list->size();
  std::vector<std::vector<FormulaText>> rows(n, std::vector<FormulaText>(n));
  for (std::size_t i = 0; i < n; ++i) {
    const std::string name = fmt::format("system.inertia[{}]", i + 1);
    for (FormulaText& entry : rows[i]) entry = {name, "0"};
    rows[i][i].text = reader.formula((*list)[i], name);
  }
  return rows;
}

}  // namespace

SpheresText read_spheres_text(const toml::table& system, TomlReader& reader) {
  reader.refuse_unknown(system, "system.", {std::begin(keys), std::end(keys)});
  SpheresText text;
  text.spheres = read_names(system, "spheres", reader);
  text.parameters = read_parameters(system, reader);
  text.let = read_formulas(system, "let", reader);
  text.forces = read_forces(system, reader);
  const bool general = system.contains("lagrangian");
  const bool quadratic = system.contains("inertia") || system.contains("potential");
  if (general == quadratic)
    reader.problem("system", &system,
                   general ? "has both lagrangian and inertia or potential; give one of them"
                           : "needs inertia and potential, or a lagrangian");
  if (general) {
    text.lagrangian = {"system.lagrangian", reader.formula(system, "system.", "lagrangian", "")};
    return text;
  }
  if (quadratic && !system.contains("inertia"))
    reader.problem("system", &system, "needs inertia = [[…]], one row for each sphere");
  text.inertia = read_inertia(system, reader);
  text.potential = {"system.potential", reader.formula(system, "system.", "potential", "0")};
  return text;
}

std::shared_ptr<const SystemEntry> spheres_text_entry(const std::string& name,
                                                      const SpheresText& text,
                                                      const toml::table& root, TomlReader& reader) {
  std::vector<TextProblem> problems;
  SpheresFormulas formulas = spheres_formulas(text, problems);
  if (!problems.empty() || !reader.clean()) {
    report(problems, root, reader);
    return nullptr;
  }
  const auto model = std::make_shared<const SpheresModel>(formulas_model(std::move(formulas)));
  auto entry = std::make_shared<SystemEntry>();
  entry->name = name;
  entry->summary = "a system on spheres given as text";
  entry->equations = text.lagrangian.text.empty()
                         ? "L = sum m_ij q_i'.q_j'/2 - U,  U = " + text.potential.text
                         : "L = " + text.lagrangian.text;
  entry->reference = "the scenario";
  entry->initial_forms = spheres_initial_forms();
  entry->default_step = 0.01;
  entry->invariants = spheres_invariants(*model);
  entry->methods = spheres_methods(*model);
  entry->recommended_method = "gauss";
  for (const char* better : {"variational", "hamel"})
    for (const auto& method : entry->methods)
      if (method.name == better) entry->recommended_method = better;
  entry->keep = model;
  entry->make = [model](const SystemValues&, int form, const InitialValues& initial,
                        std::vector<std::string>& notes) {
    return make_spheres_problem(*model, spheres_start(model->n, form, initial, notes));
  };
  return entry;
}

std::string to_toml_text(const SpheresText& text) {
  std::string out = "[system]\nspheres = " + list_of_names(text.spheres) + "\n";
  if (!text.parameters.empty()) out += "parameters = " + parameters_text(text.parameters) + "\n";
  if (text.lagrangian.text.empty())
    out += "inertia = " + rows_text(text.inertia) +
           "\npotential = " + toml_quoted(text.potential.text) + "\n";
  else
    out += "lagrangian = " + toml_quoted(text.lagrangian.text) + "\n";
  if (!text.let.empty()) out += "let = " + table_text(text.let) + "\n";
  if (!text.forces.empty()) {
    std::string list;
    for (const auto& [sphere, components] : text.forces) {
      std::vector<std::string> formulas;
      for (const auto& formula : components) formulas.push_back(formula.text);
      list += (list.empty() ? " " : ", ") + toml_quoted(sphere) + " = " + list_of_names(formulas);
    }
    out += "forces = {" + list + " }\n";
  }
  return out;
}

}  // namespace hamel::io
