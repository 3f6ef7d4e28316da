// SPDX-License-Identifier: BSD-3-Clause

#include "hamel/scenario/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "hamel/core/error.hpp"
#include "hamel/core/vec.hpp"
#include "hamel/geometry/sphere.hpp"
#include "hamel/runs/frame_problem.hpp"
#include "hamel/runs/spheres_problem.hpp"
#include "hamel/scenario/scenario.hpp"
#include "scenario_choices.hpp"
#include "sweep_keys.hpp"

namespace hamel::io {

namespace {

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): every bit of z moves every bit of it.
std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

/// A number of [0, 1) that depends on these three alone.
double uniform(std::uint64_t seed, std::int64_t member, std::uint64_t draw) {
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15U;
  const auto number = static_cast<std::uint64_t>(member);
  const std::uint64_t bits =
      mixed(mixed(mixed(seed + golden) + (number + 1) * golden) + (draw + 1) * golden);
  return static_cast<double>(bits >> 11U) * 0x1p-53;
}

}  // namespace

double Variation::at(std::int64_t i) const {
  if (law == Law::list) return values[static_cast<std::size_t>(i)];
  if (count == 1) return a;
  const double part = static_cast<double>(i) / static_cast<double>(count - 1);
  return (1.0 - part) * a + part * b;
}

std::int64_t Sweep::members() const {
  if (samples > 0) return samples;
  std::int64_t product = 1;
  for (const Variation& v : vary) product *= v.size();
  return product;
}

void Sweep::inputs(std::int64_t member, double* values) const {
  if (samples == 0) {
    for (std::size_t k = vary.size(); k-- > 0;) {
      values[k] = vary[k].at(member % vary[k].size());
      member /= vary[k].size();
    }
    return;
  }
  for (std::size_t k = 0; k < vary.size(); ++k) {
    const Variation& v = vary[k];
    const double u = uniform(seed, member, 2 * k);
    switch (v.law) {
      case Variation::Law::uniform: values[k] = (1.0 - u) * v.a + u * v.b; break;
      case Variation::Law::normal:  // Box and Muller
        values[k] = v.a + v.b * std::sqrt(-2.0 * std::log1p(-u)) *
                              std::cos(2.0 * std::numbers::pi * uniform(seed, member, 2 * k + 1));
        break;
      default: values[k] = v.at(static_cast<std::int64_t>(u * static_cast<double>(v.size())));
    }
  }
}

const Sweep& sweep_of(const Scenario& scenario) {
  if (!scenario.sweep) throw std::logic_error("the scenario has no [sweep]");
  return *scenario.sweep;
}

namespace {

/// What is varied; the reader of the scenario has checked that every key means something.
std::vector<SweepKey> keys_of(const Scenario& scenario) {
  std::vector<SweepKey> keys;
  for (const Variation& v : sweep_of(scenario).vary) {
    std::string problem;
    if (auto key = sweep_key(v.key, scenario, problem)) keys.push_back(std::move(*key));
  }
  return keys;
}

class ScenarioMembers final : public MemberSource {
 public:
  explicit ScenarioMembers(const Scenario& scenario)
      : scenario_(scenario),
        keys_(keys_of(scenario)),
        values_(scenario.parameters),
        initial_(scenario.initial),
        frame_text_(scenario.text_system),
        spheres_text_(scenario.spheres_text) {
    const auto varies = [&](const char* field) {
      return std::ranges::any_of(keys_, [&](const SweepKey& key) {
        return key.kind == SweepKey::Kind::initial && key.name == field;
      });
    };
    const std::vector<std::string> free = scenario.problem->parameters();
    one_system_ = std::ranges::all_of(keys_, [&](const SweepKey& key) {
      return key.kind == SweepKey::Kind::initial ||
             (key.kind != SweepKey::Kind::list && std::ranges::find(free, key.name) != free.end());
    });
    for (const SweepKey& key : keys_)
      if (one_system_ && key.kind != SweepKey::Kind::initial) numbers_.emplace_back(key.name, 0.0);
    on_spheres_ = scenario.problem->phase_space().spheres > 0;
    position_ = varies("q");
    body_ = varies("Gamma");
    rate_ = position_ || varies("omega") || varies("v");
  }

  bool one_system() const override { return one_system_; }

  std::unique_ptr<Problem> make(std::int64_t member, double* inputs) override {
    sweep_of(scenario_).inputs(member, inputs);
    for (std::size_t k = 0; k < keys_.size(); ++k) set(keys_[k], inputs[k]);
    if (on_spheres_) onto_spheres();
    if (one_system_)
      if (auto problem = scenario_.problem->from(scenario_.initial_form, initial_, numbers_))
        return problem;
    std::vector<std::string> notes;
    if (frame_text_) return from_text(*frame_text_, notes);
    if (spheres_text_) return from_text(*spheres_text_, notes);
    return scenario_.system->make(values_, scenario_.initial_form, initial_, notes);
  }

  /// The scenario with the numbers of the member that was made last.
  Scenario with_its_numbers() const {
    Scenario own = scenario_;
    own.parameters = values_;
    own.initial = initial_;
    own.text_system = frame_text_;
    own.spheres_text = spheres_text_;
    return own;
  }

