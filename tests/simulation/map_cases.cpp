// SPDX-License-Identifier: BSD-3-Clause

#include "simulation/map_cases.hpp"

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <set>
#include <span>

#include "hamel/core/error.hpp"
#include "simulation/law_cases.hpp"
#include "systems/catalogue.hpp"

#if LDBL_MANT_DIG != 113
extern "C" int quadmath_snprintf(char* text, std::size_t size, const char* format, ...);
#endif

namespace hamel {

namespace {

const std::string folder = HAMEL_GOLDEN_DIR "/maps/";

std::vector<std::string> parts_of(const std::string& text, const std::string& between) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (auto end = text.find(between); end != std::string::npos; end = text.find(between, begin)) {
    parts.push_back(text.substr(begin, end - begin));
    begin = end + between.size();
  }
  parts.push_back(text.substr(begin));
  return parts;
}

/// `METHOD(OPTION=VALUE)` for each value that is not the preset: each word of a list, each whole
/// number of `1 … 8`, the ends of a range `0 to 1`.
std::vector<std::string> one_option_each(const MethodInfo& method) {
  std::vector<std::string> texts;
  for (const OptionInfo& option : method.options) {
    const std::string all(option.values);
    std::vector<std::string> values = parts_of(all, " … ");
    if (values.size() == 2) {
      const int first = std::stoi(values[0]), last = std::stoi(values[1]);
      values.clear();
      for (int i = first; i <= last; ++i) values.push_back(std::to_string(i));
    } else {
      values = parts_of(all, all.find(" to ") == std::string::npos ? ", " : " to ");
    }
    for (const std::string& value : values)
      if (value != option.preset)
        texts.push_back(std::string(method.name) + "(" + std::string(option.name) + "=" + value +
                        ")");
  }
  return texts;
}

std::string text_of(Quad x) {
  if (x == 0) return "0";
  char text[64];
#if LDBL_MANT_DIG == 113
  std::snprintf(text, sizeof text, "%.29Le", x);
#else
  quadmath_snprintf(text, sizeof text, "%.29Qe", x);
#endif
  return text;
}

std::string text_of(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%a", x);
  return text;
}

template <class List>
std::string words_of(const List& numbers) {
  std::string text;
  for (const auto& x : numbers) text += (text.empty() ? "" : " ") + text_of(x);
  return text;
}

/// FNV-1a.
template <class Word>
std::string digest_of(std::span<const Word> words) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const Word word : words) hash = (hash ^ static_cast<std::uint64_t>(word)) * 0x100000001b3U;
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

std::string outcome(Status status, std::int64_t steps) {
  return std::string(to_string(status)) + " after " + std::to_string(steps);
}

void record_quad(const MapCase& c, nlohmann::json& record) {
  const int steps = std::max(1, c.steps / 10);
  const EndPoint end = c.problem->end_point(MethodSpec::parse(c.method), {c.step, false, {}},
                                            steps * c.step, steps, Precision::quad);
  record["quad"] =
      words_of(end.q) + "; " + words_of(end.velocity) + "; " + outcome(end.status, end.steps);
}

void record_double(const MapCase& c, nlohmann::json& record, std::string& columns) {
  std::unique_ptr<Simulation> simulation;
  try {
    simulation = c.problem->simulate(MethodSpec::parse(c.method), {c.step, false, {}});
  } catch (const InputError&) {
    record["status"] = "cannot start";
    return;
  }
  columns = columns_text(*simulation);
  RowTable rows(simulation->row_width(), c.steps);
  Block block;
  block.steps = c.steps;
  block.record_every = 1;
  block.rows = &rows;
  const Status status = simulation->advance(block);
  std::vector<std::uint64_t> bits;
  for (const double x : rows.data()) bits.push_back(std::bit_cast<std::uint64_t>(x));
  bits.resize(static_cast<std::size_t>(rows.rows() * rows.row_width()));
  std::vector<double> state;
  for (const NamedValues& part : simulation->state())
    state.insert(state.end(), part.values.begin(), part.values.end());
  record["columns"] = digest(columns);
  record["rows"] = digest_of<std::uint64_t>(bits);
  record["double"] = words_of(state);
  const auto steps = simulation->step_count();
  record["status"] = outcome(status, steps);
  record["iterations"] = std::llround(simulation->iterations_mean() * static_cast<double>(steps));
}

}  // namespace

std::vector<std::string> map_systems() {
  std::vector<std::string> names;
  for (const SystemEntry& system : law_registry().systems()) names.push_back(system.name);
  for (const auto& file : std::filesystem::directory_iterator(folder))
    names.push_back(file.path().filename().string());
  std::ranges::sort(names);
  return names;
}

std::vector<MapCase> map_cases(const std::string& system) {
  std::vector<MapCase> cases;
  std::set<std::string> seen;
  const auto add = [&](const std::string& prefix, const std::string& method,
                       const std::shared_ptr<const Problem>& problem, double step, int steps) {
    const std::string name = prefix + " " + method;
    if (seen.insert(name).second && fits(*problem, method))
      cases.push_back({name, method, problem, step, steps});
  };
  const auto add_options = [&](const std::vector<MethodInfo>& methods,
                               const std::shared_ptr<const Problem>& problem, double step,
                               int steps) {
    for (const MethodInfo& method : methods) {
      add(system, std::string(method.name), problem, step, steps);
      for (const std::string& text : one_option_each(method))
        add(system, text, problem, step, steps);
    }
  };
  if (system.ends_with(".toml")) {
    const io::Scenario s = io::load_scenario(folder + system, {}, law_registry());
    add_options(s.system->methods, s.problem, s.integration.step, 100);
    return cases;
  }
  const SystemEntry& entry = law_registry().system(system);
  const int steps = entry.horizon > 0.0
                        ? std::min(100, static_cast<int>(entry.horizon / entry.default_step))
                        : 100;
  std::map<int, std::shared_ptr<const Problem>> sized;
  const auto of_size = [&](int n) {
    auto& problem = sized[n];
    if (!problem) problem = problem_of(entry, n);
    return problem;
  };
  static const std::vector<LawCase> all = law_cases();
  for (const LawCase& c : all)
    if (c.system == system)
      add(c.n > 0 ? system + " n=" + std::to_string(c.n) : system, c.method, of_size(c.n),
          entry.default_step, steps);
  add_options(entry.methods, of_size(0), entry.default_step, steps);
  return cases;
}

std::string columns_text(const Simulation& simulation) {
  std::string text;
  for (const OutputColumn& column : simulation.columns())
    text += (text.empty() ? "" : ", ") + column.path +
            (column.width > 1 ? "[" + std::to_string(column.width) + "]" : "") +
            (column.unit.empty() ? "" : " " + column.unit);
  return text;
}

std::string digest(const std::string& text) { return digest_of<char>(text); }

nlohmann::json record_of(const MapCase& c, std::string& columns) {
  nlohmann::json record;
  record["claims"] = text_of(c.problem->claims(MethodSpec::parse(c.method)));
  record_quad(c, record);
  record_double(c, record, columns);
  return record;
}

}  // namespace hamel
