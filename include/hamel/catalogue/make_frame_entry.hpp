// SPDX-License-Identifier: BSD-3-Clause
// make_entry<System>("name") for systems in a frame: their formulas are traced when a problem is
// made. Nothing is compiled per method; a system costs a page of code and a second of build time.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "hamel/catalogue/describe_entry.hpp"
#include "hamel/models/frame_system.hpp"
#include "hamel/runs/frame_problem.hpp"

namespace hamel {

/// The entry of a system with its values; all but the numbers in its formulas follows from its
/// type, or from its counts.
template <class System>
SystemEntry frame_entry(std::string name, const System& system) {
  SystemEntry entry = describe_entry<System>(std::move(name));
  // The texts of the invariants belong to the model, which the entry keeps.
  const FrameModel formulas = frame_model(system);
  const auto model = std::make_shared<const FrameModel>(formulas.specialised(formulas.nominal()));
  entry.keep = model;
  entry.coordinates = model->coordinates;
  if constexpr (requires { System::coordinates; })
    for (const auto& c : System::coordinates) entry.coordinate_units.emplace_back(c.unit);
  set_default_figure(entry);
  if constexpr (requires { System::figure; }) {
    entry.figure_x = System::figure.x;
    entry.figure_y = System::figure.y;
  }
  entry.initial_forms = frame_initial_forms(model->coordinates_count(), model->fields());
  if constexpr (requires { System::horizon; }) entry.horizon = System::horizon;
  entry.invariants = frame_invariants(*model);
  entry.methods = frame_methods(*model);
  entry.has_exact = static_cast<bool>(model->exact);
  const auto checked = std::make_shared<std::atomic<bool>>(false);
  entry.make = [checked](const SystemValues& values, int form, const InitialValues& initial,
                         std::vector<std::string>& notes) {
    FrameModel own = frame_model(with_values<System>(values));
    FrameInitial start = frame_initial(own, form, initial, notes);
    auto problem = make_frame_problem(std::move(own), std::move(start), *checked);
    *checked = true;
    return problem;
  };
  return entry;
}

template <FrameSystem System>
SystemEntry make_entry(std::string name) {
  return frame_entry(std::move(name), System{});
}

template <SizedFrameSystem System>
SystemEntry make_entry(std::string name) {
  const auto sized = [name = std::move(name)](const System& system) {
    SystemEntry entry = frame_entry(name, system);
    entry.default_initial = system.start();
    entry.default_start = System::default_start;
    return entry;
  };
  SystemEntry entry = sized(System{});
  entry.at = [sized](const SystemValues& values) {
    return std::make_shared<const SystemEntry>(sized(with_values<System>(values)));
  };
  return entry;
}

}  // namespace hamel
