// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/models/frame_text.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "hamel/core/error.hpp"
#include "hamel/core/words.hpp"
#include "hamel/expressions/parse.hpp"
#include "hamel/expressions/program.hpp"
#include "hamel/models/frame_equations.hpp"
#include "text_definitions.hpp"

namespace hamel {

namespace {

constexpr std::size_t most_coordinates = 64;  // and fields

class Reader {
 public:
  Reader(const FrameText& text, std::vector<TextProblem>& problems)
      : text_(text), parser_(problems) {}

  FrameModel read() {
    const std::size_t before = parser_.problems();
    check_names();
    const std::size_t fields = text_.frame.size() + text_.complement.size();
    if (text_.coordinates.empty() || text_.coordinates.size() > most_coordinates ||
        fields > most_coordinates)
      return {};
    declare();
    declare_inputs();
    parser_.define(text_.let);
    read_laws();
    read_lagrangian();
    read_frame();
    read_rest();
    if (parser_.problems() > before) return {};
    mark_redundancy(model_);
    if (model_.quasi) complete_frame(model_);
    // Brackets that are lacking are reported with the initial state.
    if (model_.redundant && !model_.brackets_given) return std::move(model_);
    try {
      check_complement();
      check_symmetry();
    } catch (const InputError& error) {
      problem("system", error.what());
    }
    return std::move(model_);
  }

 private:
  void problem(const std::string& key, const std::string& text) { parser_.problem(key, text); }
  Expression parse(const FormulaText& formula) { return parser_.parse(formula); }

  void check_names() {
    if (text_.coordinates.empty())
      problem("system.coordinates", "must name at least one coordinate");
    if (text_.coordinates.size() > most_coordinates)
      problem("system.coordinates", "are " + std::to_string(text_.coordinates.size()) +
                                        ", more than " + std::to_string(most_coordinates));
    const std::size_t fields = text_.frame.size() + text_.complement.size();
    if (fields > most_coordinates)
      problem("system.frame", "and complement have " + std::to_string(fields) +
                                  " fields, more than " + std::to_string(most_coordinates));
    parser_.reserve("t", "the time");
    for (const auto& name : text_.coordinates)
      parser_.reserve(name + "_dot", "the velocity of the coordinate '" + clipped(name) + "'");
    const std::size_t most = std::max(text_.coordinates.size(), text_.frame.size());
    for (std::size_t i = 1; i <= most + text_.complement.size(); ++i) {
      parser_.reserve("xi" + std::to_string(i), "a quasi-velocity (xi1, xi2, …)");
      parser_.reserve("p" + std::to_string(i), "a momentum (p1, p2, … in invariants)");
    }
    for (std::size_t b = 0; b < text_.coordinates.size(); ++b)
      parser_.take(text_.coordinates[b], "system.coordinates[" + std::to_string(b + 1) + "]",
                   "a coordinate");
    for (const auto& [name, value] : text_.parameters)
      parser_.take(name, "system.parameters." + name, "a parameter");
    for (const char* column :
         {"q", "xi", "p", "reaction", "energy", "energy_balance", "work", "iterations", "divided"})
      if (!text_.inputs.empty()) parser_.reserve(column, "a column of recordings");
    for (const InputText& input : text_.inputs) {
      parser_.take(input.name, "inputs." + input.name, "an input");
      if (input.name.ends_with("_dot"))
        problem("inputs." + input.name, "ends with _dot, as velocities do");
    }
    for (const auto& [name, formula] : text_.let) parser_.take(name, formula.key, "a definition");
  }

  /// Quasi-velocities that the Lagrangian mentions, and the brackets.
  std::size_t highest_quasi_velocity() const {
    std::size_t highest = 0;
    const auto look = [&](const std::string& text) {
      for (const auto& name : names_in(text))
        if (name.starts_with("xi") && name.size() > 2 && name.size() < 5 &&
            std::all_of(name.begin() + 2, name.end(),
                        [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }))
          highest = std::max<std::size_t>(highest, std::stoul(name.substr(2)));
    };
    look(text_.lagrangian.text);
    for (const auto& [name, formula] : text_.let) look(formula.text);
    return highest;
  }