 private:
  void set(const SweepKey& key, double value) {
    if (!std::isfinite(value) || !contains(key.range, value))
      throw InputError(fmt::format("{} = {} must be {}", key.text, value, to_string(key.range)));
    const auto parameter = [&](auto& text) {
      for (auto& [name, number] : text.parameters)
        if (name == key.name) number = value;
    };
    for (auto& [name, number] : numbers_)
      if (key.kind != SweepKey::Kind::initial && name == key.name) number = value;
    switch (key.kind) {
      case SweepKey::Kind::number: values_.numbers[key.name] = value; break;
      case SweepKey::Kind::list: values_.lists[key.name][key.index] = value; break;
      case SweepKey::Kind::initial: initial_.values[key.name][key.index] = value; break;
      case SweepKey::Kind::parameter:
        if (frame_text_) {
          parameter(*frame_text_);
          for (InputText& input : frame_text_->inputs)
            if (input.name == key.name) input.number = value;
        }
        if (spheres_text_) parameter(*spheres_text_);
        break;
    }
  }

  /// What varies leaves the sphere: directions are normalised, rates lose their part along them.
  void onto_spheres() {
    const auto lists = [&](const char* name) -> std::vector<double>* {
      const auto found = initial_.values.find(name);
      return found == initial_.values.end() ? nullptr : &found->second;
    };
    if (body_) normalise(*lists("Gamma"));
    if (!position_ && !rate_) return;
    std::vector<double>* q = lists("q");
    if (q == nullptr) return;
    if (position_) {
      // The next member varies from the scenario's own value, not from this one's.
      for (std::size_t i = 0; i < q->size(); ++i)
        if (!varied("q", i)) (*q)[i] = scenario_.initial.values.at("q")[i];
      normalise(*q);
    }
    for (const char* name : {"omega", "v"}) {
      std::vector<double>* rate = lists(name);
      if (rate == nullptr || rate->size() != q->size()) continue;
      for (std::size_t i = 0; i < rate->size(); ++i)
        if (!varied(name, i)) (*rate)[i] = scenario_.initial.values.at(name)[i];
      for (std::size_t i = 0; i + 2 < rate->size(); i += 3) {
        const Vec<double, 3> at{{(*q)[i], (*q)[i + 1], (*q)[i + 2]}};
        const Vec<double, 3> tangent =
            tangent_part(at, Vec<double, 3>{{(*rate)[i], (*rate)[i + 1], (*rate)[i + 2]}});
        for (std::size_t c = 0; c < 3; ++c) (*rate)[i + c] = tangent[static_cast<int>(c)];
      }
    }
  }

  bool varied(const char* field, std::size_t index) const {
    return std::ranges::any_of(keys_, [&](const SweepKey& key) {
      return key.kind == SweepKey::Kind::initial && key.name == field && key.index == index;
    });
  }

  static void normalise(std::vector<double>& list) {
    for (std::size_t i = 0; i + 2 < list.size(); i += 3) {
      const Vec<double, 3> v{{list[i], list[i + 1], list[i + 2]}};
      if (!(norm2(v) > 0.0)) throw InputError("the initial direction is zero");
      const Vec<double, 3> unit = normalised(v);
      for (std::size_t c = 0; c < 3; ++c) list[i + c] = unit[static_cast<int>(c)];
    }
  }

  static void refuse(const std::vector<TextProblem>& problems) {
    if (!problems.empty()) throw InputError(problems.front().key + " " + problems.front().text);
  }

  std::unique_ptr<Problem> from_text(const FrameText& text, std::vector<std::string>& notes) const {
    std::vector<TextProblem> problems;
    FrameModel model = frame_model(text, problems);
    refuse(problems);
    FrameInitial start = frame_initial(model, scenario_.initial_form, initial_, notes);
    return make_frame_problem(std::move(model), std::move(start));
  }
  std::unique_ptr<Problem> from_text(const SpheresText& text,
                                     std::vector<std::string>& notes) const {
    std::vector<TextProblem> problems;
    SpheresFormulas formulas = spheres_formulas(text, problems);
    refuse(problems);
    const SpheresModel model = formulas_model(std::move(formulas));
    return make_spheres_problem(model,
                                spheres_start(model.n, scenario_.initial_form, initial_, notes));
  }

  const Scenario& scenario_;
  std::vector<SweepKey> keys_;
  SystemValues values_;
  InitialValues initial_;
  std::optional<FrameText> frame_text_;
  std::optional<SpheresText> spheres_text_;
  NamedNumbers numbers_;  // of the parameters that vary
  bool one_system_ = false, on_spheres_ = false;
  bool position_ = false, body_ = false, rate_ = false;  // what of a state on spheres varies
};

}  // namespace

std::unique_ptr<MemberSource> member_source(const Scenario& scenario) {
  return std::make_unique<ScenarioMembers>(scenario);
}

Scenario member_scenario(const Scenario& scenario, std::int64_t member) {
  ScenarioMembers members(scenario);
  std::vector<double> inputs(sweep_of(scenario).vary.size());
  std::shared_ptr<const Problem> problem = members.make(member, inputs.data());
  Scenario own = members.with_its_numbers();
  own.problem = std::move(problem);
  own.name += fmt::format("_member_{}", member);
  own.file.reset();
  own.sweep.reset();
  choose_every(own);
  return own;
}

SweepTask sweep_task(const Scenario& scenario) {
  SweepTask task;
  task.method = scenario.method;
  task.integration = scenario.integration;
  task.steps = scenario.steps;
  task.measure_every = scenario.invariants_every;
  const Sweep& sweep = sweep_of(scenario);
  for (const Variation& v : sweep.vary) task.inputs.push_back(v.key);
  for (const SweepKey& key : keys_of(scenario)) task.units.push_back(key.unit);
  task.final_state = sweep.final_state;
  task.invariants = sweep.invariants;
  task.trajectory_every = sweep.trajectory_every;
  return task;
}

}  // namespace hamel::io
