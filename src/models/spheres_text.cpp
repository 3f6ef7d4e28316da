// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/models/spheres_text.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "hamel/core/error.hpp"
#include "hamel/core/words.hpp"
#include "hamel/expressions/program.hpp"
#include "text_definitions.hpp"

namespace hamel {

namespace {

constexpr std::size_t most_spheres = 64;

class Reader {
 public:
  Reader(const SpheresText& text, std::vector<TextProblem>& problems)
      : text_(text), parser_(problems) {}

  SpheresFormulas read() {
    const std::size_t before = parser_.problems();
    check_names();
    if (text_.spheres.empty() || text_.spheres.size() > most_spheres) return {};
    declare();
    parser_.define(text_.let);
    if (text_.lagrangian.text.empty())
      read_quadratic();
    else
      read_lagrangian();
    read_forces();
    if (parser_.problems() > before) return {};
    return std::move(formulas_);
  }

 private:
  static std::string component(const std::string& sphere, int c) {
    return sphere + std::to_string(c + 1);
  }

  void check_names() {
    if (text_.spheres.empty()) parser_.problem("system.spheres", "must name at least one sphere");
    if (text_.spheres.size() > most_spheres)
      parser_.problem("system.spheres", "are " + std::to_string(text_.spheres.size()) +
                                            ", more than " + std::to_string(most_spheres));
    parser_.reserve("t", "the time");
    for (const auto& name : text_.spheres)
      for (int c = 0; c < 3; ++c) {
        const std::string of = " of the sphere '" + clipped(name) + "'";
        parser_.reserve(component(name, c), "component " + std::to_string(c + 1) + of);
        parser_.reserve(component(name, c) + "_dot",
                        "the velocity of component " + std::to_string(c + 1) + of);
      }
    for (std::size_t i = 0; i < text_.spheres.size(); ++i)
      parser_.take(text_.spheres[i], "system.spheres[" + std::to_string(i + 1) + "]", "a sphere");
    for (const auto& [name, value] : text_.parameters)
      parser_.take(name, "system.parameters." + name, "a parameter");
    for (const auto& [name, formula] : text_.let) parser_.take(name, formula.key, "a definition");
  }

  void declare() {
    formulas_ = SpheresFormulas::with_variables(text_.spheres);
    for (std::size_t i = 0; i < text_.spheres.size(); ++i)
      for (int c = 0; c < 3; ++c) {
        const std::string name = component(text_.spheres[i], c);
        const std::size_t at = 3 * i + static_cast<std::size_t>(c);
        parser_.names[name] = formulas_.q[at];
        parser_.names[name + "_dot"] = formulas_.v[at];
      }
    parser_.names["t"] = formulas_.t;
    for (const auto& [name, value] : text_.parameters) parser_.names[name] = value;
  }

  void read_lagrangian() {
    formulas_.lagrangian = parser_.parse(text_.lagrangian);
    if (!depends_on(formulas_.lagrangian, formulas_.v))
      parser_.problem(text_.lagrangian.key, "contains no velocity such as " +
                                                component(text_.spheres[0], 0) +
                                                "_dot: not a Lagrangian");
    else
      parser_.refuse_linear(text_.lagrangian, formulas_.lagrangian, formulas_.v, "velocities");
  }

  void read_quadratic() {
    const std::size_t n = text_.spheres.size();
    Expressions velocities = formulas_.v;
    velocities.push_back(formulas_.t);
    const Expression U = parser_.parse(text_.potential);
    parser_.refuse(text_.potential, U, velocities, "may contain no velocity and no t");
    if (text_.inertia.size() != n) {
      parser_.problem("system.inertia", "has " + std::to_string(text_.inertia.size()) +
                                            " rows for " + std::to_string(n) + " spheres");
      return;
    }
    std::vector<Expressions> m(n, Expressions(n));
    for (std::size_t i = 0; i < n; ++i) {
      const auto& row = text_.inertia[i];
      if (row.size() != n) {
        parser_.problem(
            "system.inertia[" + std::to_string(i + 1) + "]",
            "has " + std::to_string(row.size()) + " entries for " + std::to_string(n) + " spheres");
        return;
      }
      for (std::size_t j = 0; j < n; ++j) {
        m[i][j] = parser_.parse(row[j]);
        parser_.refuse(row[j], m[i][j], velocities, "may contain no velocity and no t");
      }
    }
    check_symmetric(m);
    formulas_.set_quadratic(std::move(m), U);
  }

  void check_symmetric(const std::vector<Expressions>& m) {
    Expressions flat;
    for (const auto& row : m) flat.insert(flat.end(), row.begin(), row.end());
    if (std::ranges::any_of(flat, [&](const Expression& e) {
          return depends_on(e, formulas_.v) || depends_on(e, {&formulas_.t, 1});
        }))
      return;  // a problem of its own
    Evaluator<double> evaluate(Program(formulas_.q, flat));
    std::minstd_rand random(13);
    std::uniform_real_distribution<double> uniform(-0.9, 0.9);
    std::vector<double> q(formulas_.q.size());
    std::vector<double> out(flat.size());
    const std::size_t n = m.size();
    for (int sample = 0; sample < 3; ++sample) {
      for (double& x : q) x = uniform(random);
      evaluate(q.data(), out.data());
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < i; ++j)
          if (std::fabs(out[i * n + j] - out[j * n + i]) >
              1e-12 * (std::fabs(out[i * n + j]) + std::fabs(out[j * n + i]))) {
            parser_.problem(text_.inertia[i][j].key, "is not the same as its mirror image " +
                                                         text_.inertia[j][i].key +
                                                         ": the inertia must be symmetric");
            return;
          }
    }
  }

  void read_forces() {
    if (text_.forces.empty()) return;
    formulas_.force.assign(formulas_.q.size(), Expression());
    for (const auto& [name, components] : text_.forces) {
      const auto found = std::ranges::find(text_.spheres, name);
      if (found == text_.spheres.end()) {
        parser_.problem("system.forces." + name,
                        "is not a sphere" + did_you_mean(name, text_.spheres));
        continue;
      }
      const auto at = 3 * static_cast<std::size_t>(found - text_.spheres.begin());
      for (std::size_t c = 0; c < components.size() && c < 3; ++c)
        formulas_.force[at + c] = parser_.parse(components[c]);
    }
  }

  const SpheresText& text_;
  TextParser parser_;
  SpheresFormulas formulas_;
};

}  // namespace

SpheresFormulas spheres_formulas(const SpheresText& text, std::vector<TextProblem>& problems) {
  return Reader(text, problems).read();
}

}  // namespace hamel