  void declare() {
    const std::size_t N = text_.coordinates.size();
    const std::size_t m = text_.frame.empty() ? N : text_.frame.size();
    std::size_t n = m;
    if (text_.quasi) {
      const std::size_t given = m + text_.complement.size();
      n = std::clamp(highest_quasi_velocity(), given, std::max(N, given));
    }
    model_ =
        FrameModel::with_variables(text_.coordinates, static_cast<int>(n), static_cast<int>(m));
    for (std::size_t b = 0; b < N; ++b) {
      parser_.names[text_.coordinates[b]] = model_.q[b];
      parser_.names[text_.coordinates[b] + "_dot"] = model_.v[b];
    }
    for (std::size_t i = 0; i < n; ++i) parser_.names["xi" + std::to_string(i + 1)] = model_.xi[i];
    parser_.names["t"] = model_.t;
    for (const auto& [name, value] : text_.parameters)
      parser_.names[name] = model_.parameter(name, value);
  }

  /// Names for the inputs; formulas of t may contain numbers that were given before.
  void declare_inputs() {
    // Numbers first: formulas of t may contain them, in whatever order they stand.
    std::vector<InputText> sorted = text_.inputs;
    std::ranges::stable_partition(
        sorted, [](const InputText& input) { return input.kind != InputText::Kind::formula; });
    for (const InputText& input : sorted) {
      FrameInput own{input.name, {}, {}, input.sample, {}};
      if (input.kind == InputText::Kind::number)
        own.symbol = model_.parameter(input.name, input.number);
      else if (input.kind == InputText::Kind::formula)
        own.symbol = formula_of_time(input.formula);
      else if (input.kind == InputText::Kind::table || input.sample > 0.0)
        own.symbol = model_.graph->held();
      else
        own.symbol = model_.graph->input();
      if (input.kind == InputText::Kind::table) own.of_time = input.table;
      parser_.names[input.name] = own.symbol;
      if (input.kind == InputText::Kind::law || input.kind == InputText::Kind::table)
        states_.push_back(own.symbol);
      model_.inputs.push_back(std::move(own));
    }
  }

  Expression formula_of_time(const FormulaText& formula) {
    const Expression value = parse(formula);
    Expressions state = model_.q;
    for (const Expressions* list : {&model_.v, &model_.xi, &states_})
      state.insert(state.end(), list->begin(), list->end());
    parser_.refuse(formula, value, state,
                   "is a formula of t and may contain numbers besides; a law of the state is "
                   "written { law = \"…\" }");
    return value;
  }

  /// When everything has its name.
  void read_laws() {
    for (const InputText& input : text_.inputs) {
      if (input.kind != InputText::Kind::law) continue;
      const Expression law = parse(input.formula);
      parser_.refuse(input.formula, law, model_.xi,
                     "may contain coordinates, velocities NAME_dot and t only");
      parser_.refuse(input.formula, law, states_,
                     "may not contain an input that is a law or a table");
      std::ranges::find(model_.inputs, input.name, &FrameInput::name)->law = law;
    }
    // Columns in the order of the text.
    std::ranges::sort(model_.inputs, {}, [&](const FrameInput& input) {
      return std::ranges::find(text_.inputs, input.name, &InputText::name) - text_.inputs.begin();
    });
  }

  void read_lagrangian() {
    const std::size_t before = parser_.problems();
    model_.quasi = text_.quasi;
    model_.lagrangian = parse(text_.lagrangian);
    if (parser_.problems() > before) return;
    refuse_moving_momenta();
    if (text_.quasi) {
      parser_.refuse(text_.lagrangian, model_.lagrangian, model_.v,
                     "contains velocities; write it in the coordinates and xi1, xi2, …, or call it "
                     "lagrangian");
      if (!depends_on(model_.lagrangian, model_.xi))
        problem(text_.lagrangian.key, "contains no quasi-velocity xi1, xi2, …: not a Lagrangian");
      else
        parser_.refuse_linear(text_.lagrangian, model_.lagrangian, model_.xi, "quasi-velocities");
    } else {
      parser_.refuse(text_.lagrangian, model_.lagrangian, model_.xi,
                     "contains quasi-velocities; write it in the velocities NAME_dot, or call it "
                     "quasi_lagrangian");
      if (!depends_on(model_.lagrangian, model_.v))
        problem(text_.lagrangian.key, "contains no velocity NAME_dot: not a Lagrangian");
      else
        parser_.refuse_linear(text_.lagrangian, model_.lagrangian, model_.v, "velocities");
    }
  }

