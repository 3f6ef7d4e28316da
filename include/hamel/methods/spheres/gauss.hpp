// SPDX-License-Identifier: BSD-3-Clause
// gauss: Gauss–Legendre collocation with 1 … 8 stages on (S²)ⁿ, order 2s.
//
// Chains in their links (d, u): d·u and the angular momentum are quadratic first integrals, hence
// exact; the length holds to O(h^{2s}). One link or sphere under gravity alone in (q, ω): length
// and energy are exact, too.                                                            [MATH 7.6]
//
// Otherwise in one of D3's four forms. In (q, π) the length, q·π and the angular momentum are
// exact; a chain under gravity alone is O(n) there too.
#pragma once

#include <type_traits>

#include "hamel/kernels/pendulum/pendulum_field.hpp"
#include "hamel/stepping/fields/chain_field.hpp"
#include "hamel/stepping/fields/chain_momentum_field.hpp"
#include "hamel/stepping/fields/spheres_field.hpp"
#include "hamel/stepping/gauss_lanes_stepper.hpp"
#include "hamel/stepping/gauss_stepper.hpp"
#include "hamel/stepping/spheres_method.hpp"

namespace hamel {

struct SpheresGauss {
  static constexpr OptionInfo options[] = {
      {"stages", "1 … 8", "8", "number of stages s; the order is 2s"},
      {"formulation", SpheresFormulation::values,
       "links for chains, (q, ω) for one link or sphere under gravity alone, else q_pi",
       "variables"}};
  static constexpr MethodInfo info{"gauss", "Gauss collocation on spheres: order 2s", "MATH 7.6",
                                   options};

  int stages = 8;
  SpheresFormulation formulation = {};

  static SpheresGauss from_options(MethodOptions& given) {
    return {given.integer("stages", 1, max_gauss_stages, 8),
            SpheresFormulation::from_options(given)};
  }
  std::string misfit(const SpheresModel& model) const { return formulation.misfit(model); }

  Claims claims(const SpheresModel& model, const Names& momenta) const {
    Claims claims{2 * stages, true, false, {}, {}};
    if (pendulum(model))
      claims.invariants = Names{"length", "tangency", "energy"} + momenta;
    else if (formulation.links(model))
      claims.invariants = Names{"tangency"} + momenta;
    else if (formulation.form() == SpheresForm::q_qdot)
      claims.invariants = {"length", "tangency"};
    else if (formulation.form() == SpheresForm::q_omega ||
             (!formulation.chain_momenta(model) && !model.formulas()->constant_inertia()))
      claims.invariants = {"length"};
    else
      claims.invariants = Names{"length"} + momenta;
    return claims;
  }

  template <class S>
  std::unique_ptr<Stepper<S>> stepper(const SpheresModel& model,
                                      const StepperOptions& given) const {
    if (const auto G = pendulum(model))
      return in_lanes<S, PendulumField>(static_cast<S>(*G), given);
    if (formulation.links(model)) {
      if (model.chain->gravity_alone()) return in_lanes<S, ChainField>(model.chain, given);
      return std::make_unique<GaussStepper<S, ChainField<S>>>(ChainField<S>(model.chain), stages,
                                                              given);
    }
    if (formulation.chain_momenta(model))
      return in_lanes<S, ChainMomentumField>(model.chain, given);
    return std::make_unique<GaussStepper<S, SpheresField<S>>>(
        SpheresField<S>(*model.formulas(), formulation.form()), stages, given);
  }

 private:
  /// In double all stages at once.
  template <class S, template <class> class Field, class Of>
  std::unique_ptr<Stepper<S>> in_lanes(const Of& of, const StepperOptions& given) const {
    if constexpr (std::is_same_v<S, double>)
      return std::make_unique<GaussLanesStepper<Field<S>>>(of, stages, given);
    else
      return std::make_unique<GaussStepper<S, Field<S>>>(Field<S>(of), stages, given);
  }

  std::optional<Quad> pendulum(const SpheresModel& model) const {
    return formulation.chosen < 0 ? model.pendulum : std::nullopt;
  }
};

}  // namespace hamel
