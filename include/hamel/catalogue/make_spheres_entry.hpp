// SPDX-License-Identifier: BSD-3-Clause
// make_entry<System>("name") for systems on many spheres.
//
// A system type has tables of parameters (core/parameters.hpp), `SpheresModel model() const`, and
// `static SpheresStart start(int n)` with `default_start` telling of it.
#pragma once

#include <string>
#include <utility>

#include "hamel/catalogue/describe_entry.hpp"
#include "hamel/runs/spheres_problem.hpp"

namespace hamel {

template <class T>
concept ManySpheresSystem = requires(const T& system) {
  { system.model() } -> std::same_as<SpheresModel>;
};

template <ManySpheresSystem System>
SystemEntry make_entry(std::string name) {
  SystemEntry entry = describe_entry<System>(std::move(name));
  const SpheresModel preset = System{}.model();
  entry.default_start = System::default_start;
  entry.initial_forms = spheres_initial_forms();
  entry.invariants = spheres_invariants(preset);
  entry.methods = spheres_methods(preset);
  entry.make = [](const SystemValues& values, int form, const InitialValues& initial,
                  std::vector<std::string>& notes) {
    const auto system = with_values<System>(values);
    SpheresModel model = system.model();
    SpheresStart start = initial.values.empty() ? system.start(model.n)
                                                : spheres_start(model.n, form, initial, notes);
    return make_spheres_problem(std::move(model), std::move(start));
  };
  return entry;
}

}  // namespace hamel