  /// Momenta would jump with them, or depend on what they are solved with.
  void refuse_moving_momenta() {
    const Expressions& velocities = text_.quasi ? model_.xi : model_.v;
    for (const Expression& momentum : gradient(model_.lagrangian, velocities))
      if (depends_on(momentum, states_)) {
        problem(text_.lagrangian.key,
                "has an input that is a law or a table in its momenta; there it may be a number or "
                "a formula of t");
        return;
      }
  }

  void read_rows(const std::vector<std::vector<FormulaText>>& rows,
                 std::vector<Expressions>& into) {
    const std::size_t N = text_.coordinates.size();
    into.clear();
    for (const auto& row : rows) {
      if (row.size() != N) {
        problem(row.empty() ? "system.frame" : row.front().key,
                "has " + std::to_string(row.size()) +
                    " entries; a field needs one for each of the " + std::to_string(N) +
                    " coordinates");
        continue;
      }
      Expressions field;
      for (const auto& entry : row) {
        const Expression value = parse(entry);
        Expressions others = model_.v;
        others.insert(others.end(), model_.xi.begin(), model_.xi.end());
        others.push_back(model_.t);
        others.insert(others.end(), states_.begin(), states_.end());
        parser_.refuse(entry, value, others,
                       "may contain the coordinates only, no velocity and no t");
        field.push_back(value);
      }
      into.push_back(std::move(field));
    }
  }

  void read_frame() {
    const std::size_t N = text_.coordinates.size();
    if (text_.frame.empty()) {
      for (std::size_t b = 0; b < N; ++b) model_.frame[b][b] = 1.0;
    } else {
      read_rows(text_.frame, model_.frame);
    }
    read_rows(text_.complement, model_.complement);
    model_.brackets_given = text_.brackets_given;
    const int n = static_cast<int>(model_.xi.size());
    std::set<std::array<int, 3>> given;
    for (const auto& [i, j, k, value] : text_.brackets) {
      const auto outside = [&](int x) { return x < 1 || x > n; };
      if (outside(i) || outside(j) || outside(k)) {
        problem(value.key, "has an index out of range: i, j, k run from 1 to " + std::to_string(n));
        continue;
      }
      if (i == j) {
        problem(value.key, "has i = j: c_ii^k is zero");
        continue;
      }
      if (!given.insert({std::min(i, j), std::max(i, j), k}).second) {
        problem(value.key, "is given twice (c_ji^k = -c_ij^k)");
        continue;
      }
      const Expression c = parse(value);
      Expressions others = model_.v;
      others.insert(others.end(), model_.xi.begin(), model_.xi.end());
      others.push_back(model_.t);
      others.insert(others.end(), states_.begin(), states_.end());
      parser_.refuse(value, c, others, "may contain the coordinates only");
      model_.brackets.push_back({i - 1, j - 1, k - 1, c});
    }
    if (text_.brackets_given && !text_.quasi)
      problem("system.brackets", "go with quasi_lagrangian; with lagrangian none are needed");
  }

