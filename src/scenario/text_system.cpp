// SPDX-License-Identifier: BSD-3-Clause

#include "text_system.hpp"

#include "hamel/runs/frame_brackets.hpp"
#include "hamel/runs/frame_problem.hpp"
#include "hamel/scenario/scenario.hpp"
#include "input_text.hpp"
#include "text_parts.hpp"

namespace hamel::io {

namespace {

constexpr const char* keys[] = {"coordinates", "parameters", "lagrangian", "quasi_lagrangian",
                                "frame",       "complement", "brackets",   "forces",
                                "symmetry",    "let",        "invariants"};

void read_brackets(const toml::table& system, TomlReader& reader, FrameText& text) {
  const toml::node* node = system.get("brackets");
  if (node == nullptr) return;
  text.brackets_given = true;
  const char* shape = "must be a list of [i, j, k, \"formula\"], meaning c_ij^k";
  const toml::array* list = node->as_array();
  if (list == nullptr) {
    reader.problem("system.brackets", node, shape);
    return;
  }
  for (std::size_t n = 0; n < list->size(); ++n) {
    const std::string key = fmt::format("system.brackets[{}]", n + 1);
    const toml::array* item = (*list)[n].as_array();
    if (item == nullptr || item->size() != 4 || !(*item)[0].is_integer() ||
        !(*item)[1].is_integer() || !(*item)[2].is_integer()) {
      reader.problem(key, &(*list)[n], shape);
      continue;
    }
    const auto whole = [&](std::size_t i) {
      return static_cast<int>(
          std::clamp<std::int64_t>((*item)[i].as_integer()->get(), -1000, 1000));
    };
    text.brackets.push_back({whole(0), whole(1), whole(2), {key, reader.formula((*item)[3], key)}});
  }
}

}  // namespace

bool is_text_system(const toml::table& system) {
  if (system.contains("name")) return false;
  return std::ranges::any_of(keys, [&](const char* key) { return system.contains(key); });
}

FrameText read_text_system(const toml::table& system, TomlReader& reader) {
  reader.refuse_unknown(system, "system.", {std::begin(keys), std::end(keys)});
  FrameText text;
  text.coordinates = read_names(system, "coordinates", reader);
  if (!system.contains("coordinates"))
    reader.problem("system", &system, "needs coordinates, e.g. coordinates = [\"x\", \"y\"]");
  text.parameters = read_parameters(system, reader);
  const bool quasi = system.contains("quasi_lagrangian");
  if (quasi == system.contains("lagrangian"))
    reader.problem("system", &system,
                   quasi ? "has both lagrangian and quasi_lagrangian; give one of them"
                         : "needs a lagrangian, e.g. lagrangian = \"x_dot^2/2 - x^2/2\", or a "
                           "quasi_lagrangian");
  text.quasi = quasi;
  const std::string key = quasi ? "quasi_lagrangian" : "lagrangian";
  text.lagrangian = {"system." + key, reader.formula(system, "system.", key, "")};
  text.frame = read_rows(system, "frame", reader);
  text.complement = read_rows(system, "complement", reader);
  read_brackets(system, reader, text);
  text.let = read_formulas(system, "let", reader);
  text.forces = read_formulas(system, "forces", reader);
  text.invariants = read_formulas(system, "invariants", reader);
  text.symmetry = read_names(system, "symmetry", reader);
  return text;
}

std::shared_ptr<const SystemEntry> text_system_entry(const std::string& name, const FrameText& text,
                                                     const toml::table& root, TomlReader& reader) {
  std::vector<TextProblem> problems;
  if (reader.clean() || (!text.coordinates.empty() && !text.lagrangian.text.empty())) {
    auto model = std::make_shared<FrameModel>(frame_model(text, problems));
    if (problems.empty() && reader.clean()) {
      // What is said of the system is said of it with its numbers.
      const auto plain = std::make_shared<const FrameModel>(model->specialised(model->nominal()));
      auto entry = std::make_shared<SystemEntry>();
      entry->name = name;
      entry->summary = "a system given as text";
      entry->equations = (text.quasi ? "l = " : "L = ") + text.lagrangian.text;
      entry->reference = "the scenario";
      entry->recommended_method = "hamel";
      entry->coordinates = model->coordinates;
      set_default_figure(*entry);
      entry->initial_forms = frame_initial_forms(model->coordinates_count(), model->fields());
      entry->default_step = 0.1;
      entry->invariants = frame_invariants(*plain);
      entry->methods = frame_methods(*plain);
      entry->keep = plain;
      entry->make = [model, plain](const SystemValues&, int form, const InitialValues& initial,
                                   std::vector<std::string>& notes) {
        const FrameModel own = plain->copy();
        FrameInitial start = frame_initial(own, form, initial, notes);
        auto problem = make_frame_problem(model->copy(), start);
        if (std::string remark = bracket_remark(own, start.q); !remark.empty())
          notes.push_back(std::move(remark));
        return problem;
      };
      return entry;
    }
  }
  report(problems, root, reader);
  return nullptr;
}

std::string to_toml_text(const FrameText& text) {
  std::string out = "[system]\ncoordinates = " + list_of_names(text.coordinates) + "\n";
  if (!text.parameters.empty()) out += "parameters = " + parameters_text(text.parameters) + "\n";
  out += fmt::format("{} = {}\n", text.quasi ? "quasi_lagrangian" : "lagrangian",
                     toml_quoted(text.lagrangian.text));
  if (!text.frame.empty()) out += "frame = " + rows_text(text.frame) + "\n";
  if (!text.complement.empty()) out += "complement = " + rows_text(text.complement) + "\n";
  if (text.brackets_given) {
    std::string list;
    for (const auto& [i, j, k, value] : text.brackets)
      list += fmt::format("{}[{}, {}, {}, {}]", list.empty() ? "" : ", ", i, j, k,
                          toml_quoted(value.text));
    out += "brackets = [" + list + "]\n";
  }
  if (!text.let.empty()) out += "let = " + table_text(text.let) + "\n";
  if (!text.forces.empty()) out += "forces = " + table_text(text.forces) + "\n";
  if (!text.invariants.empty()) out += "invariants = " + table_text(text.invariants) + "\n";
  if (!text.symmetry.empty()) out += "symmetry = " + list_of_names(text.symmetry) + "\n";
  if (!text.inputs.empty()) out += to_toml_text(text.inputs);
  return out;
}

}  // namespace hamel::io
