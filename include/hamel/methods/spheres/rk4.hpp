// SPDX-License-Identifier: BSD-3-Clause
// rk4: the classical Runge–Kutta method on (S²)ⁿ; a baseline.
#pragma once

#include "hamel/stepping/explicit_stepper.hpp"
#include "hamel/stepping/fields/chain_field.hpp"
#include "hamel/stepping/fields/chain_momentum_field.hpp"
#include "hamel/stepping/fields/spheres_field.hpp"
#include "hamel/stepping/spheres_method.hpp"

namespace hamel {

struct SpheresRk4 {
  static constexpr OptionInfo options[] = {SpheresFormulation::option};
  static constexpr MethodInfo info{"rk4", "classical Runge-Kutta method: order 4, keeps nothing",
                                   "baseline", options, false};

  SpheresFormulation formulation = {};

  static SpheresRk4 from_options(MethodOptions& given) {
    return {SpheresFormulation::from_options(given)};
  }
  std::string misfit(const SpheresModel& model) const { return formulation.misfit(model); }
  static Claims claims(const SpheresModel&, const Names&) { return {4, false, false, {}, {}}; }

  template <class S>
  std::unique_ptr<Stepper<S>> stepper(const SpheresModel& model,
                                      const StepperOptions& given) const {
    if (formulation.links(model))
      return std::make_unique<ExplicitStepper<S, ChainField<S>>>(
          ChainField<S>(model.chain), classical_tableau<S>(), 0.0, given);
    if (formulation.chain_momenta(model))
      return std::make_unique<ExplicitStepper<S, ChainMomentumField<S>>>(
          ChainMomentumField<S>(model.chain), classical_tableau<S>(), 0.0, given);
    return std::make_unique<ExplicitStepper<S, SpheresField<S>>>(
        SpheresField<S>(*model.formulas(), formulation.form()), classical_tableau<S>(), 0.0, given);
  }
};

}  // namespace hamel