  void read_rest() {
    const std::size_t N = text_.coordinates.size();
    if (!text_.forces.empty()) model_.force.assign(N, Expression());
    for (const auto& [name, formula] : text_.forces) {
      const auto found = std::ranges::find(text_.coordinates, name);
      if (found == text_.coordinates.end()) {
        problem(formula.key,
                "is not a coordinate; coordinates: " + list_of_words(text_.coordinates) +
                    did_you_mean(name, text_.coordinates));
        continue;
      }
      const Expression f = parse(formula);
      parser_.refuse(formula, f, model_.xi,
                     "may contain coordinates, velocities NAME_dot and t only");
      model_.force[static_cast<std::size_t>(found - text_.coordinates.begin())] = f;
    }
    NameTable without_momenta = parser_.names;
    for (std::size_t j = 0; j < model_.p.size(); ++j)
      parser_.names["p" + std::to_string(j + 1)] = model_.p[j];
    std::set<std::string> taken;
    for (const auto& [name, formula] : text_.invariants) {
      if (!is_name(name)) problem(formula.key, "'" + clipped(name) + "' is not a name");
      if (name == "energy" || name == "energy_balance" || (name == "work" && !text_.inputs.empty()))
        problem(formula.key, "'" + name + "' is reserved: the program measures it itself");
      else if (!taken.insert(name).second)
        problem(formula.key, "'" + clipped(name) + "' is there already");
      model_.invariants.push_back({name, "", clipped(formula.text), parse(formula)});
    }
    parser_.names = std::move(without_momenta);
  }

  void check_complement() {
    const std::size_t rows = model_.frame.size() + model_.complement.size();
    if (!model_.redundant && rows > text_.coordinates.size())
      problem("system.complement", "has too many fields: with the frame they are " +
                                       std::to_string(rows) + " for " +
                                       std::to_string(text_.coordinates.size()) + " coordinates");
  }

  /// The equations of motion must not contain the symmetry's coordinates.
  void check_symmetry() {
    if (text_.symmetry.empty()) return;
    const FrameEquations e = frame_equations(model_);
    const Expressions inputs = model_.variables();
    for (const auto& name : text_.symmetry) {
      const auto found = std::ranges::find(text_.coordinates, name);
      if (found == text_.coordinates.end()) {
        problem("system.symmetry", "'" + clipped(name) + "' is not a coordinate" +
                                       did_you_mean(name, text_.coordinates));
        continue;
      }
      const Expression& x = model_.q[static_cast<std::size_t>(found - text_.coordinates.begin())];
      Expressions all = e.momentum;
      all.insert(all.end(), e.rate.begin(), e.rate.end());
      all.insert(all.end(), e.force.begin(), e.force.end());
      all.push_back(e.energy);
      Expressions laws;
      for (const FrameInput& input : model_.inputs)
        if (input.law) laws.push_back(*input.law);
      laws = substituted(laws, model_.v, e.velocity);
      all.insert(all.end(), laws.begin(), laws.end());
      const std::size_t count = all.size();
      const Expressions by_x = derivative(all, x);
      all.insert(all.end(), by_x.begin(), by_x.end());
      Evaluator<double> evaluate(Program(inputs, all));
      std::minstd_rand random(7);
      std::uniform_real_distribution<double> uniform(-0.5, 0.5);
      std::vector<double> in(inputs.size());
      std::vector<double> out(all.size());
      bool known = false;
      bool depends = false;
      bool depends_on_numbers = false;
      for (int sample = 0; sample < 12; ++sample) {
        if (sample == 8) {  // with other parameters; a member of a sweep may have these
          std::vector<double> others = model_.nominal();
          for (double& number : others) number = 1.25 * number + 0.1;
          evaluate.bind(others);
        }
        for (double& value : in) value = sample < 5 ? uniform(random) : 1.0 + uniform(random);
        evaluate(in.data(), out.data());
        double size = 1.0;
        double change = 0.0;
        for (std::size_t i = 0; i < count; ++i) {
          size += std::fabs(out[i]);
          change += std::fabs(out[count + i]);
        }
        if (!std::isfinite(size + change)) continue;  // outside the domain: tells nothing
        (sample < 8 ? depends : depends_on_numbers) |= change > 1e-10 * size;
        known = known || sample < 8;
      }
      if (depends_on_numbers)
        for (const Expression& e : all) model_.graph->pin(e);
      if (depends || !known)
        problem("system.symmetry",
                depends ? "'" + name +
                              "' is no symmetry: the equations of motion in the frame depend on it"
                        : "'" + name + "' could not be checked: no sample lies in the domain");
    }
  }

  const FrameText& text_;
  TextParser parser_;
  FrameModel model_;
  Expressions states_;  // inputs that are laws or tables
};

}  // namespace

FrameModel frame_model(const FrameText& text, std::vector<TextProblem>& problems) {
  return Reader(text, problems).read();
}

}  // namespace hamel
