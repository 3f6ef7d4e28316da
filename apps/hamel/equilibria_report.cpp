// SPDX-License-Identifier: BSD-3-Clause
// The tables and the JSON of `hamel equilibria`.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "console.hpp"
#include "equilibria.hpp"
#include "hamel/scenario/result.hpp"

namespace hamel::app {

namespace {

using Json = nlohmann::ordered_json;
using Complex = std::complex<double>;

std::string numbers(const std::vector<double>& list, std::size_t first, std::size_t count) {
  std::vector<std::string> texts;
  for (std::size_t i = first; i < first + count; ++i)
    texts.push_back(fmt::format("{:.6g}", cleaned(list[i])));
  return count == 1 ? texts.front() : fmt::format("({})", fmt::join(texts, ", "));
}

std::string rate(double x) { return x == 0.0 ? "0" : fmt::format("{:.3e}", x); }

std::string small(double x) { return short_number(cleaned(x)); }

Json complex_json(const std::vector<Complex>& list) {
  Json json = Json::array();
  for (const Complex& x : list) json.push_back({x.real(), x.imag()});
  return json;
}

Json triples(const std::vector<double>& flat) {
  Json json = Json::array();
  for (std::size_t i = 0; i + 2 < flat.size(); i += 3)
    json.push_back({flat[i], flat[i + 1], flat[i + 2]});
  return json;
}

Json method_json(const MethodAtEquilibrium& m, bool spheres) {
  Json json = {{"method", m.method}};
  if (!m.failure.empty()) {
    json["defect"] = nullptr;
    json["multipliers"] = Json::array();
    json["stable"] = nullptr;
    json["failure"] = m.failure;
    return json;
  }
  json["defect"] = m.defect;
  json["shift"] = m.shift;
  json["drift"] = m.drift;
  json["drift_rates"] = Json::object();
  for (const auto& [name, value] : m.rates) json["drift_rates"][name] = value;
  json["symmetry_defect"] = io::finite_or_null(m.symmetry);
  if (spheres) json["turning"] = m.turning;
  json["multipliers"] = complex_json(m.multipliers);
  json["growth"] = m.growth;
  json["unstable_directions"] = m.unstable;
  json["stability"] = to_string(m.stability);
  json["stable"] = m.stability != Stability::unstable;
  return json;
}

Json equilibrium_json(const Equilibrium& e, bool spheres) {
  Json json;
  if (spheres) {
    json["q"] = triples(e.q);
    json["omega"] = triples(e.velocity);
    json["turning"] = e.turning;
  } else {
    json["q"] = e.q;
    json["xi"] = e.velocity;
  }
  json["residual"] = e.residual;
  json["iterations"] = e.iterations;
  json["family_dimension"] = e.family;
  json["eigenvalues"] = complex_json(e.eigenvalues);
  json["growth"] = e.growth;
  json["unstable_directions"] = e.unstable;
  json["stability"] = to_string(e.stability);
  json["stable"] = e.stability != Stability::unstable;
  json["methods"] = Json::array();
  for (const auto& m : e.methods) json["methods"].push_back(method_json(m, spheres));
  return json;
}

/// Pairs as a ± bi, equal ones counted.
std::string eigenvalue_text(const std::vector<Complex>& values, double zero) {
  std::vector<std::string> texts;
  for (const Complex& x : values) {
    if (x.imag() < -zero) continue;  // with its partner
    const double re = std::fabs(x.real()) <= zero ? 0.0 : x.real();
    const double im = std::fabs(x.imag()) <= zero ? 0.0 : x.imag();
    texts.push_back(im == 0.0   ? fmt::format("{:.6g}", re)
                    : re == 0.0 ? fmt::format("±{:.6g}i", im)
                                : fmt::format("{:.6g} ± {:.6g}i", re, im));
  }
  std::string text;
  for (std::size_t i = 0; i < texts.size();) {
    std::size_t same = 1;
    while (i + same < texts.size() && texts[i + same] == texts[i]) ++same;
    text += (text.empty() ? "" : ", ") + texts[i] + (same > 1 ? fmt::format(" ({}×)", same) : "");
    i += same;
  }
  return text;
}

std::string directions(int count) {
  return count == 0   ? ""
         : count == 1 ? ", 1 unstable direction"
                      : fmt::format(", {} unstable directions", count);
}

void print_state(const EquilibriaFindings& found, const Equilibrium& e) {
  if (found.spheres) {
    const std::size_t n = e.q.size() / 3;
    constexpr std::size_t most = 6;
    for (std::size_t i = 0; i < std::min(n, most); ++i)
      fmt::print("{}", wrapped(fmt::format("q{0} = {1}, omega{0} = {2}",
                                           n > 1 ? std::to_string(i + 1) : "",
                                           numbers(e.q, 3 * i, 3), numbers(e.velocity, 3 * i, 3)),
                               2, 6));
    if (n > most) fmt::print("  and {} more; --json has all\n", n - most);
    if (!found.axes.empty()) fmt::print("  turning with {} rad/s\n", numbers(e.turning, 0, 3));
    return;
  }
  std::string shape;
  for (std::size_t b = 0; b < e.q.size(); ++b)
    if (std::ranges::find(found.cyclic, found.coordinates[b]) == found.cyclic.end())
      shape += fmt::format("{} = {}, ", found.coordinates[b], numbers(e.q, b, 1));
  fmt::print(
      "{}", wrapped(fmt::format("{}xi = {}", shape, numbers(e.velocity, 0, e.velocity.size())), 2));
  if (!found.cyclic.empty())
    fmt::print("{}", wrapped(fmt::format("cyclic: {}", fmt::join(found.cyclic, ", ")), 2));
}

/// Largest |μ| but for those that are 1.
double modulus(const MethodAtEquilibrium& m, double step) { return 1.0 + step * m.growth; }

void print_one(const EquilibriaFindings& found) {
  const Equilibrium& e = found.equilibria.front();
  fmt::print("{}: relative equilibrium, found in {} iteration{}\n\n", found.system, e.iterations,
             e.iterations == 1 ? "" : "s");
  print_state(found, e);
  if (e.family > 0)
    fmt::print("  in a family of {} dimension{}\n", e.family, e.family == 1 ? "" : "s");
  double scale = 0.0;
  for (const Complex& x : e.eigenvalues) scale = std::fmax(scale, std::abs(x));
  fmt::print("{}", wrapped(fmt::format("eigenvalues, 1/s: {}",
                                       eigenvalue_text(e.eigenvalues, zero_rate(scale))),
                           2, 4));
  fmt::print("  the system: {}{}\n\nmethods at h = {} s\n\n", to_string(e.stability),
             directions(e.unstable), found.step);

  Table table({"method", "defect", "shift", "drift", "|multiplier|", "growth", "stability"});
  bool differs = false;
  std::string failures;
  for (const auto& m : e.methods) {
    if (!m.failure.empty()) {
      failures += wrapped(m.method + ": " + m.failure, 0, 2);
      continue;
    }
    const bool other = m.stability != e.stability || m.unstable != e.unstable;
    differs = differs || other;
    table.add({m.method, small(m.defect), small(m.shift), small(m.drift),
               fmt::format("{:.10f}", modulus(m, found.step)), rate(cleaned(m.growth)),
               to_string(m.stability) + std::string(other ? " !" : "  ")});
  }
  table.fit(80);
  fmt::print("{}\n", table.text());
  fmt::print(
      "defect: rate at which a step leaves the system's equilibrium, 1/s. shift: to the\n"
      "method's own one. drift: the rate left there, 0 where the method has equilibria.\n"
      "growth: largest (|multiplier| - 1)/h, 1/s, but for multipliers that are 1.\n{}{}",
      differs ? "!: not as the system.\n" : "", failures.empty() ? "" : "\n" + failures);
  for (const auto& m : e.methods)
    if (m.failure.empty() && m.symmetry > 1e-15)
      fmt::print("{}", wrapped(fmt::format("{}: its step does not have the symmetry ({:.1e})",
                                           m.method, m.symmetry),
                               0, 2));
}

std::string cell(double growth, Stability stability) {
  const char letter = to_string(stability)[0];
  return fmt::format("{} {}", rate(cleaned(growth)), letter);
}

/// ↓ and ↑ for links along −e3 and e3.
std::string arrows(const Equilibrium& e) {
  std::string text;
  for (std::size_t i = 2; i < e.q.size(); i += 3)
    text += e.q[i] < -1 + 1e-9 ? "↓" : e.q[i] > 1 - 1e-9 ? "↑" : "·";
  return text;
}

void print_many(const EquilibriaFindings& found) {
  const bool family = found.kind == EquilibriaFindings::Kind::family;
  const std::size_t count = found.equilibria.size();
  fmt::print("{}: {} relative equilibri{}{}, methods at h = {} s\n\n", found.system, count,
             count == 1 ? "um" : "a", family ? " along " + found.along.name : "", found.step);
  if (count == 0) return;
  const auto& names = found.equilibria.front().methods;
  constexpr std::size_t most_methods = 4;
  const std::size_t shown = std::min(most_methods, names.size());
  std::vector<std::string> head = {family          ? found.along.name
                                   : found.spheres ? "links"
                                                   : "shape",
                                   "unstable", "system"};
  for (std::size_t k = 0; k < shown; ++k)
    head.push_back(names[k].method.size() <= 12 ? names[k].method : fmt::format("[{}]", k + 1));
  Table table(head);
  constexpr std::size_t most_rows = 25;
  const std::size_t stride = family ? (count + most_rows - 1) / most_rows : 1;
  for (std::size_t i = 0; i < count; i += stride) {
    const Equilibrium& e = found.equilibria[i];
    std::string label;
    if (family) {
      label = fmt::format("{:.6g}", cleaned(found.values[i]));
    } else if (found.spheres) {
      label = arrows(e);
    } else {
      for (std::size_t b = 0; b < e.q.size(); ++b)
        if (std::ranges::find(found.cyclic, found.coordinates[b]) == found.cyclic.end())
          label += fmt::format("{}{:.4g}", label.empty() ? "" : " ", cleaned(e.q[b]));
    }
    std::vector<std::string> row = {label, std::to_string(e.unstable), cell(e.growth, e.stability)};
    for (std::size_t k = 0; k < shown; ++k) {
      const auto& m = e.methods[k];
      row.push_back(m.failure.empty() ? cell(m.growth, m.stability) : "-");
    }
    table.add(row);
  }
  table.fit(80);
  fmt::print(
      "{}\n{}", table.text(),
      wrapped("unstable: directions of the system. Others: largest growth rate, 1/s, of methods "
              "(|multiplier| - 1)/h, and a, n or u for attracting, neutral, unstable.",
              0));
  for (std::size_t k = 0; k < names.size(); ++k) {
    double defect = 0.0;
    double drift = 0.0;
    std::size_t other = 0;
    std::size_t failed = 0;
    std::string failure;
    for (const Equilibrium& e : found.equilibria) {
      const auto& m = e.methods[k];
      if (!m.failure.empty()) {
        ++failed;
        failure = m.failure;
        continue;
      }
      defect = std::fmax(defect, m.defect);
      drift = std::fmax(drift, m.drift);
      if (m.stability != e.stability || m.unstable != e.unstable) ++other;
    }
    std::string text =
        k < shown && names[k].method.size() <= 12
            ? names[k].method
            : fmt::format("{}{}", k < shown ? fmt::format("[{}] ", k + 1) : "", names[k].method);
    text += cleaned(defect) == 0.0 ? ": keeps them all"
            : cleaned(drift) == 0.0
                ? fmt::format(": has its own nearby (defect up to {})", short_number(defect))
                : fmt::format(": keeps none, drifts with up to {} 1/s (defect {})",
                              short_number(drift), short_number(defect));
    text += other == 0 ? "; same stability"
                       : fmt::format("; another stability at {} of {}", other, count - failed);
    if (failed > 0) text += fmt::format("; at {} of them: {}", failed, failure);
    fmt::print("{}", wrapped(text + ".", 0, 2));
  }
  if (stride > 1 || shown < names.size()) fmt::print("--json has all of them.\n");
}

}  // namespace

nlohmann::ordered_json equilibria_json(const EquilibriaFindings& found) {
  Json json = {{"format_version", 1}, {"system", found.system}, {"step", found.step}};
  if (found.spheres)
    json["symmetry"] = {{"axes", found.axes}};
  else
    json["symmetry"] = {{"cyclic", found.cyclic}};
  if (found.kind == EquilibriaFindings::Kind::family)
    json["along"] = {{"name", found.along.name},
                     {"from", found.along.from},
                     {"to", found.along.to},
                     {"count", found.along.count}};
  json["equilibria"] = Json::array();
  for (std::size_t i = 0; i < found.equilibria.size(); ++i) {
    Json one = equilibrium_json(found.equilibria[i], found.spheres);
    if (i < found.values.size()) one["value"] = found.values[i];
    json["equilibria"].push_back(std::move(one));
  }
  json["ends"] = found.ends;
  return json;
}

void print_equilibria(const EquilibriaFindings& found) {
  if (found.kind == EquilibriaFindings::Kind::one)
    print_one(found);
  else
    print_many(found);
}

}  // namespace hamel::app
