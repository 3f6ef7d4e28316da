// SPDX-License-Identifier: BSD-3-Clause
// fehlberg78: the explicit Runge–Kutta pair of orders 7 and 8 on (S²)ⁿ, with its own step size; a
// baseline. Within each step of the run it takes as many steps as the tolerance asks for.
#pragma once

#include "hamel/stepping/fehlberg_tableau.hpp"
#include "hamel/stepping/fields/chain_field.hpp"
#include "hamel/stepping/fields/chain_momentum_field.hpp"
#include "hamel/stepping/fields/spheres_field.hpp"
#include "hamel/stepping/spheres_method.hpp"

namespace hamel {

struct SpheresFehlberg78 {
  static constexpr OptionInfo options[] = {
      {"tolerance", "1e-15 to 0.1", "1e-10", "error of each inner step, relative to max(1, |z|)"},
      SpheresFormulation::option};
  static constexpr MethodInfo info{"fehlberg78", "adaptive Runge-Kutta pair 7(8): keeps nothing",
                                   "baseline; Fehlberg 1968", options, false};

  double tolerance = 1e-10;
  SpheresFormulation formulation = {};

  static SpheresFehlberg78 from_options(MethodOptions& given) {
    return {given.number("tolerance", 1e-15, 0.1, 1e-10), SpheresFormulation::from_options(given)};
  }
  std::string misfit(const SpheresModel& model) const { return formulation.misfit(model); }
  static Claims claims(const SpheresModel&, const Names&) {
    return {0, false, false, {}, "the error is set by its tolerance", true};
  }

  template <class S>
  std::unique_ptr<Stepper<S>> stepper(const SpheresModel& model,
                                      const StepperOptions& given) const {
    if (formulation.links(model))
      return std::make_unique<ExplicitStepper<S, ChainField<S>>>(
          ChainField<S>(model.chain), fehlberg_tableau<S>(), tolerance, given);
    if (formulation.chain_momenta(model))
      return std::make_unique<ExplicitStepper<S, ChainMomentumField<S>>>(
          ChainMomentumField<S>(model.chain), fehlberg_tableau<S>(), tolerance, given);
    return std::make_unique<ExplicitStepper<S, SpheresField<S>>>(
        SpheresField<S>(*model.formulas(), formulation.form()), fehlberg_tableau<S>(), tolerance,
        given);
  }
};

}  // namespace hamel
